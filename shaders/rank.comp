/* SPDX-License-Identifier: MIT */
/*
 * Orders the candidates of each row by counting for each of them those that come before it, and
 * stores the first ones: for few candidates this is faster than sorting, and it needs one dispatch.
 * Built with -DVKR_UNIT_BYTES=1|2|4|8.
 *
 * An invocation ranks one candidate. A workgroup has several short rows, or a part of one row; it
 * reads the keys of these rows through shared memory.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/span.h"
#include "cards/rank.h"

#include "vkreduce/order.glsl"
#include "vkreduce/rest.glsl"

shared VkrKey vkr_others[VKR_WORKGROUP];

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

/* The candidates of a workgroup, numbered within its rows. */
struct VkrGroup {
    uint row; /* the first one, in this dispatch */
    uint rows;
    uint first;    /* candidate of invocation 0 */
    uint numbered; /* candidates of all these rows */
};

VkrGroup vkr_group_of(const uint group)
{
    VkrGroup g;
    uint together = max(VKR_WORKGROUP / push.candidates, 1u);
    uint parts = (push.candidates - 1u) / VKR_WORKGROUP + 1u;
    g.row = group / parts * together;
    g.rows = min(push.rows - g.row, together);
    g.first = group % parts * VKR_WORKGROUP;
    g.numbered = g.rows * push.candidates;
    return g;
}

/* The bits of a candidate that is below g.numbered, although its row may be shorter. Candidates
 * past the end of the keys are not read. */
VkrKey vkr_bits_at(const VkrGroup g, const uint candidate, const uint end)
{
    uint key = g.row * push.keys_pitch + candidate;
    if (vkr_has(VKR_FLAG_APART))
        key += candidate / push.candidates * (push.keys_pitch - push.candidates);
    return key < end ? VkrKey(vkr_keys[push.keys_base + key * push.keys_stride]) : VkrKey(0u);
}

/* The number of candidates of a row that exist. */
uint vkr_candidates_of(const uint row, const uint all)
{
    if (vkr_has(VKR_FLAG_SPANS))
        return vkr_spans[push.spans_base + row * VKR_WORDS_OF_SPAN + VKR_FOUND_OF_SPAN];
    return min(vkr_length_of_row(push.first_row + row, all), push.candidates);
}

/* Stores candidate `i` of a row, whose rank is known. */
void vkr_store(const uint row, const uint i, const uint rank, const VkrKey bits)
{
    uint index = i;
    if (vkr_has(VKR_FLAG_LISTED))
        index = vkr_list[push.list_base + row * push.candidates + i];
    uint at = row * push.pitch + rank;
    if (vkr_has(VKR_FLAG_VALUES))
        vkr_values[push.values_base + at * push.values_stride] = VkrUnit(bits);
    if (vkr_has(VKR_FLAG_INDICES))
        vkr_indices[push.indices_base + at * push.indices_stride] = index;
    if (vkr_has(VKR_FLAG_SORTED))
        vkr_sorted[push.sorted_base + row * push.wanted + rank] = index;
}

/* The number of candidates first .. end - 1 of shared memory that come before a candidate with this
 * key. Of equal ones, those at positions below `position` do. */
uint vkr_count_before(const uint first, const uint end, const VkrKey key, const uint position)
{
    uint count = 0u;
    for (uint i = first; i < end; i++) {
        VkrKey other = vkr_others[i];
        bool is_less = vkr_key_less(other, key);
        bool is_equal = other == key;
        bool is_earlier = i < position;
        count += is_less || (is_equal && is_earlier) ? 1u : 0u;
    }
    return count;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    const uint lane = gl_LocalInvocationIndex;
    VkrGroup g = vkr_group_of(group);
    uint all = vkr_all_elements();
    uint mine = g.first + lane; /* among the candidates of these rows */
    uint in_group = min(mine / push.candidates, g.rows - 1u);
    uint row = g.row + in_group;
    uint length = vkr_candidates_of(row, all);
    uint i = mine - in_group * push.candidates;
    bool exists = mine < g.numbered && i < length;
    uint begin = push.first_row * push.row_pitch;
    uint end = vkr_has(VKR_FLAG_LISTED) ? push.rows * push.candidates : max(all, begin) - begin;
    VkrKey bits = vkr_bits_at(g, min(mine, g.numbered - 1u), end);
    VkrKey key = vkr_compared_key(bits);
    uint rank = 0u;
    for (uint tile = 0u; tile < g.numbered; tile += VKR_WORKGROUP) {
        barrier();
        if (tile + lane < g.numbered)
            vkr_others[lane] = vkr_compared_key(vkr_bits_at(g, tile + lane, end));
        barrier();
        uint first = max(in_group * push.candidates, tile) - tile;
        uint last = min(in_group * push.candidates + length, tile + VKR_WORKGROUP);
        if (exists)
            rank += vkr_count_before(first, max(last, tile) - tile, key, max(mine, tile) - tile);
    }
    if (exists && rank < push.wanted)
        vkr_store(row, i, rank, bits);
    if (vkr_has(VKR_FLAG_FOUND) && mine < g.numbered && i == 0u)
        vkr_found[push.found_base + row] = min(push.wanted, length);
}
