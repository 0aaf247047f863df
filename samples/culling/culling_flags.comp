/* SPDX-License-Identifier: MIT */
/* Stores a flag for each instance: what an application does whose library takes no functions. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define SET 0
#include "culling.glsl"

layout(local_size_x = LOCAL_SIZE) in;
layout(set = SET, binding = FLAGS) writeonly buffer Flags { uint flags[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < spheres.length())
        flags[i] = may_be_seen(spheres[i]) ? 1u : 0u;
}
