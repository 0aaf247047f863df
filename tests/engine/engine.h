/* SPDX-License-Identifier: MIT */
/*
 * The engine of the tests of rows. An operation of the tests is one test_operation: the choices of
 * its requests as axes, and functions that draw a request, fill its inputs, record it and say what
 * it must write. The engine does the rest: it draws rows of the axes until every pair of values is
 * in one, records requests alone, beside others and after others whose outputs they read, submits
 * them again with new data, compares every byte of the outputs and around them, and prints what is
 * wrong as a line of text that repeats it, after making it as small as it can.
 *
 * A request follows from its text, such as
 *
 *     bounds type=10 flags=1 limits=2 seed=77 layout=3 most=64
 *
 * where axes that are left out are 0, and `most` bounds the number of its elements. Several
 * requests of a recording have " + " between them; in a recording that begins with "linked", they
 * read what those before them write. `rows case TEXT` runs a recording.
 */
#ifndef VKR_TESTS_ENGINE_H
#define VKR_TESTS_ENGINE_H

#include "arena.h"
#include "images.h"
#include "pyramids.h"
#include "reduce_case.h"

#define TEST_PORTS 16u      /* outputs of a request */
#define TEST_COUNTS 4u      /* counts of the GPU of a request */
#define TEST_VIEWS 8u       /* texel views of a request */
#define TEST_IMAGES 3u      /* images that a request reads */
#define TEST_BUFFERS 2u     /* storage buffers of a set of functions */
#define TEST_TOGETHER 24u   /* requests of a recording */
#define TEST_FIXED 8u       /* groups of fixed requests of an operation */
#define TEST_FEW 700u       /* elements that every limit allows */
#define TEST_ANY UINT32_MAX /* of `most` */

typedef struct test_operation test_operation;

/* An image that a request reads. */
typedef struct test_texture {
    test_image image;
    VkrImage part;       /* that is read */
    uint32_t components; /* that are read */
    VkDeviceSize texels; /* in what is given: what is copied to the image */
    VkDeviceSize values; /* in scratch memory: what texelFetch returns, 4 bytes for each number */
} test_texture;

/* Levels of an image that a request writes. */
typedef struct test_levels {
    level_chain chain;
    uint32_t first;     /* the first that is written */
    VkDeviceSize bytes; /* in what is written: where levels are copied to after all requests */
} test_levels;

/* A request. The states of `structure` and `random` begin with the seed: the first is the same for
 * all layouts of a row, for what chooses pipelines. */
typedef struct test_request {
    const test_operation *of;
    uint32_t axes[MAX_AXES];
    uint64_t seed;
    uint32_t layout;
    uint32_t most;
    uint32_t fixed; /* 0: drawn from the axes; otherwise 1 + group + TEST_FIXED * number */

    limits_row limits;
    tuning_row tuning;
    uint64_t structure, random;
    void *own;               /* of->size bytes, zero before `make` */
    bool refused;            /* by a device of small limits */
    bool absent;             /* what it needs is not on this device; set by `make` */
    VkDeviceSize first, end; /* bytes of its outputs in the arena */
    uint32_t port_count, count_count, view_count, texture_count;
    test_texture *textures[TEST_IMAGES]; /* in `own` */
    test_levels *levels;                 /* in `own`; may be NULL */
    VkBufferView views[TEST_VIEWS];
    VkrBufferRange ports[TEST_PORTS];
    struct {
        VkrGpuCount count;
        uint64_t capacity;
    } counts[TEST_COUNTS];
} test_request;

typedef struct test_axis {
    const char *name;
    uint32_t values;
} test_axis;

/* Requests that do not follow from axes. */
typedef struct test_fixed {
    const char *name;
    uint32_t count;
    bool (*make)(test_request *t, uint32_t number); /* false: not on this device */
    uint32_t layouts;                               /* of each of them, as of a row; 0: one */
    uint32_t thin; /* with VKR_TEST_THIN each n-th of them runs; 0: all */
} test_fixed;

struct test_operation {
    const char *name;
    const char *call;         /* the function of the library */
    test_axis axes[MAX_AXES]; /* a row without a name ends them */
    uint32_t triples;         /* the axes, as bits, that choose a kernel */
    uint32_t urgent;          /* see pairs */
    uint32_t layouts;         /* requests of a row */
    uint32_t together;        /* maximum of these in a recording; 0: any number */
    bool alone;               /* it reads images, so that chains leave it out */
    uint32_t thin;            /* with VKR_TEST_THIN a row has each n-th of them; 0: all */
    /* Whether a row has a layout, in place of that. NULL: see above. */
    bool (*has_layout)(uint64_t seed, uint32_t layout, bool thin);
    size_t size; /* of what a request has of its own */
    bool (*valid)(const abilities *a, const uint32_t axes[MAX_AXES]);
    /* Sets `limits` and `tuning`, which follow from the axes alone. NULL: the device's own. */
    void (*context)(test_request *t);
    void (*make)(test_request *t); /* draws it, and places its views */
    void (*fill)(test_request *t); /* its inputs; counts of the GPU are filled */
    VkrResult (*record)(VkrRecorder recorder, const test_request *t);
    /* Writes its outputs where they should be: test_bytes. Where more than one value is right, it
     * looks at what the device has written, test_actual, and takes that over if it is. */
    void (*expect)(test_request *t);
    bool (*may_refuse)(const test_request *t);  /* NULL: what exceeds a small range */
    bool (*must_refuse)(const test_request *t); /* NULL: nothing */
    void (*print)(const test_request *t);       /* as C */
    bool (*enough)(uint32_t rows); /* whether rows had what they should have; may be NULL */
    test_fixed fixed[TEST_FIXED];
    const struct CMUnitTest *others; /* tests of its own, which use `rig` as they please */
    size_t other_count;
};

