/* SPDX-License-Identifier: MIT */
/*
 * For each position of a list of elements: stores the number of the segment that the element is in,
 * or its index in the segment of the position. A segment starts at element 0 and at each offset, so
 * its number is that of the offsets up to the element, which a binary search finds.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/sort_segments.h"

/* An offset; one past 2^32 starts no segment, and neither does its substitute. */
uint vkr_offset(const uint i)
{
    if ((VKR_FLAGS & VKR_FLAG_OFFSETS64) == 0u)
        return vkr_offsets[push.offsets_base + i];
    uint at = push.offsets_base + 2u * i;
    return vkr_offsets[at + 1u] != 0u ? 0xffffffffu : vkr_offsets[at];
}

/* The number of offsets up to an element. */
uint vkr_segment_of(const uint element)
{
    uint low = 0u, high = push.offsets;
    while (low < high) {
        uint middle = low + (high - low) / 2u;
        bool starts_after = vkr_offset(middle) > element;
        low = starts_after ? low : middle + 1u;
        high = starts_after ? middle : high;
    }
    return low;
}

uint vkr_all()
{
    uint all = push.count;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        bool wide = (VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u;
        bool above = wide && vkr_count[push.count_base + 1u] != 0u;
        all = above ? all : min(all, vkr_count[push.count_base]);
    }
    return all;
}

void main()
{
    const bool numbers = (VKR_FLAGS & VKR_FLAG_NUMBERS) != 0u;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint step_ = gl_NumWorkGroups.x * gl_NumWorkGroups.y * VKR_WORKGROUP;
    const uint end = vkr_all();
    for (uint i = group * VKR_WORKGROUP + gl_LocalInvocationIndex; i < end; i += step_) {
        uint element = vkr_list[push.list_base + i];
        uint segment = vkr_segment_of(numbers ? element : i);
        uint start = numbers || segment == 0u ? 0u : vkr_offset(segment - 1u);
        vkr_target[push.target_base + i * push.target_stride] = numbers ? segment : element - start;
    }
}
