/* SPDX-License-Identifier: MIT */
/* Cuts passes over rows, columns, windows and tiles into dispatches that descriptors reach. */
#include "segments.h"

#include <inttypes.h>

static uint64_t room_of(const vkr_reduce *r)
{
    return vkr_room(&r->context->caps);
}

VkrResult vkr_fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes)
{
    return vkr_refuse_range(&r->walk, "segments.kind is %s, but %s, %" PRIu64 " bytes,",
                            vkr_segment_kind_name(r->info->segments.kind), what, bytes);
}

VkrResult vkr_fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why)
{
    return vkr_refuse(&r->walk, "algorithm is %s and segments.kind %s, but %s.",
                      vkrReduceAlgorithmName(algorithm),
                      vkr_segment_kind_name(r->info->segments.kind), why);
}

VkrResult vkr_check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each)
{
    if (left / each < VKR_MAX_WINDOWS)
        return VKR_SUCCESS;
    return vkr_refuse_dispatches(&r->walk, VKR_MAX_WINDOWS,
                                 "count is %" PRIu64 " and segments.kind %s", r->walk.count,
                                 vkr_segment_kind_name(r->info->segments.kind));
}

/* ---- Rows, windows and tiles ---- */

/* The number of segments, starting at `first`, whose elements descriptors reach. */
static uint64_t reach_of_read(const vkr_level *l, uint64_t first)
{
    if (l->how.shape == VKR_SHAPE_TILES || l->of.length == 0)
        return UINT64_MAX;
    const uint64_t reach = vkr_reach_of_elements(l->reduce, first * l->of.stride);
    return reach < l->of.length ? 0 : (reach - l->of.length) / l->of.stride + 1;
}

/* The number is limited by the reach of descriptors, for reading and for writing, and by ids. */
uint64_t vkr_reach_of_segments(const vkr_level *l, uint64_t first, uint64_t end)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t parts = l->partials ? 1 : l->parts;
    const uint64_t left = vkr_leaves_results(l) ? r->layout.stride : parts * r->partial_bytes;
    uint64_t reach = vkr_min(vkr_max_segment_ids(l) / parts, room_of(r) / left);
    if (!l->partials)
        reach = vkr_min(reach, reach_of_read(l, first));
    else
        reach = vkr_min(reach, room_of(r) / (l->parts * r->partial_bytes));
    if (l->partials && l->of.length != 0 && l->of.stride != 0)
        reach = vkr_min(reach, VKR_MAX_REACH / l->of.length);
    if (l->how.shape == VKR_SHAPE_TILES)
        return vkr_reach_of_tiles(l, first, vkr_min(reach, end - first));
    if (end - first <= reach)
        return end - first;
    /* The next window starts with a whole unit and, where that costs little, with results in a new
     * granule. */
    const uint64_t round = l->how.grain != 0 ? l->how.grain : 1;
    const uint64_t granules = round * r->context->caps.granule;
    return reach >= 8 * granules ? reach / granules * granules : reach / round * round;
}

/* Fails with the reason why not even one segment is within reach. */
static VkrResult fail_segment(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const VkDeviceSize stride = l->partials ? l->source.stride : r->input.stride;
    if (l->how.shape == VKR_SHAPE_TILES)
        return vkr_fail_reach(r, "a row of tiles",
                              (uint64_t)l->tiles.width * l->tiles.tile_height * stride);
    return l->partials ? vkr_fail_reach(r, "the partials of a segment", l->parts * stride)
                       : vkr_fail_reach(r, "a segment", l->of.length * stride);
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_level *l, uint64_t begin, uint64_t end)
{
    vkr_segment_window h = {.first = begin, .parts = l->partials ? 1 : l->parts};
    for (; h.first < end; h.first += h.count) {
        h.count = vkr_reach_of_segments(l, h.first, end);
        if (h.count == 0)
            return fail_segment(l);
        VKR_TRY(vkr_check_dispatches(l->reduce, end - h.first, h.count));
        VKR_TRY(vkr_add_dispatch(recorder, l, &h));
    }
    return VKR_SUCCESS;
}

/* Adds short rows. Those after the last full group of neighbours are loaded by element. */
static VkrResult add_short_rows(VkrRecorder recorder, const vkr_level *l)
{
    const uint64_t whole = l->of.count / l->how.neighbours * l->how.neighbours;
    vkr_level rest = *l;
    rest.how.neighbours = rest.how.grain = rest.how.loads = 0;
    VKR_TRY(add_rows(recorder, l, 0, whole));
    return add_rows(recorder, &rest, whole, l->of.count);
}

/* ---- Columns ---- */

/* Adds the parts of columns, several in each dispatch. */
static VkrResult add_parts_of_columns(VkrRecorder recorder, const vkr_level *l,
                                      vkr_segment_window h)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t part = l->how.part_length * l->of.step;
    for (; h.first_part < l->parts; h.first_part += h.parts) {
        const uint64_t left = l->of.length - h.first_part * l->how.part_length;
        const uint64_t reach = vkr_reach_of_elements(r, h.first_part * part + h.first);
        const uint64_t room = reach < h.count ? 0 : reach - h.count + l->of.step;
        h.parts = room >= left * l->of.step ? l->parts - h.first_part : room / part;
        h.parts = vkr_min(h.parts, vkr_max_segment_ids(l) / h.count);
        if (h.parts == 0)
            return vkr_fail_reach(r, "a part of all columns",
                                  vkr_min(part, l->elements) * r->input.stride);
        const uint64_t after = vkr_divide_up(l->of.count - h.first - h.count, h.count);
        VKR_TRY(vkr_check_dispatches(r, l->parts - h.first_part + l->parts * after, h.parts));
        VKR_TRY(vkr_add_dispatch(recorder, l, &h));
    }
    return VKR_SUCCESS;
}

/* Adds columns. They are cut into parts, and also into groups of columns where a descriptor does
 * not reach what all columns leave. */
static VkrResult add_columns(VkrRecorder recorder, const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t bytes = vkr_leaves_results(l) ? r->layout.stride : l->parts * r->partial_bytes;
    uint64_t columns = vkr_min(room_of(r) / bytes, vkr_min(l->of.count, vkr_max_segment_ids(l)));
    if (l->how.part_length == 1)
        columns = vkr_min(columns, vkr_reach_of_elements(r, 0) / 2 + 1);
    if (columns == 0)
        return vkr_fail_reach(r, "the partials of a column", bytes);
    vkr_level pass = *l;
    if (columns < l->how.grain)
        pass.how.neighbours = pass.how.grain = pass.how.loads = 0;
    if (columns < l->of.count && pass.how.grain != 0)
        columns -= columns % pass.how.grain;
    for (uint64_t first = 0; first < l->of.count; first += columns) {
        const vkr_segment_window h = {.first = first,
                                      .count = vkr_min(columns, l->of.count - first)};
        VKR_TRY(add_parts_of_columns(recorder, &pass, h));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_level *l)
{
    if (l->how.shape == VKR_SHAPE_COLUMNS && !l->partials)
        return add_columns(recorder, l);
    return l->how.neighbours != 0 ? add_short_rows(recorder, l)
                                  : add_rows(recorder, l, 0, l->of.count);
}
