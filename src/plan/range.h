/* SPDX-License-Identifier: MIT */
/* Ranges of the caller's memory: checked, and as places of one item. */
#ifndef VKR_PLAN_RANGE_H
#define VKR_PLAN_RANGE_H

#include "check.h"

/* Checks that a range starts at a multiple of `unit` and holds `size` bytes, and makes it a place
 * that is counted in units. */
VkrResult vkr_check_place(const vkr_walk *walk, const char *field, const VkrBufferRange *range,
                          uint32_t unit, VkDeviceSize size, vkr_place *place);

/* The same of a range that may be missing: the place of one without a buffer has none. */
VkrResult vkr_check_optional_place(const vkr_walk *walk, const char *field,
                                   const VkrBufferRange *range, uint32_t unit, VkDeviceSize size,
                                   vkr_place *place);

/* Bytes that are read, or those of a place's first item. */
vkr_region vkr_region_of_range(const char *name, const VkrBufferRange *range);
vkr_region vkr_region_of_place(const char *name, const vkr_place *place, bool written);

#endif
