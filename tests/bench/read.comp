/* SPDX-License-Identifier: MIT */
/*
 * The bare read: every workgroup loads its share of the data once and leaves the xor of all its
 * words, so that no load can be left out. VKR_LOAD is the type of one load.
 */
#version 450

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WORKGROUP = 64;

layout(set = 0, binding = 0, std430) readonly buffer Data
{
    VKR_LOAD data[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Words
{
    uint words[];
};
layout(push_constant) uniform Push
{
    uint count; /* loads of the dispatch */
    uint items; /* loads of an invocation at most */
    uint first; /* word of the first workgroup */
};

shared uint total;

uint fold(uint x)
{
    return x;
}

uint fold(uvec4 x)
{
    return x.x ^ x.y ^ x.z ^ x.w;
}

void main()
{
    VKR_LOAD x = VKR_LOAD(0);
    uint i = gl_WorkGroupID.x * WORKGROUP * items + gl_LocalInvocationIndex;
    for (uint k = 0u; k < items && i < count; k++) {
        x ^= data[i];
        i += WORKGROUP;
    }
    if (gl_LocalInvocationIndex == 0u)
        total = 0u;
    barrier();
    atomicXor(total, fold(x));
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        words[first + gl_WorkGroupID.x] = total;
}
