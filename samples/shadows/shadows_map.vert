/* SPDX-License-Identifier: MIT */
/* Draws solids into the shadow map of a cascade, whose box only the GPU may know. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shadows.h"
#define SET 0
#include "shadows.glsl"
#include "solids.glsl"

layout(binding = 3, std430) readonly buffer Solids { Solid solids[]; };
layout(push_constant) uniform Turns { Turn turn; };

void main()
{
    vec3 p = corner_of(solids[gl_InstanceIndex], corner_of_vertex(gl_VertexIndex));
    vec3 place = place_of(cascades[turn.kind].boxes[turn.cascade], in_light(p));
    gl_Position = vec4(place.xy * (2.0 / MAP_SIDE) - 1.0, place.z, 1.0);
}
