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
shared uint vkr_next[VKR_ALONE ? 1u : VKR_SORT_RADIX];
uint vkr_own_next[VKR_ALONE ? VKR_SORT_RADIX : 1u];
#define VKR_RANKED_DIGIT(digit, place, keys)                                                       \
    vkr_base[digit] = vkr_next[digit] - (place);                                                   \
    vkr_next[digit] += keys;
#include "vkreduce/rank.glsl"

#define VKR_TILE_RANKED
#define VKR_TILE_STORED
#include "vkreduce/sort_tile.glsl"

/* ---- Elements ---- */

uint vkr_value_at(const uint i)
{
    if (vkr_has(VKR_FLAG_FIRST) && !vkr_has(VKR_FLAG_CARRIED))
        return i - vkr_row_first;
    if (vkr_route.reads_temp)
        return vkr_values_temp[push.values_temp_base + i];
    return vkr_values[push.values_base + i * push.values_stride];
}

void vkr_store_key(const uint i, const VkrKey key)
{
    if (vkr_route.writes_temp)
        vkr_temp[push.temp_base + i] = VkrUnit(key);
    else if (!vkr_route.is_last)
        vkr_sorted[push.sorted_base + i * push.sorted_stride] = VkrUnit(key);
    else if (vkr_has(VKR_FLAG_KEYS))
        vkr_sorted[push.sorted_base + i * push.sorted_stride] = VkrUnit(vkr_bits_of(key));
}

void vkr_store_value(const uint i, const uint value)
{
    if (vkr_route.writes_temp)
        vkr_values_temp[push.values_temp_base + i] = value;
    else
        vkr_ranked[push.ranked_base + i * push.ranked_stride] = value;
}

/* ---- The first place of each digit ---- */

const uint VKR_EACH_DIGITS = VKR_WORKGROUP < VKR_SORT_RADIX ? VKR_SORT_RADIX / VKR_WORKGROUP : 1u;

void vkr_start(const uint row, const uint group)
{
    const uint first = vkr_group_rank() * VKR_EACH_DIGITS;
    uint sum = 0u, total;
    for (uint i = 0u; i < VKR_EACH_DIGITS && first < VKR_SORT_RADIX; i++)
        sum += vkr_table[vkr_total_at(row, first + i)];
    uint before = vkr_group_exclusive(sum, total);
    for (uint i = 0u; i < VKR_EACH_DIGITS && first < VKR_SORT_RADIX; i++) {
        vkr_next[first + i] = before + vkr_table[vkr_counter_at(row, first + i, group)];
        before += vkr_table[vkr_total_at(row, first + i)];
    }
}

/* ---- Invocations with shares of their own ---- */

void vkr_scatter_alone(const uint row, const VkrShare share)
{
    const uint end = share.first + share.count;
    uint before = vkr_row_first;
    for (uint digit = 0u; digit < VKR_SORT_RADIX; digit++) {
        vkr_own_next[digit] =
            before + vkr_table[vkr_counter_at(row, digit, vkr_share_number())];
        before += vkr_table[vkr_total_at(row, digit)];
    }
    for (uint i = share.first; i < end; i++) {
        VkrKey key = vkr_key_at(i, vkr_route.reads_temp);
        uint digit = vkr_digit_of(key, vkr_shift, vkr_mask);
        uint to = vkr_own_next[digit];
        vkr_own_next[digit] = to + 1u;
        bool stays = vkr_is_stored(to) && !(vkr_route.is_last && vkr_is_left_out(key));
        if (stays) {
            vkr_store_key(to, key);
            if (vkr_has(VKR_FLAG_VALUES))
                vkr_store_value(to, vkr_value_at(i));
        }
    }
}

void main()
{
    const uint row = vkr_row();
    if (row >= push.rows)
        return;
    vkr_route = vkr_route_of(push.digit);
    if (!vkr_route.works)
        return;
    /* Backwards, since caches still hold the keys that have been counted last. But a window reaches
     * only shares of its own, and CPUs read ahead. */
    const uint number = VKR_WINDOWED || VKR_ALONE ? vkr_share_number()
                                                  : push.groups - 1u - vkr_share_number();
    const VkrShare share = vkr_share_of(row, number, VKR_SORT_TILE,
                                        vkr_table[push.table_base + VKR_SORT_RECORD_COUNT]);
    if (share.count == 0u)
        return;
    vkr_row_first = share.row_first;
    vkr_shift = vkr_shift_of(push.digit);
    vkr_mask = vkr_digit_mask(push.digit);
    if (VKR_ALONE) {
        vkr_scatter_alone(row, share);
        return;
    }
    vkr_start(row, number);
    for (uint at = 0u; at < share.count; at += VKR_SORT_TILE) {
        barrier(); /* the tile before has been read */
        vkr_sort_tile(share.first + at, min(share.count - at, VKR_SORT_TILE));
    }
}
