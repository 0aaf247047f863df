/* SPDX-License-Identifier: MIT */
/*
 * Inclusive prefix sums of words by passes over all of them: Horn's, after Hillis and Steele, in
 * which what a word stands for doubles with each pass, and Blelloch's sweeps over a tree in place.
 * passes.comp does this for all that can be scanned.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"

layout(local_size_x_id = VKR_CONST_WORKGROUP) in;
layout(constant_id = VKR_CONST_WORKGROUP) const uint VKR_WORKGROUP = 64;
layout(constant_id = VKR_STREAM_FLAGS) const uint VKR_MODE = VKR_PASS_DOUBLE;

layout(set = 0, binding = VKR_STREAM_SUMS, std430) buffer VkrFrom
{
    uint vkr_from[];
};

layout(set = 0, binding = VKR_STREAM_TOTALS, std430) buffer VkrTo
{
    uint vkr_to[];
};

layout(push_constant) uniform VkrPush
{
    vkr_stream_push push;
};

uint vkr_load(const uint k)
{
    return k < push.count ? vkr_from[push.sums_base + k] : 0u;
}

void vkr_double(const uint k)
{
    if (k >= push.count)
        return;
    uint sum = vkr_from[push.sums_base + k];
    if (k >= push.distance)
        sum += vkr_from[push.sums_base + k - push.distance];
    vkr_to[push.totals_base + k] = sum;
}

/* The pair of nodes whose left one is `left`; in the first pass of all, of words. */
void vkr_sweep_up(const uint left)
{
    uint to = push.totals_base + left;
    if (push.distance == 1u) {
        uint first = vkr_load(left);
        vkr_to[to] = first;
        vkr_to[to + 1u] = first + vkr_load(left + 1u);
    } else {
        vkr_to[to + push.distance] += vkr_to[to];
    }
}

/* What precedes the pair goes to its left node, and with what the left node stood for to its right
 * node; the root is preceded by nothing. In the last pass of all, the words themselves are
 * added. */
void vkr_sweep_down(const uint left)
{
    uint to = push.totals_base + left;
    uint before = push.is_root != 0u ? 0u : vkr_to[to + push.distance];
    uint after = before + vkr_to[to];
    if (push.distance == 1u) {
        before += vkr_load(left);
        after += vkr_load(left + 1u);
    }
    vkr_to[to] = before;
    vkr_to[to + push.distance] = after;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint id = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (VKR_MODE == VKR_PASS_DOUBLE) {
        vkr_double(id);
        return;
    }
    if (id >= push.pairs)
        return;
    uint left = (2u * id + 1u) * push.distance - 1u;
    if (VKR_MODE == VKR_PASS_UP)
        vkr_sweep_up(left);
    else
        vkr_sweep_down(left);
}
