/* SPDX-License-Identifier: MIT */
/*
 * Look-back, by which one pass over memory is enough. A workgroup publishes the total of its tile,
 * looks back at the tiles before it until they have told it its prefix, and publishes the prefix
 * combined with its total. Workgroups take tiles in the order in which they start, so a workgroup
 * waits only for others that have started. Waiting is bounded: after VKR_POLLS polls the workgroup
 * computes the total of the missing tile itself. Every round of the loop settles at least one
 * tile, so it ends whatever other workgroups do.
 *
 * A tile publishes a word, which holds its state and as many of its values as fit beside that. What
 * tiles combine to, and how they publish it, is defined before this file is included: for states of
 * any size in tiles.glsl, for counts of 30 bits in counted.glsl.
 *     VkrScan, VkrRunning        a value, and one that others join or precede (state.glsl), with
 *                                vkr_scan_identity, vkr_initial, vkr_run_from, vkr_scan_of,
 *                                vkr_join and vkr_precede
 *     VKR_TILE_STATES            where the word of tile 0 is among the counters
 *     uint vkr_publish_value(uint tile, bool is_prefix, VkrRunning value)
 *                                makes a value visible to whoever sees the word, except for 30 bits
 *                                that it returns, which become a part of the word
 *     VkrRunning vkr_seen_values(uint tile, uint bits, uint begin, bool is_whole)
 *                                called by the row that looks back, whose lanes have seen
 *                                consecutive tiles, and those bits of their words: what the totals
 *                                of the tiles starting at `begin` combine to. Where is_whole, the
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

#define VKR_POLLS 4u

/* The state of a tile, in the highest bits of its word. While they are 0, nothing is known of
 * it. */
#define VKR_TILE_TOTAL (1u << 30)
#define VKR_TILE_PREFIX (2u << 30) /* the prefix, combined with the total */
#define VKR_TILE_BITS (VKR_TILE_TOTAL - 1u)

void vkr_publish(const uint tile, const bool is_prefix, const VkrRunning value)
{
    if (vkr_is_leader() && tile + 1u != VKR_MUTED) {
        uint bits = vkr_publish_value(tile, is_prefix, value);
        atomicExchange(vkr_counter[VKR_TILE_STATES + tile],
                       (is_prefix ? VKR_TILE_PREFIX : VKR_TILE_TOTAL) | bits);
    }
}

/* One row looks back: the first subgroup, or a single invocation where there are no subgroups. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_LOOKERS 1u
#define vkr_row_max(v) (v)
#else
#define VKR_LOOKERS VKR_ROW_SIZE
#define vkr_row_max(v) vkr_word_subgroup_reduce(v)
#endif

/* Where a look-back is: the number of tiles that precede what has been seen, whether nothing is
 * known of the last one of these (VKR_MISSING), or whether a prefix has been seen (VKR_WHOLE). */
#define VKR_MISSING 0x80000000u
#define VKR_WHOLE VKR_MISSING

/* The row polls the tiles before `next`, in order, until all tiles after the nearest known prefix
 * are known, or until the polls are used up. What it sees precedes `seen`, back to that prefix or
 * to a tile of which nothing is known. */
void vkr_look(inout uint next, inout VkrRunning seen)
{
    uint lanes = VKR_LOOKERS;
    uint ahead = lanes - vkr_group_rank();
    uint tile = next >= ahead ? next - ahead : ~0u;
    uint word = VKR_TILE_TOTAL;
    uint prefix = 0u;  /* 1 + the nearest tile whose prefix is known, or 0 */
    uint unknown = 0u; /* 1 + the nearest one of which nothing is known, or 0 */
    [[dont_unroll]] for (uint poll = 0u; poll < VKR_POLLS; poll++) {
        if (tile != ~0u)
            word = atomicOr(vkr_counter[VKR_TILE_STATES + tile], 0u);
        prefix = vkr_row_max(word >= VKR_TILE_PREFIX ? tile + 1u : 0u);
        unknown = vkr_row_max(word < VKR_TILE_TOTAL ? tile + 1u : 0u);
        if (unknown <= prefix)
            break;
    }
    bool is_whole = prefix > unknown;
    vkr_precede(seen, vkr_seen_values(tile, word & VKR_TILE_BITS, max(unknown, prefix), is_whole));
    next = is_whole        ? VKR_WHOLE
           : unknown != 0u ? VKR_MISSING | unknown
                           : next - min(next, lanes);
}

/* Where the look-back is after even and after odd rounds: others may still read one word while the
 * leader writes the next one. */
shared uint vkr_looked[2];

/* The row looks back once, and the whole workgroup gets to know where it is. The others read what
 * has been seen only where the look-back ends or a tile is missing; in both cases they are done
 * with it before the leader writes it again. */
void vkr_look_for_all(const uint round, inout uint next, inout VkrRunning seen)
{
    if (vkr_group_rank() < VKR_LOOKERS)
        vkr_look(next, seen);
    if (!VKR_ONE_SUBGROUP) {
        if (vkr_is_leader()) {
            vkr_looked[round % 2u] = next;
            vkr_put_seen(seen);
        }
        barrier();
        next = vkr_looked[round % 2u];
        if (next == 0u || next >= VKR_MISSING)
            seen = vkr_get_seen();
    }
}

/* The prefix of a tile whose total is `total`. The whole workgroup must call it, and goes through
 * the rounds together: some drivers lose stores behind a loop in a loop that only one of several
 * subgroups runs. */
VkrScan vkr_look_back(const uint tile, const VkrScan total)
{
    VkrRunning seen = vkr_run_from(vkr_scan_identity());
    if (tile > 0u)
        vkr_publish(tile, false, vkr_run_from(total));
    /* Some drivers run loops also for lanes beyond the workgroup, for which this one would not
     * end. */
    uint next = vkr_group_rank() < VKR_WORKGROUP ? tile : 0u;
    for (uint round = 0u; next > 0u && next != VKR_WHOLE; round++) {
        vkr_look_for_all(round, next, seen);
        if (next > VKR_MISSING) {
            next -= VKR_MISSING + 1u;
            vkr_precede(seen, vkr_run_from(vkr_total_of_tile(next)));
        }
    }
    if (next == 0u)
        vkr_precede(seen, vkr_run_from(vkr_initial()));
    VkrScan prefix = vkr_scan_of(seen);
    vkr_join(seen, total);
    vkr_publish(tile, true, seen);
    return prefix;
}

#endif
