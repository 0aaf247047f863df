/* SPDX-License-Identifier: MIT */
/* Shared declarations of the benchmark. The runner provides devices, memory, submits and errors. */
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
#define STALE 0xa5a5a5a5u /* results must overwrite it */

typedef struct bench bench;

/* ---- options.c ---- */

typedef struct settings {
    const char *device;
    const char *json; /* file, or NULL */
    bool help;
    bool quick;
    bool all_reads;  /* also the bare kernels of other device classes */
    bool windows;    /* only sums of windows */
    bool segments;   /* only sums of segments, in place of scans and all others */
    bool recordings; /* only the host's time for long recordings */
    bool images;     /* only reductions, tiles and pyramids of images */
    bool histograms; /* only histograms */
    bool streams;    /* only stream reduction in every form, in place of scans and all others */
    bool all_sizes;  /* no sizes are given: the usual ones */
    uint64_t runs;
    uint64_t warm_ups; /* runs that do not count */
    uint64_t budget;   /* seconds per arm over all sizes */
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

/* The form of a load, with the numbers of read.comp. */
typedef enum load_form {
    LOAD_SCALAR,
    LOAD_VEC4,
    LOAD_U64X4,
    LOAD_TEXEL, /* from an RGBA32_UINT texel buffer; the other forms read storage buffers */
    LOAD_FORMS
} load_form;

/* With the numbers of read.comp: the xor of all words, min and max as f32 or i32, or a copy. */
typedef enum read_kind { READ_XOR, READ_F32, READ_I32, READ_COPY, READ_KINDS } read_kind;

/* A bare kernel. */
typedef struct read_shape {
    read_kind kind;
    load_form form;
    bool chunked;       /* adjacent loads belong to one lane; otherwise to neighbouring lanes */
    uint32_t workgroup; /* 0: a subgroup */
    uint32_t flight;    /* loads in flight per lane before the first is used: 1 to 32 */
    uint32_t share;     /* bytes per lane before more workgroups are added; 0: a flight */
    uint32_t groups;    /* maximum, 0: READ_GROUPS; beyond it shares grow */
} read_shape;

/* The input and outputs of a compaction. */
typedef enum compact_form {
    COMPACT_KEPT,
    COMPACT_INDICES,   /* kept elements and indices */
    COMPACT_PARTITION, /* kept and rejected elements */
    COMPACT_FLAGS,     /* an array of u8 selects the kept elements */
    COMPACT_PAYLOAD,   /* 16 bytes per element instead of the elements */
    COMPACT_UNIQUE,    /* sorted values */
    COMPACT_LENGTHS,   /* sorted values; also run lengths */
    COMPACT_FORMS
} compact_form;

/* A form of multi-reduction; see windows.comp. */
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
    uint32_t type; /* index into window_types */
    bool made;     /* values are made in registers; otherwise they are loaded from memory */
    window_form form;
    uint32_t load; /* workgroups per multiprocessor */
} window_shape;

/* An operation on an image. */
typedef enum image_work {
    IMAGE_FETCH,
    IMAGE_FETCH_CHUNK, /* a lane's texels are adjacent */
    IMAGE_BLIT,        /* a chain of blits with linear filtering */
    IMAGE_REDUCE,      /* starting here: operations of the library */
    IMAGE_TILES,
    IMAGE_PYRAMID
} image_work;

typedef struct image_shape {
    image_work work;
    uint32_t picture; /* index of the picture that is read */
    VkrPyramidAlgorithm algorithm;
} image_shape;

/* A histogram. */
typedef struct histogram_shape {
    uint32_t of;   /* index into histogram_cases */
    uint32_t size; /* index into the sizes of settings */
    VkrHistogramAlgorithm algorithm;
    bool plain; /* the bare kernel instead of the library */
} histogram_shape;

/* A step of stream reduction by blocks. */
typedef enum stream_step {
    STEP_ALL, /* no step: the whole recording */
    STEP_MARKS,
    STEP_SUMS, /* sums within blocks */
    STEP_SEARCH,
    STEP_TOTALS, /* the sums of the blocks' totals */
    STEP_CONCATENATION,
    STEP_COUNT, /* the number of kept elements, by a dispatch of one invocation */
    STREAM_STEPS
} stream_step;

