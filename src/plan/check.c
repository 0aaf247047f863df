/* SPDX-License-Identifier: MIT */
/* Checks of arguments that operations have in common. */
#include <inttypes.h>
#include <stdio.h>

#include "../core/context.h"
#include "../core/device.h"
#include "../core/message.h"
#include "check.h"

static VkrResult check_type(const struct VkrContext_T *context, const char *call, const char *field,
                            VkrType type)
{
    if (type == VKR_TYPE_UNDEFINED || (uint32_t)type >= VKR_TYPE_COUNT)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.type is %d, but must be one of VKR_TYPE_I8 (%d) to VKR_TYPE_F64 "
                        "(%d).",
                        call, field, (int)type, VKR_TYPE_I8, VKR_TYPE_F64);
    const VkrFeatureFlags missing = vkr_types[type].features & ~context->caps.features;
    if (missing)
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "%s: %s.type is %s, but must be a type that the context supports: this one "
                        "needs %s.",
                        call, field, vkr_types[type].name, vkr_feature_name(missing));
    return VKR_SUCCESS;
}

/* Finds the size of a view, which may reach up to the end of its buffer. */
static VkrResult check_size(const struct VkrContext_T *context, const char *call, const char *field,
                            const VkrView *view, uint64_t count, VkDeviceSize *size)
{
    const bool whole = view->size == VK_WHOLE_SIZE;
    const VkDeviceSize end = view->bufferSize;
    *size = view->size;
    if (end == VK_WHOLE_SIZE)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.bufferSize is VK_WHOLE_SIZE, but must be 0 or a number of bytes.",
                        call, field);
    if (!end && (whole || (!view->size && view->buffer && count)))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is %s, but must be a number of bytes unless %s.bufferSize "
                        "is given, since the size of a buffer cannot be asked for.",
                        call, field, whole ? "VK_WHOLE_SIZE" : "0", field);
    if (!end)
        return VKR_SUCCESS;
    if (view->offset > end)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset is %" PRIu64 ", but must be at most %" PRIu64
                        ", the value of %s.bufferSize.",
                        call, field, view->offset, end, field);
    if (whole || !view->size)
        *size = end - view->offset;
    if (*size > end - view->offset)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is %" PRIu64 ", but must be at most %" PRIu64
                        ", what the buffer of %" PRIu64 " bytes has from offset %" PRIu64 " on.",
                        call, field, view->size, end - view->offset, end, view->offset);
    return VKR_SUCCESS;
}

static VkrResult check_range(const struct VkrContext_T *context, const char *call,
                             const char *field, const VkrView *view)
{
    const vkr_type_info *type = &vkr_types[view->type];
    if (view->offset % type->size)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset is %" PRIu64 ", but must be a multiple of %" PRIu32
                        ", the size of %s.",
                        call, field, view->offset, type->size, type->name);
    if (view->size != VK_WHOLE_SIZE && view->size > UINT64_MAX - view->offset)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is %" PRIu64 ", but must stay below 2^64 when offset, which "
                        "is %" PRIu64 ", is added.",
                        call, field, view->size, view->offset);
    return VKR_SUCCESS;
}

static VkrResult check_elements(const struct VkrContext_T *context, const char *call,
                                const char *field, const VkrView *view, uint64_t element_size)
{
    const vkr_type_info *type = &vkr_types[view->type];
    if (view->stride % type->size)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.stride is %" PRIu64 ", but must be a multiple of %" PRIu32
                        ", the size of %s.",
                        call, field, view->stride, type->size, type->name);
    if (view->stride && view->stride < element_size)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.stride is %" PRIu64 ", but must be 0 or at least %" PRIu64
                        ", the size of an element.",
                        call, field, view->stride, element_size);
    return VKR_SUCCESS;
}

