/* SPDX-License-Identifier: MIT */
/* vkrCmdSelect: what the caller asks for, checked. */
#include "select.h"

#include <inttypes.h>

#include "../../plan/stage.h"
#include "../../plan/unused.h"

#define CALL "vkrCmdSelect"

static VkrResult check_input(vkr_select *s)
{
    const VkrSelectInfo *info = s->info;
    vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &s->input));
    VKR_TRY(vkr_check_input_handles(w, "input", &info->input, &s->input));
    VKR_MUST(w, s->input.components == 1,
             "input.components is %u, but must be 1, since elements are compared as a whole.",
             s->input.components);
    VKR_TRY(vkr_check_count(w, info->count, &s->input));
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    VKR_NEED(w, w->count >> 32 == 0, "count is %" PRIu64 ", but must be below 2^32.", w->count);
    return vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SELECT);
}

static VkrResult check_ranks(vkr_select *s)
{
    const VkrSelectInfo *info = s->info;
    const vkr_walk *w = &s->walk;
    VKR_MUST(w, info->rankCount >= 1 && info->rankCount <= VKR_MAX_SELECT_RANKS,
             "rankCount is %u, but must be from 1 to %u.", info->rankCount, VKR_MAX_SELECT_RANKS);
    const bool on_gpu = info->gpuRanks.buffer != VK_NULL_HANDLE;
    const int given = (info->ranks != NULL) + (info->shares != NULL) + on_gpu;
    VKR_MUST(w, given != 0,
             "ranks and shares are NULL and gpuRanks is empty, but one of them must have the %u of "
             "rankCount.",
             info->rankCount);
    VKR_MUST(w, given == 1, "%s and %s are both given, but one of them must be empty.",
             info->ranks != NULL ? "ranks" : "shares",
             info->ranks != NULL && info->shares != NULL ? "shares" : "gpuRanks");
    const VkDeviceSize size = 4 * (VkDeviceSize)info->rankCount;
    VKR_TRY(vkr_check_place(w, "gpuRanks", &info->gpuRanks, false, 4, size, &s->ranks));
    s->ranks.stride = s->ranks.size = 4;
    for (uint32_t i = 0; info->shares != NULL && i < info->rankCount; i++)
        VKR_MUST(w, info->shares[i] >= 0.0 && info->shares[i] <= 1.0,
                 "shares[%u] is %g, but must be from 0 to 1.", i, info->shares[i]);
    return VKR_SUCCESS;
}

static VkrResult check_rows(vkr_select *s)
{
    const VkrSegments *segments = &s->info->segments;
    const vkr_walk *w = &s->walk;
    const bool is_rows = segments->kind == VKR_SEGMENTS_ROWS;
    const bool by_offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    VKR_MUST(w, is_rows || by_offsets || segments->kind == VKR_SEGMENTS_NONE,
             "segments.kind is %s, but must be none, rows or offsets.",
             vkr_segment_kind_name(segments->kind));
    VKR_MUST(w, !is_rows || segments->length != 0, "segments.length is 0, but must be at least 1.");
    s->length = s->pitch = vkr_max(w->count, 1);
    if (is_rows) {
        VKR_TRY(vkr_check_rows_apart(w, segments));
        s->pitch = vkr_min(vkr_pitch_of_rows(segments), s->pitch);
        s->length = vkr_min(segments->length, s->length);
    }
    s->rows = is_rows ? vkr_divide_up(w->count, s->pitch) : 1;
    return by_offsets ? vkr_check_select_offsets(s) : VKR_SUCCESS;
}

/* Checks an output of an entry for each row and rank, whose type and components may be left out. */
static VkrResult check_output(const vkr_select *s, const char *field, const VkrView *asked,
                              VkrType type, vkr_view *out)
{
    const vkr_walk *w = &s->walk;
    const uint64_t entries = s->rows * s->info->rankCount;
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
             " of rankCount and the number of segments.",
             field, out->size, out->capacity, entries);
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_select *s)
{
    const VkrSelectInfo *info = s->info;
    const vkr_walk *w = &s->walk;
    const uint64_t entries = s->rows * info->rankCount;
    VKR_TRY(check_output(s, "values", &info->values, s->input.type_id, &s->values));
    VKR_TRY(check_output(s, "indices", &info->indices, VKR_TYPE_U32, &s->indices));
    VKR_MUST(w, vkr_has_buffer(&s->values) || vkr_has_buffer(&s->indices),
             "values and indices are empty, but at least one must be given.");
    const VkrBufferRange *offsets = &info->segments.offsets;
    const vkr_region regions[] = {
        vkr_region_of_view("values", &s->values, entries, true),
        vkr_region_of_view("indices", &s->indices, entries, true),
        vkr_region_of_view("input", &s->input, w->count, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_bytes("gpuRanks", s->ranks.buffer, s->ranks.offset, 4 * info->rankCount,
                            false),
        vkr_region_of_count("segments.gpuCount", &info->segments.gpuCount),
        vkr_region_of_bytes("segments.offsets", offsets->buffer, offsets->offset,
                            s->by_offsets ? offsets->size : 0, false),
    };
    return vkr_check_regions(w, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

static VkrResult add_select(VkrRecorder recorder, const VkrSelectInfo *info)
{
    vkr_select s = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    vkr_walk *w = &s.walk;
    w->view = &s.input;
    VKR_MUST(w, info != NULL, "info is NULL, but must point to a VkrSelectInfo.");
    w->gpu_count = &info->gpuCount;
    w->by_words = true;
    VKR_TRY(check_input(&s));
    VKR_TRY(check_ranks(&s));
    VKR_TRY(check_rows(&s));
    VKR_TRY(check_outputs(&s));
    VKR_TRY(vkr_stage(recorder, w, w->count, &s.input));
    VKR_TRY(vkr_plan_select(recorder, &s));
    vkr_note_count(w, "input");
    vkr_note_view(w, "input", &info->input);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_segments(w, &info->segments);
    vkr_note_range(w, "gpuRanks", &info->gpuRanks);
    return VKR_SUCCESS;
}

VkrResult vkrCmdSelect(VkrRecorder recorder, const VkrSelectInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_select(recorder, info));
}
