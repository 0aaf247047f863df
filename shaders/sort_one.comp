/* SPDX-License-Identifier: MIT */
/*
 * Sorts a row of keys, and their values, in one workgroup, which has room for the whole row. Built
 * with -DVKR_UNIT_BYTES=1|2|4|8 and -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#define VKR_ONLY_PASS
#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"

#define VKR_RANKED_DIGIT(digit, place, keys)
#include "vkreduce/rank.glsl"

shared uint vkr_different[2];

/* The elements of the row, and the first slot of the invocation, which ranks the keys in each
 * VKR_RANKS-th slot: those of a row of invocations follow each other. */
struct VkrRow {
    uint first;
    uint count;
    uint slot;
};

/* What an invocation holds: the keys in its slots, their values, and their places in the order of a
 * digit. */
VkrKey vkr_own_keys[VKR_ITEMS];
uint vkr_own_values[VKR_ITEMS];
uint vkr_own_places[VKR_ITEMS];

#define VKR_EACH_ITEM [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)

/* ---- Loads and stores ---- */

void vkr_load_row(const VkrRow row)
{
    VKR_EACH_ITEM {
        vkr_own_values[i] = row.slot + i * VKR_RANKS;
        vkr_own_keys[i] = vkr_key_at(row.first + min(vkr_own_values[i], row.count - 1u), false);
    }
}

/* Loads the values of the sorted keys. All are read before the first one is stored: they may lie
 * where they are stored. */
void vkr_load_carried(const VkrRow row)
{
    VKR_EACH_ITEM {
        uint from = row.first + vkr_own_values[i];
        if (row.slot + i * VKR_RANKS < row.count)
            vkr_own_values[i] = vkr_values[push.values_base + from * push.values_stride];
    }
    barrier();
}

void vkr_store_row(const VkrRow row)
{
    VKR_EACH_ITEM {
        uint place = row.slot + i * VKR_RANKS;
        if (place >= row.count || vkr_is_left_out(vkr_own_keys[i]))
            continue;
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_sorted[push.sorted_base + (row.first + place) * push.sorted_stride] =
                VkrUnit(vkr_bits_of(vkr_own_keys[i]));
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_ranked[push.ranked_base + (row.first + place) * push.ranked_stride] =
                vkr_own_values[i];
    }
}

/* ---- Digits ---- */

/* The bits in which keys of the row differ. */
uvec2 vkr_differing_bits(const VkrRow row)
{
    if (vkr_group_rank() == 0u) {
        vkr_different[0] = 0u;
        vkr_different[1] = 0u;
    }
    barrier();
    VkrKey zero = VkrKey(0u);
    VkrKey different = zero, head = vkr_clamped(vkr_key_at(row.first, false));
    VKR_EACH_ITEM
        different |= vkr_clamped(vkr_own_keys[i]) ^ head;
    atomicOr(vkr_different[0], vkr_words_of(different).x);
    if (VKR_UNIT_BYTES == 8)
        atomicOr(vkr_different[1], vkr_words_of(different).y);
    barrier();
    return uvec2(vkr_different[0], vkr_different[1]);
}

/* The digit of a key. Slots after the last key rank after all others. */
uint vkr_digit_in(const uint slot, const uint count, const VkrKey key, const uint digit)
{
    uint mask = vkr_digit_mask(digit);
    return slot < count ? vkr_digit_of(key, vkr_shift_of(digit), mask) : mask;
}

/* Finds the place of each key in the order of a digit. */
void vkr_rank_keys(const VkrRow row, const uint digit)
{
    barrier(); /* the words of the digit before have been read */
    vkr_clear_ranks();
    barrier();
    VKR_EACH_ITEM {
        uint own = vkr_digit_in(row.slot + i * VKR_RANKS, row.count, vkr_own_keys[i], digit);
        vkr_own_places[i] = vkr_rank_of(own, vkr_equals(own));
    }
    barrier();
    vkr_scan_ranks();
    barrier();
    VKR_EACH_ITEM
        vkr_own_places[i] =
            vkr_place_of(vkr_digit_in(row.slot + i * VKR_RANKS, row.count, vkr_own_keys[i], digit),
                         vkr_own_places[i]);
}

/* Moves keys and values to their places. */
void vkr_reorder(const VkrRow row)
{
#if VKR_UNIT_BYTES == 8
    VKR_REORDER(vkr_own_keys[i].x, vkr_own_places, vkr_own_keys[i].x, row.slot + i * VKR_RANKS)
    VKR_REORDER(vkr_own_keys[i].y, vkr_own_places, vkr_own_keys[i].y, row.slot + i * VKR_RANKS)
#else
    VKR_REORDER(vkr_own_keys[i], vkr_own_places, vkr_own_keys[i], row.slot + i * VKR_RANKS)
#endif
    if (vkr_has(VKR_FLAG_VALUES)) {
        VKR_REORDER(vkr_own_values[i], vkr_own_places, vkr_own_values[i], row.slot + i * VKR_RANKS)
    }
}

void main()
{
    const uint all = vkr_counted();
    const uint first = min((push.first_row + vkr_group()) * push.row_length, all);
    const VkrRow row = VkrRow(first, min(push.row_length, all - first),
                              vkr_rank_row() * (VKR_ITEMS * VKR_RANKS) + vkr_rank_lane());
    if (vkr_group() >= push.rows || row.count == 0u)
        return;
    vkr_load_row(row);
    const uvec2 different = vkr_differing_bits(row);
    for (uint digit = 0u; vkr_shift_of(digit) < push.end; digit++) {
        if ((vkr_bits_from(different, vkr_shift_of(digit)) & vkr_digit_mask(digit)) == 0u)
            continue;
        vkr_rank_keys(row, digit);
        vkr_reorder(row);
    }
    if (vkr_has(VKR_FLAG_CARRIED))
        vkr_load_carried(row);
    vkr_store_row(row);
}