VkrResult vkr_check_view(const struct VkrContext_T *context, const char *call, const char *field,
                         const VkrView *view, uint64_t count, vkr_view *out)
{
    VkDeviceSize size = 0;
    VKR_TRY(check_type(context, call, field, view->type));
    if (view->components > VKR_MAX_COMPONENTS)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.components is %" PRIu32 ", but must be 0 (for 1) to %u.", call,
                        field, view->components, VKR_MAX_COMPONENTS);
    const uint32_t components = view->components ? view->components : 1;
    const uint64_t element_size = (uint64_t)components * vkr_types[view->type].size;
    VKR_TRY(check_range(context, call, field, view));
    VKR_TRY(check_size(context, call, field, view, count, &size));
    VKR_TRY(check_elements(context, call, field, view, element_size));
    *out = (vkr_view){
        .buffer = view->buffer,
        .offset = view->offset,
        .size = size,
        .type = &vkr_types[view->type],
        .type_id = view->type,
        .components = components,
        .stride = view->stride ? view->stride : element_size,
        .texels = view->texels,
    };
    out->capacity = vkr_view_capacity(out, element_size);
    return VKR_SUCCESS;
}

uint64_t vkr_view_capacity(const vkr_view *view, uint64_t element_size)
{
    return view->size < element_size ? 0 : (view->size - element_size) / view->stride + 1;
}

VkrResult vkr_check_buffer(const struct VkrContext_T *context, const char *call, const char *field,
                           const vkr_view *view)
{
    const VkrTexels *texels = &view->texels;
    if (texels->view &&
        (texels->offset > view->offset || texels->size > UINT64_MAX - texels->offset ||
         texels->offset + texels->size + VKR_PACK <= view->offset + view->size))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.texels is %" PRIu64 " bytes at %" PRIu64
                        ", but must hold the view's %" PRIu64 " bytes at %" PRIu64
                        ", all but at most 15 at the end.",
                        call, field, texels->size, texels->offset, view->size, view->offset);
    if (view->buffer || !view->size)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                    "%s: %s.buffer is VK_NULL_HANDLE, but must be a buffer where size is not 0.",
                    call, field);
}

/* A range that must hold `size` bytes. */
VkrResult vkr_check_range(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrBufferRange *range, VkDeviceSize alignment, VkDeviceSize size)
{
    if (!range->buffer)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.buffer is VK_NULL_HANDLE, but must be a buffer.", call, field);
    if (range->offset % alignment)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset is %" PRIu64 ", but must be a multiple of %" PRIu64 ".",
                        call, field, range->offset, alignment);
    if (range->size < size)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is %" PRIu64 ", but must be at least %" PRIu64 ".", call,
                        field, range->size, size);
    if (range->size == VK_WHOLE_SIZE)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is VK_WHOLE_SIZE, but must be a number of bytes.", call,
                        field);
    if (range->size > UINT64_MAX - range->offset)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.size is %" PRIu64 ", but must stay below 2^64 when offset, which "
                        "is %" PRIu64 ", is added.",
                        call, field, range->size, range->offset);
    return VKR_SUCCESS;
}

VkrResult vkr_check_flags(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrFlagView *flags, uint64_t count)
{
    static const uint32_t unit[VKR_FLAG_FORMAT_COUNT] = {4, 1, 4};
    char name[64];
    (void)snprintf(name, sizeof(name), "%s.format", field);
    VKR_TRY(vkr_check_choice(context, call, name, (int)flags->format, VKR_FLAG_FORMAT_COUNT));
    if (flags->format == VKR_FLAGS_U8 && !(context->caps.features & VKR_FEATURE_STORAGE_8BIT))
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "%s: %s.format is VKR_FLAGS_U8, which needs %s.", call, field,
                        vkr_feature_name(VKR_FEATURE_STORAGE_8BIT));
    if (flags->format != VKR_FLAGS_BITS && count > UINT64_MAX / unit[flags->format])
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: count is %" PRIu64 ", but must be so small that %s, with %" PRIu32
                        " bytes for each flag, stays below 2^64 bytes.",
                        call, count, field, unit[flags->format]);
    uint64_t bytes = flags->format == VKR_FLAGS_BITS ? count / 32 * 4 + (count % 32 ? 4 : 0)
                                                     : count * unit[flags->format];
    (void)snprintf(name, sizeof(name), "%s.range", field);
    return bytes ? vkr_check_range(context, call, name, &flags->range, unit[flags->format], bytes)
                 : VKR_SUCCESS;
}

