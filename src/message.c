/* SPDX-License-Identifier: MIT */
/* Errors: a result, and one sentence for the message callback. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

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

VkrResult vkr_fail(const struct VkrContext_T *context, VkrResult result, const char *format, ...)
{
    if (!context || !context->message)
        return result;
    char sentence[MAX_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    context->message(context->message_data, result, sentence);
    return result;
}

VkrResult vkr_fail_left_out(const struct VkrContext_T *context, const char *call,
                            const vkr_type_info *type, bool wide)
{
    return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                    "%s: input.type is %s%s%s, but this build of the library has no kernels for it "
                    "(see its option types).",
                    call, type->name, wide ? " and accumulator " : "",
                    wide ? vkrTypeName(type->wide) : "");
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
