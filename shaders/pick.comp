/* SPDX-License-Identifier: MIT */
/*
 * Stores what a selection has found: copies of elements or of a payload's entries, by the list of
 * indices, or these indices. Built with -DVKR_UNIT_BYTES=1|2|4|8|16.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/pick.h"

#include "vkreduce/rest.glsl"

const uint VKR_BATCH = 4u; /* units that an invocation copies */

/* Whether an entry exists, and where its unit comes from and goes to. */
struct VkrPicked {
    bool exists;
    uint from;
    uint to;
    uint index;
};

VkrPicked vkr_pick(const uint unit, const uint all)
{
    VkrPicked picked;
    uint entry = min(unit / VKR_UNITS, push.entries - 1u);
    uint row = entry / push.wanted;
    uint i = entry - row * push.wanted;
    uint first = (push.first_row + row) * push.row_length;
    bool is_found = i < vkr_length_of_row(push.first_row + row, all);
    picked.index = is_found ? vkr_list[push.list_base + entry] : 0u;
    uint at = first + picked.index - push.source_first;
    picked.exists = is_found && unit / VKR_UNITS < push.entries;
    if ((VKR_FLAGS & VKR_FLAG_INDICES) == 0u)
        picked.exists = picked.exists && at < push.source_count;
    picked.from = push.source_base + at * push.source_stride + unit % VKR_UNITS;
    picked.to = push.target_base + (row * push.pitch + i) * push.target_stride + unit % VKR_UNITS;
    return picked;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint all = vkr_all_elements();
    uint first = group * VKR_WORKGROUP * VKR_BATCH + gl_LocalInvocationIndex;
    [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++) {
        VkrPicked picked = vkr_pick(first + b * VKR_WORKGROUP, all);
        if (picked.exists) {
#if VKR_UNIT_BYTES == 4
            if ((VKR_FLAGS & VKR_FLAG_INDICES) != 0u)
                vkr_target[picked.to] = picked.index;
            else
#endif
                vkr_target[picked.to] = vkr_source[picked.from];
        }
    }
}
