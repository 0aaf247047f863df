/* SPDX-License-Identifier: MIT */
/* Functions that requests can have: a monoid, with and without elements, a predicate and a sink. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

struct Hash {
    uint power, value;
};
Hash load(uint x, uint i) { return Hash(0x01000193u, x ^ i); }
Hash load_index(uint i) { return Hash(0x01000193u, i); }
Hash combine(Hash a, Hash b) { return Hash(a.power * b.power, a.value * b.power + b.value); }
Hash identity() { return Hash(1u, 0u); }
uint finish(Hash a) { return a.value; }
bool is_odd(uint i) { return (i & 1u) != 0u; }
void note(uint i, uint position) {}

VKR_HOOKS(finish(combine(load(0u, 0u), identity())); load_index(0u); is_odd(0u); note(0u, 0u))
