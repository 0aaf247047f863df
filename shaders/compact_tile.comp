/* SPDX-License-Identifier: MIT */
/*
 * Stable compaction in a single pass, where each invocation holds its units of a tile in registers:
 * no element is loaded twice. The units of a subgroup lie side by side, round after round, so one
 * scan for two rounds and one sum over the subgroups give all positions of the tile. The first
 * subgroup alone looks back for the prefix of the tile; see vkreduce/lookback.glsl.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/compact.h"

const uint VKR_VALUES = VKR_COMPONENTS; /* of an element */
#define VKR_INPUTS 1
#define VKR_VECTOR 0
#define VKR_BESIDE 1
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/kept.glsl"

/* Numbers of kept elements; those of two rounds share a word, one in each half. */
#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) ((a) + (b))
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_REDUCE(v) subgroupAdd(v)
#define VKR_GROUP_INCLUSIVE(v) subgroupInclusiveAdd(v)
#include "vkreduce/lanes.glsl"

#include "vkreduce/counted.glsl"

shared uint vkr_totals[VKR_SUBGROUPS];

/* Which elements of a unit are kept. GPUs hold a bool of all lanes in two scalar registers, and
 * units of many elements would need too many: there each element is one bit of a word. */
#if VKR_BYTES < 8
#define VkrHeld uint
#define VKR_HELD_OF(choice) vkr_bits_of(choice)
#define VKR_NUMBER_HELD(held) uint(bitCount(held))
#define VKR_IS_HELD(held, k) (((held) >> (k) & 1u) != 0u)
#else
#define VkrHeld VkrChoice
#define VKR_HELD_OF(choice) choice
#define VKR_NUMBER_HELD(held) vkr_number_of(held)
#define VKR_IS_HELD(held, k) held.is[k]
#endif

/* This invocation's units, one of each round. */
VkrUnit vkr_units_held[VKR_BATCH];
VkrHeld vkr_kept_of[VKR_BATCH];

const uint VKR_TILE_UNITS = VKR_WORKGROUP * VKR_BATCH;

uint vkr_lane()
{
    return vkr_group_rank() % VKR_ROW_SIZE;
}

uint vkr_row()
{
    return vkr_group_rank() / VKR_ROW_SIZE;
}

/* The unit of round b in the tile that starts at unit `first`. */
uint vkr_unit_of(const uint first, const uint b)
{
    return first + (vkr_row() * VKR_BATCH + b) * VKR_ROW_SIZE + vkr_lane();
}

#if VKR_BYTES == 8
#define VKR_WORDS_OF(bits) unpackUint2x32(bits)
#else
#define VKR_WORDS_OF(bits) uvec2(bits, 0u)
#endif

/* Loads a unit at the start or at the end of the input, value by value. Missing values are 0. */
VkrUnit vkr_load_present(const uint u, const uint present)
{
    VkrUnit unit;
    unit.packs[0] = uvec4(0u);
    [[dont_unroll]] for (uint v = 0u; v < VKR_UNIT_ELEMENTS; v++) {
        uvec2 words = uvec2(0u);
        uint byte = v * uint(VKR_BYTES);
        uint k = v / VKR_VALUES;
        /* Nothing moves the values of flags, or of elements that nothing reads. */
        if (VKR_TEST != VKR_TEST_FLAGS && !VKR_UNREAD && (present >> k & 1u) != 0u)
            words = VKR_WORDS_OF(
                VKR_LOADED(vkr_tested[vkr_tested_at(vkr_begin_of(u) + k) + v % VKR_VALUES]));
        for (uint w = 0u; w < 4u; w++) {
            unit.packs[0][w] |= w == byte / 4u ? words.x << byte % 4u * 8u : 0u;
            unit.packs[0][w] |= w == byte / 4u + 1u ? words.y : 0u;
        }
    }
    return unit;
}

/* Loads and tests the tile that starts with unit `first`. All loads start before the first of them
 * is needed. */
