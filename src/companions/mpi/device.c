/* SPDX-License-Identifier: MIT */
/* Memory, commands and views of the rank's device. */
#include "inside.h"

/* ---- Memory ---- */

static void release(VkrMpi m, mpi_memory *memory)
{
    m->DestroyBuffer(m->info.device, memory->buffer, m->info.allocator);
    m->FreeMemory(m->info.device, memory->memory, m->info.allocator);
    *memory = (mpi_memory){0};
}

/* The first of the allowed types that has all of the properties; 32 if none has. */
static uint32_t find_type(VkrMpi m, uint32_t allowed, VkMemoryPropertyFlags properties)
{
    for (uint32_t i = 0; i < m->types.memoryTypeCount; i++)
        if ((allowed >> i & 1) != 0 &&
            (m->types.memoryTypes[i].propertyFlags & properties) == properties)
            return i;
    return 32;
}

static VkrResult allocate(VkrMpi m, mpi_memory *memory, VkDeviceSize size, bool is_staging)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags best = is_staging ? host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                                                  : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkDevice device = m->info.device;
    VkMemoryRequirements needs;
    CHECK_VK(m, CreateBuffer(device, &info, m->info.allocator, &memory->buffer));
    m->GetBufferMemoryRequirements(device, memory->buffer, &needs);
    uint32_t type = find_type(m, needs.memoryTypeBits, best);
    if (type == 32)
        type = find_type(m, needs.memoryTypeBits, is_staging ? host : 0);
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = type};
    CHECK_VK(m, AllocateMemory(device, &allocation, m->info.allocator, &memory->memory));
    CHECK_VK(m, BindBufferMemory(device, memory->buffer, memory->memory, 0));
    if (is_staging)
        CHECK_VK(m, MapMemory(device, memory->memory, 0, VK_WHOLE_SIZE, 0, (void **)&memory->map));
    memory->size = size;
    return VKR_SUCCESS;
}

VkrResult mpi_grow(VkrMpi m, mpi_memory *memory, VkDeviceSize size)
{
    if (memory->size >= size)
        return VKR_SUCCESS;
    release(m, memory);
    const VkrResult result = allocate(m, memory, size, memory == &m->staging);
    if (result != VKR_SUCCESS)
        release(m, memory);
    return result;
}

/* ---- The device ---- */

static VkrResult load_functions(VkrMpi m)
{
    const VkrMpiInfo *i = &m->info;
    const PFN_vkGetDeviceProcAddr get =
        (PFN_vkGetDeviceProcAddr)i->getInstanceProcAddr(i->instance, "vkGetDeviceProcAddr");
    const PFN_vkGetPhysicalDeviceMemoryProperties types =
        (PFN_vkGetPhysicalDeviceMemoryProperties)i->getInstanceProcAddr(
            i->instance, "vkGetPhysicalDeviceMemoryProperties");
    MUST(m, get != NULL && types != NULL,
         "getInstanceProcAddr returns NULL for functions of Vulkan 1.0, but must return them.");
    types(i->physicalDevice, &m->types);
#define LOAD(name)                                                                                 \
    m->name = (PFN_vk##name)get(i->device, "vk" #name);                                            \
    MUST(m, m->name != NULL, "vkGetDeviceProcAddr returns NULL for vk%s, but must return it.",     \
         #name);
    MPI_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return VKR_SUCCESS;
}

VkrResult mpi_open(VkrMpi m)
{
    const VkrMpiInfo *i = &m->info;
    const mpi_refusal missing[] = {{i->context == NULL, "context"},
                                   {i->instance == NULL, "instance"},
                                   {i->physicalDevice == NULL, "physicalDevice"},
                                   {i->device == NULL, "device"},
                                   {i->queue == NULL, "queue"},
                                   {i->getInstanceProcAddr == NULL, "getInstanceProcAddr"}};
    for (size_t k = 0; k < sizeof(missing) / sizeof(missing[0]); k++)
        MUST(m, !missing[k].wrong, "%s is NULL, but must be given.", missing[k].field);
    TRY(load_functions(m));
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = i->queueFamily};
    CHECK_VK(m, CreateCommandPool(i->device, &pool, i->allocator, &m->pool));
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = m->pool,
        .commandBufferCount = 1};
    CHECK_VK(m, AllocateCommandBuffers(i->device, &commands, &m->commands));
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    CHECK_VK(m, CreateFence(i->device, &fence, i->allocator, &m->fence));
    return vkrCreateRecorder(i->context, &(VkrRecorderInfo){.label = "vkreduce-mpi"}, &m->recorder);
}

void mpi_close(VkrMpi m)
{
    vkrDestroyRecorder(m->recorder);
    if (m->CmdPipelineBarrier == NULL) /* the last function, so nothing was created */
        return;
    release(m, &m->staging);
    release(m, &m->scratch);
    m->DestroyFence(m->info.device, m->fence, m->info.allocator);
    m->DestroyCommandPool(m->info.device, m->pool, m->info.allocator);
}

/* ---- Commands ---- */

VkrResult mpi_begin(VkrMpi m)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    TRY(vkrReset(m->recorder));
    CHECK_VK(m, ResetCommandPool(m->info.device, m->pool, 0));
    CHECK_VK(m, BeginCommandBuffer(m->commands, &begin));
    const VkMemoryBarrier earlier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    m->CmdPipelineBarrier(m->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &earlier, 0, NULL, 0, NULL);
    return vkrBegin(m->recorder);
}

VkrResult mpi_submit(VkrMpi m)
{
    const VkrMpiInfo *i = &m->info;
    const VkMemoryBarrier copied = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    m->CmdPipelineBarrier(m->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                          0, 1, &copied, 0, NULL, 0, NULL);
    TRY(vkrEnd(m->recorder,
               &(VkrEndInfo){.commandBuffer = m->commands,
                             .consumerStages =
                                 VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             .consumerAccess = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT |
                                               VK_ACCESS_MEMORY_WRITE_BIT}));
    CHECK_VK(m, EndCommandBuffer(m->commands));
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &m->commands};
    CHECK_VK(m, QueueSubmit(i->queue, 1, &submit, m->fence));
    CHECK_VK(m, WaitForFences(i->device, 1, &m->fence, VK_TRUE, UINT64_MAX));
    CHECK_VK(m, ResetFences(i->device, 1, &m->fence));
    return VKR_SUCCESS;
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
