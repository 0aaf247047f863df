/* SPDX-License-Identifier: MIT */
/* Arrays of the caller, for as long as a recording uses them; and the public calls on memory. */
#include <string.h>

#include "inside.h"

/* ---- Public calls ---- */

static VkrResult check_memory(VkrHost h, const VkrHostMemory *memory)
{
    HOST_MUST(&h->voice, memory != NULL, "memory is NULL, but must be given.");
    return VKR_SUCCESS;
}

static VkrResult check_data(VkrHost h, const void *data, VkDeviceSize size)
{
    HOST_MUST(&h->voice, data != NULL || size == 0,
              "data is NULL, but must be given, since size is %llu.", (unsigned long long)size);
    return VKR_SUCCESS;
}

VkrResult vkrHostAlloc(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind, VkrHostMemory *memory)
{
    HOST_TRY(host_enter(h, "vkrHostAlloc"));
    HOST_TRY(check_memory(h, memory));
    HOST_MUST(&h->voice, (uint32_t)kind < VKR_HOST_MEMORY_KIND_COUNT,
              "kind is %d, but must be a VkrHostMemoryKind.", (int)kind);
    return host_alloc(h, size, kind, memory);
}

VkrResult vkrHostImport(VkrHost h, void *data, VkDeviceSize size, VkrHostMemory *memory)
{
    HOST_TRY(host_enter(h, "vkrHostImport"));
    HOST_TRY(check_memory(h, memory));
    HOST_MUST(&h->voice, data != NULL, "data is NULL, but must be given.");
    return host_import(h, data, size, memory);
}

void vkrHostFree(VkrHost h, VkrHostMemory *memory)
{
    if (memory == NULL || memory->buffer == VK_NULL_HANDLE)
        return;
    if (h->unsure)
        host_rest(h);
    if (h->failed == VKR_ERROR_TIMEOUT) /* the device may still use it */
        *memory = (VkrHostMemory){0};
    else
        host_free(h, memory);
}

VkrResult vkrHostWrite(VkrHost h, const VkrHostMemory *memory, VkDeviceSize offset,
                       VkDeviceSize size, const void *data)
{
    HOST_TRY(host_enter(h, "vkrHostWrite"));
    HOST_TRY(check_memory(h, memory));
    HOST_TRY(check_data(h, data, size));
    return host_write(h, memory, offset, size, data);
}

VkrResult vkrHostRead(VkrHost h, const VkrHostMemory *memory, VkDeviceSize offset,
                      VkDeviceSize size, void *data)
{
    HOST_TRY(host_enter(h, "vkrHostRead"));
    HOST_TRY(check_memory(h, memory));
    HOST_TRY(check_data(h, data, size));
    return host_read(h, memory, offset, size, data);
}

VkrView vkrHostView(const VkrHostMemory *memory, VkrType type)
{
    return (VkrView){.buffer = memory->buffer,
                     .offset = memory->offset,
                     .size = memory->size,
                     .type = type,
                     .components = 1,
                     .texels = memory->texels,
                     .bufferSize = memory->bufferSize};
}

/* ---- Memory that is used again ---- */

#define MOST_KEPT ((VkDeviceSize)64 << 20) /* bytes; more takes longer to fill than to allocate */

/* Sizes differ in their first four bits only, so that memory often has the size of the next. */
static VkDeviceSize rounded(VkDeviceSize size)
{
    VkDeviceSize step = 256;
    while (step < size / 16)
        step *= 2;
    return size == 0 ? step : (size + step - 1) / step * step;
}

static VkrResult take(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind, VkrHostMemory *memory)
{
    const VkDeviceSize most = h->device->described.maxBufferSize;
    const VkDeviceSize wanted = size <= most && rounded(size) <= most ? rounded(size) : size;
    for (uint32_t i = 0; i < HOST_KEPT; i++) {
        host_kept *k = &h->kept[i];
        if (k->memory.bufferSize != wanted || k->kind != kind)
            continue;
        *memory = k->memory;
        memory->size = size;
        *k = (host_kept){0};
        return VKR_SUCCESS;
    }
    const VkrResult result = host_alloc(h, wanted, kind, memory);
    memory->size = result == VKR_SUCCESS ? size : 0;
    return result;
}

/* Keeps memory in place of that which has been kept longest. */
static void give_back(VkrHost h, VkrHostMemory *memory, VkrHostMemoryKind kind)
{
    if (memory->buffer == VK_NULL_HANDLE)
        return;
    if (memory->bufferSize > MOST_KEPT) {
        host_free(h, memory);
        return;
    }
    host_free(h, &h->kept[HOST_KEPT - 1].memory);
    memmove(h->kept + 1, h->kept, (HOST_KEPT - 1) * sizeof *h->kept);
    h->kept[0] = (host_kept){*memory, kind};
    *memory = (VkrHostMemory){0};
}

bool host_keeps(VkrHost h)
{
    bool keeps = false;
    for (uint32_t i = 0; i < HOST_KEPT; i++)
        keeps = keeps || h->kept[i].memory.buffer != VK_NULL_HANDLE;
    return keeps;
}

