/* SPDX-License-Identifier: MIT */
/* What the parts of the benchmark share. Devices, memory, submits and failures are the runner's. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include <stdio.h>
#include "bench.h"
#include "device/image.h"
#include "device/submit.h"
#include "status.h"

#define MAX_SIZES 32u
#define MAX_WORKGROUPS 16u
#define MAX_RUNS 99u
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define STALE 0xa5a5a5a5u /* what results must replace */

typedef struct bench bench;

/* ---- options.c ---- */

typedef struct settings {
    const char *device;
    const char *json; /* file, or NULL */
    bool help;
    bool quick;
    bool all_reads;  /* the bare kernels of other devices too */
    bool windows;    /* only sums of windows */
    bool segments;   /* in place of scans and all else: sums of segments */
    bool recordings; /* only what long recordings take of the host */
    bool images;     /* only reductions, tiles and pyramids of images */
    bool histograms; /* only histograms */
    bool streams;    /* in place of scans and all else: every way of stream reduction */
    bool all_sizes;  /* none are given: the usual ones */
    uint64_t runs;
    uint64_t warm_ups; /* runs that do not count */
    uint64_t budget;   /* seconds that an arm may take over all sizes */
    uint64_t sizes[MAX_SIZES];
    uint32_t size_count;
    uint64_t workgroups[MAX_WORKGROUPS]; /* of the reductions; 0: tuned */
    uint32_t workgroup_count;
    char **filters;
    uint32_t filter_count;
} settings;

/* Parses options. The filters move to the front of argv. */
int settings_parse(settings *s, int argc, char **argv);

/* ---- arms.c, filters.c ---- */

/* The form of a load, numbered as in read.comp. */
typedef enum load_form {
    LOAD_SCALAR,
    LOAD_VEC4,
    LOAD_U64X4,
    LOAD_TEXEL, /* of an RGBA32_UINT texel buffer; the others are storage buffers' */
    LOAD_FORMS
} load_form;

/* As in read.comp: the xor of all words, min and max as f32 or i32, or a copy. */
typedef enum read_kind { READ_XOR, READ_F32, READ_I32, READ_COPY, READ_KINDS } read_kind;

/* A bare kernel. */
typedef struct read_shape {
    read_kind kind;
    load_form form;
    bool chunked;       /* a lane's loads lie side by side; else the lanes' do */
    uint32_t workgroup; /* 0: a subgroup */
    uint32_t flight;    /* loads of a lane before the first is used: 1 to 32 */
    uint32_t share;     /* bytes that a lane takes before there are more workgroups; 0: a flight */
    uint32_t groups;    /* at most, 0: READ_GROUPS; then shares grow */
} read_shape;

/* What a compaction tests and leaves. */
typedef enum compact_form {
    COMPACT_KEPT,
    COMPACT_INDICES,   /* too */
    COMPACT_PARTITION, /* the rejected ones too */
    COMPACT_FLAGS,     /* kept ones by an array of u8 */
    COMPACT_PAYLOAD,   /* 16 bytes per element, and not the elements */
    COMPACT_UNIQUE,    /* of sorted values */
    COMPACT_LENGTHS,   /* of the runs too */
    COMPACT_FORMS
} compact_form;

/* A form of multi-reduction, as in windows.comp. */
typedef enum window_form {
    WINDOW_NAIVE,
    WINDOW_MULTI,
    WINDOW_DOUBLED,
    WINDOW_SWAP,
    WINDOW_SHARED,
    WINDOW_ADD,
    WINDOW_FORMS
} window_form;

#define WINDOW_TYPES 3u

typedef struct window_shape {
    uint32_t type; /* of window_types */
    bool made;     /* values are made in registers; else they come from memory */
    window_form form;
    uint32_t load; /* workgroups for each multiprocessor */
} window_shape;

