/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <inttypes.h>

VkrResult vkr_check_place(const vkr_walk *w, const char *field, const VkrBufferRange *range,
                          bool is_needed, uint32_t unit, VkDeviceSize size, vkr_place *place)
{
    if (is_needed || range->buffer != VK_NULL_HANDLE)
        VKR_TRY(vkr_check_range(w, field, range, unit, size));
    *place = vkr_place_of_bytes(range->buffer, range->offset, size, unit);
    return VKR_SUCCESS;
}

bool vkr_is_requested(const VkrView *view)
{
    return view->buffer != VK_NULL_HANDLE || view->size != 0 || view->bufferSize != 0;
}

VkrResult vkr_check_numbers(const vkr_walk *w, const char *field, const VkrView *asked,
                            const char *what, uint64_t most, vkr_view *out)
{
    const bool wide = most >> 32 != 0;
    VkrView view = *asked;
    VkrType type = view.type;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    VKR_MUST(w, type == VKR_TYPE_UNDEFINED || type == VKR_TYPE_U32 || type == VKR_TYPE_U64,
             "%s.type is %s (%d), but must be undefined, u32 or u64.", field, vkrTypeName(type),
             (int)type);
    VKR_MUST(w, type != VKR_TYPE_U32 || !wide,
             "%s.type is u32, but must be u64, since %s can reach 2^32.", field, what);
    VKR_MUST_BE(w, view.components <= 1, field, ".components", view.components, "be 0 or 1.");
    if (type == VKR_TYPE_UNDEFINED)
        type = wide || w->context->caps.wide_indices ? VKR_TYPE_U64 : VKR_TYPE_U32;
    const uint32_t size = vkr_types[type].size;
    view.type = VKR_TYPE_U32;
    view.components = 1;
    view.stride = view.stride == 0 ? size : view.stride;
    VKR_MUST(w, view.offset % size == 0 && view.stride % size == 0,
             "%s.offset is %" PRIu64 " and %s.stride %" PRIu64
             ", but both must be multiples of %u, the size of %s.",
             field, view.offset, field, asked->stride, size, vkr_types[type].name);
    VKR_TRY(vkr_check_view(w, field, &view, w->count, out));
    VKR_TRY(vkr_check_buffer(w, field, out));
    out->type = &vkr_types[type];
    out->type_id = type;
    out->capacity = vkr_view_capacity(out, size);
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
