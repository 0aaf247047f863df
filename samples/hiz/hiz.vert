/* SPDX-License-Identifier: MIT */
/* One box as twelve triangles. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "hiz.h"

layout(location = 0) in uint box;
layout(binding = 0, std430) readonly buffer Boxes
{
    Box boxes[];
};
layout(location = 0) flat out uint face;

void main()
{
    const int along[6] = int[](0, 1, 2, 2, 1, 3); /* the corners of a side's two triangles */
    int side = gl_VertexIndex / 6, axis = side >> 1, at = along[gl_VertexIndex % 6];
    int i = (side & 1) << axis | (at & 1) << (axis + 1) % 3 | (at >> 1) << (axis + 2) % 3;
    Point p = corner_of(boxes[box], i);
    gl_Position = vec4(float(p.x) * (2.0 * FOCAL / WIDTH), float(p.y) * (2.0 * FOCAL / HEIGHT),
                       float(p.z - NEAR), float(p.z));
    face = box * 8u + uint(side) + 1u;
}