/* What is made of an image. */
typedef enum image_work {
    IMAGE_FETCH,
    IMAGE_FETCH_CHUNK, /* a lane's texels lie side by side */
    IMAGE_BLIT,        /* a chain of blits, with linear filters */
    IMAGE_REDUCE,      /* from here on: the library's */
    IMAGE_TILES,
    IMAGE_PYRAMID
} image_work;

typedef struct image_shape {
    image_work work;
    uint32_t picture; /* that is read */
    VkrPyramidAlgorithm algorithm;
} image_shape;

/* A histogram. */
typedef struct histogram_shape {
    uint32_t of;   /* of histogram_cases */
    uint32_t size; /* of settings */
    VkrHistogramAlgorithm algorithm;
    bool plain; /* the bare kernel instead */
} histogram_shape;

/* A step of stream reduction by blocks. */
typedef enum stream_step {
    STEP_ALL, /* no step: the whole recording */
    STEP_MARKS,
    STEP_SUMS, /* inside blocks */
    STEP_SEARCH,
    STEP_TOTALS, /* the sums of the blocks' totals */
    STEP_CONCATENATION,
    STEP_COUNT, /* of what is kept, by a dispatch of one invocation */
    STREAM_STEPS
} stream_step;

typedef enum arm_kind {
    ARM_EMPTY, /* nothing between the timestamps */
    ARM_READ,
    ARM_COPY,
    ARM_REDUCE, /* from here on: the library's, which filters choose from */
    ARM_SCAN,
    ARM_COMPACT,
    ARM_SEGMENTS,
    ARM_WINDOWS, /* of its own kernels, apart from all others */
    ARM_IMAGES,  /* likewise */
    ARM_HISTOGRAMS
} arm_kind;

/* One thing that is measured at every size. */
typedef struct arm {
    char name[80];
    char op[40];
    arm_kind kind;
    VkrType type;       /* of the elements */
    read_shape shape;   /* of a read or a copy */
    VkrReduceInfo info; /* of a reduction or sums of segments; of a read what its result equals */
    VkrScanInfo scan;
    compact_form form;
    uint32_t share; /* per cent that a compaction keeps, or of elements that start a run */
    window_shape window;
    image_shape image;
    histogram_shape histogram;
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    bool geometry;    /* a compaction by a geometry shader in place of the library */
    stream_step step; /* of the compaction, whose time is taken */
    bool sweep;       /* it is only measured at the size of sweeps (streams.h) */
    bool gpu_count;
    bool storage_only; /* without the data's texels */
    bool separate;     /* one reduction per operator, in one recording */
    /* While it runs: */
    VkDeviceSize slot;  /* of its results in the output */
    uint32_t groups;    /* of a bare kernel, at this size */
    uint32_t intervals; /* between timestamps, of a step */
    VkPipeline pipeline;
    VkrRecorder recorder;
    VkrReduceResult results[VKR_OP_BITS]; /* offsets from the slot */
    VkCommandBuffer commands;
    double spent;  /* ns, over all sizes */
    double per_ns; /* of the last size: a run's ns per element */
} arm;

/* Whether the filters select an arm. */
bool arm_wanted(const settings *s, const arm *a);

/* Fails with a sentence where a filter selects nothing. */
int arms_check_filters(const settings *s, const arm *arms, uint32_t count);

/* Creates all arms that the filters select, and the reads in any case; NULL: out of memory. */
arm *arms_create(const settings *s, const gpu *g, uint32_t *count);

/* ---- rows ---- */

/* What times are compared with: the best at the same size of */
enum {
    RATIO_READ,    /* the bare reads of the same kind */
    RATIO_STORAGE, /* those of them that read a storage buffer */
    RATIO_COPY,    /* the bare copies */
    RATIO_FLAT,    /* with --segments, the sums of all elements of the same type and loads */
    RATIOS,
    RATIO_ROGER = RATIO_FLAT, /* of streams: `roger` with its defaults, of the same share */
    RATIO_NAIVE = RATIO_READ, /* of windows: the naive form */
    RATIO_FETCH = RATIO_READ, /* of images: the bare kernel, for pyramids the chain of blits */
    RATIO_PLAIN = RATIO_READ, /* of histograms: the bare kernel on the same elements */
};

