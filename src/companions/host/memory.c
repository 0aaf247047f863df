/* SPDX-License-Identifier: MIT */
/* Buffers with memory of their own, and memory of the caller as buffers. */
#include <stdint.h>
#include <string.h>

#include "inside.h"

#define TEXEL 16u /* bytes */
#define STAGING_SIZE ((VkDeviceSize)32 << 20)

#define DEVICE VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define HOST_SEES (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define HOST_READS (HOST_SEES | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)

/* Flags of memory types in order of preference, where 0 ends a list; and those with which the
 * memory is mapped. Results in memory that the host reads slowly are copied instead. */
static const struct {
    VkMemoryPropertyFlags wanted[3], maps;
} kinds[VKR_HOST_MEMORY_KIND_COUNT] = {
    [VKR_HOST_MEMORY_DEVICE] = {{DEVICE | HOST_SEES, DEVICE}, HOST_SEES},
    [VKR_HOST_MEMORY_RESULT] = {{DEVICE | HOST_READS, DEVICE}, HOST_READS},
    [VKR_HOST_MEMORY_UNMAPPED] = {{DEVICE}, 0},
    [VKR_HOST_MEMORY_UPLOAD] = {{HOST_SEES}, HOST_SEES},
    [VKR_HOST_MEMORY_READBACK] = {{HOST_READS, HOST_SEES}, HOST_SEES},
};

/* ---- Memory types ---- */

/* The first type that has a preference's flags and whose heap holds the size. */
static uint32_t find_type(const host_device *d, VkrHostMemoryKind kind, uint32_t allowed,
                          VkDeviceSize size)
{
    const VkPhysicalDeviceMemoryProperties *memory = &d->memory;
    for (const VkMemoryPropertyFlags *flags = kinds[kind].wanted; *flags != 0; flags++)
        for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
            if ((allowed & 1u << i) != 0 &&
                (memory->memoryTypes[i].propertyFlags & *flags) == *flags &&
                memory->memoryHeaps[memory->memoryTypes[i].heapIndex].size >= size)
                return i;
    return UINT32_MAX;
}

/* ---- Views of texels ---- */

/* A view for texel loads, which starts where the device can start one at or before the memory, and
 * has no texel that ends after it. */
static VkResult create_texels(const host_device *d, VkrHostMemory *m)
{
    const VkDeviceSize alignment = d->limits.minTexelBufferOffsetAlignment;
    const VkDeviceSize offset = m->offset - m->offset % (alignment != 0 ? alignment : 1);
    const VkDeviceSize size = (m->offset + m->size - offset) / TEXEL * TEXEL;
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = m->buffer,
                                         .format = VK_FORMAT_R32G32B32A32_UINT,
                                         .offset = offset,
                                         .range = size};
    if (size == 0 || size / TEXEL > d->limits.maxTexelBufferElements)
        return VK_SUCCESS;
    m->texels.offset = offset;
    m->texels.size = size;
    return host_made(d->CreateBufferView(d->vulkan.device, &info, d->allocator, &m->texels.view),
                     &m->texels, sizeof m->texels);
}

/* ---- Buffers ---- */

static VkBufferCreateInfo describe_buffer(VkDeviceSize size)
{
    return (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT};
}

static VkrResult allocate(VkrHost h, VkrHostMemory *m, VkrHostMemoryKind kind)
{
    const host_device *d = h->device;
    VkMemoryRequirements needs;
    d->GetBufferMemoryRequirements(d->vulkan.device, m->buffer, &needs);
    const uint32_t type = find_type(d, kind, needs.memoryTypeBits, needs.size);
    if (type == UINT32_MAX)
        return host_fail(&h->voice, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                         "'%s' has no memory type for a buffer of %llu bytes.", d->described.name,
                         (unsigned long long)needs.size);
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = type};
    const VkMemoryPropertyFlags flags = d->memory.memoryTypes[type].propertyFlags;
    const VkMemoryPropertyFlags maps = kinds[kind].maps;
    HOST_MAKE(&h->voice, m->memory,
              d->AllocateMemory(d->vulkan.device, &info, d->allocator, &m->memory));
    HOST_VK(&h->voice, d->BindBufferMemory(d->vulkan.device, m->buffer, m->memory, 0));
    if (maps != 0 && (flags & maps) == maps)
        HOST_MAKE(&h->voice, m->data,
                  d->MapMemory(d->vulkan.device, m->memory, 0, VK_WHOLE_SIZE, 0, &m->data));
    return VKR_SUCCESS;
}

