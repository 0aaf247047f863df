/* SPDX-License-Identifier: MIT */
/* The objects that the self-test needs: a buffer, a command buffer, a fence and a recorder. */
#include "selftest.h"

#include <string.h>

#include "../core/memory.h"
#include "../core/message.h"
#include "../tables/types.h"

#define F32_NAN 0x7fc00000u

static VkrResult create_buffer(VkrContext context, vkr_self_test *test)
{
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = VKR_SELF_REGIONS * VKR_SELF_REGION + VKR_SELF_CHECKS * VKR_SELF_SLOT,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
    VkResult result =
        context->vk.vkCreateBuffer(context->device, &buffer, vkr_allocator(context), &test->buffer);
    if (result != VK_SUCCESS) {
        test->buffer = VK_NULL_HANDLE; /* after a failed call its value is undefined */
        return vkr_fail_vk(context, result, "vkCreateBuffer");
    }
    VkMemoryRequirements needs;
    context->vk.vkGetBufferMemoryRequirements(context->device, test->buffer, &needs);
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type;
    VKR_TRY(vkr_choose_memory_type(context, needs.memoryTypeBits, needed, 0, &type));
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = type};
    result = context->vk.vkAllocateMemory(context->device, &memory, vkr_allocator(context),
                                          &test->memory);
    if (result != VK_SUCCESS) {
        test->memory = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkAllocateMemory");
    }
    result = context->vk.vkBindBufferMemory(context->device, test->buffer, test->memory, 0);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkBindBufferMemory");
    void *data;
    result = context->vk.vkMapMemory(context->device, test->memory, 0, VK_WHOLE_SIZE, 0, &data);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkMapMemory");
    test->data = data;
    return VKR_SUCCESS;
}

static VkrResult create_texels(VkrContext context, vkr_self_test *test)
{
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = test->buffer,
                                   .format = VK_FORMAT_R32G32B32A32_UINT,
                                   .range = VKR_SELF_REGION};
    for (uint32_t i = 0; i < VKR_SELF_CHECKS; i++)
        if (vkr_self_checks[i].texels)
            info.offset = (VkDeviceSize)i * VKR_SELF_REGION;
    VkResult result = context->vk.vkCreateBufferView(context->device, &info, vkr_allocator(context),
                                                     &test->texels);
    if (result == VK_SUCCESS)
        return VKR_SUCCESS;
    test->texels = VK_NULL_HANDLE;
    return vkr_fail_vk(context, result, "vkCreateBufferView");
}

static VkrResult create_commands(VkrContext context, uint32_t family, vkr_self_test *test)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                          .queueFamilyIndex = family};
    VkResult result = context->vk.vkCreateCommandPool(context->device, &pool,
                                                      vkr_allocator(context), &test->pool);
    if (result != VK_SUCCESS) {
        test->pool = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreateCommandPool");
    }
    const VkCommandBufferAllocateInfo cmd = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = test->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    result = context->vk.vkAllocateCommandBuffers(context->device, &cmd, &test->cmd);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkAllocateCommandBuffers");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result =
        context->vk.vkCreateFence(context->device, &fence, vkr_allocator(context), &test->fence);
    if (result != VK_SUCCESS) {
        test->fence = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreateFence");
    }
    return vkrCreateRecorder(context, &(VkrRecorderInfo){.label = "vkreduce self-test"},
                             &test->recorder);
}

static void fill(const vkr_self_test *test)
{
    memset(test->data, VKR_SELF_FILLER, VKR_SELF_CHECKS * VKR_SELF_REGION);
    for (uint32_t i = 0; i < VKR_SELF_CHECKS; i++) {
        const vkr_self_check *c = &vkr_self_checks[i];
        const uint32_t size = vkr_types[c->type].size;
        for (uint32_t k = 0; k < c->count; k++) {
            const uint64_t bits = vkr_is_known_nan(c, k)
                                      ? F32_NAN
                                      : vkr_encode_known(c->type, (uint64_t)vkr_known_value(c, k));
            memcpy(test->data + i * VKR_SELF_REGION + (c->skip + k * c->stride) * size, &bits,
                   size);
        }
    }
}

VkrResult vkr_create_self_test(VkrContext context, uint32_t family, vkr_self_test **created)
{
    vkr_self_test *test = vkr_alloc(context, sizeof *test);
    *created = test;
    if (!test)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrSelfTest: out of host memory for the test.");
    VKR_TRY(create_buffer(context, test));
    VKR_TRY(create_texels(context, test));
    VKR_TRY(create_commands(context, family, test));
    fill(test);
    return VKR_SUCCESS;
}

void vkr_destroy_self_test(VkrContext context, void *data)
{
    vkr_self_test *test = data;
    const VkAllocationCallbacks *allocator = vkr_allocator(context);
    if (!test)
        return;
    vkrDestroyRecorder(test->recorder);
    context->vk.vkDestroyFence(context->device, test->fence, allocator);
    context->vk.vkDestroyCommandPool(context->device, test->pool, allocator);
    context->vk.vkDestroyBufferView(context->device, test->texels, allocator);
    context->vk.vkDestroyBuffer(context->device, test->buffer, allocator);
    context->vk.vkFreeMemory(context->device, test->memory, allocator);
    vkr_free(context, test);
}
