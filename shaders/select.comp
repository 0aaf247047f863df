/* SPDX-License-Identifier: MIT */
/*
 * Finds the first elements of each row, in the order of its card's constants, by radix select: for
 * one digit after the other, starting with the highest, the elements are counted by that digit
 * which have the digits found so far; in one of these counts the last element lies that is wanted.
 * Then the indices of the elements are stored, in their own order. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8, and with -DVKR_SPANS for segments between offsets.
 *
 * A unit of a long row is a part of it, and each digit is a dispatch, whose workgroups add their
 * counts in memory. The next dispatch finds the digit in each workgroup.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#ifdef VKR_SPANS
#include "cards/span.h"
#endif
#include "cards/select.h"

#ifndef VKR_SPANS
#include "vkreduce/rest.glsl"
#endif
#include "vkreduce/selection.glsl"
#include "vkreduce/units.glsl"


shared uint vkr_sums[VKR_SELECT_TALLY_WORDS];

/* ---- Counting ---- */

void vkr_clear_bins()
{
    barrier(); /* all invocations have found the previous digit */
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_BINS; bin += VKR_WORKGROUP)
        vkr_bins[bin] = 0u;
    barrier();
}

/* An invocation's elements with the same digit are counted at once while they follow each other,
 * so that equal elements cost little. */
uint vkr_digit = 0u;
uint vkr_run = 0u;

void vkr_count_run()
{
    if (vkr_run != 0u)
        atomicAdd(vkr_bins[vkr_digit], vkr_run);
}

void vkr_count_key(const VkrKey key, const uint shift, const uint mask)
{
    uint digit = vkr_low_word(vkr_above(key, shift)) & mask;
    if (digit != vkr_digit) {
        vkr_count_run();
        vkr_digit = digit;
        vkr_run = 0u;
    }
    vkr_run++;
}

/* Counts those elements of packs that have the digits found so far. In most packs none has, so
 * those that have are loaded again. */
void vkr_count_packs(const VkrPlan plan, const VkrSelection s, const uint shift, const uint mask)
{
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        uint matches = 0u;
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            bool exists = at + p * vkr_next_pack() < plan.packs;
            [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) {
                bool has = vkr_above(vkr_key_of_pack(packs[p], i), s.shift) == s.bound;
                matches |= exists && has ? 1u << p * VKR_PER_PACK + i : 0u;
            }
        }
        for (; matches != 0u; matches &= matches - 1u) {
            uint bit = uint(findLSB(matches));
            uint pack = plan.first + at + bit / VKR_PER_PACK * vkr_next_pack();
            vkr_count_key(vkr_key_of_unit(pack * VKR_PER_PACK + bit % VKR_PER_PACK), shift, mask);
        }
    }
}

/* Counts all elements of packs by their first digit. */
void vkr_count_all_packs(const VkrPlan plan, const uint shift, const uint mask)
{
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            bool exists = at + p * vkr_next_pack() < plan.packs;
            [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) if (exists)
                vkr_count_key(vkr_key_of_pack(packs[p], i), shift, mask);
        }
    }
}

/* Counts the next digit of the elements that have the digits found so far. */
void vkr_count_digits(const VkrUnitShare share, const VkrSelection s)
{
    VkrPlan plan = vkr_plan_of(share);
    uint width = vkr_width(s);
    uint shift = s.shift - width;
    uint mask = (1u << width) - 1u;
    vkr_digit = 0u;
    vkr_run = 0u;
    for (uint i = gl_LocalInvocationIndex; i < plan.singles; i += VKR_WORKGROUP) {
        VkrKey key = vkr_single_key(plan, i);
        if (vkr_above(key, s.shift) == s.bound)
            vkr_count_key(key, shift, mask);
    }
    if (VKR_MODE == VKR_SELECT_FIRST || (VKR_MODE == VKR_SELECT_ROW && s.shift == VKR_KEY_BITS))
        vkr_count_all_packs(plan, shift, mask);
    else
        vkr_count_packs(plan, s, shift, mask);
    vkr_count_run();
    barrier();
}

void vkr_add_counts(const uint row)
{
    uint counts = push.counts_base + row * VKR_BINS;
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
        s = vkr_add_digit(s, push.table_base + share.row * VKR_BINS, false);
    return s;
}

/* The number of the unit in the array of tallies. */
uint vkr_tally_of(const VkrUnitShare share)
{
    return share.unit * VKR_SELECT_TALLY_WORDS;
}

/* Adds one to x if a key is below the bound, and to y if it is equal to it. */
uvec2 vkr_compare(const VkrKey key, const VkrSelection s)
{
    VkrKey above = vkr_above(key, s.shift);
    return uvec2(vkr_key_less(above, s.bound) ? 1u : 0u, above == s.bound ? 1u : 0u);
}

uvec2 vkr_tally_elements(const VkrPlan plan, const VkrSelection s)
{
    uvec2 sum = uvec2(0u);
    for (uint i = gl_LocalInvocationIndex; i < plan.singles; i += VKR_WORKGROUP)
        sum += vkr_compare(vkr_single_key(plan, i), s);
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uvec2 of_pack = uvec2(0u);
            [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) of_pack +=
                vkr_compare(vkr_key_of_pack(packs[p], i), s);
            bool exists = at + p * vkr_next_pack() < plan.packs;
            sum += exists ? of_pack : uvec2(0u);
        }
    }
    return sum;
}

