/* SPDX-License-Identifier: MIT */
/* What the parts of the benchmark know of each other. Devices, memory, submits and failures are the
 * runner's. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include "bench.h"
#include "runner.h"

#define MAX_SIZES 32u
#define MAX_WORKGROUPS 16u
#define MAX_RUNS 99u
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- options.c ---- */

typedef struct settings {
    const char *device;
    const char *json; /* file, or NULL */
    bool help;
    bool quick;
    bool all_reads; /* the bare kernels of other devices too */
    uint64_t runs;
    uint64_t budget; /* seconds that an arm may take over all sizes */
    uint64_t sizes[MAX_SIZES];
    uint32_t size_count;
    uint64_t workgroups[MAX_WORKGROUPS]; /* of the reductions; 0: tuned */
    uint32_t workgroup_count;
    char **filters;
    uint32_t filter_count;
} settings;

/* The filters move to the front of argv. */
int settings_parse(settings *s, int argc, char **argv);

/* ---- arms.c ---- */

/* As in read.comp. */
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

typedef enum arm_kind {
    ARM_EMPTY, /* nothing between the timestamps */
    ARM_READ,
    ARM_COPY,
    ARM_REDUCE
} arm_kind;

/* One thing that is measured at every size. */
typedef struct arm {
    char name[80];
    char op[40];
    arm_kind kind;
    read_shape shape;   /* of a read or a copy */
    VkrReduceInfo info; /* of a reduction, and of a read what its result equals */
    bool gpu_count;
    bool storage_only; /* without the data's texels */
    bool separate;     /* one reduction per operator, in one recording */
    /* While it runs: */
    VkDeviceSize slot; /* of its results in the output */
    uint32_t groups;   /* of a bare kernel, at this size */
    VkPipeline pipeline;
    VkrRecorder recorder;
    VkrReduceResult results[VKR_OP_BITS]; /* offsets from the slot */
    VkCommandBuffer commands;
    double spent;  /* ns, over all sizes */
    double per_ns; /* of the last size: a run's ns per element */
} arm;

/* All that the filters let through, and the reads in any case; NULL without memory. */
arm *arms_create(const settings *s, const gpu *g, uint32_t *count);

/* ---- rows ---- */

/* What times are compared with: the best at the same size of */
enum {
    RATIO_READ,    /* the bare reads of the same kind */
    RATIO_STORAGE, /* those of them that read a storage buffer */
    RATIO_COPY,    /* the bare copies */
    RATIOS
};

typedef enum verdict {
    VERDICT_NONE, /* nothing to verify */
    VERDICT_YES,
    VERDICT_NO,
    VERDICT_UNSUPPORTED, /* not measured: the library said why on stderr */
    VERDICT_BUDGET,      /* not measured: it would take too long */
    VERDICT_BEYOND       /* not measured: what it needs does not reach so far */
} verdict;

/* An arm at a size. */
typedef struct row {
    const arm *arm;
    uint64_t n;
    verdict verdict;
    double device_ns; /* medians; 0: the queue has no timestamps */
    double submit_ns;
    double ratios[RATIOS]; /* of the yardstick's time to this one's; 0: unknown */
    double device[MAX_RUNS];
    double submit[MAX_RUNS];
} row;

static inline bool row_measured(const row *r)
{
    return r->verdict <= VERDICT_NO;
}

static inline double row_bytes(const row *r)
{
    return r->arm->kind == ARM_EMPTY ? 0.0 : (double)r->n * (r->arm->kind == ARM_COPY ? 8.0 : 4.0);
}

/* What counts in ratios and GB/s. */
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

/* Bytes that the windows of a device can cover. */
uint64_t reader_reach(const gpu *g);

/* Whether a device can make loads of a form. */
bool reader_has(const gpu *g, load_form form);

/* reader_close may follow a failed reader_open. */
int reader_open(reader *r, const gpu *g, const reader_buffers *buffers);
void reader_close(reader *r, const gpu *g);
int reader_pipeline(const reader *r, const gpu *g, const read_shape *shape, VkPipeline *pipeline);

/* Into the arm's slot; leaves arm->groups. */
void reader_record(const reader *r, arm *a, uint64_t n);

/* ---- measure.c ---- */

typedef struct bench {
    settings settings;
    gpu gpu;
    input in;            /* random f32 in [0, 1), which are also read as u32 */
    unsigned char *host; /* the same values */
    gpu_buffer data;
    gpu_buffer output; /* a slot of SLOT_SIZE per arm */
    gpu_buffer readback;
    gpu_buffer count;  /* for the arms with a count on the GPU */
    gpu_buffer copy;   /* where copies go */
    gpu_buffer copied; /* what verifies them */
    reader reader;
    arm *arms;
    uint32_t arm_count;
    uint32_t *order; /* of the arms, in a run */
    row *rows; /* of size s and arm a: s * arm_count + a */
} bench;

/* Fills the rows of one size. */
int measure_size(bench *b, uint32_t size);

/* ---- verify.c ---- */

/* Compares the results of the arms at one size, which lie in the readback buffer. */
void verify_rows(const bench *b, row *rows);

/* Compares what a copy left, which lies in `copied`. */
void verify_copy(const bench *b, row *r);

/* ---- report.c ---- */

void report_size(const bench *b, const row *rows);
void report_json(FILE *file, const bench *b, const row *rows);

/* Ratios of all arms at all sizes. */
void report_ratios(const bench *b);

#endif
