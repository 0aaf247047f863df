/* SPDX-License-Identifier: MIT */
/* Errors and notes: a result, and one sentence for the message callback. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "context.h"
#include "message.h"

#define MAX_SENTENCE 1024

#define ROW(name)                                                                                  \
    {                                                                                              \
        name, #name                                                                                \
    }
static const struct {
    VkResult result;
    const char *name;
} vk_results[] = {
    ROW(VK_NOT_READY),
    ROW(VK_TIMEOUT),
    ROW(VK_INCOMPLETE),
    ROW(VK_PIPELINE_COMPILE_REQUIRED),
    ROW(VK_ERROR_OUT_OF_HOST_MEMORY),
    ROW(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    ROW(VK_ERROR_INITIALIZATION_FAILED),
    ROW(VK_ERROR_DEVICE_LOST),
    ROW(VK_ERROR_MEMORY_MAP_FAILED),
    ROW(VK_ERROR_LAYER_NOT_PRESENT),
    ROW(VK_ERROR_EXTENSION_NOT_PRESENT),
    ROW(VK_ERROR_FEATURE_NOT_PRESENT),
    ROW(VK_ERROR_INCOMPATIBLE_DRIVER),
    ROW(VK_ERROR_TOO_MANY_OBJECTS),
    ROW(VK_ERROR_FORMAT_NOT_SUPPORTED),
    ROW(VK_ERROR_FRAGMENTED_POOL),
    ROW(VK_ERROR_UNKNOWN),
    ROW(VK_ERROR_OUT_OF_POOL_MEMORY),
    ROW(VK_ERROR_INVALID_EXTERNAL_HANDLE),
    ROW(VK_ERROR_FRAGMENTATION),
    ROW(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
    ROW(VK_ERROR_VALIDATION_FAILED_EXT),
    ROW(VK_ERROR_INVALID_SHADER_NV),
};

static const char *const result_names[] = {
    [VKR_SUCCESS] = "VKR_SUCCESS",
    [-VKR_ERROR_INVALID_ARGUMENT] = "VKR_ERROR_INVALID_ARGUMENT",
    [-VKR_ERROR_UNSUPPORTED] = "VKR_ERROR_UNSUPPORTED",
    [-VKR_ERROR_INVALID_STATE] = "VKR_ERROR_INVALID_STATE",
    [-VKR_ERROR_NOT_PREPARED] = "VKR_ERROR_NOT_PREPARED",
    [-VKR_ERROR_SCRATCH_TOO_SMALL] = "VKR_ERROR_SCRATCH_TOO_SMALL",
    [-VKR_ERROR_OUT_OF_HOST_MEMORY] = "VKR_ERROR_OUT_OF_HOST_MEMORY",
    [-VKR_ERROR_OUT_OF_DEVICE_MEMORY] = "VKR_ERROR_OUT_OF_DEVICE_MEMORY",
    [-VKR_ERROR_DEVICE_LOST] = "VKR_ERROR_DEVICE_LOST",
    [-VKR_ERROR_VULKAN] = "VKR_ERROR_VULKAN",
    [-VKR_ERROR_TIMEOUT] = "VKR_ERROR_TIMEOUT",
};

static VkrResult translate(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return VKR_ERROR_OUT_OF_HOST_MEMORY;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return VKR_ERROR_OUT_OF_DEVICE_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return VKR_ERROR_DEVICE_LOST;
    default:
        return VKR_ERROR_VULKAN;
    }
}

static void say(const struct VkrContext_T *context, VkrResult result, const char *format,
                va_list arguments)
{
    char sentence[MAX_SENTENCE];
    if (!context || !context->message)
        return;
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    context->message(context->message_data, result, sentence);
}

VkrResult vkr_fail(const struct VkrContext_T *context, VkrResult result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(context, result, format, arguments);
    va_end(arguments);
    return result;
}

void vkr_note(const struct VkrContext_T *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(context, VKR_SUCCESS, format, arguments);
    va_end(arguments);
}

VkrResult vkr_fail_vk(struct VkrContext_T *context, VkResult result, const char *call)
{
    if (context && result == VK_ERROR_DEVICE_LOST)
        atomic_store(&context->lost, true);
    for (size_t i = 0; i < VKR_ARRAY_SIZE(vk_results); i++) {
        if (vk_results[i].result == result)
            return vkr_fail(context, translate(result), "%s failed with %s.", call,
                            vk_results[i].name);
    }
    return vkr_fail(context, translate(result), "%s failed with VkResult %" PRId32 ".", call,
                    (int32_t)result);
}

VkrResult vkr_check_device(const struct VkrContext_T *context, const char *call)
{
    if (!atomic_load(&context->lost))
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_DEVICE_LOST,
                    "%s: nothing was done, because an earlier call found the device lost; destroy "
                    "the context and its recorders.",
                    call);
}

const char *vkrResultName(VkrResult result)
{
    const int64_t index = -(int64_t)result;
    return index >= 0 && (uint64_t)index < VKR_ARRAY_SIZE(result_names) ? result_names[index] : "?";
}
