/* SPDX-License-Identifier: MIT */
/* Runs of equal keys as bits. */
#ifndef VKR_PLAN_KEYS_H
#define VKR_PLAN_KEYS_H

#include "pass.h"

/* Checks the keys of segments: a view that holds one for each element of the walk. */
VkrResult vkr_check_keys(const vkr_walk *walk, const VkrSegments *segments, vkr_view *out);

/* Adds steps that write a bit for each element of the walk to scratch: whether its key starts a
 * run. `bits` says where they lie. */
VkrResult vkr_plan_bits_of_keys(VkrRecorder recorder, const vkr_walk *walk, const vkr_view *keys,
                                vkr_place *bits);

#endif
