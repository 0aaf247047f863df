/* SPDX-License-Identifier: MIT */
/* Masks, as bits of the elements that they keep. */
#ifndef VKR_PLAN_MASK_H
#define VKR_PLAN_MASK_H

#include "pass.h"

/* Whether there is a mask. */
static inline bool vkr_has_mask(const VkrMask *mask)
{
    return mask->flags.range.buffer != VK_NULL_HANDLE || mask->image != NULL;
}

/* Checks a mask of the walk's elements, which are those of a view: if that is an image, both must
 * have as many columns, rows and layers. */
VkrResult vkr_check_mask(const vkr_walk *walk, const VkrMask *mask, const vkr_view *view);

/* What a checked mask reads. */
vkr_region vkr_region_of_mask(const vkr_walk *walk, const VkrMask *mask);

/* Adds the steps that make a mask's bits, if it is not made of bits, and says where these lie. */
VkrResult vkr_plan_mask(VkrRecorder recorder, const vkr_walk *walk, const VkrMask *mask,
                        vkr_place *bits);

#endif