static VkrResult make(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind, VkrHostMemory *m)
{
    const host_device *d = h->device;
    *m = (VkrHostMemory){.size = size, .bufferSize = size};
    const VkBufferCreateInfo info = describe_buffer(size);
    HOST_MAKE(&h->voice, m->buffer,
              d->CreateBuffer(d->vulkan.device, &info, d->allocator, &m->buffer));
    HOST_TRY(allocate(h, m, kind));
    if (kind == VKR_HOST_MEMORY_UPLOAD || kind == VKR_HOST_MEMORY_READBACK)
        return VKR_SUCCESS;
    return host_check(&h->voice, create_texels(d, m), "CreateBufferView");
}

/* Tries to make memory in silence, and takes what is kept for arrays from them if that fails. */
static VkrResult make_beside_kept(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind,
                                  VkrHostMemory *m)
{
    const PFN_vkrMessage message = h->voice.message;
    h->voice.message = NULL;
    const VkrResult result = make(h, size, kind, m);
    h->voice.message = message;
    if (result != VKR_SUCCESS) {
        host_free(h, m);
        host_free_kept(h);
    }
    return result;
}

VkrResult host_alloc(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind, VkrHostMemory *memory)
{
    const bool hidden = (h->device->flags & VKR_HOST_UNMAPPED_BIT) != 0 &&
                        (kind == VKR_HOST_MEMORY_DEVICE || kind == VKR_HOST_MEMORY_RESULT);
    const VkDeviceSize most = h->device->described.maxBufferSize;
    /* A whole texel at least, so that the last elements are in one. */
    const VkDeviceSize whole = size == 0 ? TEXEL : (size + TEXEL - 1) / TEXEL * TEXEL;
    *memory = (VkrHostMemory){0};
    if (size > most)
        return host_fail(&h->voice, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                         "%llu bytes are needed in one buffer and '%s' allows %llu; ask for less "
                         "at a time.",
                         (unsigned long long)size, h->device->described.name,
                         (unsigned long long)most);
    if (hidden)
        kind = VKR_HOST_MEMORY_UNMAPPED;
    VkrResult result = VKR_ERROR_OUT_OF_DEVICE_MEMORY;
    if (host_keeps(h))
        result = make_beside_kept(h, whole, kind, memory);
    if (result != VKR_SUCCESS)
        result = make(h, whole, kind, memory);
    if (result != VKR_SUCCESS)
        host_free(h, memory);
    else
        memory->size = size;
    return result;
}

void host_free(VkrHost h, VkrHostMemory *m)
{
    const host_device *d = h->device;
    d->DestroyBufferView(d->vulkan.device, m->texels.view, d->allocator);
    d->DestroyBuffer(d->vulkan.device, m->buffer, d->allocator);
    d->FreeMemory(d->vulkan.device, m->memory, d->allocator);
    *m = (VkrHostMemory){0};
}

/* ---- Memory of the caller ---- */

static bool import(const host_device *d, void *start, VkrHostMemory *m)
{
    const VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    VkBufferCreateInfo buffer = describe_buffer(m->bufferSize);
    VkMemoryHostPointerPropertiesEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkMemoryRequirements needs;
    buffer.pNext = &external;
    if (d->GetMemoryHostPointerPropertiesEXT(d->vulkan.device, type, start, &pointer) !=
            VK_SUCCESS ||
        host_made(d->CreateBuffer(d->vulkan.device, &buffer, d->allocator, &m->buffer), &m->buffer,
                  sizeof m->buffer) != VK_SUCCESS)
        return false;
    d->GetBufferMemoryRequirements(d->vulkan.device, m->buffer, &needs);
    const VkImportMemoryHostPointerInfoEXT from = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = start};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &from,
                                 .allocationSize = m->bufferSize};
    const uint32_t allowed = needs.memoryTypeBits & pointer.memoryTypeBits;
    info.memoryTypeIndex = find_type(d, VKR_HOST_MEMORY_UPLOAD, allowed, 0);
    return info.memoryTypeIndex != UINT32_MAX && needs.size <= m->bufferSize &&
           host_made(d->AllocateMemory(d->vulkan.device, &info, d->allocator, &m->memory),
                     &m->memory, sizeof m->memory) == VK_SUCCESS &&
           d->BindBufferMemory(d->vulkan.device, m->buffer, m->memory, 0) == VK_SUCCESS &&
           create_texels(d, m) == VK_SUCCESS;
}

