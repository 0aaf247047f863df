/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of scans. */
#ifndef VKR_TESTS_ORACLE_SCAN_H
#define VKR_TESTS_ORACLE_SCAN_H

#include "oracle.h"

/* The input of a scan, in host memory. Element i starts at data + i * stride. */
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
    const void *offsets; /* offset_count of them, for SEGMENTS_OFFSETS */
    VkrType offset_type;
    uint64_t offset_count;
} oracle_scan_info;

/* The expected values of one component: one per element, then the total, count + 1 in all. Level
 * DEVICE is exact bit for bit, as in oracle_reduce. Returns false if out of memory. */
bool oracle_scan(const oracle_scan_info *info, uint32_t component, VkrType result_type,
                 oracle_value *values);

/*
 * The same for data that arrives in portions, in the order of the scan: the last one first if it is
 * reversed. `info` is copied, but not the memory it points to; its data, count, flags and offsets
 * are ignored. NULL means out of memory. A portion has one byte of heads per element, nonzero where
 * a segment starts, and one more for the element that follows it, 1 if none follows; without
 * segments it has none. oracle_scan_end frees; without `total` it only frees, and it ignores NULL.
 */
typedef struct oracle_prefixes oracle_prefixes;
oracle_prefixes *oracle_scan_begin(const oracle_scan_info *info, uint32_t component,
                                   VkrType result_type);
void oracle_scan_add(oracle_prefixes *prefixes, const void *data, const unsigned char *heads,
                     uint64_t count, oracle_value *values);
void oracle_scan_end(oracle_prefixes *prefixes, oracle_value *total);

#endif
