/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of the marks of each block, in place, and the total of each block. A workgroup
 * handles the whole blocks for which it has invocations, at least one.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/stream.h"

#define VKR_NODES VKR_UNITS
const uint VKR_BLOCK = 1u << VKR_SHIFT;
const uint VKR_SHARE = VKR_BLOCK > VKR_WORKGROUP ? VKR_BLOCK : VKR_WORKGROUP;

#include "block_scan.glsl"

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint first = group * VKR_SHARE;
    uint length = min(push.count - first, VKR_SHARE);
    for (uint i = gl_LocalInvocationIndex; i < VKR_SHARE; i += VKR_WORKGROUP)
        vkr_sums[i] = i < length ? vkr_marks[push.sums_base + first + i] : 0u;
    vkr_scan_blocks();
    for (uint i = gl_LocalInvocationIndex; i < length; i += VKR_WORKGROUP)
        vkr_marks[push.sums_base + first + i] = vkr_inclusive_sum(i);
    for (uint b = gl_LocalInvocationIndex; b < VKR_SHARE >> VKR_SHIFT; b += VKR_WORKGROUP) {
        if (b << VKR_SHIFT < length)
            vkr_totals[push.totals_base + (first >> VKR_SHIFT) + b] = vkr_total_of_block(b);
    }
}