VkrResult host_import(VkrHost h, void *data, VkDeviceSize size, VkrHostMemory *memory)
{
    const host_device *d = h->device;
    const VkDeviceSize unit = d->described.importAlignment;
    *memory = (VkrHostMemory){0};
    if (unit == 0 || size == 0 || size > d->described.maxBufferSize - 2 * unit)
        return VKR_ERROR_UNSUPPORTED;
    const VkDeviceSize before = (uintptr_t)data % unit;
    *memory = (VkrHostMemory){.offset = before,
                              .size = size,
                              .bufferSize = (before + size + unit - 1) / unit * unit,
                              .data = data};
    if (import(d, (unsigned char *)data - before, memory))
        return VKR_SUCCESS;
    host_free(h, memory);
    return VKR_ERROR_UNSUPPORTED;
}

/* ---- Copies ---- */

/* Makes the staging memory as large as the pieces of a copy. */
static VkrResult stage(VkrHost h, VkDeviceSize size)
{
    const VkDeviceSize piece = host_min(size, STAGING_SIZE);
    HOST_TRY(host_settle(h)); /* what an earlier copy may still use */
    if (h->staging.size >= piece)
        return VKR_SUCCESS;
    host_free(h, &h->staging);
    return host_alloc(h, piece, VKR_HOST_MEMORY_READBACK, &h->staging);
}

static VkrResult copy_now(VkrHost h, VkBuffer from, VkBuffer to, const VkBufferCopy *region)
{
    const host_device *d = h->device;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkMemoryBarrier copied = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    const VkMemoryBarrier earlier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    HOST_VK(&h->voice, d->BeginCommandBuffer(h->copies, &begin));
    d->CmdPipelineBarrier(h->copies, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &earlier, 0, NULL, 0, NULL);
    d->CmdCopyBuffer(h->copies, from, to, 1, region);
    d->CmdPipelineBarrier(h->copies, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                          1, &copied, 0, NULL, 0, NULL);
    HOST_VK(&h->voice, d->EndCommandBuffer(h->copies));
    HOST_TRY(host_submit(h, h->copies));
    return host_wait(h);
}

static VkrResult check_range(VkrHost h, const VkrHostMemory *m, VkDeviceSize offset,
                             VkDeviceSize size)
{
    HOST_MUST(
        &h->voice, offset <= m->size && size <= m->size - offset,
        "offset is %llu and size %llu, but their sum must be at most %llu, the memory's size.",
        (unsigned long long)offset, (unsigned long long)size, (unsigned long long)m->size);
    if (m->data == NULL && h->state == HOST_FLYING)
        return host_fail(&h->voice, VKR_ERROR_INVALID_STATE,
                         "a submission is at work; call vkrHostWait first.");
    return VKR_SUCCESS;
}

VkrResult host_write(VkrHost h, const VkrHostMemory *m, VkDeviceSize offset, VkDeviceSize size,
                     const void *data)
{
    HOST_TRY(check_range(h, m, offset, size));
    if (m->data != NULL && size != 0)
        memcpy((unsigned char *)m->data + offset, data, (size_t)size);
    if (m->data != NULL || size == 0)
        return VKR_SUCCESS;
    HOST_TRY(stage(h, size));
    for (VkDeviceSize done = 0, piece; done < size; done += piece) {
        piece = host_min(size - done, h->staging.size);
        const VkBufferCopy region = {0, m->offset + offset + done, piece};
        memcpy(h->staging.data, (const unsigned char *)data + done, (size_t)piece);
        HOST_TRY(copy_now(h, h->staging.buffer, m->buffer, &region));
    }
    return VKR_SUCCESS;
}

VkrResult host_read(VkrHost h, const VkrHostMemory *m, VkDeviceSize offset, VkDeviceSize size,
                    void *data)
{
    HOST_TRY(check_range(h, m, offset, size));
    if (m->data != NULL && size != 0)
        memcpy(data, (const unsigned char *)m->data + offset, (size_t)size);
    if (m->data != NULL || size == 0)
        return VKR_SUCCESS;
    HOST_TRY(stage(h, size));
    for (VkDeviceSize done = 0, piece; done < size; done += piece) {
        piece = host_min(size - done, h->staging.size);
        const VkBufferCopy region = {m->offset + offset + done, 0, piece};
        HOST_TRY(copy_now(h, m->buffer, h->staging.buffer, &region));
        memcpy((unsigned char *)data + done, h->staging.data, (size_t)piece);
    }
    return VKR_SUCCESS;
}
