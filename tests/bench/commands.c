/* SPDX-License-Identifier: MIT */
#include "commands.h"
#include "status.h"

int commands_allocate(const gpu *g, VkCommandBuffer *commands)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = g->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    const VkResult result = vkAllocateCommandBuffers(g->device, &info, commands);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkAllocateCommandBuffers");
}

void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = written,
                                    .dstAccessMask = access};
    vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}
