/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/pyramid.h: pyramids of an image, in the caller's own mip chain.
 *
 * Level 1 is made from the source, and every other level from the stored level below it, whose
 * values are rounded to its format. So all algorithms give the same bits on every device.
 *
 * Sizes. Level 1 is as large as VkrPyramidInfo::first says, and level k + 1 is half as large as
 * level k, rounded down, at least 1, as Vulkan's mip levels are. In each direction texel i of n
 * covers texels floor(i m / n) to ceil((i + 1) m / n) - 1 of the m below. So every texel below is
 * covered, and at odd sizes neighbouring texels share some: a minimum or a maximum bounds every
 * texel that it covers.
 *
 * Values are those that texelFetch returns.
 *  - min and max of floats are as in reductions (core.h): -0 is below +0 and NaN is ignored, but a
 *    texel that covers only NaN is NaN.
 *  - A pair (VKR_OP_MIN | VKR_OP_MAX) doubles the channels: the minima come first, then the maxima.
 *  - The average (VKR_OP_MEAN) counts each texel by the area that it covers. In one direction the
 *    weight of texel j is the length that [i m, (i + 1) m) and [j n, (j + 1) n) share, times 1 / m.
 *    So with m = 2 n both weights are 1 / 2, and with m = 2 n + 1 the three weights are n - i, n
 *    and i + 1, times 1 / m.
 *  - The average of integers and of normalised formats is exact, rounded once to nearest even.
 *    UNORM and SNORM texels count as the integers that store them.
 *  - The average of floats is summed along each row first, and then along the column of these sums,
 *    from lower to higher coordinates, in IEEE 754 arithmetic of 32 bits; a weight is that length
 *    times 1 / m, and both are rounded. For levels of 32 bits, texels, products and sums of
 *    magnitude at or below the smallest normal number are +0. A result of 0 is +0, one that is NaN
 *    the canonical NaN.
 *
 * Formats of levels. Float levels need a source of floats, a normalised format or depth; UNORM and
 * SNORM levels need a normalised source, or depth of 16 or 24 bits; integer levels need integers of
 * the same sign, or stencil. A source of another format is first rounded to that of the levels:
 * floats to nearest even, or to infinity past the greatest number; normalised numbers to nearest;
 * negative values and NaN to 0 in formats without a sign; integers to the nearest number of the
 * format. An sRGB source is read as linear values; levels cannot have an sRGB format or one with a
 * shared exponent.
 *
 * Level images have STORAGE usage, and SAMPLED usage too, since a dispatch may read what another
 * one has written. They are in layout GENERAL. On entry they are synchronised as outputs are
 * (recorder.h); their previous contents are lost. Writes need VKR_FEATURE_WRITE_WITHOUT_FORMAT;
 * without it, levels need a format that SPIR-V can name, and most of these need
 * VKR_FEATURE_EXTENDED_FORMATS.
 */
#ifndef VKREDUCE_PYRAMID_H
#define VKREDUCE_PYRAMID_H

#include "core.h"
#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The size of level 1, in each direction, for a source of m texels. */
typedef enum VkrPyramidFirst {
    VKR_PYRAMID_HALF = 0,         /* m / 2, rounded down, at least 1 */
    VKR_PYRAMID_EQUAL = 1,        /* m: each texel of level 1 is made from one of the source */
    VKR_PYRAMID_POWER_OF_TWO = 2, /* the next power of two below m, at least 1 */
    VKR_PYRAMID_FIRST_COUNT = 3,
    VKR_PYRAMID_FIRST_MAX_ENUM = 0x7fffffff
} VkrPyramidFirst;

/* How the levels are cut into dispatches. All algorithms give the same bits. */
typedef enum VkrPyramidAlgorithm {
    VKR_PYRAMID_AUTO = 0,
    /* A dispatch for each level, with an invocation for each texel (Goeddeke 2005). */
    VKR_PYRAMID_PINGPONG = 1,
    /* A dispatch for four levels: workgroups of 16 x 16 invocations reduce to one texel
     * (OPENRNDR). */
    VKR_PYRAMID_RECURSIVE_2D = 2,
    /* One dispatch for 12 levels, of up to 4096 x 4096 texels: the workgroup of a layer that
     * finishes last continues alone. Larger sources, and devices that bind fewer storage images,
     * need more dispatches. */
    VKR_PYRAMID_SINGLE = 3,
    /* One dispatch for the levels of a tile of 64 x 64 texels, while sizes are exactly halved, and
     * for the others if the workgroup that finishes last can continue (FidelityFX SPD); a dispatch
     * for each large level of another size; one for the remaining levels. */
    VKR_PYRAMID_HYBRID = 4,
    VKR_PYRAMID_ALGORITHM_COUNT = 5,
    VKR_PYRAMID_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrPyramidAlgorithm;

/* The levels of an image of 32,768 texels a side, and one level of the source's size. */
#define VKR_MAX_PYRAMID_LEVELS 16u

typedef struct VkrPyramidInfo {
    const char *label; /* optional: names the work in a capture and in messages */
    VkrOpFlags ops;    /* VKR_OP_MIN, VKR_OP_MAX, both as a pair, or VKR_OP_MEAN */
    /* A part of a level of an image, of type 2D or 2D_ARRAY. */
    VkrImage source;
    /* Levels 1 to levelCount, each with a view of its own: of the source's type, with one layer for
     * each layer that is read and the source's number of channels (twice that number for a pair);
     * without rectangle, firstLayer and layerCount. They may be levels of one image, and of the
     * source's. */
    const VkrImage *levels;
    uint32_t levelCount; /* 1 to VKR_MAX_PYRAMID_LEVELS; none above the one of 1 x 1 texels */
    VkrPyramidFirst first;
    VkrPyramidAlgorithm algorithm;
} VkrPyramidInfo;

/* Writes the sizes of the levels for a source of this size: extents[k] is that of level k + 1.
 * Returns the number of levels down to 1 x 1; at most levelCount sizes are written. */
VKR_API uint32_t vkrGetPyramidExtents(VkExtent2D source, VkrPyramidFirst first, uint32_t levelCount,
                                      VkExtent2D *extents);

/* Collects a pyramid. An error is sticky: later calls up to vkrEnd return it and vkrEnd records
 * nothing. `info` is not kept; the images it names are used when the command buffer executes. */
VKR_API VkrResult vkrCmdPyramid(VkrRecorder recorder, const VkrPyramidInfo *info);

VKR_API const char *vkrPyramidAlgorithmName(VkrPyramidAlgorithm algorithm);

#ifdef __cplusplus
}
#endif

#endif
