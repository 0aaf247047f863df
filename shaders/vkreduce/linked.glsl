/* SPDX-License-Identifier: MIT */
/*
 * Reductions to states of an application's type (operators/hook.glsl): how elements become such
 * states, and how these and the states of a workgroup are combined. The order of operands is that
 * of the elements wherever an invocation's elements are consecutive.
 */
#ifndef VKR_LINKED_GLSL
#define VKR_LINKED_GLSL

#include "linked_words.glsl"

/* ---- Elements ---- */

/* The state of an element; the identity if a mask leaves that out. */
VkrState vkr_lifted(const uvec4 words, const uvec2 index, const bool is_left_out)
{
    VkrState s;
    if (is_left_out)
        s = vkr_identity();
    else
        s = vkr_lift(vkr_element(words, index));
    return s;
}

/* The state of element i of the dispatch, whose first word is number `at`. */
VkrState vkr_item(const uint at, const uint i, const uvec2 index)
{
    bool is_kept = VKR_KEEPS(vkr_kept(i, 1u));
    return vkr_lifted(vkr_element_words(at), index, VKR_LEFT_OUT(is_kept));
}

void vkr_accumulate_element(inout VkrStates s, const uint i, const uvec2 index)
{
    const uint at = vkr_input_base + i * vkr_input_stride;
    s.of[0] = vkr_combine(s.of[0], vkr_item(at, i, index));
}

VkrState vkr_combine_four(const VkrState a, const VkrState b, const VkrState c, const VkrState d)
{
    return vkr_combine(vkr_combine(a, b), vkr_combine(c, d));
}

/* Combines the states with elements i, i + stride, ..: with as many as become states before the
 * first of these is combined, so a GPU waits for all of them at once. `index` is that of element
 * 0. */
const uint VKR_FEW = VKR_SMALL ? 8u : 4u;
#define VKR_ITEM(k)                                                                                \
    vkr_item(at + k * by, i + k * stride, vkr_add(index, uvec2(i + k * stride, 0u)))
void vkr_accumulate_few(inout VkrStates s, const uint i, const uint stride, const uvec2 index)
{
    const uint at = vkr_input_base + i * vkr_input_stride, by = stride * vkr_input_stride;
    VkrState p = VKR_ITEM(0u), q = VKR_ITEM(1u), r = VKR_ITEM(2u), t = VKR_ITEM(3u);
    if (VKR_SMALL) {
        VkrState u = VKR_ITEM(4u), v = VKR_ITEM(5u), w = VKR_ITEM(6u), x = VKR_ITEM(7u);
        p = vkr_combine(vkr_combine_four(p, q, r, t), vkr_combine_four(u, v, w, x));
    } else {
        p = vkr_combine_four(p, q, r, t);
    }
    s.of[0] = vkr_combine(s.of[0], p);
}

#ifndef VKR_SEGMENTS
/* Does the same with VKR_AHEAD elements. */
void vkr_accumulate_ahead(inout VkrStates s, const uint first, const uint stride,
                          const uvec2 index)
{
    uint i = first;
    for (uint b = 0u; b < VKR_AHEAD; b += VKR_FEW) {
        vkr_accumulate_few(s, i, stride, index);
        i += VKR_FEW * stride;
    }
}
#endif

/* The state of element k of a unit, whose elements are single words; `index` is that of the first
 * one. */
VkrState vkr_item_of_unit(const VkrUnit unit, const uint k, const uvec2 index)
{
    bool is_kept = VKR_KEEPS(unit.kept >> k);
    return vkr_lifted(uvec4(unit.packs[0][k], 0u, 0u, 0u), vkr_add(index, uvec2(k, 0u)),
                      VKR_LEFT_OUT(is_kept));
}

void vkr_accumulate_unit(inout VkrStates s, const VkrUnit unit, const uvec2 index)
{
    VkrState four = vkr_combine_four(
        vkr_item_of_unit(unit, 0u, index), vkr_item_of_unit(unit, 1u, index),
        vkr_item_of_unit(unit, 2u, index), vkr_item_of_unit(unit, 3u, index));
    s.of[0] = vkr_combine(s.of[0], four);
}

/* ---- Partials ---- */

/* Partials of an earlier dispatch take the place of elements; those of this one are where they were
 * stored. */
uint vkr_hook_fetch_word(const uint at, const uint k)
{
    if (VKR_INPUT == VKR_INPUT_PARTIALS)
        return vkr_input[at + k];
    return vkr_stored[at + k];
}

vkr_hook_state vkr_hook_fetch(const uint at)
{
    return vkr_hook_state(vkr_hook_fetch_word(at, 0u));
}

VkrState vkr_load_partial(const uint at)
{
    return VkrState(vkr_hook_fetch(at));
}

void vkr_store_partial(const uint at, const VkrStates s)
{
    vkr_hook_store(at, s.of[0].linked);
}

#ifndef VKR_SEGMENTS
/* Combines the states with partials of a workgroup: those of an invocation are consecutive if its
 * elements are. */
void vkr_reduce_partials(inout VkrStates s, const uint begin, const uint end, const uint most)
{
    const bool in_order = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    const bool reads = VKR_INPUT == VKR_INPUT_PARTIALS;
    const uint base = reads ? push.partials_base : push.stored_base;
    const uint stride = reads ? push.partials_stride : push.stored_stride;
    const uint count = end > begin ? end - begin : 0u;
    const uint each = min(most, (count + VKR_WORKGROUP - 1u) / VKR_WORKGROUP);
    uint i = gl_LocalInvocationIndex * (in_order ? each : 1u);
    for (uint k = 0u; k < each && i < count; k++) {
        s.of[0] = vkr_combine(s.of[0], vkr_load_partial(base + (begin + i) * stride));
        i += in_order ? 1u : VKR_WORKGROUP;
    }
}
#endif

/* ---- Workgroups ---- */

bool vkr_is_leader()
{
    return gl_LocalInvocationIndex == 0u;
}

/* Combines the states of a team, which are consecutive invocations, in their order, for the first
 * one: groups of eight, then of eight such groups, and so on. Barriers cost more than combinations
 * do. The whole workgroup must call this. */
void vkr_team_lead(inout VkrStates s, const uint team)
{
    const uint rank = gl_LocalInvocationIndex & (team - 1u);
    const uint base = gl_LocalInvocationIndex - rank;
    for (uint n = team; n > 1u; n = (n + 7u) / 8u) {
        if (rank < n)
            vkr_hook_share(base + rank, s.of[0].linked);
        barrier();
        for (uint k = 8u * rank + 1u; k < min(8u * rank + 8u, n); k++) {
            if ((k & 7u) == 1u)
                s.of[0].linked = vkr_hook_shared(base + k - 1u);
            s.of[0].linked = vkr_hook_combine(s.of[0].linked, vkr_hook_shared(base + k));
        }
        barrier();
    }
}

#define vkr_group_lead(s) vkr_team_lead(s, VKR_WORKGROUP)

#endif
