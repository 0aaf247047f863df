/* SPDX-License-Identifier: MIT */
/* vkrCmdTopK: what the caller asks for, checked. */
#include "../../plan/unused.h"
#include "topk.h"

#include <inttypes.h>

#include "../../plan/stage.h"
#include "../../plan/payload.h"
#include "vkreduce/sort.h"

#define CALL "vkrCmdTopK"

/* ---- Rows ---- */

static VkrResult check_rows(vkr_topk *t)
{
    const VkrSegments *segments = &t->info->segments;
    const vkr_walk *w = &t->walk;
    const bool is_rows = segments->kind == VKR_SEGMENTS_ROWS;
    const bool is_columns = segments->kind == VKR_SEGMENTS_COLUMNS;
    const bool by_offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    VKR_MUST(w, is_rows || is_columns || by_offsets || segments->kind == VKR_SEGMENTS_NONE,
             "segments.kind is %s, but must be none, rows, columns or offsets.",
             vkr_segment_kind_name(segments->kind));
    VKR_MUST(w, by_offsets || t->info->wanted.buffer == VK_NULL_HANDLE,
             "segments.kind is %s, but must be offsets where wanted is given.",
             vkr_segment_kind_name(segments->kind));
    VKR_MUST(w, !is_rows || segments->length != 0, "segments.length is 0, but must be at least 1.");
    t->length = t->pitch = vkr_max(w->count, 1);
    if (is_rows) {
        VKR_TRY(vkr_check_rows_apart(w, segments));
        t->pitch = vkr_min(vkr_pitch_of_rows(segments), t->pitch);
        t->length = vkr_min(segments->length, t->length);
    }
    t->rows = is_rows ? vkr_divide_up(w->count, t->pitch) : 1;
    if (is_columns)
        VKR_TRY(vkr_check_topk_columns(t));
    if (by_offsets)
        VKR_TRY(vkr_check_topk_offsets(t));
    t->wanted = (uint32_t)vkr_min(t->info->k, t->length);
    return VKR_SUCCESS;
}

static VkrResult check_count(vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    vkr_walk *w = &t->walk;
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &t->input));
    VKR_TRY(vkr_check_input_handles(w, "input", &info->input, &t->input));
    VKR_MUST(w, t->input.components == 1,
             "input.components is %u, but must be 1, since elements are compared as a whole.",
             t->input.components);
    VKR_TRY(vkr_check_count(w, info->count, &t->input));
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    VKR_NEED(w, w->count >> 32 == 0, "count is %" PRIu64 ", but must be below 2^32.", w->count);
    VKR_MUST(w, info->k >= 1 && info->k <= VKR_MAX_TOP_K, "k is %u, but must be from 1 to %u.",
             info->k, VKR_MAX_TOP_K);
    return vkr_check_bits(w, info->flags, VKR_FLAGS_OF_TOP_K);
}

/* ---- Outputs ---- */

/* Checks an output of k entries for each row, whose type and components may be left out. */
static VkrResult check_output(const vkr_topk *t, const char *field, const VkrView *asked,
                              VkrType type, vkr_view *out)
{
    const vkr_walk *w = &t->walk;
    const uint64_t entries = t->rows * t->info->k;
    VkrView view = *asked;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    if (view.type == VKR_TYPE_UNDEFINED)
        view.type = type;
    VKR_TRY(vkr_check_view(w, field, &view, entries, out));
    VKR_TRY(vkr_check_buffer(w, field, out));
    VKR_MUST(w, view.type == type, "%s.type is %s, but must be undefined or %s.", field,
             vkrTypeName(view.type), vkrTypeName(type));
    VKR_MUST_BE(w, out->components == 1, field, ".components", out->components, "be 0 or 1.");
    VKR_MUST(w, out->capacity >= entries,
             "%s.size is %" PRIu64 ", which is %" PRIu64 " elements, but must hold the %" PRIu64
             " of k and the number of segments.",
             field, out->size, out->capacity, entries);
    return VKR_SUCCESS;
}