/* ---- make.c: for `make`, `fill` and `expect` ---- */

uint32_t test_below(test_request *t, uint32_t bound);

/* A number of elements, at most `most`: often one of these sizes. */
uint32_t test_size(test_request *t, const uint32_t *sizes, uint32_t count, uint32_t most);

/* Room of its own for what a request reads; room for any bits, which may be the output of an
 * earlier request; and room for what it writes. */
VkrBufferRange test_room(test_request *t, VkDeviceSize alignment, VkDeviceSize size);
VkrBufferRange test_read(test_request *t, VkDeviceSize alignment, VkDeviceSize size);
VkrBufferRange test_written(test_request *t, VkDeviceSize alignment, VkDeviceSize size);

/* Says that a request does not write so many bytes at the end of its last output. A later request
 * does not read them: nothing waits for what is not written, but the validation layer takes it for
 * written, since a descriptor contains it. */
void test_end_port(test_request *t, VkDeviceSize unused);

/* Views of elements, `stride` bytes apart. Those of test_input may be the output of an earlier
 * request, so that they have any bits. */
VkrView test_own_input(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                       VkDeviceSize alignment, uint64_t count);
VkrView test_input(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                   VkDeviceSize alignment, uint64_t count);
VkrView test_output(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                    uint64_t count);
VkrView test_aligned_output(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                            VkDeviceSize alignment, uint64_t count);

/* Entries of `size` bytes with `gap` units between them. In place: the target is the source. */
VkrPayload test_payload(test_request *t, uint32_t size, uint32_t gap, bool in_place,
                        VkDeviceSize alignment, uint64_t count);

/* A count of the GPU, for VKR_TYPE_UNDEFINED none, which the engine fills; and one at a place,
 * which may be that of an output. test_counted is what it says, clamped, or else the capacity. */
VkrGpuCount test_count(test_request *t, VkrType type, uint64_t capacity);
VkrGpuCount test_count_at(test_request *t, VkrBufferRange at, VkrType type, uint64_t capacity);
uint64_t test_counted(const VkrGpuCount *count, uint64_t capacity);

/* The expected bytes at a place and of an element, and those that the device has written. */
void *test_bytes(VkBuffer buffer, VkDeviceSize offset);
void *test_element(const VkrView *view, uint64_t index);
const void *test_actual(VkBuffer buffer, VkDeviceSize offset);

/* The same while `fill` runs, when what earlier requests write is not known: the capacity then. */
uint64_t test_filled(const test_request *t, const VkrGpuCount *count, uint64_t capacity);

/* Fills elements of an input that count, unless an earlier request writes it, and poisons what is
 * around and after them. */
void test_fill_view(test_request *t, const VkrView *view, distribution data, uint64_t count,
                    uint64_t capacity);

/* Compares what the device has written at a place with what the oracle says, and takes it over if
 * it is within the bound. */
void test_value(const test_request *t, const char *what, const oracle_value *value, VkrType type,
                VkBuffer buffer, VkDeviceSize offset);

/* The context of the recording: that of its first request. */
VkrContext test_context(void);

/* A set for functions of an application, of storage buffers, at bindings 0, 1, .., or of none but
 * an image. test_read and test_room place buffers at multiples of TEST_BUFFER_ALIGNMENT. */
#define TEST_BUFFER_ALIGNMENT 256u
VkDescriptorSet test_set(uint32_t buffers, const VkrBufferRange *ranges, const test_texture *image);

/* Gives a view texels. */
void test_texels(test_request *t, VkrView *view);

/* Takes over what the device has written. */
void test_accept(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);

/* Whether a request has written what it is expected to, for `expect` of what may be one of two. */
bool test_wrote(const test_request *t);

/* Whether this request must fill what it reads at a place. */
bool test_fills(const test_request *t, VkBuffer buffer, VkDeviceSize offset);

/* Expects entry `to` of a payload to be entry `from`. */
void test_expect_payload(const VkrPayload *payload, uint64_t to, uint64_t from);

/* ---- images.c ---- */

/* Draws a format that the device supports, of texels of a type with at least so many channels. */
bool test_draw_format(test_request *t, VkrType type, uint32_t components, image_request *r);

/* Creates an image of the request, which it reads as a whole unless `make` changes `part`. It is
 * filled with random texels before `fill`, which may change them in what is given. */
void test_source(test_request *t, const image_request *r, uint32_t components, test_texture *s);

