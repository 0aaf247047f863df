/* SPDX-License-Identifier: MIT */
/* Copies of images and of mapped elements, for kernels that read only plain buffers. */
#ifndef VKR_PLAN_STAGE_H
#define VKR_PLAN_STAGE_H

#include "image.h"
#include "map.h"

/* Where a view is an image, or has a map or a function, this adds a pass that writes its first
 * `count` elements to scratch, and makes it a view of these. Otherwise nothing happens. */
VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *walk, uint64_t count, vkr_view *view);

/* Adds a pass that makes a bit for each of the first `count` texels of an image. The bit says
 * whether the texel's first channel is not 0. */
VkrResult vkr_stage_bits(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                         const vkr_view *image, vkr_place *bits);

#endif
