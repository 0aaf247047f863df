/* SPDX-License-Identifier: MIT */
/* Creates and destroys contexts: checks the caller's description of the device, and initialises the
 * parts of the context for the lower floors. */
#include <inttypes.h>

#include "../core/context.h"
#include "../core/device.h"
#include "../core/flags.h"
#include "../core/layout.h"
#include "../core/memory.h"
#include "../core/message.h"
#include "../core/pipeline.h"
#include "../tables/kernels.h"
#include "../tables/policies.h"
#include "../tables/tuning.h"
#include "../tables/types.h"
#include "notes.h"

#define MIN_RANGE 65536u
#define CALL "vkrCreateContext"

/* ---- What the caller asks for ---- */

static VkrResult check_lists(const struct VkrContext_T *context, const VkrContextInfo *info)
{
    if (info->enabledExtensionCount && !info->enabledExtensions)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: enabledExtensions is NULL, but must point to "
                        "enabledExtensionCount (%" PRIu32 ") names.",
                        info->enabledExtensionCount);
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (!info->enabledExtensions[i])
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrCreateContext: enabledExtensions[%" PRIu32
                            "] is NULL, but must be the name of an extension.",
                            i);
    }
    const VkAllocationCallbacks *allocator = info->allocator;
    if (allocator &&
        (!allocator->pfnAllocation || !allocator->pfnReallocation || !allocator->pfnFree))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: allocator lacks a callback, but pfnAllocation, "
                        "pfnReallocation and pfnFree must be set.");
    return VKR_SUCCESS;
}

static VkrResult check_handles(const struct VkrContext_T *context, const VkrContextInfo *info)
{
    const struct {
        const char *name;
        const void *handle;
    } handles[] = {
        {"instance", info->instance},
        {"physicalDevice", info->physicalDevice},
        {"device", info->device},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(handles); i++) {
        VKR_TRY(vkr_check_handle(context, CALL, handles[i].name, handles[i].handle));
    }
    return VKR_SUCCESS;
}

static VkrResult check_values(const struct VkrContext_T *context, const VkrContextInfo *info)
{
    const VkrLimits *limits = &info->limits;
    VKR_TRY(vkr_check_version(context, CALL, info->apiVersion));
    const struct {
        const char *name;
        uint32_t value;
        vkr_flag_type type;
    } bits[] = {
        {"flags", info->flags, VKR_FLAGS_OF_CONTEXT},
        {"limits.disabledFeatures", limits->disabledFeatures, VKR_FLAGS_OF_FEATURES},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        if (bits[i].value & ~vkr_known_flags(bits[i].type))
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrCreateContext: %s is %s, but must have only bits of %s.",
                            bits[i].name, vkr_flag_names(bits[i].type, bits[i].value).text,
                            vkr_flag_type_name(bits[i].type));
    }
    const struct {
        const char *name;
        int value, max;
    } choices[] = {
        {"forwardProgress", (int)info->forwardProgress, VKR_FORWARD_PROGRESS_OCCUPANCY},
        {"limits.groupPath", (int)limits->groupPath, VKR_GROUP_PATH_SHARED},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(choices); i++) {
        if (choices[i].value < 0 || choices[i].value > choices[i].max)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrCreateContext: %s is %d, but must be 0 to %d.", choices[i].name,
                            choices[i].value, choices[i].max);
    }
    if (limits->maxStorageBufferRange && limits->maxStorageBufferRange < MIN_RANGE)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: limits.maxStorageBufferRange is %" PRIu64
                        ", but must be 0 or at least %u.",
                        limits->maxStorageBufferRange, MIN_RANGE);
    const uint32_t *tasks = limits->maxTaskWorkGroupCount;
    const uint32_t total = limits->maxTaskWorkGroupTotalCount;
    const bool any = (tasks[0] | tasks[1] | tasks[2] | total) != 0;
    if (any && !(tasks[0] && tasks[1] && tasks[2] && total))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: limits.maxTaskWorkGroupCount is (%u, %u, %u) and "
                        "maxTaskWorkGroupTotalCount is %u, but either all or none must be 0.",
                        tasks[0], tasks[1], tasks[2], total);
    return VKR_SUCCESS;
}

