/* SPDX-License-Identifier: MIT */
/* Combines states with elements, one by one and in units, and stores and loads partials. */
#ifndef VKR_ACCUMULATE_GLSL
#define VKR_ACCUMULATE_GLSL

#include "strands.glsl"

#if !VKR_LINKED
VkrState vkr_load_partial(const uint at)
{
    return vkr_load_state(at, false);
}

void vkr_store_partial(const uint at, const VkrStates s)
{
    VKR_EACH(c)
        vkr_store_state(at + VKR_PLACE(c) * VKR_STATE_WORDS, false, vkr_state_of(s, VKR_AT(c)));
}
#endif

/* Whether a mask's bit keeps an element, and how a state is combined with it; and the mapped value
 * of an element. */
#if VKR_HAS_MASK
#define VKR_KEEPS(bits) !VKR_MASKED || ((bits) & 1u) != 0u
#define VKR_LEFT_OUT(is_kept) (VKR_MASKED && !(is_kept))
#else
#define VKR_KEEPS(bits) true
#define VKR_LEFT_OUT(is_kept) false
#endif
#define VKR_TAKE(s, e, is_kept) vkr_accumulate(s, e, VKR_LEFT_OUT(is_kept))
#if !defined(VKR_SEGMENTS) && VKR_ELEMENT == VKR_CLASS_F32
#include "map.glsl"
#define VKR_MAP_OF(components, value) VKR_MAPPED ? vkr_map(components) : value
#else
#define VKR_MAP_OF(components, value) value
#endif

#ifdef VKR_SEGMENTS
#define VKR_INPUT2_STRIDE uniforms.input2_stride
#else
#define VKR_INPUT2_STRIDE push.input2_stride
#endif

#if !VKR_OF_IMAGE
/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_input_base = push.input_base;
uint vkr_input_stride = push.input_stride;

#if VKR_LINKED
#include "linked.glsl"
#else
/* Component c of element i of the dispatch. */
VkrElement vkr_load_element(const uint i, const uint c, const uvec2 index)
{
    VkrElement e;
    e.index = index;
    e.bits = VKR_LOADED(vkr_input[vkr_input_base + i * vkr_input_stride + c]);
    e.bits2 = e.bits;
    if (VKR_HAS(VKR_BIT_DOT))
        e.bits2 = VKR_LOADED(vkr_input2[push.input2_base + i * VKR_INPUT2_STRIDE + c]);
    e.bits = VKR_MAP_OF(uvec4(e.bits, 0u, 0u, 0u), e.bits);
    return e;
}

/* Combines the states with element i of the dispatch. */
void vkr_accumulate_element(inout VkrStates s, const uint i, const uvec2 index)
{
    bool is_kept = VKR_KEEPS(vkr_kept(i, 1u));
    VKR_EACH(c) {
        VkrElement e = vkr_load_element(i, VKR_PLACE(c), index);
        vkr_replace_state(s, VKR_AT(c), VKR_TAKE(vkr_state_of(s, VKR_AT(c)), e, is_kept));
    }
}

#if !VKR_VECTOR && !defined(VKR_SEGMENTS)
/* Does the same with VKR_AHEAD elements, which are all loaded before the first is used, so a GPU
 * waits for all of them at once. */
void vkr_accumulate_ahead(inout VkrStates s, const uint first, const uint stride,
                          const uvec2 index)
{
    VkrElement loaded[VKR_AHEAD];
    for (uint b = 0u; b < VKR_AHEAD; b++) {
        uint i = first + b * stride;
        loaded[b] = vkr_load_element(i, 0u, vkr_add(index, uvec2(i, 0u)));
    }
    for (uint b = 0u; b < VKR_AHEAD; b++)
        s.of[0] = VKR_TAKE(s.of[0], loaded[b], VKR_KEEPS(vkr_kept(first + b * stride, 1u)));
}
#endif
#endif
#endif

#if VKR_HAS_UNITS
#if !VKR_LINKED
/* Drivers unroll the loop over a unit themselves, unless it contains the loop over components. Then
 * both are unrolled here, except in kernels of segments. */
#if defined(VKR_SEGMENTS) || !VKR_VECTOR
#define VKR_EACH_OF_UNIT(c) VKR_EACH(c)
#define VKR_EACH_ELEMENT(k) for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++)
#else
#define VKR_EACH_OF_UNIT(c) VKR_EACH_UNROLLED(c)
#define VKR_EACH_ELEMENT(k) [[unroll]] for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++)
#endif

/* Component c of element k of a unit; `index` is the element's. */
VkrElement vkr_element_of_unit(const VkrUnit unit, const uint k, const uint c, const uvec2 index)
{
    VkrElement e;
    uint v = k * VKR_COMPONENTS + c;
    e.index = index;
    e.bits = vkr_value_of_packs(unit.packs, v);
#if VKR_OF_IMAGE
    e.bits = VKR_MAP_OF(unit.packs[0], e.bits);
#else
    e.bits = VKR_MAP_OF(uvec4(e.bits, 0u, 0u, 0u), e.bits);
#endif
    e.bits2 = e.bits;
#if !VKR_OF_IMAGE
    if (VKR_HAS(VKR_BIT_DOT))
        e.bits2 = vkr_value_of_packs(unit.packs2, v);
#endif
    return e;
}
#endif

