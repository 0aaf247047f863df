/* SPDX-License-Identifier: MIT */
/*
 * Finds the number of kept elements before a tile from what the tiles before it have published. A
 * tile publishes a state and a number in one word, so that no memory order matters except that of
 * the word itself. Polls are bounded; after them the workgroup counts the missing tile itself, so
 * that it never waits for a workgroup that does not run. Sources: D. Merrill, M. Garland,
 * "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016); T. Smith, R. Levien, J.
 * Owens, "Decoupled Fallback" (2025).
 */
#ifndef VKR_LOOKBACK_GLSL
#define VKR_LOOKBACK_GLSL

#define VKR_TILE_COUNT (1u << 30)  /* the number is the tile's own */
#define VKR_TILE_PREFIX (2u << 30) /* the number is that of the tile and all tiles before it */
#define VKR_TILE_NUMBER (VKR_TILE_COUNT - 1u)
#define VKR_POLLS 4u

/* What the leader's row has seen: the number of kept elements in the tiles right before a tile, and
 * whether a tile that has published nothing lies before those. */
struct VkrSeen {
    uint number;
    uint tiles;
    bool is_missing;
};
shared VkrSeen vkr_seen;

uint vkr_state_at(const uint tile)
{
    return push.counter_base + 1u + tile;
}

void vkr_publish(const uint tile, const uint state)
{
    if (vkr_is_leader() && tile + 1u != VKR_MUTED)
        atomicMax(vkr_counter[vkr_state_at(tile)], state);
}

/* One row of invocations polls: a subgroup, or a single invocation where there are no shuffles. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_LOOKERS 1u
#define vkr_row_least(v) (v)
#define vkr_row_sum(v) (v)
#else
#define VKR_LOOKERS VKR_ROW_SIZE
#define VKR_GROUP_NAME(name) vkr_least_##name
#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY (~0u)
#define VKR_GROUP_COMBINE(a, b) min(a, b)
#define VKR_GROUP_REDUCE(v) subgroupMin(v)
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#define VKR_GROUP_SLOT(i) vkr_shared_word
#include "lanes.glsl"
#define vkr_row_least(v) vkr_least_subgroup_reduce(v)
#define vkr_row_sum(v) vkr_group_subgroup_reduce(v)
#endif

/* The row polls, each lane one of the tiles right before `tile`. Returns the number of kept
 * elements up to the nearest prefix or to the nearest tile that has published nothing, whichever
 * comes first. */
VkrSeen vkr_look(const uint tile)
{
    uint row = VKR_LOOKERS;
    uint mine = vkr_group_rank();
    uint state = VKR_TILE_PREFIX; /* of lanes that are past the first tile */
    uint prefix = row;
    uint missing = row;
    [[dont_unroll]] for (uint poll = 0u; poll < VKR_POLLS; poll++) {
        if (mine < tile)
            state = atomicAdd(vkr_counter[vkr_state_at(tile - 1u - mine)], 0u);
        prefix = vkr_row_least(state >= VKR_TILE_PREFIX ? mine : row);
        missing = vkr_row_least(state < VKR_TILE_COUNT ? mine : row);
        if (missing >= prefix || missing == row)
            break;
    }
    uint stop = min(prefix, missing);
    bool counts = mine < stop || (mine == prefix && prefix < missing);
    uint number = vkr_row_sum(counts ? state & VKR_TILE_NUMBER : 0u);
    /* Where a prefix was seen, it stands for all tiles. */
    return VkrSeen(number, prefix < missing ? tile : min(missing, tile), missing < prefix);
}

/* Passes what the row has seen to the whole workgroup. */
VkrSeen vkr_look_for_all(const uint tile)
{
    if (VKR_ONE_SUBGROUP)
        return vkr_look(tile);
    barrier(); /* everyone has read what was seen last */
    if (vkr_group_rank() < VKR_LOOKERS) {
        VkrSeen seen = vkr_look(tile);
        if (vkr_is_leader())
            vkr_seen = seen;
    }
    barrier();
    return vkr_seen;
}

/* Continues to look back from tile `left`: `before` lacks the tiles before that one. Returns a tile
 * that has to be counted here, or ~0. */
uint vkr_look_back(const uint tile, const uint total, inout uint left, inout uint before)
{
    if (left == tile && tile > 0u)
        vkr_publish(tile, VKR_TILE_COUNT | total);
    /* Some drivers run loops also for lanes beyond the workgroup, for which the loop would not
     * end. */
    uint missing = ~0u; /* no return in the loop, so that the library can inline this (inline.h) */
    while (left > 0u && missing == ~0u && vkr_group_rank() < VKR_WORKGROUP) {
        VkrSeen seen = vkr_look_for_all(left);
        before += seen.number;
        left -= seen.tiles;
        if (seen.is_missing) {
            left--;
            missing = left;
        }
    }
    if (missing == ~0u)
        vkr_publish(tile, VKR_TILE_PREFIX | (before + total));
    return missing;
}

#endif
