/* SPDX-License-Identifier: MIT */
/* Passes that call an application's functions, and write the elements or flags that these
 * return. */
#ifndef VKR_PLAN_CALL_H
#define VKR_PLAN_CALL_H

#include "check.h"

/* Adds a pass that writes the first `count` elements of a view, which the function returns, to a
 * place in scratch. */
VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *walk, const VkrHook *hook,
                                uint64_t count, const vkr_view *view, vkr_place target);

/* Adds a pass that writes one bit for each element of the walk: to scratch, or to the range of the
 * flags. */
VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *walk, const VkrFlagView *flags,
                            vkr_place *bits);

/* Binds the descriptor set of a hook to a step, and declares what its functions access. */
void vkr_use_hook(const VkrHook *hook, vkr_step *step);

#endif