typedef enum arm_kind {
    ARM_EMPTY, /* nothing between the timestamps */
    ARM_READ,
    ARM_COPY,
    ARM_REDUCE, /* starting here: operations of the library, which filters select */
    ARM_SCAN,
    ARM_COMPACT,
    ARM_SEGMENTS,
    ARM_WINDOWS, /* own kernels, separate from all others */
    ARM_IMAGES,  /* likewise */
    ARM_HISTOGRAMS
} arm_kind;

/* One operation that is measured at every size. */
typedef struct arm {
    char name[80];
    char op[40];
    arm_kind kind;
    VkrType type;       /* of the elements */
    read_shape shape;   /* of a read or a copy */
    VkrReduceInfo info; /* of a reduction or sums of segments; for a read: one with equal result */
    VkrScanInfo scan;
    compact_form form;
    uint32_t share; /* percentage of elements that a compaction keeps, or that start a run */
    window_shape window;
    image_shape image;
    histogram_shape histogram;
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    bool geometry;    /* a geometry shader compacts instead of the library */
    stream_step step; /* the step of the compaction that is timed */
    bool sweep;       /* measured only at the size of sweeps (streams.h) */
    bool gpu_count;
    bool storage_only; /* the data is given without texels */
    bool separate;     /* one reduction per operator in one recording */
    /* State while it runs: */
    VkDeviceSize slot;  /* offset of its results in the output */
    uint32_t groups;    /* of a bare kernel at this size */
    uint32_t intervals; /* number of pairs of timestamps around a step */
    VkPipeline pipeline;
    VkrRecorder recorder;
    VkrReduceResult results[VKR_OP_BITS]; /* offsets relative to the slot */
    VkCommandBuffer commands;
    double spent;  /* ns, summed over all sizes */
    double per_ns; /* a run's ns per element at the last size */
} arm;

/* Whether the filters select an arm. */
bool arm_wanted(const settings *s, const arm *a);

/* Returns an error, with a message, if a filter selects nothing. */
int arms_check_filters(const settings *s, const arm *arms, uint32_t count);

/* Creates all arms that the filters select, and always the reads. Returns NULL if out of memory. */
arm *arms_create(const settings *s, const gpu *g, uint32_t *count);

/* ---- rows ---- */

/* The yardsticks: each ratio refers to the best time, at the same size, of */
enum {
    RATIO_READ,    /* the bare reads of the same kind */
    RATIO_STORAGE, /* those of them that read a storage buffer */
    RATIO_COPY,    /* the bare copies */
    RATIO_FLAT,    /* with --segments: the sums of all elements with the same type and loads */
    RATIOS,
    RATIO_ROGER = RATIO_FLAT, /* of streams: `roger` with its defaults and the same share */
    RATIO_NAIVE = RATIO_READ, /* of windows: the naive form */
    RATIO_FETCH = RATIO_READ, /* of images: the bare kernel; of pyramids the chain of blits */
    RATIO_PLAIN = RATIO_READ, /* of histograms: the bare kernel on the same elements */
};

typedef enum verdict {
    VERDICT_NONE, /* nothing to verify */
    VERDICT_YES,
    VERDICT_NO,
    VERDICT_UNSUPPORTED, /* not measured: the library printed the reason to stderr */
    VERDICT_BUDGET,      /* not measured: it would take too long */
    VERDICT_BEYOND,      /* not measured: the size exceeds a limit of its resources */
    VERDICT_MISFIT,      /* not measured: the size does not divide into such segments */
    VERDICT_ELSEWHERE    /* not measured and not reported: the arm is for another size */
} verdict;

/* An arm at a size. */
typedef struct row {
    const arm *arm;
    uint64_t n;
    verdict verdict;
    double bytes;     /* read and written; of a compaction known only after verification */
    double device_ns; /* medians; 0: the queue has no timestamps */
    double submit_ns;
    double least_ns;       /* minimum of all runs, the one least disturbed by other work */
    double cpu_ns;         /* medians of the time of all cores in this process; 0: not a CPU */
    double ratios[RATIOS]; /* the yardstick's time divided by this one's; 0: unknown */
    double device[MAX_RUNS];
    double submit[MAX_RUNS];
    double cpu[MAX_RUNS];
} row;

