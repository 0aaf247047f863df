/* SPDX-License-Identifier: MIT */
/* What a physical device must have, and what the library can use of it. */
#ifndef VKR_DEVICE_H
#define VKR_DEVICE_H

#include "base.h"

/* What a physical device has, as far as the application's API version lets it be used. */
typedef struct vkr_device_facts {
    uint32_t version; /* the lower one of the application's and the device's */
    VkPhysicalDeviceProperties properties;
    VkrFeatureFlags features; /* what it has of what the library can use */
    VkrGroupPath group_path;  /* the best one that the device has */
    uint32_t subgroup_size;
    uint32_t min_subgroup_size; /* without subgroup size control both are subgroup_size */
    uint32_t max_subgroup_size;
} vkr_device_facts;

/* Checks that vkrGetDeviceRequirements and vkrCreateContext share; `call` is the name of the one
 * that checks, for the message. */
VkrResult vkr_check_handle(const struct VkrContext_T *context, const char *call, const char *name,
                           const void *handle);
VkrResult vkr_check_version(const struct VkrContext_T *context, const char *call, uint32_t version);

/* Opens the system's Vulkan loader if the caller gave no vkGetInstanceProcAddr; dlclose must then
 * be called with context->loader. */
VkrResult vkr_find_loader(struct VkrContext_T *context, const char *call);

/* Asks the context's physical device. Allocations and messages are those of the context. */
VkrResult vkr_query_device(struct VkrContext_T *context, const char *call, uint32_t version,
                           vkr_device_facts *facts, VkrDeviceRequirements *requirements);

/* The extension that a feature needs at an API version, or NULL if it needs none. */
const char *vkr_feature_extension(VkrFeature feature, uint32_t version);

/* Vulkan's name of the first feature of a set. */
const char *vkr_feature_name(VkrFeatureFlags features);

#endif
