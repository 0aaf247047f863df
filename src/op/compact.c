/* SPDX-License-Identifier: MIT */
/* vkrCmdCompact: what the caller asks for, checked. */
#include "compact.h"

#include <inttypes.h>
#include <stdio.h>

#define CALL VKR_COMPACT_CALL

/* ---- Input ---- */

static bool has_no_input(const VkrCompactInfo *info)
{
    return info->predicate.kind == VKR_PREDICATE_FLAGS && info->input.buffer == VK_NULL_HANDLE &&
           info->input.size == 0 && info->input.bufferSize == 0;
}

static VkrResult check_no_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    c->walk.count = info->count;
    if (info->kept.buffer != VK_NULL_HANDLE || info->rejected.buffer != VK_NULL_HANDLE)
        return vkr_reject(
            &c->walk, "input.buffer is VK_NULL_HANDLE, but must be a buffer where %s is asked for.",
            info->kept.buffer != VK_NULL_HANDLE ? "kept" : "rejected");
    if (info->count == VKR_COUNT_ALL)
        return vkr_reject(&c->walk,
                          "count is VKR_COUNT_ALL, but must be a number where input is empty.");
    return VKR_SUCCESS;
}

static VkrResult check_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VKR_TRY(vkr_check_choice(c->context, CALL, "predicate.kind", (int)info->predicate.kind,
                             VKR_PREDICATE_KIND_COUNT));
    if (has_no_input(info))
        return check_no_input(c);
    VKR_TRY(vkr_check_view(c->context, CALL, "input", &info->input, info->count, &c->input));
    VKR_TRY(vkr_check_buffer(c->context, CALL, "input", &c->input));
    c->walk.count = info->count == VKR_COUNT_ALL ? c->input.capacity : info->count;
    if (c->walk.count > c->input.capacity)
        return vkr_reject(&c->walk,
                          "count is %" PRIu64 ", but must be VKR_COUNT_ALL or at most %" PRIu64
                          ", the number of elements that input holds.",
                          c->walk.count, c->input.capacity);
    return VKR_SUCCESS;
}

static VkrResult check_choices(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VKR_TRY(vkr_check_choice(c->context, CALL, "algorithm", (int)info->algorithm,
                             VKR_COMPACT_ALGORITHM_COUNT));
    if ((info->flags & ~(uint32_t)VKR_COMPACT_CONTINUED_BIT) != 0)
        return vkr_reject(&c->walk, "flags is 0x%x, but must have only bits of VkrCompactFlagBits.",
                          info->flags);
    c->continued = (info->flags & VKR_COMPACT_CONTINUED_BIT) != 0 &&
                   info->predicate.kind == VKR_PREDICATE_UNIQUE;
    if (c->continued && c->input.offset < c->input.stride)
        return vkr_reject(&c->walk,
                          "input.offset is %" PRIu64 ", but must be at least %" PRIu64
                          ", the stride, where flags has VKR_COMPACT_CONTINUED_BIT.",
                          c->input.offset, c->input.stride);
    VKR_TRY(vkr_check_gpu_count(c->context, CALL, "gpuCount", &info->gpuCount));
    return vkr_check_gpu_count(c->context, CALL, "append", &info->append);
}

/* ---- Outputs ---- */

static bool is_asked_for(const VkrView *view)
{
    return view->buffer != VK_NULL_HANDLE || view->size != 0 || view->bufferSize != 0;
}

