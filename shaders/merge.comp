/* SPDX-License-Identifier: MIT */
/*
 * Merges shares of two sorted sequences, whose elements kernel SPLIT has found. A workgroup loads
 * the elements of its share into shared memory; each of its invocations finds by bisection which of
 * them are its own, and merges these into registers; and the workgroup stores them side by side.
 * Otherwise, as CPUs like it, an invocation merges a share of its own from memory to memory. Built
 * with -DVKR_UNIT_BYTES=1|2|4|8.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/merge.h"

#include "vkreduce/merge.glsl"

/* Keys of the share: those of A, then those of B. Later, what is stored for each output. */
shared VkrKey vkr_tile[VKR_STAGED ? VKR_SHARE : 1u];

/* Outputs of this invocation: keys, and places in the tile. */
VkrKey vkr_own_keys[VKR_ITEMS];
uint vkr_own_places[VKR_ITEMS];

uint vkr_merged_base = push.merged_base;
uint vkr_merged_stride = push.merged_stride;
uint vkr_values_base = push.values_base;
uint vkr_values_stride = push.values_stride;

/* A share: its first elements in the windows, how many elements of each it has, and its first
 * output in the dispatch. */
struct VkrShare {
    uint a;
    uint b;
    uint a_count;
    uint count;
    uint first;
};

/* Whatever the table has where sequences are not sorted, elements of the windows follow from it. */
VkrShare vkr_share_of(const uint number)
{
    uint all = vkr_table[push.table_base + VKR_MERGE_AT_COUNT];
    uint a = vkr_table[push.table_base + VKR_MERGE_AT_A];
    uint b = vkr_table[push.table_base + VKR_MERGE_AT_B];
    uint first = number * VKR_SHARE;
    if (first >= all)
        return VkrShare(0u, 0u, 0u, 0u, 0u);
    uint count = min(VKR_SHARE, all - first);
    uint before = vkr_table[vkr_split_at(number)];
    uint through = clamp(vkr_table[vkr_split_at(number + 1u)], before, before + count);
    return VkrShare(a + before, b + first - before, through - before, count, a + b + first);
}

/* ---- Outputs ---- */

void vkr_store_key(const uint i, const VkrKey key)
{
    vkr_merged[vkr_merged_base + i * vkr_merged_stride] = VkrUnit(vkr_bits_of(key));
}

/* What belongs to an element of a window: its index, or the payload's entry. */
uint vkr_value_of(const bool is_b, const uint element)
{
    if (!vkr_has(VKR_FLAG_CARRIED))
        return element + (is_b ? push.all_a + push.first_b : push.first_a);
    if (is_b)
        return vkr_carried_b[push.carried_b_base + element * push.carried_b_stride];
    return vkr_carried_a[push.carried_a_base + element * push.carried_a_stride];
}

void vkr_store_value(const uint i, const uint value)
{
    vkr_values[vkr_values_base + i * vkr_values_stride] = value;
}

/* ---- An invocation alone ---- */

void vkr_merge_alone(const VkrShare share)
{
    uint a = share.a, a_end = share.a + share.a_count;
    uint b = share.b, b_end = share.b + share.count - share.a_count;
    VkrKey a_key = VkrKey(0u), b_key = VkrKey(0u);
    if (a < a_end)
        a_key = vkr_key_of_a(a);
    if (b < b_end)
        b_key = vkr_key_of_b(b);
    for (uint i = share.first; i < share.first + share.count; i++) {
        bool is_b = a >= a_end || (b < b_end && vkr_is_b_first(b_key, a_key));
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_store_key(i, is_b ? b_key : a_key);
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_store_value(i, vkr_value_of(is_b, is_b ? b : a));
        a += is_b ? 0u : 1u;
        b += is_b ? 1u : 0u;
        if (is_b && b < b_end)
            b_key = vkr_key_of_b(b);
        if (!is_b && a < a_end)
            a_key = vkr_key_of_a(a);
    }
}

/* ---- A workgroup ---- */

