/* SPDX-License-Identifier: MIT */
/* Which algorithm takes rows, columns and windows, and how long the parts are that it works on. */
#include "segment.h"

#include <inttypes.h>

/* ---- Loads ---- */

/* Whether an invocation may take neighbours: units start with the first element. */
static bool allows_neighbours(const vkr_reduce *r)
{
    return r->walk.loads != 0 && vkr_lead(&r->input, 0, r->walk.loads) == 0;
}

/* The number of an invocation's rows, such that they are whole units and their results are stored
 * by four; 0 where they are too many to be taken without a loop. */
static uint32_t choose_rows(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = r->walk.unit;
    uint32_t rows = unit < 4 ? 4 : unit;
    while (rows > 4 && rows / 2 * length % unit == 0)
        rows /= 2;
    while (rows * length < VKR_SHORT_ELEMENTS)
        rows *= 2;
    const uint64_t values = length * rows * r->input.components * vkr_count_ops(r);
    return values <= VKR_SHORT_VALUES ? rows : 0;
}

/* The number of units in flight at a time: the largest one up to the walk's batch that divides an
 * invocation's units. */
static uint32_t divide_batch(const vkr_reduce *r, uint64_t units)
{
    uint32_t batch = r->walk.batch;
    while (units % batch != 0)
        batch--;
    return batch;
}

/* The number of units that VKR_COLUMN_LANES invocations have of a row each where they take all of
 * it, such that a subgroup reads memory from end to end, which a CPU's prefetching wants. It is 0
 * where this is too much for an invocation, also to compile, or leaves the device too few of
 * them. */
static uint32_t units_of_whole_row(const vkr_reduce *r, const vkr_segment_pass *s, uint64_t values)
{
    const uint64_t share = (uint64_t)VKR_COLUMN_LANES * r->walk.unit;
    const uint64_t units = s->segments / share;
    const uint64_t invocations = s->length / VKR_LANES_COMBINE * VKR_COLUMN_LANES;
    if (s->segments % share != 0 || vkr_count_ops(r) != 1 ||
        units * values > vkr_segment_limits_of(r)->row_values ||
        invocations < VKR_COLUMN_GROUPS * (uint64_t)r->walk.workgroup_size)
        return 0;
    return (uint32_t)units;
}

/* Takes the columns of units together, where every row is whole units and the algorithm leaves it
 * to single invocations. Of long rows these take several units each, so that invocations of which a
 * CPU runs one after the other find the rest of what they read in its caches. */
static void choose_columns(const vkr_reduce *r, vkr_segment_pass *s, VkrReduceAlgorithm algorithm)
{
    const uint32_t unit = r->walk.unit;
    const uint64_t values = (uint64_t)unit * r->input.components * vkr_count_ops(r);
    const bool by_lanes = algorithm == VKR_REDUCE_AUTO || algorithm == VKR_REDUCE_LANES ||
                          algorithm == VKR_REDUCE_SPLIT;
    if (!allows_neighbours(r) || !by_lanes || s->segments % unit != 0 || values > VKR_COLUMN_VALUES)
        return;
    uint32_t units = vkr_segment_limits_of(r)->row_units;
    while (units > 1 && (s->segments % ((uint64_t)units * VKR_COLUMN_LANES * unit) != 0 ||
                         units * values > VKR_SHORT_VALUES || units > r->walk.batch))
        units /= 2;
    if (algorithm != VKR_REDUCE_LANES)
        units = (uint32_t)vkr_max(units, units_of_whole_row(r, s, values));
    s->neighbours = units * unit;
    s->grain = units > 1 ? s->neighbours * VKR_COLUMN_LANES : unit;
    s->loads = r->walk.loads;
    s->batch = (uint32_t)vkr_max(r->walk.batch / units, 1);
}