typedef enum verdict {
    VERDICT_NONE, /* nothing to verify */
    VERDICT_YES,
    VERDICT_NO,
    VERDICT_UNSUPPORTED, /* not measured: the library said why on stderr */
    VERDICT_BUDGET,      /* not measured: it would take too long */
    VERDICT_BEYOND,      /* not measured: what it needs does not reach so far */
    VERDICT_MISFIT,      /* not measured: the elements make no such segments */
    VERDICT_ELSEWHERE    /* not measured and not reported: another size is what it is for */
} verdict;

/* An arm at a size. */
typedef struct row {
    const arm *arm;
    uint64_t n;
    verdict verdict;
    double bytes;     /* read and written; of a compaction known once it is verified */
    double device_ns; /* medians; 0: the queue has no timestamps */
    double submit_ns;
    double least_ns; /* of all runs: the one that other work disturbed least */
    double cpu_ns;   /* medians of the time of all cores in this process; 0: the device is no CPU */
    double ratios[RATIOS]; /* of the yardstick's time to this one's; 0: unknown */
    double device[MAX_RUNS];
    double submit[MAX_RUNS];
    double cpu[MAX_RUNS];
} row;

/* Whether an arm writes to `copy`. */
static inline bool is_move(const arm *a)
{
    return a->kind == ARM_COPY || (a->kind >= ARM_SCAN && a->kind <= ARM_SEGMENTS);
}

/* Whether an arm is an operation of the library, which takes a recorder. */
static inline bool is_operation(const arm *a)
{
    return a->kind >= ARM_REDUCE && !a->geometry;
}

static inline bool row_measured(const row *r)
{
    return r->verdict <= VERDICT_NO;
}

/* The time that ratios and GB/s are computed from. */
static inline double row_ns(const row *r)
{
    return r->device_ns > 0.0 ? r->device_ns : r->submit_ns;
}

/* ---- read.c ---- */

#define READ_WINDOWS 8u    /* at most */
#define READ_GROUPS 16384u /* of all windows at most; each leaves two words */
#define SLOT_SIZE (8u * READ_GROUPS)

/* The bare kernels, over windows of the data that a descriptor reaches. */
typedef struct reader {
    VkDeviceSize window; /* bytes */
    uint32_t window_count;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[READ_WINDOWS];
} reader;

/* Where the bare kernels read and write. */
typedef struct reader_buffers {
    const gpu_buffer *data, *output, *copy;
    const gpu_buffer *any; /* with texels, for where the data is too large to have them */
} reader_buffers;

/* The bytes that the windows of a device can cover. */
uint64_t reader_reach(const gpu *g);

/* Whether a device can make loads of a form. */
bool reader_has(const gpu *g, load_form form);

/* reader_close may follow a failed reader_open. */
int reader_open(reader *r, const gpu *g, const reader_buffers *buffers);
void reader_close(reader *r, const gpu *g);
int reader_pipeline(const reader *r, const gpu *g, const read_shape *shape, VkPipeline *pipeline);

/* Records a bare kernel that writes to the arm's slot, and sets arm->groups. */
void reader_record(const reader *r, arm *a, uint64_t n);

/* ---- moves.c: what scans and compactions read beside the data, and where they write ---- */

typedef struct moves {
    gpu_buffer flags;   /* a u8 per element: COMPACT_FLAGS */
    gpu_buffer runs;    /* sorted u32: COMPACT_UNIQUE, COMPACT_LENGTHS */
    gpu_buffer payload; /* the data, over and over: COMPACT_PAYLOAD */
    uint32_t *host_runs;
    unsigned char *mask; /* of the compaction at hand: 1 for what it keeps */
} moves;

