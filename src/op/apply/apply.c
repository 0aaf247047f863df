/* SPDX-License-Identifier: MIT */
/* vkrCmdApply: what the caller asks for, checked. */
#include "apply.h"

#include <inttypes.h>

#include "../../plan/stage.h"
#include "../../plan/unused.h"

#define CALL "vkrCmdApply"

const char *vkrApplyFunctionName(VkrApplyFunction function)
{
    static const char *const names[] = {
        [VKR_APPLY_SOFTMAX] = "softmax",   [VKR_APPLY_LOG_SOFTMAX] = "log-softmax",
        [VKR_APPLY_SHARE] = "share",       [VKR_APPLY_STANDARDISED] = "standardised",
        [VKR_APPLY_RESCALED] = "rescaled",
    };
    _Static_assert(VKR_ARRAY_SIZE(names) == VKR_APPLY_FUNCTION_COUNT, "all functions have a name");
    return (uint32_t)function < VKR_ARRAY_SIZE(names) ? names[function] : "unknown";
}

static bool is_allowed(VkrType type)
{
    return type == VKR_TYPE_F32 || type == VKR_TYPE_F16 || type == VKR_TYPE_BF16;
}

static VkrResult check_input(vkr_apply *a)
{
    const VkrApplyInfo *info = a->info;
    vkr_walk *w = &a->walk;
    VKR_TRY(vkr_check_choice(w, "function", (int)info->function, VKR_APPLY_FUNCTION_COUNT));
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &a->input));
    VKR_TRY(vkr_check_input_handles(w, "input", &info->input, &a->input));
    VKR_NEED(w, is_allowed(a->input.type_id),
             "input.type is %s, but must be f32, f16 or bf16, or be mapped (input.map).",
             vkrTypeName(a->input.type_id));
    VKR_MUST_BE(w, a->input.components == 1, "input", ".components", a->input.components,
                "be 0 or 1.");
    VKR_TRY(vkr_check_count(w, info->count, &a->input));
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    VKR_NEED(w, w->count >> 32 == 0, "count is %" PRIu64 ", but must be below 2^32.", w->count);
    return VKR_SUCCESS;
}

static VkrResult check_rows(vkr_apply *a)
{
    const VkrSegments *segments = &a->info->segments;
    const vkr_walk *w = &a->walk;
    const bool is_rows = segments->kind == VKR_SEGMENTS_ROWS;
    a->by_offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    VKR_MUST(w, is_rows || a->by_offsets || segments->kind == VKR_SEGMENTS_NONE,
             "segments.kind is %s, but must be none, rows or offsets.",
             vkr_segment_kind_name(segments->kind));
    VKR_MUST(w, !is_rows || segments->length != 0, "segments.length is 0, but must be at least 1.");
    a->length = a->pitch = vkr_max(w->count, 1);
    if (is_rows) {
        VKR_TRY(vkr_check_rows_apart(w, segments));
        a->pitch = vkr_min(vkr_pitch_of_rows(segments), a->pitch);
        a->length = vkr_min(segments->length, a->length);
    }
    a->rows = vkr_divide_up(w->count, a->pitch);
    if (!a->by_offsets)
        return VKR_SUCCESS;
    VKR_TRY(vkr_check_offsets(w, segments, &a->rows));
    VKR_TRY(vkr_check_gpu_count(w, "segments.gpuCount", &segments->gpuCount));
    VKR_TRY(vkr_check_range(w, "segments.offsets", &segments->offsets, 4, segments->offsets.size));
    VKR_NEED(w, a->rows >> 30 == 0,
             "segments.offsets has %" PRIu64 " segments, but must have fewer than 2^30.", a->rows);
    return VKR_SUCCESS;
}

static VkrResult check_output(vkr_apply *a)
{
    const vkr_walk *w = &a->walk;
    VkrView view = a->info->output;
    if (view.type == VKR_TYPE_UNDEFINED)
        view.type = a->input.type_id;
    VKR_TRY(vkr_check_view(w, "output", &view, w->count, &a->output));
    VKR_NEED(w, is_allowed(view.type),
             "output.type is %s, but must be undefined, f32, f16 or bf16.", vkrTypeName(view.type));
    VKR_MUST_BE(w, a->output.components == 1, "output", ".components", a->output.components,
                "be 0 or 1.");
    if (w->count != 0)
        VKR_TRY(vkr_check_buffer(w, "output", &a->output));
    return vkr_check_holds(w, "output", &a->output);
}

/* Whether each element is stored where it lies. */
static bool is_in_place(const vkr_apply *a)
{
    const VkrView *input = &a->info->input;
    return input->image == NULL && input->map == NULL && a->output.buffer == a->input.buffer &&
           a->output.offset == a->input.offset && a->output.stride == a->input.stride &&
           a->output.type_id == a->input.type_id;
}

static VkrResult check_overlaps(const vkr_apply *a)
{
    const VkrApplyInfo *info = a->info;
    const vkr_walk *w = &a->walk;
    const vkr_region input = vkr_region_of_view("input", &a->input, w->count, false);
    const vkr_region regions[] = {
        vkr_region_of_view("output", &a->output, w->count, true),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_count("segments.gpuCount", &info->segments.gpuCount),
        vkr_region_of_bytes("segments.offsets", info->segments.offsets.buffer,
                            info->segments.offsets.offset,
                            a->by_offsets ? info->segments.offsets.size : 0, false),
    };
    if (!a->in_place)
        VKR_TRY(vkr_check_disjoint(w, &regions[0], &input, 1, "be apart from it or equal to it"));
    return vkr_check_regions(w, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

static VkrResult add_apply(VkrRecorder recorder, const VkrApplyInfo *info)
{
    vkr_apply a = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    vkr_walk *w = &a.walk;
    w->view = &a.input;
    VKR_MUST(w, info != NULL, "info is NULL, but must point to a VkrApplyInfo.");
    w->gpu_count = &info->gpuCount;
    VKR_TRY(check_input(&a));
    VKR_TRY(check_rows(&a));
    VKR_TRY(check_output(&a));
    a.in_place = is_in_place(&a);
    VKR_TRY(check_overlaps(&a));
    VKR_TRY(vkr_stage(recorder, w, w->count, &a.input));
    if (w->count != 0)
        VKR_TRY(vkr_plan_apply(recorder, &a));
    vkr_note_count(w, "input");
    vkr_note_view(w, "input", &info->input);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_segments(w, &info->segments);
    return VKR_SUCCESS;
}

VkrResult vkrCmdApply(VkrRecorder recorder, const VkrApplyInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_apply(recorder, info));
}
