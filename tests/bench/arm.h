/* SPDX-License-Identifier: MIT */
/* Arms: the operations that are measured. */
#ifndef BENCH_ARM_H
#define BENCH_ARM_H

#include "device/gpu.h"
#include "settings.h"
#include "shapes.h"

typedef enum arm_kind {
    ARM_EMPTY, /* nothing between the timestamps */
    ARM_READ,
    ARM_COPY,
    ARM_REDUCE, /* starting here, filters select arms */
    ARM_SCAN,
    ARM_COMPACT,
    ARM_SEGMENTS,
    ARM_WINDOWS, /* kernels of the benchmark */
    ARM_IMAGES,
    ARM_HISTOGRAMS,
    ARM_ORDERED
} arm_kind;

/* One operation, at every size or at one. */
typedef struct arm {
    char name[80];
    char op[40];
    arm_kind kind;
    VkrType type;     /* of the elements */
    read_shape shape; /* of a read or a copy */
    /* The reduction, also of segments; for a read: one with the same result; for an image: only its
     * operators. */
    VkrReduceInfo info;
    VkrScanInfo scan;
    compact_form form;
    uint32_t share; /* percentage of elements that a compaction keeps, or that start a run */
    window_shape window;
    image_shape image;
    histogram_shape histogram;
    ordered_shape ordered;
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    bool geometry;    /* a geometry shader compacts instead of the library */
    stream_step step; /* the step of the compaction that is timed */
    bool sweep;       /* measured only at the size of sweeps (streams.h) */
    bool gpu_count;
    bool storage_only; /* the data is given without texels */
    bool separate;     /* one reduction per operator in one recording */
    /* State while it runs: */
    VkDeviceSize slot;   /* offset of its results in `output` */
    VkDeviceSize size;   /* bytes that an image's arm writes .. */
    VkDeviceSize stride; /* .. and the distance between the results of tiles */
    uint32_t groups;     /* workgroups of a bare kernel at this size */
    uint32_t intervals;  /* number of pairs of timestamps around a step */
    VkPipeline pipeline;
    VkrRecorder recorder;
    VkrReduceResult results[VKR_OP_BITS]; /* offsets relative to the slot or to a tile's results */
    VkrHost host;
    VkCommandBuffer commands; /* the host's */
    double spent;             /* ns of all timed runs so far */
    double per_ns;            /* a run's ns per element at the last size */
} arm;

/* Whether an arm is a copy, a scan, a compaction or a sum of segments, which write to `copy`. */
static inline bool is_move(const arm *a)
{
    return a->kind == ARM_COPY || (a->kind >= ARM_SCAN && a->kind <= ARM_SEGMENTS);
}

/* Whether an arm is an operation of the library, which needs a recorder. */
static inline bool is_operation(const arm *a)
{
    return a->kind >= ARM_REDUCE && a->kind != ARM_WINDOWS && !a->geometry;
}

/* Creates the bare reads and all other arms that the filters select. Returns NULL if out of
 * memory. */
arm *arms_create(const settings *s, const gpu *g, uint32_t *count);

/* ---- filters.c ---- */

/* Whether the filters select an arm. */
bool arm_wanted(const settings *s, const arm *a);

/* Returns an error, with a message, if a filter selects nothing. */
int arms_check_filters(const settings *s, const arm *arms, uint32_t count);

#endif