static VkrResult check_limits(const struct VkrContext_T *context, const VkrLimits *limits,
                              const vkr_device_facts *facts)
{
    const VkPhysicalDeviceLimits *device = &facts->properties.limits;
    const struct {
        const char *name;
        uint64_t value, max;
    } fields[] = {
        {"maxStorageBufferRange", limits->maxStorageBufferRange, device->maxStorageBufferRange},
        {"maxComputeWorkGroupCount", limits->maxComputeWorkGroupCount,
         device->maxComputeWorkGroupCount[0]},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(fields); i++) {
        if (fields[i].value > fields[i].max)
            return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                            "vkrCreateContext: limits.%s is %" PRIu64
                            ", but must not exceed the device's, which is %" PRIu64 ".",
                            fields[i].name, fields[i].value, fields[i].max);
    }
    if (limits->groupPath && limits->groupPath < facts->group_path)
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "vkrCreateContext: limits.groupPath is %s, but must not be above the "
                        "device's best, which is %s.",
                        vkrGroupPathName(limits->groupPath), vkrGroupPathName(facts->group_path));
    return VKR_SUCCESS;
}

/* ---- Creation ---- */

static VkrResult load_debug(struct VkrContext_T *context)
{
    PFN_vkGetInstanceProcAddr get = context->get_instance_proc_addr;
    vkr_debug *debug = &context->debug;
    debug->set_name = (PFN_vkSetDebugUtilsObjectNameEXT)vkr_load_instance(
        get, context->instance, "vkSetDebugUtilsObjectNameEXT");
    debug->begin_label = (PFN_vkCmdBeginDebugUtilsLabelEXT)vkr_load_instance(
        get, context->instance, "vkCmdBeginDebugUtilsLabelEXT");
    debug->end_label = (PFN_vkCmdEndDebugUtilsLabelEXT)vkr_load_instance(
        get, context->instance, "vkCmdEndDebugUtilsLabelEXT");
    if (!debug->set_name || !debug->begin_label || !debug->end_label)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: flags has VKR_CONTEXT_DEBUG_UTILS_BIT, but the instance "
                        "must have VK_EXT_debug_utils enabled.");
    context->debug_utils = true;
    return VKR_SUCCESS;
}

static VkrResult load_functions(struct VkrContext_T *context, const VkrContextInfo *info)
{
    PFN_vkGetInstanceProcAddr get = context->get_instance_proc_addr;
    PFN_vkGetDeviceProcAddr get_device =
        (PFN_vkGetDeviceProcAddr)vkr_load_instance(get, info->instance, "vkGetDeviceProcAddr");
    PFN_vkGetPhysicalDeviceMemoryProperties get_memory =
        (PFN_vkGetPhysicalDeviceMemoryProperties)vkr_load_instance(
            get, info->instance, "vkGetPhysicalDeviceMemoryProperties");
    if (!get_device || !get_memory)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: getInstanceProcAddr has no vkGetDeviceProcAddr for the "
                        "instance.");
    get_memory(info->physicalDevice, &context->memory);
    vkr_load_commands(&context->vk, info->device, get_device);
    return info->flags & VKR_CONTEXT_DEBUG_UTILS_BIT ? load_debug(context) : VKR_SUCCESS;
}