void vkr_tally(const VkrUnitShare share, const VkrSelection s)
{
    if (gl_LocalInvocationIndex < VKR_SELECT_TALLY_WORDS)
        vkr_sums[gl_LocalInvocationIndex] = 0u;
    barrier();
    uvec2 sum = vkr_tally_elements(vkr_plan_of(share), s);
    if (sum.x != 0u)
        atomicAdd(vkr_sums[0], sum.x);
    if (sum.y != 0u)
        atomicAdd(vkr_sums[1], sum.y);
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
    const uint tile = VKR_SELECT_BATCH * VKR_WORKGROUP;
    uint wanted = min(share.wanted, share.row_length);
    uint list = push.list_base + share.list * push.wanted;
    uint count = share.end - share.begin;
    for (uint first = 0u; first < count && vkr_entries_of(before, s) < wanted; first += tile) {
        uint at = first + gl_LocalInvocationIndex * VKR_SELECT_BATCH;
        uint below = 0u, equal = 0u; /* a bit for each element */
        [[unroll]] for (uint i = 0u; i < VKR_SELECT_BATCH; i++) {
            VkrKey key = vkr_above(vkr_key_at(share.begin + min(at + i, count - 1u)), s.shift);
            bool is_inside = at + i < count;
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
                vkr_list[list + vkr_entries_of(passed, s)] = share.skipped + at + i;
            passed += is_equal ? uvec2(0u, 1u) : uvec2(1u, 0u);
        }
        before += uvec2(all & 0xffffu, all >> 16);
    }
}

#ifdef VKR_SPANS
#define vkr_store_counts(share) /* spans.comp does */
#else
/* Stores the numbers of entries: of a row, and of all rows. */
void vkr_store_counts(const VkrUnitShare share)
{
    if (gl_LocalInvocationIndex != 0u || share.part != 0u)
        return;
    if ((VKR_FLAGS & VKR_FLAG_FOUND) != 0u)
        vkr_found[push.found_base + share.row] = min(push.wanted, share.row_length);
    if ((VKR_FLAGS & VKR_FLAG_ENTRIES) != 0u && push.first_row + share.row == 0u) {
        uint all = vkr_all_elements();
        uint rows = all / push.row_pitch;
        uint last = min(all - rows * push.row_pitch, push.row_length);
        vkr_new_states[push.entries_base] = rows * push.wanted + min(last, push.wanted);
    }
}
#endif

/* ---- Modes ---- */

void vkr_select_row(const VkrUnitShare share)
{
    VkrSelection s = vkr_start(share.row_length, share.wanted);
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
    VkrSelection s = vkr_start(share.row_length, share.wanted);
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

#ifdef VKR_SPANS
shared VkrKey vkr_keys_of_few[VKR_WORKGROUP];

/* Ranks the elements of short segments: each invocation has one of them, and counts those of its
 * segment that come before it. */
void vkr_rank_few(const uint group)
{
    uint lane = gl_LocalInvocationIndex;
    uint row = group * (VKR_WORKGROUP / push.share) + lane / push.share;
    uint i = lane % push.share;
    uint span = push.spans_base + min(row, push.rows - 1u) * VKR_WORDS_OF_SPAN;
    uint length = vkr_spans[span + VKR_LENGTH_OF_SPAN], found = vkr_spans[span + VKR_FOUND_OF_SPAN];
    bool exists = row < push.rows && length <= push.share && i < length;
    VkrKey key = VkrKey(0u);
    if (exists)
        key = vkr_key_at(vkr_spans[span + VKR_BEGIN_OF_SPAN] + i);
    vkr_keys_of_few[lane] = key;
    barrier();
    uint rank = 0u;
    for (uint k = 0u; exists && k < length; k++) {
        VkrKey other = vkr_keys_of_few[lane - i + k];
        bool is_less = vkr_key_less(other, key);
        bool is_equal = other == key;
        rank += is_less || (is_equal && k < i) ? 1u : 0u;
    }
    if (exists && rank < found)
        vkr_list[push.list_base + row * push.wanted + rank] = i;
}
#endif

void vkr_select_unit(const uint unit)
{
    VkrUnitShare share = vkr_share_of(unit);
    if (VKR_MODE == VKR_SELECT_ROW) {
        vkr_select_row(share);
    } else if (VKR_MODE == VKR_SELECT_STORE) {
        vkr_store_entries(share, vkr_load_selection(share.row), vkr_tallied_before(share));
        vkr_store_counts(share);
    } else {
        vkr_go_on(share);
    }
}

/* Only the GPU knows how many segments are listed, so that workgroups go over them. The host limits
 * the trips through the loop. */
void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
#ifdef VKR_SPANS
    if (VKR_MODE == VKR_SELECT_FEW) {
        vkr_rank_few(group);
    } else if (VKR_MODE == VKR_SELECT_ROW) {
        uint units = vkr_units_listed();
        for (uint unit = group; unit < units; unit += push.groups)
            vkr_select_unit(unit);
    } else if (group < vkr_units_listed()) {
        vkr_select_unit(group);
    }
#else
    vkr_select_unit(push.first_unit + group);
#endif
}
