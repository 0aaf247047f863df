/* SPDX-License-Identifier: MIT */
/* A monoid of integers of 16 bits, of which monoids_case.c computes the same. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

struct Shorts {
    int16_t sum;
    uint16_t most;
    u16vec2 bits;
};

Shorts load(uint x, uint i)
{
    return Shorts(int16_t(x), uint16_t(x >> 16), u16vec2(uint16_t(x), uint16_t(i)));
}
Shorts combine(Shorts a, Shorts b)
{
    return Shorts(a.sum + b.sum, max(a.most, b.most), a.bits ^ b.bits);
}
Shorts identity() { return Shorts(int16_t(0), uint16_t(0), u16vec2(0us)); }
VKR_HOOKS(combine(load(0u, 0u), identity()))
