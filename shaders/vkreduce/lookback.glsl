/* SPDX-License-Identifier: MIT */
/*
 * Decoupled look-back, which needs one pass over memory. A workgroup publishes the total of its
 * tile, looks back at the tiles before it until it knows its prefix, and publishes the prefix
 * combined with its total. Workgroups are assigned tiles in the order in which they start, so a
 * workgroup waits only for others that have started. Waiting is bounded: after VKR_POLLS polls the
 * workgroup computes the total of the missing tile itself. Every round of the loop resolves at
 * least one tile, so the loop ends whatever other workgroups do.
 *
 * A tile publishes words, each of which holds the tile's state and some bits of its value. A word
 * tells by itself whether these bits are there, so that nothing must be ordered with other accesses
 * to memory, and no load waits for another one. The includer defines the values and their words:
 * tiles.glsl for values of any size, counted.glsl for counts of 30 bits.
 *     VkrScan, VkrRunning        a value, and one that others join or precede (state.glsl), with
 *                                vkr_scan_identity, vkr_initial, vkr_run_from, vkr_scan_of,
 *                                vkr_join and vkr_precede
 *     VkrPublished               what a tile has published, with its state in a member `state`
 *     vkr_publish_value(uint tile, uint state, VkrRunning value)
 *                                stores the words of a tile
 *     VkrPublished vkr_nothing_published(), vkr_poll(uint tile)
 *                                an identity, with the state TOTAL; and what a tile has published,
 *                                whose state is 0 unless all of its words have the same one
 *     VkrRunning vkr_seen_values(uint next, VkrPublished published, uint begin, bool is_whole)
 *                                called by the row that looks back, whose lanes have polled
 *                                consecutive tiles, up to the one before `next`: what the totals of
 *                                the tiles starting at `begin` combine to. Where is_whole, the
 *                                prefix of the tile before `begin` precedes them
 *     vkr_put_seen(VkrRunning value), VkrRunning vkr_get_seen()
 *                                pass a value through shared memory
 *     VkrScan vkr_total_of_tile(uint tile)
 *                                computes the total of any tile. The whole workgroup calls it
 *                                and, unless it is one subgroup, meets at a barrier there
 *
 * Sources: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
 * (2016); T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025).
 */
#ifndef VKR_LOOKBACK_GLSL
#define VKR_LOOKBACK_GLSL

#include "published.glsl"

#define VKR_POLLS 4u

void vkr_publish(const uint tile, const uint state, const VkrRunning value)
{
    if (vkr_is_leader() && tile + 1u != VKR_MUTED)
        vkr_publish_value(tile, state, value);
}

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define vkr_row_max(v) (v)
#else
#define vkr_row_max(v) vkr_word_subgroup_reduce(v)
#endif

/* The row polls the tiles before `next`, in order, until all tiles after the nearest published
 * prefix have published, or until the polls are used up. It puts the values that it sees before
 * `seen`, back to that prefix or to a tile that has published nothing. */
void vkr_look(inout uint next, inout VkrRunning seen)
{
    uint tile = vkr_polled_tile(next);
    VkrPublished published = vkr_nothing_published();
    uint prefix = 0u;  /* 1 + the nearest tile whose prefix is known, or 0 */
    uint unknown = 0u; /* 1 + the nearest tile that has published nothing, or 0 */
    [[dont_unroll]] for (uint poll = 0u; poll < VKR_POLLS; poll++) {
        if (tile < VKR_WHOLE)
            published = vkr_poll(tile);
        prefix = vkr_row_max(published.state >= VKR_TILE_PREFIX ? tile + 1u : 0u);
        unknown = vkr_row_max(published.state < VKR_TILE_TOTAL ? tile + 1u : 0u);
        if (unknown <= prefix)
            break;
    }
    bool is_whole = prefix > unknown;
    vkr_precede(seen, vkr_seen_values(next, published, max(unknown, prefix), is_whole));
    next = is_whole        ? VKR_WHOLE
           : unknown != 0u ? VKR_MISSING | unknown
                           : next - min(next, VKR_LOOKBACK_LANES);
}

/* The positions of the look-back after even and after odd rounds: others may still read one word
 * while the leader writes the other. */
shared uint vkr_lookback_positions[2];

/* The row looks back once and shares its position with the whole workgroup. The others read the
 * seen values only if the look-back ends or a tile is missing; in both cases they finish reading
 * before the leader writes them again. */
void vkr_look_and_share(const uint round, inout uint next, inout VkrRunning seen)
{
    if (vkr_group_rank() < VKR_LOOKBACK_LANES)
        vkr_look(next, seen);
    if (!VKR_ONE_SUBGROUP) {
        if (vkr_is_leader()) {
            vkr_lookback_positions[round % 2u] = next;
            vkr_put_seen(seen);
        }
        barrier();
        next = vkr_lookback_positions[round % 2u];
        if (next == 0u || next >= VKR_MISSING)
            seen = vkr_get_seen();
    }
}

/* The prefix of a tile whose total is `total`. The whole workgroup must call it and runs the rounds
 * together: some drivers lose stores after nested loops that only one of several subgroups runs. */
VkrScan vkr_look_back(const uint tile, const VkrScan total)
{
    VkrRunning seen = vkr_run_from(vkr_scan_identity());
    if (tile > 0u)
        vkr_publish(tile, VKR_TILE_TOTAL, vkr_run_from(total));
    /* Some drivers also run loops for lanes beyond the workgroup, for which this loop would not
     * end. */
    uint next = vkr_group_rank() < VKR_WORKGROUP ? tile : 0u;
    for (uint round = 0u; next > 0u && next != VKR_WHOLE; round++) {
        vkr_look_and_share(round, next, seen);
        if (next > VKR_MISSING) {
            next -= VKR_MISSING + 1u;
            vkr_precede(seen, vkr_run_from(vkr_total_of_tile(next)));
        }
    }
    if (next == 0u)
        vkr_precede(seen, vkr_run_from(vkr_initial()));
    VkrScan prefix = vkr_scan_of(seen);
    vkr_join(seen, total);
    vkr_publish(tile, VKR_TILE_PREFIX, seen);
    return prefix;
}

#endif
