/* SPDX-License-Identifier: MIT */
/*
 * The elements that a compaction tests: how they are loaded, and which of them are kept. Kernels
 * that include this file have the card of compactions, and include type.glsl before. With
 * VKR_BESIDE they also move elements beside which flags lie.
 */
#ifndef VKR_TESTED_GLSL
#define VKR_TESTED_GLSL

/* Flags of one bit each lie in words. For kernels of bytes 16 of them are a unit. */
#define VKR_HAS_FLAGS (VKR_BYTES == 4 || VKR_BYTES == 1)

/* Kernels of bytes that load texels handle flags too: then texels are those of the values to which
 * the flags belong, and flags are loaded as packs. */
#define VKR_HAS_SOURCE_TEXELS (VKR_LOADS == VKR_LOADS_TEXEL && VKR_BYTES == 1)

#include "count.glsl"
#include "load.glsl"
#include "predicate.glsl"

/* ---- Units: elements that are loaded together. The first one may begin `lead` elements before
 * element 0 ---- */

/* A load has VKR_UNIT_ELEMENTS values. They are whole elements, of VKR_VALUES values each; an
 * element that is longer than a load, or does not divide it, is loaded value by value. */
const bool VKR_WIDE_UNITS = VKR_PATH == VKR_PATH_WIDE;
const uint VKR_UNIT = VKR_VALUES > VKR_UNIT_ELEMENTS ? 1u : VKR_UNIT_ELEMENTS / VKR_VALUES;
const uint VKR_STEP = VKR_WIDE_UNITS ? VKR_UNIT : 1u;
const uint VKR_ALL = (1u << VKR_STEP) - 1u;

uvec2 vkr_whole;  /* elements of the whole operation */
uint vkr_covered_count; /* elements of this dispatch */

/* The number of units, by the host's count. */
uint vkr_units()
{
    return (push.count + push.lead + VKR_STEP - 1u) / VKR_STEP;
}

/* The number of workgroups that have work; the dispatch can be larger. */
uint vkr_groups()
{
    uint share = VKR_WORKGROUP * push.items;
    return max((vkr_units() + share - 1u) / share, 1u);
}

/* The index of a unit's first element, which wraps below 0, and the number of elements before the
 * unit. */
uint vkr_begin_of(const uint u)
{
    return u * VKR_STEP - push.lead;
}

uint vkr_elements_before(const uint u)
{
    return u == 0u ? 0u : min(vkr_begin_of(u), vkr_covered_count);
}

/* Whether units u .. u + n - 1 are full: all their elements exist, so that each unit can be loaded
 * as a whole. */
bool vkr_are_full(const uint u, const uint n)
{
    return VKR_WIDE_UNITS && (u > 0u || push.lead == 0u) &&
           (u + n) * VKR_UNIT <= vkr_covered_count + push.lead;
}

/* A set bit for each element of a unit that exists. */
uint vkr_present(const uint u)
{
    uint begin = vkr_begin_of(u);
    uint bits = VKR_ALL;
    if (u == 0u)
        bits = VKR_ALL & ~((1u << push.lead) - 1u);
    uint end = vkr_covered_count - begin;
    if (u > 0u ? vkr_covered_count <= begin : vkr_covered_count == 0u)
        return 0u;
    return end < VKR_STEP ? bits & ((1u << end) - 1u) : bits;
}

uint vkr_tested_at(const uint i)
{
    return push.input_base + i * push.input_stride;
}

bool vkr_ask_element(const uint i)
{
    uvec4 element = uvec4(0u);
    for (uint c = 0u; c < VKR_GIVEN; c++)
        vkr_give(element, c, VKR_LOADED(vkr_tested[vkr_tested_at(i) + c]));
    return vkr_ask(element, i);
}

#if VKR_BESIDE
#include "beside.glsl"
#endif

bool vkr_test_element(const uint i)
{
    if (VKR_TEST == VKR_TEST_HOOK)
        return vkr_ask_element(i);
#if VKR_BESIDE
    if (VKR_TEST == VKR_TEST_BESIDE)
        return vkr_is_flag_set(i) != VKR_NEGATE;
#endif
#if VKR_HAS_FLAGS
    if (VKR_TEST == VKR_TEST_FLAGS) {
        uint bit = push.input_base + i;
        return vkr_test(vkr_tested_words[bit >> 5] >> (bit & 31u) & 1u);
    }
#endif
    uint at = vkr_tested_at(i);
    if (VKR_TEST != VKR_TEST_UNIQUE)
        return vkr_test(VKR_LOADED(vkr_tested[at + VKR_COMPONENT]));
    bool differs = !vkr_has_before(i);
    for (uint c = 0u; c < VKR_VALUES && !differs; c++)
        differs = vkr_compared(VKR_LOADED(vkr_tested[at + c])) !=
                  vkr_compared(VKR_LOADED(vkr_tested[at - push.input_stride + c]));
    return differs != VKR_NEGATE;
}

/* Loads a full unit. Each of 16 flags becomes a byte: a product moves four neighbouring flags to a
 * byte each, where other bits remain too. */
VkrUnit vkr_load_tested(const uint u)
{
    if (VKR_UNREAD) {
        VkrUnit unit;
        for (uint p = 0u; p < VKR_PACKS; p++)
            unit.packs[p] = uvec4(0u);
        return unit;
    }
#if VKR_BYTES == 1
    if (VKR_TEST == VKR_TEST_FLAGS) {
        VkrUnit unit;
        uint bit = push.input_base + vkr_begin_of(u);
        uint flags = vkr_tested_words[bit >> 5] >> (bit & 16u);
        unit.packs[0] = (uvec4(flags, flags >> 4, flags >> 8, flags >> 12) & 15u) * 0x00204081u &
                        0x01010101u;
        return unit;
    }
#endif
#if VKR_HAS_SOURCE_TEXELS
    if (VKR_FROM_SOURCE) {
        VkrUnit unit;
        unit.packs[0] = vkr_words_of_pack(vkr_loads[vkr_load_base + u]);
        return unit;
    }
#endif
    return vkr_load_unit(u);
}

