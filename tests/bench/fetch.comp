/* SPDX-License-Identifier: MIT */
/* A bare kernel: the minima and maxima of an image's channels, by texelFetch. Each workgroup reads
 * several rows. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#define FLIGHT 4u

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const bool CHUNKED = false; /* a lane's texels are adjacent */

layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1, std430) buffer Words
{
    vec4 words[];
};
layout(push_constant) uniform Push
{
    uint width; /* unless it is a multiple of WORKGROUP * FLIGHT, last texels are read repeatedly */
    uint height;
    uint rows; /* per workgroup */
};

shared vec4 lows[WORKGROUP], highs[WORKGROUP];

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint share = (width + WORKGROUP * FLIGHT - 1u) / (WORKGROUP * FLIGHT) * FLIGHT;
    uint first = CHUNKED ? lane * share : lane, stride = CHUNKED ? 1u : WORKGROUP;
    uint y = gl_WorkGroupID.x * rows;
    vec4 low = vec4(3e38), high = vec4(-3e38);
    for (uint end = min(y + rows, height); y < end; y++) {
        uint x = first;
        for (uint k = 0u; k < share; k += FLIGHT) {
            vec4 texels[FLIGHT];
            [[unroll]] for (uint f = 0u; f < FLIGHT; f++)
                texels[f] = texelFetch(image, ivec2(min(x + f * stride, width - 1u), y), 0);
            [[unroll]] for (uint f = 0u; f < FLIGHT; f++) {
                low = min(low, texels[f]);
                high = max(high, texels[f]);
            }
            x += FLIGHT * stride;
        }
    }
    low = subgroupMin(low);
    high = subgroupMax(high);
    if (subgroupElect()) {
        lows[gl_SubgroupID] = low;
        highs[gl_SubgroupID] = high;
    }
    barrier();
    for (uint s = 1u; lane == 0u && s < gl_NumSubgroups; s++) {
        low = min(low, lows[s]);
        high = max(high, highs[s]);
    }
    if (lane == 0u) {
        words[2u * gl_WorkGroupID.x] = low;
        words[2u * gl_WorkGroupID.x + 1u] = high;
    }
}
