/* SPDX-License-Identifier: MIT */
/* How passes over rows, columns and windows are cut, so that descriptors reach each dispatch. */
#include "segment.h"

#include <inttypes.h>

static uint64_t room_of(const vkr_reduce *r)
{
    return r->context->caps.max_range - r->context->caps.granule;
}

uint64_t vkr_reach_of_elements(const vkr_reduce *r, uint64_t first)
{
    uint64_t reach = vkr_view_window(&r->context->caps, &r->input, first);
    if (vkr_has_dot(r))
        reach = vkr_min(reach, vkr_view_window(&r->context->caps, &r->input2, first));
    return vkr_min(reach, VKR_MAX_REACH);
}

VkrResult vkr_fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes)
{
    return vkr_refuse(&r->walk,
                      "segments.kind is %s, but %s, %" PRIu64
                      " bytes, must fit maxStorageBufferRange (%" PRIu64
                      " bytes, less up to %u for alignment).",
                      vkr_segment_kind_name(r->info->segments.kind), what, bytes,
                      r->context->caps.max_range, r->context->caps.granule);
}

VkrResult vkr_fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why)
{
    return vkr_refuse(&r->walk, "algorithm is %s and segments.kind %s, but %s.",
                      vkrReduceAlgorithmName(algorithm),
                      vkr_segment_kind_name(r->info->segments.kind), why);
}

VkrResult vkr_check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each)
{
    if (left / each < VKR_MAX_DISPATCHES)
        return VKR_SUCCESS;
    return vkr_refuse(&r->walk,
                      "count is %" PRIu64 " and segments.kind %s, but must need at most %u "
                      "dispatches of maxStorageBufferRange (%" PRIu64 " bytes).",
                      r->walk.count, vkr_segment_kind_name(r->info->segments.kind),
                      VKR_MAX_DISPATCHES, r->context->caps.max_range);
}

static VkrResult add_partials(VkrRecorder recorder, const vkr_reduce *r, uint64_t count,
                              vkr_place *place)
{
    return vkr_add_words(recorder, VKR_SCRATCH, r->partial_words, count, place);
}

/* ---- Rows, and windows ---- */

/* It is limited by the reach of descriptors, both for reading and for writing, and by ids. */
uint64_t vkr_reach_of_segments(const vkr_reduce *r, const vkr_segment_pass *s, uint64_t first,
                               uint64_t end)
{
    const uint64_t parts = s->partials ? 1 : s->all_parts;
    const uint64_t left = s->results ? r->layout.stride : parts * r->partial_bytes;
    uint64_t reach = vkr_min(vkr_max_segment_ids(r, s) / parts, room_of(r) / left);
    if (s->partials) {
        reach = vkr_min(reach, room_of(r) / (s->all_parts * r->partial_bytes));
        if (s->length != 0 && s->segment_stride != 0)
            reach = vkr_min(reach, VKR_MAX_REACH / s->length);
    } else if (s->length != 0) {
        const uint64_t elements = vkr_reach_of_elements(r, first * s->segment_stride);
        reach = elements < s->length
                    ? 0
                    : vkr_min(reach, (elements - s->length) / s->segment_stride + 1);
    }
    if (end - first <= reach)
        return end - first;
    /* The next window starts with a whole unit and, where that costs little, with results in a new
     * granule. */
    const uint64_t round = s->grain != 0 ? s->grain : 1;
    const uint64_t granules = round * r->context->caps.granule;
    return reach >= 8 * granules ? reach / granules * granules : reach / round * round;
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_pass *s,
                          uint64_t begin, uint64_t end)
{
    vkr_segment_window h = {.first = begin, .parts = s->partials ? 1 : s->all_parts};
    for (; h.first < end; h.first += h.count) {
        h.count = vkr_reach_of_segments(r, s, h.first, end);
        if (h.count == 0 && s->partials)
            return vkr_fail_reach(r, "the partials of a segment", s->all_parts * r->partial_bytes);
        if (h.count == 0)
            return vkr_fail_reach(r, "a segment", s->length * r->input.stride);
        VKR_TRY(vkr_check_dispatches(r, end - h.first, h.count));
        VKR_TRY(vkr_add_segments(recorder, r, s, &h));
    }
    return VKR_SUCCESS;
}

