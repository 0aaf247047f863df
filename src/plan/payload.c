/* SPDX-License-Identifier: MIT */
#include "payload.h"

#include <inttypes.h>
#include <stdio.h>

/* A view whose elements have `size` bytes each and consist of units of 1, 2 or 4 bytes. */
static vkr_view in_units(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize stride, uint32_t size,
                         uint32_t unit)
{
    const VkrType type = unit == 1 ? VKR_TYPE_U8 : unit == 2 ? VKR_TYPE_U16 : VKR_TYPE_U32;
    return (vkr_view){.buffer = buffer,
                      .offset = offset,
                      .type = &vkr_types[type],
                      .components = size / unit,
                      .stride = stride != 0 ? stride : size};
}

vkr_view vkr_units_of_view(const vkr_view *view)
{
    vkr_view units =
        in_units(view->buffer, view->offset, view->stride, (uint32_t)vkr_element_size(view),
                 (uint32_t)vkr_min(view->type->size, 4));
    units.capacity = view->capacity;
    return units;
}

/* One side of a payload. Its units are as large as the size of an entry allows. */
static vkr_view entries_of(const VkrBufferRange *range, VkDeviceSize stride, uint32_t size)
{
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    return in_units(range->buffer, range->offset, stride, size, unit);
}

vkr_view vkr_view_of_source(const vkr_walk *w, const VkrPayload *p)
{
    vkr_view source = entries_of(&p->source, p->sourceStride, p->size);
    source.capacity = w->count;
    source.texels = p->texels;
    return source;
}

vkr_view vkr_view_of_target(const VkrPayload *p)
{
    vkr_view target = entries_of(&p->target, p->targetStride, p->size);
    target.size = p->target.size;
    target.capacity = vkr_view_capacity(&target, p->size);
    return target;
}

vkr_region vkr_region_of_payload(const vkr_walk *w, const VkrPayload *p, uint32_t i, bool written,
                                 uint64_t stored)
{
    const vkr_view view = written ? vkr_view_of_target(p) : vkr_view_of_source(w, p);
    char name[32];
    (void)snprintf(name, sizeof(name), "payloads[%u].%s", i, written ? "target" : "source");
    return vkr_region_of_view(name, &view, written ? vkr_min(stored, view.capacity) : view.capacity,
                              written);
}

/* Checks the stride of a payload's entries; `range` is the field of these. */
static VkrResult check_stride(const vkr_walk *w, const char *range, VkDeviceSize stride,
                              uint32_t size, uint32_t unit)
{
    VKR_MUST_BE(w, stride == 0 || (stride >= size && stride % unit == 0), range, "Stride", stride,
                "be 0 or at least %u, the size of an entry, and a multiple of %u.", size, unit);
    return VKR_SUCCESS;
}

VkrResult vkr_check_payload(const vkr_walk *w, const VkrPayload *p, uint32_t i, const char *from)
{
    const vkr_view entries = vkr_view_of_source(w, p);
    const uint32_t unit = entries.type->size;
    const VkrFeatureFlags missing = entries.type->features & ~w->context->caps.features;
    char name[32], source[40], target[40];
    (void)snprintf(name, sizeof(name), "payloads[%u]", i);
    (void)snprintf(source, sizeof(source), "%s.%s", name, from);
    (void)snprintf(target, sizeof(target), "%s.target", name);
    VKR_MUST_BE(w, p->size != 0 && p->size <= 64, name, ".size", p->size, "be 1 to 64.");
    VKR_NEED(w, missing == 0, "%s.size is %u, but must be a multiple of %u: this one needs %s.",
             name, p->size, 2 * unit, vkr_feature_name(missing));
    VKR_TRY(check_stride(w, source, p->sourceStride, p->size, unit));
    VKR_TRY(check_stride(w, target, p->targetStride, p->size, unit));
    if (w->count != 0) {
        const VkDeviceSize stride = entries.stride;
        VKR_MUST_BE(w, w->count - 1 <= (UINT64_MAX - p->size) / stride, source, "Stride", stride,
                    "be so small that count entries (%" PRIu64 ") stay below 2^64 bytes.",
                    w->count);
        VKR_TRY(vkr_check_range(w, source, &p->source, unit, (w->count - 1) * stride + p->size));
        VKR_TRY(vkr_check_texels(w, name, &p->texels, "source", p->source.offset, p->source.size));
    }
    return vkr_check_range(w, target, &p->target, unit, 0);
}

VkrResult vkr_check_payloads(const vkr_walk *w, uint32_t count, const VkrPayload *payloads)
{
    VKR_MUST(w, count == 0 || payloads != NULL,
             "payloads is NULL, but must point to the %u of payloadCount.", count);
    for (uint32_t i = 0; i < count; i++)
        VKR_TRY(vkr_check_payload(w, &payloads[i], i, "source"));
    return VKR_SUCCESS;
}
