/* SPDX-License-Identifier: MIT */
/* Segments between offsets, which only the GPU knows. A pass turns them into spans, as for a
 * selection; then teams of invocations have short segments, a workgroup each medium one, and long
 * ones are cut into parts. No list is longer than the elements allow. */
#include "apply.h"

#include <inttypes.h>

#include "../../../shaders/cards/span.h"
#include "kernel_list.h"

/* An invocation lists all parts of a long segment. */
#define MAX_PARTS 60000u
#define MAX_TRIPS 16u

/* Makes all items of a place a slot: any of them can be touched. */
static VkrResult bind_all(vkr_pass *pass, uint32_t slot, const char *name, vkr_place place,
                          uint64_t count)
{
    if (place.buffer == VK_NULL_HANDLE || count == 0)
        return VKR_SUCCESS;
    if (vkr_place_window(&pass->walk->context->caps, &place, 0) < count || count > VKR_MAX_REACH)
        return vkr_refuse_items(pass->walk, name, count, &place);
    pass->slots[slot] = vkr_items(place, 0, count);
    return VKR_SUCCESS;
}

static void choose_spans(vkr_apply *a)
{
    const uint64_t count = a->walk.count;
    a->few = 8;
    while (a->few < a->share && a->few < 2 * (count / a->rows))
        a->few *= 2;
    a->few = vkr_min(a->few - a->lead, a->share); /* wherever it begins, in whole quads */
    a->medium = vkr_min(a->rows, count / (a->few + 1));
    a->long_ones = vkr_min(a->rows, count / (a->share + 1));
    a->parts = a->long_ones == 0 ? 0 : count / a->share + a->long_ones;
}

static VkrResult add_spans(VkrRecorder recorder, vkr_apply *a)
{
    const VkrSegments *segments = &a->info->segments;
    const bool wide = segments->offsetType == VKR_TYPE_U64;
    const vkr_place starts =
        vkr_place_of_words(segments->offsets.buffer, segments->offsets.offset, wide ? 2 : 1);
    const uint64_t words = VKR_LISTS_WORDS + a->medium + a->long_ones * VKR_LONG_WORDS + a->parts;
    vkr_pass pass = {
        .walk = &a->walk,
        .card = &vkr_spans_card,
        .kernel = VKR_KERNEL_SPANS,
        .constants =
            {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP,
             [VKR_SPANS_CONST_FLAGS] =
                 vkr_count_flags(&a->info->gpuCount) | (wide ? VKR_SPANS_FLAG_WIDE : 0) |
                 (segments->gpuCount.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_SEGMENT_COUNT : 0) |
                 (segments->gpuCount.type == VKR_TYPE_U64 ? VKR_SPANS_FLAG_SEGMENT_COUNT64 : 0)},
        .slots = {
            [VKR_SPANS_SLOT_COUNT] = {.place = vkr_place_of_count(&a->info->gpuCount)},
            [VKR_SPANS_SLOT_SEGMENT_COUNT] = {.place = vkr_place_of_count(&segments->gpuCount)}}};
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_WORDS_OF_SPAN, a->rows, &a->spans));
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, words, 1, &a->lists));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_OFFSETS, "segments.offsets", starts, a->rows + 1));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_SPANS, "scratch", a->spans, a->rows));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_LISTS, "scratch", a->lists, 1));
    struct vkr_spans_push *push = VKR_PUSH(&pass, vkr_spans_push);
    push->segments = (uint32_t)a->rows;
    push->wanted = UINT32_MAX;
    push->short_length = (uint32_t)a->few;
    push->medium_length = push->share = (uint32_t)a->share;
    push->medium = (uint32_t)a->medium;
    push->long_ones = (uint32_t)a->long_ones;
    push->parts = (uint32_t)a->parts;
    return vkr_emit_groups(recorder, &pass, vkr_divide_up(a->rows, VKR_SMALL_WORKGROUP));
}

