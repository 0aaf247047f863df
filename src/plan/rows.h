/* SPDX-License-Identifier: MIT */
/* Helpers for planners: ranges as places and as regions, and a walk for passes that have
 * workgroups, but no elements. */
#ifndef VKR_PLAN_ROWS_H
#define VKR_PLAN_ROWS_H

#include "pass.h"

/* Checks that a range starts at a multiple of `unit` and holds `size` bytes, and makes it a place
 * of one item, which is counted in units. Unless `is_needed`, its buffer may be null; the place
 * then has no buffer. */
VkrResult vkr_check_place(const vkr_walk *walk, const char *field, const VkrBufferRange *range,
                          bool is_needed, uint32_t unit, VkDeviceSize size, vkr_place *place);

/* Whether an optional view is given. */
bool vkr_is_requested(const VkrView *view);

/* Checks an optional output of indices or of other numbers up to `most`, whose plural `what` is,
 * and fills in its defaults. It is checked as words, since a device without 64-bit integers can
 * write a number as two words. Whether it holds enough numbers is for the caller to check. */
VkrResult vkr_check_numbers(const vkr_walk *walk, const char *field, const VkrView *asked,
                            const char *what, uint64_t most, vkr_view *out);

/* A range that is read, and the first item of a place. */
vkr_region vkr_region_of_range(const char *name, const VkrBufferRange *range);
vkr_region vkr_region_of_place(const char *name, const vkr_place *place, bool written);

/* A walk over no elements, for passes that set their own number of workgroups. */
vkr_walk vkr_new_groups_walk(VkrRecorder recorder, const char *call);

#endif
