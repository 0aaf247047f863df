/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/merge.h: a stable merge of two sorted sequences.
 *
 * vkrCmdMerge writes the elements of `a` and of `b`, each of which is sorted in the order of
 * vkrCmdSort, as one sorted sequence. Of equal keys those of `a` come first, and each sequence
 * keeps its order, so the result is what a sort of `a` followed by `b` gives: the same on every
 * device and in every run. NaN, too, must lie in the order of sort.h, which compares their bits.
 *
 * If a sequence is not sorted, what the outputs hold is not defined, but nothing beside the inputs
 * is read, and nothing beside the outputs is written.
 *
 * Keys are read once and written once: a first dispatch finds by bisection which elements of each
 * sequence every share of the outputs has, and a second one merges the shares. Scratch has a word
 * for each share, some thousand outputs; and a word for each output, if there are payloads but no
 * `indices`, except for a single payload of 4 bytes, which moves with the keys.
 *
 * Where keys, outputs or that payload exceed maxStorageBufferRange, both sequences are cut into
 * windows, and there are two dispatches for each pair of a window of `a` and one of `b`, most of
 * which have no work, and as many for the places where a window ends in the other sequence. A merge
 * with more than 131,072 such pairs is VKR_ERROR_UNSUPPORTED.
 *
 * Source: S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made
 * Simple" (2012); O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012) for shares in shared
 * memory, which the invocations of a workgroup divide by a second bisection.
 */
#ifndef VKREDUCE_MERGE_H
#define VKREDUCE_MERGE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrMergeFlagBits {
    VKR_MERGE_DESCENDING_BIT = 1 << 0, /* both are sorted with VKR_SORT_DESCENDING_BIT */
    VKR_MERGE_NAN_FIRST_BIT = 1 << 1,  /* and with VKR_SORT_NAN_FIRST_BIT */
    VKR_MERGE_BY_VALUE_BIT = 1 << 2,   /* and with VKR_SORT_BY_VALUE_BIT */
    VKR_MERGE_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrMergeFlagBits;

/* One of the two sequences. Elements at or past the GPU's count are not read. */
typedef struct VkrMergeInput {
    VkrView keys;   /* of one component; or an image or a map, as in VkrSortInfo */
    uint64_t count; /* VKR_COUNT_ALL is all of `keys`, and 0 none */
    VkrGpuCount gpuCount;
} VkrMergeInput;

/* Two arrays whose entries move with the elements of `a` and of `b` to one output. Sizes are 1 to
 * 64 bytes. Offsets and strides are multiples of the entry's unit, as in VkrPayload (compact.h). A
 * range holds an entry for each element of its sequence, as far as the host knows; that of an empty
 * sequence may be empty. */
typedef struct VkrMergePayload {
    uint32_t size; /* bytes of an entry */
    VkrBufferRange a;
    VkDeviceSize aStride; /* 0: size */
    VkrBufferRange b;
    VkDeviceSize bStride;
    VkrBufferRange target;
    VkDeviceSize targetStride;
} VkrMergePayload;

#define VKR_MAX_MERGE_PAYLOADS 8u

/* At least one output is given: merged, indices or payloads. Outputs hold the sum of both counts,
 * as far as the host knows, and do not overlap each other or an input: a merge is never in place.
 * Elements of outputs at or past the sum of the GPU's counts are not written. */
typedef struct VkrMergeInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrMergeFlagBits */
    VkrMergeInput a;
    VkrMergeInput b; /* of the same type; the sum of both counts is below 2^32 */
    /* 0: chosen by the device; else a power of two: workgroups of this size then merge their shares
     * in shared memory. */
    uint32_t workgroupSize;
    VkrView merged; /* optional: the keys in order; UNDEFINED and 0 for those of the inputs */
    /* Optional: position i receives the index of the element that comes i-th (U32): i for that of
     * `a`, and a.count + i for that of `b`, whatever a.gpuCount is. */
    VkrView indices;
    uint32_t payloadCount; /* at most VKR_MAX_MERGE_PAYLOADS */
    const VkrMergePayload *payloads;
} VkrMergeInfo;

/* Collects a merge; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdMerge(VkrRecorder recorder, const VkrMergeInfo *info);

#ifdef __cplusplus
}
#endif

#endif
