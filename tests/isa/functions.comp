/* SPDX-License-Identifier: MIT */
/* The users' functions of the cases. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

float take(float x, uint i) { return x; }
float add(float a, float b) { return a + b; }
float zero() { return 0.0; }

float scaled(float x, uint i) { return x * 2.0 + float(i); }
bool is_kept(float x, uint i) { return x > 0.5 && (i & 7u) != 0u; }

struct Box {
    vec3 low, high;
};
Box corner(vec3 x, uint i) { return Box(x, x); }
Box unite(Box a, Box b) { return Box(min(a.low, b.low), max(a.high, b.high)); }
Box nothing() { return Box(vec3(1e30), vec3(-1e30)); }

VKR_HOOKS(add(take(0.0, 0u), zero()); scaled(0.0, 0u); is_kept(0.0, 0u);
          unite(corner(vec3(0.0), 0u), nothing()))
