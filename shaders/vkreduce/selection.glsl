/* SPDX-License-Identifier: MIT */
/*
 * What a selection knows after some digits of the keys, and how one more digit is found from the
 * numbers of elements that have each value of it.
 */
#ifndef VKR_SELECTION_GLSL
#define VKR_SELECTION_GLSL

#include "digits.glsl"

const uint VKR_BINS = 1u << VKR_BITS;

/* Elements whose keys, without their lowest `shift` bits, are below those of the bound are
 * selected, and so are `rest` of the elements whose keys are equal to the bound there: those with
 * the smallest indices. The state is complete when `rest` is the number of these elements, or when
 * `shift` is 0. */
struct VkrSelection {
    VkrKey bound; /* without its lowest bits */
    uint shift;
    uint rest;
    bool complete;
};

/* The number of bits of the digit that follows. */
uint vkr_width(const VkrSelection s)
{
    return min(s.shift, VKR_BITS);
}

/* A row of `length` elements, of which `wanted` are, before its first digit. */
VkrSelection vkr_start(const uint length, const uint wanted)
{
    return VkrSelection(VkrKey(0u), VKR_KEY_BITS, min(wanted, length), length <= wanted);
}

/* ---- States in memory ---- */

VkrSelection vkr_load_selection(const uint row)
{
    uint at = push.states_base + row * VKR_SELECT_STATE_WORDS;
    uint last = vkr_states[at + 3u];
    VkrSelection s;
    s.bound = VkrKey(vkr_states[at]);
#if VKR_UNIT_BYTES == 8
    s.bound.y = vkr_states[at + 1u];
#endif
    s.rest = vkr_states[at + 2u];
    s.shift = last >> 1;
    s.complete = (last & 1u) != 0u;
    return s;
}

void vkr_store_selection(const uint row, const VkrSelection s)
{
    uint at = push.new_states_base + row * VKR_SELECT_STATE_WORDS;
    vkr_new_states[at] = vkr_low_word(s.bound);
#if VKR_UNIT_BYTES == 8
    vkr_new_states[at + 1u] = s.bound.y;
#endif
    vkr_new_states[at + 2u] = s.rest;
    vkr_new_states[at + 3u] = s.shift << 1 | (s.complete ? 1u : 0u);
}

#include "tree.glsl"

/* ---- Finding a digit ---- */

/* The numbers of elements that have each value of a digit. */
shared uint vkr_bins[VKR_BINS];

uint vkr_count_of_bin(const uint bin, const uint table, const bool is_shared)
{
    return is_shared ? vkr_bins[bin] : vkr_table[table + bin];
}

/* Adds a digit to a state that is not complete, from counts in shared memory or in a table. All
 * invocations return the same. */
VkrSelection vkr_add_digit(VkrSelection s, const uint table, const bool is_shared)
{
    const uint each = VKR_BINS > VKR_WORKGROUP ? VKR_BINS / VKR_WORKGROUP : 1u;
    const uint lane = gl_LocalInvocationIndex;
    uint sum = 0u;
    for (uint i = 0u; i < each; i++)
        if (lane * each + i < VKR_BINS)
            sum += vkr_count_of_bin(lane * each + i, table, is_shared);
    vkr_build_tree(sum);
    uint node = 1u;
    while (node < VKR_WORKGROUP) {
        uint left = vkr_tree[2u * node];
        bool is_right = s.rest > left;
        s.rest -= is_right ? left : 0u;
        node = 2u * node + (is_right ? 1u : 0u);
    }
    uint bin = min((node - VKR_WORKGROUP) * each, VKR_BINS - 1u);
    uint count = vkr_count_of_bin(bin, table, is_shared);
    for (uint i = 1u; i < each && s.rest > count; i++) {
        s.rest -= count;
        bin++;
        count = vkr_count_of_bin(bin, table, is_shared);
    }
    uint width = vkr_width(s);
    s.bound = vkr_join(s.bound, width, bin);
    s.shift -= width;
    s.complete = s.shift == 0u || s.rest == count;
    return s;
}

#endif