void host_free_kept(VkrHost h)
{
    for (uint32_t i = 0; i < HOST_KEPT; i++)
        host_free(h, &h->kept[i].memory);
}

/* ---- Attached arrays ---- */

#define LEAST_IMPORT ((VkDeviceSize)64 << 10) /* bytes; a copy of fewer takes less than an import */
#define MOST_BACK ((VkDeviceSize)32 << 20)    /* bytes; more is read in pieces */

static VkrHostMemoryKind kind_of(const VkrHostArray *array)
{
    return (array->access & VKR_HOST_WRITE) != 0 ? VKR_HOST_MEMORY_RESULT : VKR_HOST_MEMORY_DEVICE;
}

static VkrResult grow(VkrHost h)
{
    const VkAllocationCallbacks *allocator = h->device->allocator;
    if (h->attached_count < h->attached_room)
        return VKR_SUCCESS;
    const uint32_t room = 2 * h->attached_room + 8;
    host_attached *all = host_allocate(allocator, room * sizeof *all);
    if (all == NULL)
        return host_fail(&h->voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
    if (h->attached_count != 0)
        memcpy(all, h->attached, h->attached_count * sizeof *all);
    host_release(allocator, h->attached);
    h->attached = all;
    h->attached_room = room;
    return VKR_SUCCESS;
}

/* Makes memory for an array, with its contents where operations read it. */
static VkrResult attach_copy(VkrHost h, host_attached *a)
{
    const VkrHostArray *array = &a->array;
    HOST_TRY(take(h, array->size, kind_of(array), &a->memory));
    if ((array->access & VKR_HOST_WRITE) != 0 && a->memory.data == NULL && array->size <= MOST_BACK)
        HOST_TRY(take(h, array->size, VKR_HOST_MEMORY_READBACK, &a->back));
    return (array->access & VKR_HOST_READ) != 0
               ? host_write(h, &a->memory, 0, array->size, array->data)
               : VKR_SUCCESS;
}

static void let_go(VkrHost h, host_attached *a)
{
    if (a->imported) {
        host_free(h, &a->memory);
        return;
    }
    give_back(h, &a->memory, kind_of(&a->array));
    give_back(h, &a->back, VKR_HOST_MEMORY_READBACK);
}

static VkrResult attach(VkrHost h, const VkrHostArray *array, uint32_t alignment, host_attached *a)
{
    *a = (host_attached){.array = *array};
    if (array->size >= LEAST_IMPORT && (uintptr_t)array->data % alignment == 0)
        a->imported = host_import(h, array->data, array->size, &a->memory) == VKR_SUCCESS;
    if (a->imported)
        return VKR_SUCCESS;
    const VkrResult result = attach_copy(h, a);
    /* What a copy may still use is let go with the others. */
    if (result != VKR_SUCCESS && h->working)
        h->attached_count++;
    else if (result != VKR_SUCCESS)
        let_go(h, a);
    return result;
}

VkrResult vkrHostAttach(VkrHost h, const VkrHostArray *array, VkrHostMemory *memory)
{
    HOST_TRY(host_enter(h, "vkrHostAttach"));
    HOST_TRY(check_memory(h, memory));
    return host_attach(h, array, 1, memory);
}

VkrResult host_attach(VkrHost h, const VkrHostArray *array, uint32_t alignment,
                      VkrHostMemory *memory)
{
    HOST_MUST(&h->voice, array != NULL, "array is NULL, but must be given.");
    HOST_MUST(&h->voice, array->access >= VKR_HOST_READ && array->access <= VKR_HOST_READ_WRITE,
              "array.access is %d, but must be a VkrHostAccess.", (int)array->access);
    HOST_MUST(&h->voice, array->data != NULL || array->size == 0,
              "array.data is NULL, but must be given, since array.size is %llu.",
              (unsigned long long)array->size);
    if (h->state != HOST_BEGUN)
        return host_fail(&h->voice, VKR_ERROR_INVALID_STATE,
                         "it needs a recording that vkrHostBegin has started.");
    HOST_TRY(grow(h));
    host_attached *a = &h->attached[h->attached_count];
    HOST_TRY(attach(h, array, alignment, a));
    h->attached_count++;
    *memory = a->memory;
    return VKR_SUCCESS;
}

/* Copies what operations wrote to an array. */
static VkrResult fetch(VkrHost h, const host_attached *a)
{
    const VkrHostArray *array = &a->array;
    const VkrHostMemory *from = a->back.buffer != VK_NULL_HANDLE ? &a->back : &a->memory;
    if (a->imported || (array->access & VKR_HOST_WRITE) == 0)
        return VKR_SUCCESS;
    return host_read(h, from, 0, array->size, array->data);
}

VkrResult host_detach(VkrHost h, bool copies)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < h->attached_count; i++) {
        host_attached *a = &h->attached[i];
        if (copies && result == VKR_SUCCESS)
            result = fetch(h, a);
        let_go(h, a);
    }
    h->detached = h->detached || h->attached_count != 0;
    h->attached_count = 0;
    return result;
}
