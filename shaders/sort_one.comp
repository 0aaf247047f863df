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

/* Slots after the last key rank after all others. */
uint vkr_digit_in(const uint slot, const uint count, const VkrKey key, const uint pass)
{
    uint mask = vkr_digit_mask(pass);
    return slot < count ? vkr_digit_of(key, vkr_shift_of(pass), mask) : mask;
}

void main()
{
    const uint row = push.first_row + vkr_group();
    const uint all = vkr_counted();
    const uint first = min(row * push.row_length, all);
    const uint count = min(push.row_length, all - first);
    const uint slot = vkr_rank_row() * (VKR_ITEMS * VKR_RANKS) + vkr_rank_lane();
    if (vkr_group() >= push.rows || count == 0u)
        return;
    VkrKey keys[VKR_ITEMS];
    uint values[VKR_ITEMS];
    uint places[VKR_ITEMS];
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        values[i] = slot + i * VKR_RANKS;
        keys[i] = vkr_key_at(first + min(values[i], count - 1u), false);
    }
    if (vkr_group_rank() == 0u) {
        vkr_different[0] = 0u;
        vkr_different[1] = 0u;
    }
    barrier();
    VkrKey zero = VkrKey(0u);
    VkrKey different = zero, head = vkr_clamped(vkr_key_at(first, false));
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        different |= vkr_clamped(keys[i]) ^ head;
    atomicOr(vkr_different[0], vkr_words_of(different).x);
    if (VKR_UNIT_BYTES == 8)
        atomicOr(vkr_different[1], vkr_words_of(different).y);
    barrier();
    const uvec2 bits = uvec2(vkr_different[0], vkr_different[1]);
    for (uint pass = 0u; vkr_shift_of(pass) < push.end; pass++) {
        const uint shift = vkr_shift_of(pass), mask = vkr_digit_mask(pass);
        if ((vkr_bits_from(bits, shift) & mask) == 0u)
            continue;
        barrier(); /* the words of the pass before have been read */
        vkr_clear_ranks();
        barrier();
        [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
            places[i] = vkr_rank_of(vkr_digit_in(slot + i * VKR_RANKS, count, keys[i], pass));
        barrier();
        vkr_scan_ranks();
        barrier();
        [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
            places[i] = vkr_place_of(vkr_digit_in(slot + i * VKR_RANKS, count, keys[i], pass),
                                     places[i]);
#if VKR_UNIT_BYTES == 8
        VKR_REORDER(keys[i].x, places, keys[i].x, slot + i * VKR_RANKS)
        VKR_REORDER(keys[i].y, places, keys[i].y, slot + i * VKR_RANKS)
#else
        VKR_REORDER(keys[i], places, keys[i], slot + i * VKR_RANKS)
#endif
        if (vkr_has(VKR_FLAG_VALUES)) {
            VKR_REORDER(values[i], places, values[i], slot + i * VKR_RANKS)
        }
    }
    if (vkr_has(VKR_FLAG_CARRIED)) {
        [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
            if (slot + i * VKR_RANKS < count)
            values[i] = vkr_values[push.values_base + (first + values[i]) * push.values_stride];
        barrier(); /* all values have been read: they may lie where they are stored */
    }
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint place = slot + i * VKR_RANKS;
        if (place >= count || vkr_is_left_out(keys[i]))
            continue;
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_sorted[push.sorted_base + (first + place) * push.sorted_stride] =
                VkrUnit(vkr_bits_of(keys[i]));
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_ranked[push.ranked_base + (first + place) * push.ranked_stride] = values[i];
    }
}
