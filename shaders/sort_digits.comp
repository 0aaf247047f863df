/* SPDX-License-Identifier: MIT */
/*
 * Counts the keys of each value of all digits in a workgroup's share of a row, adds the counts to
 * those of the row, finds the bits in which keys differ, and stores how many elements there are.
 * Built with -DVKR_UNIT_BYTES=1|2|4|8 and -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#define VKR_ONLY_PASS
#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"
#include "vkreduce/sweep.glsl"

#define VKR_BATCH 4u /* keys that are loaded before the first is counted */

const uint VKR_COPY_WORDS = VKR_UNIT_BYTES * VKR_SORT_RADIX;
shared uint vkr_counters[VKR_COPIES * VKR_COPY_WORDS];
shared uint vkr_different[2];

void vkr_count_key(const uint copy, const VkrKey key)
{
    [[unroll]] for (uint digit = 0u; digit < uint(VKR_UNIT_BYTES);
                    digit++) if (vkr_shift_of(digit) < push.end)
    {
        uint value = vkr_bits_from(key, vkr_shift_of(digit)) & vkr_digit_mask(digit);
        atomicAdd(vkr_counters[copy + digit * VKR_SORT_RADIX + value], 1u);
    }
}

/* Counts the keys of a share; returns the bits in which they differ from the row's first one. */
VkrKey vkr_count_share(const VkrShare share)
{
    const uint copy = vkr_group_rank() % VKR_COPIES * VKR_COPY_WORDS;
    const VkrKey first = vkr_clamped(vkr_key_at(share.row_first, false));
    VkrKey different = VkrKey(0u);
    uint at = vkr_group_rank(); /* in the share: indices may end near 2^32 */
    for (; at + (VKR_BATCH - 1u) * VKR_WORKGROUP < share.count; at += VKR_BATCH * VKR_WORKGROUP) {
        VkrKey keys[VKR_BATCH];
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++) keys[i] =
            vkr_clamped(vkr_key_at(share.first + at + i * VKR_WORKGROUP, false));
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
        {
            different |= keys[i] ^ first;
            vkr_count_key(copy, keys[i]);
        }
    }
    for (; at < share.count; at += VKR_WORKGROUP) {
        VkrKey key = vkr_clamped(vkr_key_at(share.first + at, false));
        different |= key ^ first;
        vkr_count_key(copy, key);
    }
    return different;
}

void main()
{
    const uint row = vkr_row(), rank = vkr_group_rank();
    if (row >= push.rows)
        return;
    const uint all = vkr_counted();
    if (vkr_group() == 0u && rank == 0u)
        vkr_table[push.table_base + VKR_SORT_RECORD_COUNT] = all;
    const VkrShare share = vkr_share_of(row, vkr_share_number(), VKR_SORT_TILE, all);
    if (share.count == 0u)
        return;
    for (uint i = rank; i < VKR_COPIES * VKR_COPY_WORDS; i += VKR_WORKGROUP)
        vkr_counters[i] = 0u;
    if (rank == 0u) {
        vkr_different[0] = 0u;
        vkr_different[1] = 0u;
    }
    barrier();
    const uvec2 different = vkr_words_of(vkr_count_share(share));
    atomicOr(vkr_different[0], different.x);
    if (VKR_UNIT_BYTES == 8)
        atomicOr(vkr_different[1], different.y);
    barrier();
    const uint record = push.table_base + VKR_SORT_RECORD_DIFFERENT;
    if (rank == 0u && vkr_different[0] != 0u)
        atomicOr(vkr_table[record], vkr_different[0]);
    if (rank == 0u && vkr_different[1] != 0u)
        atomicOr(vkr_table[record + 1u], vkr_different[1]);
    for (uint i = rank; i < VKR_COPY_WORDS; i += VKR_WORKGROUP) {
        uint sum = 0u;
        for (uint copy = 0u; copy < VKR_COPIES; copy++)
            sum += vkr_counters[copy * VKR_COPY_WORDS + i];
        if (sum != 0u)
            atomicAdd(vkr_table[vkr_bases_at(row, 0u) + i], sum);
    }
}
