/* SPDX-License-Identifier: MIT */
/* The number of elements of a row, of push.row_length each, which start push.row_pitch elements
 * apart, up to the number of all elements. */
#ifndef VKR_REST_GLSL
#define VKR_REST_GLSL

#include "all.glsl"

uint vkr_length_of_row(const uint row, const uint all)
{
    uint begin = row * push.row_pitch;
    return begin < all ? min(all - begin, push.row_length) : 0u;
}

#endif
