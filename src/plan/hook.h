/* SPDX-License-Identifier: MIT */
/* Checks of an application's functions that stand for elements or for flags. */
#ifndef VKR_PLAN_HOOK_H
#define VKR_PLAN_HOOK_H

#include "check.h"

/* Checks a function that stands for the elements of `view`, the caller's, and describes them in
 * `out`. `count` is the number of elements, or VKR_COUNT_ALL, which is refused. */
VkrResult vkr_check_called_view(const vkr_walk *walk, const char *field, const VkrView *view,
                                uint64_t count, vkr_view *out);

/* Checks what only an operation needs of a hook, and no question about one: the descriptor set, and
 * what the function accesses. */
VkrResult vkr_check_hook_handles(const vkr_walk *walk, const char *field, const VkrHook *hook);

/* Checks a function that stands for flags. `field` is "mask.flags" or the like. */
VkrResult vkr_check_called_flags(const vkr_walk *walk, const char *field, const VkrFlagView *flags);

#endif
