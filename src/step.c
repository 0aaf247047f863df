/* SPDX-License-Identifier: MIT */
#include "step.h"

#include <string.h>

uint32_t vkr_head(const vkr_view *view, uint64_t first, uint32_t loads, VkDeviceSize phase)
{
    const uint32_t size = vkr_load_size(loads);
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
    const VkDeviceSize phase = loads == VKR_LOADS_TEXEL ? view->texels.offset : 0;
    return (unit - vkr_head(view, first, loads, phase) % unit) % unit;
}

VkrResult vkr_choose_workgroup(const struct VkrContext_T *context, const char *call, uint32_t asked,
                               uint32_t tuned, uint32_t *size)
{
    const uint32_t most = context->caps.max_workgroup_size;
    if ((asked & (asked - 1)) != 0)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: workgroupSize is %u, but must be 0 or a power of two.", call, asked);
    if (asked > most)
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "%s: workgroupSize is %u, but must be at most %u on this device.", call,
                        asked, most);
    if (tuned == 0)
        tuned = vkr_one_subgroup(&context->caps);
    *size = asked != 0 ? asked : tuned < most ? tuned : most;
    return VKR_SUCCESS;
}

uint64_t vkr_view_window(const vkr_caps *caps, const vkr_view *view, uint64_t first)
{
    const VkDeviceSize slack = (view->offset + first * view->stride) % caps->granule;
    const VkDeviceSize element = vkr_element_size(view);
    if (slack + element > caps->max_range)
        return 0;
    return (caps->max_range - slack - element) / view->stride + 1;
}

uint64_t vkr_view_reach(const vkr_caps *caps, const vkr_view *view, uint64_t count)
{
    const VkDeviceSize room = caps->max_range - caps->granule;
    const VkDeviceSize element = vkr_element_size(view);
    const uint64_t all = vkr_view_window(caps, view, 0);
    if (all >= count && all != 0)
        return all;
    return element > room ? 1 : (room - element) / view->stride + 1;
}

uint32_t vkr_one_subgroup(const vkr_caps *caps)
{
    uint32_t size = 1;
    while (size < caps->subgroup_size && size < caps->max_workgroup_size)
        size *= 2;
    return size;
}

uint32_t vkr_most_subgroups(const vkr_caps *caps, uint32_t workgroup_size)
{
    if (workgroup_size == caps->sure_subgroup_size)
        return 1;
    return (uint32_t)vkr_divide_up(workgroup_size, caps->min_subgroup_size);
}

VkDeviceSize vkr_bind(const vkr_caps *caps, vkr_step *step, uint32_t binding, VkBuffer buffer,
                      VkDeviceSize offset, VkDeviceSize size)
{
    const VkDeviceSize slack = offset % caps->granule;
    if (binding < VKR_MAX_BINDINGS)
        step->bindings[binding] = (VkDescriptorBufferInfo){buffer, offset - slack, slack + size};
    else if (binding >= step->binding_count)
        step->binding_count = binding + 1;
    return slack;
}

void vkr_use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
             VkAccessFlags access)
{
    const uint32_t index = step->access_count++;
    if (index < VKR_MAX_ACCESSES)
        step->accesses[index] = (vkr_access){.buffer = buffer,
                                             .offset = offset,
                                             .size = size,
                                             .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                             .access = access};
}

void vkr_use_window(vkr_step *step, uint32_t binding)
{
    const VkDescriptorBufferInfo *bound = &step->bindings[binding];
    vkr_use(step, bound->buffer, bound->offset, bound->range, VK_ACCESS_SHADER_WRITE_BIT);
}

void vkr_set_push(vkr_step *step, const void *push, uint32_t size)
{
    memcpy(step->push, push, size);
    step->push_size = size;
}

void vkr_set_groups(const vkr_caps *caps, vkr_step *step, uint64_t groups)
{
    const uint64_t y = vkr_divide_up(groups, caps->max_groups[0]);
    step->groups[0] = (uint32_t)vkr_divide_up(groups, y);
    step->groups[1] = (uint32_t)y;
}

void vkr_bind_view(const vkr_caps *caps, vkr_step *step, uint32_t binding, const vkr_view *view,
                   uint64_t first, uint64_t count, VkAccessFlags access, uint32_t *base,
                   uint32_t *stride)
{
    if (count == 0)
        return;
    const uint32_t unit = view->type->size;
    const VkDeviceSize offset = view->offset + first * view->stride;
    const VkDeviceSize size = (count - 1) * view->stride + vkr_element_size(view);
    *base = (uint32_t)(vkr_bind(caps, step, binding, view->buffer, offset, size) / unit);
    *stride = (uint32_t)(view->stride / unit);
    vkr_use(step, view->buffer, offset, size, access);
}

void vkr_bind_count(const vkr_caps *caps, vkr_step *step, uint32_t binding,
                    const VkrGpuCount *count, uint32_t *base)
{
    if (count->buffer == VK_NULL_HANDLE)
        return;
    const VkDeviceSize size = count->type == VKR_TYPE_U64 ? 8 : 4;
    *base = (uint32_t)(vkr_bind(caps, step, binding, count->buffer, count->offset, size) / 4);
    vkr_use(step, count->buffer, count->offset, size, VK_ACCESS_SHADER_READ_BIT);
}
