/* SPDX-License-Identifier: MIT */
/* Users' functions that stand for elements or for flags: their checks, and the passes that call
 * them and write what they return to scratch. */
#ifndef VKR_PLAN_CALL_H
#define VKR_PLAN_CALL_H

#include "check.h"

/* Checks a function that stands for the elements of `view`, the caller's, and describes them in
 * `out`. `count` is the number of elements, or VKR_COUNT_ALL, which is refused. */
VkrResult vkr_check_called_view(const vkr_walk *walk, const char *field, const VkrView *view,
                                uint64_t count, vkr_view *out);

/* Checks a function that stands for flags. `field` is "mask.flags" or the like. */
VkrResult vkr_check_called_flags(const vkr_walk *walk, const char *field, const VkrFlagView *flags);

/* Adds a pass that writes the first `count` elements to scratch, and makes the view one of these. */
VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                                vkr_view *view);

/* Adds a pass that writes one bit for each element of the walk: to scratch, or to the range of the
 * flags. */
VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *walk, const VkrFlagView *flags,
                            vkr_place *bits);

#endif
