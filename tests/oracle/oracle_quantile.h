/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of quantiles: shares, sums and values in exact arithmetic. */
#ifndef VKR_TESTS_ORACLE_QUANTILE_H
#define VKR_TESTS_ORACLE_QUANTILE_H

#include <stdbool.h>
#include <stdint.h>

/* The histogram of one component. The sum of its counts is below 2^64. */
typedef struct oracle_quantile_info {
    uint32_t bins;
    const uint64_t *counts;
    const double *edges; /* bins + 1 edges */
    bool is_f64;         /* edges and values are f64; otherwise f32 */
} oracle_quantile_info;

/* The value below which the share lies; NaN if the counts are all 0. */
double oracle_quantile(const oracle_quantile_info *info, double share);

/* The mean between two shares, which vkrCmdQuantile approximates; NaN if the counts are all 0.
 * Edges are finite. */
double oracle_trimmed_mean(const oracle_quantile_info *info, const double trim[2]);

/* The maximum error of the trimmed mean of a device. */
double oracle_trimmed_mean_error(const oracle_quantile_info *info);

#endif
