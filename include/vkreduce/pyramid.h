/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/pyramid.h: pyramids of an image, in the caller's own mip chain.
 *
 * Level 1 is made from the source, every other level from the one below it as it is stored, rounded
 * to its format; so all algorithms give the same bits, on every device.
 *
 * Sizes. Level 1 is as large as VkrPyramidInfo::first says, and level k + 1 is half as large as
 * level k, rounded down, at least 1: as Vulkan's mips. In each direction texel i of n covers texels
 * floor(i m / n) to ceil((i + 1) m / n) - 1 of the m below. So no texel below is left out, and
 * those at odd sizes count for both neighbours: a minimum or a maximum bounds everything under it.
 *
 * Values are those that texelFetch returns.
 *  - min and max of floats: as of reductions (core.h), -0 below +0 and NaN ignored, except that a
 *    texel over nothing but NaN is NaN.
 *  - A pair (VKR_OP_MIN | VKR_OP_MAX) doubles the channels: the minima come first, then the maxima.
 *  - The average (VKR_OP_MEAN) counts each texel by the area that it covers. In a direction with m
 *    = 2 n both weights are 1 / 2; with m = 2 n + 1 the three weights are n - i, n and i + 1, and
 *    in general the length that [i m, (i + 1) m) and [j n, (j + 1) n) share for texel j, each times
 *    1 / m.
 *  - The average of integers and of normalised formats is exact, rounded once to nearest even. The
 *    numbers of UNORM and SNORM are the integers that they stand for.
 *  - The average of floats goes first along each row, then along the column of the sums, from lower
 *    to higher coordinates, in IEEE 754 arithmetic of 32 bits; a weight is that length times 1 / m,
 *    both rounded. For levels of 32 bits, texels, products and sums of magnitude at or below the
 *    smallest normal number are +0. A result of 0 is +0, one that is NaN the canonical NaN.
 *
 * Formats of levels. Float levels take sources of floats, normalised formats and depth; UNORM and
 * SNORM levels take sources that are normalised, depth of 16 or 24 bits too; integers take integers
 * of the same sign, stencil too. A source of another format is first rounded to that of the levels:
 * floats to nearest even, past the greatest number to infinity; normalised numbers to nearest; what
 * is below 0, or NaN, to 0 where there is no sign; integers to the nearest there is. Where sRGB is
 * read, linear values are; no level can be sRGB, nor share an exponent.
 *
 * Level images have STORAGE usage, and SAMPLED usage too, since a dispatch may read what another
 * one has written. They are in layout GENERAL. On entry they are as outputs are (recorder.h); what
 * they held is lost. Writes need VKR_FEATURE_WRITE_WITHOUT_FORMAT; without it, formats that SPIR-V
 * can name are written, of which most need VKR_FEATURE_EXTENDED_FORMATS.
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
    VKR_PYRAMID_EQUAL = 1,        /* m: level 1 is the source, as a value of each texel */
    VKR_PYRAMID_POWER_OF_TWO = 2, /* the next power of two below m, at least 1 */
    VKR_PYRAMID_FIRST_COUNT = 3,
    VKR_PYRAMID_FIRST_MAX_ENUM = 0x7fffffff
} VkrPyramidFirst;

/* How the levels are cut into dispatches. All algorithms give the same bits. */
typedef enum VkrPyramidAlgorithm {
    VKR_PYRAMID_AUTO = 0,
    /* A dispatch for each level, of one invocation for each texel (Goeddeke 2005). */
    VKR_PYRAMID_PINGPONG = 1,
    /* A dispatch for four levels: workgroups of 16 x 16 invocations leave a texel (OPENRNDR). */
    VKR_PYRAMID_RECURSIVE_2D = 2,
    /* One dispatch for 12 levels, of up to 4096 x 4096 texels: the workgroup of a layer that
     * finishes last goes on alone. More dispatches for larger sources, and for devices that bind
     * fewer storage images. */
    VKR_PYRAMID_SINGLE = 3,
    VKR_PYRAMID_ALGORITHM_COUNT = 4,
    VKR_PYRAMID_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrPyramidAlgorithm;

/* As many levels as an image of 32,768 texels a side can have, and one of the source's size. */
#define VKR_MAX_PYRAMID_LEVELS 16u

typedef struct VkrPyramidInfo {
    const char *label; /* optional: names the work in a capture and in messages */
    VkrOpFlags ops;    /* VKR_OP_MIN, VKR_OP_MAX, both as a pair, or VKR_OP_MEAN */
    /* A part of a level of an image, of type 2D or 2D_ARRAY. */
    VkrImage source;
    /* Levels 1 to levelCount, each with a view of its own: of the source's type, with as many
     * layers as are read and as many channels (twice as many of a pair); without rectangle,
     * firstLayer and layerCount. They may be levels of one image, and of the source's. */
    const VkrImage *levels;
    uint32_t levelCount; /* 1 to VKR_MAX_PYRAMID_LEVELS; none above the one of 1 x 1 texels */
    VkrPyramidFirst first;
    VkrPyramidAlgorithm algorithm;
} VkrPyramidInfo;

/* Sizes of the levels: level k + 1 is extents[k], for a source of so many texels. Returns how many
 * levels there are down to 1 x 1; at most levelCount are written. */
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
