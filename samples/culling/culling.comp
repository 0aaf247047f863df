/* SPDX-License-Identifier: MIT */
/* The predicate of culling.c. `glslc -O0` compiles it, since the library finds it by its name. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"
#define SET 1
#include "culling.glsl"

bool is_visible(uint i)
{
    return may_be_seen(spheres[i]);
}

VKR_HOOKS(is_visible(0u))
