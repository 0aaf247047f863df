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

#define VKR_GROUP_T uvec2
#define VKR_GROUP_IDENTITY uvec2(0u)
#define VKR_GROUP_COMBINE(a, b) vkr_add(a, b)
#define VKR_GROUP_COMMUTES
#include "vkreduce/lanes.glsl"

#include "vkreduce/expand_counts.glsl"

uvec2 vkr_sum_of_tile(const uint first)
{
    uvec2 sum = uvec2(0u);
    const uint mine = first + vkr_rank * VKR_SOURCES;
    for (uint k = 0u; k < VKR_SOURCES; k += VKR_LOADED) {
        const uvec4 counts = vkr_counts_of(mine + k);
        [[unroll]] for (uint c = 0u; c < VKR_LOADED; c++)
            sum = vkr_add(sum, uvec2(counts[c], 0u));
    }
    return vkr_group_reduce(sum);
}

void main()
{
    const uint group = vkr_group_number();
    if (group >= push.groups)
        return;
    const uint block = push.first_low / (VKR_TILE * VKR_EXPAND_BLOCK) + group;
    uvec2 before = uvec2(0u);
    for (uint t = 0u; t < VKR_EXPAND_BLOCK; t++) {
        uvec2 sum = vkr_sum_of_tile((group * VKR_EXPAND_BLOCK + t) * VKR_TILE);
        if (vkr_is_leader())
            vkr_table[vkr_tile_at(block * VKR_EXPAND_BLOCK + t)] = vkr_saturated(before);
        before = vkr_add(before, sum);
    }
    if (vkr_is_leader()) {
        vkr_table[vkr_block_at(block)] = before.x;
        vkr_table[vkr_block_at(block) + 1u] = before.y;
    }
}
