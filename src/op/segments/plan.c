/* SPDX-License-Identifier: MIT */
/* Turns the segments of a reduction into levels. */
#include "segments.h"

#include <inttypes.h>

#define MANY_PARTS 2048u /* of a column: more than a workgroup combines at once */

/* ---- Levels ---- */

/* Where a column has many partials, the next level combines them to a few, of equal numbers. */
static bool combine_to_fewer(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t parts = l->parts;
    uint64_t fewer = 1;
    while (l->how.fold % (2 * fewer) == 0 && parts / (2 * fewer) >= r->walk.workgroup_size)
        fewer *= 2;
    if (parts < MANY_PARTS || fewer == 1)
        return false;
    l->how = (vkr_team_plan){.shape = VKR_SHAPE_ROWS, .fold = fewer, .part_length = 1};
    l->of = (vkr_strided){.count = r->segments * fewer};
    l->parts = parts / fewer;
    l->left = l->of.count;
    l->source = l->target;
    l->target = (vkr_place){0};
    l->partials = true;
    return true;
}

/* Lets a level of folded rows go on as one of columns, each of which has the partials of several
 * segments. */
static void unfold(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    l->parts = (l->partials ? 1 : l->parts) * l->how.fold;
    l->of = (vkr_strided){r->segments, r->length, 1, r->segments};
}

/* Cuts the partials of each segment into shares that a workgroup may combine, where there are too
 * many for one. Each share is then a segment of the level. */
static bool combine_shares(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t most = VKR_ELEMENT_TRIPS / vkr_trips_per_element(r) * r->walk.workgroup_size;
    if (l->parts <= most)
        return false;
    const uint64_t shares = vkr_divide_up(l->parts, most);
    l->how = (vkr_team_plan){.shape = VKR_SHAPE_ROWS,
                             .fold = shares,
                             .grain = (uint32_t)shares,
                             .part_length = l->parts};
    l->of = (vkr_strided){.count = r->segments * shares};
    l->parts = vkr_divide_up(l->parts, shares);
    l->left = l->of.count;
    l->source = l->target;
    l->target = (vkr_place){0};
    l->partials = true;
    return true;
}

/* Whether one invocation combines the parts of a segment. GPUs take long for one load after the
 * other, so there must be few parts or many segments. */
static bool combines_by_lanes(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const bool many = l->of.count >= vkr_busy_groups(r) * r->walk.workgroup_size;
    return !r->canonical && l->how.shape != VKR_SHAPE_TILES &&
           l->parts <= vkr_min(many ? VKR_LANES_COMBINE : vkr_policy_of_segments(r)->few_parts,
                               VKR_ELEMENT_TRIPS / vkr_trips_per_element(r));
}

/* Turns the level that has left partials of parts into the one that combines them. */
static VkrResult combine_parts(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    if (r->linked != NULL && l->how.fold != 0) {
        l->parts = l->how.fold;
        l->of = (vkr_strided){.count = r->segments, .length = 1, .step = 1};
        l->how.fold = 0;
    }
    if (r->linked != NULL && combine_shares(l))
        return VKR_SUCCESS;
    if (l->how.fold != 0)
        unfold(l);
    if (l->how.fold != 0 && !l->partials && combine_to_fewer(l))
        return VKR_SUCCESS;
    const uint32_t shape = l->how.fold != 0 ? VKR_SHAPE_COLUMNS : l->how.shape;
    l->how = (vkr_team_plan){
        .shape = shape, .team = combines_by_lanes(l) ? 1 : 0, .part_length = l->how.part_length};
    l->partials = true;
    l->output = VKR_OUTPUT_RESULT;
    l->source = l->target;
    if (shape == VKR_SHAPE_COLUMNS && r->info->gpuCount.buffer == VK_NULL_HANDLE) {
        /* All segments have the same length, so all may start at element 0; real starts can exceed
         * 2^32. */
        l->of.stride = 0;
        l->of.step = 1;
    }
    return VKR_SUCCESS;
}

static VkrResult choose_parts(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    l->parts = l->of.length == 0 ? 1 : vkr_divide_up(l->of.length, l->how.part_length);
    l->output = l->parts == 1 && l->how.fold == 0 ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL;
    VKR_NEED(&r->walk, l->how.shape != VKR_SHAPE_TILES || l->parts <= VKR_TREE_BLOCK,
             "segments.kind is tiles, but tiles of %" PRIu64 " elements have %" PRIu64
             " parts and must have at most %u.",
             r->length, l->parts, VKR_TREE_BLOCK);
    if (l->parts != 1 && l->of.count * l->parts > UINT64_MAX / r->partial_bytes / 2)
        return vkr_fail_reach(r, "the partials", UINT64_MAX);
    l->left = l->of.count * l->parts;
    return VKR_SUCCESS;
}

