/* SPDX-License-Identifier: MIT */
/*
 * A device does not know a context's lowered limits, so results stay right even if the library
 * exceeds them. These functions intercept the commands that could exceed them. They also count the
 * different pipelines that the library creates.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

/* ---- Limits ---- */

static VkDeviceSize max_range = UINT64_MAX;
static uint32_t max_groups = UINT32_MAX;
static uint32_t max_storage_images = UINT32_MAX;
static uint64_t violations, texel_writes, image_writes;

static void violate(const char *what, uint64_t value, uint64_t limit)
{
    if (violations++ < 10)
        printf("# %s is %" PRIu64 ", above the context's %" PRIu64 "\n", what, value, limit);
}

static void check_writes(uint32_t count, const VkWriteDescriptorSet *writes)
{
    uint32_t storage_images = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < writes[i].descriptorCount; k++)
            if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
                storage_images++;
            else if (writes[i].pTexelBufferView != NULL)
                texel_writes++;
            else if (writes[i].pImageInfo != NULL)
                image_writes++;
            else if (writes[i].pBufferInfo[k].range > max_range)
                violate("a descriptor's range", writes[i].pBufferInfo[k].range, max_range);
    if (storage_images > max_storage_images)
        violate("the number of storage images", storage_images, max_storage_images);
}

static VKAPI_ATTR void VKAPI_CALL push(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                       VkPipelineLayout layout, uint32_t set, uint32_t count,
                                       const VkWriteDescriptorSet *writes)
{
    check_writes(count, writes);
    vkCmdPushDescriptorSetKHR(cmd, point, layout, set, count, writes);
}

static VKAPI_ATTR void VKAPI_CALL update(VkDevice device, uint32_t count,
                                         const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                         const VkCopyDescriptorSet *copies)
{
    check_writes(count, writes);
    vkUpdateDescriptorSets(device, count, writes, copy_count, copies);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
    if (x > max_groups)
        violate("the number of workgroups in dimension 0", x, max_groups);
    vkCmdDispatch(cmd, x, y, z);
}

/* ---- Pipelines ---- */

typedef struct module_key {
    VkShaderModule module;
    uint64_t key;
} module_key;

static module_key *modules;
static uint64_t *pipelines; /* one key for each distinct pipeline */
static uint32_t module_count, pipeline_count;

/* FNV-1a (Fowler, Noll, Vo). */
static uint64_t hash(uint64_t key, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        key = (key ^ bytes[i]) * 0x100000001b3u;
    return key;
}

/* Makes room for one more entry: the array's size doubles if its count is a power of two. */
static void *grow(void *array, uint32_t count, size_t size)
{
    if ((count & (count - 1)) == 0)
        array = realloc(array, (count == 0 ? 1 : 2 * count) * size);
    assert_non_null(array);
    return array;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module)
{
    const VkResult result = vkCreateShaderModule(device, info, allocator, module);
    if (result != VK_SUCCESS)
        return result;
    modules = grow(modules, module_count, sizeof(*modules));
    modules[module_count++] =
        (module_key){*module, hash(0xcbf29ce484222325u, info->pCode, info->codeSize)};
    return result;
}

/* The key of a module. Drivers reuse handles, so it is the key of the last module created with this
 * handle. */
static uint64_t key_of(VkShaderModule module)
{
    uint32_t i = module_count;
    while (i > 0 && modules[i - 1].module != module)
        i--;
    return i > 0 ? modules[i - 1].key : 0;
}

static void count_pipeline(const VkComputePipelineCreateInfo *info)
{
    const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
    uint64_t key = key_of(info->stage.module);
    if (constants != NULL)
        key = hash(key, constants->pData, constants->dataSize);
    for (uint32_t i = 0; i < pipeline_count; i++)
        if (pipelines[i] == key)
            return;
    pipelines = grow(pipelines, pipeline_count, sizeof(*pipelines));
    pipelines[pipeline_count++] = key;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *created)
{
    for (uint32_t i = 0; i < count; i++)
        count_pipeline(&infos[i]);
    return vkCreateComputePipelines(device, cache, count, infos, allocator, created);
}

/* ---- The loader function ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkCmdPushDescriptorSetKHR") == 0)
        return (PFN_vkVoidFunction)push;
    if (strcmp(name, "vkUpdateDescriptorSets") == 0)
        return (PFN_vkVoidFunction)update;
    if (strcmp(name, "vkCmdDispatch") == 0)
        return (PFN_vkVoidFunction)dispatch;
    if (strcmp(name, "vkCreateShaderModule") == 0)
        return (PFN_vkVoidFunction)create_module;
    if (strcmp(name, "vkCreateComputePipelines") == 0)
        return (PFN_vkVoidFunction)create_pipelines;
    return vkGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limits_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_proc;
    return vkGetInstanceProcAddr(instance, name);
}

void watch_limits(const VkrLimits *limits)
{
    max_range = limits->maxStorageBufferRange ? limits->maxStorageBufferRange : UINT64_MAX;
    max_groups = limits->maxComputeWorkGroupCount ? limits->maxComputeWorkGroupCount : UINT32_MAX;
}

void watch_storage_images(uint32_t most)
{
    max_storage_images = most;
}

uint64_t limit_violations(void)
{
    return violations;
}

uint64_t image_bindings(void)
{
    return image_writes;
}

uint64_t texel_bindings(void)
{
    return texel_writes;
}

uint32_t count_pipelines(void)
{
    const uint32_t count = pipeline_count;
    free(modules);
    free(pipelines);
    modules = NULL;
    pipelines = NULL;
    module_count = pipeline_count = 0;
    return count;
}
