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

/* Binds a mask's bits for the elements of a window, and returns the number of the first one,
 * counted from the start of the descriptor. */
uint32_t vkr_fill_mask(const vkr_pass *pass, uint32_t slot, vkr_place bits,
                       const vkr_window *window, vkr_step *step);

/* Adds the steps that make a mask's bits, if it is not made of bits, and says where these lie. */
VkrResult vkr_plan_mask(VkrRecorder recorder, const vkr_walk *walk, const VkrMask *mask,
                        vkr_place *bits);

#endif
