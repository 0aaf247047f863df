/* SPDX-License-Identifier: MIT */
/* Tuning rows: the built-in ones (tuning.c), and those of a profile (profile.c). */
#ifndef VKR_TUNING_H
#define VKR_TUNING_H

#include "../core/context.h"

/* Fills in the built-in rows for a device. */
void vkr_tune(const vkr_caps *caps, vkr_tunings tunings);

/* The second index of vkr_tunings for a value size of 1, 2, 4 or 8. */
uint32_t vkr_tuning_index(VkBool32 texels, uint32_t value_size);

/* Replaces rows by those in the text of a profile. */
VkrResult vkr_read_profile(const struct VkrContext_T *context, const char *profile, size_t size,
                           vkr_tunings tunings);

#endif
