/* SPDX-License-Identifier: MIT */
/* Masks: a bit for each element says whether it is kept. */
#ifndef VKR_PLAN_MASK_H
#define VKR_PLAN_MASK_H

#include "pass.h"

/* Whether there is a mask. */
static inline bool vkr_has_mask(const VkrMask *mask)
{
    return mask->flags.range.buffer != VK_NULL_HANDLE || mask->flags.hook != NULL ||
           mask->image != NULL;
}

/* Checks a mask of the walk's elements, which are those of `view`. If both are images, they must
 * have equal numbers of columns, rows and layers. */
VkrResult vkr_check_mask(const vkr_walk *walk, const VkrMask *mask, const vkr_view *view);

/* The memory that is read of a checked mask, or written with its bits. */
vkr_region vkr_region_of_mask(const vkr_walk *walk, const VkrMask *mask);

/* Sets where a mask's bits lie. Adds the steps that make them, unless the mask consists of bits. */
VkrResult vkr_plan_mask(VkrRecorder recorder, const vkr_walk *walk, const VkrMask *mask,
                        vkr_place *bits);

#endif
