/* SPDX-License-Identifier: MIT */
/*
 * Stores the keys of a share of a row, and their values, in the order of one digit. Keys with equal
 * digits keep their order. A workgroup ranks a tile, orders it in shared memory, and stores
 * neighbours side by side. On CPUs each invocation has a share of its own, and stores one key after
 * the other. Built with -DVKR_UNIT_BYTES=1|2|4|8 and -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"

/* Where the next key with a digit goes, relative to the row. In a tile vkr_base is the same minus
 * its place there. */
shared uint vkr_next[VKR_GROUP_SHARES * VKR_SORT_DIGITS];
#define VKR_RANKED_DIGIT(digit, place, keys)                                                       \
    vkr_base[digit] = vkr_next[digit] - (place);                                                   \
    vkr_next[digit] += keys;
#include "vkreduce/rank.glsl"

VkrPass vkr_pass;
VkrShare vkr_share;
uint vkr_shift;
uint vkr_mask;

/* ---- Elements ---- */

uint vkr_value_at(const uint i)
{
    if (vkr_has(VKR_FLAG_FIRST) && !vkr_has(VKR_FLAG_CARRIED))
        return i - vkr_share.row_first;
    if (vkr_pass.reads_temp)
        return vkr_values_temp[push.values_temp_base + i];
    return vkr_values[push.values_base + i * push.values_stride];
}

void vkr_store_key(const uint i, const VkrKey key)
{
    if (vkr_pass.writes_temp)
        vkr_temp[push.temp_base + i] = VkrUnit(key);
    else if (!vkr_pass.is_last)
        vkr_sorted[push.sorted_base + i * push.sorted_stride] = VkrUnit(key);
    else if (vkr_has(VKR_FLAG_KEYS))
        vkr_sorted[push.sorted_base + i * push.sorted_stride] = VkrUnit(vkr_bits_of(key));
}

void vkr_store_value(const uint i, const uint value)
{
    if (vkr_pass.writes_temp)
        vkr_values_temp[push.values_temp_base + i] = value;
    else
        vkr_ranked[push.ranked_base + i * push.ranked_stride] = value;
}

/* ---- The first place of each digit ---- */

const uint VKR_EACH_DIGITS = VKR_WORKGROUP < VKR_SORT_DIGITS ? VKR_SORT_DIGITS / VKR_WORKGROUP : 1u;

void vkr_start(const uint row, const uint group)
{
    const uint first = vkr_group_rank() * VKR_EACH_DIGITS;
    uint sum = 0u, total;
    for (uint i = 0u; i < VKR_EACH_DIGITS && first < VKR_SORT_DIGITS; i++)
        sum += vkr_table[vkr_total_at(row, first + i)];
    uint before = vkr_group_exclusive(sum, total);
    for (uint i = 0u; i < VKR_EACH_DIGITS && first < VKR_SORT_DIGITS; i++) {
        vkr_next[first + i] = before + vkr_table[vkr_counter_at(row, first + i, group)];
        before += vkr_table[vkr_total_at(row, first + i)];
    }
}

/* ---- Invocations with shares of their own ---- */

void vkr_scatter_alone(const uint row)
{
    const uint next = vkr_group_rank() * VKR_SORT_DIGITS;
    const uint end = vkr_share.first + vkr_share.count;
    uint before = vkr_share.row_first;
    for (uint digit = 0u; digit < VKR_SORT_DIGITS; digit++) {
        vkr_next[next + digit] =
            before + vkr_table[vkr_counter_at(row, digit, vkr_share_number())];
        before += vkr_table[vkr_total_at(row, digit)];
    }
    for (uint i = vkr_share.first; i < end; i++) {
        VkrKey key = vkr_key_at(i, vkr_pass.reads_temp);
        uint at = next + vkr_digit_of(key, vkr_shift, vkr_mask);
        uint to = vkr_next[at];
        vkr_next[at] = to + 1u;
        if (vkr_is_stored(to)) {
            vkr_store_key(to, key);
            if (vkr_has(VKR_FLAG_VALUES))
                vkr_store_value(to, vkr_value_at(i));
        }
    }
}

/* ---- Tiles ---- */

/* The places whose keys an invocation stores: neighbours store neighbours. */
uint vkr_tile_place(const uint i)
{
    return i * VKR_WORKGROUP + vkr_group_rank();
}

void vkr_scatter_tile(const uint first, const uint count)
{
    const uint slot = vkr_rank_row() * (VKR_SORT_ITEMS * VKR_RANKS) + vkr_rank_lane();
    VkrKey keys[VKR_SORT_ITEMS];
    uint places[VKR_SORT_ITEMS];
    uint values[VKR_SORT_ITEMS];
    barrier(); /* the tile before has been read */
    vkr_clear_ranks();
    [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++)
        keys[i] =
        vkr_key_at(first + min(slot + i * VKR_RANKS, count - 1u), vkr_pass.reads_temp);
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++)
        places[i] =
        vkr_rank_of(vkr_digit_of(keys[i], vkr_shift, vkr_mask), slot + i * VKR_RANKS < count);
    barrier();
    vkr_scan_ranks();
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++)
        places[i] =
        vkr_place_of(vkr_digit_of(keys[i], vkr_shift, vkr_mask), places[i]);
#if VKR_UNIT_BYTES == 8
    VKR_REORDER(values[i], places, keys[i].x, vkr_tile_place(i))
    VKR_REORDER(keys[i].y, places, keys[i].y, vkr_tile_place(i))
    [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++)
        keys[i].x = values[i];
#else
    VKR_REORDER(keys[i], places, keys[i], vkr_tile_place(i))
#endif
    if (vkr_has(VKR_FLAG_VALUES)) {
        [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++)
            values[i] =
            vkr_value_at(first + min(slot + i * VKR_RANKS, count - 1u));
        VKR_REORDER(values[i], places, values[i], vkr_tile_place(i))
    }
    [[unroll]] for (uint i = 0u; i < VKR_SORT_ITEMS; i++) {
        uint place = vkr_tile_place(i);
        /* One condition: drivers compile nested ones slowly. */
        uint to = vkr_share.row_first + vkr_base[vkr_digit_of(keys[i], vkr_shift, vkr_mask)] + place;
        bool is_stored = vkr_is_stored(to);
        bool is_there = place < count;
        if (is_there && is_stored) {
            vkr_store_key(to, keys[i]);
            if (vkr_has(VKR_FLAG_VALUES))
                vkr_store_value(to, values[i]);
        }
    }
}

void main()
{
    const uint row = vkr_row();
    if (row >= push.rows)
        return;
    vkr_pass = vkr_pass_of(push.pass);
    if (!vkr_pass.works)
        return;
    vkr_share =
        vkr_share_of(row, vkr_share_number(), VKR_SORT_TILE,
                     vkr_table[push.table_base + VKR_SORT_RECORD_COUNT]);
    if (vkr_share.count == 0u)
        return;
    vkr_shift = vkr_shift_of(push.pass);
    vkr_mask = vkr_digit_mask(push.pass);
    if (VKR_ALONE) {
        vkr_scatter_alone(row);
        return;
    }
    vkr_start(row, vkr_share_number());
    for (uint at = 0u; at < vkr_share.count; at += VKR_SORT_TILE)
        vkr_scatter_tile(vkr_share.first + at, min(vkr_share.count - at, VKR_SORT_TILE));
}
