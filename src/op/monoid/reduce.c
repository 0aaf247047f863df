/* SPDX-License-Identifier: MIT */
/* Reductions by an application's monoid. */
#include "monoid.h"

#include <inttypes.h>

#include "../../plan/rows.h"
#include "../reduce/reduce.h"
#include "../compact/runs.h"

#define TREE_TEAM 16u /* invocations of a block of ranges */

typedef struct folding {
    vkr_monoid_work work;
    const VkrReduceInfo *info;
    VkrReduceLayout layout;
    uint64_t segments, length, pitch, last; /* as those of vkr_reduce */
    vkr_place results;
    vkr_runs runs; /* where segments are by keys */
} folding;

/* ---- Checks ---- */

/* Whether monoid.comp reduces the segments, by ranges. */
static bool has_ranges(const VkrReduceInfo *info)
{
    return info->segments.kind == VKR_SEGMENTS_WINDOWS;
}

/* Whether segments lie anywhere, so that dispatches must reach all elements. */
static bool lie_anywhere(const VkrReduceInfo *info)
{
    const VkrSegmentKind kind = info->segments.kind;
    return has_ranges(info) || kind == VKR_SEGMENTS_OFFSETS || kind == VKR_SEGMENTS_KEYS;
}

static VkrResult check_fields(const vkr_walk *w, const VkrReduceInfo *info)
{
    const vkr_unused_field fields[] = {
        {info->ops != 0, "ops"},
        {vkr_is_given(&info->input2), "input2"},
        {info->accumulator != VKR_TYPE_UNDEFINED, "accumulator"},
        {info->nan != VKR_NAN_IGNORE, "nan"},
        {info->algorithm != VKR_REDUCE_AUTO, "algorithm"},
        {info->workgroupSize != 0, "workgroupSize"},
        {info->flags != 0, "flags"},
        {info->segments.kind != VKR_SEGMENTS_NONE &&
             (info->pieces.partials.buffer != VK_NULL_HANDLE || info->pieces.count != 0 ||
              info->pieces.first != 0),
         "pieces"},
        {lie_anywhere(info) && vkr_has_mask(&info->mask), "mask"},
        {info->outputImage != NULL, "outputImage"},
    };
    VKR_TRY(vkr_check_unused(w, fields, VKR_ARRAY_SIZE(fields)));
    return vkr_check_monoid_determinism(w, info->determinism);
}

/* Sets the number of segments, and the maximum number of elements of one. */
static VkrResult check_segments(folding *f)
{
    const VkrSegments *segments = &f->info->segments;
    vkr_reduce r = {.info = f->info, .walk = f->work.walk};
    VKR_TRY(
        vkr_check_choice(&r.walk, "segments.kind", (int)segments->kind, VKR_SEGMENT_KIND_COUNT));
    VKR_NEED(
        &r.walk, segments->kind != VKR_SEGMENTS_TILES,
        "segments.kind is tiles, but must be none, rows, columns, windows, offsets or keys where "
        "monoid is given.");
    r.segments = 1;
    r.length = r.walk.count;
    if (segments->kind != VKR_SEGMENTS_NONE) {
        if (lie_anywhere(f->info))
            VKR_TRY(vkr_check_monoid_count(&f->work));
        VKR_TRY(vkr_check_segments(&r));
    }
    f->segments = r.segments;
    f->length = r.length;
    f->pitch = r.pitch;
    f->last = r.last;
    VKR_NEED(&r.walk, f->segments <= UINT32_MAX,
             "the number of segments is %" PRIu64 ", but must be below 2^32 where monoid is given.",
             f->segments);
    return VKR_SUCCESS;
}

