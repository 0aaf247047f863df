/* SPDX-License-Identifier: MIT */
/* A splat at a pixel. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "splats.h"
#include "splats_colour.glsl"

layout(location = 0) flat in vec4 colour;
layout(location = 1) flat in vec2 middle;
layout(location = 2) flat in vec3 shape;
layout(location = 0) out vec4 blended;

void main()
{
    blended = colour_at(gl_FragCoord.xy, colour, middle, shape);
}
