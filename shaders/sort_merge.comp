/* SPDX-License-Identifier: MIT */
/*
 * Sorts short rows of keys, and their values, of which a workgroup handles several. An invocation
 * sorts a few consecutive keys of a row; then runs of keys are merged in pairs, which doubles their
 * length, until each row is one run. Built with -DVKR_UNIT_BYTES=1|2|4|8.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#define VKR_ONLY_PASS
#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"

/* The rows of the workgroup, one after the other, and a key that is loaded in vain. Values are
 * positions in the row, or in the tile if they are carried. */
const uint VKR_TILE_VALUES = (VKR_FLAGS & VKR_FLAG_VALUES) != 0u ? VKR_SORT_TILE : 1u;
shared VkrKey vkr_tile[VKR_SORT_TILE + 1u];
shared uint vkr_tile_values[VKR_TILE_VALUES];

/* Consecutive keys of a run, and their values, which this invocation holds. */
VkrKey vkr_own_keys[VKR_ITEMS];
uint vkr_own_values[VKR_ITEMS];

/* The elements of a workgroup. */
struct VkrTile {
    uint first;
    uint count;
};

/* The share of an invocation in a row. Places are those in the tile. After the last row, and where
 * the GPU's count cuts one, a share has no keys, or fewer than VKR_ITEMS. */
struct VkrShareOfRow {
    uint number; /* in the row */
    uint first;
    uint row_first;
    uint row_end;
};

/* Two neighbouring runs in the tile: the second one starts where the first one ends. */
struct VkrRuns {
    uint first;
    uint second;
    uint end;
};

/* ---- Comparisons ---- */

/* The bits of a word below bit `end` of the key; `first` is the word's first bit. */
uint vkr_bits_below(const uint end, const uint first)
{
    uint bits = end > first ? end - first : 0u;
    return bits >= 32u ? 0xffffffffu : (1u << bits) - 1u;
}

/* The bits that are compared. */
VkrKey vkr_compared_bits()
{
    uint low = vkr_bits_below(push.end, 0u) & ~vkr_bits_below(push.begin, 0u);
#if VKR_UNIT_BYTES == 8
    return uvec2(low, vkr_bits_below(push.end, 32u) & ~vkr_bits_below(push.begin, 32u));
#else
    return low;
#endif
}

bool vkr_comes_before(const VkrKey a, const VkrKey b, const VkrKey bits)
{
    return vkr_key_less(vkr_clamped(a) & bits, vkr_clamped(b) & bits);
}

/* ---- Tiles ---- */

/* The elements of the rows starting at `first_row` of the dispatch. */
VkrTile vkr_tile_of(const uint first_row, const uint rows)
{
    const uint all = vkr_counted();
    const uint first = min((push.first_row + first_row) * push.row_length, all);
    return VkrTile(first, min(min(rows, push.rows - first_row) * push.row_length, all - first));
}

/* Neighbours load and store neighbours. */
uint vkr_tile_place(const uint i)
{
    return vkr_group_rank() + i * VKR_WORKGROUP;
}

void vkr_load_tile(const VkrTile tile)
{
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint at = vkr_tile_place(i);
        vkr_tile[at] = vkr_key_at(tile.first + min(at, tile.count - 1u), false);
    }
    barrier();
}

/* Loads the values of the tile's keys. All are read before the first one is stored: they may lie
 * where they are stored. */
void vkr_load_carried(const VkrTile tile)
{
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint from = vkr_tile_values[min(vkr_tile_place(i), tile.count - 1u)];
        vkr_own_values[i] =
            vkr_values[push.values_base + (tile.first + from) * push.values_stride];
    }
    barrier();
}

void vkr_store_tile(const VkrTile tile)
{
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint at = vkr_tile_place(i);
        VkrKey key = vkr_tile[min(at, tile.count)];
        if (at >= tile.count || vkr_is_left_out(key))
            continue;
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_sorted[push.sorted_base + (tile.first + at) * push.sorted_stride] =
                VkrUnit(vkr_bits_of(key));
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_ranked[push.ranked_base + (tile.first + at) * push.ranked_stride] =
                vkr_has(VKR_FLAG_CARRIED) ? vkr_own_values[i] : vkr_tile_values[at];
    }
}

/* ---- The keys of an invocation ---- */

VkrShareOfRow vkr_share_of_row(const uint count)
{
    const uint row = vkr_group_rank() / push.groups, number = vkr_group_rank() % push.groups;
    const uint start = min(row * push.row_length, count);
    const uint end = min(start + push.row_length, count);
    return VkrShareOfRow(number, start + number * VKR_ITEMS, start, end);
}

/* Loads the share's keys. Those after the row's end come last, and are not stored. */
void vkr_take_share(const VkrShareOfRow share, const uint count)
{
    const uint values = vkr_has(VKR_FLAG_CARRIED) ? 0u : share.row_first;
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        vkr_own_keys[i] = vkr_tile[min(share.first + i, count)];
        if (share.first + i >= share.row_end)
            vkr_own_keys[i] = VkrKey(0xffffffffu);
        vkr_own_values[i] = share.first + i - values;
    }
}

