/* SPDX-License-Identifier: MIT */
/* Queries a physical device: required and usable features, and the effect of each that is
 * missing. */
#include <string.h>

#include "context.h"
#include "device.h"
#include "features.h"
#include "memory.h"
#include "message.h"
#include "step.h"

enum row {
    ROW_VERSION,
    ROW_BUFFERS,
    ROW_ARITHMETIC,
    ROW_SHUFFLE,
    ROW_PUSH_DESCRIPTOR,
    ROW_SIZE_CONTROL,
    ROW_STORAGE8,
    ROW_STORAGE16,
    ROW_INT64,
    ROW_FLOAT64,
    ROW_WITHOUT_FORMAT,
    ROW_EXTENDED_FORMATS,
    ROW_COUNT
};

static const VkrRequirement rows[ROW_COUNT] = {
    [ROW_VERSION] = {.name = "Vulkan 1.1",
                     .required = VK_TRUE,
                     .without = "The library cannot be used."},
    [ROW_BUFFERS] = {.name = "maxPerStageDescriptorStorageBuffers of 8",
                     .required = VK_TRUE,
                     .without = "The library cannot be used."},
    [ROW_ARITHMETIC] = {.name = "VK_SUBGROUP_FEATURE_ARITHMETIC_BIT in compute shaders",
                        .without = "Subgroups combine values by shuffles."},
    [ROW_SHUFFLE] = {.name = "VK_SUBGROUP_FEATURE_SHUFFLE_BIT and BALLOT_BIT in compute shaders",
                     .without = "Workgroups combine values in shared memory."},
    [ROW_PUSH_DESCRIPTOR] = {.feature = VKR_FEATURE_PUSH_DESCRIPTOR,
                             .name = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                             .without = "Recorders allocate descriptor sets from pools."},
    [ROW_SIZE_CONTROL] = {.feature = VKR_FEATURE_SUBGROUP_SIZE_CONTROL,
                          .name = "subgroupSizeControl and computeFullSubgroups",
                          .without = "The subgroup size that the device reports is trusted."},
    [ROW_STORAGE8] = {.feature = VKR_FEATURE_STORAGE_8BIT,
                      .name = "storageBuffer8BitAccess",
                      .without = "Elements of type i8 and u8 are unsupported."},
    [ROW_STORAGE16] = {.feature = VKR_FEATURE_STORAGE_16BIT,
                       .name = "storageBuffer16BitAccess",
                       .without = "Elements of type i16, u16, f16 and bf16 are unsupported."},
    [ROW_INT64] = {.feature = VKR_FEATURE_INT64,
                   .name = "shaderInt64",
                   .without = "Elements and accumulators of type i64, u64 and f64 are "
                              "unsupported."},
    [ROW_FLOAT64] = {.feature = VKR_FEATURE_FLOAT64,
                     .name = "shaderFloat64",
                     .without = "Elements and accumulators of type f64 are unsupported."},
    [ROW_WITHOUT_FORMAT] = {.feature = VKR_FEATURE_WRITE_WITHOUT_FORMAT,
                            .name = "shaderStorageImageWriteWithoutFormat",
                            .without = "Levels of pyramids need formats that SPIR-V can name."},
    [ROW_EXTENDED_FORMATS] = {.feature = VKR_FEATURE_EXTENDED_FORMATS,
                              .name = "shaderStorageImageExtendedFormats",
                              .without =
                                  "If shaderStorageImageWriteWithoutFormat is missing too, levels "
                                  "of pyramids need formats that every device writes."},
};
_Static_assert(ROW_COUNT <= VKR_MAX_REQUIREMENTS, "VKR_MAX_REQUIREMENTS");

static const struct {
    VkrFeature feature;
    const char *name;
    uint32_t promoted; /* the first version of Vulkan that needs no extension for it */
} extensions[] = {
    {VKR_FEATURE_PUSH_DESCRIPTOR, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, UINT32_MAX},
    {VKR_FEATURE_STORAGE_8BIT, VK_KHR_8BIT_STORAGE_EXTENSION_NAME, VK_API_VERSION_1_2},
    {VKR_FEATURE_SUBGROUP_SIZE_CONTROL, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
     VK_API_VERSION_1_3},
};
_Static_assert(VKR_ARRAY_SIZE(extensions) <= VKR_MAX_EXTENSIONS, "VKR_MAX_EXTENSIONS");

struct functions {
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkEnumerateDeviceExtensionProperties extensions;
};

const char *vkr_feature_extension(VkrFeature feature, uint32_t version)
{
    for (size_t i = 0; i < VKR_ARRAY_SIZE(extensions); i++) {
        if (extensions[i].feature == feature && version < extensions[i].promoted)
            return extensions[i].name;
    }
    return NULL;
}

const char *vkr_feature_name(VkrFeatureFlags features)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        if ((uint32_t)rows[i].feature & features)
            return rows[i].name;
    }
    return "?";
}

