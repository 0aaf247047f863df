/* SPDX-License-Identifier: MIT */
/* Rows: what is known about an arm at a size. */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include "settings.h"

/* The yardsticks: each ratio refers to the best time, at the same size, of */
enum {
    RATIO_READ,    /* the bare reads of the same kind */
    RATIO_STORAGE, /* those of them that read a storage buffer */
    RATIO_COPY,    /* the bare copies */
    RATIO_FLAT,    /* with --segments: the sums of all elements with the same type and loads */
    RATIOS,
    RATIO_ROGER = RATIO_FLAT, /* with --streams: `roger` with its defaults and the same share */
    RATIO_NAIVE = RATIO_READ, /* with --windows: the naive form */
    RATIO_FETCH = RATIO_READ, /* with --images: the bare kernel; for pyramids the chain of blits */
    RATIO_PLAIN = RATIO_READ, /* with --histograms: the bare kernel on the same elements */
    RATIO_OTHER = RATIO_READ, /* with --ordered: the operation that the case names */
};

typedef enum verdict {
    VERDICT_NONE, /* measured; nothing to verify */
    VERDICT_YES,
    VERDICT_NO,
    VERDICT_UNSUPPORTED, /* not measured: the library or the device does not support it */
    VERDICT_BUDGET,      /* not measured: it would take too long */
    VERDICT_BEYOND,      /* not measured: the size exceeds a limit of its resources */
    VERDICT_MISFIT,      /* not measured: the size does not divide into such segments */
    VERDICT_ELSEWHERE,   /* not measured and not reported: the arm is for another size */
    VERDICT_CLOCK        /* refused, and not verified: the device's clock was low */
} verdict;

typedef struct row {
    const struct arm *arm;
    uint64_t n;
    verdict verdict;
    double bytes;          /* read and written; of a compaction known only after verification */
    double device_ns;      /* median; 0: the queue has no timestamps */
    double submit_ns;      /* median */
    double least_ns;       /* minimum of all runs: the run that other work disturbed least */
    double cpu_ns;         /* median of this process's time on all cores; 0: unknown */
    double empty_ns;       /* median time of nothing right after the runs; 0: unknown */
    double ratios[RATIOS]; /* the yardstick's time divided by this one's; 0: unknown */
    double device[MAX_RUNS];
    double submit[MAX_RUNS];
    double cpu[MAX_RUNS];
    double empty[MAX_RUNS];
} row;

static inline bool row_measured(const row *r)
{
    return r->verdict <= VERDICT_NO;
}

/* The time that ratios and GB/s are computed from. */
static inline double row_ns(const row *r)
{
    return r->device_ns > 0.0 ? r->device_ns : r->submit_ns;
}

#endif
