/* SPDX-License-Identifier: MIT */
/*
 * Positions of elements in rows: a walk over a part of an image, or over a tile, moves from one
 * element to the next by additions. Dividing an element's index by the width each time would cost
 * more than loading the element.
 */
#ifndef VKR_CURSOR_GLSL
#define VKR_CURSOR_GLSL

/* The size of the walked area. A walk over an image continues in the next layer. */
uint vkr_width = uniforms.width;
uint vkr_height = uniforms.height;

uvec3 vkr_at;        /* the position of the next element */
uvec3 vkr_stride_at; /* from one loaded element to the next: columns, rows and layers */

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
