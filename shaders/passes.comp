/* SPDX-License-Identifier: MIT */
/*
 * Scan by passes over all elements, with one element or pair of elements per invocation. Between
 * two passes the values lie in memory, one partial per element in the order of the scan. The first
 * pass of a scan reads the elements, and the last one writes the results. Sources: W. D. Hillis, G.
 * L. Steele, "Data Parallel Algorithms" (1986); G. E. Blelloch, "Prefix Sums and Their
 * Applications" (1990).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/scan.h"

#define VKR_INPUTS 1
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/term.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/state.glsl"
#include "vkreduce/segment.glsl"
#include "vkreduce/value.glsl"
#include "vkreduce/partial.glsl"

/* ---- Element k in the order of the scan; the identity if there is none ---- */

uint vkr_index_of(const uint k)
{
    return VKR_REVERSE ? push.count - 1u - k : k; /* past the last one it wraps */
}

bool vkr_starts_at(const uint i)
{
    uint until = vkr_seek(i);
    return vkr_starts(until, i);
}

VkrScan vkr_load_element(const uint k)
{
    uint i = vkr_index_of(k);
    VkrScan s = vkr_scan_identity();
    if (i >= vkr_covered_count)
        return s;
    if (vkr_starts_at(i)) {
        s = vkr_initial();
        s.head = 1u;
    }
    uint at = push.input_base + i * push.input_stride;
    VKR_EACH(c)
        s.state[VKR_AT(c)] = vkr_term_combine(
            s.state[VKR_AT(c)], vkr_term_of(VKR_LOADED(vkr_input[at + VKR_AT(c)])));
    return s;
}

/* Loads element k in the first pass (`is_first`), and partial k in others. */
VkrScan vkr_load(const uint k, const bool is_first)
{
    if (is_first)
        return vkr_load_element(k);
    return vkr_load_partial(vkr_partial_at(k));
}

void vkr_store(const uint k, const VkrScan s)
{
    vkr_store_stored(vkr_stored_at(k), s);
}

/* ---- Results ---- */

void vkr_put(const uint i, const VkrScan s, const bool is_empty)
{
    VKR_EACH(c)
        vkr_put_output(i, VKR_AT(c), vkr_result_of_term(s.state[VKR_AT(c)], is_empty));
}

/* Stores the exclusive result of element i: `before` combines all elements before it. */
void vkr_put_exclusive(const uint i, const VkrScan before)
{
    if (!vkr_starts_at(i))
        vkr_put(i, before, false);
    else
        vkr_put(i, vkr_initial(), !VKR_INITIAL);
}

/* Stores the results that follow from s, which combines all elements up to i: the inclusive result
 * of element i, or the exclusive one of the next element; and the total. The last element's
 * invocation stores the exclusive result of the first element. */
void vkr_put_sum(const uint i, const VkrScan s)
{
    bool is_last = i == (VKR_REVERSE ? 0u : vkr_covered_count - 1u);
    if (is_last)
        vkr_write_total(s);
    if (!VKR_EXCLUSIVE)
        vkr_put(i, s, false);
    else
        vkr_put_exclusive(is_last ? vkr_origin : VKR_REVERSE ? i - 1u : i + 1u, s);
}

/* ---- Hillis and Steele: the elements of a partial double with every pass ---- */

void vkr_double(const uint k)
{
    if (k >= push.count)
        return;
    bool is_first = push.items == 1u;
    VkrScan s = vkr_scan_identity();
    for (uint behind = k >= push.items ? 2u : 1u; behind-- > 0u;)
        s = vkr_scan_combine(s, vkr_load(k - behind * push.items, is_first));
    uint i = vkr_index_of(k);
    if (2u * push.items < push.count)
        vkr_store(k, s);
    else if (i < vkr_covered_count)
        vkr_put_sum(i, s);
}

/* ---- Blelloch: a tree in place ---- */

/* The number of leaves of the tree: the elements, and identities up to a power of two. */
uint vkr_leaves()
{
    return 2u << findMSB(push.count - 1u);
}

void vkr_sweep_up(const uint left)
{
    bool is_first = push.items == 1u;
    VkrScan s = vkr_scan_identity();
    for (uint side = 0u; side < 2u; side++) {
        uint k = left + side * push.items;
        s = vkr_scan_combine(s, vkr_load(k, is_first));
        if (is_first || side == 1u)
            vkr_store(k, s);
    }
}

/* The prefix of the pair goes to its left node; combined with the left node's old value, it goes to
 * the right node. In the last pass it is combined with the element itself. */
void vkr_sweep_down(const uint left)
{
    VkrScan s = vkr_scan_identity();
    if (2u * push.items < vkr_leaves()) /* else the root */
        s = vkr_load(left + push.items, false);
    if (push.items > 1u) {
        VkrScan after = vkr_scan_combine(s, vkr_load(left, false));
        vkr_store(left, s);
        vkr_store(left + push.items, after);
        return;
    }
    for (uint k = left; k < left + 2u; k++) {
        uint i = vkr_index_of(k);
        s = vkr_scan_combine(s, vkr_load_element(k));
        if (i < vkr_covered_count)
            vkr_put_sum(i, s);
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint id = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    vkr_begin();
    if (id == 0u && vkr_whole == uvec2(0u))
        vkr_write_total(vkr_scan_identity());
    if (VKR_MODE == VKR_PASS_DOUBLE) {
        vkr_double(id);
        return;
    }
    if (id >= vkr_leaves() / 2u / push.items)
        return;
    uint left = (2u * id + 1u) * push.items - 1u;
    if (VKR_MODE == VKR_PASS_UP)
        vkr_sweep_up(left);
    else
        vkr_sweep_down(left);
}
