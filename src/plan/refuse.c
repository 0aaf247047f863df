/* SPDX-License-Identifier: MIT */
#include "refuse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static VkrResult fail(const vkr_walk *w, VkrResult result, const char *format, va_list arguments)
{
    char sentence[1024];
    (void)vsnprintf(sentence, sizeof(sentence), format, arguments);
    return vkr_fail(w->context, result, "%s: %s", w->call, sentence);
}

VkrResult vkr_reject(const vkr_walk *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VkrResult result = fail(w, VKR_ERROR_INVALID_ARGUMENT, format, arguments);
    va_end(arguments);
    return result;
}

VkrResult vkr_refuse(const vkr_walk *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VkrResult result = fail(w, VKR_ERROR_UNSUPPORTED, format, arguments);
    va_end(arguments);
    return result;
}

static void put_range(const vkr_walk *w, char *text, size_t room, const char *format,
                      va_list arguments)
{
    const vkr_caps *caps = &w->context->caps;
    const int used = vsnprintf(text, room, format, arguments);
    if (used >= 0 && (size_t)used < room)
        (void)snprintf(text + used, room - (size_t)used,
                       " must fit maxStorageBufferRange (%" PRIu64
                       " bytes, less up to %u for alignment)",
                       caps->max_range, caps->granule);
}

VkrResult vkr_refuse_range(const vkr_walk *w, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    put_range(w, sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    return vkr_refuse(w, "%s.", sentence);
}

const char *vkr_range_reason(const vkr_walk *w, char text[VKR_REASON], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_range(w, text, VKR_REASON, format, arguments);
    va_end(arguments);
    return text;
}

VkrResult vkr_refuse_dispatches(const vkr_walk *w, uint32_t most, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    return vkr_refuse(
        w, "%s, but must need at most %u dispatches of maxStorageBufferRange (%" PRIu64 " bytes).",
        sentence, most, w->context->caps.max_range);
}

VkrResult vkr_refuse_items(const vkr_walk *w, const char *name, uint64_t items,
                           const vkr_place *place)
{
    const uint64_t bytes = (items - 1) * place->stride + place->size;
    if (items == 1)
        return vkr_refuse_range(w, "an item of %s, %" PRIu64 " bytes,", name, bytes);
    return vkr_refuse_range(w, "%" PRIu64 " adjacent items of %s, %" PRIu64 " bytes,", items, name,
                            bytes);
}

VkrResult vkr_reject_value(const vkr_walk *w, const char *field, const char *member, uint64_t value,
                           const char *must, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, must);
    (void)vsnprintf(sentence, sizeof(sentence), must, arguments);
    va_end(arguments);
    return vkr_reject(w, "%s%s is %" PRIu64 ", but must %s", field, member, value, sentence);
}
