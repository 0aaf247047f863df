/* SPDX-License-Identifier: MIT */
/*
 * Counts the elements of a workgroup's share in bins (histogram.h). Counts are local, and added to
 * those in memory at the end: in shared memory, with several copies, since neighbouring invocations
 * would otherwise often wait for each other; or in an array of each invocation on CPU drivers, for
 * which atomics are slow and private arrays are not. Sources: M. Ramalho, histogram by local
 * atomics (2014); the copies are those of V. Podlozhnyuk, Histogram calculation in CUDA (2007).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/histogram.h"

#define VKR_INPUTS 1
#define VKR_OF_HISTOGRAM
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/bins.glsl"
#include "vkreduce/nearest.glsl"
#if VKR_ELEMENT == VKR_CLASS_F32
#include "vkreduce/map.glsl"
#endif

const bool VKR_WEIGHTED = VKR_WEIGHTS != VKR_WEIGHTS_NONE;
const uint VKR_COUNT_WORDS = (VKR_FLAGS & VKR_FLAG_COUNTS64) != 0u ? 2u : 1u;

/* ---- Counts ---- */

/* Local counts lie component by component; each component has counts of its bins and three more, or
 * one for each value of a byte. Sums of weights have 64 bits. */
const uint VKR_ROOM_OWN = VKR_COUNTING == VKR_COUNTING_OWN ? VKR_ROOM : 1u;
const uint VKR_ROOM_SHARED = VKR_COUNTING == VKR_COUNTING_SHARED ? VKR_ROOM : 1u;
uint vkr_private_counts[VKR_ROOM_OWN];
uint vkr_private_counts_high[VKR_WEIGHTED ? VKR_ROOM_OWN : 1u];
shared uint vkr_local_counts[VKR_ROOM_SHARED];
shared uint vkr_local_counts_high[VKR_WEIGHTED ? VKR_ROOM_SHARED : 1u];

uint vkr_slots =
    VKR_FINDING_WAY == VKR_FINDING_VALUES ? 256u : push.bins + VKR_OUTSIDE_COUNTS;
uint vkr_counts_base = push.counts_base;

/* Add to a count in memory. Sums do not depend on the order, nor does the number of carries. */
void vkr_add_to_bin(const uint c, const uint bin, const uvec2 amount)
{
    uint at = vkr_counts_base + (c * vkr_bins + bin) * VKR_COUNT_WORDS;
    uint high = amount.y;
    if (amount.x != 0u) {
        uint before = atomicAdd(vkr_counts[at], amount.x);
        high += before + amount.x < before ? 1u : 0u;
    }
    if (VKR_COUNT_WORDS == 2u && high != 0u)
        atomicAdd(vkr_counts[at + 1u], high);
}

void vkr_add_outside(const uint c, const uint which, const uvec2 amount)
{
    uint at = push.outside_base + (c * VKR_OUTSIDE_COUNTS + which) * VKR_COUNT_WORDS;
    uint high = amount.y;
    if ((VKR_FLAGS & VKR_FLAG_OUTSIDE) == 0u)
        return;
    if (amount.x != 0u) {
        uint before = atomicAdd(vkr_outside[at], amount.x);
        high += before + amount.x < before ? 1u : 0u;
    }
    if (VKR_COUNT_WORDS == 2u && high != 0u)
        atomicAdd(vkr_outside[at + 1u], high);
}

void vkr_add_to_count(const uint c, const uint bin, const uvec2 amount)
{
    if (bin < vkr_bins)
        vkr_add_to_bin(c, bin, amount);
    else
        vkr_add_outside(c, bin - vkr_bins, amount);
}

/* Consecutive elements of one bin are counted together, since their atomics would wait for each
 * other. Each invocation counts elements outside all bins itself. */
uint vkr_run_bin[VKR_MAX_TABLES];
uint vkr_run_count[VKR_MAX_TABLES];
uvec3 vkr_out[VKR_MAX_TABLES];

void vkr_count_in_memory(const uint c, const uint bin, const uvec2 amount)
{
    if (VKR_WEIGHTED) {
        vkr_add_to_count(c, bin, amount);
        return;
    }
    bool is_bin = bin < vkr_bins;
    bool ends = is_bin && bin != vkr_run_bin[c];
    if (ends)
        vkr_add_to_bin(c, vkr_run_bin[c], uvec2(vkr_run_count[c], 0u));
    vkr_run_count[c] = (is_bin ? amount.x : 0u) + (ends ? 0u : vkr_run_count[c]);
    vkr_run_bin[c] = ends ? bin : vkr_run_bin[c];
    if ((VKR_FLAGS & VKR_FLAG_OUTSIDE) != 0u)
        vkr_out[c] += amount.x * uvec3(equal(uvec3(bin), vkr_bins + uvec3(0u, 1u, 2u)));
}