/* A set bit for each element of a unit that is kept. */
uint vkr_test_elements(const uint u, const uint present)
{
    uint kept = 0u;
    for (uint k = 0u; k < VKR_STEP; k++) {
        if ((present >> k & 1u) != 0u && vkr_test_element(vkr_begin_of(u) + k))
            kept |= 1u << k;
    }
    return kept;
}

/* Which elements of a unit are kept: VKR_UNIT of them. */
struct VkrChoice {
    bool is[VKR_UNIT_ELEMENTS];
};

uint vkr_number_of(const VkrChoice kept)
{
    uint n = 0u;
    for (uint k = 0u; k < VKR_UNIT; k++)
        n += kept.is[k] ? 1u : 0u;
    return n;
}

uint vkr_bits_of(const VkrChoice kept)
{
    uint bits = 0u;
    for (uint k = 0u; k < VKR_UNIT; k++)
        bits |= kept.is[k] ? 1u << k : 0u;
    return bits;
}

/* The values of the element before a full unit, if the predicate reads it. Where there is none, the
 * unit's first element is loaded: without a branch, GPUs load those of all units at once. */
struct VkrBefore {
    VkrBits bits[VKR_BYTES == 8 ? 2 : 4];
    bool is_none;
};
#if VKR_BYTES == 8
#define VKR_NOTHING_BEFORE VkrBefore(VkrBits[2](VkrBits(0), VkrBits(0)), false)
#else
#define VKR_NOTHING_BEFORE VkrBefore(VkrBits[4](0u, 0u, 0u, 0u), false)
#endif

VkrBefore vkr_before(const uint u)
{
    VkrBefore before = VKR_NOTHING_BEFORE;
    if (VKR_TEST == VKR_TEST_UNIQUE) {
        uint begin = vkr_begin_of(u);
        before.is_none = !vkr_has_before(begin);
        uint at = vkr_tested_at(begin) - (before.is_none ? 0u : push.input_stride);
        for (uint c = 0u; c < VKR_VALUES; c++)
            before.bits[c] = vkr_compared(VKR_LOADED(vkr_tested[at + c]));
    }
    return before;
}

/* Finds it for the unit that follows `unit`, which is loaded. */
VkrBefore vkr_last_of(const VkrUnit unit)
{
    VkrBefore before = VKR_NOTHING_BEFORE;
    for (uint c = 0u; c < VKR_VALUES; c++)
        before.bits[c] =
            vkr_compared(vkr_value_of_packs(unit.packs, (VKR_UNIT - 1u) * VKR_VALUES + c));
    return before;
}

/* Finds it for a unit after unit 1, by texels: CPU drivers fetch those of all lanes at once, but
 * load words one by one in a loop, and do not unroll loops that contain loops. */
#if VKR_LOADS == VKR_LOADS_TEXEL
VkrBefore vkr_before_inside(const uint u)
{
    VkrBefore before = VKR_NOTHING_BEFORE;
    if (VKR_TEST == VKR_TEST_UNIQUE)
        before = vkr_last_of(vkr_load_unit(u - 1u));
    return before;
}
#else
#define vkr_before_inside vkr_before
#endif
const bool VKR_LOOKS_INSIDE = VKR_LOADS == VKR_LOADS_TEXEL && VKR_TEST == VKR_TEST_UNIQUE;

/* Whether element k of a unit differs from the one before it, which the element then replaces. */
bool vkr_differs(const VkrUnit unit, const uint k, inout VkrBefore before)
{
    bool differs = before.is_none;
    for (uint c = 0u; c < VKR_VALUES; c++) {
        VkrBits bits = vkr_compared(vkr_value_of_packs(unit.packs, k * VKR_VALUES + c));
        bool other = bits != before.bits[c];
        differs = differs || other;
        before.bits[c] = bits;
    }
    before.is_none = false;
    return differs;
}

bool vkr_ask_loaded(const VkrUnit unit, const uint u, const uint k)
{
    uvec4 element = uvec4(0u);
    for (uint c = 0u; c < VKR_GIVEN; c++)
        vkr_give(element, c, vkr_value_of_packs(unit.packs, k * VKR_VALUES + c));
    return vkr_ask(element, vkr_begin_of(u) + k);
}

/* Which elements of unit u, a full one, are kept. */
VkrChoice vkr_test_loaded(const VkrUnit unit, const uint u, VkrBefore before)
{
    VkrChoice kept;
#if VKR_BESIDE
    uint flags = VKR_TEST == VKR_TEST_BESIDE ? vkr_flags_of_unit(u) : 0u;
#endif
    for (uint k = 0u; k < VKR_UNIT; k++) {
        if (VKR_TEST == VKR_TEST_HOOK)
            kept.is[k] = vkr_ask_loaded(unit, u, k);
#if VKR_BESIDE
        else if (VKR_TEST == VKR_TEST_BESIDE)
            kept.is[k] = ((flags >> k & 1u) != 0u) != VKR_NEGATE;
#endif
        else if (VKR_TEST != VKR_TEST_UNIQUE)
            kept.is[k] = vkr_test(vkr_value_of_packs(unit.packs, k * VKR_VALUES + VKR_COMPONENT));
        else
            kept.is[k] = vkr_differs(unit, k, before) != VKR_NEGATE;
    }
    return kept;
}

#endif
