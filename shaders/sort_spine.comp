/* SPDX-License-Identifier: MIT */
/*
 * Scans the counts of one digit in one row over the workgroups, and stores their sum. In the first
 * pass the first workgroup also combines the bits in which keys differ. Built with
 * -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#include "vkreduce/sort.glsl"

shared uint vkr_different[2];

void vkr_combine_masks()
{
    const uint rank = vkr_group_rank();
    uvec2 different = uvec2(0u);
    for (uint group = rank; group < push.rows * push.groups; group += VKR_WORKGROUP)
        different |= uvec2(vkr_table[vkr_masks_at(group)], vkr_table[vkr_masks_at(group) + 1u]);
    if (rank == 0u) {
        vkr_different[0] = 0u;
        vkr_different[1] = 0u;
    }
    barrier();
    atomicOr(vkr_different[0], different.x);
    atomicOr(vkr_different[1], different.y);
    barrier();
    if (rank == 0u) {
        vkr_table[push.table_base + VKR_SORT_RECORD_DIFFERENT] = vkr_different[0];
        vkr_table[push.table_base + VKR_SORT_RECORD_DIFFERENT + 1u] = vkr_different[1];
    }
}

void main()
{
    const uint row = vkr_group() / VKR_SORT_DIGITS, digit = vkr_group() % VKR_SORT_DIGITS;
    const uint rank = vkr_group_rank();
    if (row >= push.rows)
        return;
    if (!vkr_has(VKR_FLAG_FIRST)) {
        if (!vkr_pass_of(push.pass).works)
            return;
    } else if (vkr_group() == 0u) {
        vkr_combine_masks();
    }
    uint sum = 0u;
    for (uint first = 0u; first < push.groups; first += VKR_WORKGROUP) {
        uint at = vkr_counter_at(row, digit, first + rank);
        uint count = first + rank < push.groups ? vkr_table[at] : 0u, total;
        uint before = vkr_group_exclusive(count, total);
        if (first + rank < push.groups)
            vkr_table[at] = sum + before;
        sum += total;
    }
    if (rank == 0u)
        vkr_table[vkr_total_at(row, digit)] = sum;
}
