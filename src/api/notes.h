/* SPDX-License-Identifier: MIT */
/* The notes of vkrCreateContext, which succeeds nevertheless. */
#ifndef VKR_NOTES_H
#define VKR_NOTES_H

#include "../core/device.h"

/* Notes features that the device has but the application did not enable, and extensions that lose
 * state in vkrEnd. */
void vkr_note_context(const struct VkrContext_T *context, const VkrContextInfo *info,
                      const vkr_device_facts *facts);

#endif
