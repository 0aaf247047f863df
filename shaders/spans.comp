/* SPDX-License-Identifier: MIT */
/*
 * Turns the offsets of a selection's segments into spans, one in each invocation: where a segment
 * begins, how many elements it has, and how many entries. Medium and long segments are listed, so
 * that later dispatches have workgroups for them alone; long ones are cut into parts.
 *
 * Offsets that descend, against the contract, give wrong results, but nothing is read outside of
 * the elements or stored outside of the lists.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/spans.h"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

/* The number of all elements. */
uint vkr_all_elements()
{
    uint all = push.capacity;
    if (vkr_has(VKR_FLAG_GPU_COUNT)) {
        bool fits = !vkr_has(VKR_FLAG_GPU_COUNT64) || vkr_count[push.count_base + 1u] == 0u;
        all = fits ? min(all, vkr_count[push.count_base]) : all;
    }
    return all;
}

uint vkr_all_segments()
{
    uint all = push.segments;
    if (vkr_has(VKR_FLAG_SEGMENT_COUNT)) {
        bool fits = !vkr_has(VKR_FLAG_SEGMENT_COUNT64) ||
                    vkr_segment_count[push.segment_count_base + 1u] == 0u;
        all = fits ? min(all, vkr_segment_count[push.segment_count_base]) : all;
    }
    return all;
}

uint vkr_offset(const uint i, const uint all)
{
    uint at = push.offsets_base + i * (vkr_has(VKR_FLAG_WIDE) ? 2u : 1u);
    bool fits = !vkr_has(VKR_FLAG_WIDE) || vkr_offsets[at + 1u] == 0u;
    return fits ? min(vkr_offsets[at], all) : all;
}

void vkr_list_medium(const uint segment)
{
    uint at = atomicAdd(vkr_lists[push.lists_base + VKR_LISTS_MEDIUM], 1u);
    if (at < push.medium)
        vkr_lists[push.lists_base + VKR_LISTS_WORDS + at] = segment;
}

/* The host limits the parts of all segments, and so the trips through the loop. */
void vkr_list_long(const uint segment, const uint length)
{
    uint at = atomicAdd(vkr_lists[push.lists_base + VKR_LISTS_LONG], 1u);
    if (at >= push.long_ones)
        return;
    uint long_at = push.lists_base + VKR_LISTS_WORDS + push.medium;
    uint parts_at = long_at + push.long_ones * VKR_LONG_WORDS;
    uint parts = (length - 1u) / push.share + 1u;
    uint first = atomicAdd(vkr_lists[push.lists_base + VKR_LISTS_PARTS], parts);
    vkr_lists[long_at + at * VKR_LONG_WORDS] = segment;
    vkr_lists[long_at + at * VKR_LONG_WORDS + 1u] = first;
    uint end = min(first + parts, push.parts);
    for (uint part = first; part < end; part++)
        vkr_lists[parts_at + part] = at;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint segment = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (group >= push.groups || segment >= push.segments)
        return;
    bool exists = segment < vkr_all_segments();
    uint begin = 0u, length = 0u, found = 0u;
    if (exists) {
        uint all = vkr_all_elements();
        begin = vkr_offset(segment, all);
        length = max(vkr_offset(segment + 1u, all), begin) - begin;
        found = min(length, push.wanted);
        if (vkr_has(VKR_FLAG_WANTED))
            found = min(found, vkr_wanted[push.wanted_base + segment]);
    }
    uint at = push.spans_base + segment * VKR_WORDS_OF_SPAN;
    vkr_spans[at + VKR_BEGIN_OF_SPAN] = begin;
    vkr_spans[at + VKR_LENGTH_OF_SPAN] = length;
    vkr_spans[at + VKR_FOUND_OF_SPAN] = found;
    if (exists && vkr_has(VKR_FLAG_FOUND))
        vkr_found[push.found_base + segment] = found;
    if (found == 0u || length <= push.short_length)
        return;
    if (length <= push.medium_length)
        vkr_list_medium(segment);
    else
        vkr_list_long(segment, length);
}
