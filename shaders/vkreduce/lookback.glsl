/* SPDX-License-Identifier: MIT */
/*
 * Decoupled look-back, which needs one pass over memory. Tiles form blocks of VKR_TILE_BLOCK. A
 * workgroup publishes the total of its tile, and combines the prefix of a block with the totals of
 * the block's tiles before its own. The first tile of a block combines all totals of the block
 * before, and publishes the result as the prefix of its own. So totals are always combined in the
 * same order, whenever workgroups run. Workgroups are assigned tiles in the order in which they
 * start, so a workgroup waits only for others that have started.
 *
 * Waiting is bounded: after VKR_POLLS polls the workgroup computes the total of a missing tile
 * itself, in the same order, or the prefix of a block from the block before, and publishes it in
 * the place of the other workgroup. Every round resolves at least one tile or block, so the loop
 * ends whatever other workgroups do.
 *
 * The includer defines the values and how they are published (published.glsl): tiles.glsl for
 * values of any size, counted.glsl for counts.
 *     VkrScan, VkrRunning        a value, and one that others join or precede (state.glsl), with
 *                                vkr_scan_identity, vkr_initial, vkr_run_from, vkr_scan_of,
 *                                vkr_join and vkr_precede
 *     vkr_publish_total(uint tile, VkrScan), vkr_publish_prefix(uint block, VkrRunning)
 *     bool vkr_poll_total(uint tile, out VkrScan), bool vkr_poll_prefix(uint block, out VkrRunning)
 *                                return whether a value has been published, and what it is
 *     VkrScan vkr_row_combine(VkrScan)
 *                                combines the values of a row, in the order of its lanes
 *     vkr_put_seen(VkrRunning), VkrRunning vkr_get_seen()
 *                                pass a value through shared memory
 *     VKR_MUTES(uint tile)       whether a test keeps the tile from publishing
 *
 * Sources: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
 * (2016); T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025).
 */
#ifndef VKR_LOOKBACK_GLSL
#define VKR_LOOKBACK_GLSL

#define VKR_POLLS 16u

/* One row looks back: the first subgroup, or a single invocation if there are no subgroups. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_LOOKBACK_LANES 1u
#define vkr_row_max(v) (v)
#else
#define VKR_LOOKBACK_LANES VKR_ROW_SIZE
#define vkr_row_max(v) vkr_word_subgroup_reduce(v)
#endif

/* Totals that a lane loads before it combines the first. */
#if VKR_VECTOR
#define VKR_LOOKBACK_LOADS 1u
#elif VKR_KEYED /* up to six words each */
#define VKR_LOOKBACK_LOADS 2u
#else
#define VKR_LOOKBACK_LOADS 4u
#endif
#define VKR_EACH_POLLED [[unroll]] for (uint k = 0u; k < VKR_LOOKBACK_LOADS; k++)

/* What a row lacks: the complement of a tile's number is greater than VKR_NO_PREFIX. */
#define VKR_NOTHING 0u
#define VKR_NO_PREFIX 1u

/* Combines the totals of tiles `i` to `end` - 1. `lacking` names the first tile that has published
 * nothing, if there is one. */
VkrScan vkr_poll_totals(uint i, const uint end, out uint lacking)
{
    VkrRunning running = vkr_run_from(vkr_scan_identity());
    lacking = VKR_NOTHING;
    for (; i < end; i += VKR_LOOKBACK_LOADS) {
        VkrScan totals[VKR_LOOKBACK_LOADS];
        bool are_there[VKR_LOOKBACK_LOADS];
        VKR_EACH_POLLED
            are_there[k] = vkr_poll_total(min(i + k, end - 1u), totals[k]);
        VKR_EACH_POLLED {
            lacking = max(lacking, are_there[k] ? VKR_NOTHING : ~min(i + k, end - 1u));
            if (i + k < end)
                vkr_join(running, totals[k]);
        }
    }
    return vkr_scan_of(running);
}

/* The row polls the prefix of a block and the totals of its tiles below `end`, until all have been
 * published, or until the polls are used up. Returns what is lacking; `seen` combines them. */
