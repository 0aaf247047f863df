/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/scan.h: prefix sums.
 *
 * For elements x[0] .. x[n - 1] and an operator + an inclusive scan writes x[0] + .. + x[i] to
 * output i, an exclusive one x[0] + .. + x[i - 1]. Every prefix starts with the initial value or,
 * where none is given, with the operator's identity: 0 for sum, or and xor, 1 for product, all ones
 * for and. The identity of min and max is not a number: their prefix of no element is that of a
 * reduction (+inf or -inf), but one of NaN alone is NaN, inclusive or exclusive, and not the
 * infinity. An initial value takes part as an element does. Reversed scans write x[i] + .. +
 * x[n - 1], or x[i + 1] + .. + x[n - 1].
 *
 * Elements that a mask leaves out, and with VKR_NAN_SKIP the NaN of float sums and products, count
 * as the identity does: as 0, 1 or all ones; for min and max as +inf and -inf or, of integers, as
 * the greatest and the least number of the type. As these are elements, a prefix of them and of NaN
 * that are ignored is the infinity. All elements, as far as the host knows their number, are first
 * copied to scratch, with the identity in the places of those; the scan is not in place then.
 *
 * Rows that lie apart (VkrSegments::pitch) are copied to scratch too, beside each other. They are
 * scanned there, into scratch, and the results are copied to where they belong: so there are two
 * more passes, and scratch has all elements and results of rows. Results have the bits of the same
 * rows beside each other, also at level DEVICE, and so has the total, which is that of the last
 * row; or, reversed, of the first one. The count must be below 2^32. Scans by a monoid have no such
 * rows.
 *
 * Results have the type that a reduction with the same operator, elements and accumulator has
 * (vkrGetScanType), with the same rules for NaN and wrapping.
 *
 * Determinism of float sums and products
 *  - VKR_DETERMINISM_RUN, the default: the same bits in every run on the same device. Sums of
 *    non-negative elements can decrease from one prefix to the next, since roundings differ between
 *    workgroups.
 *  - VKR_DETERMINISM_NONE: no promise.
 *  - VKR_DETERMINISM_DEVICE: the same bits on every device, whatever the offset, stride, window and
 *    source of the count. These steps define them, with the flushing of subnormals that reduce.h
 *    describes (also of the initial value):
 *      1. Elements form runs of VKR_SCAN_RUN (256) by index, counted from the end where the scan is
 *         reversed. The total of a run is the identity + x[0] + x[1] + .. , one after the other.
 *      2. Runs form blocks of VKR_SCAN_RUN. The total of a block is the identity + the totals of
 *         its runs, one after the other.
 *      3. The prefix of the first block is the initial value; that of every other block is the
 *         prefix of the block before + the total of the block before. The prefix of a block's first
 *         run is that of the block; that of every other run is the prefix of the run before + the
 *         total of the run before. The prefix of an element is that of its run + the elements
 *         before it in the run, one after the other.
 *    VkrScanInfo::total is the prefix that one more block would have. So an input that is cut at
 *    multiples of VKR_SCAN_BLOCK elements, each piece starting with the total of the one before,
 *    gives the bits of the whole. In a segmented scan + is the operator on (starts a segment,
 *    value) pairs: what stands before a segment's start never counts. A column is a scan of its
 *    own: its element in row i is number i.
 *
 * Accuracy of float sums: the error of a prefix of n elements, of which the initial value is one,
 * is at most (2 log2 n + 34) u S below level DEVICE, where u, S and the remarks on equal elements
 * and subgroups are those of reduce.h. At level DEVICE it is at most (510 + n / 65536) u S.
 *
 * Sources of the algorithms: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986);
 * G. E. Blelloch, "Prefix Sums and Their Applications" (1990); D. Merrill, M. Garland, "Single-pass
 * Parallel Prefix Scan with Decoupled Look-back" (2016); T. Smith, R. Levien, J. Owens, "Decoupled
 * Fallback" (2025).
 */
#ifndef VKREDUCE_SCAN_H
#define VKREDUCE_SCAN_H

#include "core.h"
#include "map.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_SCAN_RUN 256u
#define VKR_SCAN_BLOCK (VKR_SCAN_RUN * VKR_SCAN_RUN)

