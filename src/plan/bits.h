/* SPDX-License-Identifier: MIT */
/* Arrays of a bit for each element, in words. Bits say where segments start, or which elements a
 * mask keeps. */
#ifndef VKR_PLAN_BITS_H
#define VKR_PLAN_BITS_H

#include "pass.h"

/* Checks an array of flags, which must hold one for each element of the walk, or the function that
 * stands for it; `elements` are those that the function may take, or NULL. */
VkrResult vkr_check_flags(const vkr_walk *walk, const char *field, const VkrFlagView *flags,
                          const vkr_view *elements);

/* Sets where the bits for the walk's elements lie: they are the caller's own, or steps are added
 * that write them to scratch. */
VkrResult vkr_plan_bits_of_flags(VkrRecorder recorder, const vkr_walk *walk,
                                 const VkrFlagView *flags, vkr_place *bits);

/* Does the same from a list of the elements whose bits are to be set. */
VkrResult vkr_plan_bits_of_list(VkrRecorder recorder, const vkr_walk *walk,
                                const VkrBufferRange *list, bool wide, vkr_place *bits);

#endif
