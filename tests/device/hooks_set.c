/* SPDX-License-Identifier: MIT */
#include "hooks_set.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t *hooks_read_code(const char *folder, const char *name, size_t *size)
{
    const size_t most = 1 << 20;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *file = fopen(path, "rb");
    uint32_t *code = malloc(most);
    if (file && code)
        *size = fread(code, 1, most, file);
    if (file && code && fclose(file) == 0)
        return code;
    free(code);
    return NULL;
}

bool hooks_open_set(const harness *h, const VkBuffer *buffers, uint32_t count, hooks_set *s)
{
    VkDescriptorSetLayoutBinding bindings[4];
    VkDescriptorBufferInfo infos[4];
    for (uint32_t i = 0; i < count; i++) {
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        infos[i] = (VkDescriptorBufferInfo){buffers[i], 0, VK_WHOLE_SIZE};
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    const VkDescriptorPoolCreateInfo of_pool = {.sType =
                                                    VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                .maxSets = 1,
                                                .poolSizeCount = 1,
                                                .pPoolSizes = &size};
    if (vkCreateDescriptorSetLayout(h->device, &layout, NULL, &s->layout) != VK_SUCCESS ||
        vkCreateDescriptorPool(h->device, &of_pool, NULL, &s->pool) != VK_SUCCESS)
        return false;
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &s->layout};
    if (vkAllocateDescriptorSets(h->device, &allocate, &s->set) != VK_SUCCESS)
        return false;
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = s->set,
                                        .descriptorCount = count,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = infos};
    vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
    return true;
}

void hooks_close_set(const harness *h, hooks_set *s)
{
    vkDestroyDescriptorPool(h->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(h->device, s->layout, NULL);
}

VkrModule hooks_open_module(harness *h, VkrContext context, const char *folder, const char *name,
                            VkDescriptorSetLayout layout)
{
    VkrModuleInfo info = {.label = name, .setLayout = layout};
    VkrModule module = NULL;
    uint32_t *code = hooks_read_code(folder, name, &info.codeSize);
    info.code = code;
    assert_non_null(code);
    assert_true(harness_check(h, vkrCreateModule(context, &info, &module), "vkrCreateModule"));
    free(code);
    return module;
}
