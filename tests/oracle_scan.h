/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of scans. */
#ifndef VKR_TESTS_ORACLE_SCAN_H
#define VKR_TESTS_ORACLE_SCAN_H

#include "oracle.h"

/* What a scan is asked to do, in host memory. Element i starts at data + i * stride. */
typedef struct oracle_scan_info {
    const void *data;
    size_t stride;
    uint64_t count;
    VkrType type;
    uint32_t components;
    VkrOp op;
    uint32_t flags; /* VkrScanFlagBits */
    VkrType accumulator;
    VkrNan nan;
    VkrDeterminism determinism;
    const void *initial; /* `components` values of the result type, or NULL */
    VkrSegmentKind segments;
    VkrFlagFormat flag_format;
    const void *heads; /* flags of SEGMENTS_FLAGS */
    uint64_t row_length;
    const void *offsets; /* of SEGMENTS_OFFSETS, as many as offset_count */
    VkrType offset_type;
    uint64_t offset_count;
} oracle_scan_info;

/* The expected values of one component: one for each element, and behind them the total, so
 * count + 1. As oracle_reduce has them: at level DEVICE bit for bit. False: out of memory. */
bool oracle_scan(const oracle_scan_info *info, uint32_t component, VkrType result_type,
                 oracle_value *values);

#endif
