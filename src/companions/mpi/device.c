/* SPDX-License-Identifier: MIT */
/* Memory and views of the rank's device. */
#include "inside.h"

VkrResult mpi_grow(VkrMpi m, VkrHostMemory *memory, VkDeviceSize size)
{
    const bool is_staging = memory == &m->staging;
    if (memory->size >= size)
        return VKR_SUCCESS;
    vkrHostFree(m->host, memory);
    return vkrHostAlloc(m->host, size,
                        is_staging ? VKR_HOST_MEMORY_READBACK : VKR_HOST_MEMORY_UNMAPPED, memory);
}

static VkrResult join_host(VkrMpi m)
{
    m->info.context = vkrHostContext(m->info.host);
    return vkrCreateHost(&(VkrHostInfo){.shared = m->info.host,
                                        .message = m->info.message,
                                        .messageData = m->info.messageData},
                         &m->host);
}

VkrResult mpi_open(VkrMpi m)
{
    const VkrMpiInfo *i = &m->info;
    if (i->host != NULL)
        return join_host(m);
    const VkrHostVulkan given = {.getInstanceProcAddr = i->getInstanceProcAddr,
                                 .instance = i->instance,
                                 .physicalDevice = i->physicalDevice,
                                 .device = i->device,
                                 .queueFamily = i->queueFamily,
                                 .queue = i->queue,
                                 .context = i->context};
    const mpi_refusal missing[] = {{i->context == NULL, "context"},
                                   {i->instance == NULL, "instance"},
                                   {i->physicalDevice == NULL, "physicalDevice"},
                                   {i->device == NULL, "device"},
                                   {i->queue == NULL, "queue"},
                                   {i->getInstanceProcAddr == NULL, "getInstanceProcAddr"}};
    for (size_t k = 0; k < sizeof(missing) / sizeof(missing[0]); k++)
        MUST(m, !missing[k].wrong, "%s is NULL, but must be given.", missing[k].field);
    return vkrCreateHost(&(VkrHostInfo){.message = i->message,
                                        .messageData = i->messageData,
                                        .allocator = i->allocator,
                                        .vulkan = &given},
                         &m->host);
}

void mpi_close(VkrMpi m)
{
    if (m->host != NULL) {
        vkrHostFree(m->host, &m->staging);
        vkrHostFree(m->host, &m->scratch);
    }
    vkrDestroyHost(m->host);
}

/* ---- Views ---- */

VkrResult mpi_count(VkrMpi m, const char *name, const VkrView *view, uint64_t count,
                    uint64_t *elements)
{
    const bool to_end = view->size == 0 || view->size == VK_WHOLE_SIZE;
    const VkDeviceSize end = to_end ? view->bufferSize : view->offset + view->size;
    const VkDeviceSize element = mpi_element(view);
    MUST(m, element != 0, "%s.type is %d, but must be a type.", name, (int)view->type);
    const uint64_t capacity =
        end < view->offset + element ? 0 : (end - view->offset - element) / mpi_stride(view) + 1;
    *elements = count == VKR_COUNT_ALL ? capacity : count;
    MUST(m, *elements <= capacity, "count is %llu, but must be at most %llu, which %s holds.",
         (unsigned long long)*elements, (unsigned long long)capacity, name);
    MUST(m, view->buffer != VK_NULL_HANDLE || *elements == 0,
         "%s.buffer is VK_NULL_HANDLE, but must be given.", name);
    MUST(m, count != VKR_COUNT_ALL || !to_end || view->bufferSize != 0,
         "count is VKR_COUNT_ALL, but %s must then have a size or a bufferSize.", name);
    return VKR_SUCCESS;
}
