/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/select.h: the elements of given ranks, such as the median, of all elements or of each
 * segment, without a sort.
 *
 * The element of rank r is the one that a stable sort of its segment would put at position r,
 * counted from 0: elements are ordered as by vkrCmdSort, with the same flags, and of equal elements
 * the one with the smaller index comes first. Values keep their bits. So results are exact, and the
 * same on every device and in every run.
 *
 * A rank is given as a number, by the host or in GPU memory, or as a share s of the segment: s is
 * rounded up to a multiple of 2^-31, and the rank among n elements is then s (n - 1), rounded down:
 * 0.5 is the median, or of an even number of elements the lower one of the two in the middle. This
 * is what numpy's percentile gives with method='lower', unless s (n - 1) lies less than n / 2^31
 * below an integer, which it then is. Shares suit segments whose number of elements only the GPU
 * knows.
 *
 * What is read: an element once for each digit of the keys. Up to two ranks have digits of 11 bits
 * where keys have 32 bits or more and rows are long or few, so that keys of 32 bits have three
 * digits; in other cases digits have 8 bits, or 5 where a row has few elements for so many counters
 * of a small workgroup. Up to 16 ranks share these reads (fewer in small shared memory, and where a
 * workgroup of few invocations has a whole row); more are found in turn. Indices take one more
 * read, and up to one of a part of the row for each rank.
 *
 * By offsets, invocations rank the elements of segments of up to about twice the mean length, a
 * workgroup has each longer one of up to 16,384 elements, or fewer if it is small, and the others
 * are cut into parts.
 *
 * Scratch has, for each row that several workgroups share, counters for each rank and value of a
 * digit, for each digit; for indices also a word for each rank and workgroup.
 *
 * Source: radix select, as in topk.h, here with counters for each set of ranks whose digits are
 * the same so far. No workgroup ever waits for another.
 */
#ifndef VKREDUCE_SELECT_H
#define VKREDUCE_SELECT_H

#include "core.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_MAX_SELECT_RANKS 256u

typedef enum VkrSelectFlagBits {
    VKR_SELECT_DESCENDING_BIT = 1 << 0, /* rank 0 is the greatest element */
    VKR_SELECT_NAN_FIRST_BIT = 1 << 1,  /* NaN come first, instead of last */
    VKR_SELECT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrSelectFlagBits;

/* An output has rankCount entries for each segment, in the order in which the ranks are given. The
 * entry of a rank that is not below the number of the segment's elements is not written. At least
 * one output is given. Outputs do not overlap each other or an input. Inputs or outputs of which a
 * kernel needs more than 16,384 dispatches are VKR_ERROR_UNSUPPORTED. */
typedef struct VkrSelectInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrSelectFlagBits */
    VkrView input;     /* of one component; with a map, its results are the elements */
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `input`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    uint32_t rankCount; /* 1 to VKR_MAX_SELECT_RANKS */
    /* One of these three is given: the first two are read by the call, gpuRanks by the GPU. Ranks
     * can repeat, and can have any order. */
    const uint32_t *ranks;
    const double *shares;    /* each from 0 to 1 */
    VkrBufferRange gpuRanks; /* u32; as ranks, those of all segments */
    uint32_t workgroupSize;  /* 0: tuned; else a power of two */
    /* NONE; ROWS, which may lie apart; or OFFSETS, which mean what they mean in a reduction, with
     * segments.gpuCount. By offsets, one descriptor must reach the input, and one each output. */
    VkrSegments segments;
    VkrView values;  /* optional: the elements; UNDEFINED and 0 for the input's type */
    VkrView indices; /* optional: U32; with segments they count from the start of the segment */
} VkrSelectInfo;

/* Collects a selection; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdSelect(VkrRecorder recorder, const VkrSelectInfo *info);

#ifdef __cplusplus
}
#endif

#endif
