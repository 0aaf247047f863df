/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/sort.h: stable sorting by keys.
 *
 * vkrCmdSort orders elements by a key. Equal keys keep their order (the sort is stable), so the
 * result is the same on every device and with every algorithm.
 *
 * The order of keys
 *  - Integers compare as numbers; with beginBit and endBit, only those bits are compared, as an
 *    unsigned number whose highest bit is inverted where it is the sign of a signed type.
 *  - Floats compare as min and max compare them: -0 is below +0. NaN comes last, ascending or
 *    descending, or first with VKR_SORT_NAN_FIRST_BIT. Every key keeps its bits.
 *  - Integers of 64 bits need no feature of the device, in sorts and in merges, selections and
 *    bounds, unless they are mapped: kernels compare words.
 *  - The bits decide among NaN, so that equal ones meet. Ascending, NaN without the sign come
 *    first, in the order of their bits; then those with the sign, those with greater bits first.
 *    Descending, this is reversed.
 *  - With VKR_SORT_BY_VALUE_BIT, -0 equals +0, and all NaN are equal, so these keep their order,
 *    and their bits. Other operations have a flag of the same name and meaning, or a member
 *    byValue. Keys of integers are compared in the same way with it and without it.
 *  - With VKR_SORT_DESCENDING_BIT greater keys come first; equal keys still keep their order.
 *
 * Beyond a descriptor's range (maxStorageBufferRange) rows are sorted in batches, and longer rows
 * in windows: each digit then takes a dispatch for each pair of a window that is read and one that
 * is stored, and no digit is skipped. Outputs and payloads are stored in windows too. With segments
 * by offsets, `indices` must fit the range.
 *
 * Scratch has a copy of the keys, and one of the values that move with them (indices, or a payload
 * of 4 bytes), unless all compared bits are one digit of 8 bits or one workgroup sorts each row;
 * another copy of the keys where `sorted` is not given and there are three digits; and tables.
 *
 * Of elements with equal keys, `then` decides: its first keys, then its second ones, and so on,
 * each in an order of its own. Members of one struct in a buffer are views that differ in their
 * offset. A sort by the last keys comes first, and then a stable one by each of the keys before,
 * which are copied to scratch in the order so far: a sort by two keys takes as long as both, and
 * those copies.
 *
 * Rows that lie apart (VkrSegments::pitch) take one more pass over each kind of keys, which copies
 * them to scratch beside each other, and one over each of `sorted` and `indices`, which are sorted
 * in scratch first. Payloads move by the list of indices. The same holds for columns, of which
 * scratch has copies as rows; where the GPU has the count, and columns lack their last element, the
 * copies have a key in its place that comes last.
 *
 * Sources: D. Merrill, A. Grimshaw, "High Performance and Scalable Radix Sorting" (2011): least
 * significant digit first, counts of digits by workgroup, a scan of the counts, and a stable
 * scatter. A. Adinets, D. Merrill, "Onesweep" (2022). O. Green, R. McColl, D. Bader, "GPU Merge
 * Path" (2012).
 */
#ifndef VKREDUCE_SORT_H
#define VKREDUCE_SORT_H