/* Adds segment i, which starts with element `first`, as a reduction of its own. */
static VkrResult add_one(VkrRecorder recorder, const vkr_reduce *r, uint64_t i, uint64_t first,
                         uint64_t length)
{
    vkr_reduce one = *r;
    one.input.offset += first * r->input.stride;
    one.input2.offset += first * r->input2.stride;
    one.results.offset += i * r->results.stride;
    one.mask_first = first;
    one.walk.view = &one.input;
    one.walk.count = length;
    one.walk.whole = length;
    one.walk.first = r->linked != NULL ? first : 0; /* functions take the index of all */
    return vkr_plan_reduce(recorder, &one);
}

static VkrResult add_each(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of)
{
    const uint64_t reach = vkr_clamp(vkr_reach_of_elements(r, 0), 1, of->length);
    VKR_TRY(vkr_check_dispatches(r, of->count * vkr_divide_up(of->length, reach), 1));
    for (uint64_t i = 0; i < of->count; i++)
        VKR_TRY(add_one(recorder, r, i, i * of->stride, of->length));
    return VKR_SUCCESS;
}

static VkrResult plan_levels(VkrRecorder recorder, vkr_level *l, VkrReduceAlgorithm algorithm)
{
    VKR_TRY(vkr_choose_taking(l, algorithm));
    if (l->how.shape == VKR_SHAPE_WINDOWS)
        return vkr_add_windows(recorder, l);
    VKR_TRY(choose_parts(l));
    return vkr_add_levels(recorder, l);
}

/* ---- Kinds of segments ---- */

static VkrResult check_columns(const vkr_reduce *r, const vkr_strided *of)
{
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    VKR_NEED(&r->walk, of->count <= VKR_MAX_REACH,
             "segments.length is %" PRIu64 ", but must be at most 2^31 where segments.kind is "
             "columns.",
             of->count);
    if (of->length <= UINT32_MAX && (!gpu_count || r->walk.count <= UINT32_MAX))
        return VKR_SUCCESS;
    return vkr_refuse(
        &r->walk,
        "segments.kind is columns, but %s, %" PRIu64 " elements, must have less than 2^32%s.",
        gpu_count ? "all of them" : "each of them", gpu_count ? r->walk.count : of->length,
        gpu_count ? " where gpuCount is given" : "");
}

static vkr_level describe(const vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    const bool tiles = segments->kind == VKR_SEGMENTS_TILES;
    const bool windows = segments->kind == VKR_SEGMENTS_WINDOWS;
    const bool columns =
        segments->kind == VKR_SEGMENTS_COLUMNS && (segments->length != 1 || r->walk.count == 0);
    vkr_level l = vkr_first_level(r);
    l.add = vkr_add_segments;
    l.next = combine_parts;
    l.tiles = r->tiles;
    l.of = (vkr_strided){.count = r->segments,
                         .length = r->length,
                         .stride = columns || windows                    ? 1
                                   : segments->kind == VKR_SEGMENTS_ROWS ? r->pitch
                                                                         : r->length,
                         .step = columns ? segments->length : 1};
    l.how = (vkr_team_plan){.shape = tiles     ? VKR_SHAPE_TILES
                                     : columns ? VKR_SHAPE_COLUMNS
                                               : VKR_SHAPE_ROWS,
                            .loads = tiles ? r->walk.loads : 0,
                            .batch = tiles ? r->walk.batch : 1};
    return l;
}

/* Units of a segment per invocation, in workgroups larger than a subgroup. Combining the states of
 * a subgroup costs as much as several texels: with 4, 16 x 16 texels of RGBA8 took 3.3 times as
 * long as a whole image on an H100. */
#define MIN_UNITS_OF_ROWS 4u
#define MIN_UNITS_OF_TILES 8u

/* Small tiles and short rows need no large workgroup. */
static void shrink_workgroup(vkr_reduce *r, uint32_t min_units)
{
    const uint32_t subgroup = vkr_one_subgroup(&r->context->caps);
    if (r->canonical || r->info->workgroupSize != 0 || vkr_calls_rarely(r))
        return;
    while (r->walk.workgroup_size > subgroup &&
           r->length < (uint64_t)min_units * r->walk.unit * r->walk.workgroup_size)
        r->walk.workgroup_size /= 2;
}

