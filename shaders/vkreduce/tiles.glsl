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

/* Where a tile's total is, and its prefix. Prefixes are made of each other, so those of float sums
 * keep what they have lost in rounding (strand.glsl): a value more. */
const uint VKR_TILE_VALUES = VKR_HOLDS ? 3u : 2u;
uint vkr_published_at(const uint tile, const uint state)
{
    return vkr_partial_at(VKR_TILE_VALUES * tile + state - 1u);
}

/* Publishes a value, and then the state that says that it is there. */
void vkr_publish(const uint tile, const uint state, const VkrRunning value)
{
    if (!vkr_is_leader() || tile + 1u == VKR_MUTED)
        return;
    uint at = vkr_published_at(tile, state);
    vkr_store_partial(at, vkr_rounded(value));
    if (VKR_HOLDS && state == VKR_TILE_PREFIX)
        vkr_store_partial(at + VKR_PARTIAL_WORDS, vkr_lost_of(value));
    memoryBarrierBuffer();
    atomicExchange(vkr_counter[push.states_base + tile], state);
}

shared uint vkr_drawn;

/* Numbers workgroups in the order in which they start. */
uint vkr_draw_tile()
{
    uint ticket = 0u;
    memoryBarrierBuffer();
    if (vkr_is_leader())
        ticket = atomicAdd(vkr_counter[push.counter_base], 1u);
    memoryBarrierBuffer();
    if (VKR_ONE_SUBGROUP)
        return vkr_word_first(ticket);
    if (vkr_is_leader())
        vkr_drawn = ticket;
    barrier();
    return vkr_drawn;
}

/* One row of the workgroup looks back: its first subgroup or, where there are none, all of it. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_LOOKS true
#else
#define VKR_LOOKS (vkr_group_rank() < VKR_ROW_SIZE)
#endif

/* The maximum of the row's values. Without subgroups they are combined by an atomic on one word,
 * which group.glsl does not offer: its reductions take 14 barriers in a workgroup of 128, and this
 * takes three. */
uint vkr_row_max(const uint v)
{
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    barrier(); /* everyone has read the word's old value */
    if (vkr_is_leader())
        vkr_shared_word = 0u;
    barrier();
    if (v != 0u)
        atomicMax(vkr_shared_word, v);
    barrier();
    return vkr_shared_word;
#else
    return vkr_word_subgroup_reduce(v);
#endif
}

/* The tile that this invocation looks at, or ~0. The row looks at the tiles before `next`, in
 * order. */
uint vkr_seen_tile(const uint next)
{
    uint ahead = VKR_ROW_SIZE - vkr_group_rank();
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
        prefix = vkr_row_max(state == VKR_TILE_PREFIX ? tile + 1u : 0u);
        unknown = vkr_row_max(state == VKR_TILE_UNKNOWN ? tile + 1u : 0u);
        if (unknown <= prefix)
            break;
    }
    memoryBarrierBuffer();
}

/* Combines the published totals of the tiles that were seen, from `begin` on. */
VkrScan vkr_combine_seen(const uint next, const uint begin)
{
    uint tile = vkr_seen_tile(next);
    VkrScan s = vkr_scan_identity();
    if (tile != ~0u && tile >= begin)
        s = vkr_load_partial(vkr_published_at(tile, VKR_TILE_TOTAL));
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
    return vkr_group_subgroup_reduce(s);
#else
    VkrScan sum;
    s = vkr_group_subgroup_exclusive(s, sum);
    return sum;
#endif
}

/* Where a look-back is: the number of tiles before `seen`, whether nothing is known of the last one
 * of these (VKR_MISSING), or whether `seen` starts with a prefix (VKR_WHOLE). */
#define VKR_MISSING 0x80000000u
#define VKR_WHOLE VKR_MISSING

/* The row looks back once, and puts what it sees before `seen`, up to a prefix or to a tile of
 * which nothing is known. */
void vkr_look(inout uint next, inout VkrRunning seen)
{
    uint prefix;
    uint unknown;
    vkr_poll(next, prefix, unknown);
    bool is_missing = unknown > prefix;
    bool is_whole = !is_missing && prefix > 0u;
    vkr_precede(seen, vkr_run_from(vkr_combine_seen(next, max(unknown, prefix))));
    if (is_whole) {
        uint at = vkr_published_at(prefix - 1u, VKR_TILE_PREFIX);
        VkrRunning before = vkr_run_from(vkr_load_partial(at));
        if (VKR_HOLDS)
            vkr_lose(before, vkr_load_partial(at + VKR_PARTIAL_WORDS));
        vkr_precede(seen, before);
    }
    next = is_whole     ? VKR_WHOLE
           : is_missing ? VKR_MISSING | unknown
                        : next - min(next, VKR_ROW_SIZE);
}

