/* SPDX-License-Identifier: MIT */
/*
 * Finds the bounds of values in sorted elements by binary search. The number of steps depends only
 * on the number of elements, and each step is one load and no branch; an invocation searches for
 * several values at once, so that several loads are under way.
 *
 * A value that equals no element has the same lower and upper bound, so both searches have the same
 * steps until one of them reads an element that equals the value.
 *
 * Where the sorted elements have several windows, the dispatch of each stores the bounds that lie
 * in it: those whose element before is in the window or is the last one before it, and, except in
 * the last window, whose element after is in the window.
 *
 * Built with -DVKR_UNIT_BYTES=1|2|4|8, the size of an element.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/bounds.h"

#include "vkreduce/order.glsl"
#include "vkreduce/count.glsl"


const bool VKR_LOWER = (VKR_FLAGS & VKR_FLAG_LOWER) != 0u;
const bool VKR_UPPER = (VKR_FLAGS & VKR_FLAG_UPPER) != 0u;
const bool VKR_WINDOWS = (VKR_FLAGS & VKR_FLAG_WINDOWS) != 0u;

/* The window of sorted elements. These are read once, as CPU drivers do not hoist such reads. */
uvec2 vkr_sorted_first = uvec2(push.sorted_low, push.sorted_high);
bool vkr_is_first = vkr_sorted_first == uvec2(0u);
bool vkr_is_last;
uint vkr_sorted_base =
    push.sorted_base + (VKR_WINDOWS && !vkr_is_first ? push.sorted_stride : 0u);
uint vkr_sorted_stride = push.sorted_stride;
uint vkr_length; /* the number of its elements */

/* Values that are searched for together, and the numbers of elements of the window that are known
 * to come before each, and before or with it. */
VkrKey vkr_wanted[VKR_BOUNDS_AT_ONCE];
uint vkr_before[VKR_BOUNDS_AT_ONCE];
uint vkr_through[VKR_BOUNDS_AT_ONCE];

VkrKey vkr_key_at(const uint i)
{
    uint at = vkr_sorted_base + ((VKR_FLAGS & VKR_FLAG_PACKED) != 0u ? i : i * vkr_sorted_stride);
    return vkr_clamped(vkr_key_of(VkrKey(vkr_sorted[at])));
}

/* The number of sorted elements of the whole operation. */
uvec2 vkr_sorted_total()
{
    uvec2 total = uvec2(push.sorted_total_low, push.sorted_total_high);
    if ((VKR_FLAGS & VKR_FLAG_SORTED_COUNT) != 0u) {
        uvec2 count = uvec2(vkr_sorted_count[push.sorted_count_base], 0u);
        if ((VKR_FLAGS & VKR_FLAG_SORTED_COUNT64) != 0u)
            count.y = vkr_sorted_count[push.sorted_count_base + 1u];
        total = vkr_minimum(total, count);
    }
    return total;
}

/* Sets the window. Returns whether bounds can lie in it. */
bool vkr_set_window()
{
    uvec2 total = vkr_sorted_total();
    uvec2 end = vkr_add(vkr_sorted_first, uvec2(push.sorted_count, 0u));
    bool ends = !vkr_less(end, total);
    bool starts = vkr_less(vkr_sorted_first, total);
    vkr_is_last = ends;
    vkr_length = push.sorted_count;
    if (ends)
        vkr_length = starts ? vkr_subtract(total, vkr_sorted_first).x : 0u;
    return starts || vkr_is_first;
}

/* Both bounds lie among the `length` elements after those that are known, or at an end of them.
 * Halves that number until the bounds of some value differ, or none are left. */
