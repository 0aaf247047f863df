/* SPDX-License-Identifier: MIT */
/* Scans the numbers of keys of each digit, in one row. Built with
 * -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*. */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#include "vkreduce/sort.glsl"
#include "vkreduce/sweep.glsl"

void main()
{
    const uint list = vkr_group(), rank = vkr_group_rank();
    if (list >= push.rows * push.digits)
        return;
    const uint digits = vkr_bases_at(0u, list);
    uint sum = 0u;
    for (uint first = 0u; first < VKR_SORT_RADIX; first += VKR_WORKGROUP) {
        const uint digit = first + rank;
        uint count = digit < VKR_SORT_RADIX ? vkr_table[digits + digit] : 0u, total;
        uint before = vkr_group_exclusive(count, total);
        if (digit < VKR_SORT_RADIX)
            vkr_table[digits + digit] = sum + before;
        sum += total;
    }
}
