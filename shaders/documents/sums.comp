/* SPDX-License-Identifier: MIT */
/*
 * Inclusive prefix sums of words by passes over all of them: Horn's algorithm, after Hillis and
 * Steele, in which the elements of a word double with each pass, and Blelloch's sweeps over a tree
 * in place. passes.comp does this for all types and operators of scans.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/stream.h"

uint vkr_load(const uint k)
{
    return k < push.count ? vkr_marks[push.sums_base + k] : 0u;
}

void vkr_double(const uint k)
{
    if (k >= push.count)
        return;
    uint sum = vkr_marks[push.sums_base + k];
    if (k >= push.distance)
        sum += vkr_marks[push.sums_base + k - push.distance];
    vkr_totals[push.totals_base + k] = sum;
}

/* Adds the pair of nodes whose left one is `left`; in the very first pass the nodes are words. */
void vkr_sweep_up(const uint left)
{
    uint to = push.totals_base + left;
    if (push.distance == 1u) {
        uint first = vkr_load(left);
        vkr_totals[to] = first;
        vkr_totals[to + 1u] = first + vkr_load(left + 1u);
    } else {
        vkr_totals[to + push.distance] += vkr_totals[to];
    }
}

/* The prefix of the pair goes to its left node and, plus the left node's old value, to its right
 * node; the prefix of the root is 0. In the very last pass the words themselves are added. */
void vkr_sweep_down(const uint left)
{
    uint to = push.totals_base + left;
    uint before = push.is_root != 0u ? 0u : vkr_totals[to + push.distance];
    uint after = before + vkr_totals[to];
    if (push.distance == 1u) {
        before += vkr_load(left);
        after += vkr_load(left + 1u);
    }
    vkr_totals[to] = before;
    vkr_totals[to + push.distance] = after;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint id = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (VKR_FLAGS == VKR_PASS_DOUBLE) {
        vkr_double(id);
        return;
    }
    if (id >= push.pairs)
        return;
    uint left = (2u * id + 1u) * push.distance - 1u;
    if (VKR_FLAGS == VKR_PASS_UP)
        vkr_sweep_up(left);
    else
        vkr_sweep_down(left);
}
