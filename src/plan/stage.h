/* SPDX-License-Identifier: MIT */
/* Images, and elements that are mapped, as inputs of kernels that read plain buffers only. */
#ifndef VKR_PLAN_STAGE_H
#define VKR_PLAN_STAGE_H

#include "image.h"
#include "map.h"

/* Where a view is an image, or has a map, adds a pass that makes its first `count` elements in
 * scratch, and makes the view one of these. Otherwise nothing happens. */
VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *walk, uint64_t count, vkr_view *view);

/* Adds a pass that makes a bit for each of the first `count` texels of an image: whether its first
 * channel is not 0. */
VkrResult vkr_stage_bits(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                         const vkr_view *image, vkr_place *bits);

#endif