/* Chooses how the elements are loaded: without a head and a tail where rows are whole units. */
static void choose_loads(const vkr_reduce *r, vkr_segment_pass *s)
{
    const uint64_t unit = r->walk.unit;
    const uint64_t lanes = s->team == 0 ? r->walk.workgroup_size : s->team;
    const bool rows = s->shape == VKR_SHAPE_ROWS && s->segment_stride == s->length &&
                      r->info->gpuCount.buffer == VK_NULL_HANDLE && s->length != 0;
    if (s->neighbours != 0)
        return;
    s->batch = 1;
    if (r->walk.loads == 0 || s->element_stride != 1)
        return;
    const bool starts = rows && vkr_lead(&r->input, 0, r->walk.loads) == 0;
    if (s->team == 0 || (s->team == 1 && starts && s->length % unit == 0))
        s->loads = r->walk.loads;
    if (starts && s->length % (unit * lanes) == 0 && s->length % s->part_length == 0 &&
        s->part_length % (unit * lanes) == 0) {
        const uint64_t units = s->part_length / unit / lanes;
        const uint32_t batch = divide_batch(r, units);
        s->whole = batch > 1 || units == 1;
        s->one_batch = batch == units && (s->team <= 1 || vkr_has_full_team(r, s->team));
        s->batch = s->whole ? batch : 1;
        s->loads = s->whole ? r->walk.loads : s->loads;
    }
    const uint32_t side = starts && s->team == 1 ? choose_rows(r, s->length) : 0;
    if (side != 0 && s->segments >= side && allows_neighbours(r)) {
        s->neighbours = s->grain = side;
        s->loads = r->walk.loads;
        s->whole = s->one_batch = false;
    }
}

/* ---- Algorithms ---- */

/* The maximum of rows of columns that an invocation takes. */
static uint64_t most_rows(const vkr_reduce *r, const vkr_segment_pass *s)
{
    return vkr_max_part(r, 1) / vkr_segments_of_id(s);
}

static VkrReduceAlgorithm algorithm_of_columns(const vkr_reduce *r, const vkr_segment_pass *s)
{
    const uint64_t full = (uint64_t)r->walk.tuning->maxGroups * r->walk.workgroup_size;
    const bool enough = s->segments / vkr_segments_of_id(s) >= full && s->length <= most_rows(r, s);
    return r->walk.count <= vkr_reach_of_elements(r, 0) &&
                   (s->length <= VKR_LANES_COMBINE || enough)
               ? VKR_REDUCE_LANES
               : VKR_REDUCE_SPLIT;
}

static VkrReduceAlgorithm algorithm_of_rows(const vkr_reduce *r, const vkr_segment_pass *s)
{
    const vkr_segment_limits *limits = vkr_segment_limits_of(r);
    const uint64_t bytes = s->length * vkr_element_size(&r->input);
    const uint64_t loads_of_group = (uint64_t)r->walk.unit * r->walk.workgroup_size;
    const bool many = s->segments >= r->walk.tuning->maxGroups;
    if (bytes <= limits->lane_bytes)
        return VKR_REDUCE_LANES;
    if (bytes <= limits->team_bytes && r->walk.group_path != VKR_GROUP_PATH_SHARED &&
        (limits->team > 1 || s->length % loads_of_group == 0))
        return VKR_REDUCE_MERGE;
    return (bytes <= limits->group_bytes || many) && s->length <= vkr_max_part(r, 0)
               ? VKR_REDUCE_GROUPS
               : VKR_REDUCE_SPLIT;
}

static VkrReduceAlgorithm choose_algorithm(const vkr_reduce *r, const vkr_segment_pass *s)
{
    if (s->length <= 1)
        return VKR_REDUCE_LANES;
    if (r->canonical)
        return s->length <= VKR_TREE_WIDTH   ? VKR_REDUCE_LANES
               : s->length <= VKR_TREE_BLOCK ? VKR_REDUCE_GROUPS
                                             : VKR_REDUCE_SPLIT;
    if (s->shape == VKR_SHAPE_COLUMNS)
        return algorithm_of_columns(r, s);
    return s->segment_stride == 1 ? VKR_REDUCE_LANES /* windows */ : algorithm_of_rows(r, s);
}

