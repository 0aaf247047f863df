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
    VkrType type; /* of the counted values: f32 for mapped elements */
    VkrBound low, high;
    /* Values of the type that replace low and high: the contents of the GPU's range. NULL: none. */
    const void *gpu_low, *gpu_high;
    const void *edges; /* of EDGES */
} oracle_bins_info;

typedef struct oracle_bins oracle_bins;

/* Returns NULL if out of memory. */
oracle_bins *oracle_bins_make(const oracle_bins_info *info);
void oracle_bins_free(oracle_bins *bins);

/* The bin of a value, or n: below all bins; n + 1: above all bins; n + 2: NaN. */
uint32_t oracle_bins_find(const oracle_bins *bins, const void *value);

/* Element k of an output of edges; NaN if there are no bins. */
double oracle_bins_edge(const oracle_bins *bins, uint32_t k);

/* Finds the smallest value of the type at or above edge k, and writes the value `step` values above
 * it, or the type's first or last value. There must be bins. */
void oracle_bins_near(const oracle_bins *bins, uint32_t k, int step, void *value);

/* The amount that a weight adds, modulo 2^64. */
uint64_t oracle_weight(VkrType type, uint32_t fraction, const void *weight);

/* The exact value of a float of any type. */
double oracle_double(VkrType type, const void *value);
/* Writes the nearest value of a float type, ties to even. */
void oracle_encode(VkrType type, double number, void *value);

#endif
