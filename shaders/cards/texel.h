/* SPDX-License-Identifier: MIT */
/* The constants that the kernels of pyramids share with the kernel that writes results of tiles:
 * they describe the texels that are made. */
#ifndef VKR_CARDS_TEXEL_H
#define VKR_CARDS_TEXEL_H

#define VKR_TEXEL_CONSTANTS                                                                        \
    WORKGROUP(64)                                                                                  \
    CONSTANT(OPERATOR, 1, uint, 0) /* VKR_PYRAMID_MIN, .. */                                       \
    CONSTANT(STORED, 2, uint, 0)   /* VKR_STORED_*: how channels of the levels encode numbers */   \
    CONSTANT(CHANNEL_BITS, 3, uint, 0x20202020) /* 8 for each channel, red in the lowest */        \
    CONSTANT(CHANNELS, 4, uint, 4)              /* of the levels */                                \
    CONSTANT(HALVES, 5, bool, false)            /* every size is exactly half of the one below */  \
    CONSTANT(ROLLED, 6, bool, false) /* loops over texels are short, and not unrolled */           \
    CONSTANT(TILE, 7, uint, 4)       /* a workgroup has 2^TILE texels a side of the source */      \
    CONSTANT(SAME, 8, bool, false)   /* the source has the format of the levels */                 \
    CONSTANT(PAIRED, 9, bool, false) /* the source already has minima and maxima */                \
    CONSTANT(LOD_0, 10, bool, false) /* the view's first level is read */                          \
    CONSTANT(WIDTH, 11, uint, 8)     /* invocations side by side */                                \
    CONSTANT(RUN, 12, uint, 1)       /* texels of an invocation, WIDTH apart */

#define VKR_PYRAMID_MIN 0u
#define VKR_PYRAMID_MAX 1u
#define VKR_PYRAMID_PAIR 2u
#define VKR_PYRAMID_AVERAGE 3u

#define VKR_STORED_FLOAT 0u
#define VKR_STORED_UNORM 1u
#define VKR_STORED_SNORM 2u
#define VKR_STORED_INTEGER 3u /* of the sign for which the kernel is built */

#endif