/* Stores the share's keys and values, after all invocations have read the tile. */
void vkr_keep_share(const VkrShareOfRow share)
{
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        if (share.first + i < share.row_end) {
            vkr_tile[share.first + i] = vkr_own_keys[i];
            if (vkr_has(VKR_FLAG_VALUES))
                vkr_tile_values[share.first + i] = vkr_own_values[i];
        }
    }
    barrier();
}

/* Exchanges neighbours that are in the wrong order; keys that compare as equal keep theirs. */
void vkr_exchange(const uint i, const VkrKey bits)
{
    VkrKey low = vkr_own_keys[i], high = vkr_own_keys[i + 1u];
    uint low_value = vkr_own_values[i], high_value = vkr_own_values[i + 1u];
    bool turns = vkr_comes_before(high, low, bits);
    vkr_own_keys[i] = turns ? high : low;
    vkr_own_keys[i + 1u] = turns ? low : high;
    vkr_own_values[i] = turns ? high_value : low_value;
    vkr_own_values[i + 1u] = turns ? low_value : high_value;
}

/* An odd-even sort. */
void vkr_sort_share(const VkrKey bits)
{
    for (uint turn = 0u; turn < VKR_ITEMS / 2u + 1u; turn++) {
        [[unroll]] for (uint i = 0u; i + 1u < VKR_ITEMS; i += 2u)
            vkr_exchange(i, bits);
        [[unroll]] for (uint i = 1u; i + 1u < VKR_ITEMS; i += 2u)
            vkr_exchange(i, bits);
    }
}

/* ---- Merges ---- */

/* The runs of `shares` shares that the share's merge reads. */
VkrRuns vkr_runs_of(const VkrShareOfRow share, const uint shares)
{
    const uint before = (share.number & ~(2u * shares - 1u)) * VKR_ITEMS;
    const uint first = min(share.row_first + before, share.row_end);
    const uint second = min(first + shares * VKR_ITEMS, share.row_end);
    return VkrRuns(first, second, min(second + shares * VKR_ITEMS, share.row_end));
}

/* Where the merge path crosses a diagonal: of the first `skipped` keys of both runs in their order,
 * the number that is in the first run. */
uint vkr_merge_path(const VkrRuns runs, const uint skipped, const VkrKey bits)
{
    uint low = skipped - min(skipped, runs.end - runs.second);
    uint high = min(skipped, runs.second - runs.first);
    while (low < high) {
        uint middle = (low + high) / 2u;
        bool later = vkr_comes_before(vkr_tile[runs.second + skipped - middle - 1u],
                                      vkr_tile[runs.first + middle], bits);
        low = later ? low : middle + 1u;
        high = later ? middle : high;
    }
    return low;
}

/* Takes the next keys of both runs in their order, starting at places `a` and `b` of them. */
void vkr_merge(const VkrRuns runs, uint a, uint b, const uint count, const VkrKey bits)
{
    VkrKey a_key = vkr_tile[a], b_key = vkr_tile[b];
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        bool before = vkr_comes_before(b_key, a_key, bits);
        bool is_b = a >= runs.second || (b < runs.end && before);
        vkr_own_keys[i] = is_b ? b_key : a_key;
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_own_values[i] = vkr_tile_values[min(is_b ? b : a, count - 1u)];
        a += is_b ? 0u : 1u;
        b += is_b ? 1u : 0u;
        VkrKey next = vkr_tile[min(is_b ? b : a, count)];
        a_key = is_b ? a_key : next;
        b_key = is_b ? next : b_key;
    }
}

/* Merges runs of one share, then of two, and so on. */
void vkr_merge_row(const VkrShareOfRow share, const uint count, const VkrKey bits)
{
    for (uint shares = 1u; shares < push.groups; shares *= 2u) {
        const VkrRuns runs = vkr_runs_of(share, shares);
        const uint before = (share.number & (2u * shares - 1u)) * VKR_ITEMS;
        const uint skipped = min(before, runs.end - runs.first);
        const uint taken = vkr_merge_path(runs, skipped, bits);
        vkr_merge(runs, runs.first + taken, runs.second + skipped - taken, count, bits);
        vkr_keep_share(share);
    }
}

void main()
{
    const uint rows = VKR_WORKGROUP / push.groups, first_row = vkr_group() * rows;
    if (first_row >= push.rows)
        return;
    const VkrTile tile = vkr_tile_of(first_row, rows);
    if (tile.count == 0u)
        return;
    const VkrShareOfRow share = vkr_share_of_row(tile.count);
    const VkrKey bits = vkr_compared_bits();
    vkr_load_tile(tile);
    vkr_take_share(share, tile.count);
    vkr_sort_share(bits);
    vkr_keep_share(share);
    vkr_merge_row(share, tile.count, bits);
    if (vkr_has(VKR_FLAG_CARRIED))
        vkr_load_carried(tile);
    vkr_store_tile(tile);
}
