/* SPDX-License-Identifier: MIT */
/* The image formats that SPIR-V can name. */
#ifndef VKR_SPIRV_FORMATS_H
#define VKR_SPIRV_FORMATS_H

#include "../core/base.h"

/* Returns SPIR-V's number for a format, or 0 if it has none, and the features that writing it
 * needs. */
uint32_t vkr_spirv_format(VkFormat format, VkrFeatureFlags *features);

#endif
