/* SPDX-License-Identifier: MIT */
/* A monoid of texels, for the test of monoids, of which monoids_case.c computes the same. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

layout(set = 1, binding = 0) uniform utexture2D image;

uvec2 load(uint i)
{
    ivec2 size = textureSize(image, 0);
    return uvec2(0x01000193u, texelFetch(image, ivec2(int(i) % size.x, int(i) / size.x), 0).x);
}
uvec2 combine(uvec2 a, uvec2 b) { return uvec2(a.x * b.x, a.y * b.x + b.y); }
uvec2 identity() { return uvec2(1u, 0u); }
VKR_HOOKS(combine(load(0u), identity()))
