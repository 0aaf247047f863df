/* SPDX-License-Identifier: MIT */
#include "kernel.h"
#include "array.h"
#include "status.h"

#define MAX_CONSTANTS 4u

int kernel_layout_open(kernel_layout *l, const gpu *g, uint32_t sets)
{
    VkDescriptorSetLayoutBinding bindings[MAX_KERNEL_BINDINGS];
    VkDescriptorPoolSize sizes[MAX_KERNEL_BINDINGS];
    for (uint32_t i = 0; i < l->bindings; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = l->types[i],
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        sizes[i] = (VkDescriptorPoolSize){l->types[i], sets};
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = l->bindings,
        .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(g->vulkan.device, &set, NULL, &l->set);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, l->push_size};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &l->set,
                                               .pushConstantRangeCount = l->push_size != 0,
                                               .pPushConstantRanges = &push};
    result = vkCreatePipelineLayout(g->vulkan.device, &layout, NULL, &l->pipeline);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreatePipelineLayout");
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = sets,
                                             .poolSizeCount = l->bindings,
                                             .pPoolSizes = sizes};
    result = vkCreateDescriptorPool(g->vulkan.device, &pool, NULL, &l->pool);
    return gpu_check(result, "vkCreateDescriptorPool");
}

void kernel_layout_close(kernel_layout *l, const gpu *g)
{
    vkDestroyDescriptorPool(g->vulkan.device, l->pool, NULL);
    vkDestroyPipelineLayout(g->vulkan.device, l->pipeline, NULL);
    vkDestroyDescriptorSetLayout(g->vulkan.device, l->set, NULL);
}

int kernel_set(const kernel_layout *l, const gpu *g, const kernel_descriptor *descriptors,
               VkDescriptorSet *set)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = l->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &l->set};
    const VkResult result = vkAllocateDescriptorSets(g->vulkan.device, &info, set);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkAllocateDescriptorSets");
    VkWriteDescriptorSet writes[MAX_KERNEL_BINDINGS];
    for (uint32_t i = 0; i < l->bindings; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = *set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = l->types[i],
                                           .pImageInfo = &descriptors[i].image,
                                           .pBufferInfo = &descriptors[i].buffer,
                                           .pTexelBufferView = &descriptors[i].texels};
    vkUpdateDescriptorSets(g->vulkan.device, l->bindings, writes, 0, NULL);
    return STATUS_DONE;
}

int kernel_pipeline(const kernel_layout *l, const gpu *g, kernel_code code, const uint32_t *values,
                    uint32_t count, VkPipeline *pipeline)
{
    VkSpecializationMapEntry entries[MAX_CONSTANTS];
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof *values, sizeof *values};
    const VkSpecializationInfo constants = {count, entries, count * sizeof *values, values};
    const VkShaderModuleCreateInfo source = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = code.size,
                                             .pCode = code.words};
    VkShaderModule module;
    VkResult result = vkCreateShaderModule(g->vulkan.device, &source, NULL, &module);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = l->pipeline};
    result = vkCreateComputePipelines(g->vulkan.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    vkDestroyShaderModule(g->vulkan.device, module, NULL);
    return gpu_check(result, "vkCreateComputePipelines");
}

void kernel_dispatch(const kernel_layout *l, VkCommandBuffer commands, VkPipeline pipeline,
                     VkDescriptorSet set, const void *push, uint32_t groups)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, l->pipeline, 0, 1, &set, 0,
                            NULL);
    if (l->push_size != 0)
        vkCmdPushConstants(commands, l->pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, l->push_size,
                           push);
    vkCmdDispatch(commands, groups, 1, 1);
}
