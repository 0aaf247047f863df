/* SPDX-License-Identifier: MIT */
/*
 * Reduces ranges by a user's monoid: a type of states, an associative operator and its identity,
 * and a function that makes a state of an element. Operands keep the order of the elements, unless
 * the operator is commutative.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/monoid.h"
#include "vkreduce/monoid.glsl"
#include "vkreduce/widen.glsl"

/* The elements that exist. */
uint vkr_covered()
{
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) == 0u)
        return push.capacity;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u && vkr_count[push.count_base + 1u] != 0u)
        return push.capacity;
    return min(vkr_count[push.count_base], push.capacity);
}

/* The items that exist. All states do. */
uint vkr_held()
{
    if ((VKR_FLAGS & VKR_FLAG_STATES) != 0u || (VKR_FLAGS & VKR_FLAG_GPU_COUNT) == 0u)
        return push.extent;
    return min(push.extent, vkr_covered());
}

vkr_hook_state vkr_load(const uint i)
{
    const uint at = push.element_base + (i - push.first_element) * push.element_stride;
    uvec4 element = uvec4(0u);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_ELEMENT)
            element[c] = vkr_widen(vkr_elements[at + c]);
    }
    return vkr_hook_load(element, i);
}

vkr_hook_state vkr_item(const uint i)
{
    if ((VKR_FLAGS & VKR_FLAG_STATES) != 0u)
        return vkr_hook_fetch(push.source_base + i * VKR_WORDS);
    return vkr_load(i);
}

uint vkr_group()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

/* ---- Fold ---- */

/* Combines a state with up to `items` of the `held` items: every `by`-th, starting with item `at`.
 * Several items are loaded before the first one is needed. */
vkr_hook_state vkr_fold_items(vkr_hook_state state, const uint at, const uint by, const uint held,
                              const uint items)
{
    const uint left = held > at ? held - at : 0u;
    uint i = at;
    uint k = 0u, n = 0u;
    for (; VKR_WORDS <= 2u && n + 8u <= items && k + 7u * by < left; n += 8u, k += 8u * by) {
        vkr_hook_state a = vkr_item(i), b = vkr_item(i + by), c = vkr_item(i + 2u * by),
                       d = vkr_item(i + 3u * by), e = vkr_item(i + 4u * by),
                       f = vkr_item(i + 5u * by), g = vkr_item(i + 6u * by),
                       h = vkr_item(i + 7u * by);
        a = vkr_hook_combine(vkr_hook_combine(a, b), vkr_hook_combine(c, d));
        e = vkr_hook_combine(vkr_hook_combine(e, f), vkr_hook_combine(g, h));
        state = vkr_hook_combine(state, vkr_hook_combine(a, e));
        i += 8u * by;
    }
    for (; n + 4u <= items && k + 3u * by < left; n += 4u, k += 4u * by) {
        vkr_hook_state a = vkr_item(i), b = vkr_item(i + by), c = vkr_item(i + 2u * by),
                       d = vkr_item(i + 3u * by);
        a = vkr_hook_combine(vkr_hook_combine(a, b), vkr_hook_combine(c, d));
        state = vkr_hook_combine(state, a);
        i += 4u * by;
    }
    for (; n < items && k < left; n++, k += by) {
        state = vkr_hook_combine(state, vkr_item(i));
        i += by;
    }
    return state;
}

/* Combines four elements in a row, of which the first is element i. */
vkr_hook_state vkr_fold_four(const uvec4 words, const uint i)
{
    vkr_hook_state state = vkr_hook_load(uvec4(words.x, 0u, 0u, 0u), i);
    for (uint c = 1u; c < 4u; c++)
        state = vkr_hook_combine(state, vkr_hook_load(uvec4(words[c], 0u, 0u, 0u), i + c));
    return state;
}

/* The same as vkr_fold_items for the elements of a tile, which start with item `begin`, by wide
 * loads; the invocation whose run ends with them also combines the last ones singly. */
vkr_hook_state vkr_fold_wide(const uint begin, const uint rank, const uint held)
{
    vkr_hook_state state = vkr_hook_identity();
    const bool strides = (VKR_FLAGS & VKR_FLAG_COMMUTATIVE) != 0u;
    const uint left = held > begin ? min(held - begin, VKR_TEAM * push.items) : 0u;
    const uint fours = push.element_base / 4u + (begin - push.first_element) / 4u;
    const uint units = left / 4u, each = push.items / 4u, by = strides ? VKR_TEAM : 1u;
    uint u = strides ? rank : rank * each;
    const uint end = strides ? units : min(units, u + each);
    for (; u + by < end; u += 2u * by) {
        const uvec4 a = vkr_element_fours[fours + u], b = vkr_element_fours[fours + u + by];
        vkr_hook_state next = vkr_fold_four(a, begin + 4u * u);
        next = vkr_hook_combine(next, vkr_fold_four(b, begin + 4u * (u + by)));
        state = vkr_hook_combine(state, next);
    }
    if (u < end)
        state = vkr_hook_combine(state,
                                 vkr_fold_four(vkr_element_fours[fours + u], begin + 4u * u));
    if (rank == (strides ? units % VKR_TEAM : units / each)) {
        for (uint k = units * 4u; k < left; k++)
            state = vkr_hook_combine(state, vkr_load(begin + k));
    }
    return state;
}

