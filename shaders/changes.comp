/* SPDX-License-Identifier: MIT */
/*
 * Stores the starts of runs of equal keys as bits: bit i % 32 of word i / 32 is set if the bits of
 * key i differ from those of key i - 1, or if there is no such key. By value, -0 has the bits of
 * +0, and all NaN have the same bits. An invocation makes one word.
 *
 * Built with -DVKR_UNIT_BYTES=1|2|4, the size of the units that keys consist of.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/changes.h"
#include "vkreduce/columns.glsl"

const uint VKR_PACKS_OF_WORD = 8u; /* packs that hold the 32 keys of a word */

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

/* The position of element i of the window, in units. */
uint vkr_position(const uint i)
{
    return push.keys_base + (i + (vkr_has(VKR_FLAG_BEFORE) ? 1u : 0u)) * push.stride;
}

bool vkr_is_first(const uint i)
{
    return i == 0u && !vkr_has(VKR_FLAG_BEFORE);
}

/* The bits that stand for those of a float where it is compared. */
uint vkr_compared(const uint bits)
{
    const uint sign = 0x80000000u >> (32 - 8 * VKR_UNIT_BYTES);
    if (VKR_INFINITY == 0u)
        return bits;
    uint magnitude = bits & (sign - 1u);
    uint number = magnitude == 0u ? 0u : bits;
    return magnitude > VKR_INFINITY ? ~0u : number;
}

#if VKR_UNIT_BYTES == 4
/* The same for one of two words. */
uvec2 vkr_compared_pair(const uvec2 bits)
{
    uint magnitude = bits.y & 0x7fffffffu;
    bool is_zero = (magnitude | bits.x) == 0u;
    bool is_nan = magnitude > VKR_INFINITY || (magnitude == VKR_INFINITY && bits.x != 0u);
    uvec2 number = is_zero ? uvec2(0u) : bits;
    return is_nan ? uvec2(~0u) : number;
}

uvec2 vkr_pair_at(const uint at)
{
    return vkr_compared_pair(uvec2(vkr_keys[at], vkr_keys[at + 1u]));
}
#endif

/* Whether element i starts a run. */
bool vkr_starts(const uint i)
{
    const uint at = vkr_position(i);
    const uint before = vkr_is_first(i) ? at : at - push.stride;
    uint differing = vkr_is_first(i) ? 1u : 0u;
#if VKR_UNIT_BYTES == 4
    if (vkr_has(VKR_FLAG_PAIRS)) {
        for (uint u = 0u; u < VKR_UNITS; u += 2u) {
            const uvec2 pair = vkr_pair_at(at + u) ^ vkr_pair_at(before + u);
            differing |= pair.x | pair.y;
        }
        return differing != 0u;
    }
#endif
    for (uint u = 0u; u < VKR_UNITS; u++)
        differing |= vkr_compared(uint(vkr_keys[at + u])) ^
                     vkr_compared(uint(vkr_keys[before + u]));
    return differing != 0u;
}

/* One bit for each of 32 elements, which lie `stride` apart starting at element i. Elements past
 * the last one, whose bits nobody reads, are replaced by it. */
uint vkr_column_of_elements(const uint i, const uint stride)
{
    const uint last = max(push.count, 1u) - 1u;
    uint bits = 0u;
    for (uint b = 0u; b < 32u; b++)
        bits |= vkr_starts(min(i + b * stride, last)) ? 1u << b : 0u;
    return bits;
}

#if VKR_UNIT_BYTES == 4
uvec4 vkr_compared_pack(const uvec4 pack)
{
    return uvec4(vkr_compared(pack.x), vkr_compared(pack.y), vkr_compared(pack.z),
                 vkr_compared(pack.w));
}

/* Four bits: which of the four keys of a pack differ from the key before them. */
uint vkr_compare_pack(const uvec4 pack, const uint before)
{
    return (pack.x != before ? 1u : 0u) | (pack.y != pack.x ? 2u : 0u) |
           (pack.z != pack.y ? 4u : 0u) | (pack.w != pack.z ? 8u : 0u);
}

/* Eight groups of four bits, from packs that lie `stride` apart starting at pack p. */
uint vkr_bits_of_packs(const uint p, const uint stride)
{
    const uint first = vkr_position(0u) / 4u;
    uvec4 packs[VKR_PACKS_OF_WORD];
    uint before[VKR_PACKS_OF_WORD];
    [[unroll]] for (uint k = 0u; k < VKR_PACKS_OF_WORD; k++)
        packs[k] = vkr_compared_pack(vkr_packs_of_keys[first + p + k * stride]);
    [[unroll]] for (uint k = 0u; k < VKR_PACKS_OF_WORD; k++) {
        const uint i = 4u * (p + k * stride);
        if (k > 0u && stride == 1u)
            before[k] = packs[k - 1u].w;
        else
            before[k] =
                vkr_is_first(i) ? ~packs[k].x : vkr_compared(vkr_keys[vkr_position(i) - 1u]);
    }
    uint bits = 0u;
    [[unroll]] for (uint k = 0u; k < VKR_PACKS_OF_WORD; k++)
        bits |= vkr_compare_pack(packs[k], before[k]) << 4u * k;
    return bits;
}

/* The word of this invocation, where bits 4 k to 4 k + 3 of invocation l belong to pack
 * k * VKR_WORKGROUP + l of the workgroup. All invocations must call it. */
uint vkr_word_of_packs(const uint bits)
{
    vkr_columns[gl_LocalInvocationIndex] = bits;
    barrier();
    const uint p = gl_LocalInvocationIndex * VKR_PACKS_OF_WORD;
    uint word = 0u;
    [[unroll]] for (uint k = 0u; k < VKR_PACKS_OF_WORD; k++)
        word |= (vkr_columns[p % VKR_WORKGROUP + k] >> 4u * (p / VKR_WORKGROUP) & 15u) << 4u * k;
    return word;
}
#endif

/* The word of an invocation. */
uint vkr_make_word(const uint group)
{
    const bool contiguous = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    const uint stride = contiguous ? 1u : VKR_WORKGROUP;
    const uint first = group * VKR_WORKGROUP * 32u;
    const uint lane = gl_LocalInvocationIndex;
#if VKR_UNIT_BYTES == 4
    if (vkr_has(VKR_FLAG_PACKS)) {
        const uint p = first / 4u + lane * (contiguous ? VKR_PACKS_OF_WORD : 1u);
        const uint bits = vkr_bits_of_packs(p, stride);
        return contiguous ? bits : vkr_word_of_packs(bits);
    }
#endif
    const uint column = vkr_column_of_elements(first + lane * (contiguous ? 32u : 1u), stride);
    return contiguous ? column : vkr_word_of_columns(column);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint word = vkr_make_word(group);
    uint w = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (w * 32u < push.count)
        vkr_words[push.words_base + w] = word;
}
