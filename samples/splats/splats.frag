/* SPDX-License-Identifier: MIT */
/* The colour of a splat at a pixel, times its opacity there. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "splats.h"

layout(location = 0) flat in vec4 colour;
layout(location = 1) flat in vec2 middle;
layout(location = 2) flat in vec3 shape;
layout(location = 0) out vec4 blended;

void main()
{
    vec2 from = gl_FragCoord.xy - middle;
    float u = from.x * shape.x;
    float v = (from.y - shape.y * u) * shape.z;
    float weight = max(exp(-0.5 * (u * u + v * v)) - TAIL, 0.0) / (1.0 - TAIL);
    float alpha = colour.a * weight;
    blended = vec4(colour.rgb * alpha, alpha);
}
