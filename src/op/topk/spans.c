/* SPDX-License-Identifier: MIT */
/* Selections of segments between offsets, which only the GPU knows. A pass turns them into spans;
 * then one ranks the elements of short segments, one has a workgroup for each medium one, and the
 * digits of long ones are counted part by part. No list is longer than the elements allow, so that
 * tiny segments do not wait for workgroups of a giant one. */
#include "topk.h"

#include <inttypes.h>

#include "kernel_list.h"

/* An invocation lists all parts of a long segment. */
#define MAX_PARTS 32768u

/* ---- Checks ---- */

VkrResult vkr_check_topk_offsets(vkr_topk *t)
{
    const VkrSegments *segments = &t->info->segments;
    const vkr_walk *w = &t->walk;
    VKR_TRY(vkr_check_offsets(w, segments, &t->rows));
    VKR_TRY(vkr_check_gpu_count(w, "segments.gpuCount", &segments->gpuCount));
    VKR_TRY(vkr_check_range(w, "segments.offsets", &segments->offsets, 4, segments->offsets.size));
    VKR_NEED(w, t->rows >> 32 == 0 && t->rows * vkr_min(t->info->k, t->length) >> 32 == 0,
             "segments.offsets has %" PRIu64 " segments, but k, which is %u, and their number must "
             "make fewer than 2^32 entries.",
             t->rows, t->info->k);
    t->by_offsets = true;
    VKR_TRY(vkr_check_place(w, "wanted", &t->info->wanted, false, 4, 4 * t->rows, &t->limits));
    t->limits.stride = t->limits.size = 4;
    return VKR_SUCCESS;
}

/* ---- Units ---- */

void vkr_choose_spans(vkr_topk *t, uint64_t medium, uint64_t share)
{
    const uint64_t count = t->walk.count, size = t->walk.workgroup_size;
    vkr_topk_spans *s = &t->spans;
    s->few = 1;
    while (s->few < size && s->few < 2 * (count / t->rows))
        s->few *= 2;
    s->medium_length = vkr_max(medium, s->few);
    s->medium = vkr_min(t->rows, count / (s->few + 1));
    s->long_ones = vkr_min(t->rows, count / (s->medium_length + 1));
    t->share = share;
    t->parts = s->long_ones == 0 ? 1 : count / share + s->long_ones;
}

/* ---- Passes ---- */

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

static VkrResult add_spans(VkrRecorder recorder, vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    const VkrSegments *segments = &info->segments;
    const bool wide = segments->offsetType == VKR_TYPE_U64;
    vkr_topk_spans *s = &t->spans;
    const uint64_t words = VKR_LISTS_WORDS + s->medium + s->long_ones * VKR_LONG_WORDS +
                           (s->long_ones != 0 ? t->parts : 0);
    const VkBuffer offsets = segments->offsets.buffer;
    const vkr_place starts = vkr_place_of_words(offsets, segments->offsets.offset, wide ? 2 : 1);
    vkr_pass pass = {
        .walk = &t->walk,
        .card = &vkr_spans_card,
        .kernel = VKR_KERNEL_SPANS,
        .constants =
            {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP,
             [VKR_SPANS_CONST_FLAGS] =
                 vkr_count_flags(&info->gpuCount) | (wide ? VKR_SPANS_FLAG_WIDE : 0) |
                 (t->limits.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_WANTED : 0) |
                 (t->found.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_FOUND : 0) |
                 (segments->gpuCount.buffer != VK_NULL_HANDLE ? VKR_SPANS_FLAG_SEGMENT_COUNT : 0) |
                 (segments->gpuCount.type == VKR_TYPE_U64 ? VKR_SPANS_FLAG_SEGMENT_COUNT64 : 0)},
        .slots = {
            [VKR_SPANS_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)},
            [VKR_SPANS_SLOT_SEGMENT_COUNT] = {.place = vkr_place_of_count(&segments->gpuCount)}}};
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_WORDS_OF_SPAN, t->rows, &s->at));
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, words, 1, &s->lists));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_OFFSETS, "segments.offsets", starts, t->rows + 1));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_WANTED, "wanted", t->limits, t->rows));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_SPANS, "scratch", s->at, t->rows));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_LISTS, "scratch", s->lists, 1));
    VKR_TRY(bind_all(&pass, VKR_SPANS_SLOT_FOUND, "found", t->found, t->rows));
    struct vkr_spans_push *push = VKR_PUSH(&pass, vkr_spans_push);
    push->segments = (uint32_t)t->rows;
    push->wanted = t->wanted;
    push->short_length = (uint32_t)s->few;
    push->medium_length = (uint32_t)s->medium_length;
    push->share = (uint32_t)t->share;
    push->medium = (uint32_t)s->medium;
    push->long_ones = (uint32_t)s->long_ones;
    push->parts = s->long_ones != 0 ? (uint32_t)t->parts : 0;
    return vkr_emit_groups(recorder, &pass, vkr_divide_up(t->rows, VKR_SMALL_WORKGROUP));
}

