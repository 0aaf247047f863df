/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "program.h"

static void create_layouts(VkDevice device, uint32_t count, program *p)
{
    VkDescriptorSetLayoutBinding bindings[PROGRAM_BUFFERS];
    for (uint32_t i = 0; i < count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings};
    assert_int_equal(vkCreateDescriptorSetLayout(device, &set, NULL, &p->set_layout), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &p->set_layout};
    assert_int_equal(vkCreatePipelineLayout(device, &layout, NULL, &p->layout), VK_SUCCESS);
}

void program_open(VkDevice device, const VkDescriptorBufferInfo *buffers, uint32_t count,
                  program *p)
{
    memset(p, 0, sizeof(*p));
    assert_in_range(count, 1, PROGRAM_BUFFERS);
    create_layouts(device, count, p);
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    assert_int_equal(vkCreateDescriptorPool(device, &pool, NULL, &p->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = p->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &p->set_layout};
    assert_int_equal(vkAllocateDescriptorSets(device, &set, &p->set), VK_SUCCESS);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = p->set,
                                        .descriptorCount = count,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = buffers};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

void program_close(VkDevice device, program *p)
{
    vkDestroyPipeline(device, p->pipeline, NULL);
    vkDestroyPipelineLayout(device, p->layout, NULL);
    vkDestroyDescriptorPool(device, p->pool, NULL);
    vkDestroyDescriptorSetLayout(device, p->set_layout, NULL);
    memset(p, 0, sizeof(*p));
}

void program_specialise(VkDevice device, program *p, const uint32_t *code, size_t size,
                        const uint32_t *constants, uint32_t count)
{
    assert_in_range(count, 0, PROGRAM_CONSTANTS);
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    VkSpecializationMapEntry entries[PROGRAM_CONSTANTS];
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
    const VkSpecializationInfo specialization = {count, entries, 4 * count, constants};
    VkShaderModule module;
    assert_int_equal(vkCreateShaderModule(device, &module_info, NULL, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = p->layout,
    };
    vkDestroyPipeline(device, p->pipeline, NULL);
    p->pipeline = VK_NULL_HANDLE;
    assert_int_equal(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline),
                     VK_SUCCESS);
    vkDestroyShaderModule(device, module, NULL);
}

void program_use(VkDevice device, program *p, const uint32_t *code, size_t size, uint32_t constant)
{
    program_specialise(device, p, code, size, &constant, 1);
}

void program_bind(VkCommandBuffer cmd, const program *p)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
}

void program_to_host(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &barrier, 0, NULL, 0, NULL);
}
