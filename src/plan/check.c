/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>

VkrResult vkr_check_query(const vkr_walk *w, const void *info, const char *info_type,
                          const void *answer, const char *field, const char *answer_type)
{
    VKR_MUST(w, info != NULL, "info is NULL, but must point to a %s.", info_type);
    VKR_MUST(w, answer != NULL, "%s is NULL, but must point to a %s.", field, answer_type);
    return vkr_check_device(w->context, w->call);
}

/* ---- Views ---- */

static VkrResult check_supported(const vkr_walk *w, const char *field, const char *member,
                                 VkrType type, bool by_words)
{
    const bool are_words = by_words && !vkr_types[type].is_float;
    const VkrFeatureFlags unused = are_words ? VKR_FEATURE_INT64 : (VkrFeatureFlags)0;
    const VkrFeatureFlags missing = vkr_types[type].features & ~unused & ~w->context->caps.features;
    VKR_NEED(w, missing == 0,
             "%s%s is %s, but must be a type that the context supports: this one needs %s.", field,
             member, vkr_types[type].name, vkr_feature_name(missing));
    return VKR_SUCCESS;
}

static VkrResult check_type(const vkr_walk *w, const char *field, VkrType type)
{
    VKR_MUST(w, type != VKR_TYPE_UNDEFINED && (uint32_t)type < VKR_TYPE_COUNT,
             "%s.type is %d, but must be one of VKR_TYPE_I8 (%d) to VKR_TYPE_BF16 (%d).", field,
             (int)type, VKR_TYPE_I8, VKR_TYPE_BF16);
    return check_supported(w, field, ".type", type, w->by_words);
}

VkrResult vkr_check_computed(const vkr_walk *w, const char *field, VkrType type)
{
    return check_supported(w, field, ".type", type, false);
}

static VkrResult check_end(const vkr_walk *w, const char *field, VkDeviceSize offset,
                           VkDeviceSize size)
{
    VKR_MUST_BE(w, size <= UINT64_MAX - offset, field, ".size", size,
                "stay below 2^64 when offset, which is %" PRIu64 ", is added.", offset);
    return VKR_SUCCESS;
}

/* Finds the size of a view, which may reach up to the end of its buffer. */
static VkrResult check_size(const vkr_walk *w, const char *field, const VkrView *view,
                            uint64_t count, VkDeviceSize *size)
{
    const bool whole = view->size == VK_WHOLE_SIZE;
    const bool given = !whole && (view->size != 0 || !view->buffer || count == 0);
    const VkDeviceSize end = view->bufferSize;
    *size = view->size;
    VKR_MUST(w, end != VK_WHOLE_SIZE,
             "%s.bufferSize is VK_WHOLE_SIZE, but must be 0 or a number of bytes.", field);
    VKR_MUST(w, end != 0 || given,
             "%s.size is %s, but must be a number of bytes unless %s.bufferSize is given, since "
             "the size of a buffer cannot be queried.",
             field, whole ? "VK_WHOLE_SIZE" : "0", field);
    if (end == 0)
        return VKR_SUCCESS;
    VKR_MUST_BE(w, view->offset <= end, field, ".offset", view->offset,
                "be at most %" PRIu64 ", the value of %s.bufferSize.", end, field);
    const VkDeviceSize rest = end - view->offset;
    *size = whole || view->size == 0 ? rest : view->size;
    VKR_MUST_BE(w, *size <= rest, field, ".size", view->size,
                "be at most %" PRIu64 ", the rest of the buffer of %" PRIu64
                " bytes after offset %" PRIu64 ".",
                rest, end, view->offset);
    return VKR_SUCCESS;
}

/* Checks that a number of bytes is a multiple of the size of a type's values. */
static VkrResult check_multiple(const vkr_walk *w, const char *field, const char *member,
                                VkDeviceSize value, const vkr_type_info *type)
{
    VKR_MUST_BE(w, value % type->size == 0, field, member, value,
                "be a multiple of %" PRIu32 ", the size of %s.", type->size, type->name);
    return VKR_SUCCESS;
}

