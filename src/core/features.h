/* SPDX-License-Identifier: MIT */
/* The positions of Vulkan's features in an application's structures. */
#ifndef VKR_FEATURES_H
#define VKR_FEATURES_H

#include "base.h"

/* The size of a text that lists names for a sentence. */
#define VKR_MAX_NAMES 800u

/* Returns the features whose bits are all set in a chain of structures, which may be NULL, or in
 * `core`, VkDeviceCreateInfo::pEnabledFeatures, which may be NULL too. */
VkrFeatureFlags vkr_read_features(const void *chain, const VkPhysicalDeviceFeatures *core);

/* Sets the bits of these features wherever the same structures hold them, and changes nothing else.
 * Returns the features that no structure holds. */
VkrFeatureFlags vkr_write_features(void *chain, VkPhysicalDeviceFeatures *core,
                                   VkrFeatureFlags features);

/* Appends a name to a text of VKR_MAX_NAMES bytes, which starts out empty: "a, b". A name that does
 * not fit is left out. */
void vkr_add_name(char text[VKR_MAX_NAMES], const char *name);

#endif