/* Adds short rows, of which the last few are taken by element. */
static VkrResult add_short_rows(VkrRecorder recorder, const vkr_reduce *r,
                                const vkr_segment_pass *s)
{
    const uint64_t whole = s->segments / s->neighbours * s->neighbours;
    vkr_segment_pass rest = *s;
    rest.neighbours = rest.grain = rest.loads = 0;
    VKR_TRY(add_rows(recorder, r, s, 0, whole));
    return add_rows(recorder, r, &rest, whole, s->segments);
}

/* ---- Columns ---- */

/* Adds parts of columns, as many as fit in each dispatch. */
static VkrResult add_parts_of_columns(VkrRecorder recorder, const vkr_reduce *r,
                                      const vkr_segment_pass *s, vkr_segment_window h)
{
    const uint64_t part = s->part_length * s->element_stride;
    for (; h.first_part < s->all_parts; h.first_part += h.parts) {
        const uint64_t left = s->length - h.first_part * s->part_length;
        const uint64_t reach = vkr_reach_of_elements(r, h.first_part * part + h.first);
        const uint64_t room = reach < h.count ? 0 : reach - h.count + s->element_stride;
        h.parts = room >= left * s->element_stride ? s->all_parts - h.first_part : room / part;
        h.parts = vkr_min(h.parts, vkr_max_segment_ids(r, s) / h.count);
        if (h.parts == 0)
            return vkr_fail_reach(r, "a part of all columns",
                                  vkr_min(part, r->walk.count) * r->input.stride);
        const uint64_t behind = vkr_divide_up(s->segments - h.first - h.count, h.count);
        VKR_TRY(
            vkr_check_dispatches(r, s->all_parts - h.first_part + s->all_parts * behind, h.parts));
        VKR_TRY(vkr_add_segments(recorder, r, s, &h));
    }
    return VKR_SUCCESS;
}

/* Adds columns: they are cut into parts, and into groups of columns where what all of them leave
 * does not fit. */
static VkrResult add_columns(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_pass *s)
{
    const uint64_t bytes = s->results ? r->layout.stride : s->all_parts * r->partial_bytes;
    uint64_t columns = vkr_min(room_of(r) / bytes, vkr_min(s->segments, vkr_max_segment_ids(r, s)));
    if (s->part_length == 1)
        columns = vkr_min(columns, vkr_reach_of_elements(r, 0) / 2 + 1);
    if (columns == 0)
        return vkr_fail_reach(r, "the partials of a column", bytes);
    vkr_segment_pass pass = *s;
    if (columns < s->grain)
        pass.neighbours = pass.grain = pass.loads = 0;
    if (columns < s->segments && pass.grain != 0)
        columns -= columns % pass.grain;
    for (uint64_t first = 0; first < s->segments; first += columns) {
        const vkr_segment_window h = {.first = first,
                                      .count = vkr_min(columns, s->segments - first)};
        VKR_TRY(add_parts_of_columns(recorder, r, &pass, h));
    }
    return VKR_SUCCESS;
}

/* ---- Parts ---- */

static VkrResult combine_parts(VkrRecorder recorder, const vkr_reduce *r,
                               const vkr_segment_pass *parts)
{
    vkr_segment_pass s = *parts;
    s.team = r->canonical || s.all_parts > VKR_LANES_COMBINE ? 0 : 1;
    s.partials = s.results = true;
    s.neighbours = s.grain = s.loads = 0;
    s.whole = s.one_batch = false;
    s.source = parts->target;
    if (parts->shape == VKR_SHAPE_COLUMNS && r->info->gpuCount.buffer == VK_NULL_HANDLE) {
        /* All segments have the same number of elements, the sum of which can pass 2^32. */
        s.segment_stride = 0;
        s.element_stride = 1;
    }
    return add_rows(recorder, r, &s, 0, s.segments);
}

VkrResult vkr_add_strided(VkrRecorder recorder, const vkr_reduce *r, vkr_segment_pass *s)
{
    s->all_parts = s->length == 0 ? 1 : vkr_divide_up(s->length, s->part_length);
    s->results = s->all_parts == 1;
    if (!s->results && s->segments * s->all_parts > UINT64_MAX / r->partial_bytes / 2)
        return vkr_fail_reach(r, "the partials", UINT64_MAX);
    if (!s->results)
        VKR_TRY(add_partials(recorder, r, s->segments * s->all_parts, &s->target));
    VKR_TRY(s->shape == VKR_SHAPE_COLUMNS ? add_columns(recorder, r, s)
            : s->neighbours != 0          ? add_short_rows(recorder, r, s)
                                          : add_rows(recorder, r, s, 0, s->segments));
    return s->results ? VKR_SUCCESS : combine_parts(recorder, r, s);
}
