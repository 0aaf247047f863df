/* SPDX-License-Identifier: MIT */
/* What boxblur.c, check.c and the shaders have in common. */
#ifndef BOXBLUR_H
#define BOXBLUR_H

#define SIDE 8 /* a workgroup has SIDE x SIDE pixels */

#ifdef GL_core_profile

layout(local_size_x = SIDE, local_size_y = SIDE) in;
layout(push_constant) uniform Size
{
    uvec2 size;
};

#else

#include "app.h"

/* The number of bytes in `blurred` that plain C finds different. It adds up the pixels of each box,
 * so it takes the longer the larger the radii are. */
size_t check_blur(const picture *p, const uint32_t *radii, const uint8_t *blurred);

#endif
#endif
