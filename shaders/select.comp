/* SPDX-License-Identifier: MIT */
/*
 * Finds the first elements of each row, in the order of its card's constants, by radix select: for
 * one digit after the other, starting with the highest, the elements are counted by that digit
 * which have the digits found so far; in one of these counts the last element lies that is wanted.
 * Then the indices of the elements are stored, in their own order. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8.
 *
 * A unit of a long row is a part of it, and each digit is a dispatch, whose workgroups add their
 * counts in memory. The next dispatch finds the digit in each workgroup.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/select.h"

#include "vkreduce/rest.glsl"
#include "vkreduce/selection.glsl"

const uint VKR_BATCH = 8u; /* elements of an invocation that are loaded at once */

shared uint vkr_sums[VKR_SELECT_TALLY_WORDS];

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_input_base = push.input_base;
uint vkr_input_stride = push.input_stride;
uint vkr_first_element = push.first_element;

VkrKey vkr_key_at(const uint element)
{
    uint at = vkr_input_base + (element - vkr_first_element) * vkr_input_stride;
    return vkr_clamped(vkr_key_of(VkrKey(vkr_input[at])));
}

/* The elements of a unit. */
struct VkrUnitShare {
    uint row;
    uint part;
    uint begin;
    uint end;
    uint row_length;
};

VkrUnitShare vkr_share_of(const uint unit)
{
    VkrUnitShare share;
    share.row = unit / push.parts;
    share.part = unit % push.parts;
    share.row_length = vkr_length_of_row(share.row, vkr_all_elements());
    uint first = share.row * push.row_length;
    share.begin = first + min(share.part * push.share, share.row_length);
    share.end = first + min(share.part * push.share + push.share, share.row_length);
    return share;
}

/* ---- Counting ---- */

void vkr_clear_bins()
{
    barrier(); /* all invocations have found the previous digit */
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_BINS; bin += VKR_WORKGROUP)
        vkr_bins[bin] = 0u;
    barrier();
}

/* Counts the next digit of the elements that have the digits found so far. Elements of an
 * invocation with the same digit are counted at once, so that equal elements cost little. */
void vkr_count_digits(const VkrUnitShare share, const VkrSelection s)
{
    uint width = vkr_width(s);
    uint shift = s.shift - width;
    uint mask = (1u << width) - 1u;
    uint digit = 0u;
    uint run = 0u;
    for (uint at = share.begin + gl_LocalInvocationIndex; at < share.end;
         at += VKR_BATCH * VKR_WORKGROUP) {
        VkrKey keys[VKR_BATCH];
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
            keys[i] = vkr_key_at(min(at + i * VKR_WORKGROUP, share.end - 1u));
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++) {
            bool is_inside = at + i * VKR_WORKGROUP < share.end;
            bool matches = vkr_above(keys[i], s.shift) == s.bound;
            if (is_inside && matches) {
                uint next = vkr_low_word(vkr_above(keys[i], shift)) & mask;
                if (next != digit) {
                    if (run != 0u)
                        atomicAdd(vkr_bins[digit], run);
                    digit = next;
                    run = 0u;
                }
                run++;
            }
        }
    }
    if (run != 0u)
        atomicAdd(vkr_bins[digit], run);
    barrier();
}

void vkr_add_counts(const uint row)
{
    uint counts = push.counts_base + (row - push.first_row) * VKR_BINS;
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_BINS; bin += VKR_WORKGROUP) {
        uint count = vkr_bins[bin];
        if (count != 0u)
            atomicAdd(vkr_counts[counts + bin], count);
    }
}

/* The state after the digit that the previous dispatch has counted. */
VkrSelection vkr_next_selection(const VkrUnitShare share)
{
    VkrSelection s = vkr_load_selection(share.row);
    if (!s.complete)
        s = vkr_add_digit(s, push.table_base + (share.row - push.first_row) * VKR_BINS, false);
    return s;
}

/* The number of the unit in the array of tallies. */
uint vkr_tally_of(const VkrUnitShare share)
{
    return ((share.row - push.first_row) * push.parts + share.part) * VKR_SELECT_TALLY_WORDS;
}

void vkr_tally(const VkrUnitShare share, const VkrSelection s)
{
    uint below = 0u, equal = 0u;
    if (gl_LocalInvocationIndex < VKR_SELECT_TALLY_WORDS)
        vkr_sums[gl_LocalInvocationIndex] = 0u;
    barrier();
    for (uint at = share.begin + gl_LocalInvocationIndex; at < share.end;
         at += VKR_BATCH * VKR_WORKGROUP) {
        VkrKey keys[VKR_BATCH];
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++)
            keys[i] = vkr_above(vkr_key_at(min(at + i * VKR_WORKGROUP, share.end - 1u)), s.shift);
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++) {
            bool is_inside = at + i * VKR_WORKGROUP < share.end;
            bool is_below = vkr_key_less(keys[i], s.bound);
            bool is_equal = keys[i] == s.bound;
            below += is_inside && is_below ? 1u : 0u;
            equal += is_inside && is_equal ? 1u : 0u;
        }
    }
    if (below != 0u)
        atomicAdd(vkr_sums[0], below);
    if (equal != 0u)
        atomicAdd(vkr_sums[1], equal);
    barrier();
    if (gl_LocalInvocationIndex < VKR_SELECT_TALLY_WORDS)
        vkr_counts[push.counts_base + vkr_tally_of(share) + gl_LocalInvocationIndex] =
            vkr_sums[gl_LocalInvocationIndex];
}

