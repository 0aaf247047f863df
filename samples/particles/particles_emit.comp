/* SPDX-License-Identifier: MIT */
/* Makes a frame's candidates; life is 0 in those that are not born. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "particles.h"

layout(local_size_x = LOCAL_SIZE) in;
layout(binding = 0, std430) writeonly buffer Positions
{
    ivec2 positions[];
};
layout(binding = 1, std430) writeonly buffer Velocities
{
    ivec2 velocities[];
};
layout(binding = 2, std430) writeonly buffer Colours
{
    uint colours[];
};
layout(binding = 3, std430) writeonly buffer Lives
{
    uint lives[];
};
layout(push_constant) uniform Push
{
    uint frame;
    uint candidates;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= candidates)
        return;
    Particle p = emitted(i, frame);
    positions[i] = ivec2(p.x, p.y);
    velocities[i] = ivec2(p.vx, p.vy);
    colours[i] = p.colour;
    lives[i] = p.life;
}