static VkrResult check_payloads(const vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    const vkr_walk *w = &t->walk;
    const uint64_t entries = t->rows * info->k;
    VKR_MUST(w, info->payloadCount <= VKR_MAX_SORT_PAYLOADS,
             "payloadCount is %u, but must be at most %u.", info->payloadCount,
             VKR_MAX_SORT_PAYLOADS);
    VKR_TRY(vkr_check_payloads(w, info->payloadCount, info->payloads));
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        const vkr_view target = vkr_view_of_target(&info->payloads[i]);
        VKR_MUST(w, !info->payloads[i].rejected,
                 "payloads[%u].rejected is true, but must be false: a selection rejects nothing.",
                 i);
        VKR_MUST(w, target.capacity >= entries,
                 "payloads[%u].target.size is %" PRIu64 ", which is %" PRIu64
                 " entries, but must hold the %" PRIu64 " of k and the number of segments.",
                 i, target.size, target.capacity, entries);
    }
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    const vkr_walk *w = &t->walk;
    VKR_TRY(check_output(t, "values", &info->values, t->input.type_id, &t->values));
    VKR_TRY(check_output(t, "indices", &info->indices, VKR_TYPE_U32, &t->indices));
    VKR_TRY(check_payloads(t));
    VKR_TRY(vkr_check_place(w, "found", &info->found, false, 4, 4 * t->rows, &t->found));
    t->found.stride = t->found.size = 4;
    VKR_MUST(w,
             t->values.buffer != VK_NULL_HANDLE || t->indices.buffer != VK_NULL_HANDLE ||
                 info->payloadCount != 0 || t->found.buffer != VK_NULL_HANDLE,
             "values, indices, payloads and found are empty, but at least one must be given.");
    return VKR_SUCCESS;
}

static VkrResult check_overlaps(const vkr_topk *t)
{
    const uint64_t entries = t->rows * t->info->k;
    const VkrBufferRange *found = &t->info->found;
    const VkrBufferRange *offsets = &t->info->segments.offsets;
    vkr_region regions[8 + 2 * VKR_MAX_SORT_PAYLOADS] = {
        vkr_region_of_view("values", &t->values, entries, true),
        vkr_region_of_view("indices", &t->indices, entries, true),
        vkr_region_of_bytes("found", found->buffer, found->offset, 4 * t->rows, true),
        vkr_region_of_view("input", &t->input, t->walk.count, false),
        vkr_region_of_count("gpuCount", &t->info->gpuCount),
        vkr_region_of_count("segments.gpuCount", &t->info->segments.gpuCount),
        vkr_region_of_bytes("segments.offsets", offsets->buffer, offsets->offset,
                            t->by_offsets ? offsets->size : 0, false),
        vkr_region_of_bytes("wanted", t->limits.buffer, t->limits.offset, 4 * t->rows, false),
    };
    uint32_t count = 8;
    for (uint32_t i = 0; i < t->info->payloadCount; i++) {
        const VkrPayload *p = &t->info->payloads[i];
        regions[count++] = vkr_region_of_payload(&t->walk, p, i, true, entries);
        regions[count++] = vkr_region_of_payload(&t->walk, p, i, false, 0);
    }
    return vkr_check_regions(&t->walk, regions, count, "be apart from it");
}

/* ---- The call ---- */

static VkrResult add_topk(VkrRecorder recorder, const VkrTopKInfo *info)
{
    vkr_topk t = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    vkr_walk *w = &t.walk;
    w->view = &t.input;
    VKR_MUST(w, info != NULL, "info is NULL, but must point to a VkrTopKInfo.");
    w->gpu_count = &info->gpuCount;
    w->by_words = true;
    VKR_TRY(check_count(&t));
    VKR_TRY(check_rows(&t));
    VKR_TRY(check_outputs(&t));
    VKR_TRY(check_overlaps(&t));
    VKR_TRY(vkr_stage(recorder, w, w->count, &t.input));
    VKR_TRY(t.columns ? vkr_plan_topk_columns(recorder, &t) : vkr_plan_topk(recorder, &t));
    vkr_note_count(w, "input");
    vkr_note_view(w, "input", &info->input);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_segments(w, &info->segments);
    vkr_note_list(w, "payloads", info->payloads, "payloadCount", info->payloadCount);
    vkr_note_range(w, "found", &info->found);
    vkr_note_range(w, "wanted", &info->wanted);
    return VKR_SUCCESS;
}

VkrResult vkrCmdTopK(VkrRecorder recorder, const VkrTopKInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_topk(recorder, info));
}
