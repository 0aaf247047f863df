/* SPDX-License-Identifier: MIT */
/* Tuning rows: the built-in ones (tuning.c), and those of a profile (profile.c). */
#ifndef VKR_TUNING_H
#define VKR_TUNING_H

#include "../core/context.h"

/* Fills in the built-in rows for a device. */
void vkr_tune(const vkr_caps *caps, vkr_tunings tunings);

/* The second index of vkr_tunings for a value size of 1, 2, 4 or 8. */
uint32_t vkr_tuning_index(VkBool32 texels, uint32_t value_size);

/* ---- profile.c, profile_read.c ---- */

#define VKR_PROFILE_HEAD "vkreduce-profile 2"
#define VKR_PROFILE_POLICY "policy" /* starts the line of a policy */
#define VKR_PROFILE_LINE 160

const char *vkr_texels_name(VkBool32 texels);

/* Returns what the first wrong field of a row must be; NULL if the row is valid. */
const char *vkr_find_tuning_mistake(const VkrTuning *row);

/* Replaces rows and policies by those in the text of a profile. */
VkrResult vkr_read_profile(const struct VkrContext_T *context, const char *profile, size_t size,
                           vkr_tunings tunings, vkr_policies policies);

#endif
