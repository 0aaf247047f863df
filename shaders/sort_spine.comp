/* SPDX-License-Identifier: MIT */
/*
 * Scans the counts of one value of a digit in one row over the workgroups, and stores their sum.
 * For the first digit the first workgroup also combines the bits in which keys differ. Built with
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
    const uint groups = push.rows * (push.groups / VKR_GROUP_SHARES);
    for (uint group = rank; group < groups; group += VKR_WORKGROUP)
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

/* Scans the counts of a digit alone. */
void vkr_scan_alone(const uint row, const uint digit)
{
    uint sum = 0u;
    uint at = vkr_counter_at(row, digit, 0u);
    for (uint end = at + push.groups; at < end; at++) {
        uint count = vkr_table[at];
        vkr_table[at] = sum;
        sum += count;
    }
    vkr_table[vkr_total_at(row, digit)] = sum;
}

void main()
{
    const uint rank = vkr_group_rank();
    const uint n = VKR_ALONE ? vkr_group() * VKR_WORKGROUP + rank : vkr_group();
    const uint row = n / VKR_SORT_RADIX, digit = n % VKR_SORT_RADIX;
    if (row >= push.rows)
        return;
    if (!vkr_has(VKR_FLAG_FIRST)) {
        if (!vkr_route_of(push.digit).works)
            return;
    } else if (vkr_group() == 0u) {
        vkr_combine_masks();
    }
    if (VKR_ALONE) {
        vkr_scan_alone(row, digit);
        return;
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