VkrResult vkr_check_view(const vkr_walk *w, const char *field, const VkrView *view, uint64_t count,
                         vkr_view *out)
{
    VkDeviceSize size = 0;
    VKR_MUST(w, view->image == NULL,
             "%s.image is given, but must be NULL: only a buffer can be used.", field);
    VKR_MUST(w, view->map == NULL,
             "%s.map is given, but must be NULL: only what is read can be mapped.", field);
    VKR_TRY(check_type(w, field, view->type));
    VKR_MUST_BE(w, view->components <= VKR_MAX_COMPONENTS, field, ".components", view->components,
                "be 0 (for 1) to %u.", VKR_MAX_COMPONENTS);
    const vkr_type_info *type = &vkr_types[view->type];
    const uint32_t components = view->components ? view->components : 1;
    const uint64_t element_size = (uint64_t)components * type->size;
    VKR_TRY(check_multiple(w, field, ".offset", view->offset, type));
    if (view->size != VK_WHOLE_SIZE)
        VKR_TRY(check_end(w, field, view->offset, view->size));
    VKR_TRY(check_size(w, field, view, count, &size));
    VKR_TRY(check_multiple(w, field, ".stride", view->stride, type));
    VKR_MUST_BE(w, view->stride == 0 || view->stride >= element_size, field, ".stride",
                view->stride, "be 0 or at least %" PRIu64 ", the size of an element.",
                element_size);
    *out = (vkr_view){
        .buffer = view->buffer,
        .offset = view->offset,
        .size = size,
        .type = type,
        .type_id = view->type,
        .components = components,
        .stride = view->stride ? view->stride : element_size,
        .texels = view->texels,
    };
    out->capacity = vkr_view_capacity(out, element_size);
    return VKR_SUCCESS;
}

VkrResult vkr_check_texels(const vkr_walk *w, const char *field, const VkrTexels *texels,
                           const char *what, VkDeviceSize offset, VkDeviceSize size)
{
    const bool outside = texels->offset > offset || texels->size > UINT64_MAX - texels->offset ||
                         texels->offset + texels->size + VKR_PACK <= offset + size;
    VKR_MUST(w, !texels->view || !outside,
             "%s.texels is %" PRIu64 " bytes at %" PRIu64 ", but must hold %s's %" PRIu64
             " bytes at %" PRIu64 ", all but at most 15 at the end.",
             field, texels->size, texels->offset, what, size, offset);
    return VKR_SUCCESS;
}

VkrResult vkr_check_buffer(const vkr_walk *w, const char *field, const vkr_view *view)
{
    VKR_TRY(vkr_check_texels(w, field, &view->texels, "the view", view->offset, view->size));
    VKR_MUST(w, view->buffer || view->size == 0,
             "%s.buffer is VK_NULL_HANDLE, but must be a buffer where size is not 0.", field);
    return VKR_SUCCESS;
}

VkrResult vkr_check_number(const vkr_walk *w, const char *name, uint64_t number, const char *field,
                           const vkr_view *view, uint64_t *count)
{
    *count = number == VKR_COUNT_ALL ? view->capacity : number;
    VKR_MUST_BE(w, *count <= view->capacity, "", name, *count,
                "be VKR_COUNT_ALL or at most %" PRIu64 ", the number of elements that %s holds.",
                view->capacity, field);
    return VKR_SUCCESS;
}

VkrResult vkr_check_count(vkr_walk *w, uint64_t count, const vkr_view *input)
{
    w->held = input->capacity;
    return vkr_check_number(w, "count", count, "input", input, &w->count);
}

VkrResult vkr_check_holds(const vkr_walk *w, const char *field, const vkr_view *view)
{
    VKR_MUST(w, view->capacity >= w->count,
             "%s.size is %" PRIu64 ", which is %" PRIu64 " elements, but must hold the %" PRIu64
             " of count.",
             field, view->size, view->capacity, w->count);
    return VKR_SUCCESS;
}

void vkr_note_count(const vkr_walk *w, const char *input)
{
    /* A context is never a constant object, and this is all that planners change of it. */
    atomic_bool *noted = (atomic_bool *)&w->context->noted_count;
    if (w->count == 0 && w->held != 0 && !atomic_exchange(noted, true))
        vkr_note(w->context,
                 "%s: count is 0, so no element is used, although %s holds %" PRIu64
                 "; VKR_COUNT_ALL stands for all of them.",
                 w->call, input, w->held);
}

/* ---- Ranges ---- */

VkrResult vkr_check_range(const vkr_walk *w, const char *field, const VkrBufferRange *range,
                          VkDeviceSize alignment, VkDeviceSize size)
{
    VKR_MUST(w, range->buffer, "%s.buffer is VK_NULL_HANDLE, but must be a buffer.", field);
    VKR_MUST_BE(w, range->offset % alignment == 0, field, ".offset", range->offset,
                "be a multiple of %" PRIu64 ".", alignment);
    VKR_MUST_BE(w, range->size >= size, field, ".size", range->size, "be at least %" PRIu64 ".",
                size);
    VKR_MUST(w, range->size != VK_WHOLE_SIZE,
             "%s.size is VK_WHOLE_SIZE, but must be a number of bytes.", field);
    return check_end(w, field, range->offset, range->size);
}

/* ---- Types, operators, choices ---- */

