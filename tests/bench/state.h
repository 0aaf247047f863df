/* SPDX-License-Identifier: MIT */
/* The state of the benchmark. Each part that needs more has a struct of its own, which only the
 * part's header defines. */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "arm.h"
#include "device/gpu.h"
#include "row.h"

typedef struct bench {
    settings settings;
    gpu gpu;
    input in;               /* random f32 in [0, 1), also read as u32 */
    unsigned char *host;    /* the same values */
    VkrHostMemory data;     /* likewise */
    VkrHostMemory output;   /* a slot of SLOT_SIZE per arm */
    VkrHostMemory readback; /* host copy of `output` */
    VkrHostMemory count;    /* for the arms with a count on the GPU */
    VkrHostMemory copy;     /* output of copies, scans, compactions and the arms of modes */
    VkrHostMemory copied;   /* host copy of `copy`, for verification */
    VkrHostMemory scratch;  /* shared by all arms of --streams and --ordered */
    struct busy *busy;      /* NULL: neither the kernel nor the times of nothing are wanted */
    struct reader *reader;
    struct moves *moves;
    struct segments *segments;
    struct windows *windows;
    struct images *images;
    struct histograms *histograms;
    struct ordered *ordered;
    struct stream_steps *steps;
    struct geometry *geometry;
    arm *arms;
    uint32_t arm_count;
    uint32_t *order; /* order of the arms in a run */
    row *rows;       /* row of size s and arm a: s * arm_count + a */
} bench;

#endif