/* Combines the states of a team's invocations, in their order, for the first one: groups of eight,
 * then of eight such groups, and so on. Barriers cost more than combinations do. */
vkr_hook_state vkr_fold_team(vkr_hook_state state, const uint rank)
{
    const uint base = gl_LocalInvocationIndex - rank;
    for (uint n = VKR_TEAM; n > 1u; n = (n + 7u) / 8u) {
        if (rank < n)
            vkr_hook_share(gl_LocalInvocationIndex, state);
        barrier();
        for (uint k = 8u * rank + 1u; k < min(8u * rank + 8u, n); k++) {
            if ((k & 7u) == 1u)
                state = vkr_hook_shared(base + k - 1u);
            state = vkr_hook_combine(state, vkr_hook_shared(base + k));
        }
        barrier();
    }
    return state;
}

void vkr_fold()
{
    const uint rank = gl_LocalInvocationIndex % VKR_TEAM;
    const uint tile =
        vkr_group() * (VKR_WORKGROUP / VKR_TEAM) + gl_LocalInvocationIndex / VKR_TEAM;
    const bool is_there = tile < push.tiles;
    const bool strides = (VKR_FLAGS & VKR_FLAG_COMMUTATIVE) != 0u;
    const uint begin = (push.first_tile + tile) * (VKR_TEAM * push.items);
    const uint held = is_there ? vkr_held() : 0u;
    vkr_hook_state state = vkr_hook_identity();
    if ((VKR_FLAGS & VKR_FLAG_WIDE) != 0u)
        state = vkr_fold_wide(begin, rank, held);
    else
        state = vkr_fold_items(state, begin + rank * (strides ? 1u : push.items),
                               strides ? VKR_TEAM : 1u, held, push.items);
    state = vkr_fold_team(state, rank);
    if (is_there && rank == 0u)
        vkr_put_result(push.target_base + tile * push.target_stride, state);
}

/* ---- Range ---- */

/* Combines items of a level: elements on level 0, else states of blocks, which start at item `base`
 * of the source. */
vkr_hook_state vkr_fold_level(const uint level, const uint base, const uint begin, const uint end)
{
    vkr_hook_state state = vkr_hook_identity();
    for (uint i = begin; i < end; i++) {
        vkr_hook_state item;
        if (level == 0u)
            item = vkr_load(i);
        else
            item = vkr_hook_fetch(push.source_base + (base + i) * VKR_WORDS);
        state = vkr_hook_combine(state, item);
    }
    return state;
}

/* Combines a range: on each level the items before its first whole block, and those after its last
 * one; on the last level, or where there is no whole block, all of them. */
vkr_hook_state vkr_fold_range(uint begin, uint end)
{
    vkr_hook_state before = vkr_hook_identity(), after = vkr_hook_identity();
    uint base = 0u, items = push.capacity;
    for (uint level = 0u; begin < end; level++) {
        const uint from = begin / VKR_MONOID_BLOCK + (begin % VKR_MONOID_BLOCK != 0u ? 1u : 0u);
        const uint to = end / VKR_MONOID_BLOCK;
        const bool is_last = level == push.levels || from >= to;
        before = vkr_hook_combine(
            before,
            vkr_fold_level(level, base, begin, is_last ? end : from * VKR_MONOID_BLOCK));
        if (is_last)
            break;
        after = vkr_hook_combine(vkr_fold_level(level, base, to * VKR_MONOID_BLOCK, end), after);
        begin = from;
        end = to;
        base += level == 0u ? 0u : items;
        items = (items - 1u) / VKR_MONOID_BLOCK + 1u;
    }
    return vkr_hook_combine(before, after);
}

void vkr_range()
{
    const uint range = vkr_group() * VKR_WORKGROUP + gl_LocalInvocationIndex;
    const uint number = push.first_tile + range;
    if (range >= push.tiles)
        return;
    const uint end = min(number + push.extent, vkr_covered());
    vkr_put_result(push.target_base + range * push.target_stride, vkr_fold_range(number, end));
}

void main()
{
    if (VKR_MODE == VKR_MONOID_FOLD)
        vkr_fold();
    else
        vkr_range();
}
