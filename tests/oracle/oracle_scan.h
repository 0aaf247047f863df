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

/*
 * The same of data that comes in portions, in the order of the scan: the last one first where it is
 * reversed. `info` is copied, but not what it points to; its data, count, flags and offsets are not
 * looked at. NULL: out of memory. A portion has a byte of heads for each of its elements, not 0
 * where a segment starts, and one for what stands behind it, 1 where nothing does; without segments
 * it needs none. oracle_scan_end frees; without `total` it does no more, and NULL is ignored.
 */
typedef struct oracle_prefixes oracle_prefixes;
oracle_prefixes *oracle_scan_begin(const oracle_scan_info *info, uint32_t component,
                                   VkrType result_type);
void oracle_scan_add(oracle_prefixes *prefixes, const void *data, const unsigned char *heads,
                     uint64_t count, oracle_value *values);
void oracle_scan_end(oracle_prefixes *prefixes, oracle_value *total);

#endif
