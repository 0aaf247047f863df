/* SPDX-License-Identifier: MIT */
/* Refuses work that a device with these limits would refuse. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "minspec.h"

#define TEXEL_BYTES 16u /* of VK_FORMAT_R32G32B32A32_UINT */

/* ---- Modules ---- */

/* A live shader module, with a copy of its code for the checks of its pipelines. */
typedef struct module {
    struct module *next;
    VkShaderModule handle;
    size_t words;
    uint32_t code[];
} module;

static module *modules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards modules */

static void count_missing(uint32_t capability, void *data)
{
    const minspec_device *d = &minspec_enabled;
    const struct {
        uint32_t capability;
        bool there;
    } rows[] = {
        {1, true},  /* Shader */
        {46, true}, /* SampledBuffer */
        {10, d->float64},
        {11, d->int64},
        {4433, d->storage16}, /* StorageBuffer16BitAccess */
        {4448, d->storage8},  /* StorageBuffer8BitAccess */
        {61, (d->operations & VK_SUBGROUP_FEATURE_BASIC_BIT) != 0},
        {63, (d->operations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0},
        {64, (d->operations & VK_SUBGROUP_FEATURE_BALLOT_BIT) != 0},
        {65, (d->operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].capability == capability && rows[i].there)
            return;
    minspec_refuse(VK_SUCCESS, "vkCreateShaderModule: the device lacks SPIR-V capability %u",
                   capability);
    ++*(uint32_t *)data;
}

static atomic_uint failures; /* of the compiler */

bool minspec_missed_gap(void)
{
    return (minspec_lacks_scans() || minspec_lacks_groups()) && atomic_exchange(&failures, 0) == 0;
}

/* Whether the compiler fails, as that of a driver with a gap does. This is no mistake of the
 * program, so it is not counted as a refusal. */
static bool cannot_compile(const uint32_t *code, size_t words)
{
    const bool fails = (minspec_lacks_scans() || minspec_lacks_groups()) &&
                       minspec_has_arithmetic(code, words, !minspec_lacks_groups());
    if (fails)
        atomic_fetch_add(&failures, 1);
    return fails;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *handle)
{
    uint32_t missing = 0;
    minspec_each_capability(info->pCode, info->codeSize / 4, count_missing, &missing);
    if (missing != 0)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    if (minspec_compiles_modules() && cannot_compile(info->pCode, info->codeSize / 4))
        return VK_ERROR_INVALID_SHADER_NV;
    module *m = calloc(1, sizeof(*m) + info->codeSize);
    if (m == NULL)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = minspec_next.CreateShaderModule(device, info, allocator, handle);
    if (result != VK_SUCCESS) {
        free(m);
        return result;
    }
    m->handle = *handle;
    m->words = info->codeSize / 4;
    memcpy(m->code, info->pCode, info->codeSize);
    pthread_mutex_lock(&lock);
    m->next = modules;
    modules = m;
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_module(VkDevice device, VkShaderModule handle,
                                                 const VkAllocationCallbacks *allocator)
{
    pthread_mutex_lock(&lock);
    module **at = &modules;
    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next;
    module *found = *at;
    if (found != NULL)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    free(found);
    minspec_next.DestroyShaderModule(device, handle, allocator);
}

void minspec_free_modules(void)
{
    while (modules != NULL) {
        module *first = modules;
        modules = first->next;
        free(first);
    }
}

/* ---- Pipelines ---- */

/* Modules are only added at the front of the list, and a program keeps a module while it compiles
 * its pipeline. */
static const module *find_module(VkShaderModule handle)
{
    pthread_mutex_lock(&lock);
    const module *m = modules;
    while (m != NULL && m->handle != handle)
        m = m->next;
    pthread_mutex_unlock(&lock);
    return m;
}

static bool read_needs(const VkPipelineShaderStageCreateInfo *stage, minspec_needs *needs)
{
    const module *m = find_module(stage->module);
    return m != NULL && minspec_read_module(m->code, m->words, stage->pSpecializationInfo, needs);
}

static bool check_flags(const VkPipelineShaderStageCreateInfo *stage, const minspec_needs *needs)
{
    const minspec_device *d = &minspec_enabled;
    const bool full =
        (stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
    if (stage->flags != 0 && !d->size_control)
        minspec_refuse(VK_SUCCESS, "a stage has flags 0x%x without size control", stage->flags);
    else if (full && needs->local_size[0] % d->max_subgroup_size != 0)
        minspec_refuse(VK_SUCCESS, "a workgroup of %u cannot have full subgroups of %u",
                       needs->local_size[0], d->max_subgroup_size);
    else
        return true;
    return false;
}

static bool check_pipeline(const VkComputePipelineCreateInfo *info)
{
    const VkPhysicalDeviceLimits *l = &minspec_enabled.limits;
    minspec_needs needs;
    uint64_t invocations = 1;
    bool fits = true;
    if (!read_needs(&info->stage, &needs))
        return false;
    for (int i = 0; i < 3; i++) {
        invocations *= needs.local_size[i];
        fits = fits && needs.local_size[i] <= l->maxComputeWorkGroupSize[i];
    }
    if (!fits || invocations > l->maxComputeWorkGroupInvocations)
        minspec_refuse(VK_SUCCESS, "a workgroup of %u x %u x %u invocations, where %u are allowed",
                       needs.local_size[0], needs.local_size[1], needs.local_size[2],
                       l->maxComputeWorkGroupInvocations);
    else if (needs.shared_bytes > l->maxComputeSharedMemorySize)
        minspec_refuse(VK_SUCCESS, "%" PRIu64 " bytes of shared memory, where %u are allowed",
                       needs.shared_bytes, l->maxComputeSharedMemorySize);
    else
        return check_flags(&info->stage, &needs);
    return false;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        if (!check_pipeline(&infos[i])) {
            memset(pipelines, 0, count * sizeof(*pipelines));
            return VK_ERROR_UNKNOWN;
        }
    for (uint32_t i = 0; i < count; i++) {
        const module *m = find_module(infos[i].stage.module);
        if (m == NULL || !cannot_compile(m->code, m->words))
            continue;
        memset(pipelines, 0, count * sizeof(*pipelines));
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return minspec_next.CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
}

/* ---- Layouts, views ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_set_layout(VkDevice device,
                                                        const VkDescriptorSetLayoutCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkDescriptorSetLayout *layout)
{
    const uint32_t most = minspec_enabled.limits.maxPerStageDescriptorStorageBuffers;
    uint32_t buffers = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        if (info->pBindings[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            buffers += info->pBindings[i].descriptorCount;
    if (buffers > most)
        return minspec_refuse(VK_ERROR_UNKNOWN, "%u storage buffers, where %u are allowed", buffers,
                              most);
    if (info->flags != 0 && !minspec_enabled.push_descriptors)
        return minspec_refuse(VK_ERROR_UNKNOWN, "a set layout has flags 0x%x", info->flags);
    return minspec_next.CreateDescriptorSetLayout(device, info, allocator, layout);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_layout(VkDevice device,
                                                    const VkPipelineLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkPipelineLayout *layout)
{
    const uint32_t most = minspec_enabled.limits.maxPushConstantsSize;
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        if (range->offset + range->size > most)
            return minspec_refuse(VK_ERROR_UNKNOWN, "push constants up to %u, where %u are allowed",
                                  range->offset + range->size, most);
    }
    return minspec_next.CreatePipelineLayout(device, info, allocator, layout);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice device,
                                                  const VkBufferViewCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkBufferView *view)
{
    const VkPhysicalDeviceLimits *l = &minspec_enabled.limits;
    if (info->format != VK_FORMAT_R32G32B32A32_UINT)
        return minspec_refuse(VK_ERROR_FORMAT_NOT_SUPPORTED, "a buffer view of format %d",
                              (int)info->format);
    if (info->range == VK_WHOLE_SIZE || info->range / TEXEL_BYTES > l->maxTexelBufferElements)
        return minspec_refuse(VK_ERROR_UNKNOWN, "a buffer view of %" PRIu64 " texels",
                              (uint64_t)info->range / TEXEL_BYTES);
    if (info->offset % l->minTexelBufferOffsetAlignment != 0)
        return minspec_refuse(VK_ERROR_UNKNOWN, "a buffer view at %" PRIu64, info->offset);
    return minspec_next.CreateBufferView(device, info, allocator, view);
}

/* ---- Commands ---- */

static void check_writes(uint32_t count, const VkWriteDescriptorSet *writes)
{
    const VkPhysicalDeviceLimits *l = &minspec_enabled.limits;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; writes[i].pBufferInfo && k < writes[i].descriptorCount; k++) {
            const VkDescriptorBufferInfo *info = &writes[i].pBufferInfo[k];
            const bool uniform = writes[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
            const VkDeviceSize alignment =
                uniform ? l->minUniformBufferOffsetAlignment : l->minStorageBufferOffsetAlignment;
            const VkDeviceSize range =
                uniform ? l->maxUniformBufferRange : l->maxStorageBufferRange;
            if (info->offset % alignment != 0)
                minspec_refuse(VK_SUCCESS, "a descriptor at %" PRIu64, info->offset);
            if (info->range == 0 || info->range > range)
                minspec_refuse(VK_SUCCESS, "a descriptor of %" PRIu64 " bytes", info->range);
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL update_sets(VkDevice device, uint32_t count,
                                              const VkWriteDescriptorSet *writes,
                                              uint32_t copy_count,
                                              const VkCopyDescriptorSet *copies)
{
    check_writes(count, writes);
    minspec_next.UpdateDescriptorSets(device, count, writes, copy_count, copies);
}

static VKAPI_ATTR void VKAPI_CALL push_set(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t set, uint32_t count,
                                           const VkWriteDescriptorSet *writes)
{
    check_writes(count, writes);
    minspec_next.CmdPushDescriptorSetKHR(cmd, point, layout, set, count, writes);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *most = minspec_enabled.limits.maxComputeWorkGroupCount;
    if (x > most[0] || y > most[1] || z > most[2])
        minspec_refuse(VK_SUCCESS, "a dispatch of %u x %u x %u workgroups", x, y, z);
    minspec_next.CmdDispatch(cmd, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL push_constants(VkCommandBuffer cmd, VkPipelineLayout layout,
                                                 VkShaderStageFlags stages, uint32_t offset,
                                                 uint32_t size, const void *values)
{
    if (offset + size > minspec_enabled.limits.maxPushConstantsSize)
        minspec_refuse(VK_SUCCESS, "push constants up to %u", offset + size);
    minspec_next.CmdPushConstants(cmd, layout, stages, offset, size, values);
}

PFN_vkVoidFunction minspec_device_function(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
        {"vkCreateShaderModule", (PFN_vkVoidFunction)create_module},
        {"vkDestroyShaderModule", (PFN_vkVoidFunction)destroy_module},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)create_pipelines},
        {"vkCreateDescriptorSetLayout", (PFN_vkVoidFunction)create_set_layout},
        {"vkCreatePipelineLayout", (PFN_vkVoidFunction)create_layout},
        {"vkCreateBufferView", (PFN_vkVoidFunction)create_view},
        {"vkUpdateDescriptorSets", (PFN_vkVoidFunction)update_sets},
        {"vkCmdPushDescriptorSetKHR", (PFN_vkVoidFunction)push_set},
        {"vkCmdDispatch", (PFN_vkVoidFunction)dispatch},
        {"vkCmdPushConstants", (PFN_vkVoidFunction)push_constants},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].function;
    return NULL;
}
