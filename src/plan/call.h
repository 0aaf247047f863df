/* SPDX-License-Identifier: MIT */
/* Passes that call an application's functions, and write the elements or flags that these
 * return. */
#ifndef VKR_PLAN_CALL_H
#define VKR_PLAN_CALL_H

#include "check.h"

/* Adds a pass that writes the first `count` elements of a view, which the function of the source's
 * map returns, to a place in scratch. The source has the elements that the function takes, if any,
 * and is not mapped. */
VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *walk, const vkr_view *source,
                                uint64_t count, const vkr_view *view, vkr_place target);

/* Adds a pass that writes one bit for each element of the walk: to scratch, or to the range of the
 * flags. `elements` are in a buffer, or NULL. */
VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *walk, const VkrFlagView *flags,
                            const vkr_view *elements, vkr_place *bits);

#endif
