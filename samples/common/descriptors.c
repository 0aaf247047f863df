/* SPDX-License-Identifier: MIT */
/* Descriptor sets, and the pipelines of compute shaders. */
#include "app.h"

descriptor_set create_descriptors(const gpu *g, const descriptor *rows, uint32_t count)
{
    descriptor_set made = {0};
    VkDescriptorSetLayoutBinding bindings[MAX_DESCRIPTORS];
    VkDescriptorPoolSize sizes[MAX_DESCRIPTORS];
    VkDescriptorBufferInfo buffers[MAX_DESCRIPTORS];
    VkDescriptorImageInfo images[MAX_DESCRIPTORS];
    VkWriteDescriptorSet writes[MAX_DESCRIPTORS];
    VkDescriptorSetLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                              NULL, 0, count, bindings};
    VkDescriptorPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, count, sizes};
    for (uint32_t i = 0; i < count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, rows[i].type, 1, rows[i].stages, NULL};
        sizes[i] = (VkDescriptorPoolSize){rows[i].type, 1};
    }
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout, NULL, &made.layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool, NULL, &made.pool));
    VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                       made.pool, 1, &made.layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set, &made.handle));
    for (uint32_t i = 0; i < count; i++) {
        const descriptor *row = &rows[i];
        buffers[i] = (VkDescriptorBufferInfo){row->data ? row->data->handle : VK_NULL_HANDLE, 0,
                                              VK_WHOLE_SIZE};
        images[i] = (VkDescriptorImageInfo){
            VK_NULL_HANDLE, row->texels ? row->texels->view : VK_NULL_HANDLE, row->layout};
        writes[i] = (VkWriteDescriptorSet){VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = made.handle,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = row->type,
                                           .pImageInfo = &images[i],
                                           .pBufferInfo = &buffers[i]};
    }
    vkUpdateDescriptorSets(g->device, count, writes, 0, NULL);
    return made;
}

void destroy_descriptors(const gpu *g, const descriptor_set *set)
{
    vkDestroyDescriptorPool(g->device, set->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, set->layout, NULL);
}

VkPipeline create_compute_pipeline(const gpu *g, VkPipelineLayout layout, const uint32_t *code,
                                   size_t size)
{
    VkPipeline pipeline;
    VkComputePipelineCreateInfo info = {
        VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = create_stage(g, &(shader){VK_SHADER_STAGE_COMPUTE_BIT, code, size}),
        .layout = layout};
    CHECK(vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(g->device, info.stage.module, NULL);
    return pipeline;
}
