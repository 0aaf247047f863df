/* SPDX-License-Identifier: MIT */
/* Selections by ranks of segments between offsets: invocations rank the elements of short ones. */
#include "select.h"

#include <inttypes.h>

#include "kernel_list.h"

VkrResult vkr_check_select_offsets(vkr_select *s)
{
    const VkrSegments *segments = &s->info->segments;
    const vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_offsets(w, segments, &s->rows));
    VKR_TRY(vkr_check_gpu_count(w, "segments.gpuCount", &segments->gpuCount));
    VKR_TRY(vkr_check_range(w, "segments.offsets", &segments->offsets, 4, segments->offsets.size));
    VKR_NEED(w, s->rows >> 32 == 0 && s->rows * s->info->rankCount >> 32 == 0,
             "segments.offsets has %" PRIu64 " segments, but rankCount, which is %u, and their "
             "number must make fewer than 2^32 entries.",
             s->rows, s->info->rankCount);
    s->by_offsets = true;
    return VKR_SUCCESS;
}

void vkr_choose_select_spans(vkr_select *s, uint64_t group, uint64_t medium, uint64_t share)
{
    vkr_spans *spans = &s->spans;
    *spans = (vkr_spans){.walk = &s->walk,
                         .segments = &s->info->segments,
                         .rows = s->rows,
                         .wanted = UINT32_MAX,
                         .group = group,
                         .few = vkr_short_length(s->walk.count, s->rows, 1, group),
                         .share = share};
    spans->medium = vkr_max(medium, spans->few);
    vkr_count_spans(spans);
    s->share = share;
    s->parts = vkr_max(spans->parts, 1);
}

/* The trips of an invocation through its loops for a whole segment: for each digit it compares each
 * of its elements with the keys of all ranks, and adds counts up; then it seeks each rank. */
static uint64_t trips_of_segment(const vkr_select *s)
{
    const uint64_t size = s->walk.workgroup_size, levels = vkr_log2_up(size), ranks = s->batch;
    const uint64_t elements = vkr_divide_up(s->spans.medium, size);
    const uint64_t bins = vkr_divide_up(ranks << s->whole_bits, size);
    const uint64_t digits = vkr_divide_up(8 * (uint64_t)s->input.type->size, s->whole_bits);
    const uint64_t sought = (elements / VKR_NTH_BATCH + 1) * (levels + 1) + levels + VKR_NTH_BATCH;
    return digits * ((ranks + 2) * elements + 3 * bins + 2 * levels + 2 * ranks) + ranks * sought;
}

VkrResult vkr_add_select_spans(VkrRecorder recorder, const vkr_select *s, const vkr_select_mode *m)
{
    static const uint32_t kernels[] = {VKR_KERNEL_NTH_SPANS_8, VKR_KERNEL_NTH_SPANS_16,
                                       VKR_KERNEL_NTH_SPANS_32, VKR_KERNEL_NTH_SPANS_64};
    const vkr_spans *spans = &s->spans;
    const vkr_select_uses uses = vkr_uses_of_mode(s, m);
    const bool few = m->number == VKR_NTH_SHORT, whole = m->number == VKR_NTH_ROW;
    const uint64_t size = few ? spans->group : s->walk.workgroup_size;
    const uint64_t units = few     ? vkr_divide_up(s->rows, size / spans->few)
                           : whole ? spans->listed
                                   : s->parts;
    const uint64_t each = whole ? vkr_spans_of_group(trips_of_segment(s)) : 1;
    const vkr_window window = {.rows = s->rows, .groups = vkr_divide_up(units, each)};
    const uint64_t rows = spans->long_ones, entries = s->rows * s->info->rankCount;
    vkr_pass pass = vkr_select_pass(s, m);
    pass.card = &vkr_nth_spans_card;
    pass.constants[VKR_CONST_WORKGROUP] = (uint32_t)size;
    pass.kernel = kernels[vkr_log2_up(s->input.type->size)];
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_INPUT, "input", vkr_place_of_view(&s->input),
                         uses.input ? s->walk.count : 0));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_SPANS, "scratch", spans->all, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_STATES, "scratch", m->states, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_NEW_STATES, "scratch", m->new_states, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_TABLE, "scratch", m->table, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_TABLE, "scratch", m->read, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_COUNTS, "scratch", m->counts, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_TALLIES, "scratch", m->written, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_VALUES, "values", vkr_place_of_view(&s->values),
                         uses.values ? entries : 0));
    VKR_TRY(vkr_bind_all(&pass, VKR_NTH_SLOT_INDICES, "indices", vkr_place_of_view(&s->indices),
                         uses.indices ? entries : 0));
    struct vkr_nth_push *push = VKR_PUSH(&pass, vkr_nth_push);
    push->share = (uint32_t)(few ? spans->few : whole ? spans->medium : s->share);
    push->units = (uint32_t)units;
    push->lists_at = vkr_lists_at(spans);
    push->long_at = vkr_long_at(spans);
    push->parts_at = vkr_parts_at(spans);
    return vkr_emit_window(recorder, &pass, &window);
}
