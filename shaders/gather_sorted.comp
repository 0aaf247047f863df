/* SPDX-License-Identifier: MIT */
/*
 * Copies the entries of a payload to the positions that a sort gives them, by its list of indices.
 * Built with -DVKR_UNIT_BYTES=1|2|4|8|16.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/gather_sorted.h"

#if VKR_UNIT_BYTES <= 4
#define VkrMoved uint /* smaller integers are for storage only */
#else
#define VkrMoved VkrUnit
#endif
#define VKR_BATCH 4u /* units that are loaded before the first is stored */

uint vkr_from(const uint unit)
{
    uint position = push.first + unit / VKR_UNITS;
    uint entry = position;
    if ((VKR_FLAGS & VKR_FLAG_COPY) == 0u)
        entry = position - position % push.row_length +
                vkr_list[push.list_base + position * push.list_stride];
    return push.source_base + entry * push.source_stride + unit % VKR_UNITS;
}

uint vkr_to(const uint unit)
{
    uint position = push.first + unit / VKR_UNITS;
    return push.target_base + position * push.target_stride + unit % VKR_UNITS;
}

/* The number of entries of this dispatch. */
uint vkr_entries()
{
    uint all = push.count;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        bool wide = (VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u;
        bool above = wide && vkr_count[push.count_base + 1u] != 0u;
        all = above ? all : min(all, vkr_count[push.count_base]);
    }
    return all > push.first ? min(all - push.first, push.entries) : 0u;
}

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint step_ = gl_NumWorkGroups.x * gl_NumWorkGroups.y * VKR_WORKGROUP;
    const uint units = vkr_entries() * VKR_UNITS;
    uint at = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    for (; at + (VKR_BATCH - 1u) * step_ < units; at += VKR_BATCH * step_) {
        VkrMoved moved[VKR_BATCH];
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
            moved[i] =
            VkrMoved(vkr_source[vkr_from(at + i * step_)]);
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
            vkr_target[vkr_to(at + i * step_)] =
            VkrUnit(moved[i]);
    }
    for (; at < units; at += step_)
        vkr_target[vkr_to(at)] = VkrUnit(VkrMoved(vkr_source[vkr_from(at)]));
}
