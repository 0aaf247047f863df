/* SPDX-License-Identifier: MIT */
/* Four corners for each splat, the farthest one first. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "splats.h"

layout(binding = OUTLINES) readonly buffer Outlines { Outline outlines[]; };
layout(binding = ORDER) readonly buffer Order { uint order[]; };
layout(location = 0) flat out vec4 colour;
layout(location = 1) flat out vec2 middle;
layout(location = 2) flat out vec3 shape;

void main()
{
    Outline o = outlines[order[gl_InstanceIndex]];
    vec2 corner = REACH * (vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0);
    vec2 pixel = o.middle + vec2(o.width * corner.x, o.shear * corner.x + o.height * corner.y);
    gl_Position = vec4(pixel / vec2(WIDTH, HEIGHT) * 2.0 - 1.0, 0.0, 1.0);
    colour = o.colour;
    middle = o.middle;
    shape = vec3(1.0 / o.width, o.shear, 1.0 / o.height);
}
