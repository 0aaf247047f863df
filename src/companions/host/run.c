/* SPDX-License-Identifier: MIT */
/* Recordings: from their start to the end of the device's work. */
#include <string.h>

#include "inside.h"

#define SLICE UINT64_C(100000000) /* nanoseconds between two looks at the clock of a wait */

VkrResult host_keep(VkrHost h, VkrResult result)
{
    host_device *d = h->device;
    if (result == VKR_ERROR_DEVICE_LOST) {
        host_lock_it(&d->lock);
        d->lost = true;
        host_unlock(&d->lock);
    }
    if (result == VKR_ERROR_DEVICE_LOST || result == VKR_ERROR_TIMEOUT)
        h->failed = result;
    return result;
}

/* ---- Submissions ---- */

VkrResult host_submit(VkrHost h, VkCommandBuffer commands)
{
    host_device *d = h->device;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    HOST_TRY(host_settle(h));
    HOST_VK(&h->voice, d->ResetFences(d->vulkan.device, 1, &h->fence));
    host_lock_it(&d->lock);
    const VkResult result = d->QueueSubmit(d->vulkan.queue, 1, &info, h->fence);
    host_unlock(&d->lock);
    h->working = result == VK_SUCCESS;
    return host_keep(h, host_check(&h->voice, result, "QueueSubmit"));
}

VkrResult host_wait(VkrHost h)
{
    const host_device *d = h->device;
    const bool slices = h->progress != NULL || h->timeout != 0;
    VkResult result = VK_TIMEOUT;
    for (uint64_t waited = 0; result == VK_TIMEOUT;) {
        uint64_t slice = slices ? SLICE : UINT64_MAX;
        if (h->timeout != 0)
            slice = host_min(slice, h->timeout - waited);
        result = d->WaitForFences(d->vulkan.device, 1, &h->fence, VK_TRUE, slice);
        waited += slices ? slice : 0;
        if (result != VK_TIMEOUT)
            break;
        if (h->timeout != 0 && waited >= h->timeout)
            return host_keep(h, host_fail(&h->voice, VKR_ERROR_TIMEOUT,
                                          "the device has not ended after timeout, which is %llu "
                                          "nanoseconds.",
                                          (unsigned long long)h->timeout));
        if (h->progress != NULL && !h->progress(h->progress_data, waited))
            return host_keep(h,
                             host_fail(&h->voice, VKR_ERROR_TIMEOUT, "progress ended the wait."));
    }
    /* A lost device does nothing any more. */
    h->working = h->unsure = result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
    return host_keep(h, host_check(&h->voice, result, "WaitForFences"));
}

VkrResult host_settle(VkrHost h)
{
    return h->working ? host_wait(h) : VKR_SUCCESS;
}

void host_rest(VkrHost h)
{
    const PFN_vkrMessage message = h->voice.message;
    h->voice.message = NULL;
    if (h->failed == VKR_SUCCESS && host_settle(h) != VKR_SUCCESS && h->failed == VKR_SUCCESS)
        h->failed = VKR_ERROR_TIMEOUT;
    h->voice.message = message;
}

/* ---- Recordings ---- */

VkrResult host_check_state(VkrHost h, bool right, const char *what)
{
    if (right)
        return VKR_SUCCESS;
    return host_fail(&h->voice, VKR_ERROR_INVALID_STATE, "it needs %s.", what);
}

#define BETWEEN "a recording that vkrHostBegin has started"

