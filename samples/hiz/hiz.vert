/* SPDX-License-Identifier: MIT */
/* One box as twelve triangles. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "../common/box.glsl"
#include "hiz.h"

layout(location = 0) in uint box;
layout(binding = 0, std430) readonly buffer Boxes
{
    Box boxes[];
};
layout(location = 0) flat out uint face;

void main()
{
    int side = gl_VertexIndex / 6;
    Point p = corner_of(boxes[box], corner_of_vertex(gl_VertexIndex));
    gl_Position = vec4(float(p.x) * (2.0 * FOCAL / WIDTH), float(p.y) * (2.0 * FOCAL / HEIGHT),
                       float(p.z - NEAR), float(p.z));
    face = box * 8u + uint(side) + 1u;
}
