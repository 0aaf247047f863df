/* SPDX-License-Identifier: MIT */
/*
 * Stores what a list of indices refers to: copies of elements or of a payload's entries, or the
 * indices themselves. It also copies entries that keep their positions. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8|16.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/pick.h"

#include "vkreduce/rest.glsl"

#if VKR_UNIT_BYTES <= 4
#define VkrMoved uint /* smaller integers are for storage only */
#else
#define VkrMoved VkrUnit
#endif

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
    uint place = push.first_entry + entry;
    uint row = place / push.wanted;
    uint i = place - row * push.wanted;
    picked.index = i;
    if ((VKR_FLAGS & VKR_FLAG_COPY) == 0u)
        picked.index = vkr_list[push.list_base + entry * push.list_stride];
    uint at = (push.first_row + row) * push.row_pitch + picked.index - push.source_first;
    picked.exists =
        unit / VKR_UNITS < push.entries && i < vkr_length_of_row(push.first_row + row, all);
    if ((VKR_FLAGS & VKR_FLAG_INDICES) == 0u)
        picked.exists = picked.exists && at < push.source_count;
    uint from = push.source_base + at * push.source_stride + unit % VKR_UNITS;
    picked.from = picked.exists ? from : 0u;
    picked.to = push.target_base + (row * push.pitch + i - push.first_entry) * push.target_stride +
                unit % VKR_UNITS;
    return picked;
}

VkrMoved vkr_moved(const VkrPicked picked)
{
#if VKR_UNIT_BYTES == 4
    if ((VKR_FLAGS & VKR_FLAG_INDICES) != 0u)
        return picked.index;
#endif
    return VkrMoved(vkr_source[picked.from]);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint all = vkr_all_elements();
    uint first = group * VKR_WORKGROUP * VKR_PICK_BATCH + gl_LocalInvocationIndex;
    VkrPicked picked[VKR_PICK_BATCH];
    VkrMoved moved[VKR_PICK_BATCH];
    [[unroll]] for (uint b = 0u; b < VKR_PICK_BATCH; b++)
        picked[b] = vkr_pick(first + b * VKR_WORKGROUP, all);
    [[unroll]] for (uint b = 0u; b < VKR_PICK_BATCH; b++)
        moved[b] = vkr_moved(picked[b]);
    [[unroll]] for (uint b = 0u; b < VKR_PICK_BATCH; b++)
        if (picked[b].exists)
            vkr_target[picked[b].to] = VkrUnit(moved[b]);
}