/* Adds an amount to a local count. */
void vkr_count_local(const uint slot, const uvec2 amount)
{
    if (VKR_COUNTING == VKR_COUNTING_OWN) {
        uint sum = vkr_private_counts[slot] + amount.x;
        vkr_private_counts[slot] = sum;
        if (VKR_WEIGHTED)
            vkr_private_counts_high[slot] += amount.y + (sum < amount.x ? 1u : 0u);
        return;
    }
    uint at = slot * VKR_COPIES + (gl_LocalInvocationIndex & (VKR_COPIES - 1u));
    if (amount.x != 0u) {
        uint before = atomicAdd(vkr_local_counts[at], amount.x);
        if (VKR_WEIGHTED && before + amount.x < before)
            atomicAdd(vkr_local_counts_high[at], 1u);
    }
    if (VKR_WEIGHTED && amount.y != 0u)
        atomicAdd(vkr_local_counts_high[at], amount.y);
}

void vkr_clear_counts()
{
    if (VKR_COUNTING == VKR_COUNTING_OWN) {
        for (uint i = 0u; i < VKR_ROOM; i++) {
            vkr_private_counts[i] = 0u;
            if (VKR_WEIGHTED)
                vkr_private_counts_high[i] = 0u;
        }
    } else if (VKR_COUNTING == VKR_COUNTING_SHARED) {
        for (uint i = gl_LocalInvocationIndex; i < VKR_ROOM; i += VKR_WORKGROUP) {
            vkr_local_counts[i] = 0u;
            if (VKR_WEIGHTED)
                vkr_local_counts_high[i] = 0u;
        }
    } else {
        VKR_EACH(c) {
            vkr_run_bin[VKR_AT(c)] = 0u;
            vkr_run_count[VKR_AT(c)] = 0u;
            vkr_out[VKR_AT(c)] = uvec3(0u);
        }
    }
}

/* The value of a local count: that of this invocation, or the sum of all copies. */
uvec2 vkr_sum_of_count(const uint slot)
{
    if (VKR_COUNTING == VKR_COUNTING_OWN)
        return uvec2(vkr_private_counts[slot], VKR_WEIGHTED ? vkr_private_counts_high[slot] : 0u);
    uvec2 sum = uvec2(0u);
    for (uint copy = 0u; copy < VKR_COPIES; copy++) {
        uint at = slot * VKR_COPIES + copy;
        sum = vkr_add(sum, uvec2(vkr_local_counts[at],
                                 VKR_WEIGHTED ? vkr_local_counts_high[at] : 0u));
    }
    return sum;
}

/* Adds the local counts to those in memory. */
void vkr_add_counts()
{
    if (VKR_COUNTING == VKR_COUNTING_GLOBAL) {
        VKR_EACH(c) {
            vkr_add_to_bin(VKR_AT(c), vkr_run_bin[VKR_AT(c)],
                           uvec2(vkr_run_count[VKR_AT(c)], 0u));
            for (uint i = 0u; i < VKR_OUTSIDE_COUNTS; i++)
                vkr_add_outside(VKR_AT(c), i, uvec2(vkr_out[VKR_AT(c)][i], 0u));
        }
        return;
    }
    const bool alone = VKR_COUNTING == VKR_COUNTING_OWN;
    VKR_EACH(c) {
        for (uint i = alone ? 0u : gl_LocalInvocationIndex; i < vkr_slots;
             i += alone ? 1u : VKR_WORKGROUP) {
            uvec2 sum = vkr_sum_of_count(VKR_AT(c) * vkr_slots + i);
            if (sum != uvec2(0u)) {
                uint bin = i;
#if VKR_BYTES == 1
                if (VKR_FINDING_WAY == VKR_FINDING_VALUES)
                    bin = vkr_bin_of(VKR_AT(c), i, true);
#endif
                vkr_add_to_count(VKR_AT(c), bin, sum);
            }
        }
    }
}

/* ---- Elements ---- */

/* The weight of an element. Integers are unchanged, with their sign; a float w becomes the integer
 * nearest to w 2^b, where 2^b is a push constant, so their product is exact or 0. */
uvec2 vkr_weight(const uint i)
{
    uint bits = vkr_weight_words[push.weights_base + i * push.weights_stride];
    if (VKR_WEIGHTS == VKR_WEIGHTS_UNSIGNED)
        return uvec2(bits, 0u);
    if (VKR_WEIGHTS == VKR_WEIGHTS_FLOAT) {
        bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
        precise float scaled = uintBitsToFloat(bits) * uintBitsToFloat(push.weights_scale);
        bits = is_nan ? 0u : uint(vkr_nearest(clamp(scaled, -2147483648.0, 2147483520.0)));
    }
    return uvec2(bits, int(bits) < 0 ? ~0u : 0u);
}

#define VKR_KEEPS(bits) !VKR_MASKED || ((bits) & 1u) != 0u

/* Counts a component of element i of the dispatch. Here and below, `searches` is a constant that
 * says how bins are found. */
