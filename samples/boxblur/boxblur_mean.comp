/* SPDX-License-Identifier: MIT */
/* Computes the mean of each pixel's box from four entries of the table. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "boxblur.h"

layout(binding = 1, std430) readonly buffer Table
{
    uvec4 table[];
};
layout(binding = 2, std430) readonly buffer Radii
{
    uint radii[]; /* of each row */
};
layout(binding = 3, std430) writeonly buffer Blurred
{
    uint blurred[];
};

/* The sums of the pixels above y and to the left of x. */
uvec4 sums(uint x, uint y)
{
    if (x == 0 || y == 0)
        return uvec4(0);
    return table[(y - 1) * size.x + x - 1];
}

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, size)))
        return;
    uvec2 radius = uvec2(radii[at.y]);
    uvec2 low = at - min(at, radius);
    uvec2 high = min(at + radius + 1, size);
    uint count = (high.x - low.x) * (high.y - low.y);
    uvec4 sum = sums(high.x, high.y) - sums(low.x, high.y) - sums(high.x, low.y) +
                sums(low.x, low.y);

    /* To nearest, and halves up: sum + count / 2 could exceed 32 bits. */
    uvec4 mean = sum / count;
    uvec4 rest = sum - mean * count;
    mean += uvec4(greaterThanEqual(rest, count - rest));
    blurred[at.y * size.x + at.x] = mean.r | mean.g << 8 | mean.b << 16 | mean.a << 24;
}
