/* SPDX-License-Identifier: MIT */
/*
 * The values of the blocks of the canonical tree (reduce.h), from elements that are loaded in
 * units. An invocation has one virtual lane of a block for each element of a unit, so it loads
 * their elements at once; a workgroup handles several blocks. Each block stores a partial, which
 * reduce.comp reads. Additions and their order are those of the tree.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/reduce.h"

#define VKR_INPUTS 2
#include "vkreduce/variant.glsl"

#define VKR_SMALL_PARTS /* an invocation keeps many states */
#include "vkreduce/type.glsl"
#include "vkreduce/operator.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#define VKR_MEMORY_SLOTS (VKR_WORKGROUP * VKR_UNIT_ELEMENTS)
#include "vkreduce/memory.glsl"
#include "vkreduce/accumulate.glsl"

/* A row of a block is one element of each of its virtual lanes, of which an invocation loads
 * batches of whole units. VKR_SPAN invocations share a block, and each has VKR_LANES virtual
 * lanes. */
const uint VKR_ROW_UNITS = VKR_TREE_WIDTH / VKR_UNIT_ELEMENTS;
const uint VKR_SPAN = VKR_ROW_UNITS / VKR_BATCH;
const uint VKR_LANES = VKR_BATCH * VKR_UNIT_ELEMENTS;
const uint VKR_BLOCK_UNITS = VKR_TREE_BLOCK / VKR_UNIT_ELEMENTS;

/* The states of an invocation's virtual lanes. Every index is a constant. */
VkrStates vkr_lanes[VKR_LANES];
#define VKR_EACH_LANE(k) [[unroll]] for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++)
#define VKR_EACH_OF_BATCH(b) [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++)

uvec2 vkr_index_of(const uint i)
{
    return vkr_add(uvec2(push.first_low, push.first_high), uvec2(i, 0u));
}

/* Combines the lanes with unit u, which is unit b of a batch. */
void vkr_take_unit(const VkrUnit unit, const uint u, const uint b)
{
    VKR_EACH_LANE(k)
        vkr_accumulate_loaded(vkr_lanes[b * VKR_UNIT_ELEMENTS + k], unit, k,
                              vkr_index_of(u * VKR_UNIT_ELEMENTS + k));
}

/* Combines the lanes with the elements that do not fill a unit, if they come next in an
 * invocation's row that starts with unit u. CPU drivers load whatever the condition is, so only one
 * unit is loaded. */
void vkr_take_ragged(const uint u, const uint units, const uint end)
{
    VKR_EACH_LANE(k) {
        uint i = units * VKR_UNIT_ELEMENTS + k;
        bool is_there = i < end;
        uint at = is_there ? i : 0u;
        bool is_kept = VKR_KEEPS(vkr_kept(at, 1u));
        VKR_EACH_UNROLLED(c) {
            VkrElement e = vkr_load_element(at, VKR_AT(c), vkr_index_of(i));
            VKR_EACH_OF_BATCH(b) {
                bool is_left_out = !is_there || u + b * VKR_SPAN != units || VKR_LEFT_OUT(is_kept);
                VkrState s = vkr_state_of(vkr_lanes[b * VKR_UNIT_ELEMENTS + k], VKR_AT(c));
                vkr_replace_state(vkr_lanes[b * VKR_UNIT_ELEMENTS + k], VKR_AT(c),
                                  vkr_accumulate(s, e, is_left_out));
            }
        }
    }
}

/* Combines the lanes with an invocation's elements of a block, whose last row may end within a
 * unit. */
void vkr_take_block(const uint block, const uint lane, const uint covered)
{
    uint end = min(covered, (block + 1u) * VKR_TREE_BLOCK);
    uint units = end / VKR_UNIT_ELEMENTS;
    uint u = block * VKR_BLOCK_UNITS + lane;
    VkrUnit loaded[VKR_BATCH];
    for (; u + (VKR_BATCH - 1u) * VKR_SPAN < units; u += VKR_ROW_UNITS) {
        VKR_EACH_OF_BATCH(b)
            loaded[b] = vkr_load_unit(u + b * VKR_SPAN);
        VKR_EACH_OF_BATCH(b)
            vkr_take_unit(loaded[b], u + b * VKR_SPAN, b);
    }
    if (u * VKR_UNIT_ELEMENTS >= end)
        return;
    VKR_EACH_OF_BATCH(b) {
        if (u + b * VKR_SPAN < units)
            vkr_take_unit(vkr_load_unit(u + b * VKR_SPAN), u + b * VKR_SPAN, b);
    }
    vkr_take_ragged(u, units, end);
}