uint vkr_look(const uint block, const uint end, out VkrRunning seen)
{
    const uint each = VKR_TILE_BLOCK / VKR_LOOKBACK_LANES;
    uint first = block * VKR_TILE_BLOCK + vkr_group_rank() * each;
    uint last = min(first + each, end);
    uint lacking = VKR_NOTHING;
    VkrRunning before = vkr_run_from(vkr_scan_identity());
    VkrScan totals = vkr_scan_identity();
    [[dont_unroll]] for (uint poll = 0u; poll < VKR_POLLS; poll++) {
        totals = vkr_poll_totals(first, last, lacking);
        if (block > 0u && !vkr_poll_prefix(block, before))
            lacking = max(lacking, VKR_NO_PREFIX);
        lacking = vkr_row_max(lacking);
        if (lacking == VKR_NOTHING)
            break;
    }
    if (block == 0u)
        before = vkr_run_from(vkr_initial());
    seen = vkr_run_from(vkr_row_combine(totals));
    vkr_precede(seen, before);
    return lacking;
}

/* What was lacking after even and after odd rounds: others may still read one word while the leader
 * writes the other. */
shared uint vkr_lookback_words[2];
uint vkr_lookback_round = 0u;

/* The row looks back once and tells the whole workgroup what is lacking. */
uint vkr_look_and_share(const uint block, const uint end, inout VkrRunning seen)
{
    uint lacking = VKR_NOTHING;
    if (vkr_group_rank() < VKR_LOOKBACK_LANES)
        lacking = vkr_look(block, end, seen);
    if (!VKR_ONE_SUBGROUP) {
        uint word = vkr_lookback_round % 2u;
        vkr_lookback_round++;
        if (vkr_is_leader()) {
            vkr_lookback_words[word] = lacking;
            vkr_put_seen(seen);
        }
        barrier();
        lacking = vkr_lookback_words[word];
    }
    return lacking;
}

/* Makes what the leader has published in the place of another workgroup visible to its row. */
void vkr_see_published()
{
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    subgroupBarrier();
#endif
}

/* The block whose prefix and totals are being combined. */
uint vkr_lookback_block;

/* Starts a look-back from a tile, and returns it. */
uint vkr_start_look_back(const uint tile)
{
    vkr_lookback_block = tile > 0u ? (tile - 1u) / VKR_TILE_BLOCK : 0u;
    return tile;
}

#define VKR_FOUND 0xffffffffu

/* A loop in which `total` is the tile whose total is needed, first the workgroup's own. */
#define VKR_LOOK_BACK(tile, total)                                                                 \
    for (uint total = vkr_start_look_back(tile), left = tile + 2u;                                 \
         left > 0u && total != VKR_FOUND; left--)

/* Publishes the total of tile `held`, which is the workgroup's own tile or one whose total it has
 * computed in the place of another workgroup, and looks back from `tile`. Returns VKR_FOUND once
 * `prefix` is that of the tile, if `held` is the tile; otherwise the tile whose total the caller
 * must compute before it calls again. The whole workgroup must call it and runs the rounds
 * together: some drivers lose stores after nested loops that only one of several subgroups runs. */
uint vkr_look_back(const uint tile, const uint held, const VkrScan total, inout VkrScan prefix)
{
    VkrRunning seen = vkr_run_from(vkr_scan_identity());
    if (vkr_is_leader() && (held != tile || !VKR_MUTES(tile)))
        vkr_publish_total(held, total);
    const uint rounds = 2u * (tile / VKR_TILE_BLOCK) + 1u;
    uint needed = tile;
    for (uint round = 0u; round < rounds; round++) {
        uint block = vkr_lookback_block;
        uint end = min((block + 1u) * VKR_TILE_BLOCK, tile);
        vkr_see_published();
        uint lacking = vkr_look_and_share(block, end, seen);
        if (lacking > VKR_NO_PREFIX) {
            needed = ~lacking;
            break;
        }
        vkr_lookback_block = block - 1u;
        if (lacking == VKR_NOTHING) {
            vkr_lookback_block = block + 1u;
            bool ends_block = end == vkr_lookback_block * VKR_TILE_BLOCK;
            if (ends_block && vkr_is_leader() && (end != tile || !VKR_MUTES(tile)))
                vkr_publish_prefix(vkr_lookback_block, seen);
            if (end == tile) {
                if (!VKR_ONE_SUBGROUP)
                    seen = vkr_get_seen();
                prefix = vkr_scan_of(seen);
                needed = held == tile ? VKR_FOUND : tile;
                vkr_lookback_block = block;
                break;
            }
        }
    }
    return needed;
}

#endif
