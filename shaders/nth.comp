/* SPDX-License-Identifier: MIT */
/*
 * Finds the elements of up to VKR_RANKS ranks in each row, in the order of its card's constants, by
 * radix select: for one digit after the other, starting with the highest, the elements are counted
 * by that digit which have the digits found so far for some rank. Ranks whose digits are the same
 * so far share counts: those of the first of them, their leader. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8.
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
#include "cards/nth.h"

#include "vkreduce/digits.glsl"
#include "vkreduce/rest.glsl"
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

/* ---- Ranks ---- */

/* What is known of each rank: the digits found so far, the rank among the elements that have them,
 * and the leader. */
shared VkrKey vkr_bounds[VKR_RANKS];
shared uint vkr_rests[VKR_RANKS];
shared uint vkr_leaders[VKR_RANKS];

/* The numbers of elements that have each value of a digit, for each leader. */
shared uint vkr_bins[VKR_ALL_BINS];

bool vkr_is_leader(const uint rank)
{
    return vkr_leaders[rank] == rank;
}

/* A component of the uniforms, without an index that is computed. */
uint vkr_given_rank(const uint rank)
{
    uvec4 four = (rank & 8u) == 0u ? ((rank & 4u) == 0u ? uniforms.ranks0 : uniforms.ranks1)
                                   : ((rank & 4u) == 0u ? uniforms.ranks2 : uniforms.ranks3);
    uvec2 two = (rank & 2u) == 0u ? four.xy : four.zw;
    return (rank & 1u) == 0u ? two.x : two.y;
}

/* The rank in a row of `length` elements. */
uint vkr_rank_in(const uint rank, const uint length)
{
    uint given = vkr_given_rank(rank);
    if (vkr_has(VKR_FLAG_SHARES)) {
        uint high, low;
        umulExtended(given, max(length, 1u) - 1u, high, low);
        given = high << 1 | low >> 31;
    }
    return rank < push.ranks && given < length ? given : VKR_ABSENT;
}

void vkr_start_ranks(const uint length)
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS) {
        vkr_bounds[lane] = VkrKey(0u);
        vkr_rests[lane] = vkr_rank_in(lane, length);
        vkr_leaders[lane] = 0u;
    }
    barrier();
}

uint vkr_state_of(const uint row)
{
    return (row * VKR_RANKS + gl_LocalInvocationIndex) * VKR_NTH_STATE_WORDS;
}

void vkr_load_ranks(const uint row)
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS) {
        uint at = push.states_base + vkr_state_of(row);
        VkrKey bound = VkrKey(vkr_states[at]);
#if VKR_UNIT_BYTES == 8
        bound.y = vkr_states[at + 1u];
#endif
        vkr_bounds[lane] = bound;
        vkr_rests[lane] = vkr_states[at + 2u];
        vkr_leaders[lane] = vkr_states[at + 3u];
    }
    barrier();
}

void vkr_store_ranks(const VkrUnitShare share)
{
    const uint lane = gl_LocalInvocationIndex;
    if (share.part != 0u || lane >= VKR_RANKS)
        return;
    uint at = push.new_states_base + vkr_state_of(share.row);
    vkr_new_states[at] = vkr_low_word(vkr_bounds[lane]);
#if VKR_UNIT_BYTES == 8
    vkr_new_states[at + 1u] = vkr_bounds[lane].y;
#endif
    vkr_new_states[at + 2u] = vkr_rests[lane];
    vkr_new_states[at + 3u] = vkr_leaders[lane];
}

/* ---- Finding a digit ---- */

uint vkr_count_of_bin(const uint bin, const uint table, const bool is_shared)
{
    return is_shared ? vkr_bins[bin] : vkr_table[table + bin];
}

/* The leader of a rank: the first one whose digits are the same. A rank that the row does not have
 * follows the first one, and leads none but itself. */
uint vkr_leader_of(const uint rank)
{
    if (vkr_rests[rank] == VKR_ABSENT)
        return 0u;
    uint leader = rank;
    for (uint i = rank; i > 0u; i--) {
        bool exists = i == 1u || vkr_rests[i - 1u] != VKR_ABSENT;
        if (exists && vkr_bounds[i - 1u] == vkr_bounds[rank])
            leader = i - 1u;
    }
    return leader;
}

/* Adds a digit of `width` bits to each rank, from counts in shared memory or in a table. The counts
 * of a leader are a subtree. */
void vkr_find_digits(const uint width, const uint table, const bool is_shared)
{
    const uint each = VKR_ALL_BINS > VKR_WORKGROUP ? VKR_ALL_BINS / VKR_WORKGROUP : 1u;
    const uint leaves =
        VKR_ALL_BINS > VKR_WORKGROUP ? VKR_WORKGROUP / VKR_RANKS : VKR_BINS; /* of a leader */
    const uint lane = gl_LocalInvocationIndex;
    uint sum = 0u;
    for (uint i = 0u; i < each; i++)
        if (lane * each + i < VKR_ALL_BINS)
            sum += vkr_count_of_bin(lane * each + i, table, is_shared);
    vkr_build_tree(sum);
    if (lane < VKR_RANKS) {
        uint rest = vkr_rests[lane];
        uint bin = 0u;
        if (rest != VKR_ABSENT) {
            uint node = VKR_WORKGROUP / leaves + vkr_leaders[lane];
            while (node < VKR_WORKGROUP) {
                uint left = vkr_tree[2u * node];
                bool is_right = rest >= left;
                rest -= is_right ? left : 0u;
                node = 2u * node + (is_right ? 1u : 0u);
            }
            bin = (node - VKR_WORKGROUP) * each;
            uint count = vkr_count_of_bin(bin, table, is_shared);
            for (uint i = 1u; i < each && rest >= count; i++) {
                rest -= count;
                bin++;
                count = vkr_count_of_bin(bin, table, is_shared);
            }
        }
        vkr_bounds[lane] = vkr_join(vkr_bounds[lane], width, bin & VKR_BINS - 1u);
        vkr_rests[lane] = rest;
    }
    barrier();
    if (lane < VKR_RANKS)
        vkr_leaders[lane] = vkr_leader_of(lane);
    barrier();
}