/* Combine 2, 4 or 8 slots that lie `apart` from each other: first those of the lower half with
 * those of the upper half, and so on. */
VkrState vkr_of_2(const uint at, const uint apart)
{
    return vkr_combine(vkr_load_state(at, true), vkr_load_state(at + apart, true));
}

VkrState vkr_of_4(const uint at, const uint apart)
{
    return vkr_combine(vkr_of_2(at, 2u * apart), vkr_of_2(at + apart, 2u * apart));
}

VkrState vkr_of_8(const uint at, const uint apart)
{
    return vkr_combine(vkr_of_4(at, 2u * apart), vkr_of_4(at + apart, 2u * apart));
}

/* Several levels of a block's tree, whose lanes belong to different invocations: the values of
 * `count` times `apart` invocations become those of the first `apart` ones. Each of these is the
 * only reader of its own slots, so it may overwrite them for the next levels without a barrier. */
#define VKR_PAIR_INVOCATIONS(c, lane, count, apart)                                                \
    if (lane < count * apart) {                                                                    \
        VKR_EACH_LANE(k)                                                                           \
            vkr_store_state(k * VKR_WORKGROUP + gl_LocalInvocationIndex, true,                     \
                            vkr_state_of(vkr_lanes[k], VKR_AT(c)));                                \
    }                                                                                              \
    barrier();                                                                                     \
    if (lane < apart) {                                                                            \
        VKR_EACH_LANE(k)                                                                           \
            vkr_replace_state(                                                                     \
                vkr_lanes[k], VKR_AT(c),                                                           \
                vkr_of_##count(k * VKR_WORKGROUP + gl_LocalInvocationIndex, apart));               \
    }

/* The levels between, of 4 to 64 invocations. */
void vkr_pair_invocations(const uint lane)
{
    VKR_EACH_UNROLLED(c) {
        if (VKR_SPAN >= 8u) {
            VKR_PAIR_INVOCATIONS(c, lane, 8, VKR_SPAN / 8u)
        }
        if (VKR_SPAN == 16u) {
            VKR_PAIR_INVOCATIONS(c, lane, 2, 1u)
        }
        if (VKR_SPAN == 32u || VKR_SPAN == 4u) {
            VKR_PAIR_INVOCATIONS(c, lane, 4, 1u)
        }
#if VKR_BYTES == 8
        if (VKR_SPAN == 64u) {
            VKR_PAIR_INVOCATIONS(c, lane, 8, 1u)
        }
#endif
#if VKR_VECTOR
        barrier(); /* the slots are the next component's */
#endif
    }
}

/* The levels within an invocation: the upper ones pair its units, the lower ones the elements of a
 * unit. */
#define VKR_PAIR_LANES(apart)                                                                      \
    [[unroll]] for (uint k = 0u; k < apart; k++) {                                                 \
        VKR_EACH_UNROLLED(c)                                                                       \
            vkr_replace_state(                                                                     \
                vkr_lanes[k], VKR_AT(c),                                                           \
                vkr_combine(vkr_state_of(vkr_lanes[k], VKR_AT(c)),                                 \
                            vkr_state_of(vkr_lanes[min(k + apart, VKR_LANES - 1u)], VKR_AT(c))));  \
    }

void vkr_pair_units()
{
    if (VKR_BATCH >= 8u) {
        VKR_PAIR_LANES(4u * VKR_UNIT_ELEMENTS)
    }
    if (VKR_BATCH >= 4u) {
        VKR_PAIR_LANES(2u * VKR_UNIT_ELEMENTS)
    }
    if (VKR_BATCH >= 2u) {
        VKR_PAIR_LANES(VKR_UNIT_ELEMENTS)
    }
}

void vkr_pair_elements()
{
#if VKR_BYTES <= 2
    VKR_PAIR_LANES(4u)
#endif
#if VKR_BYTES <= 4
    VKR_PAIR_LANES(2u)
#endif
    VKR_PAIR_LANES(1u)
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;

    uint lane = gl_LocalInvocationIndex % VKR_SPAN;
    uint block = group * VKR_LANES + gl_LocalInvocationIndex / VKR_SPAN;
    for (uint k = 0u; k < VKR_LANES; k++)
        vkr_clear(vkr_lanes[k]);
    vkr_take_block(block, lane, vkr_covered(vkr_total()));
    vkr_pair_units();
    vkr_pair_invocations(lane);
    vkr_pair_elements();
    if (lane == 0u && block * VKR_TREE_BLOCK < push.count)
        vkr_store_partial(push.stored_base + block * push.stored_stride, vkr_lanes[0]);
}
