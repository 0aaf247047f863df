/* SPDX-License-Identifier: MIT */
/* Device memory, descriptor sets and host memory of a recorder. */
#include "recorder.h"

#include "layout.h"
#include "memory.h"
#include "message.h"

#define FIRST_POOL_SETS 32u

static void set_name(const struct VkrRecorder_T *recorder, VkObjectType type, uint64_t handle)
{
    const struct VkrContext_T *context = recorder->context;
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = recorder->label ? recorder->label : "vkreduce recorder"};
    if (context->debug_utils)
        (void)context->debug.set_name(context->device, &info);
}

static void destroy_chunk(const struct VkrContext_T *context, const vkr_chunk *chunk)
{
    context->vk.vkDestroyBuffer(context->device, chunk->buffer, vkr_allocator(context));
    context->vk.vkFreeMemory(context->device, chunk->memory, vkr_allocator(context));
}

/* The memory of uniforms and tickets is coherent, so no flush is needed. Device-local memory that
 * the host can write is preferred, since the device reads it fastest. */
static const struct {
    VkBufferUsageFlags usage;
    VkMemoryPropertyFlags needed;
} storages[VKR_STORAGE_COUNT] = {
    [VKR_STORAGE_SCRATCH] = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             0},
    [VKR_STORAGE_UNIFORMS] = {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
    [VKR_STORAGE_TICKETS] = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
};

static VkrResult map_chunk(VkrContext context, vkr_chunk *chunk)
{
    void *data = NULL;
    const VkResult result =
        context->vk.vkMapMemory(context->device, chunk->memory, 0, VK_WHOLE_SIZE, 0, &data);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkMapMemory");
    chunk->data = data;
    return VKR_SUCCESS;
}

/* Even after a failure the created objects are in `chunk`, for the caller to destroy. */
static VkrResult create_chunk(VkrContext context, vkr_storage storage, vkr_chunk *chunk)
{
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = chunk->size,
                                       .usage = storages[storage].usage};
    VkResult result = context->vk.vkCreateBuffer(context->device, &buffer, vkr_allocator(context),
                                                 &chunk->buffer);
    if (result != VK_SUCCESS) {
        chunk->buffer = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreateBuffer");
    }
    VkMemoryRequirements needs;
    context->vk.vkGetBufferMemoryRequirements(context->device, chunk->buffer, &needs);
    uint32_t type;
    VKR_TRY(vkr_choose_memory_type(context, needs.memoryTypeBits, storages[storage].needed,
                                   VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &type));
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = type};
    result = context->vk.vkAllocateMemory(context->device, &memory, vkr_allocator(context),
                                          &chunk->memory);
    if (result != VK_SUCCESS) {
        chunk->memory = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkAllocateMemory");
    }
    result = context->vk.vkBindBufferMemory(context->device, chunk->buffer, chunk->memory, 0);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkBindBufferMemory");
    return storage != VKR_STORAGE_SCRATCH ? map_chunk(context, chunk) : VKR_SUCCESS;
}

VkrResult vkr_reserve_storage(VkrRecorder recorder, vkr_storage storage, VkDeviceSize size,
                              VkDeviceSize chunk_size, vkr_chunk **chunk)
{
    VkrContext context = recorder->context;
    vkr_chunks *list = &recorder->storage[storage];
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->chunks[i].size - list->chunks[i].used >= size) {
            *chunk = &list->chunks[i];
            return VKR_SUCCESS;
        }
    }
    const size_t old_size = list->count * sizeof(vkr_chunk);
    vkr_chunk *chunks = vkr_grow(context, list->chunks, old_size, old_size + sizeof(vkr_chunk));
    if (!chunks) {
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "Out of host memory for the recorder's list of buffers.");
    }
    list->chunks = chunks;
    vkr_chunk new_chunk = {.size = size > chunk_size ? size : chunk_size};
    const VkrResult result = create_chunk(context, storage, &new_chunk);
    if (result != VKR_SUCCESS) {
        destroy_chunk(context, &new_chunk);
        return result;
    }
    set_name(recorder, VK_OBJECT_TYPE_BUFFER, (uint64_t)new_chunk.buffer);
    *chunk = &list->chunks[list->count++];
    **chunk = new_chunk;
    return VKR_SUCCESS;
}

/* ---- Descriptor sets ---- */

static VkrResult create_pool(VkrContext context, const vkr_layout *layout, uint32_t sets,
                             VkDescriptorPool *pool)
{
    VkDescriptorPoolSize sizes[VKR_MAX_BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        const vkr_kind kind = layout->bindings.kinds[i];
        if (kind != VKR_KIND_NONE)
            sizes[count++] = (VkDescriptorPoolSize){vkr_descriptor_type(kind), sets};
    }
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = sets,
                                             .poolSizeCount = count,
                                             .pPoolSizes = sizes};
    const VkResult result =
        context->vk.vkCreateDescriptorPool(context->device, &info, vkr_allocator(context), pool);
    return result == VK_SUCCESS ? VKR_SUCCESS
                                : vkr_fail_vk(context, result, "vkCreateDescriptorPool");
}

