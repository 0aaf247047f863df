/* SPDX-License-Identifier: MIT */
/* What the kernels of pyramids and the one that writes results of tiles have in common: constants
 * that say what texels they make. */
#ifndef VKR_CARDS_TEXEL_H
#define VKR_CARDS_TEXEL_H

#define VKR_TEXEL_CONSTANTS                                                                        \
    WORKGROUP(64)                                                                                  \
    CONSTANT(OPERATOR, 1, uint, 0) /* VKR_PYRAMID_MIN, .. */                                       \
    CONSTANT(STORED, 2, uint, 0)   /* VKR_STORED_*: how bits of the levels are numbers */          \
    CONSTANT(CHANNEL_BITS, 3, uint, 0x20202020) /* 8 for each channel, red in the lowest */        \
    CONSTANT(CHANNELS, 4, uint, 4)              /* of the levels */                                \
    CONSTANT(HALVES, 5, bool, false)            /* every size is exactly half of the one below */  \
    CONSTANT(ROLLED, 6, bool, false) /* loops over texels are short, but not unrolled */           \
    CONSTANT(TILE, 7, uint, 4)       /* a workgroup has 2^TILE texels a side of the source */      \
    CONSTANT(SAME, 8, bool, false)   /* texels are read of the format they are written in */       \
    CONSTANT(PAIRED, 9, bool, false) /* what is read has minima and maxima already */              \
    CONSTANT(LOD_0, 10, bool, false) /* the first level of the view is read */                     \
    CONSTANT(WIDTH, 11, uint, 8)     /* invocations side by side */                                \
    CONSTANT(RUN, 12, uint, 1)       /* texels of an invocation, WIDTH apart */

#define VKR_PYRAMID_MIN 0u
#define VKR_PYRAMID_MAX 1u
#define VKR_PYRAMID_PAIR 2u
#define VKR_PYRAMID_AVERAGE 3u

#define VKR_STORED_FLOAT 0u
#define VKR_STORED_UNORM 1u
#define VKR_STORED_SNORM 2u
#define VKR_STORED_INTEGER 3u /* of the sign that the kernel is built for */

#endif
