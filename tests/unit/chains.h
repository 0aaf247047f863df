/* SPDX-License-Identifier: MIT */
/* An application with feature structures of its own, on a stub of a device that has everything that
 * the library can use. */
#ifndef VKR_TESTS_CHAINS_H
#define VKR_TESTS_CHAINS_H

#include "trace.h"

#define ALL_BITS (0xffu & ~(uint32_t)VKR_FEATURE_PUSH_DESCRIPTOR) /* what chains can enable */
#define CORE_BITS                                                                                  \
    ((uint32_t)VKR_FEATURE_INT64 | (uint32_t)VKR_FEATURE_FLOAT64 |                                 \
     (uint32_t)VKR_FEATURE_WRITE_WITHOUT_FORMAT | (uint32_t)VKR_FEATURE_EXTENDED_FORMATS)
#define STORAGE16 ((uint32_t)VKR_FEATURE_STORAGE_16BIT)
#define STORAGE8 ((uint32_t)VKR_FEATURE_STORAGE_8BIT)
#define SIZE_CONTROL ((uint32_t)VKR_FEATURE_SUBGROUP_SIZE_CONTROL)

/* Describes a context on such a device in fixture.info, without a feature chain, and returns what
 * must be enabled. */
void describe_all(uint32_t version, VkrDeviceRequirements *requirements);

enum part { CORE, V11, V12, V13, S16, S8, SIZES, OTHER, PART_COUNT };

/* Each structure can be in the chain; `plain` is for VkDeviceCreateInfo::pEnabledFeatures. */
typedef struct application {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
    VkPhysicalDeviceShaderFloat16Int8Features other; /* the library uses nothing of it */
    VkPhysicalDeviceFeatures plain;
} application;

/* Enables some features for the application itself. Returns a chain of the parts in `bits`, the
 * last part first. */
void *make_chain(application *a, uint32_t bits);

/* Sets, by hand, the features that vkrEnableFeatures must set: in the parts in `bits`, and, if
 * `plain` is true, in the member `plain`. */
void expect_bits(application *a, uint32_t bits, bool plain, VkrFeatureFlags features);

#endif
