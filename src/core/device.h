/* SPDX-License-Identifier: MIT */
/* What a physical device must have, and what the library can use of it. */
#ifndef VKR_DEVICE_H
#define VKR_DEVICE_H

#include "base.h"

/* What a physical device has, as far as the application's API version lets it be used. */
typedef struct vkr_device_facts {
    uint32_t version; /* the lesser of the application's and the device's */
    VkPhysicalDeviceProperties properties;
    VkrRung rung; /* the best one */
    uint32_t subgroup_size;
    uint32_t min_subgroup_size; /* both are subgroup_size without subgroup size control */
    uint32_t max_subgroup_size;
} vkr_device_facts;

/* What vkrGetDeviceRequirements and vkrCreateContext check alike; `call` goes into the sentence. */
VkrResult vkr_check_handle(const struct VkrContext_T *context, const char *call, const char *name,
                           const void *handle);
VkrResult vkr_check_version(const struct VkrContext_T *context, const char *call, uint32_t version);

/* Where the caller gave no vkGetInstanceProcAddr, opens the system's Vulkan loader; context->loader
 * is then for dlclose. */
VkrResult vkr_find_loader(struct VkrContext_T *context, const char *call);

/* Of the context's physical device, with its memory and messages. */
VkrResult vkr_query_device(struct VkrContext_T *context, const char *call, uint32_t version,
                           vkr_device_facts *facts, VkrDeviceRequirements *requirements);

/* The extension that a feature needs at an API version, or NULL. */
const char *vkr_feature_extension(VkrFeature feature, uint32_t version);

/* What Vulkan calls the first feature of a set. */
const char *vkr_feature_name(VkrFeatureFlags features);

#endif
