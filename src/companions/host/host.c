/* SPDX-License-Identifier: MIT */
/* Hosts: their making, and what they consist of. */
#include <string.h>

#include "inside.h"

/* Checks that a host can be used; another one of its device may have found that lost. */
static VkrResult check_host(VkrHost h, const host_voice *voice, const char *name)
{
    host_device *d = h->device;
    host_lock_it(&d->lock);
    if (h->failed == VKR_SUCCESS && d->lost)
        h->failed = VKR_ERROR_DEVICE_LOST;
    host_unlock(&d->lock);
    if (h->failed == VKR_SUCCESS)
        return VKR_SUCCESS;
    return host_fail(voice, h->failed, "%s has failed with %s before; it can only be destroyed.",
                     name, vkrResultName(h->failed));
}

VkrResult host_enter(VkrHost h, const char *call)
{
    h->voice.call = call;
    return check_host(h, &h->voice, "the host");
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
    HOST_MAKE(&h->voice, h->pool, d->CreateCommandPool(device, &pool, d->allocator, &h->pool));
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 2};
    HOST_VK(&h->voice, d->AllocateCommandBuffers(device, &commands, buffers));
    h->commands = buffers[0];
    h->copies = buffers[1];
    HOST_MAKE(&h->voice, h->fence, d->CreateFence(device, &fence, d->allocator, &h->fence));
    if ((h->flags & VKR_HOST_TIMESTAMPS_BIT) != 0 && d->timestamp_bits != 0)
        HOST_MAKE(&h->voice, h->queries,
                  d->CreateQueryPool(device, &queries, d->allocator, &h->queries));
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
    HOST_MUST(voice, info->turn == 0, "turn is %u, but must be 0 where shared is given.",
              (unsigned)info->turn);
    return VKR_SUCCESS;
}

static VkrResult check_info(const host_voice *voice, const VkrHostInfo *info)
{
    const uint32_t flags = VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_NO_CACHE_BIT | VKR_HOST_UNMAPPED_BIT |
                           VKR_HOST_OPERATION_TIMES_BIT;
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
    HOST_TRY(check_host(info->shared, &h->voice, "shared"));
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
    host_free_times(h);
    d->DestroyQueryPool(d->vulkan.device, h->queries, d->allocator);
    d->DestroyFence(d->vulkan.device, h->fence, d->allocator);
    d->DestroyCommandPool(d->vulkan.device, h->pool, d->allocator);
}

/* Whether the device is still at work for a host, which waits, unless it has waited long enough. */
static bool still_works(VkrHost h)
{
    const host_device *d = h->device;
    if (h->working && h->failed == VKR_ERROR_TIMEOUT) {
        const VkResult result = d->WaitForFences(d->vulkan.device, 1, &h->fence, VK_TRUE, 0);
        return result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
    }
    (void)host_settle(h);
    return h->working;
}

void vkrDestroyHost(VkrHost h)
{
    if (h == NULL)
        return;
    host_device *d = h->device;
    h->voice.call = "vkrDestroyHost";
    const bool works = still_works(h);
    if (!works) {
        (void)host_detach(h, false);
        destroy_objects(h);
    }
    /* They lie in what is freed, which another thread does if it has the last host. */
    const VkAllocationCallbacks callbacks = d->callbacks;
    const VkAllocationCallbacks *allocator = d->allocator != NULL ? &callbacks : NULL;
    host_lock_it(&d->lock);
    d->abandoned = d->abandoned || works;
    const bool last = --d->hosts == 0;
    host_unlock(&d->lock);
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
