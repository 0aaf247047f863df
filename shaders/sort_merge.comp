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

/* Exchanges neighbours that are in the wrong order; keys that compare as equal keep theirs. */
#define VKR_EXCHANGE_PAIRS(from)                                                                   \
    [[unroll]] for (uint i = from; i + 1u < VKR_ITEMS; i += 2u)                                    \
    {                                                                                              \
        VkrKey low = keys[i], high = keys[i + 1u];                                                 \
        uint low_value = values[i], high_value = values[i + 1u];                                   \
        bool turns = vkr_comes_before(high, low, bits);                                            \
        keys[i] = turns ? high : low;                                                              \
        keys[i + 1u] = turns ? low : high;                                                         \
        values[i] = turns ? high_value : low_value;                                                \
        values[i + 1u] = turns ? low_value : high_value;                                           \
    }

/* Stores the invocation's keys and values in the tile, after all invocations have read it. */
#define VKR_KEEP_IN_TILE                                                                           \
    barrier();                                                                                     \
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)                                               \
    {                                                                                              \
        if (mine + i < end) {                                                                      \
            vkr_tile[mine + i] = keys[i];                                                          \
            if (vkr_has(VKR_FLAG_VALUES))                                                          \
                vkr_tile_values[mine + i] = values[i];                                             \
        }                                                                                          \
    }                                                                                              \
    barrier();

void main()
{
    const uint rows = VKR_WORKGROUP / push.groups, first_row = vkr_group() * rows;
    const uint rank = vkr_group_rank();
    if (first_row >= push.rows)
        return;
    const uint all = vkr_counted();
    const uint first = min((push.first_row + first_row) * push.row_length, all);
    const uint count = min(min(rows, push.rows - first_row) * push.row_length, all - first);
    if (count == 0u)
        return;
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint at = rank + i * VKR_WORKGROUP;
        vkr_tile[at] = vkr_key_at(first + min(at, count - 1u), false);
    }
    barrier();
    /* This invocation's keys. After the last row, and where the GPU's count cuts one, it has none,
     * or only some. Keys that are none come last, and are not stored. */
    const uint row = rank / push.groups, share = rank % push.groups;
    const uint start = min(row * push.row_length, count);
    const uint end = min(start + push.row_length, count);
    const uint mine = start + share * VKR_ITEMS;
    const VkrKey bits = vkr_compared_bits();
    VkrKey keys[VKR_ITEMS];
    uint values[VKR_ITEMS];
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        keys[i] = vkr_tile[min(mine + i, count)];
        if (mine + i >= end)
            keys[i] = VkrKey(0xffffffffu);
        values[i] = mine + i - (vkr_has(VKR_FLAG_CARRIED) ? 0u : start);
    }
    for (uint i = 0u; i < VKR_ITEMS / 2u + 1u; i++) {
        VKR_EXCHANGE_PAIRS(0u)
        VKR_EXCHANGE_PAIRS(1u)
    }
    VKR_KEEP_IN_TILE
    for (uint run = 1u; run < push.groups; run *= 2u) {
        /* Of the keys of both runs the first ones go to the shares before this one: `low` of the
         * first run, and the others of the second. */
        const uint pair = share & ~(2u * run - 1u);
        const uint a_first = min(start + pair * VKR_ITEMS, end);
        const uint b_first = min(a_first + run * VKR_ITEMS, end);
        const uint b_end = min(b_first + run * VKR_ITEMS, end);
        const uint skipped = min((share - pair) * VKR_ITEMS, b_end - a_first);
        uint low = skipped - min(skipped, b_end - b_first), high = min(skipped, b_first - a_first);
        while (low < high) {
            uint middle = (low + high) / 2u;
            bool later = vkr_comes_before(vkr_tile[b_first + skipped - middle - 1u],
                                          vkr_tile[a_first + middle], bits);
            low = later ? low : middle + 1u;
            high = later ? middle : high;
        }
        uint a = a_first + low, b = b_first + skipped - low;
        VkrKey a_key = vkr_tile[a], b_key = vkr_tile[b];
        [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
            bool before = vkr_comes_before(b_key, a_key, bits);
            bool is_b = a >= b_first || (b < b_end && before);
            keys[i] = is_b ? b_key : a_key;
            if (vkr_has(VKR_FLAG_VALUES))
                values[i] = vkr_tile_values[min(is_b ? b : a, count - 1u)];
            a += is_b ? 0u : 1u;
            b += is_b ? 1u : 0u;
            VkrKey next = vkr_tile[min(is_b ? b : a, count)];
            a_key = is_b ? a_key : next;
            b_key = is_b ? next : b_key;
        }
        VKR_KEEP_IN_TILE
    }
    /* All values are read before the first one is stored: they may lie where they are stored. */
    if (vkr_has(VKR_FLAG_CARRIED)) {
        [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
            uint at = min(rank + i * VKR_WORKGROUP, count - 1u);
            values[i] = vkr_values[push.values_base +
                                   (first + vkr_tile_values[at]) * push.values_stride];
        }
        barrier();
    }
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint at = rank + i * VKR_WORKGROUP;
        VkrKey key = vkr_tile[min(at, count)];
        if (at >= count || vkr_is_left_out(key))
            continue;
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_sorted[push.sorted_base + (first + at) * push.sorted_stride] =
                VkrUnit(vkr_bits_of(key));
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_ranked[push.ranked_base + (first + at) * push.ranked_stride] =
                vkr_has(VKR_FLAG_CARRIED) ? values[i] : vkr_tile_values[at];
    }
}
