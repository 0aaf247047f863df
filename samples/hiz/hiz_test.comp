/* SPDX-License-Identifier: MIT */
/* Compares each box with the drawn depths, on the level where few texels cover the box. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "hiz.h"

layout(local_size_x = LOCAL_SIZE) in;
layout(binding = 0, std430) readonly buffer Boxes
{
    Box boxes[];
};
layout(binding = 1, std430) writeonly buffer Verdicts
{
    uint verdicts[];
};
layout(binding = 2) uniform texture2D depth;
layout(binding = 3) uniform texture2D levels; /* minimum and maximum depth, starting at level 1 */

float greatest(int x, int y, int level)
{
    return level == 0 ? texelFetch(depth, ivec2(x, y), 0).x
                      : texelFetch(levels, ivec2(x, y), level - 1).y;
}

uint verdict_on(Box box)
{
    Bounds b = bounds_of(box);
    if (is_crossing(b))
        return VISIBLE;
    if (is_outside(b))
        return OUTSIDE;
    b = clipped(b);
    int level = 0;
    for (; !is_small(b); level++)
        b = lifted(b, level);
    float farthest = 0.0;
    for (int y = b.top; y <= b.bottom; y++)
        for (int x = b.left; x <= b.right; x++)
            farthest = max(farthest, greatest(x, y, level));
    return is_behind(b.nearest, farthest) ? HIDDEN : VISIBLE;
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < BOXES)
        verdicts[i] = verdict_on(boxes[i]);
}