static VkrResult allocate_sets(VkrContext context, const vkr_layout *layout, VkDescriptorPool pool,
                               uint32_t count, VkDescriptorSet *sets)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout->set};
    for (uint32_t i = 0; i < count; i++) {
        const VkResult result =
            context->vk.vkAllocateDescriptorSets(context->device, &info, &sets[i]);
        if (result != VK_SUCCESS)
            return vkr_fail_vk(context, result, "vkAllocateDescriptorSets");
    }
    return VKR_SUCCESS;
}

static VkrResult grow_arrays(VkrContext context, vkr_sets *list, uint32_t sets)
{
    const size_t sets_size = list->count * sizeof(VkDescriptorSet);
    const size_t pools_size = list->pool_count * sizeof(VkDescriptorPool);
    VkDescriptorSet *new_sets =
        vkr_grow(context, list->sets, sets_size, sets_size + sets * sizeof(VkDescriptorSet));
    list->sets = new_sets ? new_sets : list->sets;
    VkDescriptorPool *new_pools =
        vkr_grow(context, list->pools, pools_size, pools_size + sizeof(VkDescriptorPool));
    list->pools = new_pools ? new_pools : list->pools;
    return new_sets && new_pools
               ? VKR_SUCCESS
               : vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                          "Out of host memory for the recorder's %u descriptor sets.",
                          list->count + sets);
}

/* Each new pool is at least as large as all earlier pools together, so there are few pools. */
static VkrResult reserve_of_layout(VkrRecorder recorder, const vkr_layout *layout)
{
    VkrContext context = recorder->context;
    vkr_sets *list = &recorder->sets[layout->index];
    const uint32_t free_sets = list->count - list->used;
    if (list->needed <= free_sets)
        return VKR_SUCCESS;
    uint32_t sets = list->needed - free_sets;
    sets = sets > list->count ? sets : list->count;
    sets = sets > FIRST_POOL_SETS ? sets : FIRST_POOL_SETS;
    VKR_TRY(grow_arrays(context, list, sets));
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VKR_TRY(create_pool(context, layout, sets, &pool));
    const VkrResult result = allocate_sets(context, layout, pool, sets, &list->sets[list->count]);
    if (result != VKR_SUCCESS) {
        context->vk.vkDestroyDescriptorPool(context->device, pool, vkr_allocator(context));
        return result;
    }
    set_name(recorder, VK_OBJECT_TYPE_DESCRIPTOR_POOL, (uint64_t)pool);
    list->pools[list->pool_count++] = pool;
    list->count += sets;
    return VKR_SUCCESS;
}

static VkrResult grow_lists(VkrRecorder recorder, uint32_t count)
{
    const size_t old_size = recorder->set_list_count * sizeof(vkr_sets);
    if (count <= recorder->set_list_count)
        return VKR_SUCCESS;
    vkr_sets *sets =
        vkr_grow(recorder->context, recorder->sets, old_size, count * sizeof(vkr_sets));
    if (!sets)
        return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "Out of host memory for the recorder's lists of descriptor sets.");
    recorder->sets = sets;
    recorder->set_list_count = count;
    return VKR_SUCCESS;
}

VkrResult vkr_reserve_sets(VkrRecorder recorder)
{
    if (recorder->context->caps.features & VKR_FEATURE_PUSH_DESCRIPTOR)
        return VKR_SUCCESS;
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        VKR_TRY(grow_lists(recorder, recorder->steps[i].layout->index + 1));
    for (uint32_t i = 0; i < recorder->set_list_count; i++)
        recorder->sets[i].needed = 0;
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        recorder->sets[recorder->steps[i].layout->index].needed++;
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        VKR_TRY(reserve_of_layout(recorder, recorder->steps[i].layout));
    return VKR_SUCCESS;
}

static void destroy_sets(const struct VkrContext_T *context, const vkr_sets *list)
{
    for (uint32_t i = 0; i < list->pool_count; i++)
        context->vk.vkDestroyDescriptorPool(context->device, list->pools[i],
                                            vkr_allocator(context));
    vkr_free(context, list->pools);
    vkr_free(context, list->sets);
}

/* ---- Host memory ---- */

/* The size at least doubles, so growing recordings seldom allocate. */
VkrResult vkr_reserve_memory(VkrRecorder recorder, const char *call, uint64_t size)
{
    const struct VkrContext_T *context = recorder->context;
    if (size <= recorder->memory_size)
        return VKR_SUCCESS;
    const uint64_t doubled = 2 * (uint64_t)recorder->memory_size;
    const uint64_t wanted = size > doubled ? size : doubled;
    void *memory = wanted <= SIZE_MAX / 2 ? vkr_alloc(context, (size_t)wanted) : NULL;
    if (!memory) {
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "%s: out of host memory to examine the %u steps of the recording.", call,
                        recorder->now.steps);
    }
    vkr_free(context, recorder->memory);
    recorder->memory = memory;
    recorder->memory_size = (size_t)wanted;
    return VKR_SUCCESS;
}

void vkr_destroy_storage(VkrRecorder recorder)
{
    const struct VkrContext_T *context = recorder->context;
    for (uint32_t storage = 0; storage < VKR_STORAGE_COUNT; storage++) {
        const vkr_chunks *list = &recorder->storage[storage];
        for (uint32_t i = 0; i < list->count; i++)
            destroy_chunk(context, &list->chunks[i]);
        vkr_free(context, list->chunks);
    }
    for (uint32_t i = 0; i < recorder->set_list_count; i++)
        destroy_sets(context, &recorder->sets[i]);
    vkr_free(context, recorder->sets);
}
