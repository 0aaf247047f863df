/* SPDX-License-Identifier: MIT */
/* Errors: a result, and one sentence for the message callback. */
#ifndef VKR_MESSAGE_H
#define VKR_MESSAGE_H

#include "base.h"

#if defined(__GNUC__)
#define VKR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKR_PRINTF(text, first)
#endif

/* Formats one sentence, hands it to the message callback (if any) and returns `result`. */
VkrResult vkr_fail(const struct VkrContext_T *context, VkrResult result, const char *format, ...)
    VKR_PRINTF(3, 4);

/* The same for a failed Vulkan call: "vkCreateBuffer failed with VK_ERROR_...". The one place that
 * learns of a lost device. */
VkrResult vkr_fail_vk(struct VkrContext_T *context, VkResult result, const char *call);

/* Fails for good once the device is lost: what every public function that needs it starts with. */
VkrResult vkr_check_device(const struct VkrContext_T *context, const char *call);

#endif
