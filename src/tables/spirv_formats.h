/* SPDX-License-Identifier: MIT */
/* The image formats that SPIR-V can name. */
#ifndef VKR_SPIRV_FORMATS_H
#define VKR_SPIRV_FORMATS_H

#include "../core/base.h"

/* SPIR-V's number for a format, and the features that it takes to write it so; 0: it has none. */
uint32_t vkr_spirv_format(VkFormat format, VkrFeatureFlags *features);

#endif
