/* SPDX-License-Identifier: MIT */
/* Draws a particle as a point, which fades out at the end of its life. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "particles.h"

layout(location = 0) in ivec2 position;
layout(location = 1) in vec4 colour;
layout(location = 2) in uint life;
layout(push_constant) uniform Push
{
    float exposure;
};
layout(location = 0) out vec4 shade;

void main()
{
    gl_Position = vec4(vec2(position) / vec2(SIDE, BOTTOM), 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = colour * exposure * min(float(life) / 32.0, 1.0);
}