uint32_t vkr_topk_load_flags(const vkr_topk *t)
{
    return (vkr_is_packed(&t->input) ? VKR_SELECT_FLAG_PACKED : 0) |
           (t->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_SELECT_FLAG_CONTIGUOUS : 0);
}

VkrResult vkr_add_spans_mode(VkrRecorder recorder, const vkr_topk *t, const vkr_topk_mode *m)
{
    static const uint32_t kernels[] = {VKR_KERNEL_SELECT_SPANS_8, VKR_KERNEL_SELECT_SPANS_16,
                                       VKR_KERNEL_SELECT_SPANS_32, VKR_KERNEL_SELECT_SPANS_64};
    const vkr_topk_spans *s = &t->spans;
    const bool few = m->number == VKR_SELECT_FEW, whole = m->number == VKR_SELECT_ROW;
    const bool stores = few || whole || m->number == VKR_SELECT_STORE;
    const uint64_t rows = s->long_ones;
    const vkr_window window = {.rows = t->rows,
                               .groups =
                                   few     ? vkr_divide_up(t->rows * s->few, t->walk.workgroup_size)
                                   : whole ? s->medium
                                           : t->parts};
    vkr_pass pass = {.walk = &t->walk,
                     .card = &vkr_select_spans_card,
                     .kernel = kernels[vkr_log2_up(t->input.type->size)],
                     .constants = {[VKR_CONST_WORKGROUP] = t->walk.workgroup_size,
                                   [VKR_SELECT_CONST_MODE] = m->number,
                                   [VKR_SELECT_CONST_BITS] = m->digit_bits,
                                   [VKR_SELECT_CONST_FLAGS] = vkr_topk_load_flags(t)}};
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_INPUT, "input", vkr_place_of_view(&t->input),
                     t->walk.count));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_SPANS, "scratch", s->at, t->rows));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_LISTS, "scratch", s->lists, few ? 0 : 1));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_STATES, "scratch", m->states, rows));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_NEW_STATES, "scratch", m->new_states, rows));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_TABLE, "scratch", m->table, rows));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_TABLE, "scratch", m->read, 1));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_COUNTS, "scratch", m->counts, rows));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_TALLIES, "scratch", m->written, 1));
    VKR_TRY(bind_all(&pass, VKR_SELECT_SLOT_LIST, "the list of k entries of each segment", t->list,
                     stores ? t->rows * t->wanted : 0));
    vkr_set_order(&t->order, &pass.constants[VKR_SELECT_CONST_KEY_FORM]);
    struct vkr_select_push *push = VKR_PUSH(&pass, vkr_select_push);
    push->share = (uint32_t)(few ? s->few : whole ? s->medium_length : t->share);
    push->wanted = t->wanted;
    push->long_at = (uint32_t)(VKR_LISTS_WORDS + s->medium);
    push->parts_at = (uint32_t)(push->long_at + s->long_ones * VKR_LONG_WORDS);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_plan_spans(VkrRecorder recorder, vkr_topk *t)
{
    const vkr_topk_mode few = {.number = VKR_SELECT_FEW, .digit_bits = t->digit_bits};
    const vkr_topk_mode whole = {.number = VKR_SELECT_ROW, .digit_bits = t->digit_bits};
    VKR_NEED(&t->walk, t->parts <= MAX_PARTS + t->spans.long_ones,
             "workgroupSize is %u, but must be greater where a segment can have %" PRIu64
             " elements.",
             t->walk.workgroup_size, t->walk.count);
    VKR_TRY(add_spans(recorder, t));
    if (t->walk.count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_spans_mode(recorder, t, &few));
    return t->spans.medium != 0 ? vkr_add_spans_mode(recorder, t, &whole) : VKR_SUCCESS;
}
