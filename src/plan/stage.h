/* SPDX-License-Identifier: MIT */
/* Copies of images and of mapped elements, for kernels that read only plain buffers. */
#ifndef VKR_PLAN_STAGE_H
#define VKR_PLAN_STAGE_H

#include "image.h"
#include "map.h"

/* Where a view is an image, or has a map or a function, this adds a pass that writes its first
 * `count` elements to scratch, and makes it a view of these. Otherwise nothing happens. */
VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *walk, uint64_t count, vkr_view *view);

#endif
