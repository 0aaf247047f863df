/* SPDX-License-Identifier: MIT */
/* A predicate for compactions, with a loop or without: called_keeps in compact_data.c says what it
 * keeps. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

uint next(uint word)
{
    return word * 1664525u + 1013904223u;
}

bool keep(uint i)
{
#ifdef HAS_LOOP
    uint word = i;
    for (uint k = 0u; k < 3u; k++)
        word = next(word);
#else
    uint word = next(next(next(i)));
#endif
    return (word >> 28) != 0u && (word >> 29) != 6u;
}

VKR_HOOKS(keep(0u))