static bool load_functions(struct functions *vk, PFN_vkGetInstanceProcAddr get, VkInstance instance)
{
    vk->properties = (PFN_vkGetPhysicalDeviceProperties)vkr_load_instance(
        get, instance, "vkGetPhysicalDeviceProperties");
    vk->properties2 = (PFN_vkGetPhysicalDeviceProperties2)vkr_load_instance(
        get, instance, "vkGetPhysicalDeviceProperties2");
    vk->features2 = (PFN_vkGetPhysicalDeviceFeatures2)vkr_load_instance(
        get, instance, "vkGetPhysicalDeviceFeatures2");
    vk->extensions = (PFN_vkEnumerateDeviceExtensionProperties)vkr_load_instance(
        get, instance, "vkEnumerateDeviceExtensionProperties");
    return vk->properties && vk->properties2 && vk->features2 && vk->extensions;
}

static bool has_extension(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

static uint32_t count_multiprocessors(const struct functions *vk, VkPhysicalDevice physical_device)
{
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV found = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &found};
    vk->properties2(physical_device, &properties);
    return found.shaderSMCount;
}

/* The features that need no extension at this version, and those whose extension is available; and
 * what other extensions tell about the device. */
static VkrResult reachable_features(struct VkrContext_T *context, const char *call,
                                    const struct functions *vk, VkPhysicalDevice physical_device,
                                    vkr_device_facts *facts, VkrFeatureFlags *reachable)
{
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    VkResult result = VK_INCOMPLETE;
    for (int attempt = 0; attempt < 8 && result == VK_INCOMPLETE; attempt++) {
        vkr_free(context, list);
        list = NULL;
        result = vk->extensions(physical_device, NULL, &count, NULL);
        if (result || !count)
            break;
        list = vkr_alloc(context, count * sizeof *list);
        if (!list)
            return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                            "%s: out of host memory for %u extension names.", call, count);
        result = vk->extensions(physical_device, NULL, &count, list);
    }
    if (result) {
        vkr_free(context, list);
        return vkr_fail_vk(context, result, "vkEnumerateDeviceExtensionProperties");
    }

    facts->portability_subset = has_extension(list, count, "VK_KHR_portability_subset");
    if (has_extension(list, count, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME))
        facts->multiprocessors = count_multiprocessors(vk, physical_device);
    *reachable = 0;
    for (uint32_t bit = 0; bit < VKR_FEATURE_BITS; bit++) {
        const char *name = vkr_feature_extension((VkrFeature)(1u << bit), facts->version);
        if (!name || has_extension(list, count, name))
            *reachable |= 1u << bit;
    }
    vkr_free(context, list);
    return VKR_SUCCESS;
}

/* Clears the feature structures and chains those that the device can fill in. */
static void chain_features(VkrDeviceRequirements *requirements, VkrFeatureFlags reachable)
{
    void *next = NULL;
    requirements->subgroupSizeControl = (VkPhysicalDeviceSubgroupSizeControlFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    if (reachable & VKR_FEATURE_SUBGROUP_SIZE_CONTROL)
        next = &requirements->subgroupSizeControl;
    requirements->storage8 = (VkPhysicalDevice8BitStorageFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, .pNext = next};
    if (reachable & VKR_FEATURE_STORAGE_8BIT)
        next = &requirements->storage8;
    requirements->storage16 = (VkPhysicalDevice16BitStorageFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, .pNext = next};
    requirements->features = (VkPhysicalDeviceFeatures2){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &requirements->storage16};
}

/* Queries the device for the features in the chain, and then clears those that the library does not
 * use. */
static VkrFeatureFlags query_features(const struct functions *vk, VkPhysicalDevice physical_device,
                                      VkrFeatureFlags reachable,
                                      VkrDeviceRequirements *requirements)
{
    chain_features(requirements, reachable);
    vk->features2(physical_device, &requirements->features);
    VkrFeatureFlags features = vkr_read_features(&requirements->features, NULL) |
                               (reachable & VKR_FEATURE_PUSH_DESCRIPTOR);
    if (!(features & VKR_FEATURE_INT64))
        features &= ~(VkrFeatureFlags)VKR_FEATURE_FLOAT64;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        VkrRequirement *row = &requirements->requirements[i];
        row->available = ((VkrFeatureFlags)row->feature & features) != 0;
    }
    chain_features(requirements, reachable);
    (void)vkr_write_features(&requirements->features, NULL, features);
    return features;
}

