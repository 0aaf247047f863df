/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/bounds.h: binary search of many values in sorted data, and the first element that passes
 * a test.
 *
 * The lower bound of a value is the number of elements that come before it in the order of
 * vkrCmdSort, and the upper bound is the number of those that do not come after it: the positions
 * at which the value can be inserted, before and after its equals. All NaN are equal here, in
 * whatever order they lie in the data. Each value is found by about
 * log2(count) reads; neighbouring values that are sorted, too, read the same memory.
 */
#ifndef VKREDUCE_BOUNDS_H
#define VKREDUCE_BOUNDS_H

#include "compact.h"
#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrBoundsFlagBits {
    VKR_BOUNDS_DESCENDING_BIT = 1 << 0, /* the data are sorted with VKR_SORT_DESCENDING_BIT */
    VKR_BOUNDS_NAN_FIRST_BIT = 1 << 1,  /* and with VKR_SORT_NAN_FIRST_BIT */
    VKR_BOUNDS_BY_VALUE_BIT = 1 << 2,   /* and with VKR_SORT_BY_VALUE_BIT: -0 equals +0 */
    VKR_BOUNDS_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrBoundsFlagBits;

/* At least one output is given. Outputs hold an entry for each value, and do not overlap each other
 * or an input; entries at or past the GPU's number of values are not written. If the elements are
 * not sorted, the results are not defined, but are at most the count. Beyond
 * maxStorageBufferRange there is a dispatch for each window of the values and each one of the
 * elements; a search that needs more than 131,072 dispatches is VKR_ERROR_UNSUPPORTED. */
typedef struct VkrBoundsInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrBoundsFlagBits */
    VkrView sorted;    /* of one component; or an image or a map, as in VkrReduceInfo */
    uint64_t count;    /* of sorted elements; VKR_COUNT_ALL is all of them */
    VkrGpuCount gpuCount;
    VkrView values;      /* of the same type and one component; likewise */
    uint64_t valueCount; /* VKR_COUNT_ALL is all of them */
    VkrGpuCount gpuValueCount;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    /* Optional; U32 or U64; UNDEFINED: U32, or U64 where the count can reach 2^32. */
    VkrView lower;
    VkrView upper;
} VkrBoundsInfo;

/* Collects a search; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdBounds(VkrRecorder recorder, const VkrBoundsInfo *info);

/* The first element that passes the test of a compaction. UNIQUE passes element 0, unless it is
 * negated. */
typedef struct VkrFindInfo {
    const char *label; /* optional */
    VkrView input;     /* as in VkrCompactInfo */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrPredicate predicate;
    /* Receives the smallest index, as a u32, or as a u64 where the count can reach 2^32; ~0 if no
     * element passes. The offset is a multiple of 4, and no input overlaps it. */
    VkrBufferRange index;
} VkrFindInfo;

/* Collects a search; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdFind(VkrRecorder recorder, const VkrFindInfo *info);

#ifdef __cplusplus
}
#endif

#endif
