/* SPDX-License-Identifier: MIT */
/* Stream reduction by discarding: only points whose elements are kept are emitted, and they are
 * captured in order. */
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
