/* SPDX-License-Identifier: MIT */
#include "hooks_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "reduce_case.h"

bool hooks_open_set(const harness *h, const harness_buffer *first, const harness_buffer *second,
                    hooks_set *set)
{
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    if (vkCreateDescriptorSetLayout(h->device, &layout, NULL, &set->layout) != VK_SUCCESS ||
        vkCreateDescriptorPool(h->device, &pool, NULL, &set->pool) != VK_SUCCESS)
        return false;
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = set->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &set->layout};
    if (vkAllocateDescriptorSets(h->device, &allocate, &set->set) != VK_SUCCESS)
        return false;
    const VkDescriptorBufferInfo buffers[] = {{first->buffer, 0, VK_WHOLE_SIZE},
                                              {second->buffer, 0, VK_WHOLE_SIZE}};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set->set,
                                        .descriptorCount = 2,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = buffers};
    vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
    return true;
}

void hooks_close_set(const harness *h, hooks_set *set)
{
    vkDestroyDescriptorPool(h->device, set->pool, NULL);
    vkDestroyDescriptorSetLayout(h->device, set->layout, NULL);
}

VkrModule hooks_open_module(harness *h, VkrContext context, const char *folder, const char *name,
                            VkDescriptorSetLayout layout)
{
    enum { ROOM = 1 << 20 };
    char path[1024];
    VkrModule module = NULL;
    uint32_t *code = malloc(ROOM);
    (void)snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || !code)
        fail_msg("%s cannot be read", path);
    const VkrModuleInfo info = {
        .label = name, .code = code, .codeSize = fread(code, 1, ROOM, file), .setLayout = layout};
    (void)fclose(file);
    assert_true(harness_check(h, vkrCreateModule(context, &info, &module), "vkrCreateModule"));
    free(code);
    return module;
}
