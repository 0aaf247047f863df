/* SPDX-License-Identifier: MIT */
/* The functions that the library calls for each pixel. Each result is for a minimum. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "vkreduce/hook.glsl"
#include "shadows.h"
#include "shadows.glsl"

layout(set = 1, binding = 0, std430) readonly buffer Views { View view; };
layout(set = 1, binding = 1, std430) readonly buffer AllCascades { Cascades cascades[2]; };
layout(set = 1, binding = 2) uniform texture2D depths;

uvec2 pixel_of(uint i)
{
    return uvec2(i % uint(WIDTH), i / uint(WIDTH));
}

/* The depth and its negative. Sky is not seen. */
vec2 seen(uint i)
{
    float depth = texelFetch(depths, ivec2(pixel_of(i)), 0).x;
    return depth < 1.0 ? vec2(depth, -depth) : vec2(NOTHING);
}

/* The box of a pixel in the light, for elements that begin with all pixels of cascade 0. */
vec4 box(uint i)
{
    uvec2 pixel = pixel_of(i % uint(PIXELS));
    float depth = texelFetch(depths, ivec2(pixel), 0).x;
    if (depth == 1.0 || cascade_of(cascades[FITTED], depth) != int(i / uint(PIXELS)))
        return vec4(NOTHING);
    vec2 p = in_light(view, point_of(view, pixel, depth)).xy;
    return vec4(p, -p);
}

VKR_HOOKS(seen(0u); box(0u))
