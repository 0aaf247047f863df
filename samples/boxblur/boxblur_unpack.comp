/* SPDX-License-Identifier: MIT */
/* Gives each channel of each pixel a word of its own. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "boxblur.h"

layout(binding = 0, std430) readonly buffer Pixels
{
    uint pixels[];
};
layout(binding = 1, std430) writeonly buffer Table
{
    uvec4 table[];
};

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, size)))
        return;
    uint i = at.y * size.x + at.x;
    table[i] = uvec4(pixels[i]) >> uvec4(0, 8, 16, 24) & 255u;
}
