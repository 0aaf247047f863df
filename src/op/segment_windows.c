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
    if (r->dot)
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

/* ---- Rows, and windows ---- */

/* It is limited by the reach of descriptors, both for reading and for writing, and by ids. */
uint64_t vkr_reach_of_segments(const vkr_reduce *r, const vkr_segment_work *s, uint64_t first,
                               uint64_t end)
{
    const uint64_t parts = s->partials ? 1 : s->parts;
    const uint64_t left = s->results ? r->layout.stride : parts * r->partial_bytes;
    uint64_t reach = vkr_min(vkr_max_segment_ids(r, s) / parts, room_of(r) / left);
    if (s->partials) {
        reach = vkr_min(reach, room_of(r) / (s->parts * r->partial_bytes));
        if (s->of.length != 0 && s->of.stride != 0)
            reach = vkr_min(reach, VKR_MAX_REACH / s->of.length);
    } else if (s->of.length != 0) {
        const uint64_t elements = vkr_reach_of_elements(r, first * s->of.stride);
        reach = elements < s->of.length
                    ? 0
                    : vkr_min(reach, (elements - s->of.length) / s->of.stride + 1);
    }
    if (end - first <= reach)
        return end - first;
    /* The next window starts with a whole unit and, where that costs little, with results in a new
     * granule. */
    const uint64_t round = s->how.grain != 0 ? s->how.grain : 1;
    const uint64_t granules = round * r->context->caps.granule;
    return reach >= 8 * granules ? reach / granules * granules : reach / round * round;
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_work *s,
                          uint64_t begin, uint64_t end)
{
    vkr_segment_window h = {.first = begin, .parts = s->partials ? 1 : s->parts};
    for (; h.first < end; h.first += h.count) {
        h.count = vkr_reach_of_segments(r, s, h.first, end);
        if (h.count == 0 && s->partials)
            return vkr_fail_reach(r, "the partials of a segment", s->parts * r->partial_bytes);
        if (h.count == 0)
            return vkr_fail_reach(r, "a segment", s->of.length * r->input.stride);
        VKR_TRY(vkr_check_dispatches(r, end - h.first, h.count));
        VKR_TRY(vkr_add_segments(recorder, r, s, &h));
    }
    return VKR_SUCCESS;
}

/* Adds short rows, of which the last few are taken by element. */
static VkrResult add_short_rows(VkrRecorder recorder, const vkr_reduce *r,
                                const vkr_segment_work *s)
{
    const uint64_t whole = s->of.count / s->how.neighbours * s->how.neighbours;
    vkr_segment_work rest = *s;
    rest.how.neighbours = rest.how.grain = rest.how.loads = 0;
    VKR_TRY(add_rows(recorder, r, s, 0, whole));
    return add_rows(recorder, r, &rest, whole, s->of.count);
}

/* ---- Columns ---- */

/* Adds parts of columns, as many as fit in each dispatch. */
static VkrResult add_parts_of_columns(VkrRecorder recorder, const vkr_reduce *r,
                                      const vkr_segment_work *s, vkr_segment_window h)
{
    const uint64_t part = s->how.part_length * s->of.step;
    for (; h.first_part < s->parts; h.first_part += h.parts) {
        const uint64_t left = s->of.length - h.first_part * s->how.part_length;
        const uint64_t reach = vkr_reach_of_elements(r, h.first_part * part + h.first);
        const uint64_t room = reach < h.count ? 0 : reach - h.count + s->of.step;
        h.parts = room >= left * s->of.step ? s->parts - h.first_part : room / part;
        h.parts = vkr_min(h.parts, vkr_max_segment_ids(r, s) / h.count);
        if (h.parts == 0)
            return vkr_fail_reach(r, "a part of all columns",
                                  vkr_min(part, r->walk.count) * r->input.stride);
        const uint64_t behind = vkr_divide_up(s->of.count - h.first - h.count, h.count);
        VKR_TRY(vkr_check_dispatches(r, s->parts - h.first_part + s->parts * behind, h.parts));
        VKR_TRY(vkr_add_segments(recorder, r, s, &h));
    }
    return VKR_SUCCESS;
}

/* Adds columns: they are cut into parts, and into groups of columns where what all of them leave
 * does not fit. */
static VkrResult add_columns(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_work *s)
{
    const uint64_t bytes = s->results ? r->layout.stride : s->parts * r->partial_bytes;
    uint64_t columns = vkr_min(room_of(r) / bytes, vkr_min(s->of.count, vkr_max_segment_ids(r, s)));
    if (s->how.part_length == 1)
        columns = vkr_min(columns, vkr_reach_of_elements(r, 0) / 2 + 1);
    if (columns == 0)
        return vkr_fail_reach(r, "the partials of a column", bytes);
    vkr_segment_work pass = *s;
    if (columns < s->how.grain)
        pass.how.neighbours = pass.how.grain = pass.how.loads = 0;
    if (columns < s->of.count && pass.how.grain != 0)
        columns -= columns % pass.how.grain;
    for (uint64_t first = 0; first < s->of.count; first += columns) {
        const vkr_segment_window h = {.first = first,
                                      .count = vkr_min(columns, s->of.count - first)};
        VKR_TRY(add_parts_of_columns(recorder, r, &pass, h));
    }
    return VKR_SUCCESS;
}

/* ---- Parts ---- */

static VkrResult combine_parts(VkrRecorder recorder, const vkr_reduce *r,
                               const vkr_segment_work *parts)
{
    const bool group = r->canonical || parts->parts > VKR_LANES_COMBINE;
    vkr_segment_work s = {.of = parts->of,
                          .how = {.shape = parts->how.shape,
                                  .team = group ? 0 : 1,
                                  .part_length = parts->how.part_length},
                          .parts = parts->parts,
                          .partials = true,
                          .results = true,
                          .source = parts->target};
    if (parts->how.shape == VKR_SHAPE_COLUMNS && r->info->gpuCount.buffer == VK_NULL_HANDLE) {
        /* All segments have the same number of elements, the sum of which can pass 2^32. */
        s.of.stride = 0;
        s.of.step = 1;
    }
    return add_rows(recorder, r, &s, 0, s.of.count);
}

VkrResult vkr_add_strided(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of,
                          const vkr_taking *how)
{
    vkr_segment_work s = {.of = *of,
                          .how = *how,
                          .parts =
                              of->length == 0 ? 1 : vkr_divide_up(of->length, how->part_length)};
    s.results = s.parts == 1;
    if (!s.results && of->count * s.parts > UINT64_MAX / r->partial_bytes / 2)
        return vkr_fail_reach(r, "the partials", UINT64_MAX);
    if (!s.results)
        VKR_TRY(
            vkr_add_words(recorder, VKR_SCRATCH, r->partial_words, of->count * s.parts, &s.target));
    VKR_TRY(how->shape == VKR_SHAPE_COLUMNS ? add_columns(recorder, r, &s)
            : how->neighbours != 0          ? add_short_rows(recorder, r, &s)
                                            : add_rows(recorder, r, &s, 0, of->count));
    return s.results ? VKR_SUCCESS : combine_parts(recorder, r, &s);
}
