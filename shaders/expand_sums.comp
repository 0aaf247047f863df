/* SPDX-License-Identifier: MIT */
/*
 * Adds up the counts of a block of sources, and stores the sums before each of its tiles. Built
 * with -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/expand.h"

#include "vkreduce/expand.glsl"
#include "vkreduce/count.glsl"

#define VKR_GROUP_T uvec2
#define VKR_GROUP_IDENTITY uvec2(0u)
#define VKR_GROUP_COMBINE(a, b) vkr_add(a, b)
#define VKR_GROUP_COMMUTES
#include "vkreduce/lanes.glsl"

/* Sources of an invocation lie side by side with those of others. */
uvec2 vkr_sum_of(const uint first, const uint covered)
{
    uvec2 sum = uvec2(0u);
    [[unroll]] for (uint k = 0u; k < VKR_SOURCES; k++) {
        uint i = first + k * VKR_WORKGROUP + vkr_group_rank();
        if (i < covered)
            sum = vkr_add(sum, uvec2(vkr_counts[push.counts_base + i * push.counts_stride], 0u));
    }
    return vkr_group_reduce(sum);
}

void main()
{
    const uint group = vkr_group_number();
    if (group >= push.groups)
        return;
    const uint covered = vkr_covered(vkr_total());
    const uint block = push.first_low / (VKR_TILE * VKR_EXPAND_BLOCK) + group;
    uvec2 before = uvec2(0u);
    for (uint t = 0u; t < VKR_EXPAND_BLOCK; t++) {
        uvec2 sum = vkr_sum_of((group * VKR_EXPAND_BLOCK + t) * VKR_TILE, covered);
        if (vkr_is_leader())
            vkr_table[vkr_tile_at(block * VKR_EXPAND_BLOCK + t)] = vkr_saturated(before);
        before = vkr_add(before, sum);
    }
    if (vkr_is_leader()) {
        vkr_table[vkr_block_at(block)] = before.x;
        vkr_table[vkr_block_at(block) + 1u] = before.y;
    }
}