/* A length of parts near `length`: if possible one that makes all parts equal, and whole units for
 * every invocation. */
static uint64_t even_parts(const vkr_reduce *r, const vkr_segment_pass *s, uint64_t length)
{
    const uint64_t unit = r->walk.unit, share = unit * r->walk.workgroup_size;
    const uint64_t parts = vkr_divide_up(s->length, length);
    for (uint64_t more = parts; more < 2 * parts && more - parts < VKR_MAX_PARTS_TRIED; more++)
        if (s->length % (more * share) == 0)
            return s->length / more;
    return length < unit
               ? length
               : length / unit * unit; /* never longer, since trips through loops are limited */
}

/* The length of the parts of a segment: enough parts to keep the device busy, and not too many to
 * combine. */
static uint64_t split(const vkr_reduce *r, const vkr_segment_pass *s)
{
    if (r->canonical)
        return VKR_TREE_BLOCK;
    const bool columns = s->shape == VKR_SHAPE_COLUMNS;
    const uint64_t groups =
        columns ? vkr_divide_up(s->segments, vkr_segments_of_id(s) * r->walk.workgroup_size)
                : s->segments;
    const uint64_t parts =
        vkr_min(vkr_divide_up(r->walk.tuning->maxGroups, vkr_max(groups, 1)), VKR_MAX_LISTED);
    const uint64_t shortest = columns ? VKR_LANES_COMBINE : VKR_MIN_PART;
    uint64_t length = vkr_max(vkr_divide_up(s->length, parts), shortest);
    length = vkr_min(length, columns ? most_rows(r, s) : vkr_max_part(r, s->team));
    if (columns && s->segments != 0)
        length = vkr_clamp(vkr_reach_of_elements(r, 0) / 2 / s->segments, 1, length);
    return columns ? length : even_parts(r, s, length);
}

static VkrResult check_algorithm(const vkr_reduce *r, const vkr_segment_pass *s,
                                 VkrReduceAlgorithm algorithm)
{
    const bool lanes = algorithm == VKR_REDUCE_LANES || algorithm == VKR_REDUCE_MERGE;
    if (algorithm == VKR_REDUCE_MERGE &&
        (r->walk.group_path == VKR_GROUP_PATH_SHARED || r->canonical))
        return vkr_fail_algorithm(r, algorithm,
                                  "must be another without subgroup shuffles, and at level device");
    if (r->canonical && lanes && s->length > VKR_TREE_WIDTH)
        return vkr_fail_algorithm(r, algorithm,
                                  "at level device segments must have at most 128 elements");
    if (r->canonical && algorithm == VKR_REDUCE_GROUPS && s->length > VKR_TREE_BLOCK)
        return vkr_fail_algorithm(r, algorithm,
                                  "at level device segments must have at most 8192 elements");
    const uint64_t most = s->neighbours != 0 ? most_rows(r, s) : vkr_max_part(r, s->team);
    if (algorithm != VKR_REDUCE_SPLIT && s->shape != VKR_SHAPE_WINDOWS && s->length > most)
        return vkr_fail_algorithm(r, algorithm, "segments must be shorter, or the algorithm split");
    return VKR_SUCCESS;
}

/* ---- Rows, columns, windows ---- */

/* Adds each segment as a reduction of its own. */
static VkrResult add_each(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_pass *s)
{
    const uint64_t reach = vkr_clamp(vkr_reach_of_elements(r, 0), 1, s->length);
    VKR_TRY(vkr_check_dispatches(r, s->segments * vkr_divide_up(s->length, reach), 1));
    for (uint64_t i = 0; i < s->segments; i++) {
        vkr_reduce one;
        vkr_make_part(r, i * s->segment_stride, i, s->length, &one);
        one.walk.first = 0;
        one.walk.whole = s->length;
        VKR_TRY(vkr_plan_reduce(recorder, &one));
    }
    return VKR_SUCCESS;
}

