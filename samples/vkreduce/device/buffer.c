/* SPDX-License-Identifier: MIT */
#include "device/buffer.h"
#include "device/submit.h"
#include "status.h"

#define TEXEL 16u /* bytes */
#define STAGING_SIZE ((VkDeviceSize)32 << 20)

#define HOST_WRITE (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define HOST_READ (HOST_WRITE | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)

/* Flags of memory types in order of preference; 0 ends a list. */
static const VkMemoryPropertyFlags preferences[MEMORY_KINDS][3] = {
    [MEMORY_DEVICE] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_WRITE,
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_UNMAPPED] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_UPLOAD] = {HOST_WRITE},
    [MEMORY_RESULT] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_READ,
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_READBACK] = {HOST_READ, HOST_WRITE},
};

/* The first type that has a preference's flags and whose heap holds the size. */
static uint32_t find_memory_type(const gpu_device *device, gpu_memory kind, uint32_t allowed,
                                 VkDeviceSize size)
{
    const VkPhysicalDeviceMemoryProperties *memory = &device->memory;
    for (const VkMemoryPropertyFlags *flags = preferences[kind]; *flags != 0; flags++)
        for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
            if ((allowed & (1u << i)) != 0 &&
                (memory->memoryTypes[i].propertyFlags & *flags) == *flags &&
                memory->memoryHeaps[memory->memoryTypes[i].heapIndex].size >= size)
                return i;
    return UINT32_MAX;
}

static int allocate(const gpu *g, gpu_buffer *b, gpu_memory kind)
{
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(g->device, b->buffer, &needs);
    uint32_t type = find_memory_type(g->chosen, kind, needs.memoryTypeBits, needs.size);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    if (type == UINT32_MAX)
        return fail(STATUS_VULKAN, "'%s' has no memory type for a buffer of %llu bytes",
                    g->chosen->properties.deviceName, (unsigned long long)needs.size);
    VkResult result = vkAllocateMemory(g->device, &info, NULL, &b->memory);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateMemory");
    if ((result = vkBindBufferMemory(g->device, b->buffer, b->memory, 0)) != VK_SUCCESS)
        return gpu_fail(result, "vkBindBufferMemory");
    VkMemoryPropertyFlags flags = g->chosen->memory.memoryTypes[type].propertyFlags;
    /* Results in memory that the host reads slowly stay unmapped, so that they are copied
     * instead. */
    VkMemoryPropertyFlags needed = kind == MEMORY_RESULT ? HOST_READ : HOST_WRITE;
    if (kind != MEMORY_UNMAPPED && (flags & needed) == needed &&
        (result = vkMapMemory(g->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->map)) != VK_SUCCESS)
        return gpu_fail(result, "vkMapMemory");
    return STATUS_DONE;
}

/* Creates a buffer view for texel loads, unless the buffer is too large for one. */
static int create_texels(const gpu *g, gpu_buffer *b)
{
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = b->buffer,
                                   .format = VK_FORMAT_R32G32B32A32_UINT,
                                   .range = b->size};
    if (b->size / TEXEL > g->chosen->properties.limits.maxTexelBufferElements)
        return STATUS_DONE;
    VkResult result = vkCreateBufferView(g->device, &info, NULL, &b->texels.view);
    b->texels.size = b->size;
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateBufferView");
}

int gpu_buffer_create(const gpu *g, gpu_buffer *b, VkDeviceSize size, gpu_memory kind)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size == 0 ? TEXEL : (size + TEXEL - 1) / TEXEL * TEXEL,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    *b = (gpu_buffer){.size = info.size};
    if (info.size > g->chosen->max_allocation)
        return fail(
            STATUS_VULKAN,
            "%llu bytes are needed in one buffer and '%s' allows %llu; ask for less at a time",
            (unsigned long long)size, g->chosen->properties.deviceName,
            (unsigned long long)g->chosen->max_allocation);
    VkResult result = vkCreateBuffer(g->device, &info, NULL, &b->buffer);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateBuffer");
    int status = allocate(g, b, kind);
    return status == STATUS_DONE ? create_texels(g, b) : status;
}

void gpu_buffer_destroy(const gpu *g, gpu_buffer *b)
{
    if (g->device != VK_NULL_HANDLE) {
        vkDestroyBufferView(g->device, b->texels.view, NULL);
        vkDestroyBuffer(g->device, b->buffer, NULL);
        vkFreeMemory(g->device, b->memory, NULL);
    }
    *b = (gpu_buffer){0};
}

static void copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
                 VkDeviceSize size, VkPipelineStageFlags stage, VkAccessFlags access)
{
    VkBufferCopy region = {.dstOffset = offset, .size = size};
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = access};
    vkCmdCopyBuffer(g->commands, from->buffer, to->buffer, 1, &region);
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

void gpu_copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
              VkDeviceSize size)
{
    copy(g, from, to, offset, size, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
         VK_ACCESS_SHADER_READ_BIT);
}

void gpu_copy_back(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize size)
{
    copy(g, from, to, 0, size, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static int copy_now(const gpu *g, const gpu_buffer *staging, const gpu_buffer *b,
                    VkDeviceSize offset, VkDeviceSize size)
{
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    gpu_copy(g, staging, b, offset, size);
    return gpu_finish(g);
}

int gpu_upload(const gpu *g, const gpu_buffer *b, const input *in)
{
    gpu_buffer staging = {0};
    if (b->map != NULL)
        return input_read(in, 0, (size_t)in->size, b->map);
    int status = gpu_buffer_create(g, &staging, least(in->size, STAGING_SIZE), MEMORY_UPLOAD);
    for (uint64_t done = 0; status == STATUS_DONE && done < in->size;) {
        uint64_t size = least(in->size - done, staging.size);
        status = input_read(in, done, (size_t)size, staging.map);
        if (status == STATUS_DONE)
            status = copy_now(g, &staging, b, done, size);
        done += size;
    }
    gpu_buffer_destroy(g, &staging);
    return status;
}
