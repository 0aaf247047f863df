/* SPDX-License-Identifier: MIT */
/*
 * Reduces the states of all components across a workgroup, to its leader. On group path SHARED the
 * order is the canonical one.
 */
#ifndef VKR_WORKGROUP_GLSL
#define VKR_WORKGROUP_GLSL

/* The position of the words of slot i of component c. On group path SHARED all components use the
 * same slots in turn. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_SLOT_OF(c, i) (i)
#else
#define VKR_SLOT_OF(c, i) ((c) * VKR_STATE_WORDS * VKR_SLOTS + (i))
#endif

#define VKR_GROUP_T VkrState
#define VKR_GROUP_IDENTITY vkr_identity()
#define VKR_GROUP_COMBINE(a, b) vkr_combine(a, b)
#define VKR_GROUP_SHUFFLE_XOR(s, mask) vkr_shuffle(s, mask)
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
#define VKR_GROUP_REDUCE(s) vkr_subgroup_reduce(s)
#endif
#define VKR_GROUP_LEAD_ONLY
#define VKR_GROUP_ALL VkrStates
#define VKR_GROUP_EACH(c) VKR_EACH(c)
#define VKR_GROUP_PART(s, c) vkr_state_of(s, VKR_AT(c))
#define VKR_GROUP_SET_PART(s, c, by) vkr_replace_state(s, VKR_AT(c), by)
#define VKR_GROUP_PUT_PART(c, i, s) vkr_store_state(VKR_SLOT_OF(VKR_AT(c), i), true, s)
#define VKR_GROUP_GET_PART(c, i) vkr_load_state(VKR_SLOT_OF(VKR_AT(c), i), true)
#include "lanes.glsl"

#endif
