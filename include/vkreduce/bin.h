/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/bin.h: counting sorts by a small key.
 *
 * vkrCmdBin puts elements into bins: an element whose key is b, below binCount, is in bin b. All
 * outputs list bins in ascending order, and the elements of a bin in the order of the input:
 *
 *     counts     how many elements each bin has
 *     offsets    where each bin starts in the lists below, and at the end the number of all
 *                elements that are in bins
 *     indices    the elements' indices
 *     payloads   arrays that move with the elements
 *
 * An element whose key is binCount or more is in no bin, so it is neither counted nor listed. All
 * outputs are the same on every device and in every run.
 *
 * Lists of lights, of rays, or of the particles of a cell are such bins: the elements of bin b are
 * those at offsets[b] up to offsets[b + 1].
 *
 * Keys, indices and payloads can exceed maxStorageBufferRange, as in sort.h.
 *
 * Source: H. Seward, "Information Sorting in the Application of Electronic Digital Computers to
 * Business Operations" (1954), for sorting by counts; steps as in sort.h, for as many bits as
 * binCount has.
 */
#ifndef VKREDUCE_BIN_H
#define VKREDUCE_BIN_H

#include "compact.h"
#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_MAX_BIN_COUNT 4096u

/* At least one output is given. Outputs do not overlap each other or an input. Entries of indices
 * and of targets at or past offsets[binCount] are not written; with no elements, all counts and
 * offsets are 0. */
typedef struct VkrBinInfo {
    const char *label; /* optional */
    /* U8, U16 or U32, of one component; with a map, which then holds a function, its results are
     * the keys. */
    VkrView keys;
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `keys`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    uint32_t binCount;      /* 1 to VKR_MAX_BIN_COUNT */
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    VkrBufferRange counts;  /* optional: binCount u32 */
    VkrBufferRange offsets; /* optional: binCount + 1 u32 */
    VkrView indices;        /* optional: U32, with room for `count` elements */
    uint32_t payloadCount;  /* at most VKR_MAX_SORT_PAYLOADS (sort.h) */
    /* Arrays that move with the elements (compact.h); targets have room for `count` entries, and
     * `rejected` is VK_FALSE. */
    const VkrPayload *payloads;
} VkrBinInfo;

/* Collects a counting sort; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdBin(VkrRecorder recorder, const VkrBinInfo *info);

#ifdef __cplusplus
}
#endif

#endif
