/* SPDX-License-Identifier: MIT */
/* vkrCmdSort: what the caller asks for, checked, and its steps. */
#include "../../plan/unused.h"
#include "sort.h"

#include <inttypes.h>

#include "../../plan/rows.h"
#include "../../plan/stage.h"
#include "../../plan/payload.h"
#include "request.h"

#define CALL "vkrCmdSort"

/* ---- Keys ---- */

static VkrResult check_bits(vkr_sort *s)
{
    const VkrSortInfo *info = s->info;
    const vkr_type_info *type = s->keys.type;
    const uint32_t bits = 8 * type->size;
    const bool all = info->beginBit == 0 && info->endBit == 0;
    VKR_MUST(&s->walk, all || !type->is_float,
             "beginBit is %u and endBit %u, but both must be 0 for keys of type %s.",
             info->beginBit, info->endBit, type->name);
    VKR_MUST(&s->walk, all || (info->beginBit < info->endBit && info->endBit <= bits),
             "beginBit is %u and endBit %u, but beginBit must be less than endBit, and endBit at "
             "most %u.",
             info->beginBit, info->endBit, bits);
    s->begin = info->beginBit;
    s->end = all ? bits : info->endBit;
    return VKR_SUCCESS;
}

VkrResult vkr_check_sort_keys(vkr_walk *w, const VkrView *asked, uint64_t count,
                              const VkrGpuCount *gpu_count, vkr_view *keys)
{
    VKR_TRY(vkr_check_input(w, "keys", asked, count, keys));
    VKR_TRY(vkr_check_input_handles(w, "keys", asked, keys));
    VKR_MUST_BE(w, keys->components == 1, "keys", ".components", keys->components,
                "be 1, also after a map.");
    w->held = keys->capacity;
    VKR_TRY(vkr_check_number(w, "count", count, "keys", keys, &w->count));
    VKR_MUST_BE(w, w->count >> 32 == 0, "", "count", w->count, "be below 2^32.");
    return vkr_check_gpu_count(w, "gpuCount", gpu_count);
}

static VkrResult check_keys(vkr_sort *s)
{
    const VkrSortInfo *info = s->info;
    vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SORT));
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_SORT_ALGORITHM_COUNT));
    VKR_TRY(vkr_check_sort_keys(w, &info->keys, info->count, &info->gpuCount, &s->keys));
    return check_bits(s);
}

static VkrResult check_segments(vkr_sort *s)
{
    const VkrSegments *segments = &s->info->segments;
    const vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    switch (segments->kind) {
    case VKR_SEGMENTS_NONE:
        return VKR_SUCCESS;
    case VKR_SEGMENTS_ROWS:
        VKR_MUST(w, segments->length != 0, "segments.length is 0, but must be at least 1.");
        s->row = segments->length;
        return VKR_SUCCESS;
    case VKR_SEGMENTS_OFFSETS:
        VKR_TRY(vkr_check_number_type(w, "segments.offsetType", segments->offsetType));
        s->offset_words = segments->offsetType == VKR_TYPE_U64 ? 2 : 1;
        s->offsets = segments->offsets.size / (4 * (uint64_t)s->offset_words);
        s->starts = vkr_region_of_range("segments.offsets", &segments->offsets);
        if (segments->offsets.size == 0)
            return VKR_SUCCESS;
        VKR_NEED(w, segments->offsets.size <= w->context->caps.max_range - w->context->caps.granule,
                 "segments.offsets.size is %" PRIu64
                 ", but must fit maxStorageBufferRange (%" PRIu64 " bytes).",
                 segments->offsets.size, w->context->caps.max_range);
        return vkr_check_range(w, "segments.offsets", &segments->offsets, 4,
                               4 * (VkDeviceSize)s->offset_words);
    default:
        VKR_MUST(w, false, "segments.kind is %d, but must be none, rows or offsets.",
                 (int)segments->kind);
        return VKR_SUCCESS;
    }
}

/* ---- Outputs ---- */

VkrResult vkr_check_sort_output(const vkr_walk *w, const char *field, const VkrView *asked,
                                VkrType type, vkr_view *out)
{
    VkrView view = *asked;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? type : view.type;
    VKR_MUST(w, view.type == type, "%s.type is %s (%d), but must be undefined or %s.", field,
             vkrTypeName(view.type), (int)view.type, vkr_types[type].name);
    VKR_TRY(vkr_check_view(w, field, &view, w->count, out));
    VKR_TRY(vkr_check_buffer(w, field, out));
    VKR_MUST_BE(w, out->components == 1, field, ".components", view.components, "be 0 or 1.");
    return vkr_check_holds(w, field, out);
}

