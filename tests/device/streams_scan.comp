/* SPDX-License-Identifier: MIT */
/* The prefix sums of stream reduction inside blocks, with their additions counted. Each workgroup
 * has VKR_SHARE numbers of its own. */
#version 450
#extension GL_GOOGLE_include_directive : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint VKR_WORKGROUP = 64;
layout(constant_id = 1) const uint VKR_BLOCK = 64;
layout(constant_id = 2) const uint VKR_NODES = 64;
const uint VKR_SHARE = VKR_BLOCK > VKR_WORKGROUP ? VKR_BLOCK : VKR_WORKGROUP;

layout(set = 0, binding = 0, std430) readonly buffer Numbers
{
    uint numbers[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Sums
{
    uint sums[]; /* inclusive */
};
layout(set = 0, binding = 2, std430) writeonly buffer Totals
{
    uint totals[]; /* of blocks */
};
layout(set = 0, binding = 3, std430) buffer Additions
{
    uint additions[]; /* of workgroups */
};

uint own_additions = 0u;
#define VKR_ON_ADDITION() own_additions++;
#include "documents/block_scan.glsl"

void main()
{
    uint first = gl_WorkGroupID.x * VKR_SHARE;
    uint blocks = VKR_SHARE / VKR_BLOCK;
    for (uint i = gl_LocalInvocationIndex; i < VKR_SHARE; i += VKR_WORKGROUP)
        vkr_sums[i] = numbers[first + i];
    vkr_scan_blocks();
    for (uint i = gl_LocalInvocationIndex; i < VKR_SHARE; i += VKR_WORKGROUP)
        sums[first + i] = vkr_inclusive_sum(i);
    for (uint b = gl_LocalInvocationIndex; b < blocks; b += VKR_WORKGROUP)
        totals[gl_WorkGroupID.x * blocks + b] = vkr_total_of_block(b);
    atomicAdd(additions[gl_WorkGroupID.x], own_additions);
}
