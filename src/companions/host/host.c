/* SPDX-License-Identifier: MIT */
/* Hosts: their making, and what they consist of. */
#include <string.h>

#include "inside.h"

VkrResult host_enter(VkrHost h, const char *call)
{
    h->voice.call = call;
    if (h->failed == VKR_SUCCESS && h->device->lost)
        h->failed = VKR_ERROR_DEVICE_LOST;
    if (h->failed == VKR_SUCCESS)
        return VKR_SUCCESS;
    return host_fail(&h->voice, h->failed,
                     "the host has failed with %s before; it can only be "
                     "destroyed.",
                     vkrResultName(h->failed));
}

/* ---- Making ---- */

static VkrResult create_commands(VkrHost h)
{
    host_device *d = h->device;
    const VkDevice device = d->vulkan.device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = d->vulkan.queueFamily};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 2};
    VkCommandBuffer buffers[2];
    HOST_VK(&h->voice, d->CreateCommandPool(device, &pool, d->allocator, &h->pool));
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 2};
    HOST_VK(&h->voice, d->AllocateCommandBuffers(device, &commands, buffers));
    h->commands = buffers[0];
    h->copies = buffers[1];
    HOST_VK(&h->voice, d->CreateFence(device, &fence, d->allocator, &h->fence));
    if ((h->flags & VKR_HOST_TIMESTAMPS_BIT) != 0 && d->timestamp_bits != 0)
        HOST_VK(&h->voice, d->CreateQueryPool(device, &queries, d->allocator, &h->queries));
    return vkrCreateRecorder(d->vulkan.context, &(VkrRecorderInfo){.label = "vkreduce-host"},
                             &h->recorder);
}

static VkrResult check_shared(const host_voice *voice, const VkrHostInfo *info)
{
    const struct {
        bool wrong;
        const char *field;
    } rows[] = {
        {info->device != NULL, "device"},       {info->cacheFolder != NULL, "cacheFolder"},
        {info->features != NULL, "features"},   {info->context != NULL, "context"},
        {info->allocator != NULL, "allocator"}, {info->vulkan != NULL, "vulkan"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        HOST_MUST(voice, !rows[i].wrong, "%s is given, but must be NULL where shared is given.",
                  rows[i].field);
    return VKR_SUCCESS;
}

static VkrResult check_info(const host_voice *voice, const VkrHostInfo *info)
{
    const uint32_t flags = VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_NO_CACHE_BIT | VKR_HOST_UNMAPPED_BIT;
    HOST_MUST(voice, (info->flags & ~flags) == 0,
              "flags is 0x%x, but must have no bits but those of VkrHostFlagBits.",
              (unsigned)info->flags);
    return info->shared != NULL ? check_shared(voice, info) : VKR_SUCCESS;
}

/* Finds or makes the device. */
static VkrResult join_device(VkrHost h, const VkrHostInfo *info)
{
    if (info->shared == NULL) {
        host_device *d = host_allocate(info->allocator, sizeof *d);
        if (d == NULL)
            return host_fail(&h->voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
        const VkrResult result = host_open_device(d, info);
        if (result == VKR_SUCCESS)
            h->device = d;
        else
            host_release(info->allocator, d);
        return result;
    }
    HOST_TRY(host_enter(info->shared, "vkrCreateHost"));
    host_device *d = info->shared->device;
    host_lock_it(&d->lock);
    d->hosts++;
    host_unlock(&d->lock);
    h->device = d;
    return VKR_SUCCESS;
}

VkrResult vkrCreateHost(const VkrHostInfo *info, VkrHost *host)
{
    static const VkrHostInfo defaults = {0};
    const VkrHostInfo *asked = info != NULL ? info : &defaults;
    const host_voice voice = {"vkrCreateHost", asked->message, asked->messageData};
    HOST_MUST(&voice, host != NULL, "host is NULL, but must be given.");
    *host = NULL;
    HOST_TRY(check_info(&voice, asked));
    const VkAllocationCallbacks *allocator =
        asked->shared != NULL ? asked->shared->device->allocator : asked->allocator;
    VkrHost h = host_allocate(allocator, sizeof *h);
    if (h == NULL)
        return host_fail(&voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
    *h = (struct VkrHost_T){.voice = voice,
                            .flags = asked->flags,
                            .progress = asked->progress,
                            .progress_data = asked->progressData,
                            .timeout = asked->timeout};
    VkrResult result = join_device(h, asked);
    if (result != VKR_SUCCESS) {
        host_release(allocator, h);
        return result;
    }
    result = create_commands(h);
    if (result == VKR_SUCCESS)
        *host = h;
    else
        vkrDestroyHost(h);
    return result;
}

/* ---- The end ---- */

static void destroy_objects(VkrHost h)
{
    host_device *d = h->device;
    vkrDestroyRecorder(h->recorder);
    host_free(h, &h->staging);
    host_free_kept(h);
    d->DestroyQueryPool(d->vulkan.device, h->queries, d->allocator);
    d->DestroyFence(d->vulkan.device, h->fence, d->allocator);
    d->DestroyCommandPool(d->vulkan.device, h->pool, d->allocator);
}

void vkrDestroyHost(VkrHost h)
{
    if (h == NULL)
        return;
    host_device *d = h->device;
    h->voice.call = "vkrDestroyHost";
    /* A lost device does nothing any more. */
    const bool works = h->state == HOST_FLYING && h->failed != VKR_ERROR_DEVICE_LOST &&
                       host_wait(h) == VKR_ERROR_TIMEOUT;
    if (!works) {
        (void)host_detach(h, false);
        destroy_objects(h);
    }
    host_lock_it(&d->lock);
    d->abandoned = d->abandoned || works;
    const bool last = --d->hosts == 0;
    host_unlock(&d->lock);
    const VkAllocationCallbacks callbacks = d->callbacks; /* which lie in what is freed */
    const VkAllocationCallbacks *allocator = d->allocator != NULL ? &callbacks : NULL;
    host_release(allocator, h->attached);
    if (last) {
        const bool abandoned = d->abandoned;
        host_close_device(d);
        if (!abandoned) /* its context still has its address for messages */
            host_release(allocator, d);
    }
    host_release(allocator, h);
}

/* ---- What it consists of ---- */

VkrResult vkrCreateHostContext(VkrHost host, const VkrContextInfo *settings, VkrContext *context)
{
    HOST_TRY(host_enter(host, "vkrCreateHostContext"));
    HOST_MUST(&host->voice, context != NULL, "context is NULL, but must be given.");
    return host_create_context(host->device, settings, context);
}

VkrContext vkrHostContext(VkrHost host)
{
    return host->device->vulkan.context;
}

VkrRecorder vkrHostRecorder(VkrHost host)
{
    return host->recorder;
}

VkCommandBuffer vkrHostCommands(VkrHost host)
{
    return host->commands;
}

void vkrGetHostVulkan(VkrHost host, VkrHostVulkan *vulkan)
{
    *vulkan = host->device->vulkan;
    vulkan->timestampBits = host->device->timestamp_bits;
}

void vkrGetHostDevice(VkrHost host, VkrHostDevice *device)
{
    *device = host->device->described;
}
