/* SPDX-License-Identifier: MIT */
/* Moves every particle by a frame; sets life to 0 in those that the compaction is to drop. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "particles.h"

layout(local_size_x = LOCAL_SIZE) in;
layout(binding = 0, std430) buffer Positions
{
    ivec2 positions[];
};
layout(binding = 1, std430) buffer Velocities
{
    ivec2 velocities[];
};
layout(binding = 3, std430) buffer Lives
{
    uint lives[];
};
layout(binding = 4, std430) readonly buffer Counts
{
    uint survivors; /* survivors of the frame before */
    uint live;      /* survivors and newborn of that frame */
};
layout(push_constant) uniform Push
{
    uint frame;
};

void main()
{
    /* The library's dispatch arguments use y as well if x alone would exceed the limit. */
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint i = group * LOCAL_SIZE + gl_LocalInvocationID.x;
    if (i >= live)
        return;
    Particle p = moved(Particle(positions[i].x, positions[i].y, velocities[i].x, velocities[i].y,
                                0u, lives[i]), frame);
    positions[i] = ivec2(p.x, p.y);
    velocities[i] = ivec2(p.vx, p.vy);
    lives[i] = p.life;
}
