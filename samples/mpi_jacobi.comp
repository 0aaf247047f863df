#version 450
/* SPDX-License-Identifier: MIT */
/* One step of Jacobi's method for Laplace's equation: cells become the mean of their neighbours. */
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer From { float from[]; }; /* with a row above and below */
layout(std430, binding = 1) writeonly buffer To { float to[]; };
layout(std430, binding = 2) writeonly buffer Change { float change[]; }; /* of the cells alone */

layout(push_constant) uniform Push { uint width, height, first, rows; } push;

void main()
{
    const uint i = gl_GlobalInvocationID.x, x = i % push.width, y = push.first + i / push.width;
    const uint at = i + push.width;
    if (i >= push.width * push.rows)
        return;
    const bool edge = x == 0 || x == push.width - 1 || y == 0 || y == push.height - 1;
    /* Without precise the compiler may choose another order of these sums. */
    precise float mean = 0.25;
    if (edge)
        mean = from[at];
    else
        mean *= (from[at - push.width] + from[at + push.width]) + (from[at - 1] + from[at + 1]);
    precise const float difference = mean - from[at];
    to[at] = mean;
    change[i] = abs(difference);
}