void vkr_hold(const uint first)
{
    if (vkr_are_full(first, VKR_TILE_UNITS)) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_units_held[b] = vkr_load_tested(vkr_unit_of(first, b));
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_kept_of[b] = VKR_HELD_OF(vkr_test_loaded(vkr_units_held[b], vkr_unit_of(first, b),
                                                         vkr_before(vkr_unit_of(first, b))));
    } else {
        for (uint b = 0u; b < VKR_BATCH; b++) {
            uint u = vkr_unit_of(first, b);
            uint present = vkr_present(u);
            uint kept = vkr_test_elements(u, present);
            VkrUnit unit = vkr_load_present(u, present);
            VkrChoice choice;
            for (uint k = 0u; k < VKR_UNIT; k++)
                choice.is[k] = (kept >> k & 1u) != 0u;
            /* Some drivers keep the whole array in memory if this loop's counter indexes it. */
            [[unroll]] for (uint h = 0u; h < VKR_BATCH; h++) {
                if (h == b) {
                    vkr_units_held[h] = unit;
                    vkr_kept_of[h] = VKR_HELD_OF(choice);
                }
            }
        }
    }
}

/* Stores element k of a unit at part number `to` of an output, whose views have these names. */
#if VKR_BYTES == 8
#define VKR_STORE_SHORT(short_ones, pairs, to, pack, byte)
#else
#define VKR_STORE_SHORT(short_ones, pairs, to, pack, byte)                                         \
    else if (VKR_PART == 8u)                                                                       \
        pairs[to] = (byte) < 8u ? pack.xy : pack.zw;                                               \
    else if (VKR_PART_VALUES != 1u)                                                                \
        short_ones[to] = pack[(byte) / 4u];
#endif
#define VKR_STORE_PARTS(values, short_ones, pairs, long_ones, to, unit, k)                         \
    for (uint p = 0u; p < VKR_PARTS; p++) {                                                        \
        uint v = (k) * VKR_VALUES + p * VKR_PART_VALUES;                                           \
        if (VKR_PART == 16u)                                                                       \
            long_ones[to + p] = vkr_pack_of_words(unit.packs[0]);                                  \
        VKR_STORE_SHORT(short_ones, pairs, to + p, unit.packs[0], v * uint(VKR_BYTES))             \
        else                                                                                       \
            values[to + p] = VKR_TO_STORE(VKR_WORDS_OF(vkr_value_of_packs(unit.packs, v)));        \
    }

/* Store the values of element k of a unit, starting with part `to`. */
void vkr_put_kept(const uint to, const VkrUnit unit, const uint k)
{
    VKR_STORE_PARTS(vkr_kept, vkr_kept_words, vkr_kept_pairs, vkr_kept_packs, to, unit, k)
}

void vkr_put_rejected(const uint to, const VkrUnit unit, const uint k)
{
    VKR_STORE_PARTS(vkr_rejected, vkr_rejected_words, vkr_rejected_pairs, vkr_rejected_packs, to,
                    unit, k)
}

void vkr_store_kept(const uint at, const VkrUnit unit, const uint k, const uint i)
{
    if (at >= push.kept_count)
        return;
    if ((VKR_OUTPUTS & VKR_TO_KEPT) != 0u)
        vkr_put_kept(vkr_low_half(push.kept_bases) + at * uniforms.kept_stride, unit, k);
    if ((VKR_OUTPUTS & VKR_TO_KEPT_INDICES) != 0u)
        vkr_store_kept_index(at, i);
}

void vkr_store_rejected(const uint at, const VkrUnit unit, const uint k, const uint i)
{
    if (at >= push.rejected_count)
        return;
    if ((VKR_OUTPUTS & VKR_TO_REJECTED) != 0u)
        vkr_put_rejected(vkr_low_half(push.rejected_bases) + at * uniforms.rejected_stride, unit,
                         k);
    if ((VKR_OUTPUTS & VKR_TO_REJECTED_INDICES) != 0u)
        vkr_store_rejected_index(at, i);
}

/* Stores a unit that `before` kept elements of the tile precede. The tile's first kept element goes
 * to kept_at; rejected_at is the position of element 0 if no element were kept. */
