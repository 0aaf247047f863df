/* SPDX-License-Identifier: MIT */
/*
 * Counts the keys of each value of a digit in a workgroup's share of a row. For the first digit it
 * also finds the bits in which keys differ, and stores how many elements there are. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8 and -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"

#define VKR_BATCH 8u /* keys that are loaded before the first is counted */

shared uint vkr_counters[VKR_ALONE ? 1u : VKR_COPIES * VKR_SORT_RADIX];
shared uint vkr_different[2];
uint vkr_own_counters[VKR_ALONE ? VKR_SORT_RADIX : 1u]; /* on CPUs, see FLAG_ALONE */

uint vkr_all()
{
    return vkr_has(VKR_FLAG_FIRST) ? vkr_counted()
                                   : vkr_table[push.table_base + VKR_SORT_RECORD_COUNT];
}

/* Adds one key. */
void vkr_count_digit(const uint copy, const uint digit)
{
    if (VKR_ALONE)
        vkr_own_counters[digit]++;
    else
        atomicAdd(vkr_counters[copy * VKR_SORT_RADIX + digit], 1u);
}

/* Counts the keys of a share; returns the bits in which they differ from the row's first one. */
VkrKey vkr_count_share(const VkrShare share, const bool temp)
{
    const uint copy = vkr_group_rank() % VKR_COPIES;
    const uint shift = vkr_shift_of(push.digit), mask = vkr_digit_mask(push.digit);
    const VkrKey zero = VkrKey(0u);
    VkrKey different = zero;
    const bool compares = vkr_has(VKR_FLAG_FIRST) && !VKR_WINDOWED;
    VkrKey first = compares ? vkr_clamped(vkr_key_at(share.row_first, temp)) : zero;
    const uint by = VKR_ALONE ? 1u : VKR_WORKGROUP;
    uint at = VKR_ALONE ? 0u : vkr_group_rank(); /* in the share: indices may end near 2^32 */
    for (; at + (VKR_BATCH - 1u) * by < share.count; at += VKR_BATCH * by) {
        VkrKey keys[VKR_BATCH];
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
            keys[i] = vkr_clamped(vkr_key_at(share.first + at + i * by, temp));
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++) {
            different |= keys[i] ^ first;
            vkr_count_digit(copy, vkr_bits_from(keys[i], shift) & mask);
        }
    }
    for (; at < share.count; at += by) {
        VkrKey key = vkr_clamped(vkr_key_at(share.first + at, temp));
        different |= key ^ first;
        vkr_count_digit(copy, vkr_bits_from(key, shift) & mask);
    }
    return different;
}

void main()
{
    const uint group = vkr_group(), row = vkr_row();
    const uint rank = vkr_group_rank();
    if (row >= push.rows)
        return;
    bool temp = false;
    if (!vkr_has(VKR_FLAG_FIRST)) {
        VkrRoute route = vkr_route_of(push.digit);
        if (!route.works)
            return;
        temp = route.reads_temp;
    }
    const uint all = vkr_all();
    if (vkr_has(VKR_FLAG_FIRST) && group == 0u && rank == 0u)
        vkr_table[push.table_base + VKR_SORT_RECORD_COUNT] = all;
    for (uint i = 0u; VKR_ALONE && i < VKR_SORT_RADIX; i++)
        vkr_own_counters[i] = 0u;
    for (uint i = rank; !VKR_ALONE && i < VKR_COPIES * VKR_SORT_RADIX; i += VKR_WORKGROUP)
        vkr_counters[i] = 0u;
    if (rank < 2u)
        vkr_different[rank] = 0u;
    if (VKR_WORKGROUP == 1u)
        vkr_different[1] = 0u;
    barrier();
    VkrShare share = vkr_share_of(row, vkr_share_number(), VKR_SORT_TILE, all);
    uvec2 different = uvec2(0u);
    if (share.count != 0u)
        different = vkr_words_of(vkr_count_share(share, temp));
    if (vkr_has(VKR_FLAG_FIRST)) {
        atomicOr(vkr_different[0], different.x);
        if (VKR_UNIT_BYTES == 8)
            atomicOr(vkr_different[1], different.y);
    }
    barrier();
    if (vkr_has(VKR_FLAG_FIRST) && rank == 0u) {
        vkr_table[vkr_masks_at(group)] = VKR_WINDOWED ? ~0u : vkr_different[0];
        vkr_table[vkr_masks_at(group) + 1u] = VKR_WINDOWED ? ~0u : vkr_different[1];
    }
    if (VKR_ALONE) {
        for (uint digit = 0u; digit < VKR_SORT_RADIX; digit++)
            vkr_table[vkr_counter_at(row, digit, vkr_share_number())] =
                vkr_own_counters[digit];
        return;
    }
    for (uint digit = rank; digit < VKR_SORT_RADIX; digit += VKR_WORKGROUP) {
        uint sum = 0u;
        for (uint copy = 0u; copy < VKR_COPIES; copy++)
            sum += vkr_counters[copy * VKR_SORT_RADIX + digit];
        vkr_table[vkr_counter_at(row, digit, vkr_share_number())] = sum;
    }
}
