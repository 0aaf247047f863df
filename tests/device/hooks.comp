/* SPDX-License-Identifier: MIT */
/* The functions of the test hooks.c, which computes the same values itself: floats are exact. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

layout(set = 1, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 1, binding = 1) readonly buffer Limits { uint limits[]; };

struct Pair {
    uint low, high;
};

Pair pair_of(uint i)
{
    uint word = words[i];
    return Pair(word & 0xffffu, word >> 16);
}

uint as_uint(uint i) { return words[i] ^ i; }
uvec2 as_uvec2(uint i) { return uvec2(words[i], i * 3u); }
uvec3 as_uvec3(uint i) { return uvec3(words[i], i, words[i] >> 3); }
uvec4 as_uvec4(uint i) { return uvec4(words[i], i, ~i, words[i] * 5u); }
int as_int(uint i) { return int(words[i]) / 2 - int(i); }
ivec2 as_ivec2(uint i) { return ivec2(int(words[i]), -int(i)); }
ivec3 as_ivec3(uint i) { return ivec3(as_int(i), int(i), 7); }
ivec4 as_ivec4(uint i) { return ivec4(as_ivec2(i), as_ivec2(i + 1u)); }

float as_float(uint i)
{
    Pair p = pair_of(i);
    return float(p.low) * 0.25 - float(p.high);
}
vec2 as_vec2(uint i) { return vec2(as_float(i), float(i & 255u)); }
vec3 as_vec3(uint i) { return vec3(as_vec2(i), 1.0); }
vec4 as_vec4(uint i) { return vec4(as_vec2(i), -as_vec2(i)); }

/* Several returns, one of them in a loop. */
bool is_kept(uint i)
{
    uint word = words[i];
    if ((word & 3u) == 0u)
        return false;
    for (uint k = 0u; k < 5u; k++) {
        if (word < limits[k])
            return (k & 1u) != 0u;
    }
    return (i & 4u) == 0u;
}

/* Its result is stored to a variable by an extended instruction. */
float whole;
float as_parts(uint i)
{
    float fraction = modf(float(words[i] & 7u) * 0.5, whole);
    return fraction + whole;
}

/* No hook: the compiler puts the initial value into main. */
uint calls = 5u;
uint counted(uint i)
{
    calls += i;
    return calls;
}

VKR_HOOKS(as_parts(0u); counted(0u); as_uint(0u);
          as_uvec2(0u); as_uvec3(0u); as_uvec4(0u); as_int(0u); as_ivec2(0u);
          as_ivec3(0u); as_ivec4(0u); as_float(0u); as_vec2(0u); as_vec3(0u); as_vec4(0u);
          is_kept(0u))
