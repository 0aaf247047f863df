/* SPDX-License-Identifier: MIT */
/*
 * Stores the starts of segments as bits: bit i % 32 of word i / 32 is set if element i starts one.
 * An invocation makes one word from one flag per element, or sets one bit for an entry of a list of
 * starts.
 *
 * Built with -DVKR_UNIT_BYTES=1|4, the size of a flag.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/heads.h"
#include "vkreduce/columns.glsl"

const uint VKR_FLAGS_AT_ONCE = 16u; /* loads before the first of them is needed */

/* One bit for each of 32 flags, which lie `stride` apart starting at flag i. Instead of flags past
 * the last one, whose bits nobody reads, it loads the last one again: no load waits for a
 * comparison. */
uint vkr_pack_flags(const uint i, const uint stride)
{
    const uint last = max(push.count, 1u) - 1u;
    uint word = 0u;
    [[unroll]] for (uint b = 0u; b < 32u; b += VKR_FLAGS_AT_ONCE) {
        uint flags[VKR_FLAGS_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < VKR_FLAGS_AT_ONCE; k++)
            flags[k] = uint(vkr_source[push.source_base + min(i + (b + k) * stride, last)]);
        [[unroll]] for (uint k = 0u; k < VKR_FLAGS_AT_ONCE; k++)
            word |= flags[k] != 0u ? 1u << b + k : 0u;
    }
    return word;
}

void vkr_make_word(const uint group)
{
    const bool contiguous = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    const uint stride = contiguous ? 1u : VKR_WORKGROUP;
    uint i = group * VKR_WORKGROUP * 32u + gl_LocalInvocationIndex * (contiguous ? 32u : 1u);
    uint word = vkr_pack_flags(i, stride);
    if (!contiguous)
        word = vkr_word_of_columns(word);
    uint w = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (w * 32u < push.count)
        vkr_words[push.words_base + w] = word;
}

/* Sets the bit of a start. Starts outside the window of elements belong to other dispatches, or to
 * none. */
void vkr_set_bit(const uint entry)
{
    const uint words = VKR_MODE == VKR_HEADS_STARTS64 ? 2u : 1u;
    if (entry >= push.count)
        return;
    uint at = push.source_base + entry * words;
    uint borrow;
    uint low = usubBorrow(uint(vkr_source[at]), push.first_low, borrow);
    uint high = (words == 2u ? uint(vkr_source[at + 1u]) : 0u) - push.first_high - borrow;
    if (high == 0u && low < push.elements)
        atomicOr(vkr_words[push.words_base + low / 32u], 1u << low % 32u);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    if (VKR_MODE == VKR_HEADS_FLAGS)
        vkr_make_word(group);
    else
        vkr_set_bit(group * VKR_WORKGROUP + gl_LocalInvocationIndex);
}