/* Whether an arm writes to `copy`. */
static inline bool is_move(const arm *a)
{
    return a->kind == ARM_COPY || (a->kind >= ARM_SCAN && a->kind <= ARM_SEGMENTS);
}

/* Whether an arm is an operation of the library, which needs a recorder. */
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

#define READ_WINDOWS 8u    /* maximum */
#define READ_GROUPS 16384u /* maximum over all windows; each group writes two words */
#define SLOT_SIZE (8u * READ_GROUPS)

/* The bare kernels. They read the data through windows no larger than a descriptor's range. */
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
    const gpu_buffer *any; /* with texels, for data too large to have its own */
} reader_buffers;

/* The maximum number of bytes that the windows of a device cover. */
uint64_t reader_reach(const gpu *g);

/* Whether a device supports loads of a form. */
bool reader_has(const gpu *g, load_form form);

/* reader_close may follow a failed reader_open. */
int reader_open(reader *r, const gpu *g, const reader_buffers *buffers);
void reader_close(reader *r, const gpu *g);
int reader_pipeline(const reader *r, const gpu *g, const read_shape *shape, VkPipeline *pipeline);

/* Records a bare kernel that writes to the arm's slot, and sets arm->groups. */
void reader_record(const reader *r, arm *a, uint64_t n);

/* ---- moves.c: inputs of scans and compactions besides the data, and their outputs ---- */

typedef struct moves {
    gpu_buffer flags;   /* a u8 per element: COMPACT_FLAGS */
    gpu_buffer runs;    /* sorted u32: COMPACT_UNIQUE, COMPACT_LENGTHS */
    gpu_buffer payload; /* the data, repeated: COMPACT_PAYLOAD */
    uint32_t *host_runs;
    unsigned char *mask; /* of the current compaction: 1 for kept elements */
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
    uint32_t words; /* words per entry */
    size_t view;    /* offset in VkrCompactInfo; a payload has none */
} moved_row;

/* Its outputs lie one after the other in `copy`, followed by its count of kept elements. */
typedef struct compact_row {
    const char *name;
    bool of_runs;     /* the input is the sorted values; otherwise the data */
    uint32_t outputs; /* bits 1 << moved_kind */
    uint32_t read;    /* bytes read per element */
} compact_row;

extern const moved_row moved_rows[MOVED_KINDS];
extern const compact_row compact_rows[COMPACT_FORMS];

/* The limit above which `share` per cent of the random values lie. They are not negative, so their
 * bits have the same order. */
float share_limit(uint32_t share);

/* Writes the mask of an arm for n elements; returns how many it keeps. */
uint64_t moves_mask(const bench *b, const arm *a, uint64_t n);

/* The arms and the data must exist; moves_close may follow a failed moves_open. */
int moves_open(bench *b);
void moves_close(bench *b);

/* The bytes of device memory used besides the data: a quarter for outputs, an eighth for each
 * input. */
VkDeviceSize moves_room(const bench *b);

/* The offset in `copy` of output k of an arm, or of the end of the last one. */
VkDeviceSize moves_offset(const arm *a, uint64_t n, uint32_t kind);

/* moves_size: the bytes of `copy` that an arm may write. Then whether its memory is too small for
 * them. */
VkDeviceSize moves_size(const arm *a, uint64_t n);
bool moves_beyond(const bench *b, const arm *a, uint64_t n);

/* Record the arm's operation. */
VkrResult moves_scan(const bench *b, const arm *a, uint64_t n);
VkrResult moves_compact(const bench *b, const arm *a, uint64_t n);

/* ---- segments.c, verify_segments.c: sums of segments, also written to `copy` ---- */

typedef struct segments {
    gpu_buffer offsets;     /* for the current size */
    uint32_t *host_offsets; /* the same */
    uint64_t count;         /* segments between them */
} segments;

/* The arms must exist; segment_sums_close may follow a failed segment_sums_open. */
int segment_sums_open(bench *b);
void segment_sums_close(bench *b);

/* Writes the offsets for n elements. */
int segment_sums_prepare(bench *b, uint64_t n);

/* segment_sums_left: the number of sums that an arm writes. Then whether n elements cannot form
 * such segments. */
uint64_t segment_sums_left(const arm *a, uint64_t n);
bool segment_sums_misfit(const arm *a, uint64_t n);

/* Records the arm's operation. */
VkrResult segment_sums_collect(const bench *b, const arm *a, uint64_t n);

