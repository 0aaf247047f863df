/* SPDX-License-Identifier: MIT */
/* Stream reduction by discarding: a point whose element is unwanted is not emitted, and the others
 * are captured in their order. */
#version 450

layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in float value[];
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) out float kept;

layout(push_constant) uniform Push
{
    float limit;
};

void main()
{
    if (value[0] > limit) {
        kept = value[0];
        EmitVertex();
    }
}
