/* SPDX-License-Identifier: MIT */
/*
 * Finds the first element that passes a compaction's test. Workgroups read shares in order, and an
 * atomic maximum of complements keeps the least index. A workgroup reads no elements after one that
 * is known to pass; that only saves time, since such elements cannot change the result.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/compact.h"

const uint VKR_VALUES = VKR_COMPONENTS; /* of an element */
#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/tested.glsl"

const uint VKR_CHUNK = VKR_BATCH * VKR_WORKGROUP; /* units that a workgroup loads at once */

uint vkr_first_window = push.counter_base;
uint vkr_first_element = push.counter_base + 1u + push.kept_low;

/* Whether an element before unit u is known to pass. */
bool vkr_is_past(const uint u)
{
    bool other = vkr_counter[vkr_first_window] > ~push.kept_low;
    bool same = vkr_counter[vkr_first_element] > ~vkr_elements_before(u);
    return other || same;
}

/* Notes an element that passes. Most of them are not the first, so a load comes before an atomic
 * operation. */
void vkr_note(const uint i)
{
    if (vkr_counter[vkr_first_element] >= ~i)
        return;
    atomicMax(vkr_counter[vkr_first_element], ~i);
    atomicMax(vkr_counter[vkr_first_window], ~push.kept_low);
}

/* The first element that passes among units that lie VKR_WORKGROUP apart, starting at unit u; ~0 if
 * none does. `end` is the end of the workgroup's units. */
uint vkr_find_singly(const uint u, const uint end)
{
    uint found = ~0u;
    for (uint b = 0u; b < VKR_BATCH && u + b * VKR_WORKGROUP < end && found == ~0u; b++) {
        uint v = u + b * VKR_WORKGROUP;
        uint kept = vkr_test_elements(v, vkr_present(v));
        found = kept != 0u ? vkr_begin_of(v) + uint(findLSB(kept)) : found;
    }
    return found;
}

uint vkr_find_loaded(const uint u)
{
    VkrUnit loaded[VKR_BATCH];
    uint found = ~0u;
    for (uint b = 0u; b < VKR_BATCH; b++)
        loaded[b] = vkr_load_tested(u + b * VKR_WORKGROUP);
    for (uint b = 0u; b < VKR_BATCH; b++) {
        uint v = u + b * VKR_WORKGROUP;
        uint kept = vkr_bits_of(vkr_test_loaded(loaded[b], v, vkr_before(v)));
        found = kept != 0u ? min(found, vkr_begin_of(v) + uint(findLSB(kept))) : found;
    }
    return found;
}

void vkr_find(const uint group)
{
    uint share = VKR_WORKGROUP * push.items;
    uint end = min(group * share + share, vkr_units());
    uint found = ~0u;
    for (uint u = group * share; u < end && found == ~0u && !vkr_is_past(u); u += VKR_CHUNK) {
        uint mine = u + gl_LocalInvocationIndex;
        bool full = u + VKR_CHUNK <= end && vkr_are_full(u, VKR_CHUNK);
        if (full)
            found = vkr_find_loaded(mine);
        else
            found = vkr_find_singly(mine, end);
    }
    if (found != ~0u)
        vkr_note(found);
}

/* Stores the index of the first element; ~0 if none passes. */
void vkr_store_found()
{
    uvec2 index = uvec2(~0u);
    uint window = ~vkr_counter[vkr_first_window];
    if (window != ~0u) {
        uint low, high;
        umulExtended(window, push.kept_count, high, low);
        uint i = ~vkr_counter[vkr_first_window + 1u + window];
        index = vkr_add(uvec2(low, high), uvec2(i, 0u));
    }
    vkr_kept_indices[push.kept_bases] = index.x;
    if (VKR_WIDE_INDEX)
        vkr_kept_indices[push.kept_bases + 1u] = index.y;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (VKR_MODE == VKR_MODE_FOUND) {
        if (group == 0u && gl_LocalInvocationIndex == 0u)
            vkr_store_found();
        return;
    }
    if (group >= vkr_groups())
        return;
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_set_ranges();
    vkr_find(group);
}
