/* SPDX-License-Identifier: MIT */
/* Host memory, and types of device memory. */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "flags.h"
#include "message.h"

/* ---- Host memory ---- */

const VkAllocationCallbacks *vkr_allocator(const struct VkrContext_T *context)
{
    return context && context->has_allocator ? &context->allocator : NULL;
}

void *vkr_alloc(const struct VkrContext_T *context, size_t size)
{
    return vkr_grow(context, NULL, 0, size);
}

void *vkr_grow(const struct VkrContext_T *context, void *old, size_t old_size, size_t new_size)
{
    const VkAllocationCallbacks *callbacks = vkr_allocator(context);
    const size_t alignment = _Alignof(max_align_t);
    const VkSystemAllocationScope scope = VK_SYSTEM_ALLOCATION_SCOPE_OBJECT;
    char *pointer;
    if (!callbacks)
        pointer = realloc(old, new_size);
    else if (old)
        pointer = callbacks->pfnReallocation(callbacks->pUserData, old, new_size, alignment, scope);
    else
        pointer = callbacks->pfnAllocation(callbacks->pUserData, new_size, alignment, scope);
    if (pointer && new_size > old_size)
        memset(pointer + old_size, 0, new_size - old_size);
    return pointer;
}

void vkr_free(const struct VkrContext_T *context, void *pointer)
{
    const VkAllocationCallbacks *callbacks = vkr_allocator(context);
    if (!pointer)
        return;
    if (callbacks)
        callbacks->pfnFree(callbacks->pUserData, pointer);
    else
        free(pointer);
}

/* ---- Device memory ---- */

/* The numbers of memory types, like "type 0 | 2". */
static vkr_names type_numbers(uint32_t types)
{
    vkr_names names = {""};
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++) {
        char number[16];
        (void)snprintf(number, sizeof(number), "%s%u", names.text[0] == 0 ? "type " : "", i);
        vkr_name_bit(&names, &types, 1u << i, number);
    }
    return names.text[0] != 0 ? names : (vkr_names){"no type"};
}

VkrResult vkr_choose_memory_type(const struct VkrContext_T *context, uint32_t allowed,
                                 VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted,
                                 uint32_t *type)
{
    const VkPhysicalDeviceMemoryProperties *memory = &context->memory;
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
        if (!(allowed >> i & 1) || (flags & needed) != needed)
            continue;
        *type = i;
        if ((flags & wanted) == wanted)
            return VKR_SUCCESS;
        first = first == UINT32_MAX ? i : first;
    }
    *type = first;
    if (first != UINT32_MAX)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                    "memoryTypeBits of a storage buffer names %s, but must name one of the "
                    "device's %u memory types whose propertyFlags have %s.",
                    type_numbers(allowed).text, memory->memoryTypeCount,
                    vkr_flag_names(VKR_FLAGS_OF_MEMORY, needed).text);
}
