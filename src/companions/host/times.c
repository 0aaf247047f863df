/* SPDX-License-Identifier: MIT */
/* How long operations took. */
#include "inside.h"

#define WAITED "a submission that was waited for, and none that is at work"

/* Whether the device has timestamps, and the host asks for those of a flag. */
static VkrResult check_timed(VkrHost h, uint32_t flag, const char *name)
{
    if ((h->flags & flag) == 0)
        return host_fail(&h->voice, VKR_ERROR_UNSUPPORTED, "flags lacks %s.", name);
    if (h->device->timestamp_bits == 0)
        return host_fail(&h->voice, VKR_ERROR_UNSUPPORTED, "the queue has no timestamps.");
    return VKR_SUCCESS;
}

static uint64_t nanoseconds_between(const host_device *d, uint64_t from, uint64_t to)
{
    const uint64_t elapsed = (to - from) & (UINT64_MAX >> (64 - d->timestamp_bits));
    return (uint64_t)((double)elapsed * (double)d->limits.timestampPeriod);
}

VkrResult vkrGetHostTime(VkrHost h, uint64_t *nanoseconds)
{
    const host_device *d = h->device;
    uint64_t ticks[2];
    HOST_TRY(host_enter(h, "vkrGetHostTime"));
    HOST_MUST(&h->voice, nanoseconds != NULL, "nanoseconds is NULL, but must be given.");
    HOST_TRY(check_timed(h, VKR_HOST_TIMESTAMPS_BIT, "VKR_HOST_TIMESTAMPS_BIT"));
    HOST_TRY(host_check_state(h, h->timed && h->state != HOST_FLYING, WAITED));
    const VkResult result =
        d->GetQueryPoolResults(d->vulkan.device, h->queries, 0, 2, sizeof ticks, ticks,
                               sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    HOST_TRY(host_keep(h, host_check(&h->voice, result, "GetQueryPoolResults")));
    *nanoseconds = nanoseconds_between(d, ticks[0], ticks[1]);
    return VKR_SUCCESS;
}

/* ---- Of each operation ---- */

void host_free_times(VkrHost h)
{
    host_device *d = h->device;
    d->DestroyQueryPool(d->vulkan.device, h->queries_between, d->allocator);
    host_release(d->allocator, h->names);
    host_release(d->allocator, h->ticks);
    h->queries_between = VK_NULL_HANDLE;
    h->names = NULL;
    h->ticks = NULL;
    h->name_room = 0;
}

/* Makes room for some operations. Nothing of this host is at work. */
static VkrResult reserve(VkrHost h, uint32_t count)
{
    host_device *d = h->device;
    const uint32_t room = 2 * count + 8;
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = room + 1};
    if (h->name_room >= count && h->queries_between != VK_NULL_HANDLE)
        return VKR_SUCCESS;
    host_free_times(h);
    h->names = host_allocate(d->allocator, room * sizeof *h->names);
    h->ticks = host_allocate(d->allocator, ((size_t)room + 1) * sizeof *h->ticks);
    if (h->names == NULL || h->ticks == NULL)
        return host_fail(&h->voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
    HOST_MAKE(&h->voice, h->queries_between,
              d->CreateQueryPool(d->vulkan.device, &queries, d->allocator, &h->queries_between));
    h->name_room = room;
    return VKR_SUCCESS;
}

VkrResult host_start_times(VkrHost h, VkrEndInfo *end)
{
    if ((h->flags & VKR_HOST_OPERATION_TIMES_BIT) == 0 || h->device->timestamp_bits == 0)
        return VKR_SUCCESS;
    HOST_TRY(host_keep(h, vkrGetOperations(h->recorder, &h->name_count, NULL)));
    HOST_TRY(reserve(h, h->name_count));
    end->timestamps = h->queries_between;
    end->queryCount = h->name_count + 1;
    return vkrGetOperations(h->recorder, &h->name_count, h->names);
}

VkrResult vkrGetHostTimes(VkrHost h, uint32_t *count, VkrHostTime *times)
{
    const host_device *d = h->device;
    HOST_TRY(host_enter(h, "vkrGetHostTimes"));
    HOST_MUST(&h->voice, count != NULL, "count is NULL, but must be given.");
    HOST_TRY(check_timed(h, VKR_HOST_OPERATION_TIMES_BIT, "VKR_HOST_OPERATION_TIMES_BIT"));
    HOST_TRY(host_check_state(h, h->has_times && h->state != HOST_FLYING,
                              WAITED ", and no later recording"));
    if (times == NULL || *count > h->name_count)
        *count = h->name_count;
    if (times == NULL || *count == 0)
        return VKR_SUCCESS;
    const uint32_t queries = *count + 1;
    const VkResult result = d->GetQueryPoolResults(
        d->vulkan.device, h->queries_between, 0, queries, queries * sizeof *h->ticks, h->ticks,
        sizeof *h->ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    HOST_TRY(host_keep(h, host_check(&h->voice, result, "GetQueryPoolResults")));
    for (uint32_t i = 0; i < *count; i++)
        times[i] = (VkrHostTime){h->names[i].function, h->names[i].label,
                                 nanoseconds_between(d, h->ticks[i], h->ticks[i + 1])};
    return VKR_SUCCESS;
}