static void query_properties(const struct functions *vk, VkPhysicalDevice physical_device,
                             vkr_device_facts *facts, VkrDeviceRequirements *requirements)
{
    VkrRequirement *row = requirements->requirements;
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
        .pNext = row[ROW_SIZE_CONTROL].available ? &control : NULL};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vk->properties2(physical_device, &properties);

    VkSubgroupFeatureFlags operations =
        subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT ? subgroup.supportedOperations : 0;
    const VkSubgroupFeatureFlags shuffle = VK_SUBGROUP_FEATURE_BASIC_BIT |
                                           VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                           VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    const VkSubgroupFeatureFlags arithmetic = shuffle | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    row[ROW_SHUFFLE].available = (operations & shuffle) == shuffle;
    row[ROW_ARITHMETIC].available = (operations & arithmetic) == arithmetic;
    row[ROW_BUFFERS].available =
        facts->properties.limits.maxPerStageDescriptorStorageBuffers >= VKR_MAX_BUFFERS;

    facts->group_path = row[ROW_ARITHMETIC].available ? VKR_GROUP_PATH_ARITHMETIC
                        : row[ROW_SHUFFLE].available  ? VKR_GROUP_PATH_SHUFFLE
                                                      : VKR_GROUP_PATH_SHARED;
    facts->subgroup_size = subgroup.subgroupSize;
    facts->min_subgroup_size =
        control.minSubgroupSize ? control.minSubgroupSize : subgroup.subgroupSize;
    facts->max_subgroup_size =
        control.maxSubgroupSize ? control.maxSubgroupSize : subgroup.subgroupSize;
}

static void summarize(VkrDeviceRequirements *requirements, uint32_t version)
{
    requirements->usable = VK_TRUE;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        const VkrRequirement *row = &requirements->requirements[i];
        if (row->required && !row->available)
            requirements->usable = VK_FALSE;
        const char *extension = vkr_feature_extension(row->feature, version);
        if (extension && row->available)
            requirements->extensions[requirements->extensionCount++] = extension;
    }
}

VkrResult vkr_find_loader(struct VkrContext_T *context, const char *call)
{
    if (!context->get_instance_proc_addr)
        context->get_instance_proc_addr = vkr_open_loader(&context->loader);
    if (context->get_instance_proc_addr)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_VULKAN, "%s: getInstanceProcAddr is NULL, but %s be opened.",
                    call, vkr_loader_names);
}

VkrResult vkr_check_version(const struct VkrContext_T *context, const char *call, uint32_t version)
{
    if (!version || version >= VK_API_VERSION_1_1)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                    "%s: apiVersion is %u.%u, but must be 0 or at least 1.1.", call,
                    VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
}

VkrResult vkr_check_handle(const struct VkrContext_T *context, const char *call, const char *name,
                           const void *handle)
{
    if (handle)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                    "%s: %s is VK_NULL_HANDLE, but must be a valid handle.", call, name);
}

VkrResult vkr_query_device(struct VkrContext_T *context, const char *call, uint32_t version,
                           vkr_device_facts *facts, VkrDeviceRequirements *requirements)
{
    const VkPhysicalDevice physical_device = context->physical_device;
    struct functions vk;
    if (!version)
        version = VK_API_VERSION_1_1;
    if (!load_functions(&vk, context->get_instance_proc_addr, context->instance))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: getInstanceProcAddr lacks functions for the instance, but must have "
                        "all of Vulkan 1.1.",
                        call);
    *facts = (vkr_device_facts){.group_path = VKR_GROUP_PATH_SHARED};
    vk.properties(physical_device, &facts->properties);
    const uint32_t device_version = facts->properties.apiVersion;
    facts->version = version < device_version ? version : device_version;
    const bool usable = facts->version >= VK_API_VERSION_1_1;

    VkrFeatureFlags reachable = 0;
    if (usable)
        VKR_TRY(reachable_features(context, call, &vk, physical_device, facts, &reachable));
    *requirements = (VkrDeviceRequirements){.requirementCount = ROW_COUNT};
    memcpy(requirements->requirements, rows, sizeof rows);
    chain_features(requirements, 0);
    if (!usable)
        return VKR_SUCCESS;
    facts->features = query_features(&vk, physical_device, reachable, requirements);
    requirements->requirements[ROW_VERSION].available = VK_TRUE;
    query_properties(&vk, physical_device, facts, requirements);
    summarize(requirements, facts->version);
    return VKR_SUCCESS;
}

static VkrResult get_requirements(struct VkrContext_T *context,
                                  const VkrDeviceRequirementsInfo *info,
                                  VkrDeviceRequirements *requirements)
{
    static const char call[] = "vkrGetDeviceRequirements";
    vkr_device_facts facts;
    if (!requirements)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: requirements is NULL, but must point to a VkrDeviceRequirements.",
                        call);
    VKR_TRY(vkr_check_handle(context, call, "instance", info->instance));
    VKR_TRY(vkr_check_handle(context, call, "physicalDevice", info->physicalDevice));
    VKR_TRY(vkr_check_version(context, call, info->apiVersion));
    VKR_TRY(vkr_find_loader(context, call));
    return vkr_query_device(context, call, info->apiVersion, &facts, requirements);
}

VkrResult vkrGetDeviceRequirements(const VkrDeviceRequirementsInfo *info,
                                   VkrDeviceRequirements *requirements)
{
    if (!info)
        return VKR_ERROR_INVALID_ARGUMENT;
    struct VkrContext_T context = {
        .instance = info->instance,
        .physical_device = info->physicalDevice,
        .get_instance_proc_addr = info->getInstanceProcAddr,
        .message = info->message,
        .message_data = info->messageData,
    };
    const VkrResult result = get_requirements(&context, info, requirements);
    if (context.loader)
        vkr_close_loader(context.loader);
    return result;
}
