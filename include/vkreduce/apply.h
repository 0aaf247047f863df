/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/apply.h: one output for each element, which depends on the element and on results of its
 * segment: softmax, shares of a total, standardised and rescaled elements.
 *
 * With x for an element, n for the number of elements of its segment, and max, min, total, mean and
 * deviation for results of the segment:
 *
 *     SOFTMAX        exp(x - max) / S, where S is the sum of exp(x - max)
 *     LOG_SOFTMAX    (x - max) - log(S)
 *     SHARE          x / total
 *     STANDARDISED   (x - mean) / deviation, whose square is the sum of (x - mean)^2, divided by n
 *     RESCALED       (x - min) / (max - min)
 *
 * Elements are f32, f16 or bf16, or what a map makes of others (map.h). They are computed with in
 * f32, in single operations of IEEE 754, and results are rounded to the output's type, to nearest
 * even. Elements that are subnormal in f32 count as +0; so do totals, deviations, max - min, and
 * results, whose magnitude is at or below the smallest normal number. A result of 0 is +0, and a
 * NaN the canonical one.
 *
 * NaN and infinity: a segment with a NaN has only NaN as results. SOFTMAX and LOG_SOFTMAX of a
 * segment with +inf, or with -inf alone, are NaN; -inf beside finite elements gives 0 and -inf. The
 * others follow IEEE 754 from the formulas: with a total of 0, a share is infinite, or NaN for 0; a
 * segment of equal elements, in particular one of one element, is NaN standardised and rescaled.
 * Sums, squares, and max - min can overflow to infinity.
 *
 * Errors. exp and log are this library's own: their bits depend on no driver. With u = 2^-24 and
 * K(n) = 160 + n / 2^18, against exact arithmetic and before the rounding to the output's type:
 *  - exp of the rounded difference x - max has an error below VKR_EXP_ULPS units in the last place.
 *    With k = (x - max) / log 2 + 1/2, rounded down, and the rest f = x - max - k log 2 it is 2^k
 *    (1 + f + f^2 P(f)), where P is the polynomial with VKR_EXP_COEFFICIENTS, highest power first.
 *    It is 0 where it would be below the smallest normal number.
 *  - The relative error of S is below (K(n) + 8) u, and that of a total below K(n) u times the sum
 *    of |x| over |total|. A SOFTMAX adds 8 u; other quotients 0.51 units in the last place.
 *  - log(S) is the log2 of map.h times log 2, within 12 u.
 *  - The error of the mean is below 2 u |mean| + (K(n) + 4) u D, where D is the mean of |x - mean|.
 *    That of the sum of squares is below (K(n) + 12) u of it, and n times the square of the former.
 *  - max and min are exact.
 * Sums are added by trees whose shape depends on the device, on strides and alignment of views, and
 * on workgroupSize: one info has the same results in every run on one device.
 *
 * What is read: the elements of a segment of up to VKR_APPLY_TILE elements once, those of a longer
 * one twice. On CPUs, and in small workgroups, an element is read once for each result of its
 * segment and once for the output, from the second time on from caches. Longer segments are cut
 * into parts of VKR_APPLY_TILE elements: a first dispatch leaves two words for each part, a second
 * one combines those of each segment, and a third one reads the elements again and writes. So one
 * giant segment between offsets has as many workgroups as a row has.
 *
 * Scratch has 8 bytes for each part and for each segment of more elements than one; for segments
 * between offsets 12 bytes for each segment, too. No workgroup ever waits for another.
 *
 * Source: the maximum and the scaled sum as one state are those of "Online normalizer calculation
 * for softmax" (Milakov and Gimelshein, 2018); sums of squares are combined as in "Updating
 * formulae and a pairwise algorithm for computing sample variances" (Chan, Golub and LeVeque,
 * 1979).
 */
#ifndef VKREDUCE_APPLY_H
#define VKREDUCE_APPLY_H

#include "core.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrApplyFunction {
    VKR_APPLY_SOFTMAX = 0,
    VKR_APPLY_LOG_SOFTMAX = 1,
    VKR_APPLY_SHARE = 2,
    VKR_APPLY_STANDARDISED = 3,
    VKR_APPLY_RESCALED = 4,
    VKR_APPLY_FUNCTION_COUNT = 5,
    VKR_APPLY_FUNCTION_MAX_ENUM = 0x7fffffff
} VkrApplyFunction;

/* The maximum number of elements of a segment that one workgroup handles. */
#define VKR_APPLY_TILE 4096u

#define VKR_EXP_ULPS 1
#define VKR_EXP_COEFFICIENTS                                                                       \
    {                                                                                              \
        0x1.6a23dp-10f, 0x1.123a2p-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f              \
    }

typedef struct VkrApplyInfo {
    const char *label; /* optional */
    VkrApplyFunction function;
    VkrView input; /* F32, F16 or BF16, of one component; with a map, its results */
    /* The number of elements, below 2^32; VKR_COUNT_ALL is all of `input`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    /* NONE; ROWS, which may lie apart, and whose last one may be shorter; or OFFSETS: fewer than
     * 2^30 segments of up to 245,520,000 elements in all, where the input, the output and the
     * offsets each fit maxStorageBufferRange. Elements in no segment have no output. */
    VkrSegments segments;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    /* F32, F16 or BF16, or UNDEFINED for the type of the elements: output i is that of element i.
     * What lies between rows, and at or past the count, is not written. It is the same as the input
     * (buffer, offset, stride and type; neither an image nor mapped) or does not overlap it. */
    VkrView output;
} VkrApplyInfo;

/* Collects the work; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdApply(VkrRecorder recorder, const VkrApplyInfo *info);

VKR_API const char *vkrApplyFunctionName(VkrApplyFunction function);

#ifdef __cplusplus
}
#endif

#endif
