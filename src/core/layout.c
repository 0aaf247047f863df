/* SPDX-License-Identifier: MIT */
/* Turns tables of bindings into layouts and descriptor writes. */
#include "layout.h"

#include <string.h>

#include "context.h"
#include "memory.h"
#include "message.h"

VkDescriptorType vkr_descriptor_type(vkr_kind kind)
{
    static const VkDescriptorType types[VKR_KIND_COUNT] = {
        [VKR_KIND_BUFFER] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [VKR_KIND_UNIFORMS] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        [VKR_KIND_TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        [VKR_KIND_SAMPLED_IMAGE] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        [VKR_KIND_STORAGE_IMAGE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    };
    return types[kind];
}

bool vkr_is_bound(vkr_kind kind, const vkr_descriptor *descriptor)
{
    switch (kind) {
    case VKR_KIND_BUFFER:
    case VKR_KIND_UNIFORMS:
        return descriptor->buffer.buffer != VK_NULL_HANDLE;
    case VKR_KIND_TEXELS:
        return descriptor->texels != VK_NULL_HANDLE;
    case VKR_KIND_SAMPLED_IMAGE:
    case VKR_KIND_STORAGE_IMAGE:
        return descriptor->image.imageView != VK_NULL_HANDLE;
    default:
        return false;
    }
}

static VkWriteDescriptorSet write_of(vkr_kind kind, const vkr_descriptor *descriptor)
{
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = 1,
                                  .descriptorType = vkr_descriptor_type(kind)};
    if (kind == VKR_KIND_BUFFER || kind == VKR_KIND_UNIFORMS)
        write.pBufferInfo = &descriptor->buffer;
    else if (kind == VKR_KIND_TEXELS)
        write.pTexelBufferView = &descriptor->texels;
    else
        write.pImageInfo = &descriptor->image;
    return write;
}

uint32_t vkr_write_bindings(const vkr_step *step, VkDescriptorSet set,
                            VkWriteDescriptorSet writes[VKR_MAX_BINDINGS])
{
    const uint8_t *kinds = step->layout->bindings.kinds;
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        if (!vkr_is_bound(kinds[i], &step->bindings[i]))
            continue;
        writes[count] = write_of(kinds[i], &step->bindings[i]);
        writes[count].dstSet = set;
        writes[count++].dstBinding = i;
    }
    return count;
}

/* ---- Layouts ---- */

static VkResult create_set_layout(const struct VkrContext_T *context, vkr_layout *layout)
{
    VkDescriptorSetLayoutBinding bindings[VKR_MAX_BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        if (layout->bindings.kinds[i] != VKR_KIND_NONE)
            bindings[count++] = (VkDescriptorSetLayoutBinding){
                .binding = i,
                .descriptorType = vkr_descriptor_type(layout->bindings.kinds[i]),
                .descriptorCount = 1,
                .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
            };
    }
    const bool push = (context->caps.features & VKR_FEATURE_PUSH_DESCRIPTOR) != 0;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        .bindingCount = count,
        .pBindings = bindings,
    };
    return context->vk.vkCreateDescriptorSetLayout(context->device, &info, vkr_allocator(context),
                                                   &layout->set);
}

VkResult vkr_create_pipeline_layout(const struct VkrContext_T *context,
                                    const VkDescriptorSetLayout *sets, uint32_t set_count,
                                    VkPipelineLayout *layout)
{
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = VKR_MAX_PUSH};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set_count,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return context->vk.vkCreatePipelineLayout(context->device, &info, vkr_allocator(context),
                                              layout);
}

/* After a failure, *call names the Vulkan function that failed, and the object that it should have
 * created is undefined. */
static VkResult create_layout(const struct VkrContext_T *context, vkr_layout *layout,
                              const char **call)
{
    *call = "vkCreateDescriptorSetLayout";
    VkResult result = create_set_layout(context, layout);
    if (result)
        return result;
    *call = "vkCreatePipelineLayout";
    result = vkr_create_pipeline_layout(context, &layout->set, 1, &layout->pipeline);
    if (result)
        context->vk.vkDestroyDescriptorSetLayout(context->device, layout->set,
                                                 vkr_allocator(context));
    return result;
}

/* Call it with context->lock held. */
static const vkr_layout *find(const struct VkrContext_T *context, const vkr_bindings *bindings)
{
    for (const vkr_layout *l = context->layouts; l; l = l->next) {
        if (memcmp(&l->bindings, bindings, sizeof *bindings) == 0)
            return l;
    }
    return NULL;
}

/* Call it with context->lock held, so that no two layouts have equal tables and indices have no
 * gaps. */
static VkResult find_or_create(VkrContext context, const vkr_bindings *bindings,
                               const vkr_layout **layout, const char **call)
{
    *layout = find(context, bindings);
    if (*layout)
        return VK_SUCCESS;
    vkr_layout *entry = vkr_alloc(context, sizeof *entry);
    if (!entry)
        return VK_SUCCESS;
    entry->bindings = *bindings;
    entry->index = context->layouts ? context->layouts->index + 1 : 0;
    const VkResult result = create_layout(context, entry, call);
    if (result) {
        vkr_free(context, entry);
        return result;
    }
    entry->next = context->layouts;
    context->layouts = entry;
    *layout = entry;
    return VK_SUCCESS;
}

VkrResult vkr_get_layout(VkrContext context, const vkr_bindings *bindings,
                         const vkr_layout **layout)
{
    const char *call = NULL;
    vkr_enter(&context->lock);
    const VkResult result = find_or_create(context, bindings, layout, &call);
    vkr_leave(&context->lock);
    if (result)
        return vkr_fail_vk(context, result, call);
    return *layout ? VKR_SUCCESS
                   : vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                              "Out of host memory for a pipeline layout.");
}

void vkr_destroy_layouts(VkrContext context)
{
    const VkAllocationCallbacks *allocator = vkr_allocator(context);
    while (context->layouts) {
        vkr_layout *layout = context->layouts;
        context->layouts = layout->next;
        context->vk.vkDestroyPipelineLayout(context->device, layout->pipeline, allocator);
        context->vk.vkDestroyDescriptorSetLayout(context->device, layout->set, allocator);
        vkr_free(context, layout);
    }
}
