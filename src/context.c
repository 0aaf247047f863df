/* SPDX-License-Identifier: MIT */
/* The library's view of one VkDevice. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MIN_RANGE 65536u
#define MAX_WORKGROUP 1024u
#define MIN_SUBGROUP 4u
#define CALL "vkrCreateContext"
#define ALL_FEATURES ((1u << VKR_FEATURE_BITS) - 1)

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
        VkrResult result = vkr_check_handle(context, CALL, handles[i].name, handles[i].handle);
        if (result)
            return result;
    }
    return VKR_SUCCESS;
}

static VkrResult check_values(const struct VkrContext_T *context, const VkrContextInfo *info)
{
    const VkrLimits *limits = &info->limits;
    VkrResult result = vkr_check_version(context, CALL, info->apiVersion);
    if (result)
        return result;
    const struct {
        const char *name;
        uint32_t value, known;
        const char *type;
    } bits[] = {
        {"flags", info->flags, VKR_CONTEXT_DEBUG_UTILS_BIT, "VkrContextFlagBits"},
        {"limits.disabledFeatures", limits->disabledFeatures, ALL_FEATURES, "VkrFeature"},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        if (bits[i].value & ~bits[i].known)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrCreateContext: %s is 0x%" PRIx32 ", but must have only bits of %s.",
                            bits[i].name, bits[i].value, bits[i].type);
    }
    const struct {
        const char *name;
        int value, most;
    } choices[] = {
        {"forwardProgress", (int)info->forwardProgress, VKR_FORWARD_PROGRESS_OCCUPANCY},
        {"limits.rung", (int)limits->rung, VKR_RUNG_SHARED},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(choices); i++) {
        if (choices[i].value < 0 || choices[i].value > choices[i].most)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrCreateContext: %s is %d, but must be 0 to %d.", choices[i].name,
                            choices[i].value, choices[i].most);
    }
    if (limits->maxStorageBufferRange && limits->maxStorageBufferRange < MIN_RANGE)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateContext: limits.maxStorageBufferRange is %" PRIu64
                        ", but must be 0 or at least %u.",
                        limits->maxStorageBufferRange, MIN_RANGE);
    return VKR_SUCCESS;
}

static VkrResult check_limits(const struct VkrContext_T *context, const VkrLimits *limits,
                              const vkr_device_facts *facts)
{
    const VkPhysicalDeviceLimits *device = &facts->properties.limits;
    const struct {
        const char *name;
        uint64_t value, most;
    } fields[] = {
        {"maxStorageBufferRange", limits->maxStorageBufferRange, device->maxStorageBufferRange},
        {"maxComputeWorkGroupCount", limits->maxComputeWorkGroupCount,
         device->maxComputeWorkGroupCount[0]},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(fields); i++) {
        if (fields[i].value > fields[i].most)
            return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                            "vkrCreateContext: limits.%s is %" PRIu64
                            ", but must not exceed the device's, which is %" PRIu64 ".",
                            fields[i].name, fields[i].value, fields[i].most);
    }
    if (limits->rung && limits->rung < facts->rung)
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "vkrCreateContext: limits.rung is %s, but must not be above the device's "
                        "best, which is %s.",
                        vkrRungName(limits->rung), vkrRungName(facts->rung));
    return VKR_SUCCESS;
}

/* ---- What is enabled ---- */

static VkrFeatureFlags flag(VkBool32 enabled, VkrFeature feature)
{
    return enabled ? (VkrFeatureFlags)feature : 0;
}

static VkrFeatureFlags core_features(const VkPhysicalDeviceFeatures *features)
{
    return flag(features->shaderInt64, VKR_FEATURE_INT64) |
           flag(features->shaderFloat64, VKR_FEATURE_FLOAT64);
}

