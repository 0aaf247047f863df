/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/topk.h: the k greatest or least elements.
 *
 * Elements are ordered as by vkrCmdSort: NaN is beyond all numbers in both directions, so it is
 * found only if there are fewer than k numbers. Three promises can be made about the result; all
 * are, unless the caller asks for less:
 *
 *     which elements   exactly the first k of the order
 *     ties             of equal elements those with the smallest indices are found
 *                      (VKR_TOP_K_ANY_TIES_BIT: any of them)
 *     order            as a stable sort gives it (VKR_TOP_K_UNSORTED_BIT: any)
 *
 * Source: radix select, as in A. Alabi, J. Blanchard, B. Gordon, R. Steinbach, "Fast k-selection
 * Algorithms for Graphics Processing Units" (2012).
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
    VKR_TOP_K_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrTopKFlagBits;

/* The outputs hold k entries for each segment; where a segment has fewer elements, the entries
 * after them are not written. At least one output is given. They do not overlap each other or an
 * input. */
typedef struct VkrTopKInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrTopKFlagBits */
    VkrView input;     /* of one component; with a map, its results are the elements */
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `input`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    uint32_t k;             /* 1 to VKR_MAX_TOP_K */
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    VkrSegments segments;   /* NONE or ROWS, whose last one may be shorter */
    VkrView values;         /* optional: the elements; UNDEFINED and 0 for the input's type */
    VkrView indices;        /* optional: U32; with segments they count from the start of the segment */
    uint32_t payloadCount;  /* at most VKR_MAX_SORT_PAYLOADS (sort.h) */
    const VkrPayload *payloads; /* compact.h; `rejected` is not set */
    VkrBufferRange found; /* optional: u32, how many entries each segment has: k, or all elements of
                           * the segment if that is less */
} VkrTopKInfo;

/* Collects a selection; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdTopK(VkrRecorder recorder, const VkrTopKInfo *info);

#ifdef __cplusplus
}
#endif

#endif