/* ---- Counting ---- */

void vkr_clear_bins()
{
    barrier(); /* all invocations have found the previous digit */
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_ALL_BINS; bin += VKR_WORKGROUP)
        vkr_bins[bin] = 0u;
    barrier();
}

/* An invocation's elements of the same bin are counted at once while they follow each other, so
 * that equal elements cost little. */
uint vkr_bin = 0u;
uint vkr_run = 0u;

void vkr_count_run()
{
    if (vkr_run != 0u)
        atomicAdd(vkr_bins[vkr_bin], vkr_run);
}

/* What is counted: the digit of the bits `shift` and above, of elements that have the digits of a
 * leader in the bits `found` and above. */
struct VkrDigit {
    uint found;
    uint shift;
    uint mask;
};

void vkr_count_key(const VkrKey key, const uint leader, const VkrDigit digit)
{
    uint bin = vkr_low_word(vkr_above(key, digit.shift)) & digit.mask;
    bin |= leader << VKR_BITS;
    if (bin != vkr_bin) {
        vkr_count_run();
        vkr_bin = bin;
        vkr_run = 0u;
    }
    vkr_run++;
}

/* Counts all elements of packs by their first digit. */
void vkr_count_all_packs(const VkrPlan plan, const VkrDigit digit)
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
                vkr_count_key(vkr_key_of_pack(packs[p], i), 0u, digit);
        }
    }
}

/* Counts those elements of packs that have the digits of a leader. In most packs none has, so those
 * that have are loaded again. */
void vkr_count_packs(const VkrPlan plan, const VkrDigit digit)
{
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        for (uint leader = 0u; leader < VKR_RANKS; leader++) {
            if (!vkr_is_leader(leader))
                continue;
            VkrKey bound = vkr_bounds[leader];
            uint matches = 0u;
            [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
                bool exists = at + p * vkr_next_pack() < plan.packs;
                [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) {
                    bool has = vkr_above(vkr_key_of_pack(packs[p], i), digit.found) == bound;
                    matches |= exists && has ? 1u << p * VKR_PER_PACK + i : 0u;
                }
            }
            for (; matches != 0u; matches &= matches - 1u) {
                uint bit = uint(findLSB(matches));
                uint pack = plan.first + at + bit / VKR_PER_PACK * vkr_next_pack();
                vkr_count_key(vkr_key_of_unit(pack * VKR_PER_PACK + bit % VKR_PER_PACK), leader,
                              digit);
            }
        }
    }
}

/* Counts the digit of the `width` bits below those that are known, which start at bit `found`. */
void vkr_count_unit(const VkrUnitShare share, const uint found, const uint width)
{
    VkrPlan plan = vkr_plan_of(share);
    VkrDigit digit = VkrDigit(found, found - width, (1u << width) - 1u);
    vkr_clear_bins();
    vkr_bin = 0u;
    vkr_run = 0u;
    for (uint i = gl_LocalInvocationIndex; i < plan.singles; i += VKR_WORKGROUP) {
        VkrKey key = vkr_single_key(plan, i);
        for (uint leader = 0u; leader < VKR_RANKS; leader++)
            if (vkr_is_leader(leader) && vkr_above(key, found) == vkr_bounds[leader])
                vkr_count_key(key, leader, digit);
    }
    if (VKR_MODE == VKR_NTH_FIRST || (VKR_MODE == VKR_NTH_ROW && found == VKR_KEY_BITS))
        vkr_count_all_packs(plan, digit);
    else
        vkr_count_packs(plan, digit);
    vkr_count_run();
    barrier();
}

void vkr_add_counts(const uint row)
{
    uint counts = push.counts_base + row * VKR_ALL_BINS;
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_ALL_BINS; bin += VKR_WORKGROUP) {
        uint count = vkr_bins[bin];
        if (count != 0u)
            atomicAdd(vkr_counts[counts + bin], count);
    }
}

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
        uint at = push.values_base + vkr_entry_of(share.row, lane) * push.values_stride;
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
                                vkr_entry_of(share.row, rank) * push.indices_stride] =
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

/* Finds the position of each element by counting those of its row that come before it, and stores
 * those whose positions are asked for. */
void vkr_select_short_rows(const uint group)
{
    const uint lane = gl_LocalInvocationIndex;
    uint together = VKR_WORKGROUP / push.row_length;
    uint row = push.first_row + group * together + lane / push.row_length;
    uint i = lane % push.row_length;
    uint length = 0u;
    if (lane / push.row_length < together && row - push.first_row < push.rows)
        length = vkr_length_of_row(row, vkr_all_elements());
    VkrKey key = VkrKey(0u);
    if (i < length)
        key = vkr_key_at(row * push.row_pitch + i);
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
        uint entry = vkr_entry_of(row - push.first_row, rank);
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

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    if (VKR_MODE == VKR_NTH_SHORT) {
        vkr_select_short_rows(group);
        return;
    }
    VkrUnitShare share = vkr_share_of(push.first_unit + group);
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