/* Checks everything on which the layout depends. */
static VkrResult check_shape(const vkr_walk *w, const VkrReduceInfo *info, folding *f)
{
    f->info = info;
    VKR_TRY(check_fields(w, info));
    VKR_TRY(
        vkr_check_monoid(w, info->monoid, &info->input, info->count, &info->gpuCount, &f->work));
    VKR_TRY(check_segments(f));
    const uint64_t all = info->pieces.count != 0 ? info->pieces.count : f->work.walk.count;
    const VkDeviceSize size = 4 * (VkDeviceSize)f->work.result_words;
    const VkDeviceSize granule = w->context->caps.granule, whole = size * f->segments;
    f->layout = (VkrReduceLayout){.components = f->work.result_words,
                                  .alignment = 4,
                                  .size = whole,
                                  .spacing = vkr_divide_up(whole + granule - 4, granule) * granule,
                                  .segments = f->segments,
                                  .stride = size,
                                  .partialsSize = 4 * (VkDeviceSize)f->work.state_words *
                                                  vkr_divide_up(all, VKR_TREE_BLOCK)};
    return VKR_SUCCESS;
}

/* Checks the keys of runs and what is written about runs, beside all other regions. */
static VkrResult check_keys(folding *f, const vkr_region *regions, size_t count)
{
    VKR_TRY(vkr_check_runs(&f->work.walk, &f->info->gpuCount, &f->info->segments, regions, count,
                           &f->runs));
    for (uint32_t i = 0; i < vkr_count_run_regions(&f->runs); i++) {
        const vkr_region own = vkr_region_of_runs(&f->runs, i);
        VKR_TRY(vkr_check_monoid_regions(&f->work, &own, 1));
    }
    return VKR_SUCCESS;
}