typedef enum moved_kind {
    MOVED_KEPT,
    MOVED_INDICES,
    MOVED_REJECTED,
    MOVED_PAYLOAD,
    MOVED_LENGTHS,
    MOVED_KINDS
} moved_kind;

/* An output of a compaction. */
typedef struct moved_row {
    const char *name;
    uint32_t words; /* of an entry */
    size_t view;    /* in VkrCompactInfo; of a payload none */
} moved_row;

/* Its outputs lie one after the other in `copy`, and behind them its count of kept elements. */
typedef struct compact_row {
    const char *name;
    bool of_runs;     /* of sorted values; else of the data */
    uint32_t outputs; /* bits 1 << moved_kind */
    uint32_t read;    /* bytes of an element */
} compact_row;

extern const moved_row moved_rows[MOVED_KINDS];
extern const compact_row compact_rows[COMPACT_FORMS];

/* The limit above which a share of the random values lies. They are not negative, so their bits
 * have the same order. */
float share_limit(uint32_t share);

/* Writes the mask of an arm for n elements; returns how many it keeps. */
uint64_t moves_mask(const bench *b, const arm *a, uint64_t n);

/* The arms and the data must be there; moves_close may follow a failed moves_open. */
int moves_open(bench *b);
void moves_close(bench *b);

/* The bytes of the device's memory that are used besides the data: a quarter for outputs, an eighth
 * for each input. */
VkDeviceSize moves_room(const bench *b);

/* The offset in `copy` of output k of an arm, or of what follows the last one. */
VkDeviceSize moves_offset(const arm *a, uint64_t n, uint32_t kind);

/* The bytes of `copy` that an arm may write, and whether its memory is too small for that. */
VkDeviceSize moves_size(const arm *a, uint64_t n);
bool moves_beyond(const bench *b, const arm *a, uint64_t n);

/* Collect the arm's operation. */
VkrResult moves_scan(const bench *b, const arm *a, uint64_t n);
VkrResult moves_compact(const bench *b, const arm *a, uint64_t n);

/* ---- segments.c, verify_segments.c: sums of segments, which write to `copy` as well ---- */

typedef struct segments {
    gpu_buffer offsets;     /* of the size at hand */
    uint32_t *host_offsets; /* the same */
    uint64_t count;         /* segments between them */
} segments;

/* The arms must be there; segment_sums_close may follow a failed segment_sums_open. */
int segment_sums_open(bench *b);
void segment_sums_close(bench *b);

/* Makes the offsets of n elements. */
int segment_sums_prepare(bench *b, uint64_t n);

/* The number of sums that an arm leaves, and whether n elements make no such segments. */
uint64_t segment_sums_left(const arm *a, uint64_t n);
bool segment_sums_misfit(const arm *a, uint64_t n);

/* Collects the arm's operation. */
VkrResult segment_sums_collect(const bench *b, const arm *a, uint64_t n);

/* Whether all sums, which lie in `copied`, are right. */
bool segment_sums_verify(const bench *b, const arm *a, uint64_t n);

/* ---- windows.c, verify_windows.c: sums of every window of W elements, W at a time ---- */

#define WINDOW_GROUP 256u    /* invocations of a workgroup, as in windows.comp */
#define WINDOW_BATCHES 64u   /* windows of an invocation, from memory */
#define WINDOW_MADE 2048u    /* values of an invocation, made in registers */
#define WINDOW_HEAD 256u     /* bytes before the sums: as which a subgroup's size is left */
#define WINDOW_VALUES 2048u  /* the elements are whole numbers below: all sums are exact */
#define WINDOW_MAX_LANES 32u /* W at most */

