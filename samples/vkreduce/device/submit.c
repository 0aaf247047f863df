/* SPDX-License-Identifier: MIT */
#include "device/submit.h"
#include "status.h"

int gpu_begin(const gpu *g)
{
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return gpu_check(vkBeginCommandBuffer(g->commands, &info), "vkBeginCommandBuffer");
}

int gpu_end(const gpu *g)
{
    return gpu_check(vkEndCommandBuffer(g->commands), "vkEndCommandBuffer");
}

int gpu_launch(const gpu *g)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &g->commands};
    int status = gpu_check(vkResetFences(g->device, 1, &g->fence), "vkResetFences");
    if (status != STATUS_DONE)
        return status;
    return gpu_check(vkQueueSubmit(g->queue, 1, &info, g->fence), "vkQueueSubmit");
}

int gpu_wait(const gpu *g)
{
    return gpu_check(vkWaitForFences(g->device, 1, &g->fence, VK_TRUE, UINT64_MAX),
                     "vkWaitForFences");
}

int gpu_submit(const gpu *g)
{
    int status = gpu_launch(g);
    return status == STATUS_DONE ? gpu_wait(g) : status;
}

int gpu_finish(const gpu *g)
{
    int status = gpu_end(g);
    return status == STATUS_DONE ? gpu_submit(g) : status;
}

void gpu_start_clock(const gpu *g)
{
    if (g->queries == VK_NULL_HANDLE)
        return;
    vkCmdResetQueryPool(g->commands, g->queries, 0, 2);
    vkCmdWriteTimestamp(g->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->queries, 0);
}

void gpu_stop_clock(const gpu *g)
{
    if (g->queries != VK_NULL_HANDLE)
        vkCmdWriteTimestamp(g->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->queries, 1);
}

int gpu_read_clock(const gpu *g, double *milliseconds)
{
    uint64_t ticks[2];
    int status = gpu_check(vkGetQueryPoolResults(g->device, g->queries, 0, 2, sizeof ticks, ticks,
                                                 sizeof ticks[0],
                                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                           "vkGetQueryPoolResults");
    if (status != STATUS_DONE)
        return status;
    uint64_t elapsed = (ticks[1] - ticks[0]) & (UINT64_MAX >> (64 - g->timestamp_bits));
    *milliseconds = (double)elapsed * (double)g->chosen->properties.limits.timestampPeriod * 1e-6;
    return STATUS_DONE;
}