/* Kernels for devices with subgroup arithmetic, and those of tiles of a buffer, handle extremes
 * separately. */
#if (VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC && !defined(VKR_SEGMENTS)) ||                    \
    (defined(VKR_OF_TILES) && !VKR_OF_IMAGE)
#include "extremes.glsl"
#else
#if !VKR_LINKED
/* Combines the states with element k of a unit; `index` is the element's. */
void vkr_accumulate_loaded(inout VkrStates s, const VkrUnit unit, const uint k,
                           const uvec2 index)
{
    bool is_kept = VKR_KEEPS(unit.kept >> k);
    VKR_EACH_OF_UNIT(c) {
        VkrElement e = vkr_element_of_unit(unit, k, VKR_AT(c), index);
        vkr_replace_state(s, VKR_AT(c), VKR_TAKE(vkr_state_of(s, VKR_AT(c)), e, is_kept));
    }
}

/* Combines the states with a unit; `index` is that of its first element. */
void vkr_accumulate_unit(inout VkrStates s, const VkrUnit unit, const uvec2 index)
{
    VKR_EACH_ELEMENT(k)
        vkr_accumulate_loaded(s, unit, k, vkr_add(index, uvec2(k, 0u)));
}
#endif

#define vkr_start_extremes()
#define VKR_KEPT_IN(unit) 0u
#define vkr_end_batch(s, kept, index)
#define vkr_finish_extremes(s, index, walk)
#endif

/* Strands in batches of units: they end after every VKR_STRAND_UNITS units of a batch and at its
 * end; or, if batches are shorter, after every VKR_STRAND_BATCHES batches. */
const uint VKR_STRAND_BATCHES =
    VKR_STRAND_UNITS >= 2u * VKR_BATCH ? VKR_STRAND_UNITS / VKR_BATCH : 1u;
#if VKR_IS_FLOAT
#define VKR_END_STRAND_IN_BATCH(s, b)                                                              \
    if (b % VKR_STRAND_UNITS == VKR_STRAND_UNITS - 1u && b != VKR_BATCH - 1u)                      \
        vkr_end_strand(s);
#define VKR_END_STRAND_OF_BATCHES(s, left)                                                         \
    [[dont_flatten]] if (VKR_HOLDS && (VKR_STRAND_BATCHES == 1u || --left == 0u)) {                \
        vkr_end_strand(s);                                                                         \
        left = VKR_STRAND_BATCHES;                                                                 \
    }
/* Units after the last batch continue its strand, unless they can exceed one strand. */
#define VKR_END_STRAND_OF_REST(s)                                                                  \
    if ((VKR_BATCH - 1u) * VKR_UNIT_ELEMENTS >= VKR_STRAND)                                        \
        vkr_end_strand(s);
#else
#define VKR_END_STRAND_OF_REST(s)
#define VKR_END_STRAND_IN_BATCH(s, b)
#define VKR_END_STRAND_OF_BATCHES(s, left)
#endif

#if !defined(VKR_SEGMENTS) || VKR_LINKED
/* Combines the states, which have no elements yet, with the units of a walk; `index` is that of the
 * first element of unit 0. */
void vkr_accumulate_units(inout VkrStates s, const VkrWalk walk, const uvec2 index)
{
    VkrUnit units[VKR_BATCH];
    uint u = walk.first;
    uint k = 0u;
    uint left = VKR_STRAND_BATCHES; /* remaining batches of the strand */
    vkr_start_extremes();
    vkr_start_strands();
    vkr_start_units(walk);
    for (; k + VKR_BATCH <= walk.count; k += VKR_BATCH) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            units[b] = vkr_load_unit(u + b * walk.stride);
        VKR_TAKE_KEPT(units, u)
        uint kept = 0u;
        for (uint b = 0u; b < VKR_BATCH; b++) {
            uvec2 first = vkr_add(index, uvec2((u + b * walk.stride) * VKR_UNIT_ELEMENTS, 0u));
            vkr_accumulate_unit(s, units[b], first);
            kept |= VKR_KEPT_IN(units[b]);
            VKR_END_STRAND_IN_BATCH(s, b)
        }
        VKR_END_STRAND_OF_BATCHES(s, left)
        vkr_end_batch(s, kept, vkr_add(index, uvec2(u * VKR_UNIT_ELEMENTS, 0u)));
        u += VKR_BATCH * walk.stride;
    }
    for (; VKR_BATCH > 1u && k < walk.count; k++) {
        VkrUnit unit = vkr_load_unit(u);
        VKR_TAKE_KEPT_OF(unit, u)
        uvec2 first = vkr_add(index, uvec2(u * VKR_UNIT_ELEMENTS, 0u));
        vkr_accumulate_unit(s, unit, first);
        VKR_END_STRAND_OF_REST(s)
        vkr_end_batch(s, VKR_KEPT_IN(unit), first);
        u += walk.stride;
    }
    vkr_settle_strands(s);
    vkr_finish_extremes(s, index, walk);
}
#endif
#endif

#endif