/* Whether all sums in `copied` are correct. */
bool segment_sums_verify(const bench *b, const arm *a, uint64_t n);

/* ---- windows.c, verify_windows.c: sums of every window of W elements, W at a time ---- */

#define WINDOW_GROUP 256u    /* invocations of a workgroup, as in windows.comp */
#define WINDOW_BATCHES 64u   /* windows per invocation, from memory */
#define WINDOW_MADE 2048u    /* values per invocation, made in registers */
#define WINDOW_HEAD 256u     /* bytes before the sums, which hold the subgroup size */
#define WINDOW_VALUES 2048u  /* elements are integers below it: all sums are exact */
#define WINDOW_MAX_LANES 32u /* maximum of W */

typedef struct windows {
    uint32_t lanes;      /* W */
    uint32_t processors; /* multiprocessors, or cores */
    uint32_t most;       /* windows per dispatch */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[WINDOW_TYPES];
    VkPipeline pipelines[WINDOW_TYPES][2][WINDOW_FORMS];
    gpu_buffer data[WINDOW_TYPES];
    uint32_t *values; /* the elements */
    uint32_t *sums;   /* expected sums: from memory, then made in registers */
} windows;

extern const VkrType window_types[WINDOW_TYPES];

/* Measures sums of windows instead of all other arms. windows_close may follow a failed
 * windows_measure. */
int windows_measure(bench *b, FILE *json);
void windows_close(bench *b);

/* The number of sums that an arm writes. */
uint32_t windows_left(const row *r);

/* windows_expect computes the elements and the sums; then the elements are written as a type. */
bool windows_expect(windows *w);
void windows_write(const windows *w, uint32_t type, void *elements);

/* Compares the sums of an arm in `copied`. */
void windows_verify(const bench *b, row *r);

/* ---- images.h ---- */

typedef struct images images;

/* Measures operations on images instead of all other arms. images_close may follow a failed
 * images_measure. */
int images_measure(bench *b, FILE *json);
void images_close(bench *b);

/* ---- histograms.h ---- */

/* Measures histograms instead of all other arms. histograms_close may follow a failed
 * histograms_measure. */
int histograms_measure(bench *b, FILE *json);
void histograms_close(bench *b);

/* ---- recordings.c, verify_recordings.c: the host's time for long recordings ---- */

/* Measures long recordings instead of all arms. */
int recordings_measure(const bench *b, FILE *json);

/* ---- measure.c ---- */

struct bench {
    settings settings;
    gpu gpu;
    input in;            /* random f32 in [0, 1), also read as u32 */
    unsigned char *host; /* the same values */
    gpu_buffer data;
    gpu_buffer output; /* a slot of SLOT_SIZE per arm */
    gpu_buffer readback;
    gpu_buffer count;  /* for the arms with a count on the GPU */
    gpu_buffer copy;   /* output of copies, scans and compactions */
    gpu_buffer copied; /* host copy of `copy`, for verification */
    moves moves;
    segments segments;
    windows windows;
    images *images;
    struct histograms *histograms;
    struct stream_steps *steps;
    struct geometry *geometry;
    gpu_buffer scratch; /* shared by all arms of --streams */
    reader reader;
    arm *arms;
    uint32_t arm_count;
    uint32_t *order; /* order of the arms in a run */
    row *rows;       /* row of size s and arm a: s * arm_count + a */
};

double now_ns(void);

/* The median; sorts the values. */
double median(double *values, uint64_t count);

/* Times the recorded rows of all arms in turn. */
int measure_turns(bench *b, row *rows);

/* Runs an arm once more, over stale values, and copies `copy` to `copied`. */
int measure_again(const bench *b, const arm *a, VkDeviceSize size);

/* Measures the rows of one size. */
int measure_size(bench *b, uint32_t size);

/* ---- ratios.c ---- */

/* Computes the ratios of all measured rows of a size. */
void compare_rows(const bench *b, row *rows);

/* ---- verify.c ---- */

/* Compares the results of the arms at one size in the readback buffer. */
void verify_rows(const bench *b, row *rows);

/* ---- verify_moves.c ---- */

/* Compares the outputs of a copy, a scan, a compaction or sums of segments in `copied`, and
 * computes the bytes of a compaction. */
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
