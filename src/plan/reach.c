/* SPDX-License-Identifier: MIT */
#include "reach.h"

uint32_t vkr_head(const vkr_view *view, uint64_t first, uint32_t loads)
{
    if (vkr_is_image_load(loads))
        return 0;
    const uint32_t size = vkr_load_size(loads);
    const VkDeviceSize phase = loads == VKR_LOADS_TEXEL ? view->texels.offset : 0;
    const VkDeviceSize element = vkr_element_size(view);
    const VkDeviceSize at = view->offset + first * element + size - phase % size;
    for (uint32_t head = 0; head < size; head++)
        if ((at + head * element) % size == 0)
            return head;
    return UINT32_MAX;
}

uint32_t vkr_lead(const vkr_view *view, uint64_t first, uint32_t loads)
{
    if (loads == 0)
        return 0;
    const uint32_t unit = vkr_load_size(loads) / view->type->size;
    return (unit - vkr_head(view, first, loads) % unit) % unit;
}

bool vkr_view_loads(const vkr_view *view, uint32_t loads)
{
    const bool there = loads != VKR_LOADS_TEXEL || view->texels.view != VK_NULL_HANDLE;
    return there && vkr_is_packed(view) && vkr_head(view, 0, loads) != UINT32_MAX;
}

const VkrTuning *vkr_tuning_of(const struct VkrContext_T *context, uint32_t operation,
                               const vkr_view *view)
{
    const bool texels = view->texels.view != VK_NULL_HANDLE || vkr_is_image(view);
    return &context->tunings[operation][vkr_tuning_index(texels, view->type->size)];
}

uint64_t vkr_items_within(const vkr_caps *caps, VkDeviceSize slack, VkDeviceSize size,
                          VkDeviceSize stride)
{
    const VkDeviceSize room = caps->max_range;
    if (stride == 0) /* a view without a buffer, which has no elements */
        return UINT64_MAX;
    return slack + size > room ? 0 : (room - slack - size) / stride + 1;
}

uint64_t vkr_view_window(const vkr_caps *caps, const vkr_view *view, uint64_t first)
{
    const VkDeviceSize slack = (view->offset + first * view->stride) % caps->granule;
    return vkr_items_within(caps, slack, vkr_element_size(view), view->stride);
}

uint64_t vkr_view_reach(const vkr_caps *caps, const vkr_view *view, uint64_t count)
{
    const uint64_t all = vkr_view_window(caps, view, 0);
    const uint64_t anywhere =
        vkr_items_within(caps, caps->granule, vkr_element_size(view), view->stride);
    return all >= count && all != 0 ? all : vkr_max(anywhere, 1);
}

uint32_t vkr_one_subgroup(const vkr_caps *caps)
{
    uint32_t size = 1;
    while (size < caps->subgroup_size && size < caps->max_workgroup_size)
        size *= 2;
    return size;
}