uint vkr_walk_together(uint length)
{
    bool apart = false;
    while (length != 0u && !(VKR_LOWER && VKR_UPPER && apart)) {
        uint part = (length + 1u) / 2u;
        VkrKey key[VKR_BOUNDS_AT_ONCE];
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++)
            key[b] = vkr_key_at((VKR_LOWER ? vkr_before[b] : vkr_through[b]) + part - 1u);
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++) {
            bool less = vkr_key_less(key[b], vkr_wanted[b]);
            bool greater = vkr_key_less(vkr_wanted[b], key[b]);
            vkr_before[b] += less ? part : 0u;
            vkr_through[b] += greater ? 0u : part;
            apart = apart || less == greater;
        }
        length -= part;
    }
    return length;
}

/* The same for bounds that may differ, until none are left. */
void vkr_walk_apart(uint length)
{
    while (length != 0u) {
        uint part = (length + 1u) / 2u;
        VkrKey low[VKR_BOUNDS_AT_ONCE];
        VkrKey high[VKR_BOUNDS_AT_ONCE];
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++) {
            low[b] = vkr_key_at(vkr_before[b] + part - 1u);
            high[b] = vkr_key_at(vkr_through[b] + part - 1u);
        }
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++) {
            vkr_before[b] += vkr_key_less(low[b], vkr_wanted[b]) ? part : 0u;
            vkr_through[b] += vkr_key_less(vkr_wanted[b], high[b]) ? 0u : part;
        }
        length -= part;
    }
}

/* Whether the search in this window decides a bound, before which `n` elements of the window lie.
 * `follows` says whether the element before the window comes before the bound, too. */
bool vkr_decides(const uint n, const bool follows)
{
    bool inside = vkr_is_last || n < vkr_length;
    return !VKR_WINDOWS || (inside && follows);
}

void vkr_store(const uint i, const uint b)
{
    uvec2 lower = vkr_add(vkr_sorted_first, uvec2(vkr_before[b], 0u));
    uvec2 upper = vkr_add(vkr_sorted_first, uvec2(vkr_through[b], 0u));
    bool before = true, through = true;
    if (VKR_WINDOWS && !vkr_is_first) {
        VkrKey last = vkr_key_at(~0u); /* the element before the window */
        before = vkr_key_less(last, vkr_wanted[b]);
        through = !vkr_key_less(vkr_wanted[b], last);
    }
    if (VKR_LOWER && vkr_decides(vkr_before[b], before)) {
        uint at = push.lower_base + i * push.lower_stride;
        vkr_lower[at] = lower.x;
        if ((VKR_FLAGS & VKR_FLAG_LOWER64) != 0u)
            vkr_lower[at + 1u] = lower.y;
    }
    if (VKR_UPPER && vkr_decides(vkr_through[b], through)) {
        uint at = push.upper_base + i * push.upper_stride;
        vkr_upper[at] = upper.x;
        if ((VKR_FLAGS & VKR_FLAG_UPPER64) != 0u)
            vkr_upper[at + 1u] = upper.y;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint count = vkr_covered(vkr_total());
    if (group >= push.groups || count == 0u || !vkr_set_window())
        return;
    uint i = group * VKR_WORKGROUP * push.items + gl_LocalInvocationIndex;
    uint end = min(count, (group + 1u) * VKR_WORKGROUP * push.items);
    for (; i < end; i += VKR_BOUNDS_AT_ONCE * VKR_WORKGROUP) {
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++) {
            uint mine = min(i + b * VKR_WORKGROUP, count - 1u);
            uint at = push.values_base + mine * push.values_stride;
            vkr_wanted[b] = vkr_clamped(vkr_key_of(VkrKey(vkr_values[at])));
            vkr_before[b] = 0u;
            vkr_through[b] = 0u;
        }
        uint left = vkr_walk_together(vkr_length);
        if (VKR_LOWER && VKR_UPPER)
            vkr_walk_apart(left);
        [[unroll]] for (uint b = 0u; b < VKR_BOUNDS_AT_ONCE; b++)
            if (i + b * VKR_WORKGROUP < end)
                vkr_store(i + b * VKR_WORKGROUP, b);
    }
}
