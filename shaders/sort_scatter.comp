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
        if (vkr_pass.is_last && vkr_is_left_out(key))
            continue;
        vkr_store_key(to, key);
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_store_value(to, vkr_value_at(i));
    }
}

/* ---- Tiles ---- */

/* The places whose keys an invocation stores: neighbours store neighbours. */
uint vkr_tile_place(const uint i)
{
    return i * VKR_WORKGROUP + vkr_group_rank();
}

/* Branches that are the same for all keys surround the loops over them, so that the loads of an
 * invocation are under way at the same time. Slots after the last key, which only the last tile of a
 * row has, load that key again and rank after all others. */
#define VKR_NOWHERE 0xffffffffu /* the place of a key that is not stored: indices are less */
#define VKR_EACH_ITEM [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)

void vkr_scatter_tile(const uint first, const uint count)
{
    const uint slot = vkr_rank_row() * (VKR_ITEMS * VKR_RANKS) + vkr_rank_lane();
#define VKR_KEY_AT (first + min(slot + i * VKR_RANKS, count - 1u))
    VkrKey keys[VKR_ITEMS];
    uint places[VKR_ITEMS];
    uint values[VKR_ITEMS];
    barrier(); /* the tile before has been read */
    vkr_clear_ranks();
    if (vkr_has(VKR_FLAG_FIRST)) {
        VKR_EACH_ITEM
            keys[i] = vkr_key_of(VkrKey(vkr_source[push.source_base + VKR_KEY_AT * push.source_stride]));
    } else if (vkr_pass.reads_temp) {
        VKR_EACH_ITEM
            keys[i] = VkrKey(vkr_temp[push.temp_base + VKR_KEY_AT]);
    } else {
        VKR_EACH_ITEM
            keys[i] = VkrKey(vkr_source[push.source_base + VKR_KEY_AT * push.source_stride]);
    }
    barrier();
    VKR_EACH_ITEM {
        bool is_there = slot + i * VKR_RANKS < count;
        uint digit = is_there ? vkr_digit_of(keys[i], vkr_shift, vkr_mask) : vkr_mask;
        places[i] = digit | vkr_rank_of(digit) << VKR_SORT_DIGIT;
    }
    barrier();
    vkr_scan_ranks();
    barrier();
    VKR_EACH_ITEM
        places[i] = vkr_place_of(places[i] % VKR_SORT_DIGITS, places[i] >> VKR_SORT_DIGIT);
#if VKR_UNIT_BYTES == 8
    VKR_REORDER(values[i], places, keys[i].x, vkr_tile_place(i))
    VKR_REORDER(keys[i].y, places, keys[i].y, vkr_tile_place(i))
    VKR_EACH_ITEM
        keys[i].x = values[i];
#else
    VKR_REORDER(keys[i], places, keys[i], vkr_tile_place(i))
#endif
    if (vkr_has(VKR_FLAG_VALUES)) {
        if (vkr_has(VKR_FLAG_FIRST) && !vkr_has(VKR_FLAG_CARRIED)) {
            VKR_EACH_ITEM
                values[i] = VKR_KEY_AT - vkr_share.row_first;
        } else if (vkr_pass.reads_temp) {
            VKR_EACH_ITEM
                values[i] = vkr_values_temp[push.values_temp_base + VKR_KEY_AT];
        } else {
            VKR_EACH_ITEM
                values[i] = vkr_values[push.values_base + VKR_KEY_AT * push.values_stride];
        }
        VKR_REORDER(values[i], places, values[i], vkr_tile_place(i))
    }
    VKR_EACH_ITEM {
        uint digit = vkr_digit_of(keys[i], vkr_shift, vkr_mask);
        bool stays = vkr_tile_place(i) < count && !(vkr_pass.is_last && vkr_is_left_out(keys[i]));
        places[i] = stays ? vkr_share.row_first + vkr_base[digit] + vkr_tile_place(i) : VKR_NOWHERE;
    }
    if (vkr_pass.writes_temp) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_temp[push.temp_base + places[i]] = VkrUnit(keys[i]);
    } else if (!vkr_pass.is_last) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_sorted[push.sorted_base + places[i] * push.sorted_stride] = VkrUnit(keys[i]);
    } else if (vkr_has(VKR_FLAG_KEYS)) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_sorted[push.sorted_base + places[i] * push.sorted_stride] =
                    VkrUnit(vkr_bits_of(keys[i]));
    }
    if (vkr_has(VKR_FLAG_VALUES) && vkr_pass.writes_temp) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_values_temp[push.values_temp_base + places[i]] = values[i];
    } else if (vkr_has(VKR_FLAG_VALUES)) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_ranked[push.ranked_base + places[i] * push.ranked_stride] = values[i];
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