void vkr_store_unit(const uint u, const VkrUnit unit, const VkrHeld kept, uint before,
                    const uint kept_at, const uint rejected_at)
{
    uint begin = vkr_begin_of(u);
    for (uint k = 0u; k < VKR_UNIT; k++) {
        uint i = begin + k; /* wraps or is past the end for elements that do not exist */
        bool is_kept = VKR_IS_HELD(kept, k);
        if (is_kept)
            vkr_store_kept(kept_at + before, unit, k, i);
        else if ((VKR_OUTPUTS & (VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES)) != 0u &&
                 i < vkr_covered_count)
            vkr_store_rejected(rejected_at + i - before, unit, k, i);
        before += is_kept ? 1u : 0u;
    }
}

#include "vkreduce/staged.glsl"

void main()
{
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_set_ranges();
    const uint groups = vkr_groups();
    if (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x >= groups)
        return;
    uint tile = vkr_draw_tile(groups);
    uint first = tile * VKR_TILE_UNITS;
    vkr_hold(first);

    uint counts[VKR_BATCH]; /* of kept elements of the row before each unit */
    uint ends[VKR_BATCH];   /* and up to the end of each round */
    uint of_row = 0u;
    for (uint b = 0u; b < VKR_BATCH; b += 2u) {
        uint pair = VKR_NUMBER_HELD(vkr_kept_of[b]);
        if (b + 1u < VKR_BATCH)
            pair |= VKR_NUMBER_HELD(vkr_kept_of[b + 1u]) << 16;
        uint up_to = vkr_group_subgroup_inclusive(pair);
        uint all = subgroupShuffle(up_to, VKR_ROW_SIZE - 1u);
        counts[b] = of_row + (up_to - pair & 0xffffu);
        of_row += all & 0xffffu;
        ends[b] = of_row;
        if (b + 1u < VKR_BATCH)
            counts[b + 1u] = of_row + (up_to - pair >> 16);
        of_row += all >> 16;
        if (b + 1u < VKR_BATCH)
            ends[b + 1u] = of_row;
    }
    if (vkr_lane() == 0u)
        vkr_totals[vkr_row()] = of_row;
    barrier();
    uint total = 0u;
    uint rows_before = 0u;
    for (uint row = 0u; row < VKR_WORKGROUP / VKR_ROW_SIZE; row++) {
        rows_before = row == vkr_row() ? total : rows_before;
        total += vkr_totals[row];
    }

    /* Then units need no registers during the look-back. */
    if (VKR_STAGES_EARLY)
        vkr_values_stage(first, 0u, counts, 0u);

    uint before = vkr_number_before(tile, total);
    uint ahead = vkr_elements_before(first);
    uvec2 rejected = vkr_subtract(
        vkr_add(uvec2(push.first_low, push.first_high), uvec2(ahead, 0u)), uvec2(before, 0u));
    uint kept_at = vkr_in_window(vkr_kept_position(uvec2(before, 0u)),
                                 uvec2(push.kept_low, push.kept_high), push.kept_count);
    uint rejected_at = vkr_in_window(rejected, uvec2(push.rejected_low, push.rejected_high),
                                     push.rejected_count);
    if (VKR_STAGED != 0u) {
        if ((VKR_OUTPUTS & (VKR_TO_KEPT | VKR_TO_REJECTED)) != 0u)
            vkr_values_store(first, counts, ends, rows_before, kept_at, rejected_at - ahead);
        if ((VKR_OUTPUTS & (VKR_TO_KEPT_INDICES | VKR_TO_REJECTED_INDICES)) != 0u)
            vkr_indices_store(first, counts, ends, rows_before, kept_at, rejected_at - ahead);
    } else if (VKR_OUTPUTS != 0u) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_store_unit(vkr_unit_of(first, b), vkr_units_held[b], vkr_kept_of[b],
                           rows_before + counts[b], kept_at, rejected_at - ahead);
    }
    if (tile + 1u == groups && vkr_is_leader())
        vkr_store_record(uvec2(before + total, 0u));
}
