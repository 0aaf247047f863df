/* SPDX-License-Identifier: MIT */
/*
 * Copies elements, with another value in place of those that a mask leaves out and, if asked for,
 * in place of NaN. A workgroup's elements lie side by side. Built with -DVKR_UNIT_BYTES=1|2|4|8,
 * the size of a component.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/masked.h"

#if VKR_UNIT_BYTES == 8
#define VkrBits uvec2
VkrBits vkr_other = uvec2(push.other_low, push.other_high);
#else
#define VkrBits uint
VkrBits vkr_other = push.other_low;
#endif

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_source_base = push.source_base;
uint vkr_source_stride = push.source_stride;
uint vkr_target_base = push.target_base;
uint vkr_mask_base = push.mask_base;
uint vkr_infinity = push.infinity;

bool vkr_is_kept(const uint i)
{
    const uint at = vkr_mask_base + i;
    return (VKR_FLAGS & VKR_FLAG_MASKED) == 0u || (vkr_mask[at / 32u] >> at % 32u & 1u) != 0u;
}

bool vkr_is_replaced(const VkrBits bits)
{
    if ((VKR_FLAGS & VKR_FLAG_NAN) == 0u)
        return false;
#if VKR_UNIT_BYTES == 8
    const uint high = bits.y & 0x7fffffffu;
    return high > vkr_infinity || (high == vkr_infinity && bits.x != 0u);
#else
    return (bits & ((1u << 8u * VKR_UNIT_BYTES - 1u) - 1u)) > vkr_infinity;
#endif
}

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    const uint first = group * VKR_WORKGROUP * VKR_ITEMS + gl_LocalInvocationIndex;
    const uint end = min(first + VKR_WORKGROUP * VKR_ITEMS, push.count);
    for (uint i = first; i < end; i += VKR_WORKGROUP) {
        const bool kept = vkr_is_kept(i);
        for (uint c = 0u; c < VKR_COMPONENTS; c++) {
            VkrBits bits = VkrBits(vkr_source[vkr_source_base + i * vkr_source_stride + c]);
            if (!kept || vkr_is_replaced(bits))
                bits = vkr_other;
            vkr_target[vkr_target_base + i * VKR_COMPONENTS + c] = VkrUnit(bits);
        }
    }
}
