/* SPDX-License-Identifier: MIT */
/* Selections of segments between offsets: invocations rank the elements of short ones. */
#include "topk.h"

#include <inttypes.h>

#include "kernel_list.h"

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

void vkr_choose_spans(vkr_topk *t, uint64_t group, uint64_t medium, uint64_t share)
{
    vkr_spans *s = &t->spans;
    *s = (vkr_spans){.walk = &t->walk,
                     .segments = &t->info->segments,
                     .rows = t->rows,
                     .wanted = t->wanted,
                     .limits = t->limits,
                     .found = t->found,
                     .group = group,
                     .few = vkr_short_length(t->walk.count, t->rows, 1, group),
                     .share = share};
    s->medium = vkr_max(medium, s->few);
    vkr_count_spans(s);
    t->share = share;
    t->parts = vkr_max(s->parts, 1);
}

/* The trips of an invocation through its loops for a whole segment: it counts each of its elements
 * by each digit, adds counts up, and stores the indices of those that it finds. */
static uint64_t trips_of_segment(const vkr_topk *t)
{
    const uint64_t size = t->walk.workgroup_size, levels = vkr_log2_up(size);
    const uint64_t elements = vkr_divide_up(t->spans.medium, size);
    const uint64_t bins = vkr_divide_up(UINT64_C(1) << t->whole_bits, size);
    const uint64_t digits = vkr_divide_up(8 * (uint64_t)t->input.type->size, t->whole_bits);
    return digits * (elements + elements / 8 + 3 * bins + 2 * levels + 4) +
           elements / VKR_SELECT_BATCH * (2 * levels + VKR_SELECT_BATCH + 1);
}

/* ---- Passes ---- */

uint32_t vkr_topk_load_flags(const vkr_topk *t)
{
    return (vkr_is_packed(&t->input) ? VKR_SELECT_FLAG_PACKED : 0) |
           (t->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_SELECT_FLAG_CONTIGUOUS : 0);
}

VkrResult vkr_add_spans_mode(VkrRecorder recorder, const vkr_topk *t, const vkr_topk_mode *m)
{
    static const uint32_t kernels[] = {VKR_KERNEL_SELECT_SPANS_8, VKR_KERNEL_SELECT_SPANS_16,
                                       VKR_KERNEL_SELECT_SPANS_32, VKR_KERNEL_SELECT_SPANS_64};
    const vkr_spans *s = &t->spans;
    const bool few = m->number == VKR_SELECT_FEW, whole = m->number == VKR_SELECT_ROW;
    const bool stores = few || whole || m->number == VKR_SELECT_STORE;
    const uint64_t rows = s->long_ones;
    const uint64_t size = few ? s->group : t->walk.workgroup_size;
    const uint64_t units = few     ? vkr_divide_up(t->rows, size / s->few)
                           : whole ? s->listed
                                   : t->parts;
    const uint64_t each = whole ? vkr_spans_of_group(trips_of_segment(t)) : 1;
    const vkr_window window = {.rows = t->rows, .groups = vkr_divide_up(units, each)};
    vkr_pass pass = {.walk = &t->walk,
                     .card = &vkr_select_spans_card,
                     .kernel = kernels[vkr_log2_up(t->input.type->size)],
                     .constants = {[VKR_CONST_WORKGROUP] = (uint32_t)size,
                                   [VKR_SELECT_CONST_MODE] = m->number,
                                   [VKR_SELECT_CONST_BITS] = vkr_topk_bits(t, m),
                                   [VKR_SELECT_CONST_FLAGS] = vkr_topk_load_flags(t)}};
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_INPUT, "input", vkr_place_of_view(&t->input),
                         t->walk.count));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_SPANS, "scratch", s->all, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_STATES, "scratch", m->states, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_NEW_STATES, "scratch", m->new_states, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_TABLE, "scratch", m->table, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_TABLE, "scratch", m->read, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_COUNTS, "scratch", m->counts, rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_TALLIES, "scratch", m->written, 1));
    VKR_TRY(vkr_bind_all(&pass, VKR_SELECT_SLOT_LIST, "the list of k entries of each segment",
                         t->list, stores ? t->rows * t->wanted : 0));
    vkr_set_order(&t->order, &pass.constants[VKR_SELECT_CONST_KEY_FORM]);
    struct vkr_select_push *push = VKR_PUSH(&pass, vkr_select_push);
    push->share = (uint32_t)(few ? s->few : whole ? s->medium : t->share);
    push->wanted = t->wanted;
    push->units = (uint32_t)units;
    push->lists_at = vkr_lists_at(s);
    push->long_at = vkr_long_at(s);
    push->parts_at = vkr_parts_at(s);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_plan_topk_spans(VkrRecorder recorder, vkr_topk *t)
{
    const vkr_topk_mode few = {.number = VKR_SELECT_FEW};
    const vkr_topk_mode whole = {.number = VKR_SELECT_ROW};
    VKR_TRY(vkr_plan_spans(recorder, &t->spans));
    if (t->walk.count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_spans_mode(recorder, t, &few));
    return t->spans.listed != 0 ? vkr_add_spans_mode(recorder, t, &whole) : VKR_SUCCESS;
}
