/* SPDX-License-Identifier: MIT */
/*
 * Elements of rows as places: a walk over a part of an image, or over a tile, goes on from one to
 * the next by additions. Dividing an element's number by the width, each time, would cost more than
 * loading it does.
 */
#ifndef VKR_CURSOR_GLSL
#define VKR_CURSOR_GLSL

/* Rows and columns of what is walked. A walk over an image goes on in the next layer. */
uint vkr_width = uniforms.width;
uint vkr_height = uniforms.height;

uvec3 vkr_at;        /* the place of the element that is loaded next */
uvec3 vkr_stride_at; /* from one that is loaded to the next: columns, rows and layers */

uvec3 vkr_place_of(const uint i)
{
    uint row = i / vkr_width;
    return uvec3(i - row * vkr_width, row % vkr_height, row / vkr_height);
}

uvec3 vkr_move(uvec3 at, const uvec3 by)
{
    at.x += by.x;
    uint past = at.x >= vkr_width ? 1u : 0u;
    at.x -= past * vkr_width;
    at.y += by.y + past;
#if VKR_LOADS > VKR_LOADS_2D && !defined(VKR_OF_TILES)
    past = at.y >= vkr_height ? 1u : 0u;
    at.y -= past * vkr_height;
    at.z += by.z + past;
#endif
    return at;
}

/* A walk starts with element `first`, counted from the one at `start`. */
void vkr_start_at(const uvec3 start, const uint first, const uint stride)
{
    vkr_stride_at = vkr_place_of(stride);
    vkr_at = vkr_move(start, vkr_place_of(first));
}

#endif
