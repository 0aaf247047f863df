/* SPDX-License-Identifier: MIT */
/* What both kernels of merges share: keys, shares and the table (cards/merge.h). */
#ifndef VKR_MERGE_GLSL
#define VKR_MERGE_GLSL

#include "order.glsl"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

const bool VKR_STAGED = (VKR_FLAGS & VKR_FLAG_STAGED) != 0u;
const uint VKR_SHARE = VKR_STAGED ? VKR_WORKGROUP * VKR_ITEMS : VKR_ITEMS; /* outputs */

/* These are read once, as CPU drivers do not hoist such reads. */
uint vkr_a_base = push.a_base;
uint vkr_a_stride = push.a_stride;
uint vkr_b_base = push.b_base;
uint vkr_b_stride = push.b_stride;

/* The bits and the key of an element of the window of A, or of B. */
VkrKey vkr_bits_of_a(const uint i)
{
    return VkrKey(vkr_a[vkr_a_base + i * vkr_a_stride]);
}

VkrKey vkr_bits_of_b(const uint i)
{
    return VkrKey(vkr_b[vkr_b_base + i * vkr_b_stride]);
}

/* Whether the element of B with this key comes before that of A. */
bool vkr_is_b_first(const VkrKey b, const VkrKey a)
{
    return vkr_key_less(vkr_clamped(b), vkr_clamped(a));
}

VkrKey vkr_key_of_a(const uint i)
{
    return vkr_key_of(vkr_bits_of_a(i));
}

VkrKey vkr_key_of_b(const uint i)
{
    return vkr_key_of(vkr_bits_of_b(i));
}

uint vkr_split_at(const uint share)
{
    return push.table_base + VKR_MERGE_SPLITS + share;
}

uint vkr_group()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

#endif