VkrResult vkr_check_accumulator(const struct VkrContext_T *context, const char *call,
                                const vkr_type_info *type, VkrType asked, VkrType *accumulator)
{
    *accumulator = type->accumulator;
    if (asked == VKR_TYPE_UNDEFINED || asked == type->accumulator)
        return VKR_SUCCESS;
    if (asked != type->wide || type->wide == VKR_TYPE_UNDEFINED)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: accumulator is %s (%d), but for elements of type %s must be "
                        "undefined, %s%s%s.",
                        call, vkrTypeName(asked), (int)asked, type->name,
                        vkrTypeName(type->accumulator),
                        type->wide == VKR_TYPE_UNDEFINED ? "" : " or ",
                        type->wide == VKR_TYPE_UNDEFINED ? "" : vkrTypeName(type->wide));
    const VkrFeatureFlags missing = vkr_types[asked].features & ~context->caps.features;
    if (missing)
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "%s: accumulator is %s, but must be a type that the context supports: this "
                        "one needs %s.",
                        call, vkrTypeName(asked), vkr_feature_name(missing));
    *accumulator = asked;
    return VKR_SUCCESS;
}

VkrResult vkr_check_choice(const struct VkrContext_T *context, const char *call, const char *field,
                           int value, int count)
{
    if (value >= 0 && value < count)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT, "%s: %s is %d, but must be 0 to %d.", call,
                    field, value, count - 1);
}

VkrResult vkr_check_gpu_count(const struct VkrContext_T *context, const char *call,
                              const char *field, const VkrGpuCount *count)
{
    if (!count->buffer)
        return VKR_SUCCESS;
    if (count->type != VKR_TYPE_UNDEFINED && count->type != VKR_TYPE_U32 &&
        count->type != VKR_TYPE_U64)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.type is %d, but must be VKR_TYPE_UNDEFINED (for u32), "
                        "VKR_TYPE_U32 or VKR_TYPE_U64.",
                        call, field, (int)count->type);
    if (count->offset % 4)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset is %" PRIu64 ", but must be a multiple of 4.", call, field,
                        count->offset);
    if (count->offset > UINT64_MAX - sizeof(uint64_t))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s.offset is %" PRIu64 ", but must lie inside the buffer.", call,
                        field, count->offset);
    return VKR_SUCCESS;
}

vkr_region vkr_region_of_bytes(const char *name, VkBuffer buffer, VkDeviceSize offset,
                               VkDeviceSize size, bool written)
{
    vkr_region region = {.written = written,
                         .range = {.buffer = buffer, .offset = offset, .size = size}};
    (void)snprintf(region.name, sizeof(region.name), "%s", name);
    return region;
}

vkr_region vkr_region_of_view(const char *name, const vkr_view *view, uint64_t count, bool written)
{
    count = count < view->capacity ? count : view->capacity;
    const uint64_t element_size = view->type ? (uint64_t)view->type->size * view->components : 0;
    return vkr_region_of_bytes(name, view->buffer, view->offset,
                               count ? (count - 1) * view->stride + element_size : 0, written);
}

vkr_region vkr_region_of_count(const char *name, const VkrGpuCount *count)
{
    return vkr_region_of_bytes(name, count->buffer, count->offset,
                               count->type == VKR_TYPE_U64 ? 8 : 4, false);
}

VkrResult vkr_check_apart(const struct VkrContext_T *context, const char *call, const vkr_region *a,
                          const vkr_region *b, const char *must)
{
    const bool exist = a->range.buffer && a->range.size && b->range.buffer && b->range.size;
    if (!exist || !(a->written || b->written) || !vkr_overlap(&a->range, &b->range))
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT, "%s: %s overlaps %s, but must %s.", call,
                    a->name, b->name, must);
}
