/* SPDX-License-Identifier: MIT */
/*
 * Scans the sums of blocks, and records how many outputs there are in all. Those that are not
 * stored are recorded as rejected. Built with -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/expand.h"

#include "vkreduce/expand.glsl"

#define VKR_GROUP_T uvec2
#define VKR_GROUP_IDENTITY uvec2(0u)
#define VKR_GROUP_COMBINE(a, b) vkr_add(a, b)
#define VKR_GROUP_COMMUTES
#include "vkreduce/lanes.glsl"

void vkr_record(const uint entry, const uvec2 number)
{
    vkr_table[push.table_base + entry] = number.x;
    vkr_table[push.table_base + entry + 1u] = number.y;
}

void main()
{
    if (vkr_group_number() != 0u)
        return;
    uvec2 before = uvec2(0u);
    for (uint first = 0u; first < push.blocks; first += VKR_WORKGROUP) {
        const uint block = first + vkr_group_rank();
        const uint at = vkr_block_at(block);
        uvec2 sum = uvec2(0u), all;
        if (block < push.blocks)
            sum = uvec2(vkr_table[at], vkr_table[at + 1u]);
        sum = vkr_group_exclusive(sum, all);
        if (block < push.blocks)
            vkr_table[at] = vkr_saturated(vkr_add(before, sum));
        before = vkr_add(before, all);
    }
    if (vkr_is_leader()) {
        uvec2 left = vkr_subtract(before, vkr_minimum(before, uvec2(push.room, 0u)));
        vkr_record(VKR_RECORD_KEPT, before);
        vkr_record(VKR_RECORD_COUNT, vkr_add(before, left));
        vkr_record(VKR_RECORD_APPEND, uvec2(0u));
    }
}