static VkrFeatureFlags chained_features(const void *structure)
{
    const VkBaseInStructure *base = structure;
    switch (base->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
        return core_features(&((const VkPhysicalDeviceFeatures2 *)structure)->features);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES: {
        const VkPhysicalDeviceVulkan11Features *features = structure;
        return flag(features->storageBuffer16BitAccess, VKR_FEATURE_STORAGE_16BIT);
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
        const VkPhysicalDeviceVulkan12Features *features = structure;
        return flag(features->storageBuffer8BitAccess, VKR_FEATURE_STORAGE_8BIT);
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES: {
        const VkPhysicalDeviceVulkan13Features *features = structure;
        return flag(features->subgroupSizeControl && features->computeFullSubgroups,
                    VKR_FEATURE_SUBGROUP_SIZE_CONTROL);
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES: {
        const VkPhysicalDevice16BitStorageFeatures *features = structure;
        return flag(features->storageBuffer16BitAccess, VKR_FEATURE_STORAGE_16BIT);
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES: {
        const VkPhysicalDevice8BitStorageFeatures *features = structure;
        return flag(features->storageBuffer8BitAccess, VKR_FEATURE_STORAGE_8BIT);
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES: {
        const VkPhysicalDeviceSubgroupSizeControlFeatures *features = structure;
        return flag(features->subgroupSizeControl && features->computeFullSubgroups,
                    VKR_FEATURE_SUBGROUP_SIZE_CONTROL);
    }
    default:
        return 0;
    }
}

static bool extension_enabled(const VkrContextInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (strcmp(info->enabledExtensions[i], name) == 0)
            return true;
    }
    return false;
}

static VkrFeatureFlags enabled_features(const VkrContextInfo *info, uint32_t version)
{
    /* The one that has no feature structure. */
    VkrFeatureFlags features = VKR_FEATURE_PUSH_DESCRIPTOR;
    const VkBaseInStructure *next = info->enabledFeatureChain;
    for (; next; next = next->pNext)
        features |= chained_features(next);
    if (info->enabledFeatures)
        features |= core_features(info->enabledFeatures);

    for (uint32_t bit = 0; bit < VKR_FEATURE_BITS; bit++) {
        const char *extension = vkr_feature_extension((VkrFeature)(1u << bit), version);
        if (extension && !extension_enabled(info, extension))
            features &= ~(1u << bit);
    }
    features &= ~info->limits.disabledFeatures;
    if (!(features & VKR_FEATURE_INT64))
        features &= ~(VkrFeatureFlags)VKR_FEATURE_FLOAT64;
    return features;
}

/* ---- Capabilities ---- */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t largest_workgroup(const VkPhysicalDeviceLimits *device)
{
    uint32_t most =
        smaller(device->maxComputeWorkGroupInvocations, device->maxComputeWorkGroupSize[0]);
    uint32_t size = MAX_WORKGROUP;
    while (size > 1 && size > most)
        size /= 2;
    return size;
}

/* Some drivers report the same version for ever; their cache's UUID tells builds apart. */
static uint32_t driver_build(const VkPhysicalDeviceProperties *properties)
{
    uint32_t build = properties->driverVersion;
    for (size_t i = 0; i < VK_UUID_SIZE; i += sizeof build) {
        uint32_t word;
        memcpy(&word, properties->pipelineCacheUUID + i, sizeof word);
        build ^= word;
    }
    return build;
}

static vkr_caps derive_caps(const VkrContextInfo *info, const vkr_device_facts *facts)
{
    const VkPhysicalDeviceLimits *device = &facts->properties.limits;
    const VkrLimits *limits = &info->limits;
    vkr_caps caps = {
        .features = enabled_features(info, facts->version),
        .rung = limits->rung ? limits->rung : facts->rung,
        .subgroup_size = facts->subgroup_size,
        .min_subgroup_size = smaller(MIN_SUBGROUP, facts->min_subgroup_size),
        .max_subgroup_size = facts->max_subgroup_size,
        .max_groups = {device->maxComputeWorkGroupCount[0], device->maxComputeWorkGroupCount[1],
                       device->maxComputeWorkGroupCount[2]},
        .max_workgroup_size = largest_workgroup(device),
        .max_shared_memory = device->maxComputeSharedMemorySize,
        .granule = (uint32_t)device->minStorageBufferOffsetAlignment,
        .device_type = facts->properties.deviceType,
        .vendor_id = facts->properties.vendorID,
        .device_id = facts->properties.deviceID,
        .driver_build = driver_build(&facts->properties),
        .wide_indices = limits->wideIndices,
        .muted_tile = limits->mutedTile,
    };
    /* Full subgroups of a size that cannot vary. */
    if ((caps.features & VKR_FEATURE_SUBGROUP_SIZE_CONTROL) &&
        facts->min_subgroup_size == facts->max_subgroup_size)
        caps.sure_subgroup_size = facts->max_subgroup_size;
    if (!caps.min_subgroup_size)
        caps.min_subgroup_size = 1;
    if (caps.granule < VKR_MAX_PACK)
        caps.granule = VKR_MAX_PACK;
    if (limits->maxComputeWorkGroupCount)
        caps.max_groups[0] = limits->maxComputeWorkGroupCount;
    VkDeviceSize range = limits->maxStorageBufferRange ? limits->maxStorageBufferRange
                                                       : device->maxStorageBufferRange;
    caps.max_range = range / caps.granule * caps.granule;
    return caps;
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

static VkrResult query_caps(struct VkrContext_T *context, const VkrContextInfo *info)
{
    vkr_device_facts facts;
    VkrDeviceRequirements requirements;
    VkrResult result = vkr_query_device(context, CALL, info->apiVersion, &facts, &requirements);
    if (result)
        return result;
    for (uint32_t i = 0; i < requirements.requirementCount; i++) {
        const VkrRequirement *row = &requirements.requirements[i];
        if (row->required && !row->available)
            return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                            "vkrCreateContext: the device %s lacks %s, which the library needs.",
                            facts.properties.deviceName, row->name);
    }
    result = check_limits(context, &info->limits, &facts);
    if (!result)
        context->caps = derive_caps(info, &facts);
    return result;
}

static VkrResult create_layouts(struct VkrContext_T *context)
{
    VkDescriptorSetLayoutBinding bindings[VKR_MAX_WRITES];
    for (uint32_t i = 0; i < VKR_MAX_WRITES; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = i == VKR_BINDING_TEXELS ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                      : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    const bool push = (context->caps.features & VKR_FEATURE_PUSH_DESCRIPTOR) != 0;
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        .bindingCount = VKR_MAX_WRITES,
        .pBindings = bindings,
    };
    VkResult result = context->vk.vkCreateDescriptorSetLayout(
        context->device, &set_info, vkr_allocator(context), &context->set_layout);
    if (result) {
        context->set_layout = VK_NULL_HANDLE; /* a failed call may leave anything there */
        return vkr_fail_vk(context, result, "vkCreateDescriptorSetLayout");
    }

    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = VKR_MAX_PUSH};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &context->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    result = context->vk.vkCreatePipelineLayout(context->device, &layout_info,
                                                vkr_allocator(context), &context->pipeline_layout);
    if (result) {
        context->pipeline_layout = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreatePipelineLayout");
    }
    return VKR_SUCCESS;
}

static VkrResult initialize(struct VkrContext_T *context, const VkrContextInfo *info)
{
    VkrResult result = vkr_find_loader(context, CALL);
    if (!result)
        result = query_caps(context, info);
    if (!result)
        vkr_tune(&context->caps, context->tunings);
    if (!result && info->profile)
        result = vkr_read_profile(context, info->profile, info->profileSize, context->tunings);
    if (!result)
        result = load_functions(context, info);
    if (!result)
        result = create_layouts(context);
    return result;
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
    VkrResult result = check_handles(&initial, info);
    if (!result)
        result = check_lists(&initial, info);
    if (!result)
        result = check_values(&initial, info);
    if (result)
        return result;

    VkrContext created = vkr_alloc(&initial, sizeof *created);
    if (!created)
        return vkr_fail(&initial, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateContext: out of host memory for the context.");
    *created = initial;
    if (pthread_mutex_init(&created->lock, NULL)) {
        vkr_free(&initial, created);
        return vkr_fail(&initial, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateContext: out of host memory for a mutex.");
    }
    result = initialize(created, info);
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
    const VkAllocationCallbacks *allocator = vkr_allocator(context);
    vkr_destroy_self_test(context, context->self_test);
    vkr_destroy_pipelines(context);
    if (context->pipeline_layout)
        context->vk.vkDestroyPipelineLayout(context->device, context->pipeline_layout, allocator);
    if (context->set_layout)
        context->vk.vkDestroyDescriptorSetLayout(context->device, context->set_layout, allocator);
    pthread_mutex_destroy(&context->lock);
    if (context->loader)
        dlclose(context->loader);
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
        .rung = caps->rung,
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
