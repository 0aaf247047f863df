/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of histograms: edges in exact arithmetic, then comparisons. */
#ifndef VKR_TESTS_ORACLE_HISTOGRAM_H
#define VKR_TESTS_ORACLE_HISTOGRAM_H

#include <stdbool.h>
#include "vkreduce/vkreduce.h"

/* The bins of one component. */
typedef struct oracle_bins_info {
    VkrBinKind kind;
    uint32_t count;
    bool closed;
    VkrType type; /* of what is counted: f32 of mapped elements */
    VkrBound low, high;
    /* Values of the type, in place of low and high: what the GPU's range holds. NULL: none. */
    const void *gpu_low, *gpu_high;
    const void *edges; /* of EDGES */
} oracle_bins_info;

typedef struct oracle_bins oracle_bins;

/* NULL: out of memory. */
oracle_bins *oracle_bins_make(const oracle_bins_info *info);
void oracle_bins_free(oracle_bins *bins);

/* The bin of a value; n: it is below all bins; n + 1: above; n + 2: NaN. */
uint32_t oracle_bins_find(const oracle_bins *bins, const void *value);

/* What an output of edges holds at k; NaN where there are no bins. */
double oracle_bins_edge(const oracle_bins *bins, uint32_t k);

/* Writes the value that lies `step` values of the type above the least one at or above edge k, or
 * the type's first or last one. There must be bins. */
void oracle_bins_near(const oracle_bins *bins, uint32_t k, int step, void *value);

/* What a weight adds, modulo 2^64. */
uint64_t oracle_weight(VkrType type, uint32_t fraction, const void *weight);

/* A value of a float type, exactly; and the nearest value of a float type, ties to even. */
double oracle_double(VkrType type, const void *value);
void oracle_encode(VkrType type, double number, void *value);

#endif
