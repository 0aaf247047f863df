/* SPDX-License-Identifier: MIT */
/*
 * A scan in a single pass: a workgroup publishes the total of its tile, looks back at its
 * predecessors for its prefix, and publishes the prefix combined with its total. Workgroups take
 * tiles in the order in which they start, so a workgroup waits only for others that have started.
 * Waiting is bounded: after VKR_POLLS polls the workgroup computes what is missing itself. Every
 * round of the loop settles at least one tile, so it ends whatever other workgroups do.
 *
 * Sources: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
 * (2016); T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025).
 */
#ifndef VKR_TILES_GLSL
#define VKR_TILES_GLSL

#define VKR_POLLS 4u

#define VKR_TILE_UNKNOWN 0u
#define VKR_TILE_TOTAL 1u
#define VKR_TILE_PREFIX 2u /* of the prefix combined with the total */

uint vkr_published_at(const uint tile, const uint state)
{
    return vkr_partial_at(2u * tile + state - 1u);
}

/* Publishes a value, and then the state that says that it is there. */
void vkr_publish(const uint tile, const uint state, const VkrScan s)
{
    if (!vkr_is_leader() || tile + 1u == VKR_MUTED)
        return;
    vkr_store_partial(vkr_published_at(tile, state), s);
    memoryBarrierBuffer();
    atomicExchange(vkr_counter[push.states_base + tile], state);
}

/* The maximum of all invocations' values. Subgroups combine theirs by an atomic on one word, which
 * group.glsl does not offer: on group path SHARED its reductions take 14 barriers in a workgroup of
 * 128, and this takes three. */
uint vkr_workgroup_max(uint v)
{
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    v = vkr_word_subgroup_reduce(v);
#endif
    if (VKR_ONE_SUBGROUP)
        return v;
    barrier(); /* everyone has read the word's old value */
    if (vkr_is_leader())
        vkr_shared_word = 0u;
    barrier();
    if (v != 0u)
        atomicMax(vkr_shared_word, v);
    barrier();
    return vkr_shared_word;
}

/* The tile that this invocation looks at, or ~0. Invocations look at the tiles before `next`, in
 * order. */
uint vkr_seen_tile(const uint next)
{
    uint ahead = VKR_WORKGROUP - vkr_group_rank();
    return next >= ahead ? next - ahead : ~0u;
}

/* Polls until all tiles behind the nearest known prefix are known, or until the polls are used up.
 * Both results are 1 + a tile, or 0 for none: the nearest tile whose prefix is known, and the
 * nearest one of which nothing is known. */
void vkr_poll(const uint next, out uint prefix, out uint unknown)
{
    uint tile = vkr_seen_tile(next);
    for (uint poll = 0u; poll < VKR_POLLS; poll++) {
        uint state = VKR_TILE_TOTAL;
        if (tile != ~0u)
            state = atomicOr(vkr_counter[push.states_base + tile], 0u);
        prefix = vkr_workgroup_max(state == VKR_TILE_PREFIX ? tile + 1u : 0u);
        unknown = vkr_workgroup_max(state == VKR_TILE_UNKNOWN ? tile + 1u : 0u);
        if (unknown <= prefix)
            break;
    }
    memoryBarrierBuffer();
}

/* Combines the published values of the tiles that were seen, from `begin` on. */
VkrScan vkr_combine_seen(const uint next, const uint begin, const uint prefix)
{
    uint tile = vkr_seen_tile(next);
    VkrScan s = vkr_scan_identity();
    VkrScan sum;
    if (tile != ~0u && tile >= begin)
        s = vkr_load_partial(vkr_published_at(
            tile, tile + 1u == prefix ? VKR_TILE_PREFIX : VKR_TILE_TOTAL));
    s = vkr_group_exclusive(s, sum);
    return sum;
}

/* Computes the total of another tile of this dispatch. This is rare, so it may be slow. */
VkrScan vkr_total_of_tile(const uint tile)
{
    uint v = ((tile - push.first_tile) * VKR_WORKGROUP + vkr_group_rank()) * push.items;
    uint units = vkr_units();
    uint end = v < units ? v + min(push.items, units - v) : v;
    uint until = v < end ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
    VkrScan s = vkr_scan_identity();
    VkrScan sum;
    VkrUnit none;
    for (; v < end; v++)
        vkr_scan_unit(s, until, none, vkr_unit_at(v), false, false);
    s = vkr_group_exclusive(s, sum);
    return sum;
}

/* The prefix of a tile whose total is `total`. The whole workgroup must call it. */
VkrScan vkr_look_back(const uint tile, const VkrScan total)
{
    VkrScan seen = vkr_scan_identity();
    bool is_whole = false;
    if (tile > 0u)
        vkr_publish(tile, VKR_TILE_TOTAL, total);
    /* Some drivers run loops also for lanes beyond the workgroup, for which the loop would not
     * end. */
    for (uint next = tile; next > 0u && !is_whole && vkr_group_rank() < VKR_WORKGROUP;) {
        uint prefix;
        uint unknown;
        vkr_poll(next, prefix, unknown);
        bool is_missing = unknown > prefix;
        uint begin = is_missing ? unknown : prefix > 0u ? prefix - 1u : 0u;
        seen = vkr_scan_combine(vkr_combine_seen(next, begin, is_missing ? 0u : prefix), seen);
        is_whole = !is_missing && prefix > 0u;
        next = is_missing || prefix > 0u ? begin : next - min(next, VKR_WORKGROUP);
        if (is_missing) {
            seen = vkr_scan_combine(vkr_total_of_tile(next - 1u), seen);
            next--;
        }
    }
    if (!is_whole)
        seen = vkr_scan_combine(vkr_initial(), seen);
    vkr_publish(tile, VKR_TILE_PREFIX, vkr_scan_combine(seen, total));
    return seen;
}

#endif
