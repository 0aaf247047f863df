/* SPDX-License-Identifier: MIT */
#include "chains.h"

#include <string.h>

/* ---- A device that has everything ---- */

static PFN_vkGetInstanceProcAddr get_inside;

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures2 *features)
{
    (void)device;
    for (VkBaseOutStructure *next = (void *)features; next; next = next->pNext) {
        VkPhysicalDevice16BitStorageFeatures *storage16 = (void *)next;
        VkPhysicalDevice8BitStorageFeatures *storage8 = (void *)next;
        VkPhysicalDeviceSubgroupSizeControlFeatures *control = (void *)next;
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            memset(&features->features, 1, sizeof features->features);
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)
            storage16->storageBuffer16BitAccess = storage16->storageInputOutput16 = VK_TRUE;
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES)
            storage8->storageBuffer8BitAccess = storage8->storagePushConstant8 = VK_TRUE;
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES)
            control->subgroupSizeControl = control->computeFullSubgroups = VK_TRUE;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice device, const char *layer,
                                                     uint32_t *count, VkExtensionProperties *list)
{
    static const VkExtensionProperties has[] = {{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, 2},
                                                {VK_KHR_8BIT_STORAGE_EXTENSION_NAME, 1},
                                                {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, 2}};
    (void)device, (void)layer;
    if (list)
        memcpy(list, has, sizeof has);
    *count = ARRAY_SIZE(has);
    return VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_function(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0)
        return (PFN_vkVoidFunction)get_features;
    if (strcmp(name, "vkEnumerateDeviceExtensionProperties") == 0)
        return (PFN_vkVoidFunction)get_extensions;
    return get_inside(instance, name);
}

void describe_all(uint32_t version, VkrDeviceRequirements *requirements)
{
    trace_describe(&(trace_device){.version = version, .built_in = true});
    get_inside = fixture.info.getInstanceProcAddr;
    fixture.info.getInstanceProcAddr = get_function;
    fixture.info.apiVersion = version;
    const VkrDeviceRequirementsInfo asked = {.instance = fixture.info.instance,
                                             .physicalDevice = fixture.info.physicalDevice,
                                             .apiVersion = version,
                                             .getInstanceProcAddr = get_function};
    assert_int_equal(vkrGetDeviceRequirements(&asked, requirements), VKR_SUCCESS);
    assert_int_equal(requirements->extensionCount, version < VK_API_VERSION_1_2 ? 3 : 1);
    fixture.info.enabledExtensionCount = requirements->extensionCount;
    fixture.info.enabledExtensions = requirements->extensions;
    fixture.info.enabledFeatureChain = NULL;
}

/* ---- The application's structures ---- */

void *make_chain(application *a, uint32_t bits)
{
    *a = (application){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features = {.geometryShader = VK_TRUE}},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                .multiview = VK_TRUE},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                .bufferDeviceAddress = VK_TRUE},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                .dynamicRendering = VK_TRUE},
        .storage16 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                      .storagePushConstant16 = VK_TRUE},
        .storage8 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
                     .uniformAndStorageBuffer8BitAccess = VK_TRUE},
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES},
        .other = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                  .shaderInt8 = VK_TRUE},
        .plain = {.wideLines = VK_TRUE}};
    void *const parts[PART_COUNT] = {&a->core,      &a->v11,      &a->v12,   &a->v13,
                                     &a->storage16, &a->storage8, &a->sizes, &a->other};
    VkBaseOutStructure *chain = NULL;
    for (uint32_t i = 0; i < PART_COUNT; i++) {
        VkBaseOutStructure *part = parts[i];
        if ((bits & 1u << i) == 0)
            continue;
        part->pNext = chain;
        chain = part;
    }
    return chain;
}

static void set_core(VkPhysicalDeviceFeatures *core, VkrFeatureFlags features)
{
    if (features & VKR_FEATURE_INT64)
        core->shaderInt64 = VK_TRUE;
    if (features & VKR_FEATURE_FLOAT64)
        core->shaderFloat64 = VK_TRUE;
    if (features & VKR_FEATURE_WRITE_WITHOUT_FORMAT)
        core->shaderStorageImageWriteWithoutFormat = VK_TRUE;
    if (features & VKR_FEATURE_EXTENDED_FORMATS)
        core->shaderStorageImageExtendedFormats = VK_TRUE;
}

void expect_bits(application *a, uint32_t bits, bool plain, VkrFeatureFlags features)
{
    if (bits & 1u << CORE)
        set_core(&a->core.features, features);
    if (plain)
        set_core(&a->plain, features);
    if (bits & 1u << V11 && features & STORAGE16)
        a->v11.storageBuffer16BitAccess = VK_TRUE;
    if (bits & 1u << S16 && features & STORAGE16)
        a->storage16.storageBuffer16BitAccess = VK_TRUE;
    if (bits & 1u << V12 && features & STORAGE8)
        a->v12.storageBuffer8BitAccess = VK_TRUE;
    if (bits & 1u << S8 && features & STORAGE8)
        a->storage8.storageBuffer8BitAccess = VK_TRUE;
    if (bits & 1u << V13 && features & SIZE_CONTROL)
        a->v13.subgroupSizeControl = a->v13.computeFullSubgroups = VK_TRUE;
    if (bits & 1u << SIZES && features & SIZE_CONTROL)
        a->sizes.subgroupSizeControl = a->sizes.computeFullSubgroups = VK_TRUE;
}