/* Neighbours load and store neighbours. */
uint vkr_place(const uint i)
{
    return gl_LocalInvocationIndex + i * VKR_WORKGROUP;
}

/* All loads are under way before the first key is computed. */
void vkr_load(const VkrShare share)
{
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        uint place = vkr_place(i);
        if (place < share.a_count)
            vkr_own_keys[i] = vkr_bits_of_a(share.a + place);
        else if (place < share.count)
            vkr_own_keys[i] = vkr_bits_of_b(share.b + place - share.a_count);
    }
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        if (vkr_place(i) < share.count)
            vkr_tile[vkr_place(i)] = vkr_key_of(vkr_own_keys[i]);
    barrier();
}

/* Of the first `before` elements of the share in their order, the number of those of A. */
uint vkr_cross(const VkrShare share, const uint before)
{
    uint low = before - min(before, share.count - share.a_count);
    uint high = min(before, share.a_count);
    while (low < high) {
        uint middle = (low + high) / 2u;
        bool later =
            vkr_is_b_first(vkr_tile[share.a_count + before - middle - 1u], vkr_tile[middle]);
        low = later ? low : middle + 1u;
        high = later ? middle : high;
    }
    return low;
}

/* Takes this invocation's outputs. Those after the share's end are not stored. */
void vkr_merge_own(const VkrShare share, const uint first)
{
    uint last = share.count - 1u;
    uint before = min(first, share.count);
    uint a = vkr_cross(share, before), b = share.a_count + before - a;
    VkrKey a_key = vkr_tile[min(a, last)], b_key = vkr_tile[min(b, last)];
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        bool is_b = a >= share.a_count || (b < share.count && vkr_is_b_first(b_key, a_key));
        vkr_own_keys[i] = is_b ? b_key : a_key;
        vkr_own_places[i] = is_b ? b : a;
        a += is_b ? 0u : 1u;
        b += is_b ? 1u : 0u;
        VkrKey next = vkr_tile[min(is_b ? b : a, last)];
        a_key = is_b ? a_key : next;
        b_key = is_b ? next : b_key;
    }
}

void vkr_store_keys(const VkrShare share, const uint first)
{
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        if (first + i < share.count)
            vkr_tile[first + i] = vkr_own_keys[i];
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        if (vkr_place(i) < share.count)
            vkr_store_key(share.first + vkr_place(i), vkr_tile[vkr_place(i)]);
}

uint vkr_low_word(const uint key)
{
    return key;
}

uint vkr_low_word(const uvec2 key)
{
    return key.x;
}

void vkr_store_values(const VkrShare share, const uint first)
{
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        if (first + i < share.count)
            vkr_tile[first + i] = VkrKey(vkr_own_places[i]);
    barrier();
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++) {
        if (vkr_place(i) < share.count) {
            uint place = vkr_low_word(vkr_tile[vkr_place(i)]);
            bool is_b = place >= share.a_count;
            vkr_own_places[i] =
                vkr_value_of(is_b, is_b ? share.b + place - share.a_count : share.a + place);
        }
    }
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
        if (vkr_place(i) < share.count)
            vkr_store_value(share.first + vkr_place(i), vkr_own_places[i]);
}

void vkr_merge_together(const VkrShare share)
{
    uint first = gl_LocalInvocationIndex * VKR_ITEMS;
    vkr_load(share);
    vkr_merge_own(share, first);
    if (vkr_has(VKR_FLAG_KEYS))
        vkr_store_keys(share, first);
    if (vkr_has(VKR_FLAG_VALUES))
        vkr_store_values(share, first);
}

void main()
{
    uint group = vkr_group();
    if (group >= push.groups)
        return;
    VkrShare share =
        vkr_share_of(VKR_STAGED ? group : group * VKR_WORKGROUP + gl_LocalInvocationIndex);
    if (share.count == 0u)
        return;
    if (VKR_STAGED)
        vkr_merge_together(share);
    else
        vkr_merge_alone(share);
}
