/* SPDX-License-Identifier: MIT */
/* Images as inputs of kernels that read buffers only. */
#ifndef VKR_PLAN_STAGE_H
#define VKR_PLAN_STAGE_H

#include "image.h"

/* Where a view is an image, adds a pass that copies its first `count` elements to scratch, and
 * makes the view one of these. Otherwise nothing happens. */
VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *walk, uint64_t count, vkr_view *view);

#endif
