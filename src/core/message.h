/* SPDX-License-Identifier: MIT */
/* Errors and notes: a result, and one sentence for the message callback. */
#ifndef VKR_MESSAGE_H
#define VKR_MESSAGE_H

#include "base.h"

/* Returns the result of `call` from the enclosing function, unless it is VKR_SUCCESS. */
#define VKR_TRY(call)                                                                              \
    do {                                                                                           \
        const VkrResult vkr_tried = (call);                                                        \
        if (vkr_tried != VKR_SUCCESS)                                                              \
            return vkr_tried;                                                                      \
    } while (0)

#if defined(__MINGW32__) /* whose printf is otherwise that of Windows */
#define VKR_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define VKR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKR_PRINTF(text, first)
#endif

/* Formats a sentence, passes it to the message callback, if there is one, and returns `result`. */
VkrResult vkr_fail(const struct VkrContext_T *context, VkrResult result, const char *format, ...)
    VKR_PRINTF(3, 4);

/* Passes a sentence with VKR_SUCCESS: nothing failed, but the caller may have meant something
 * else. */
void vkr_note(const struct VkrContext_T *context, const char *format, ...) VKR_PRINTF(2, 3);

/* vkr_fail for a failed Vulkan call: "vkCreateBuffer failed with VK_ERROR_...". If the device was
 * lost, records that in the context. */
VkrResult vkr_fail_vk(struct VkrContext_T *context, VkResult result, const char *call);

/* Fails once the device is lost. Every public function that needs the device calls it first. */
VkrResult vkr_check_device(const struct VkrContext_T *context, const char *call);

#endif
