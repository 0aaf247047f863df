/* SPDX-License-Identifier: MIT */
/*
 * Finds the elements of up to VKR_RANKS ranks in each row, in the order of its card's constants, by
 * radix select: for one digit after the other, starting with the highest, the elements are counted
 * by that digit which have the digits found so far for some rank. Ranks whose digits are the same
 * so far share counts: those of the first of them, their leader. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8, and with -DVKR_SPANS for segments between offsets.
 *
 * A unit of a long row is a part of it, and each digit is a dispatch, whose workgroups add their
 * counts in memory. The next dispatch finds the digits in each workgroup. An element's index is
 * sought in the unit that has it, by counts of the elements of units whose keys are the same.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#ifdef VKR_SPANS
#include "cards/span.h"
#endif
#include "cards/nth.h"

#include "vkreduce/digits.glsl"
#ifndef VKR_SPANS
#include "vkreduce/rest.glsl"
#endif
#include "vkreduce/tree.glsl"
#define VKR_NTH
#include "vkreduce/units.glsl"

const uint VKR_BINS = 1u << VKR_BITS;
const uint VKR_ALL_BINS = VKR_RANKS * VKR_BINS;
const uint VKR_ABSENT = 0xffffffffu; /* the rest of a rank that the row does not have */

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

#include "vkreduce/nth_ranks.glsl"
#include "vkreduce/nth_counts.glsl"

/* ---- Tallies ---- */

/* The position of a unit's tallies, which are the numbers of its elements at the key of each
 * leader. */
uint vkr_tallies_of(const VkrUnitShare share)
{
    return share.unit * VKR_RANKS;
}

void vkr_store_tallies(const VkrUnitShare share)
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS)
        vkr_counts[push.counts_base + vkr_tallies_of(share) + lane] = vkr_bins[lane << VKR_BITS];
}

shared uint vkr_tallies[VKR_RANKS]; /* of this unit */
shared uint vkr_before[VKR_RANKS];  /* of the units before it, added up */
shared uint vkr_is_needed;

/* Loads the tallies. Returns whether the unit has any elements at the keys: where it has none,
 * those of other units do not matter. */
bool vkr_load_tallies(const VkrUnitShare share)
{
    const uint lane = gl_LocalInvocationIndex;
    uint own = push.table_base + vkr_tallies_of(share);
    if (lane == 0u)
        vkr_is_needed = 0u;
    barrier();
    if (lane < VKR_RANKS) {
        uint tally = vkr_table[own + lane];
        vkr_tallies[lane] = tally;
        vkr_before[lane] = 0u;
        if (tally != 0u)
            atomicOr(vkr_is_needed, 1u);
    }
    barrier();
    if (vkr_is_needed == 0u)
        return false;
    uint sum = 0u;
    uint first = own - share.part * VKR_RANKS;
    for (uint i = lane; i < share.part * VKR_RANKS; i += VKR_WORKGROUP)
        sum += vkr_table[first + i];
    if (sum != 0u)
        atomicAdd(vkr_before[lane % VKR_RANKS], sum);
    barrier();
    return true;
}

/* The only unit of a row has counted its elements with the last digit. */
void vkr_take_all()
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS) {
        vkr_tallies[lane] = VKR_ABSENT;
        vkr_before[lane] = 0u;
    }
    barrier();
}

/* ---- Outputs ---- */

uint vkr_entry_of(const uint row, const uint rank)
{
    return row * push.pitch + push.first_rank + rank;
}

void vkr_store_values(const VkrUnitShare share)
{
    const uint lane = gl_LocalInvocationIndex;
    if (vkr_has(VKR_FLAG_VALUES) && share.part == 0u && lane < VKR_RANKS &&
        vkr_rests[lane] != VKR_ABSENT) {
        uint at = push.values_base + vkr_entry_of(share.list, lane) * push.values_stride;
        vkr_values[at] = VkrUnit(vkr_bits_of(vkr_bounds[lane]));
    }
}

/* Stores the index of the element of a unit that is the one after `before` others with the same
 * key. */
void vkr_seek(const VkrUnitShare share, const uint rank, uint before)
{
    const uint tile = VKR_NTH_BATCH * VKR_WORKGROUP;
    const VkrKey bound = vkr_bounds[rank];
    uint count = share.end - share.begin;
    for (uint first = 0u; first < count; first += tile) {
        uint at = first + gl_LocalInvocationIndex * VKR_NTH_BATCH;
        uint equal = 0u; /* a bit for each element */
        [[unroll]] for (uint i = 0u; i < VKR_NTH_BATCH; i++) {
            bool is_equal = vkr_key_at(share.begin + min(at + i, count - 1u)) == bound;
            equal |= at + i < count && is_equal ? 1u << i : 0u;
        }
        vkr_build_tree(uint(bitCount(equal)));
        uint all = vkr_tree[1];
        if (before < all) {
            uint left = before - vkr_sum_before(); /* wraps where an earlier invocation has it */
            for (; equal != 0u; equal &= equal - 1u) {
                if (left == 0u)
                    vkr_indices[push.indices_base +
                                vkr_entry_of(share.list, rank) * push.indices_stride] =
                        share.skipped + at + uint(findLSB(equal));
                left--;
            }
            break;
        }
        before -= all;
    }
}

void vkr_store_indices(const VkrUnitShare share)
{
    for (uint rank = 0u; rank < VKR_RANKS; rank++) {
        uint rest = vkr_rests[rank];
        uint leader = vkr_leaders[rank];
        uint before = vkr_before[leader];
        if (rest != VKR_ABSENT && rest >= before && rest - before < vkr_tallies[leader])
            vkr_seek(share, rank, rest - before);
    }
}

