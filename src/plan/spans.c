/* SPDX-License-Identifier: MIT */
#include "spans.h"

#include <inttypes.h>

#include "kernel_list.h"
#include "refuse.h"

/* An invocation lists all parts of a long segment. */
#define MAX_PARTS 60000u
#define MAX_SPANS_OF_GROUP 16u

uint64_t vkr_short_length(uint64_t count, uint64_t rows, uint64_t least, uint64_t most)
{
    uint64_t few = least;
    while (few < most && few < 2 * (count / rows))
        few *= 2;
    return vkr_min(few, most);
}

uint64_t vkr_group_of_short(const vkr_walk *w, uint32_t asked, uint64_t short_row)
{
    const uint64_t tuned =
        vkr_min(1u << vkr_log2_up(short_row), w->context->caps.max_workgroup_size);
    return asked != 0 ? w->workgroup_size : vkr_max(w->workgroup_size, tuned);
}

uint64_t vkr_spans_of_group(uint64_t trips)
{
    return vkr_clamp(VKR_SPAN_TRIPS / vkr_max(trips, 1), 1, MAX_SPANS_OF_GROUP);
}

void vkr_count_spans(vkr_spans *s)
{
    const uint64_t count = s->walk->count;
    s->listed = vkr_min(s->rows, count / (s->few + 1));
    s->long_ones = vkr_min(s->rows, count / (s->medium + 1));
    s->parts = s->long_ones == 0 ? 0 : count / s->share + s->long_ones;
}

VkrResult vkr_bind_all(vkr_pass *pass, uint32_t slot, const char *name, vkr_place place,
                       uint64_t count)
{
    if (place.buffer == VK_NULL_HANDLE || count == 0)
        return VKR_SUCCESS;
    if (vkr_place_window(&pass->walk->context->caps, &place, 0) < count || count > VKR_MAX_REACH)
        return vkr_refuse_items(pass->walk, name, count, &place);
    pass->slots[slot] = vkr_items(place, 0, count);
    return VKR_SUCCESS;
}

/* The lists start as 0; the spans lie in the same memory, so that one binding has both. */
static VkrResult add_memory(VkrRecorder recorder, vkr_spans *s)
{
    const uint64_t spans = s->rows * VKR_WORDS_OF_SPAN;
    const uint64_t words = spans + vkr_parts_at(s) + s->parts;
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, words, 1, &s->all));
    s->at = vkr_place_of_words(s->all.buffer, s->all.offset, VKR_WORDS_OF_SPAN);
    s->lists = vkr_place_of_words(s->all.buffer, s->all.offset + 4 * spans, words - spans);
    return VKR_SUCCESS;
}

static uint32_t flags_of(const vkr_spans *s)
{
    const VkrGpuCount *count = &s->segments->gpuCount;
    return vkr_count_flags(s->walk->gpu_count) |
           (s->segments->offsetType == VKR_TYPE_U64 ? VKR_SPANS_FLAG_WIDE : 0) |
           (s->limits.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_WANTED : 0) |
           (s->found.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_FOUND : 0) |
           (count->buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_SEGMENT_COUNT : 0) |
           (count->type == VKR_TYPE_U64 ? VKR_SPANS_FLAG_SEGMENT_COUNT64 : 0);
}

VkrResult vkr_plan_spans(VkrRecorder recorder, vkr_spans *s)
{
    const VkrSegments *segments = s->segments;
    const vkr_place starts = vkr_place_of_words(segments->offsets.buffer, segments->offsets.offset,
                                                segments->offsetType == VKR_TYPE_U64 ? 2 : 1);
    vkr_pass pass = {
        .walk = s->walk,
        .card = &vkr_spans_card,
        .kernel = VKR_KERNEL_SPANS,
        .constants =
            {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP, [VKR_SPANS_CONST_FLAGS] = flags_of(s)},
        .slots = {
            [VKR_SPANS_SLOT_COUNT] = {.place = vkr_place_of_count(s->walk->gpu_count)},
            [VKR_SPANS_SLOT_SEGMENT_COUNT] = {.place = vkr_place_of_count(&segments->gpuCount)}}};
    VKR_NEED(s->walk, s->parts <= MAX_PARTS + s->long_ones,
             "count is %" PRIu64 ", but must be at most %" PRIu64 " with segments by offsets.",
             s->walk->count, (uint64_t)MAX_PARTS * s->share);
    VKR_TRY(add_memory(recorder, s));
    VKR_TRY(vkr_bind_all(&pass, VKR_SPANS_SLOT_OFFSETS, "segments.offsets", starts, s->rows + 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_SPANS_SLOT_WANTED, "wanted", s->limits, s->rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SPANS_SLOT_SPANS, "scratch", s->at, s->rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SPANS_SLOT_LISTS, "scratch", s->lists, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_SPANS_SLOT_FOUND, "found", s->found, s->rows));
    struct vkr_spans_push *push = VKR_PUSH(&pass, vkr_spans_push);
    push->segments = (uint32_t)s->rows;
    push->wanted = s->wanted;
    push->short_length = (uint32_t)s->few;
    push->medium_length = (uint32_t)s->medium;
    push->share = (uint32_t)s->share;
    push->medium = (uint32_t)s->listed;
    push->long_ones = (uint32_t)s->long_ones;
    push->parts = (uint32_t)s->parts;
    return vkr_emit_groups(recorder, &pass, vkr_divide_up(s->rows, VKR_SMALL_WORKGROUP));
}
