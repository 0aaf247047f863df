/* SPDX-License-Identifier: MIT */
/* Keeps the device busy: a chain of operations that no compiler can shorten, and no memory traffic.
 * The state of this generator (xorshift) never becomes 0, which no compiler knows, so nothing is
 * ever stored. */
#version 450

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) buffer Result
{
    uint result;
};
layout(push_constant) uniform Push
{
    uint trips;
};

void main()
{
    uint state = gl_GlobalInvocationID.x | 1u;
    for (uint i = 0u; i < trips; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    if (state == 0u)
        result = state;
}