static void order(VkrHost h, VkPipelineStageFlags from, VkAccessFlags written,
                  VkPipelineStageFlags to, VkAccessFlags accesses)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = written,
                                     .dstAccessMask = accesses};
    h->device->CmdPipelineBarrier(h->commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

VkrResult vkrHostBegin(VkrHost h)
{
    const host_device *d = h->device;
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HOST_TRY(host_enter(h, "vkrHostBegin"));
    HOST_TRY(host_check_state(h, h->state == HOST_IDLE || h->state == HOST_RECORDED,
                              "a host without a recording that was not submitted and waited for"));
    h->state = HOST_IDLE; /* so it stays if a call fails */
    h->detached = false;
    /* A recording that was dropped has recorded nothing, and its operations are discarded. */
    if (!h->collects)
        HOST_TRY(host_keep(h, vkrReset(h->recorder)));
    HOST_VK(&h->voice, d->ResetCommandBuffer(h->commands, 0));
    HOST_VK(&h->voice, d->BeginCommandBuffer(h->commands, &info));
    HOST_TRY(vkrBegin(h->recorder));
    h->collects = true;
    /* Other hosts of the device may have written what this recording reads. */
    order(h, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
    h->stamped[0] = h->stamped[1] = false;
    h->has_times = false;
    h->state = HOST_BEGUN;
    return VKR_SUCCESS;
}

static VkrResult copy(VkrHost h, const VkrHostMemory *from, const VkrHostMemory *to,
                      VkDeviceSize size)
{
    HOST_MUST(&h->voice, from != NULL, "from is NULL, but must be given.");
    HOST_MUST(&h->voice, to != NULL, "to is NULL, but must be given.");
    const VkBufferCopy region = {from->offset, to->offset, size};
    HOST_MUST(&h->voice, size <= from->size && size <= to->size,
              "size is %llu, but must be at most %llu, which from has, and %llu, which to has.",
              (unsigned long long)size, (unsigned long long)from->size,
              (unsigned long long)to->size);
    if (size != 0)
        h->device->CmdCopyBuffer(h->commands, from->buffer, to->buffer, 1, &region);
    return VKR_SUCCESS;
}

VkrResult vkrHostCopyIn(VkrHost h, const VkrHostMemory *from, const VkrHostMemory *to,
                        VkDeviceSize size)
{
    HOST_TRY(host_enter(h, "vkrHostCopyIn"));
    HOST_TRY(host_check_state(h, h->state == HOST_BEGUN, BETWEEN));
    return copy(h, from, to, size);
}

VkrResult vkrHostCopyOut(VkrHost h, const VkrHostMemory *from, const VkrHostMemory *to,
                         VkDeviceSize size)
{
    HOST_TRY(host_enter(h, "vkrHostCopyOut"));
    HOST_TRY(host_check_state(h, h->state == HOST_ENDED, "operations that vkrHostEnd has ended"));
    return copy(h, from, to, size);
}

/* Unless the caller has recorded it. */
static void stamp(VkrHost h, uint32_t query)
{
    const host_device *d = h->device;
    if (h->queries == VK_NULL_HANDLE || h->stamped[query])
        return;
    h->stamped[query] = true;
    if (query == 0)
        d->CmdResetQueryPool(h->commands, h->queries, 0, 2);
    d->CmdWriteTimestamp(h->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, h->queries, query);
}

VkrResult vkrHostStamp(VkrHost h, VkBool32 end)
{
    HOST_TRY(host_enter(h, "vkrHostStamp"));
    HOST_TRY(host_check_state(h, h->state == HOST_BEGUN, BETWEEN));
    stamp(h, 0);
    if (end)
        stamp(h, 1);
    return VKR_SUCCESS;
}

/* Records the operations, which failed if an earlier call has said so. */
static VkrResult end_operations(VkrHost h)
{
    VkrEndInfo end = {.commandBuffer = h->commands,
                      .consumerStages =
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    HOST_TRY(host_start_times(h, &end));
    order(h, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
    stamp(h, 0);
    h->collects = false;
    HOST_TRY(host_keep(h, vkrEnd(h->recorder, &end)));
    stamp(h, 1);
    h->state = HOST_ENDED;
    for (uint32_t i = 0; i < h->attached_count; i++) {
        const host_attached *a = &h->attached[i];
        if (a->back.buffer != VK_NULL_HANDLE)
            HOST_TRY(copy(h, &a->memory, &a->back, a->back.size));
    }
    return VKR_SUCCESS;
}

VkrResult vkrHostEnd(VkrHost h)
{
    HOST_TRY(host_enter(h, "vkrHostEnd"));
    HOST_TRY(host_check_state(h, h->state == HOST_BEGUN, BETWEEN));
    const VkrResult result = end_operations(h);
    if (result != VKR_SUCCESS)
        vkrHostCancel(h);
    return result;
}

static VkrResult end_commands(VkrHost h)
{
    if (h->state == HOST_BEGUN)
        HOST_TRY(end_operations(h));
    if (h->state != HOST_ENDED)
        return VKR_SUCCESS;
    order(h, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    HOST_VK(&h->voice, h->device->EndCommandBuffer(h->commands));
    h->state = HOST_RECORDED;
    return VKR_SUCCESS;
}

static VkrResult submit(VkrHost h)
{
    if (h->state == HOST_RECORDED && h->detached)
        return host_fail(&h->voice, VKR_ERROR_INVALID_STATE,
                         "the arrays that the recording had are detached; record it again.");
    VkrResult result = end_commands(h);
    if (result == VKR_SUCCESS)
        result = host_submit(h, h->commands);
    if (result == VKR_SUCCESS)
        h->state = HOST_FLYING;
    else
        vkrHostCancel(h);
    return result;
}

VkrResult vkrHostSubmit(VkrHost h)
{
    HOST_TRY(host_enter(h, "vkrHostSubmit"));
    HOST_TRY(host_check_state(h, h->state != HOST_IDLE && h->state != HOST_FLYING,
                              "a recording that is not at work already"));
    return submit(h);
}

static VkrResult wait(VkrHost h)
{
    HOST_TRY(host_wait(h));
    h->state = HOST_RECORDED;
    h->timed = true;
    h->has_times = h->queries_between != VK_NULL_HANDLE;
    return host_detach(h, true);
}

VkrResult vkrHostWait(VkrHost h)
{
    HOST_TRY(host_enter(h, "vkrHostWait"));
    HOST_TRY(host_check_state(h, h->state == HOST_FLYING,
                              "a recording that vkrHostSubmit has submitted"));
    return wait(h);
}

VkrResult vkrHostRun(VkrHost h)
{
    HOST_TRY(host_enter(h, "vkrHostRun"));
    HOST_TRY(host_check_state(h, h->state != HOST_IDLE && h->state != HOST_FLYING, BETWEEN));
    HOST_TRY(submit(h));
    const VkrResult result = wait(h);
    if (h->state == HOST_RECORDED)
        h->state = HOST_IDLE;
    HOST_TRY(result);
    return vkrReset(h->recorder);
}

void vkrHostCancel(VkrHost h)
{
    if (h->state == HOST_FLYING || h->failed != VKR_SUCCESS || host_settle(h) != VKR_SUCCESS)
        return;
    (void)host_detach(h, false);
    /* Beginning again drops what the command buffer and the recorder have. */
    h->state = HOST_IDLE;
}