static VkrResult check_outputs(vkr_sort *s)
{
    const VkrSortInfo *info = s->info;
    VKR_TRY(vkr_check_sort_output(&s->walk, "sorted", &info->sorted, s->keys.type_id, &s->sorted));
    VKR_TRY(vkr_check_sort_output(&s->walk, "indices", &info->indices, VKR_TYPE_U32, &s->indices));
    VKR_TRY(vkr_check_sort_payloads(&s->walk, info->payloadCount, info->payloads));
    VKR_MUST(&s->walk,
             vkr_is_requested(&info->sorted) || vkr_is_requested(&info->indices) ||
                 info->payloadCount != 0,
             "sorted, indices and payloads are empty, but at least one of them must be given.");
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

#define VIEW_REGIONS 5

static vkr_region region_of(const vkr_sort *s, const vkr_region *views, uint32_t i)
{
    const uint32_t k = (i - VIEW_REGIONS) / 2;
    if (i < VIEW_REGIONS)
        return views[i];
    return vkr_region_of_payload(&s->walk, &s->info->payloads[k], k, (i - VIEW_REGIONS) % 2 != 0,
                                 s->walk.count);
}

/* Whether two regions are the keys and `sorted`, or the source and the target of a payload, and may
 * be the same. */
static bool may_be_same(const vkr_sort *s, uint32_t a, uint32_t b)
{
    if (a == 1 && b == 0)
        return s->in_place;
    return a > VIEW_REGIONS && (a - VIEW_REGIONS) % 2 != 0 && b == a - 1 &&
           vkr_is_payload_in_place(s);
}

static VkrResult check_overlaps(vkr_sort *s)
{
    const vkr_view *keys = &s->keys, *sorted = &s->sorted;
    const uint64_t count = s->walk.count;
    const vkr_region views[VIEW_REGIONS] = {
        vkr_region_of_view("keys", keys, count, false),
        vkr_region_of_view("sorted", sorted, count, true),
        vkr_region_of_view("indices", &s->indices, count, true),
        vkr_region_of_count("gpuCount", &s->info->gpuCount),
        s->starts,
    };
    s->in_place = vkr_has_buffer(sorted) && sorted->buffer == keys->buffer && !keys->mapped &&
                  sorted->offset == keys->offset && sorted->stride == keys->stride;
    for (uint32_t a = 0; a < VIEW_REGIONS + 2 * s->info->payloadCount; a++) {
        const vkr_region region = region_of(s, views, a);
        for (uint32_t b = 0; b < a && region.range.size != 0; b++) {
            const vkr_region other = region_of(s, views, b);
            if (!may_be_same(s, a, b))
                VKR_TRY(vkr_check_disjoint(&s->walk, &region, &other, 1,
                                           a == 1 && b == 0 ? "be apart from it or equal to it"
                                                            : "be apart from it"));
        }
    }
    return VKR_SUCCESS;
}

/* ---- The call ---- */

static VkrResult check_sort(vkr_sort *s)
{
    VKR_TRY(check_keys(s));
    VKR_TRY(check_segments(s));
    VKR_TRY(check_outputs(s));
    return check_overlaps(s);
}

static VkrResult add_sort(VkrRecorder recorder, const VkrSortInfo *info)
{
    vkr_sort s = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&s.walk, info != NULL, "info is NULL, but must point to a VkrSortInfo.");
    s.walk.label = info->label;
    s.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_sort(&s));
    VKR_TRY(vkr_stage(recorder, &s.walk, s.walk.count, &s.keys));
    VKR_TRY(vkr_plan_sort_request(recorder, &s));
    vkr_note_count(&s.walk, "keys");
    vkr_note_view(&s.walk, "keys", &info->keys);
    vkr_note_gpu_count(&s.walk, "gpuCount", &info->gpuCount);
    vkr_note_segments(&s.walk, &info->segments);
    vkr_note_list(&s.walk, "payloads", info->payloads, "payloadCount", info->payloadCount);
    return VKR_SUCCESS;
}

VkrResult vkrCmdSort(VkrRecorder recorder, const VkrSortInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL));
    return vkr_operation_end(recorder, add_sort(recorder, info));
}
