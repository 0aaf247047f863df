/* SPDX-License-Identifier: MIT */
/* Descriptor sets for the functions of applications. */
#include "engine.h"

static VkDescriptorType type_of(uint32_t buffers)
{
    return buffers == 0 ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

bool test_open_sets(void)
{
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, TEST_TOGETHER},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, TEST_BUFFERS * TEST_TOGETHER}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = TEST_TOGETHER,
                                             .poolSizeCount = ARRAY_SIZE(sizes),
                                             .pPoolSizes = sizes};
    bool done = vkCreateDescriptorPool(rig.h.device, &pool, NULL, &rig.sets) == VK_SUCCESS;
    for (uint32_t buffers = 0; buffers <= TEST_BUFFERS; buffers++) {
        VkDescriptorSetLayoutBinding bindings[TEST_BUFFERS];
        for (uint32_t i = 0; i < TEST_BUFFERS; i++)
            bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                         .descriptorType = type_of(buffers),
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = buffers != 0 ? buffers : 1,
            .pBindings = bindings};
        done = done && vkCreateDescriptorSetLayout(rig.h.device, &info, NULL,
                                                   &rig.set_layouts[buffers]) == VK_SUCCESS;
    }
    return done;
}

void test_close_sets(void)
{
    vkDestroyDescriptorPool(rig.h.device, rig.sets, NULL);
    for (uint32_t i = 0; i <= TEST_BUFFERS; i++)
        vkDestroyDescriptorSetLayout(rig.h.device, rig.set_layouts[i], NULL);
}

void test_reset_sets(void)
{
    assert_int_equal(vkResetDescriptorPool(rig.h.device, rig.sets, 0), VK_SUCCESS);
}

VkDescriptorSet test_set(uint32_t buffers, const VkrBufferRange *ranges, const test_texture *image)
{
    VkDescriptorSet set;
    VkDescriptorBufferInfo infos[TEST_BUFFERS];
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = rig.sets,
        .descriptorSetCount = 1,
        .pSetLayouts = &rig.set_layouts[buffers]};
    const VkDescriptorImageInfo texels = {
        .imageView = image != NULL ? image->part.view : VK_NULL_HANDLE,
        .imageLayout = image != NULL ? image->part.layout : VK_IMAGE_LAYOUT_UNDEFINED};
    for (uint32_t i = 0; i < buffers; i++)
        infos[i] = (VkDescriptorBufferInfo){ranges[i].buffer, ranges[i].offset, ranges[i].size};
    assert_int_equal(vkAllocateDescriptorSets(rig.h.device, &allocate, &set), VK_SUCCESS);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = buffers != 0 ? buffers : 1,
                                        .descriptorType = type_of(buffers),
                                        .pImageInfo = &texels,
                                        .pBufferInfo = infos};
    vkUpdateDescriptorSets(rig.h.device, 1, &write, 0, NULL);
    return set;
}