#include "compact.h"
#include "core.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrSortAlgorithm {
    /* ONE_WORKGROUP, if a workgroup has room for a row; else three passes. Supports every valid
     * request, within what is said above of descriptors, except for these, which are
     * VKR_ERROR_UNSUPPORTED: rows that need more than 131,072 dispatches, which are the passes
     * times the square of the number of windows (181 windows of a row of 4-byte keys, 128 of one
     * of 8-byte keys: 2^31 of them where maxStorageBufferRange is 128 MiB); more than 16,384
     * batches of rows; rows whose counts of digits exceed maxStorageBufferRange, which can happen
     * where that is below 64 MiB, as VkrLimits may set it; and a workgroupSize that is too small
     * for a row. */
    VKR_SORT_AUTO = 0,
    /* Radix sort in three dispatches for each digit of 8 bits: it never waits for another
     * workgroup. Digits that all keys have in common, except for the lowest one, cost nearly
     * nothing. */
    VKR_SORT_THREE_PASS = 1,
    /* One workgroup sorts all elements, or those of a row, if it has room for them: 12 for each
     * invocation. Otherwise the request is VKR_ERROR_UNSUPPORTED. Longer rows are sorted by digits
     * of 8 bits. Short rows (of at most 144 elements where one digit is compared, 576 where two
     * are, and 2,304 elsewhere, or as many as fit in 16 KiB of shared memory) share a workgroup,
     * whose invocations sort up to 9 keys each and then merge them. */
    VKR_SORT_ONE_WORKGROUP = 2,
    /* For comparison; a library may be built without it. A bitonic sort: one dispatch sorts chunks
     * of up to 1,024 elements. Each doubling of their length up to n then takes one for each stride
     * that is no less than a chunk, and one for all others, so that the cost grows as n log^2 n.
     * The numbers of elements are compared too, which makes the sort stable. */
    VKR_SORT_BITONIC = 3,
    /* Radix sort that reads and writes all keys once for each digit: one dispatch counts all
     * digits, one scans these counts, and one for each digit of 8 bits ranks the keys of tiles and
     * stores them, where a workgroup looks back at the counts of the tiles before its own (as
     * single-pass scans do; it is an error with VKR_FORWARD_PROGRESS_NONE). After a bounded wait it
     * counts a tile itself. A tile has 12 keys for each invocation, and 2 KiB of counts in scratch:
     * a sixth of 4-byte keys with workgroups of 256. Rows have fewer than 2^30 elements, and keys,
     * outputs and counts each fit a descriptor's range. */
    VKR_SORT_ONESWEEP = 4,
    VKR_SORT_ALGORITHM_COUNT = 5,
    VKR_SORT_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrSortAlgorithm;

typedef enum VkrSortFlagBits {
    VKR_SORT_DESCENDING_BIT = 1 << 0,
    VKR_SORT_NAN_FIRST_BIT = 1 << 1,
    VKR_SORT_BY_VALUE_BIT = 1 << 2,
    VKR_SORT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrSortFlagBits;

/* A key that decides among elements whose earlier keys are equal. */
typedef struct VkrSortKey {
    uint32_t flags;    /* VkrSortFlagBits */
    VkrView keys;      /* as VkrSortInfo::keys, with a key for each of its elements */
    uint32_t beginBit; /* as those of VkrSortInfo */
    uint32_t endBit;
} VkrSortKey;

#define VKR_MAX_SORT_THEN 3u

/*
 * At least one output is given: sorted, indices or payloads. Outputs hold `count` elements and do
 * not overlap each other or an input, except that `sorted` may be the same as `keys` (buffer,
 * offset, stride and type: the sort is in place), and the target of a single payload of 4 bytes the
 * same as its source. Elements of outputs at or past the count are not written.
 */
typedef struct VkrSortInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrSortFlagBits */
    VkrView keys;      /* of one component; with a map, its results are the keys */
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `keys`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    /* Keys of integers: the bits that are compared, beginBit <= i < endBit. Both 0: all bits. */
    uint32_t beginBit;
    uint32_t endBit;
    uint32_t thenCount; /* at most VKR_MAX_SORT_THEN */
    const VkrSortKey *then;
    VkrSortAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: chosen by the device and the length; else a power of two */
    /* NONE, ROWS, COLUMNS or OFFSETS, as in a scan: each is sorted by itself. */
    VkrSegments segments;
    VkrView sorted; /* optional: the keys in order; UNDEFINED and 0 for those of `keys` */
    /* Optional: position i receives the index of the element that comes i-th (U32). With segments
     * both count from the start of the segment: elements of a column are `length` positions
     * apart, and their indices are those of rows. */
    VkrView indices;
    uint32_t payloadCount; /* at most VKR_MAX_SORT_PAYLOADS */
    /* Arrays that move with the keys (compact.h); `rejected` is not set. */
    const VkrPayload *payloads;
} VkrSortInfo;

#define VKR_MAX_SORT_PAYLOADS 8u

/* Collects a sort; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdSort(VkrRecorder recorder, const VkrSortInfo *info);

VKR_API const char *vkrSortAlgorithmName(VkrSortAlgorithm algorithm);

#ifdef __cplusplus
}
#endif

#endif
