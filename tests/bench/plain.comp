/* SPDX-License-Identifier: MIT */
/* A bare kernel: a histogram of floats in 256 even bins of [0, 1), written in the simplest way:
 * the bin is a product of floats, elements are loaded one at a time, and each workgroup counts with
 * atomics in shared memory. */
#version 450

#define BINS 256u

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WORKGROUP = 256;

layout(set = 0, binding = 0, std430) readonly buffer Data
{
    float data[];
};
layout(set = 0, binding = 1, std430) buffer Counts
{
    uint counts[];
};
layout(push_constant) uniform Push
{
    uint count;
};

shared uint own[BINS];

void main()
{
    uint lane = gl_LocalInvocationIndex, step = gl_NumWorkGroups.x * WORKGROUP;
    for (uint k = lane; k < BINS; k += WORKGROUP)
        own[k] = 0u;
    barrier();
    for (uint i = gl_WorkGroupID.x * WORKGROUP + lane; i < count; i += step) {
        float x = data[i];
        if (x >= 0.0 && x < 1.0)
            atomicAdd(own[min(uint(x * float(BINS)), BINS - 1u)], 1u);
    }
    barrier();
    for (uint k = lane; k < BINS; k += WORKGROUP)
        if (own[k] != 0u)
            atomicAdd(counts[k], own[k]);
}
