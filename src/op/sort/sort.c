/* SPDX-License-Identifier: MIT */
/* vkrCmdSort: what the caller asks for, checked, and its steps. */
#include "../../plan/apart.h"
#include "../../plan/unused.h"
#include "sort.h"

#include <inttypes.h>

#include "../../plan/rows.h"
#include "../../plan/stage.h"
#include "../../plan/payload.h"
#include "request.h"

#define CALL "vkrCmdSort"

/* ---- Keys ---- */

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

static VkrResult check_keys(vkr_sort_call *c)
{
    const VkrSortInfo *info = c->info;
    vkr_walk *w = &c->walk;
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SORT));
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_SORT_ALGORITHM_COUNT));
    VKR_TRY(vkr_check_sort_keys(w, &info->keys, info->count, &info->gpuCount, &c->sort.keys));
    vkr_sort_key key = {.keys = c->sort.keys};
    vkr_set_sort_order(info->flags, &key);
    VKR_TRY(vkr_check_sort_bits(w, "", info->beginBit, info->endBit, &key));
    c->sort.order = key.order;
    c->sort.begin = key.begin;
    c->sort.end = key.end;
    return vkr_check_sort_then(c);
}

static VkrResult check_segments(vkr_sort_call *c)
{
    const VkrSegments *segments = &c->info->segments;
    vkr_walk *w = &c->walk;
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    switch (segments->kind) {
    case VKR_SEGMENTS_NONE:
        return VKR_SUCCESS;
    case VKR_SEGMENTS_ROWS:
        VKR_MUST(w, segments->length != 0, "segments.length is 0, but must be at least 1.");
        VKR_TRY(vkr_check_rows_apart(w, segments));
        c->sort.row = segments->length;
        c->apart = vkr_lie_apart(segments, w->count);
        w->count = vkr_count_of_first(segments, w->count);
        return VKR_SUCCESS;
    case VKR_SEGMENTS_COLUMNS:
        VKR_TRY(vkr_check_columns(w, segments));
        c->apart = vkr_lie_apart(segments, w->count);
        return VKR_SUCCESS;
    case VKR_SEGMENTS_OFFSETS:
        VKR_TRY(vkr_check_number_type(w, "segments.offsetType", segments->offsetType));
        c->offset_words = segments->offsetType == VKR_TYPE_U64 ? 2 : 1;
        c->offsets = segments->offsets.size / (4 * (uint64_t)c->offset_words);
        c->starts = vkr_region_of_range("segments.offsets", &segments->offsets);
        if (segments->offsets.size == 0)
            return VKR_SUCCESS;
        VKR_FIT(w, segments->offsets.size <= vkr_room(&w->context->caps),
                "segments.offsets.size is %" PRIu64 ", but", segments->offsets.size);
        return vkr_check_range(w, "segments.offsets", &segments->offsets, 4,
                               4 * (VkDeviceSize)c->offset_words);
    default:
        VKR_MUST(w, false, "segments.kind is %s, but must be none, rows, columns or offsets.",
                 vkr_segment_kind_name(segments->kind));
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

static VkrResult check_outputs(vkr_sort_call *c)
{
    const VkrSortInfo *info = c->info;
    VKR_TRY(vkr_check_sort_output(&c->walk, "sorted", &info->sorted, c->sort.keys.type_id,
                                  &c->sort.sorted));
    VKR_TRY(vkr_check_sort_output(&c->walk, "indices", &info->indices, VKR_TYPE_U32, &c->indices));
    VKR_TRY(vkr_check_sort_payloads(&c->walk, info->payloadCount, info->payloads));
    VKR_MUST(&c->walk,
             vkr_is_requested(&info->sorted) || vkr_is_requested(&info->indices) ||
                 info->payloadCount != 0,
             "sorted, indices and payloads are empty, but at least one of them must be given.");
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

#define VIEW_REGIONS 8

static vkr_region region_of(const vkr_sort_call *c, const vkr_region *views, uint32_t i)
{
    const uint32_t k = (i - VIEW_REGIONS) / 2;
    if (i < VIEW_REGIONS)
        return views[i];
    return vkr_region_of_payload(&c->walk, &c->info->payloads[k], k, (i - VIEW_REGIONS) % 2 != 0,
                                 c->walk.count);
}

/* Whether two regions are the keys and `sorted`, or the source and the target of a payload, and may
 * be the same. */
static bool may_be_same(const vkr_sort_call *c, uint32_t a, uint32_t b)
{
    if (a == 1 && b == 0)
        return c->in_place;
    return a > VIEW_REGIONS && (a - VIEW_REGIONS) % 2 != 0 && b == a - 1 &&
           vkr_is_payload_in_place(c);
}

static VkrResult check_overlaps(vkr_sort_call *c)
{
    const vkr_view *keys = &c->sort.keys, *sorted = &c->sort.sorted;
    const uint64_t count = c->walk.count;
    const vkr_region views[VIEW_REGIONS] = {
        vkr_region_of_view("keys", keys, count, false),
        vkr_region_of_view("sorted", sorted, count, true),
        vkr_region_of_view("indices", &c->indices, count, true),
        vkr_region_of_count("gpuCount", &c->info->gpuCount),
        c->starts,
        vkr_region_of_view("then[0].keys", &c->then[0].keys, count, false),
        vkr_region_of_view("then[1].keys", &c->then[1].keys, count, false),
        vkr_region_of_view("then[2].keys", &c->then[2].keys, count, false),
    };
    c->in_place = vkr_has_buffer(sorted) && sorted->buffer == keys->buffer && !keys->mapped &&
                  sorted->offset == keys->offset && sorted->stride == keys->stride;
    for (uint32_t a = 0; a < VIEW_REGIONS + 2 * c->info->payloadCount; a++) {
        const vkr_region region = region_of(c, views, a);
        for (uint32_t b = 0; b < a && region.range.size != 0; b++) {
            const vkr_region other = region_of(c, views, b);
            if (!may_be_same(c, a, b))
                VKR_TRY(vkr_check_disjoint(&c->walk, &region, &other, 1,
                                           a == 1 && b == 0 ? "be apart from it or equal to it"
                                                            : "be apart from it"));
        }
    }
    return VKR_SUCCESS;
}

/* ---- The call ---- */

static VkrResult check_sort(vkr_sort_call *c)
{
    VKR_TRY(check_keys(c));
    VKR_TRY(check_segments(c));
    VKR_TRY(check_outputs(c));
    return check_overlaps(c);
}

static VkrResult add_sort(VkrRecorder recorder, const VkrSortInfo *info)
{
    vkr_sort_call c = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&c.walk, info != NULL, "info is NULL, but must point to a VkrSortInfo.");
    c.walk.gpu_count = &info->gpuCount;
    c.walk.by_words = true;
    VKR_TRY(check_sort(&c));
    VKR_TRY(vkr_stage(recorder, &c.walk, c.walk.count, &c.sort.keys));
    VKR_TRY(vkr_plan_sort_call(recorder, &c));
    vkr_note_count(&c.walk, "keys");
    vkr_note_view(&c.walk, "keys", &info->keys);
    vkr_note_gpu_count(&c.walk, "gpuCount", &info->gpuCount);
    vkr_note_segments(&c.walk, &info->segments);
    vkr_note_list(&c.walk, "then", info->then, "thenCount", info->thenCount);
    vkr_note_list(&c.walk, "payloads", info->payloads, "payloadCount", info->payloadCount);
    return VKR_SUCCESS;
}

VkrResult vkrCmdSort(VkrRecorder recorder, const VkrSortInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_sort(recorder, info));
}
