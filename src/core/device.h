/* SPDX-License-Identifier: MIT */
/* The features that the library requires of a physical device, and those that it can use. */
#ifndef VKR_DEVICE_H
#define VKR_DEVICE_H

#include "base.h"

/* The properties of a physical device, as far as the application's API version makes them
 * usable. */
typedef struct vkr_device_facts {
    uint32_t version; /* the lower one of the application's and the device's */
    VkPhysicalDeviceProperties properties;
    VkrFeatureFlags features; /* the available ones among those that the library can use */
    VkrGroupPath group_path;  /* the best one that the device has */
    uint32_t subgroup_size;
    uint32_t min_subgroup_size; /* without subgroup size control both are subgroup_size */
    uint32_t max_subgroup_size;
    uint32_t multiprocessors; /* 0: the device does not say how many there are */
    bool portability_subset;  /* the device has VK_KHR_portability_subset */
} vkr_device_facts;

/* Checks that vkrGetDeviceRequirements and vkrCreateContext share; `call` is the name of the
 * calling function, for the message. */
VkrResult vkr_check_handle(const struct VkrContext_T *context, const char *call, const char *name,
                           const void *handle);
VkrResult vkr_check_version(const struct VkrContext_T *context, const char *call, uint32_t version);

/* Opens the system's Vulkan loader if the caller gave no vkGetInstanceProcAddr; then
 * context->loader must be closed. */
VkrResult vkr_find_loader(struct VkrContext_T *context, const char *call);

/* Queries the context's physical device, with the context's allocator and messages. */
VkrResult vkr_query_device(struct VkrContext_T *context, const char *call, uint32_t version,
                           vkr_device_facts *facts, VkrDeviceRequirements *requirements);

/* The extension that a feature needs at an API version, or NULL if it needs none. */
const char *vkr_feature_extension(VkrFeature feature, uint32_t version);

/* Vulkan's name of the first feature of a set. */
const char *vkr_feature_name(VkrFeatureFlags features);

#endif
