/* SPDX-License-Identifier: MIT */
/* The Vulkan commands of a device that the library calls. The library neither links to a Vulkan
 * loader nor defines a symbol with the name of a Vulkan command, so it works however the
 * application loads Vulkan. */
#ifndef VKR_COMMANDS_H
#define VKR_COMMANDS_H

#include "base.h"

/* clang-format off */
#define VKR_COMMANDS(X) \
    X(vkAllocateCommandBuffers) \
    X(vkAllocateDescriptorSets) \
    X(vkAllocateMemory) \
    X(vkBeginCommandBuffer) \
    X(vkBindBufferMemory) \
    X(vkCmdBindDescriptorSets) \
    X(vkCmdBindPipeline) \
    X(vkCmdDispatch) \
    X(vkCmdDispatchIndirect) \
    X(vkCmdFillBuffer) \
    X(vkCmdPipelineBarrier) \
    X(vkCmdPushConstants) \
    X(vkCmdPushDescriptorSetKHR) \
    X(vkCmdResetQueryPool) \
    X(vkCmdWriteTimestamp) \
    X(vkCreateBuffer) \
    X(vkCreateBufferView) \
    X(vkCreateCommandPool) \
    X(vkCreateComputePipelines) \
    X(vkCreateDescriptorPool) \
    X(vkCreateDescriptorSetLayout) \
    X(vkCreateFence) \
    X(vkCreatePipelineLayout) \
    X(vkCreateShaderModule) \
    X(vkDestroyBuffer) \
    X(vkDestroyBufferView) \
    X(vkDestroyCommandPool) \
    X(vkDestroyDescriptorPool) \
    X(vkDestroyDescriptorSetLayout) \
    X(vkDestroyFence) \
    X(vkDestroyPipeline) \
    X(vkDestroyPipelineLayout) \
    X(vkDestroyShaderModule) \
    X(vkEndCommandBuffer) \
    X(vkFreeMemory) \
    X(vkGetBufferMemoryRequirements) \
    X(vkMapMemory) \
    X(vkQueueSubmit) \
    X(vkResetCommandPool) \
    X(vkResetFences) \
    X(vkUpdateDescriptorSets) \
    X(vkWaitForFences)
/* clang-format on */

#define VKR_COMMAND_MEMBER(name) PFN_##name name;
typedef struct vkr_commands {
    VKR_COMMANDS(VKR_COMMAND_MEMBER)
} vkr_commands;

PFN_vkVoidFunction vkr_load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                     const char *name);

/* A command that the device lacks becomes NULL. */
void vkr_load_commands(vkr_commands *commands, VkDevice device, PFN_vkGetDeviceProcAddr get);

#endif
