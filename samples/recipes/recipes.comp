/* SPDX-License-Identifier: MIT */
/* The functions of recipes.c. `glslc -O0` compiles them, since the library finds them by name. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

/* ---- A sparse matrix times a vector ---- */

layout(set = 1, binding = 0) readonly buffer Entries { float entries[]; };
layout(set = 1, binding = 1) readonly buffer Columns { uint columns[]; };
layout(set = 1, binding = 2) readonly buffer Vector { float vector[]; };

float product(uint i)
{
    return entries[i] * vector[columns[i]];
}

/* ---- A random permutation ---- */

/* Each step can be undone, so different indices get different numbers. The constants are those of
 * A. Appleby's MurmurHash3 (2011). */
uint shuffled(uint i)
{
    i += 0x9e3779b9u; /* the seed */
    i ^= i >> 16;
    i *= 0x85ebca6bu;
    i ^= i >> 13;
    i *= 0xc2b2ae35u;
    return i ^ i >> 16;
}

/* ---- An order by two keys ---- */

layout(set = 1, binding = 3) readonly buffer Days { uint days[]; };
layout(set = 1, binding = 4) readonly buffer Order { uint order[]; };

uint day_of(uint i)
{
    return days[order[i]];
}

/* ---- Labels of runs ---- */

layout(set = 1, binding = 5) readonly buffer Levels { float levels[]; };

bool is_loud(uint i)
{
    return levels[i] > 0.5;
}

uint starts(uint i)
{
    return is_loud(i) && (i == 0u || !is_loud(i - 1u)) ? 1u : 0u;
}

VKR_HOOKS(product(0u); shuffled(0u); day_of(0u); starts(0u))