/* The same, and the whole workgroup gets to know it. Since the word and the slot, which is behind
 * those of group.glsl, were read last, the workgroup has met at a barrier. */
void vkr_look_for_all(inout uint next, inout VkrRunning seen)
{
    if (VKR_LOOKS)
        vkr_look(next, seen);
    if (VKR_ONE_ROW)
        return;
    if (vkr_is_leader()) {
        vkr_shared_word = next;
        vkr_scan_put(VKR_SLOTS, vkr_rounded(seen));
        if (VKR_HOLDS)
            vkr_scan_put(VKR_SLOTS + 1u, vkr_lost_of(seen));
    }
    barrier();
    next = vkr_shared_word;
    seen = vkr_run_from(vkr_scan_get(VKR_SLOTS));
    if (VKR_HOLDS)
        vkr_lose(seen, vkr_scan_get(VKR_SLOTS + 1u));
}

/* Computes the total of another tile of this dispatch. This is rare, so it may be slow. */
VkrScan vkr_total_of_tile(const uint tile)
{
    uint v = ((tile - push.first_tile) * VKR_WORKGROUP + vkr_group_rank()) * push.items;
    uint count = v < vkr_units() ? min(push.items, vkr_units() - v) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
    VkrShare share = vkr_share_from(vkr_scan_identity());
    VkrScan sum;
    for (uint end = v + count; v < end; v += VKR_STRAND_STEPS) {
        vkr_scan_elements(vkr_strand_of(share), until, v, min(end - v, VKR_STRAND_STEPS),
                          false);
        vkr_end_strand(share);
    }
    VkrScan s = vkr_group_exclusive(vkr_scan_of_share(share), sum);
    return sum;
}

/* The prefix of a tile whose total is `total`. The whole workgroup must call it. */
VkrScan vkr_look_back(const uint tile, const VkrScan total)
{
    VkrRunning seen = vkr_run_from(vkr_scan_identity());
    uint next = tile;
    if (tile > 0u)
        vkr_publish(tile, VKR_TILE_TOTAL, vkr_run_from(total));
    /* Some drivers run loops also for lanes beyond the workgroup, for which the loop would not
     * end. */
    while (next > 0u && next != VKR_WHOLE && vkr_group_rank() < VKR_WORKGROUP) {
        vkr_look_for_all(next, seen);
        if (next > VKR_MISSING) {
            next -= VKR_MISSING + 1u;
            vkr_precede(seen, vkr_run_from(vkr_total_of_tile(next)));
        } else if (!VKR_ONE_ROW && next > 0u && next != VKR_WHOLE) {
            barrier();
        }
    }
    if (next == 0u)
        vkr_precede(seen, vkr_run_from(vkr_initial()));
    VkrScan prefix = vkr_scan_of(seen);
    vkr_join(seen, total);
    vkr_publish(tile, VKR_TILE_PREFIX, seen);
    return prefix;
}

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Scans the tile from unit v on, which is one chunk and stays in registers while its workgroup
 * looks back. If not all of it is full, each invocation goes over consecutive elements instead,
 * before and after. `prefix` becomes what precedes the tile, `sum` what it combines to. */
void vkr_scan_held(const uint tile, const uint v, out VkrScan prefix, out VkrScan sum)
{
    uint low;
    uint high;
    vkr_full_units(low, high);
    bool full = v >= low && v + VKR_BATCH * VKR_WORKGROUP <= high;
    uint own = v + vkr_group_rank() * VKR_BATCH;
    uint count = own < vkr_units() ? min(VKR_BATCH, vkr_units() - own) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(own)) : 0u;
    uint cursor = until;
    VkrScan s = vkr_scan_identity();
    VkrScan row;
    if (full) {
        s = vkr_total_chunk(v, true, row);
    } else {
        vkr_scan_elements(s, cursor, own, count, false);
        s = vkr_group_subgroup_exclusive(s, row);
    }
    sum = row;
    if (!VKR_ONE_ROW)
        s = vkr_scan_combine(vkr_group_subgroups_exclusive(row, sum), s);
    prefix = vkr_look_back(tile, sum);
    s = vkr_scan_combine(prefix, s);
    if (full)
        vkr_apply_chunk(s, v, true);
    else
        vkr_scan_elements(s, until, own, count, true);
}
#endif

#endif