static vkr_segment_pass describe(const vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    vkr_segment_pass s = {.shape = VKR_SHAPE_ROWS,
                          .segments = r->segments,
                          .length = r->length,
                          .segment_stride = r->length,
                          .element_stride = 1};
    if (segments->kind == VKR_SEGMENTS_WINDOWS)
        s.segment_stride = 1;
    if (segments->kind == VKR_SEGMENTS_COLUMNS && (segments->length != 1 || r->walk.count == 0)) {
        s.shape = VKR_SHAPE_COLUMNS;
        s.segment_stride = 1;
        s.element_stride = segments->length;
    }
    return s;
}

static VkrResult check_columns(const vkr_reduce *r, const vkr_segment_pass *s)
{
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    if (s->segments > VKR_MAX_REACH)
        return vkr_fail_reach(r, "a row", s->segments * r->input.stride);
    if (s->length <= UINT32_MAX && (!gpu_count || r->walk.count <= UINT32_MAX))
        return VKR_SUCCESS;
    return vkr_refuse(
        &r->walk,
        "segments.kind is columns, but %s, %" PRIu64 " elements, must have less than 2^32%s.",
        gpu_count ? "all of them" : "each of them", gpu_count ? r->walk.count : s->length,
        gpu_count ? " where gpuCount is given" : "");
}

static uint32_t team_of(const vkr_reduce *r, const vkr_segment_pass *s,
                        VkrReduceAlgorithm algorithm)
{
    if (algorithm == VKR_REDUCE_MERGE)
        return vkr_choose_team(r, s->length);
    const bool parts_of_columns =
        algorithm == VKR_REDUCE_SPLIT && s->shape == VKR_SHAPE_COLUMNS && !r->canonical;
    return algorithm == VKR_REDUCE_LANES || parts_of_columns ? 1 : 0;
}

/* Adds the passes of rows, columns or windows by an algorithm, which can be AUTO. */
static VkrResult plan_passes(VkrRecorder recorder, const vkr_reduce *r, vkr_segment_pass *s,
                             VkrReduceAlgorithm algorithm)
{
    if (s->shape == VKR_SHAPE_COLUMNS)
        choose_columns(r, s, algorithm);
    if (algorithm == VKR_REDUCE_AUTO)
        algorithm = choose_algorithm(r, s);
    s->team = team_of(r, s, algorithm);
    if (algorithm == VKR_REDUCE_LANES && r->info->segments.kind == VKR_SEGMENTS_WINDOWS &&
        s->length >= VKR_LANES_WINDOW && !r->canonical)
        s->shape = VKR_SHAPE_WINDOWS;
    VKR_TRY(check_algorithm(r, s, algorithm));
    if (s->shape == VKR_SHAPE_WINDOWS)
        return vkr_add_windows(recorder, r, s);
    s->part_length = algorithm == VKR_REDUCE_SPLIT ? split(r, s) : vkr_max(s->length, 1);
    choose_loads(r, s);
    return vkr_add_strided(recorder, r, s);
}

static VkrResult plan_strided(VkrRecorder recorder, const vkr_reduce *r)
{
    vkr_segment_pass s = describe(r);
    const bool columns = s.shape == VKR_SHAPE_COLUMNS;
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    if (columns)
        VKR_TRY(check_columns(r, &s));
    const bool one_row = s.segments == 1 && !gpu_count;
    const bool long_rows = s.length > vkr_reach_of_elements(r, 0) / 2;
    if (r->info->algorithm != VKR_REDUCE_AUTO || columns || (!one_row && !long_rows) ||
        r->info->segments.kind == VKR_SEGMENTS_WINDOWS)
        return plan_passes(recorder, r, &s, r->info->algorithm);
    if (gpu_count && s.segments != 1)
        return vkr_fail_reach(r, "two rows where gpuCount is given",
                              2 * s.length * r->input.stride);
    return add_each(recorder, r, &s);
}

VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *r)
{
    if (r->segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_SEGMENT));
    return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? vkr_plan_offsets(recorder, r)
                                                          : plan_strided(recorder, r);
}