/* ---- Short rows ---- */

/* The keys of a workgroup's elements lie where the tree does. */
VkrKey vkr_key_in_group(const uint lane)
{
#if VKR_UNIT_BYTES == 8
    return uvec2(vkr_tree[2u * lane], vkr_tree[2u * lane + 1u]);
#else
    return vkr_tree[lane];
#endif
}

void vkr_share_key(const VkrKey key)
{
    const uint lane = gl_LocalInvocationIndex;
#if VKR_UNIT_BYTES == 8
    vkr_tree[2u * lane] = key.x;
    vkr_tree[2u * lane + 1u] = key.y;
#else
    vkr_tree[lane] = key;
#endif
    barrier();
}

/* A row of at most push.share elements; all rows before it have as many invocations. */
struct VkrShortRow {
    uint entry; /* of the row, in this dispatch */
    uint begin;
    uint elements;
};

VkrShortRow vkr_short_row_at(const uint row)
{
#ifdef VKR_SPANS
    uint span = push.spans_base + min(row, push.rows - 1u) * VKR_WORDS_OF_SPAN;
    uint begin = vkr_spans[span + VKR_BEGIN_OF_SPAN], length = vkr_spans[span + VKR_LENGTH_OF_SPAN];
    return VkrShortRow(row, begin, length <= push.share ? length : 0u);
#else
    uint number = push.first_row + min(row, push.rows - 1u);
    return VkrShortRow(row, number * push.row_pitch,
                       vkr_length_of_row(number, vkr_all_elements()));
#endif
}

/* Finds the position of each element by counting those of its row that come before it, and stores
 * those whose positions are asked for. */
void vkr_select_short_rows(const uint group)
{
    const uint lane = gl_LocalInvocationIndex;
    uint together = VKR_WORKGROUP / push.share;
    uint number = group * together + lane / push.share;
    VkrShortRow row = vkr_short_row_at(number);
    uint i = lane % push.share;
    bool exists = lane / push.share < together && number < push.rows;
    uint length = exists ? row.elements : 0u;
    VkrKey key = VkrKey(0u);
    if (i < length)
        key = vkr_key_at(row.begin + i);
    vkr_share_key(key);
    if (i >= length)
        return;
    uint position = 0u;
    for (uint k = 0u; k < length; k++) {
        VkrKey other = vkr_key_in_group(lane - i + k);
        bool is_less = vkr_key_less(other, key);
        bool is_equal = other == key;
        position += is_less || (is_equal && k < i) ? 1u : 0u;
    }
    for (uint rank = 0u; rank < push.ranks; rank++) {
        if (vkr_rank_in(rank, length) != position)
            continue;
        uint entry = vkr_entry_of(row.entry, rank);
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_values[push.values_base + entry * push.values_stride] = VkrUnit(vkr_bits_of(key));
        if (vkr_has(VKR_FLAG_INDICES))
            vkr_indices[push.indices_base + entry * push.indices_stride] = i;
    }
}

/* ---- Modes ---- */

void vkr_select_row(const VkrUnitShare share)
{
    vkr_start_ranks(share.row_length);
    uint found = VKR_KEY_BITS;
    while (found > 0u) {
        uint width = min(found, VKR_BITS);
        vkr_count_unit(share, found, width);
        vkr_find_digits(width, 0u, true);
        found -= width;
    }
    vkr_store_values(share);
    if (vkr_has(VKR_FLAG_INDICES)) {
        vkr_take_all();
        vkr_store_indices(share);
    }
}

/* Finds the digits that the previous dispatch has counted, and counts the next ones, or what is
 * needed to find indices. */
void vkr_go_on(const VkrUnitShare share)
{
    if (VKR_MODE == VKR_NTH_FIRST) {
        vkr_start_ranks(share.row_length);
    } else {
        vkr_load_ranks(share.row);
        vkr_find_digits(push.width,
                        push.table_base + share.row * VKR_ALL_BINS, false);
    }
    if (VKR_MODE != VKR_NTH_LAST) {
        vkr_store_ranks(share);
        vkr_count_unit(share, push.shift, min(push.shift, VKR_BITS));
        vkr_add_counts(share.row);
        return;
    }
    vkr_store_values(share);
    if (vkr_has(VKR_FLAG_INDICES)) {
        vkr_store_ranks(share);
        vkr_count_unit(share, 0u, 0u);
        vkr_store_tallies(share);
    }
}

void vkr_select_unit(const uint unit)
{
    VkrUnitShare share = vkr_share_of(unit);
    if (VKR_MODE == VKR_NTH_ROW) {
        vkr_select_row(share);
    } else if (VKR_MODE == VKR_NTH_PLACE) {
        vkr_load_ranks(share.row);
        if (vkr_load_tallies(share))
            vkr_store_indices(share);
    } else {
        vkr_go_on(share);
    }
}

#ifdef VKR_SPANS
/* Only the GPU knows how many segments are listed, so that workgroups go over them. The host limits
 * the trips through the loop. */
void vkr_select_units(const uint group)
{
    uint units = vkr_units_listed();
    if (VKR_MODE != VKR_NTH_ROW) {
        if (group < units)
            vkr_select_unit(group);
        return;
    }
    for (uint unit = group; unit < units; unit += push.groups) {
        vkr_select_unit(unit);
        barrier(); /* the ranks of this segment have been read */
    }
}
#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    if (VKR_MODE == VKR_NTH_SHORT) {
        vkr_select_short_rows(group);
        return;
    }
#ifdef VKR_SPANS
    vkr_select_units(group);
#else
    vkr_select_unit(push.first_unit + group);
#endif
}
