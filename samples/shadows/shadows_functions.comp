/* SPDX-License-Identifier: MIT */
/* The functions that the library calls: seen and boxes_of for each pixel. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "vkreduce/hook.glsl"
#include "shadows.h"
#define SET 1
#include "shadows.glsl"

layout(set = 1, binding = 2) uniform texture2D depths;

uvec2 pixel_of(uint i)
{
    return uvec2(i % uint(WIDTH), i / uint(WIDTH));
}

/* The depth and its negative, for a minimum. Sky is not seen. */
vec2 seen(uint i)
{
    float depth = texelFetch(depths, ivec2(pixel_of(i)), 0).x;
    return depth < 1.0 ? vec2(depth, -depth) : vec2(NOTHING);
}

/* The boxes of all cascades, one in each column: a pixel is in one of them. */
mat4 boxes_of(uint i)
{
    uvec2 pixel = pixel_of(i);
    float depth = texelFetch(depths, ivec2(pixel), 0).x;
    vec2 p = in_light(point_of(pixel, depth)).xy;
    vec4 box = vec4(p, -p), none = vec4(NOTHING);
    int cascade = depth < 1.0 ? cascade_of(FITTED, depth) : CASCADES;
    return mat4(cascade == 0 ? box : none, cascade == 1 ? box : none, cascade == 2 ? box : none,
                cascade == 3 ? box : none);
}

mat4 united(mat4 a, mat4 b)
{
    return mat4(min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]));
}

mat4 no_boxes()
{
    return mat4(vec4(NOTHING), vec4(NOTHING), vec4(NOTHING), vec4(NOTHING));
}

VKR_HOOKS(seen(0u); united(boxes_of(0u), no_boxes()))
