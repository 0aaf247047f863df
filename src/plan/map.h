/* SPDX-License-Identifier: MIT */
/* Maps of a view's elements, and masks, as kernels take them. */
#ifndef VKR_PLAN_MAP_H
#define VKR_PLAN_MAP_H

#include "pass.h"

/* Checks the map of a view, if there is one, whose own elements `out` describes; then makes `out`
 * one of mapped elements. */
VkrResult vkr_check_map(const vkr_walk *walk, const char *field, const VkrMap *map, vkr_view *out);

/* Whether kernels that read images can map a view while they read it. Others must be staged. */
bool vkr_maps_in_kernel(const vkr_view *view);

/* VKR_FLAG_* of a view's map; the weights and the bias for uniforms. */
uint32_t vkr_map_flags(const vkr_view *view);
void vkr_set_map(const vkr_view *view, uint32_t weights[4], uint32_t *bias);

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

/* Binds a mask's bits for the elements of a window, and returns the number of the first one, counted
 * from the start of the descriptor. */
uint32_t vkr_fill_mask(const vkr_pass *pass, uint32_t slot, vkr_place bits,
                       const vkr_window *window, vkr_step *step);

/* Adds the steps that make a mask's bits, if it is not made of bits, and says where these lie. */
VkrResult vkr_plan_mask(VkrRecorder recorder, const vkr_walk *walk, const VkrMask *mask,
                        vkr_place *bits);

#endif