typedef enum VkrScanAlgorithm {
    /* Supports every valid request except some, which are VKR_ERROR_UNSUPPORTED: with
     * VKR_DETERMINISM_DEVICE, a reversed scan with gpuCount, or of columns, whose views exceed
     * maxStorageBufferRange, and columns of which VKR_SCAN_RUN rows exceed it, without it those of
     * which one row, or its totals, do; strides so large that the share of one workgroup exceeds
     * it; gigabytes of elements in workgroups so small that one workgroup cannot combine the
     * partial results of all of them; and views of more than 16,384 times maxStorageBufferRange. */
    VKR_SCAN_AUTO = 0,
    /* Computes the totals of runs, scans these, and reads the elements again. The only algorithm
     * that works in place, with columns and with VKR_DETERMINISM_DEVICE; views may exceed
     * maxStorageBufferRange. */
    VKR_SCAN_REDUCE_THEN_SCAN = 1,
    /* Reads the elements once: every workgroup looks back at the values that its predecessors have
     * published. It waits for them for a bounded time and then computes the missing values itself,
     * so the dispatch ends on every device, with the same bits whenever workgroups run. Views may
     * exceed maxStorageBufferRange. It cannot be used in place, nor with
     * VKR_FORWARD_PROGRESS_NONE, nor for float sums and products with VKR_DETERMINISM_DEVICE, nor
     * where the words that all tiles publish together exceed maxStorageBufferRange. */
    VKR_SCAN_SINGLE_PASS = 2,
    /* These two need ceil(log2 n) and 2 ceil(log2 n) dispatches. They cannot be used where views,
     * or a partial result for each element, exceed maxStorageBufferRange. */
    VKR_SCAN_HILLIS_STEELE = 3,
    VKR_SCAN_BLELLOCH = 4,
    VKR_SCAN_ALGORITHM_COUNT = 5,
    VKR_SCAN_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrScanAlgorithm;

typedef enum VkrScanFlagBits {
    VKR_SCAN_EXCLUSIVE_BIT = 1 << 0,
    VKR_SCAN_REVERSE_BIT = 1 << 1,
    VKR_SCAN_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrScanFlagBits;

typedef struct VkrScanInfo {
    const char *label; /* optional */
    VkrOp op;          /* one of SUM, PRODUCT, MIN, MAX, AND, OR and XOR */
    uint32_t flags;    /* VkrScanFlagBits */
    VkrView input;
    /* Its type is UNDEFINED or that of vkrGetScanType, components is 0 or the input's, and it has a
     * stride of its own. It is the same as the input (buffer, offset, stride and type: the scan is
     * in place) or does not overlap it. Elements at or past the count are not written. */
    VkrView output;
    /* The number of elements; VKR_COUNT_ALL is all of the input. 0, which a zero-initialised
     * structure has, means no element: only the total is written, which is the initial value
     * then. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrType accumulator; /* as in VkrReduceInfo */
    VkrNan nan;
    VkrDeterminism determinism;
    VkrScanAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    /* The initial value, `components` values of the result type: in host memory, read by the call;
     * or in a buffer, read when the work executes. Both NULL: the identity. COLUMNS have the same
     * one in host memory, and one each, in their order, in a buffer. */
    const void *initial;
    VkrBufferRange gpuInitial;
    /* Optional: receives `components` values of the result type: those that an inclusive scan
     * writes for its last element (for VKR_DETERMINISM_DEVICE see above), or the initial value if
     * there is no element; for COLUMNS, those of each column. It can be gpuInitial of the next
     * scan; it must not overlap input or output. */
    VkrBufferRange total;
    VkrSegments segments; /* FLAGS, ROWS, COLUMNS, OFFSETS or KEYS */
    /* Optional: leaves elements out, which count as the identity does (see above); they have
     * results all the same. What is written must not overlap the mask. Not with a monoid. */
    VkrMask mask;
    /* Optional: a type of states and functions on them, in place of op and input (module.h). */
    const struct VkrMonoid *monoid;
} VkrScanInfo;

/* Returns the type of the results. Reads op, accumulator and the input's type and components. */
VKR_API VkrResult vkrGetScanType(VkrContext context, const VkrScanInfo *info, VkrType *type);

/* Collects a scan; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdScan(VkrRecorder recorder, const VkrScanInfo *info);

VKR_API const char *vkrScanAlgorithmName(VkrScanAlgorithm algorithm);

#ifdef __cplusplus
}
#endif

#endif
