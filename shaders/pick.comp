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
#include "cards/span.h"
#include "cards/pick.h"

#include "vkreduce/rest.glsl"

#if VKR_UNIT_BYTES <= 4
#define VkrMoved uint /* smaller integers are for storage only */
#else
#define VkrMoved VkrUnit
#endif

/* Whether an entry exists, or is stored as one that comes last; and where its unit comes from and
 * goes to. */
struct VkrPicked {
    bool exists;
    bool is_stored;
    uint from;
    uint to;
    uint index;
};

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

/* The first element of a row of this dispatch, and the number of its entries at most. */
uvec2 vkr_find_row(const uint row, const uint all)
{
    if (vkr_has(VKR_FLAG_COLUMNS))
        return uvec2(0u, all);
    if (vkr_has(VKR_FLAG_SPANS)) {
        uint span = push.spans_base + row * VKR_WORDS_OF_SPAN;
        return uvec2(vkr_spans[span + VKR_BEGIN_OF_SPAN], vkr_spans[span + VKR_FOUND_OF_SPAN]);
    }
    return uvec2((push.first_row + row) * push.row_pitch,
                 vkr_length_of_row(push.first_row + row, all));
}

VkrPicked vkr_pick(const uint unit, const uint all)
{
    VkrPicked picked;
    uint entry = min(unit / VKR_UNITS, push.entries - 1u);
    uint place = push.first_entry + entry;
    uint row = place / push.wanted;
    uint i = place - row * push.wanted;
    uvec2 found = vkr_find_row(row, all);
    picked.index = i;
    if (!vkr_has(VKR_FLAG_COPY))
        picked.index = vkr_list[push.list_base + entry * push.list_stride];
    uint at = found.x + picked.index;
    if (vkr_has(VKR_FLAG_COLUMNS))
        at = place % push.columns * push.row_pitch + picked.index * push.apart;
    at -= push.source_first;
    bool is_inside = unit / VKR_UNITS < push.entries;
    picked.exists = is_inside && i < found.y;
    bool lacks = is_inside && i >= found.y;
    if (!vkr_has(VKR_FLAG_INDICES))
        picked.exists = picked.exists && at < push.source_count;
    picked.is_stored = picked.exists || (vkr_has(VKR_FLAG_PADDED) && lacks);
    uint from = push.source_base + at * push.source_stride + unit % VKR_UNITS;
    picked.from = picked.exists ? from : 0u;
    picked.to = push.target_base + (row * push.pitch + i - push.first_entry) * push.target_stride +
                unit % VKR_UNITS;
    return picked;
}

VkrMoved vkr_moved(const VkrPicked picked, const uint unit)
{
#if VKR_UNIT_BYTES <= 4
    if (vkr_has(VKR_FLAG_PADDED) && !picked.exists)
        return unit % VKR_UNITS == 0u ? push.pad_low : push.pad_high;
#elif VKR_UNIT_BYTES == 8
    if (vkr_has(VKR_FLAG_PADDED) && !picked.exists)
        return uvec2(push.pad_low, push.pad_high);
#endif
#if VKR_UNIT_BYTES == 4
    if (vkr_has(VKR_FLAG_INDICES))
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
        moved[b] = vkr_moved(picked[b], first + b * VKR_WORKGROUP);
    [[unroll]] for (uint b = 0u; b < VKR_PICK_BATCH; b++)
        if (picked[b].is_stored)
            vkr_target[picked[b].to] = VkrUnit(moved[b]);
}
