/* SPDX-License-Identifier: MIT */
/* Which extensions and features a device can be created with. */
#include <stdlib.h>
#include <string.h>

#include "minspec.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

minspec_device minspec_enabled;

/* ---- Extensions ---- */

VkResult minspec_list_extensions(VkPhysicalDevice physical, VkExtensionProperties **list,
                                 uint32_t *count)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        minspec_next.EnumerateDeviceExtensionProperties;
    uint32_t all = 0;
    *count = 0;
    *list = NULL;
    VkResult result = enumerate(physical, NULL, &all, NULL);
    if (result == VK_SUCCESS && (*list = calloc(all + 1, sizeof(**list))) == NULL)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        result = enumerate(physical, NULL, &all, *list);
    for (uint32_t i = 0; result == VK_SUCCESS && i < all; i++)
        if (minspec_offers_extension((*list)[i].extensionName))
            (*list)[(*count)++] = (*list)[i];
    return result;
}

static bool is_enabled(const VkDeviceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return true;
    return false;
}

static VkResult check_extensions(VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
    VkExtensionProperties *list;
    uint32_t count;
    VkResult result = minspec_list_extensions(physical, &list, &count);
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        uint32_t at = 0;
        while (at < count && strcmp(list[at].extensionName, name) != 0)
            at++;
        if (at == count)
            result = minspec_refuse(VK_ERROR_EXTENSION_NOT_PRESENT,
                                    "vkCreateDevice: the device does not have %s", name);
    }
    free(list);
    return result;
}

/* ---- Features ---- */

typedef union features {
    VkBaseInStructure base;
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control;
} features;

/* The structures that a device of Vulkan 1.1 with these extensions knows. */
static const struct {
    VkStructureType type;
    const char *extension; /* NULL: none is needed */
    size_t begin, count;   /* of its VkBool32 */
} known[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, NULL,
     offsetof(VkPhysicalDeviceFeatures2, features), sizeof(VkPhysicalDeviceFeatures) / 4},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, NULL,
     offsetof(VkPhysicalDevice16BitStorageFeatures, storageBuffer16BitAccess), 4},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, VK_KHR_8BIT_STORAGE_EXTENSION_NAME,
     offsetof(VkPhysicalDevice8BitStorageFeatures, storageBuffer8BitAccess), 3},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
     VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
     offsetof(VkPhysicalDeviceSubgroupSizeControlFeatures, subgroupSizeControl), 2},
};

/* The features that the device has in a structure of this type. */
static features available(VkPhysicalDevice physical, VkStructureType type)
{
    features core = {.core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2}};
    features other = {.base = {.sType = type}};
    if (type != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
        core.core.pNext = &other;
    minspec_get_features2(physical, &core.core);
    return core.core.pNext != NULL ? other : core;
}

static VkResult check_structure(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                const VkBaseInStructure *asked)
{
    size_t row = 0;
    while (row < ARRAY_SIZE(known) && known[row].type != asked->sType)
        row++;
    if (row == ARRAY_SIZE(known) ||
        (known[row].extension != NULL && !is_enabled(info, known[row].extension)))
        return minspec_refuse(VK_ERROR_FEATURE_NOT_PRESENT,
                              "vkCreateDevice: the device does not know the structure %d",
                              (int)asked->sType);
    const features has = available(physical, asked->sType);
    for (size_t i = 0; i < known[row].count; i++) {
        const size_t at = known[row].begin + 4 * i;
        VkBool32 wanted, there;
        memcpy(&wanted, (const char *)asked + at, 4);
        memcpy(&there, (const char *)&has + at, 4);
        if (wanted && !there)
            return minspec_refuse(VK_ERROR_FEATURE_NOT_PRESENT,
                                  "vkCreateDevice: the device lacks feature %zu of structure %d", i,
                                  (int)asked->sType);
    }
    return VK_SUCCESS;
}

static void note_features(const VkBaseInStructure *asked, minspec_device *d)
{
    const features *f = (const features *)(const void *)asked;
    switch (asked->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
        d->int64 = f->core.features.shaderInt64;
        d->float64 = f->core.features.shaderFloat64;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES:
        d->storage8 = f->storage8.storageBuffer8BitAccess;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        d->storage16 = f->storage16.storageBuffer16BitAccess;
        break;
    default:
        d->size_control =
            f->size_control.subgroupSizeControl && f->size_control.computeFullSubgroups;
        break;
    }
}

static VkResult check_features(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                               minspec_device *device)
{
    VkResult result = VK_SUCCESS;
    VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (info->pEnabledFeatures != NULL)
        core.features = *info->pEnabledFeatures;
    const VkBaseInStructure *chain = info->pNext;
    if (info->pEnabledFeatures != NULL)
        result = check_structure(physical, info, (const void *)&core);
    if (info->pEnabledFeatures != NULL && result == VK_SUCCESS)
        note_features((const void *)&core, device);
    for (; chain != NULL && result == VK_SUCCESS; chain = chain->pNext) {
        if (chain->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO)
            continue;
        result = check_structure(physical, info, chain);
        if (result == VK_SUCCESS)
            note_features(chain, device);
    }
    return result;
}

/* ---- Limits ---- */

static void note_limits(VkPhysicalDevice physical, minspec_device *device)
{
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
        .pNext = device->size_control ? &control : NULL};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    minspec_get_properties2(physical, &properties);
    device->limits = properties.properties.limits;
    device->operations = subgroup.supportedOperations;
    device->max_subgroup_size = control.maxSubgroupSize;
}

VkResult minspec_check_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              minspec_device *device)
{
    *device = (minspec_device){.push_descriptors =
                                   is_enabled(info, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)};
    VkResult result = check_extensions(physical, info);
    if (result == VK_SUCCESS)
        result = check_features(physical, info, device);
    if (result == VK_SUCCESS)
        note_limits(physical, device);
    return result;
}
