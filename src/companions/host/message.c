/* SPDX-License-Identifier: MIT */
/* Sentences of errors, and memory of the host. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

VkrResult host_fail(const host_voice *voice, VkrResult result, const char *format, ...)
{
    char sentence[8192];
    const int start = snprintf(sentence, sizeof(sentence), "%s: ", voice->call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + start, sizeof(sentence) - (size_t)start, format, arguments);
    va_end(arguments);
    if (voice->message != NULL)
        voice->message(voice->data, result, sentence);
    return result;
}

VkrResult host_check(const host_voice *voice, VkResult result, const char *call)
{
    static const struct {
        VkResult result;
        VkrResult code;
        const char *meaning;
    } meanings[] = {
        {VK_ERROR_OUT_OF_HOST_MEMORY, VKR_ERROR_OUT_OF_HOST_MEMORY, "out of host memory"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory"},
        {VK_ERROR_DEVICE_LOST, VKR_ERROR_DEVICE_LOST, "the device was lost"},
        {VK_ERROR_INITIALIZATION_FAILED, VKR_ERROR_VULKAN, "initialization failed"},
        {VK_ERROR_LAYER_NOT_PRESENT, VKR_ERROR_VULKAN, "a layer is not present"},
        {VK_ERROR_FEATURE_NOT_PRESENT, VKR_ERROR_UNSUPPORTED,
         "the device lacks a feature that is asked for"},
        {VK_ERROR_INCOMPATIBLE_DRIVER, VKR_ERROR_UNSUPPORTED, "no Vulkan driver is installed"},
    };
    if (result >= VK_SUCCESS)
        return VKR_SUCCESS;
    /* The text is that of a call: d->system.CreateX(.. */
    const char *end = call + strcspn(call, "("), *name = end;
    while (name > call && name[-1] != '>' && name[-1] != '.')
        name--;
    const int length = (int)(end - name);
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
        if (meanings[i].result == result)
            return host_fail(voice, meanings[i].code, "vk%.*s failed: %s.", length, name,
                             meanings[i].meaning);
    return host_fail(voice, VKR_ERROR_VULKAN, "vk%.*s failed with VkResult %d.", length, name,
                     (int)result);
}

void *host_allocate(const VkAllocationCallbacks *allocator, size_t size)
{
    if (allocator == NULL)
        return malloc(size);
    return allocator->pfnAllocation(allocator->pUserData, size, _Alignof(max_align_t),
                                    VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void host_release(const VkAllocationCallbacks *allocator, void *memory)
{
    if (allocator == NULL)
        free(memory);
    else if (memory != NULL)
        allocator->pfnFree(allocator->pUserData, memory);
}
