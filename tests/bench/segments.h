/* SPDX-License-Identifier: MIT */
/* Sums of segments, which are also written to `copy`. */
#ifndef BENCH_SEGMENTS_H
#define BENCH_SEGMENTS_H

#include "state.h"

struct segments {
    VkrHostMemory offsets;  /* of the segments of the current size */
    uint32_t *host_offsets; /* the same */
    uint64_t count;         /* number of segments */
};

/* The arms must exist; segment_sums_close may follow a failure. */
int segment_sums_open(bench *b);
void segment_sums_close(bench *b);

/* Writes the offsets for n elements. */
int segment_sums_prepare(bench *b, uint64_t n);

/* The number of sums that an arm writes, and whether n elements cannot form such segments. */
uint64_t segment_sums_count(const arm *a, uint64_t n);
bool segment_sums_misfit(const arm *a, uint64_t n);

/* Hands the arm's operation to its recorder. */
VkrResult segment_sums_collect(const bench *b, const arm *a, uint64_t n);

/* ---- verify_segments.c ---- */

/* Whether all sums in `copied` are correct. */
bool segment_sums_verify(const bench *b, const arm *a, uint64_t n);

#endif