static VkrResult query_caps(struct VkrContext_T *context, const VkrContextInfo *info,
                            vkr_device_facts *facts)
{
    VkrDeviceRequirements requirements;
    VKR_TRY(vkr_query_device(context, CALL, info->apiVersion, facts, &requirements));
    for (uint32_t i = 0; i < requirements.requirementCount; i++) {
        const VkrRequirement *row = &requirements.requirements[i];
        if (row->required && !row->available)
            return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                            "vkrCreateContext: the device %s lacks %s, which the library needs.",
                            facts->properties.deviceName, row->name);
    }
    VKR_TRY(check_limits(context, &info->limits, facts));
    context->caps = vkr_derive_caps(info, facts);
    return VKR_SUCCESS;
}

static VkrResult initialize(struct VkrContext_T *context, const VkrContextInfo *info)
{
    vkr_device_facts facts;
    VKR_TRY(vkr_find_loader(context, CALL));
    VKR_TRY(query_caps(context, info, &facts));
    vkr_tune(&context->caps, context->tunings);
    vkr_choose_policies(&context->caps, context->policies);
    if (info->profile)
        VKR_TRY(vkr_read_profile(context, info->profile, info->profileSize, context->tunings,
                                 context->policies));
    VKR_TRY(load_functions(context, info));
    vkr_note_context(context, info, &facts);
    return VKR_SUCCESS;
}

VkrResult vkrCreateContext(const VkrContextInfo *info, VkrContext *context)
{
    if (context)
        *context = NULL;
    if (!info)
        return VKR_ERROR_INVALID_ARGUMENT;
    struct VkrContext_T initial = {
        .instance = info->instance,
        .physical_device = info->physicalDevice,
        .device = info->device,
        .get_instance_proc_addr = info->getInstanceProcAddr,
        .pipeline_cache = info->pipelineCache,
        .has_allocator = info->allocator != NULL,
        .message = info->message,
        .message_data = info->messageData,
        .forward_progress = info->forwardProgress,
    };
    if (info->allocator)
        initial.allocator = *info->allocator;
    if (!context)
        return vkr_fail(&initial, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: context is NULL, but must point to a VkrContext.");
    VKR_TRY(check_handles(&initial, info));
    VKR_TRY(check_lists(&initial, info));
    VKR_TRY(check_values(&initial, info));
    VkrContext created = vkr_alloc(&initial, sizeof *created);
    if (!created)
        return vkr_fail(&initial, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateContext: out of host memory for the context.");
    *created = initial;
    if (!vkr_create_lock(&created->lock)) {
        vkr_free(&initial, created);
        return vkr_fail(&initial, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateContext: out of host memory for a mutex.");
    }
    const VkrResult result = initialize(created, info);
    if (result)
        vkrDestroyContext(created);
    else
        *context = created;
    return result;
}

void vkrDestroyContext(VkrContext context)
{
    if (!context)
        return;
    if (context->leftover.destroy)
        context->leftover.destroy(context, context->leftover.data);
    vkr_destroy_pipelines(context);
    vkr_destroy_layouts(context);
    vkr_destroy_lock(&context->lock);
    if (context->loader)
        vkr_close_loader(context->loader);
    vkr_free(context, context);
}

/* ---- Queries ---- */

void vkrGetContextProperties(VkrContext context, VkrContextProperties *properties)
{
    if (!context || !properties)
        return;
    const vkr_caps *caps = &context->caps;
    *properties = (VkrContextProperties){
        .features = caps->features,
        .groupPath = caps->group_path,
        .subgroupSize = caps->subgroup_size,
        .maxStorageBufferRange = caps->max_range,
        .maxComputeWorkGroupCount = {caps->max_groups[0], caps->max_groups[1], caps->max_groups[2]},
        .maxWorkgroupSize = caps->max_workgroup_size,
        .granule = caps->granule,
        .documents = vkr_has_documents(),
    };
}

VkBool32 vkrIsTypeSupported(VkrContext context, VkrType type)
{
    if (!context || type == VKR_TYPE_UNDEFINED || (uint32_t)type >= VKR_TYPE_COUNT)
        return VK_FALSE;
    return vkr_has_type(type) && (vkr_types[type].features & ~context->caps.features) == 0;
}
