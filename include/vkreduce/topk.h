/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/topk.h: the k greatest or least elements, of all elements or of each row.
 *
 * Elements are ordered as by vkrCmdSort: -0 is below +0, and NaN, by their bits among themselves,
 * come last in both directions, so that they are found only where there are fewer than k numbers.
 * Elements that are found keep their bits. The result is the same on every device and in every run,
 * except that a caller can do without two of these promises:
 *
 *     which elements   exactly the first k of the order
 *     ties             of equal elements those with the smallest indices
 *                      (VKR_TOP_K_ANY_TIES_BIT: any of them)
 *     order            as a stable sort gives it (VKR_TOP_K_UNSORTED_BIT: any)
 *
 * Source: radix select, as in T. Alabi, J. Blanchard, B. Gordon, R. Steinbach, "Fast k-selection
 * Algorithms for Graphics Processing Units" (2012). Elements are counted by one digit of their keys
 * after the other, starting with the highest; no workgroup ever waits for another.
 */
#ifndef VKREDUCE_TOPK_H
#define VKREDUCE_TOPK_H

#include "compact.h"
#include "core.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_MAX_TOP_K 65536u

typedef enum VkrTopKFlagBits {
    VKR_TOP_K_LEAST_BIT = 1 << 0, /* the least elements instead of the greatest ones */
    VKR_TOP_K_ANY_TIES_BIT = 1 << 1,
    VKR_TOP_K_UNSORTED_BIT = 1 << 2,
    VKR_TOP_K_BY_VALUE_BIT = 1 << 3, /* -0 equals +0, and all NaN are equal (sort.h) */
    VKR_TOP_K_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrTopKFlagBits;

/* Each output has room for k entries of each segment, which lie beside each other, except that
 * those of COLUMNS are columns again: entry j of column i is entry j * length + i. Where a segment
 * has fewer elements, the entries after these are not written. At least one output is given.
 * Outputs do not overlap each other or an input. The k entries of a segment, or all of its elements
 * if these are fewer, must fit maxStorageBufferRange. Inputs or outputs of which a kernel needs
 * more than 16,384 dispatches (131,072 pairs of a window of segments and one of elements) are
 * VKR_ERROR_UNSUPPORTED. */
typedef struct VkrTopKInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrTopKFlagBits */
    VkrView input;     /* of one component; with a map, its results are the elements */
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `input`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    uint32_t k;             /* 1 to VKR_MAX_TOP_K */
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    /* NONE; ROWS, which may lie apart, and the last of which may be shorter; COLUMNS; or OFFSETS,
     * which mean what they mean in a reduction, with segments.gpuCount. By offsets, one descriptor
     * must reach the input, and one must reach a list of k words for each segment. Columns are
     * copied to scratch, as rows; `found` and gpuCount do not go together then. */
    VkrSegments segments;
    VkrView values;  /* optional: the elements; UNDEFINED and 0 for the input's type */
    VkrView indices; /* optional: U32; with segments they count from the start of the segment */
    uint32_t payloadCount;      /* at most VKR_MAX_SORT_PAYLOADS (sort.h) */
    const VkrPayload *payloads; /* compact.h; `rejected` is VK_FALSE */
    VkrBufferRange found; /* optional: u32, how many entries each segment has: k, or all elements of
                           * the segment if that is less */
    VkrBufferRange wanted; /* optional, for OFFSETS: u32, at most how many entries each segment has,
                            * perhaps 0; those above k count as k */
} VkrTopKInfo;

/* Collects a selection; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdTopK(VkrRecorder recorder, const VkrTopKInfo *info);

#ifdef __cplusplus
}
#endif

#endif