void vkr_count_value(const uint c, const VkrBits bits, const uint i, const bool is_kept,
                     const bool searches)
{
    uvec2 amount = VKR_WEIGHTED ? vkr_weight(i) : uvec2(1u, 0u);
    if (VKR_MASKED && !is_kept)
        amount = uvec2(0u);
    if (VKR_COUNTING == VKR_COUNTING_GLOBAL)
        vkr_count_in_memory(c, vkr_bin_of(c, bits, searches), amount);
#if VKR_BYTES == 1
    else if (VKR_FINDING_WAY == VKR_FINDING_VALUES)
        vkr_count_local(c * 256u + bits, amount);
#endif
    else
        vkr_count_local(c * vkr_slots + vkr_bin_of(c, bits, searches), amount);
}

#if VKR_ELEMENT == VKR_CLASS_F32
#define VKR_MAP_OF(components, value) VKR_MAPPED ? vkr_map(components) : value
#else
#define VKR_MAP_OF(components, value) value
#endif

#if !VKR_OF_IMAGE
uint vkr_input_base = push.input_base;
uint vkr_input_stride = push.input_stride;

void vkr_count_element(const uint i, const bool searches)
{
    bool is_kept = VKR_KEEPS(vkr_kept(i, 1u));
    uint at = vkr_input_base + i * vkr_input_stride;
    VKR_EACH(c) {
        VkrBits bits = VKR_LOADED(vkr_input[at + VKR_AT(c)]);
        bits = VKR_MAP_OF(uvec4(bits, 0u, 0u, 0u), bits);
        vkr_count_value(VKR_AT(c), bits, i, is_kept, searches);
    }
}
#endif

/* Counts a unit, whose first element is element i of the dispatch. */
void vkr_count_unit(const VkrUnit unit, const uint i, const bool searches)
{
    for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++) {
        bool is_kept = VKR_KEEPS(unit.kept >> k);
        VKR_EACH(c) {
            VkrBits bits = vkr_value_of_packs(unit.packs, k * VKR_COMPONENTS + VKR_AT(c));
#if VKR_OF_IMAGE
            bits = VKR_MAP_OF(unit.packs[0], bits);
#else
            bits = VKR_MAP_OF(uvec4(bits, 0u, 0u, 0u), bits);
#endif
            vkr_count_value(VKR_AT(c), bits, i + k, is_kept, searches);
        }
    }
}

/* Counts the units of a walk; unit 0 starts with element `first`. */
void vkr_count_units(const VkrWalk walk, const uint first, const bool searches)
{
    VkrUnit units[VKR_BATCH];
    uint u = walk.first;
    uint k = 0u;
    vkr_start_units(walk);
    for (; k + VKR_BATCH <= walk.count; k += VKR_BATCH) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            units[b] = vkr_load_unit(u + b * walk.stride);
        VKR_TAKE_KEPT(units, u)
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_count_unit(units[b], first + (u + b * walk.stride) * VKR_UNIT_ELEMENTS,
                           searches);
        u += VKR_BATCH * walk.stride;
    }
    for (; k < walk.count; k++) {
        VkrUnit unit = vkr_load_unit(u);
        VKR_TAKE_KEPT_OF(unit, u)
        vkr_count_unit(unit, first + u * VKR_UNIT_ELEMENTS, searches);
        u += walk.stride;
    }
}

/* Counts the workgroup's share. The first workgroup also handles head and tail. */
void vkr_count_share(const uint group, const uint covered, const bool searches)
{
#if VKR_OF_IMAGE
    vkr_count_units(vkr_walk(group, push.items, covered), 0u, searches);
#else
    if (VKR_PATH == VKR_PATH_ELEMENT) {
        VkrWalk walk = vkr_walk(group, push.items, covered);
        for (uint k = 0u; k < walk.count; k++)
            vkr_count_element(walk.first + k * walk.stride, searches);
        return;
    }
    uint head = min(push.head, covered);
    uint units = (covered - head) / VKR_UNIT_ELEMENTS;
    vkr_count_units(vkr_walk(group, push.items, units), head, searches);
    uint body = units * VKR_UNIT_ELEMENTS;
    if (group == 0u) {
        for (uint k = gl_LocalInvocationIndex; k < covered - body; k += VKR_WORKGROUP)
            vkr_count_element(k < head ? k : k + body, searches);
    }
#endif
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_start_bins();
    vkr_clear_counts();
    if (VKR_COUNTING == VKR_COUNTING_SHARED || VKR_LIMITS_SHARED)
        barrier();
    uint covered = vkr_covered(vkr_total());
    /* Two loops, since CPU drivers would execute both sides of a branch inside one. */
    if (VKR_SEARCHES || (VKR_FINDING_WAY == VKR_FINDING_EITHER && !vkr_can_estimate()))
        vkr_count_share(group, covered, true);
    else
        vkr_count_share(group, covered, false);
    if (VKR_COUNTING == VKR_COUNTING_SHARED)
        barrier();
    vkr_add_counts();
}
