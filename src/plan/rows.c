/* SPDX-License-Identifier: MIT */
#include "rows.h"

VkrResult vkr_check_place(const vkr_walk *w, const char *field, const VkrBufferRange *range,
                          bool is_needed, uint32_t unit, VkDeviceSize size, vkr_place *place)
{
    if (is_needed || range->buffer != VK_NULL_HANDLE)
        VKR_TRY(vkr_check_range(w, field, range, unit, size));
    *place = vkr_place_of_bytes(range->buffer, range->offset, size, unit);
    return VKR_SUCCESS;
}

vkr_region vkr_region_of_range(const char *name, const VkrBufferRange *range)
{
    return vkr_region_of_bytes(name, range->buffer, range->offset, range->size, false);
}

vkr_region vkr_region_of_place(const char *name, const vkr_place *place, bool written)
{
    return vkr_region_of_bytes(name, place->buffer, place->offset, place->size, written);
}

vkr_walk vkr_new_groups_walk(VkrRecorder recorder, const char *call)
{
    static const vkr_view none = {
        .type = &vkr_types[VKR_TYPE_F32], .type_id = VKR_TYPE_F32, .components = 1};
    vkr_walk walk = vkr_new_walk(vkr_recorder_context(recorder), call);
    walk.view = &none;
    walk.items = 1;
    return walk;
}
