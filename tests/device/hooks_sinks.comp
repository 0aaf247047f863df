/* SPDX-License-Identifier: MIT */
/* Sinks of the test hooks_sinks.c. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

layout(set = 1, binding = 0) buffer Placed { uint placed[]; };
layout(set = 1, binding = 1) buffer Called { uint called[]; };
layout(set = 1, binding = 2) readonly buffer Outputs { uint outputs[]; };

void note(uint i, uint position)
{
    placed[position] = i;
    atomicAdd(called[i], 1u);
}

/* What the compaction has stored is there: its kept indices start with the buffer. */
void note_stored(uint i, uint position)
{
    note(outputs[position], position);
}

/* No sinks. */
uint gives(uint i, uint position) { return i + position; }
void takes_int(int i, uint position) { placed[position] = uint(i); }
void takes_one(uint i) { placed[i] = i; }

bool is_odd(uint i) { return (placed[i] & 1u) != 0u; }

VKR_HOOKS(note(0u, 0u); note_stored(0u, 0u); gives(0u, 0u); takes_int(0, 0u); takes_one(0u);
          is_odd(0u))
