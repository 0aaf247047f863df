/* SPDX-License-Identifier: MIT */
/* What vkrCreateContext says although it succeeds. */
#ifndef VKR_NOTES_H
#define VKR_NOTES_H

#include "../core/device.h"

/* Notes what the device has and the application has not enabled, and which of its extensions lose
 * state in vkrEnd. */
void vkr_note_context(const struct VkrContext_T *context, const VkrContextInfo *info,
                      const vkr_device_facts *facts);

#endif