typedef struct windows {
    uint32_t lanes;      /* W */
    uint32_t processors; /* multiprocessors, or cores */
    uint32_t most;       /* windows of a dispatch */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[WINDOW_TYPES];
    VkPipeline pipelines[WINDOW_TYPES][2][WINDOW_FORMS];
    gpu_buffer data[WINDOW_TYPES];
    uint32_t *values; /* the elements */
    uint32_t *sums;   /* what the arms must find: from memory, and behind it made in registers */
} windows;

extern const VkrType window_types[WINDOW_TYPES];

/* Measures sums of windows instead of all other arms. windows_close may follow a failed
 * windows_measure. */
int windows_measure(bench *b, FILE *json);
void windows_close(bench *b);

/* The number of sums that an arm leaves. */
uint32_t windows_left(const row *r);

/* Makes the elements and the sums; writes the elements as a type. */
bool windows_expect(windows *w);
void windows_write(const windows *w, uint32_t type, void *elements);

/* Compares what an arm left, which lies in `copied`. */
void windows_verify(const bench *b, row *r);

/* ---- images.h ---- */

typedef struct images images;

/* Measures what is made of images instead of all other arms. images_close may follow a failed
 * images_measure. */
int images_measure(bench *b, FILE *json);
void images_close(bench *b);

/* ---- histograms.h ---- */

/* Measures histograms instead of all other arms. histograms_close may follow a failed
 * histograms_measure. */
int histograms_measure(bench *b, FILE *json);
void histograms_close(bench *b);

/* ---- recordings.c, verify_recordings.c: what the host takes for long recordings ---- */

/* Measures long recordings instead of all arms. */
int recordings_measure(const bench *b, FILE *json);

/* ---- measure.c ---- */

struct bench {
    settings settings;
    gpu gpu;
    input in;            /* random f32 in [0, 1), which are also read as u32 */
    unsigned char *host; /* the same values */
    gpu_buffer data;
    gpu_buffer output; /* a slot of SLOT_SIZE per arm */
    gpu_buffer readback;
    gpu_buffer count;  /* for the arms with a count on the GPU */
    gpu_buffer copy;   /* where copies, scans and compactions go */
    gpu_buffer copied; /* what verifies them */
    moves moves;
    segments segments;
    windows windows;
    images *images;
    struct histograms *histograms;
    struct stream_steps *steps;
    struct geometry *geometry;
    gpu_buffer scratch; /* of all arms of --streams */
    reader reader;
    arm *arms;
    uint32_t arm_count;
    uint32_t *order; /* of the arms, in a run */
    row *rows;       /* of size s and arm a: s * arm_count + a */
};

double now_ns(void);

/* Sorts the values. */
double median(double *values, uint64_t count);

/* Times the rows of all arms, which are recorded, in turns. */
int measure_turns(bench *b, row *rows);

/* Runs an arm once more, over stale values, and leaves `copy` in `copied`. */
int measure_again(const bench *b, const arm *a, VkDeviceSize size);

/* Fills the rows of one size. */
int measure_size(bench *b, uint32_t size);

/* ---- ratios.c ---- */

/* Sets the ratios of all rows of a size that are measured. */
void compare_rows(const bench *b, row *rows);

/* ---- verify.c ---- */

/* Compares the results of the arms at one size, which lie in the readback buffer. */
void verify_rows(const bench *b, row *rows);

/* ---- verify_moves.c ---- */

/* Compares what a copy, a scan, a compaction or sums of segments left, which lies in `copied`, and
 * finds the bytes of a compaction. */
void verify_moved(const bench *b, row *r);

/* ---- report.c ---- */

void report_size(const bench *b, const row *rows);
void report_json(FILE *file, const bench *b, const row *rows);

/* Windows: all rows, and their ratios by load. */
void report_windows(const bench *b);

/* Images: all rows. */
void report_images(const bench *b);

/* Histograms: all rows. */
void report_histograms(const bench *b);

/* Ratios of all arms at all sizes. */
void report_ratios(const bench *b);

#endif