static VkrResult check_buffers(folding *f)
{
    const VkrReduceInfo *info = f->info;
    const VkrSegments *segments = &info->segments;
    const bool offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    const vkr_walk *w = &f->work.walk;
    VKR_TRY(vkr_check_monoid_handles(&f->work, &info->input));
    VKR_MUST(w, info->output.buffer != VK_NULL_HANDLE,
             "output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    VKR_TRY(vkr_check_range(w, "output", &info->output, 4, f->layout.size));
    VKR_MUST(w, segments->gpuCount.buffer == VK_NULL_HANDLE || offsets,
             "segments.gpuCount is given, but segments.kind must then be offsets.");
    if (offsets) {
        VKR_TRY(vkr_check_gpu_count(w, "segments.gpuCount", &segments->gpuCount));
        VKR_TRY(
            vkr_check_range(w, "segments.offsets", &segments->offsets, 4, segments->offsets.size));
    }
    const vkr_region regions[] = {
        vkr_region_of_bytes("output", info->output.buffer, info->output.offset, f->layout.size,
                            true),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_count("segments.gpuCount", &segments->gpuCount),
        vkr_region_of_bytes("segments.offsets", segments->offsets.buffer, segments->offsets.offset,
                            offsets ? segments->offsets.size : 0, false),
    };
    f->results = vkr_place_of_words(info->output.buffer, info->output.offset, f->work.result_words);
    VKR_TRY(vkr_check_monoid_regions(&f->work, regions, VKR_ARRAY_SIZE(regions)));
    return segments->kind == VKR_SEGMENTS_KEYS ? check_keys(f, regions, VKR_ARRAY_SIZE(regions))
                                               : VKR_SUCCESS;
}

/* ---- Ranges ---- */

/* Adds the states of blocks of elements, of blocks of these, and so on, where a range of the
 * greatest length can have whole ones. */
static VkrResult plan_blocks(VkrRecorder recorder, const folding *f, vkr_monoid_pass *range)
{
    const uint64_t block = VKR_MONOID_BLOCK;
    const uint32_t commutative = f->work.info->commutative ? VKR_MONOID_FLAG_COMMUTATIVE : 0;
    uint64_t items = f->work.walk.count, first = 0, all = 0;
    for (uint64_t size = block; size <= f->length && items > 1; size *= block) {
        items = vkr_divide_up(items, block);
        all += items;
        range->push.levels++;
    }
    if (all == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_states(recorder, &f->work, all, &range->source));
    range->sources = all;
    vkr_monoid_pass p = {.mode = VKR_MONOID_FOLD,
                         .flags = commutative,
                         .team = TREE_TEAM,
                         .items = VKR_MONOID_BLOCK / TREE_TEAM,
                         .target = range->source};
    items = f->work.walk.count;
    for (uint32_t level = 0; level < range->push.levels; level++) {
        p.tiles = vkr_divide_up(items, block);
        p.extent = items;
        VKR_TRY(vkr_add_monoid_pass(recorder, &f->work, &p));
        p.flags |= VKR_MONOID_FLAG_STATES;
        p.source = range->source;
        p.first_source = first;
        p.sources = p.tiles;
        first += p.tiles;
        p.first_target = first;
        items = p.tiles;
    }
    return VKR_SUCCESS;
}

static VkrResult plan_ranges(VkrRecorder recorder, const folding *f)
{
    vkr_monoid_pass p = {.mode = VKR_MONOID_RANGE,
                         .flags = VKR_MONOID_FLAG_RESULTS,
                         .team = 1,
                         .items = 1,
                         .tiles = f->segments,
                         .target = f->results};
    VKR_TRY(plan_blocks(recorder, f, &p));
    p.extent = f->length;
    return vkr_add_monoid_pass(recorder, &f->work, &p);
}

/* ---- Requests of the planners of reductions by operators ---- */

/* Checks what only these support; `r` becomes the request, without its elements. */
static VkrResult make_request(const folding *f, vkr_reduce *r)
{
    const vkr_monoid_work *work = &f->work;
    const uint32_t words = work->state_words;
    *r = (vkr_reduce){.context = work->walk.context,
                      .info = f->info,
                      .input = work->elements,
                      .walk = work->walk,
                      .accumulator = VKR_TYPE_U32,
                      .masked = vkr_has_mask(&f->info->mask),
                      .segmented = f->info->segments.kind != VKR_SEGMENTS_NONE,
                      .segments = f->segments,
                      .pitch = f->pitch,
                      .last = f->last,
                      .layout = f->layout,
                      .state_words = words,
                      .partial_words = words,
                      .partial_bytes = 4 * (uint64_t)words,
                      .results = f->results};
    r->walk.gpu_count = &f->info->gpuCount;
    VKR_TRY(vkr_check_reduce_mask(r));
    VKR_TRY(vkr_check_pieces(r));
    r->length = r->segmented ? f->length : vkr_max(r->walk.whole, r->walk.count);
    r->wide_index = r->length >> 32 != 0 || r->context->caps.wide_indices;
    return VKR_SUCCESS;
}

static VkrResult plan_request(VkrRecorder recorder, const folding *f, vkr_reduce *r)
{
    const vkr_monoid_work *work = &f->work;
    const vkr_linked linked = vkr_linked_of_monoid(work);
    if (r->masked && r->walk.count != 0)
        VKR_TRY(vkr_plan_mask(recorder, &r->walk, &f->info->mask, &r->mask));
    r->linked = &linked;
    r->input = vkr_words_of_monoid(work, &linked);
    vkr_start_walk(&r->walk, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE_LINKED, &r->input);
    return r->segmented ? vkr_plan_segments(recorder, r) : vkr_plan_reduce(recorder, r);
}

/* ---- The calls ---- */

VkrResult vkr_lay_out_monoid(const vkr_walk *w, const VkrReduceInfo *info, VkrReduceLayout *layout)
{
    folding f;
    VKR_TRY(check_shape(w, info, &f));
    *layout = f.layout;
    return VKR_SUCCESS;
}

VkrResult vkr_reduce_monoid(VkrRecorder recorder, const vkr_walk *w, const VkrReduceInfo *info)
{
    VkrReduceInfo by_offsets;
    vkr_reduce r;
    folding f;
    VKR_TRY(check_shape(w, info, &f));
    VKR_TRY(check_buffers(&f));
    if (!has_ranges(info))
        VKR_TRY(make_request(&f, &r));
    if (info->segments.kind == VKR_SEGMENTS_KEYS) {
        by_offsets = *info;
        VKR_TRY(vkr_plan_runs(recorder, &f.runs, &by_offsets.segments));
        f.info = info = r.info = &by_offsets;
    }
    if (f.segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_take_monoid_elements(recorder, &f.work));
    return has_ranges(info) ? plan_ranges(recorder, &f) : plan_request(recorder, &f, &r);
}