VkrResult vkr_check_accumulator(const vkr_walk *w, const vkr_type_info *type, VkrType asked,
                                VkrType *accumulator)
{
    *accumulator = asked == VKR_TYPE_UNDEFINED ? type->accumulator : asked;
    const bool wide = type->wide != VKR_TYPE_UNDEFINED;
    if (*accumulator == type->accumulator)
        return VKR_SUCCESS;
    VKR_MUST(w, wide && asked == type->wide,
             "accumulator is %s (%d), but for elements of type %s must be undefined, %s%s%s.",
             vkrTypeName(asked), (int)asked, type->name, vkrTypeName(type->accumulator),
             wide ? " or " : "", wide ? vkrTypeName(type->wide) : "");
    return check_supported(w, "accumulator", "", asked, false);
}

VkrResult vkr_check_operator(const vkr_walk *w, const char *field, const vkr_op_info *op,
                             const vkr_type_info *type)
{
    VKR_MUST(w, op->elements != VKR_OP_OF_INTEGERS || !type->is_float,
             "%s %s, but input.type is %s, and this operator needs an integer type.", field,
             op->name, type->name);
    return VKR_SUCCESS;
}

VkrResult vkr_check_choice(const vkr_walk *w, const char *field, int value, int count)
{
    VKR_MUST(w, value >= 0 && value < count, "%s is %d, but must be 0 to %d.", field, value,
             count - 1);
    return VKR_SUCCESS;
}

VkrResult vkr_check_bits(const vkr_walk *w, uint32_t flags, vkr_flag_type type)
{
    VKR_MUST(w, (flags & ~vkr_known_flags(type)) == 0,
             "flags is %s, but must have only bits of %s.", vkr_flag_names(type, flags).text,
             vkr_flag_type_name(type));
    return VKR_SUCCESS;
}

VkrResult vkr_check_offsets(const vkr_walk *w, const VkrSegments *segments, uint64_t *count)
{
    const uint32_t unit = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    VKR_TRY(vkr_check_number_type(w, "segments.offsetType", segments->offsetType));
    VKR_MUST(w, segments->offsets.size != VK_WHOLE_SIZE,
             "segments.offsets.size is VK_WHOLE_SIZE, but must be a number of bytes, since each "
             "offset but the last starts a segment.");
    VKR_MUST_BE(w, segments->offsets.size >= unit, "segments", ".offsets.size",
                segments->offsets.size, "hold at least one offset of %u bytes.", unit);
    *count = segments->offsets.size / unit - 1;
    return VKR_SUCCESS;
}

VkrResult vkr_check_rows_apart(const vkr_walk *w, const VkrSegments *segments)
{
    VKR_MUST_BE(w, segments->pitch == 0 || segments->pitch >= segments->length, "segments",
                ".pitch", segments->pitch,
                "be 0 or at least segments.length, which is %" PRIu64 ".", segments->length);
    return VKR_SUCCESS;
}

VkrResult vkr_check_number_type(const vkr_walk *w, const char *field, VkrType type)
{
    VKR_MUST(w, type == VKR_TYPE_UNDEFINED || type == VKR_TYPE_U32 || type == VKR_TYPE_U64,
             "%s is %d, but must be VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64.",
             field, (int)type);
    return VKR_SUCCESS;
}

VkrResult vkr_check_gpu_count(const vkr_walk *w, const char *field, const VkrGpuCount *count)
{
    char name[64];
    if (!count->buffer)
        return VKR_SUCCESS;
    (void)snprintf(name, sizeof(name), "%s.type", field);
    VKR_TRY(vkr_check_number_type(w, name, count->type));
    VKR_MUST_BE(w, count->offset % 4 == 0, field, ".offset", count->offset, "be a multiple of 4.");
    VKR_MUST_BE(w, count->offset <= UINT64_MAX - sizeof(uint64_t), field, ".offset", count->offset,
                "lie inside the buffer.");
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

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
    count = vkr_min(count, view->capacity);
    const VkDeviceSize size = count ? (count - 1) * view->stride + vkr_element_size(view) : 0;
    return vkr_region_of_bytes(name, view->buffer, view->offset, size, written);
}

vkr_region vkr_region_of_count(const char *name, const VkrGpuCount *count)
{
    return vkr_region_of_bytes(name, count->buffer, count->offset,
                               count->type == VKR_TYPE_U64 ? 8 : 4, false);
}

VkrResult vkr_check_regions(const vkr_walk *w, const vkr_region *regions, size_t count,
                            const char *must)
{
    for (size_t i = 0; i + 1 < count; i++)
        VKR_TRY(vkr_check_disjoint(w, &regions[i], &regions[i + 1], count - i - 1, must));
    return VKR_SUCCESS;
}

VkrResult vkr_check_disjoint(const vkr_walk *w, const vkr_region *a, const vkr_region *others,
                             size_t count, const char *must)
{
    for (const vkr_region *b = others; b < others + count; b++) {
        const bool exist = a->range.buffer && a->range.size && b->range.buffer && b->range.size;
        VKR_MUST(w, !exist || !(a->written || b->written) || !vkr_overlap(&a->range, &b->range),
                 "%s overlaps %s, but must %s.", a->name, b->name, must);
    }
    return VKR_SUCCESS;
}
