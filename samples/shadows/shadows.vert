/* SPDX-License-Identifier: MIT */
/* Draws solids as the camera sees them. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shadows.h"
#define SET 0
#include "shadows.glsl"
#include "solids.glsl"

layout(binding = 3, std430) readonly buffer Solids { Solid solids[]; };
layout(location = 0) flat out uint face;

void main()
{
    vec3 p = corner_of(solids[gl_InstanceIndex], corner_of_vertex(gl_VertexIndex)) - view.eye.xyz;
    float z = dot(view.ahead.xyz, p);
    gl_Position = vec4(dot(view.right.xyz, p) * (2.0 * FOCAL / WIDTH),
                       dot(view.down.xyz, p) * (2.0 * FOCAL / HEIGHT), z - NEAR, z);
    face = 8u * gl_InstanceIndex + uint(gl_VertexIndex) / 6u + 1u;
}