/* ---- Storing ---- */

/* The numbers of elements of a row below the bound and at it: x and y. */
uvec2 vkr_tallied_before(const VkrUnitShare share)
{
    uvec2 sum = uvec2(0u);
    if (gl_LocalInvocationIndex < VKR_SELECT_TALLY_WORDS)
        vkr_sums[gl_LocalInvocationIndex] = 0u;
    barrier();
    uint first = push.table_base + vkr_tally_of(share) - share.part * VKR_SELECT_TALLY_WORDS;
    for (uint i = gl_LocalInvocationIndex; i < share.part; i += VKR_WORKGROUP)
        sum += uvec2(vkr_table[first + 2u * i], vkr_table[first + 2u * i + 1u]);
    if (sum.x != 0u)
        atomicAdd(vkr_sums[0], sum.x);
    if (sum.y != 0u)
        atomicAdd(vkr_sums[1], sum.y);
    barrier();
    return uvec2(vkr_sums[0], vkr_sums[1]);
}

/* The number of entries before those of elements that `before` counts. */
uint vkr_entries_of(const uvec2 before, const VkrSelection s)
{
    return before.x + min(before.y, s.rest);
}

/* Stores the entries of the elements of a unit. Elements of an invocation follow each other. */
void vkr_store_entries(const VkrUnitShare share, const VkrSelection s, uvec2 before)
{
    const uint tile = VKR_BATCH * VKR_WORKGROUP;
    uint wanted = min(push.wanted, share.row_length);
    uint list = push.list_base + (share.row - push.first_row) * push.wanted;
    for (uint first = share.begin; first < share.end && vkr_entries_of(before, s) < wanted;
         first += tile) {
        uint at = first + gl_LocalInvocationIndex * VKR_BATCH;
        uint below = 0u, equal = 0u; /* a bit for each element */
        [[unroll]] for (uint i = 0u; i < VKR_BATCH; i++) {
            VkrKey key = vkr_above(vkr_key_at(min(at + i, share.end - 1u)), s.shift);
            bool is_inside = at + i < share.end;
            bool is_below = vkr_key_less(key, s.bound);
            bool is_equal = key == s.bound;
            below |= is_inside && is_below ? 1u << i : 0u;
            equal |= is_inside && is_equal ? 1u << i : 0u;
        }
        /* A tile has fewer than 2^16 elements. */
        vkr_build_tree(uint(bitCount(below)) | uint(bitCount(equal)) << 16);
        uint sum = vkr_sum_before(), all = vkr_tree[1];
        uvec2 passed = before + uvec2(sum & 0xffffu, sum >> 16);
        for (uint bits = below | equal; bits != 0u; bits &= bits - 1u) {
            uint i = uint(findLSB(bits));
            bool is_equal = (equal >> i & 1u) != 0u;
            if (!is_equal || passed.y < s.rest)
                vkr_list[list + vkr_entries_of(passed, s)] = at + i - share.row * push.row_length;
            passed += is_equal ? uvec2(0u, 1u) : uvec2(1u, 0u);
        }
        before += uvec2(all & 0xffffu, all >> 16);
    }
}

/* Stores the numbers of entries: of a row, and of all rows. */
void vkr_store_counts(const VkrUnitShare share)
{
    if (gl_LocalInvocationIndex != 0u || share.part != 0u)
        return;
    if ((VKR_FLAGS & VKR_FLAG_FOUND) != 0u)
        vkr_found[push.found_base + share.row - push.first_row] = min(push.wanted, share.row_length);
    if ((VKR_FLAGS & VKR_FLAG_ENTRIES) != 0u && share.row == 0u) {
        uint all = vkr_all_elements();
        uint rows = all / push.row_length;
        vkr_new_states[push.entries_base] =
            rows * push.wanted + min(all - rows * push.row_length, push.wanted);
    }
}

/* ---- Modes ---- */

void vkr_select_row(const VkrUnitShare share)
{
    VkrSelection s = vkr_start(share.row_length);
    for (uint i = 0u; i < VKR_KEY_BITS / VKR_BITS + 1u; i++) {
        if (s.complete)
            break;
        vkr_clear_bins();
        vkr_count_digits(share, s);
        s = vkr_add_digit(s, 0u, true);
    }
    vkr_store_entries(share, s, uvec2(0u));
    vkr_store_counts(share);
}

/* Counts a digit, or what is selected, after the digit that the previous dispatch has counted. */
void vkr_go_on(const VkrUnitShare share)
{
    VkrSelection s = vkr_start(share.row_length);
    if (VKR_MODE != VKR_SELECT_FIRST)
        s = vkr_next_selection(share);
    if (share.part == 0u && gl_LocalInvocationIndex == 0u)
        vkr_store_selection(share.row, s);
    if (VKR_MODE == VKR_SELECT_TALLY) {
        vkr_tally(share, s);
    } else if (!s.complete) {
        vkr_clear_bins();
        vkr_count_digits(share, s);
        vkr_add_counts(share.row);
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    VkrUnitShare share = vkr_share_of(push.first_unit + group);
    if (VKR_MODE == VKR_SELECT_ROW) {
        vkr_select_row(share);
    } else if (VKR_MODE == VKR_SELECT_STORE) {
        vkr_store_entries(share, vkr_load_selection(share.row), vkr_tallied_before(share));
        vkr_store_counts(share);
    } else {
        vkr_go_on(share);
    }
}
