/* SPDX-License-Identifier: MIT */
/* Maps of a view's elements: their checks, and how kernels receive them. */
#ifndef VKR_PLAN_MAP_H
#define VKR_PLAN_MAP_H

#include "check.h"

/* Checks the map of a view, if there is one. `out` describes the view's own elements, and then the
 * mapped ones. */
VkrResult vkr_check_map(const vkr_walk *walk, const char *field, const VkrMap *map, vkr_view *out);

/* Whether kernels of reductions can map a view while they read it: images of floats, and buffers of
 * single f32. Others must be staged. */
bool vkr_maps_in_kernel(const vkr_view *view);

/* VKR_FLAG_* of a view's map; the weights and the bias for uniforms. */
uint32_t vkr_map_flags(const vkr_view *view);
void vkr_set_map(const vkr_view *view, uint32_t weights[4], uint32_t *bias);

/* Does the same for one component, for kernels that map elements of a buffer while they read
 * them. */
void vkr_set_map_of_values(const vkr_view *view, uint32_t *weight, uint32_t *bias);

#endif
