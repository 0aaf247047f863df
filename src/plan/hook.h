/* SPDX-License-Identifier: MIT */
/* Checks of an application's functions that stand for elements or for flags. */
#ifndef VKR_PLAN_HOOK_H
#define VKR_PLAN_HOOK_H

#include "check.h"
#include "vkreduce/module.h"

struct vkr_function; /* function.h */

/* Checks the function of a view's map, and finds it. If the function takes no elements, the view
 * must have none. `count` is the number of elements, or VKR_COUNT_ALL, which is refused then. */
VkrResult vkr_check_called(const vkr_walk *walk, const char *field, const VkrView *view,
                           uint64_t count, const struct vkr_function **function,
                           bool *has_elements);

/* Makes `out` describe what this function returns. If the function takes elements, `out` describes
 * these, which are checked. */
VkrResult vkr_describe_called(const vkr_walk *walk, const char *field, const VkrView *view,
                              uint64_t count, const struct vkr_function *function, vkr_view *out);

/* Checks that elements are those that a function takes. */
VkrResult vkr_check_element(const vkr_walk *walk, const char *field, const vkr_view *elements,
                            const VkrHookInfo *info);

/* Checks what only an operation needs of a hook, and no question about one: the descriptor set, and
 * what the function accesses. */
VkrResult vkr_check_hook_handles(const vkr_walk *walk, const char *field, const VkrHook *hook);

/* Checks a function that is called for the elements that a compaction keeps. */
VkrResult vkr_check_sink(const vkr_walk *walk, const char *field, const VkrHook *sink);

/* Checks a function that stands for flags. `field` is "mask.flags" or the like; `elements` are
 * those that the function may take, or NULL. */
VkrResult vkr_check_called_flags(const vkr_walk *walk, const char *field, const VkrFlagView *flags,
                                 const vkr_view *elements);

#endif