/* The medium segments that a workgroup goes over at most. As a rule, few of those that can exist
 * do, and workgroups without any take time. But trips through loops are limited, and an invocation
 * goes through its elements of a segment, which it may load one by one, up to five times. */
static uint64_t trips_of(const vkr_apply *a)
{
    return vkr_clamp(2 * (uint64_t)a->walk.workgroup_size, 1, MAX_TRIPS);
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_apply *a, uint32_t mode, uint64_t units)
{
    const bool few = mode == VKR_MODE_OF_FEW, combines = mode == VKR_MODE_OF_STATES;
    const bool stores = few || mode == VKR_MODE_OF_ROWS || mode == VKR_MODE_OF_OUTPUTS;
    const uint64_t share = few ? a->few : a->share, count = a->walk.count;
    vkr_pass pass = vkr_apply_pass(a, mode, vkr_apply_quads(a, share));
    const uint32_t team = pass.constants[VKR_APPLY_CONST_TEAM];
    const uint64_t all = few ? vkr_divide_up(units, a->walk.workgroup_size / team) : units;
    const bool listed = mode == VKR_MODE_OF_ROWS;
    const vkr_window window = {.rows = a->rows,
                               .groups = listed ? vkr_divide_up(all, trips_of(a)) : all};
    const bool parts = combines || mode == VKR_MODE_OF_PARTS;
    const bool states = combines || mode == VKR_MODE_OF_OUTPUTS;
    if (!combines && a->texels)
        vkr_bind_apply_texels(a, &pass);
    else
        VKR_TRY(bind_all(&pass, VKR_APPLY_SLOT_INPUT, "input", vkr_place_of_view(&a->input),
                         combines ? 0 : count));
    VKR_TRY(bind_all(&pass, VKR_APPLY_SLOT_OUTPUT, "output", vkr_place_of_view(&a->output),
                     stores ? count : 0));
    VKR_TRY(bind_all(&pass, VKR_APPLY_SLOT_SPANS, "scratch", a->spans, a->rows));
    VKR_TRY(bind_all(&pass, VKR_APPLY_SLOT_LISTS, "scratch", a->lists, few ? 0 : 1));
    VKR_TRY(bind_all(&pass, combines ? VKR_APPLY_SLOT_PARTS : VKR_APPLY_SLOT_NEW_PARTS, "scratch",
                     a->of_parts, parts ? a->parts : 0));
    VKR_TRY(bind_all(&pass, combines ? VKR_APPLY_SLOT_NEW_STATES : VKR_APPLY_SLOT_STATES, "scratch",
                     a->of_rows, states ? a->long_ones : 0));
    struct vkr_apply_push *push = VKR_PUSH(&pass, vkr_apply_push);
    push->share = (uint32_t)share;
    push->units = (uint32_t)all;
    push->long_at = (uint32_t)(VKR_LISTS_WORDS + a->medium);
    push->parts_at = (uint32_t)(push->long_at + a->long_ones * VKR_LONG_WORDS);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_plan_apply_spans(VkrRecorder recorder, vkr_apply *a)
{
    if (a->rows == 0)
        return VKR_SUCCESS;
    choose_spans(a);
    VKR_NEED(&a->walk, a->parts <= MAX_PARTS + a->long_ones,
             "count is %" PRIu64 ", but must be at most %" PRIu64 " with segments by offsets.",
             a->walk.count, (uint64_t)MAX_PARTS * a->share);
    VKR_TRY(add_spans(recorder, a));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_FEW, a->rows));
    if (a->medium != 0)
        VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_ROWS, a->medium));
    if (a->long_ones == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, a->parts, &a->of_parts));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, a->long_ones, &a->of_rows));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_PARTS, a->parts));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_STATES, a->long_ones));
    return add_mode(recorder, a, VKR_MODE_OF_OUTPUTS, a->parts);
}