static VkrResult check_output(const vkr_compact *c, const char *field, const VkrView *asked,
                              VkrType type, uint32_t components, vkr_view *out)
{
    VkrView view = *asked;
    if (!is_asked_for(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? type : view.type;
    view.components = view.components == 0 ? components : view.components;
    VKR_TRY(vkr_check_view(c->context, CALL, field, &view, c->walk.count, out));
    VKR_TRY(vkr_check_buffer(c->context, CALL, field, out));
    if (view.components != components)
        return vkr_reject(&c->walk, "%s.components is %u, but must be 0 or %u.", field,
                          view.components, components);
    return VKR_SUCCESS;
}

static VkrResult check_values(const vkr_compact *c, const char *field, const VkrView *asked,
                              vkr_view *out)
{
    VKR_TRY(check_output(c, field, asked, c->input.type_id, c->input.components, out));
    if (vkr_is_there(out) && out->type_id != c->input.type_id)
        return vkr_reject(&c->walk, "%s.type is %s, but must be undefined or %s like input.type.",
                          field, out->type->name, c->input.type->name);
    return VKR_SUCCESS;
}

/* Two words serve where a device has no 64-bit integers, so what is checked are words. */
static VkrResult check_indices(const vkr_compact *c, const char *field, const VkrView *asked,
                               vkr_view *out)
{
    VkrView view = *asked;
    VkrType type = view.type;
    if (!is_asked_for(asked))
        return VKR_SUCCESS;
    if (type != VKR_TYPE_UNDEFINED && type != VKR_TYPE_U32 && type != VKR_TYPE_U64)
        return vkr_reject(&c->walk, "%s.type is %s (%d), but must be undefined, u32 or u64.", field,
                          vkrTypeName(type), (int)type);
    if (type == VKR_TYPE_U32 && (c->info->firstIndex + c->walk.count) >> 32 != 0)
        return vkr_reject(&c->walk,
                          "%s.type is u32, but must be u64, since indices can reach 2^32.", field);
    if (view.components > 1)
        return vkr_reject(&c->walk, "%s.components is %u, but must be 0 or 1.", field,
                          view.components);
    type = type == VKR_TYPE_UNDEFINED ? c->wide_index ? VKR_TYPE_U64 : VKR_TYPE_U32 : type;
    const uint32_t size = vkr_types[type].size;
    view.type = VKR_TYPE_U32;
    if (view.offset % size != 0 || view.stride % size != 0 ||
        (view.stride != 0 && view.stride < size))
        return vkr_reject(&c->walk,
                          "%s.offset is %" PRIu64 " and %s.stride %" PRIu64
                          ", but both must be multiples of %u, the size of %s.",
                          field, view.offset, field, view.stride, size, vkr_types[type].name);
    view.stride = view.stride == 0 ? size : view.stride;
    VKR_TRY(check_output(c, field, &view, VKR_TYPE_U32, 1, out));
    out->type = &vkr_types[type];
    out->type_id = type;
    out->capacity = vkr_view_capacity(out, size);
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    if (info->firstIndex > UINT64_MAX - c->walk.count)
        return vkr_reject(&c->walk,
                          "firstIndex is %" PRIu64
                          ", but must stay below 2^64 when count, which is %" PRIu64 ", is added.",
                          info->firstIndex, c->walk.count);
    c->wide_index = (info->firstIndex + c->walk.count) >> 32 != 0 || c->context->caps.wide_indices;
    const struct {
        const char *field;
        const VkrView *asked;
        vkr_view *out;
        VkrResult (*check)(const vkr_compact *, const char *, const VkrView *, vkr_view *);
    } outputs[] = {
        {"kept", &info->kept, &c->sides[VKR_KEPT].values, check_values},
        {"keptIndices", &info->keptIndices, &c->sides[VKR_KEPT].indices, check_indices},
        {"runLengths", &info->runLengths, &c->lengths, check_indices},
        {"rejected", &info->rejected, &c->sides[VKR_REJECTED].values, check_values},
        {"rejectedIndices", &info->rejectedIndices, &c->sides[VKR_REJECTED].indices, check_indices},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(outputs); i++)
        VKR_TRY(outputs[i].check(c, outputs[i].field, outputs[i].asked, outputs[i].out));
    return VKR_SUCCESS;
}

/* ---- Payloads ---- */

static VkrResult check_stride(const vkr_compact *c, const char *field, VkDeviceSize stride,
                              uint32_t size, uint32_t unit)
{
    if (stride == 0 || (stride >= size && stride % unit == 0))
        return VKR_SUCCESS;
    return vkr_reject(&c->walk,
                      "%s is %" PRIu64
                      ", but must be 0 or at least %u, the size of an entry, and a multiple of %u.",
                      field, stride, size, unit);
}

static VkrResult check_payload(const vkr_compact *c, uint32_t i)
{
    const VkrPayload *p = &c->info->payloads[i];
    char name[64];
    if (p->size == 0 || p->size > 64)
        return vkr_reject(&c->walk, "payloads[%u].size is %u, but must be 1 to 64.", i, p->size);
    const uint32_t unit = p->size % 4 == 0 ? 4 : p->size % 2 == 0 ? 2 : 1;
    const VkrFeatureFlags needed = unit == 4   ? 0
                                   : unit == 2 ? VKR_FEATURE_STORAGE_16BIT
                                               : VKR_FEATURE_STORAGE_8BIT;
    if ((needed & ~c->context->caps.features) != 0)
        return vkr_refuse(
            &c->walk, "payloads[%u].size is %u, but must be a multiple of %u: this one needs %s.",
            i, p->size, 2 * unit, vkr_feature_name(needed));
    (void)snprintf(name, sizeof(name), "payloads[%u].sourceStride", i);
    VKR_TRY(check_stride(c, name, p->sourceStride, p->size, unit));
    (void)snprintf(name, sizeof(name), "payloads[%u].targetStride", i);
    VKR_TRY(check_stride(c, name, p->targetStride, p->size, unit));
    const VkDeviceSize stride = p->sourceStride != 0 ? p->sourceStride : p->size;
    if (c->walk.count != 0 && (c->walk.count - 1) > (UINT64_MAX - p->size) / stride)
        return vkr_reject(&c->walk,
                          "payloads[%u].sourceStride is %" PRIu64
                          ", but must let count, which is %" PRIu64 ", stay below 2^64 bytes.",
                          i, stride, c->walk.count);
    (void)snprintf(name, sizeof(name), "payloads[%u].source", i);
    if (c->walk.count != 0)
        VKR_TRY(vkr_check_range(c->context, CALL, name, &p->source, unit,
                                (c->walk.count - 1) * stride + p->size));
    (void)snprintf(name, sizeof(name), "payloads[%u].target", i);
    return vkr_check_range(c->context, CALL, name, &p->target, unit, 0);
}

static VkrResult check_payloads(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    if (info->payloadCount != 0 && info->payloads == NULL)
        return vkr_reject(&c->walk, "payloads is NULL, but must point to the %u of payloadCount.",
                          info->payloadCount);
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        VKR_TRY(check_payload(c, i));
        c->by_list[info->payloads[i].rejected ? VKR_REJECTED : VKR_KEPT] = true;
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (!c->values_too && vkr_is_there(&c->sides[side].values))
            c->by_list[side] = true;
    c->by_list[VKR_KEPT] |= vkr_is_there(&c->lengths);
    return VKR_SUCCESS;
}

/* As many as all kept outputs hold. */
static void choose_capacity(vkr_compact *c)
{
    vkr_side *kept = &c->sides[VKR_KEPT];
    const vkr_view *const views[] = {&kept->values, &kept->indices, &c->lengths};
    kept->capacity = c->info->capacity != 0 ? c->info->capacity : UINT64_MAX;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        if (vkr_is_there(views[i]))
            kept->capacity = vkr_min(kept->capacity, views[i]->capacity);
    for (uint32_t i = 0; i < c->info->payloadCount; i++)
        if (!c->info->payloads[i].rejected)
            kept->capacity = vkr_min(kept->capacity, vkr_payload_capacity(&c->info->payloads[i]));
}

/* ---- Counts ---- */

static VkrResult check_count_outputs(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    char name[64];
    if (info->countOutputCount != 0 && info->countOutputs == NULL)
        return vkr_reject(&c->walk,
                          "countOutputs is NULL, but must point to the %u of countOutputCount.",
                          info->countOutputCount);
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        const VkrCountOutput *o = &info->countOutputs[i];
        (void)snprintf(name, sizeof(name), "countOutputs[%u].kind", i);
        VKR_TRY(vkr_check_choice(c->context, CALL, name, (int)o->kind, VKR_COUNT_KIND_COUNT));
        (void)snprintf(name, sizeof(name), "countOutputs[%u]", i);
        const VkrBufferRange range = {o->buffer, o->offset,
                                      o->offset > UINT64_MAX - 12 ? UINT64_MAX : 12};
        VKR_TRY(vkr_check_range(c->context, CALL, name, &range, 4, 0));
    }
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

/* Source or target of a payload. */
static vkr_region region_of_payload(const vkr_compact *c, uint32_t i, bool written)
{
    const VkrPayload *p = &c->info->payloads[i];
    const VkrBufferRange *range = written ? &p->target : &p->source;
    const VkDeviceSize asked = written ? p->targetStride : p->sourceStride;
    const VkDeviceSize stride = asked != 0 ? asked : p->size;
    const uint64_t held = p->rejected ? vkr_payload_capacity(p) : c->sides[VKR_KEPT].capacity;
    const uint64_t count = written ? held : c->walk.count;
    char name[32];
    (void)snprintf(name, sizeof(name), "payloads[%u].%s", i, written ? "target" : "source");
    return vkr_region_of_bytes(name, range->buffer, range->offset,
                               count == 0 ? 0 : (count - 1) * stride + p->size, written);
}

static vkr_region region_of_count(const vkr_compact *c, uint32_t i)
{
    const VkrCountOutput *o = &c->info->countOutputs[i];
    char name[32];
    (void)snprintf(name, sizeof(name), "countOutputs[%u]", i);
    return vkr_region_of_bytes(name, o->buffer, o->offset, vkr_size_of_count(o->kind), true);
}

static vkr_region region_of_input(const vkr_compact *c)
{
    vkr_region region = vkr_region_of_view("input", &c->input, c->walk.count, false);
    if (c->continued) {
        region.range.offset -= c->input.stride;
        region.range.size += c->input.stride;
    }
    return region;
}

static vkr_region region_of_flags(const vkr_compact *c)
{
    const bool flags = c->info->predicate.kind == VKR_PREDICATE_FLAGS;
    const uint64_t words = vkr_divide_up(c->walk.count, 32);
    return c->bits ? vkr_region_of_bytes("predicate.flags", c->tested.buffer, c->tested.offset,
                                         4 * words, false)
                   : vkr_region_of_view("predicate.flags", &c->tested, flags ? c->walk.count : 0,
                                        false);
}

static vkr_region region_of_constants(const vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const uint32_t count = p->compare2 != VKR_COMPARE_NONE ? 2 : 1;
    return vkr_region_of_bytes("predicate.gpuConstants", p->gpuConstants.buffer,
                               p->gpuConstants.offset, (VkDeviceSize)c->tested.type->size * count,
                               false);
}

#define VIEW_REGIONS 8

/* All bytes that are read or written, and where each comes before the others: those of views, of
 * payloads and of counts. */
static vkr_region region_of(const vkr_compact *c, const vkr_region *views, uint32_t i)
{
    const uint32_t payloads = c->info->payloadCount;
    if (i < VIEW_REGIONS)
        return views[i];
    return i < VIEW_REGIONS + 2 * payloads
               ? region_of_payload(c, (i - VIEW_REGIONS) / 2, i % 2 != 0)
               : region_of_count(c, i - VIEW_REGIONS - 2 * payloads);
}

static VkrResult check_overlaps(const vkr_compact *c)
{
    const vkr_side *kept = &c->sides[VKR_KEPT], *rejected = &c->sides[VKR_REJECTED];
    const vkr_region views[VIEW_REGIONS] = {
        region_of_input(c),
        region_of_flags(c),
        region_of_constants(c),
        vkr_region_of_view("kept", &kept->values, kept->capacity, true),
        vkr_region_of_view("keptIndices", &kept->indices, kept->capacity, true),
        vkr_region_of_view("runLengths", &c->lengths, kept->capacity, true),
        vkr_region_of_view("rejected", &rejected->values, UINT64_MAX, true),
        vkr_region_of_view("rejectedIndices", &rejected->indices, UINT64_MAX, true),
    };
    const uint64_t regions =
        VIEW_REGIONS + 2 * (uint64_t)c->info->payloadCount + c->info->countOutputCount;
    for (uint32_t i = 0; i < regions; i++) {
        const vkr_region a = region_of(c, views, i);
        for (uint32_t k = 0; k < i && a.range.size != 0; k++) {
            const vkr_region b = region_of(c, views, k);
            VKR_TRY(vkr_check_apart(c->context, CALL, &a, &b, "be apart from it"));
        }
    }
    return VKR_SUCCESS;
}

static VkrResult check_compact(vkr_compact *c)
{
    VKR_TRY(check_input(c));
    VKR_TRY(check_choices(c));
    VKR_TRY(vkr_check_predicate(c));
    VKR_TRY(check_outputs(c));
    VKR_TRY(check_payloads(c));
    VKR_TRY(check_count_outputs(c));
    choose_capacity(c);
    return check_overlaps(c);
}

static VkrResult add_compact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    vkr_compact c = {.context = vkr_recorder_context(recorder), .info = info};
    c.walk = (vkr_walk){.context = c.context, .call = CALL};
    if (info == NULL)
        return vkr_reject(&c.walk, "info is NULL, but must point to a VkrCompactInfo.");
    VKR_TRY(check_compact(&c));
    VKR_TRY(vkr_plan_compact_geometry(&c));
    return vkr_plan_compact(recorder, &c);
}

VkrResult vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL));
    return vkr_operation_end(recorder, add_compact(recorder, info));
}
