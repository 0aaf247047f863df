/* SPDX-License-Identifier: MIT */
#include "range.h"

VkrResult vkr_check_place(const vkr_walk *w, const char *field, const VkrBufferRange *range,
                          uint32_t unit, VkDeviceSize size, vkr_place *place)
{
    VKR_TRY(vkr_check_range(w, field, range, unit, size));
    *place = vkr_place_of_bytes(range->buffer, range->offset, size, unit);
    return VKR_SUCCESS;
}

VkrResult vkr_check_optional_place(const vkr_walk *w, const char *field,
                                   const VkrBufferRange *range, uint32_t unit, VkDeviceSize size,
                                   vkr_place *place)
{
    *place = (vkr_place){0};
    return range->buffer != VK_NULL_HANDLE ? vkr_check_place(w, field, range, unit, size, place)
                                           : VKR_SUCCESS;
}

vkr_region vkr_region_of_range(const char *name, const VkrBufferRange *range)
{
    return vkr_region_of_bytes(name, range->buffer, range->offset, range->size, false);
}

vkr_region vkr_region_of_place(const char *name, const vkr_place *place, bool written)
{
    return vkr_region_of_bytes(name, place->buffer, place->offset, place->size, written);
}