/* Creates levels that the request writes, beginning with `first`. They start as one colour, unless
 * level 0 of them becomes the request's source. */
void test_write_levels(test_request *t, const chain_request *r, uint32_t first, test_levels *l);
void test_source_in_levels(test_request *t, const image_request *r, test_texture *s);

uint64_t test_texels_of(const VkrImage *part);

/* For `expect`: what texelFetch returns for a texel of the part. */
const void *test_texel(const test_texture *s, uint64_t index);

void test_print_image(const char *name, const VkrImage *image);

/* For run.c: after `make`; before `fill`; in the command buffer, before what reads the images and
 * after what writes their levels; and before `expect`. */
bool test_open_images(void);
void test_close_images(void);
void test_place_values(test_request *t);
void test_unmake_images(test_request *t);
void test_fill_images(test_request *t);
void test_record_images(const test_request *t);
void test_record_levels(const test_request *t);
void test_reset_images(void);
void test_accept_values(const test_request *t);

/* ---- text.c ---- */

typedef struct test_recording {
    test_request requests[TEST_TOGETHER];
    uint32_t count;
    bool chain;      /* of requests of any rows, none of which may be refused */
    bool linked;     /* inputs may be outputs of earlier requests */
    uint32_t split;  /* requests from this one on have a recorder of their own; 0: none. Where they
                      * are not linked, both are in flight at the same time */
    uint32_t passes; /* submissions, each with other data */
} test_recording;

typedef struct test_line {
    char text[4096];
} test_line;

void test_describe(const test_recording *r, test_line *line);
bool test_parse(const char *text, const test_operation *const *all, test_recording *r);

/* Makes a wrong recording smaller, for as long as it is wrong. */
void test_shrink(test_recording *r);

/* Parts of a request as C. */
void test_print_view(const char *name, const VkrView *view);
void test_print_range(const char *name, const VkrBufferRange *range);
void test_print_count(const char *name, const VkrGpuCount *count);
void test_print_payloads(uint32_t count, const VkrPayload *payloads);
void test_print_segments(const VkrSegments *segments);
void test_print_predicate(const VkrPredicate *predicate);
void test_print_number(const char *name, uint64_t number);

/* ---- run.c, sets.c and rows.c ---- */

typedef struct test_rig {
    harness h;
    abilities device;
    test_contexts contexts;
    arena given, written, scratch;
    const test_recording *recording; /* that is made now */
    VkDescriptorSetLayout
        set_layouts[1 + TEST_BUFFERS]; /* by buffers; that of none is of an image */
    VkDescriptorPool sets;             /* of all requests */
    uint64_t cases;                    /* values compared */
    uint64_t unproven;                 /* values of which the oracle proves nothing */
    uint64_t mismatches, refused;      /* recordings; requests */
    uint64_t made;                     /* requests; refused ones again, with few elements */
    uint32_t says;                     /* how many wrong values are still printed */
    /* Of a device that executes nothing (stub_rig.h): checks what a recorder has collected from
     * these requests, and says what is wrong. NULL: what is recorded is submitted. */
    bool (*inspect)(const test_recording *r, uint32_t begin, uint32_t end, VkrRecorder recorder);
} test_rig;

extern test_rig rig;

typedef enum test_outcome { TEST_RIGHT, TEST_WRONG, TEST_ABSENT } test_outcome;

/* The sets of the requests, which are few. */
bool test_open_sets(void);
void test_close_sets(void);
void test_reset_sets(void);

/* Makes all requests of a recording; false: one is not for this device. */
bool test_make(test_recording *r);
void test_unmake(test_recording *r);

/* Runs a recording. `says`: prints what is wrong. */
test_outcome test_run(test_recording *r, bool says);

/* Does the same; a wrong one is counted, made smaller, and printed with its text and as C. Requests
 * that small limits refuse run again with few elements. */
void test_check(test_recording *r);

/* For `enough`: few requests were refused. Of few rows, limits may refuse most. */
bool test_few_refused(uint32_t rows);

/* Begins a recording outside of the rows; ends it, submits it, and resets the recorder. */
void test_begin(VkrRecorder recorder);
void test_submit(VkrRecorder recorder);

/* Set-up and tear-down of a group of tests. */
int test_open_rig(void **state);
int test_close_rig(void **state);

/* Whether tests are to need few pipelines. */
bool test_is_thin(void);

/* Runs all that an operation has. Returns the program's exit status. */
int test_operation_main(const test_operation *of);

/* ---- chain.c ---- */

/* Draws values of an operation's axes by `below`, which returns a number below its bound; false:
 * they do not go together on this device, or in a context with these limits, which
 * LIMITS_COUNT leaves open. */
bool test_draw_axes(test_request *t, uint64_t *state,
                    uint64_t (*below)(uint64_t *state, uint64_t bound), limits_row limits);

/* Draws a recording of 2 to 6 requests, most of which read each other's outputs. */
void test_draw_chain(uint32_t number, test_recording *r);

/* Runs such recordings. */
int test_chains_main(void);

/* ---- table.c ---- */

/* All operations, and NULL. */
extern const test_operation *const test_operations[];

#endif