/* Whether tiles of a buffer are loaded by units: all their rows consist of these, and the limit of
 * trips, which is lower then, excludes no algorithm. */
static bool loads_tiles_by_units(const vkr_reduce *r)
{
    const vkr_walk *w = &r->walk;
    const VkrReduceAlgorithm asked = r->info->algorithm;
    const bool parts = asked == VKR_REDUCE_AUTO || asked == VKR_REDUCE_SPLIT;
    const uint64_t most = vkr_max_part(r, asked == VKR_REDUCE_LANES ? 1 : 0);
    return w->loads != 0 && vkr_lead(&r->input, 0, w->loads) == 0 &&
           r->tiles.width % w->unit == 0 && r->tiles.tile_width % w->unit == 0 &&
           r->length / most < (parts ? VKR_TREE_BLOCK / 2 : 1);
}

static VkrResult plan_tiles(VkrRecorder recorder, vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    if (!vkr_is_image(&r->input) && !loads_tiles_by_units(r))
        vkr_set_loads(&r->walk, 0);
    const VkrReduceAlgorithm algorithm =
        asked != VKR_REDUCE_AUTO ? asked : vkr_algorithm_of_tiles(r);
    shrink_workgroup(r, MIN_UNITS_OF_TILES);
    VKR_TRY(vkr_place_tile_results(recorder, r));
    vkr_level l = describe(r);
    VKR_TRY(plan_levels(recorder, &l, algorithm));
    return vkr_write_tile_image(recorder, r);
}

/* Where a workgroup reduces a row, it gets as many invocations as the row has work for. */
static void choose_workgroup_of_rows(vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    const vkr_level l = describe(r);
    if (l.how.shape == VKR_SHAPE_ROWS && r->info->segments.kind == VKR_SEGMENTS_ROWS &&
        (asked == VKR_REDUCE_AUTO ? vkr_algorithm_of_segments(&l) : asked) == VKR_REDUCE_GROUPS)
        shrink_workgroup(r, MIN_UNITS_OF_ROWS);
}

static VkrResult plan_strided(VkrRecorder recorder, vkr_reduce *r);

/* The last row is a reduction of its own, so that all others are read as whole ones. */
static VkrResult plan_shorter_row(VkrRecorder recorder, const vkr_reduce *r)
{
    vkr_reduce others = *r;
    others.segments--;
    others.last = r->length;
    others.layout.size -= r->layout.stride;
    others.walk.count = others.walk.whole = (others.segments - 1) * r->pitch + r->length;
    others.walk.view = &others.input;
    VKR_TRY(plan_strided(recorder, &others));
    return add_one(recorder, r, others.segments, others.segments * r->pitch, r->last);
}

static VkrResult plan_strided(VkrRecorder recorder, vkr_reduce *r)
{
    /* Where the GPU has a count, any row can be shorter. */
    if (r->info->segments.kind == VKR_SEGMENTS_ROWS && r->segments > 1 && r->last < r->length &&
        r->info->gpuCount.buffer == VK_NULL_HANDLE)
        return plan_shorter_row(recorder, r);
    choose_workgroup_of_rows(r);
    vkr_level l = describe(r);
    const bool columns = l.how.shape == VKR_SHAPE_COLUMNS;
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    if (columns)
        VKR_TRY(check_columns(r, &l.of));
    const bool one_row = l.of.count == 1 && !gpu_count;
    const bool long_rows = l.of.length > vkr_reach_of_elements(r, 0) / 2;
    if (r->info->algorithm != VKR_REDUCE_AUTO || columns || (!one_row && !long_rows) ||
        r->info->segments.kind == VKR_SEGMENTS_WINDOWS)
        return plan_levels(recorder, &l, r->info->algorithm);
    if (gpu_count && l.of.count != 1)
        return vkr_fail_reach(r, "two rows where gpuCount is given",
                              2 * l.of.length * r->input.stride);
    return add_each(recorder, r, &l.of);
}

VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *r)
{
    const VkrSegmentKind kind = r->info->segments.kind;
    const bool tiles = kind == VKR_SEGMENTS_TILES;
    if (r->segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_choose_segment_kernel(r, tiles               ? VKR_FAMILY_TILE
                                         : r->linked != NULL ? VKR_FAMILY_SEGMENT_LINKED
                                                             : VKR_FAMILY_SEGMENT));
    return tiles                          ? plan_tiles(recorder, r)
           : kind == VKR_SEGMENTS_OFFSETS ? vkr_plan_offsets(recorder, r)
                                          : plan_strided(recorder, r);
}
