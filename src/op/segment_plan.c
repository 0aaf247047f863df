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
static uint32_t units_of_whole_row(const vkr_reduce *r, const vkr_strided *of, uint64_t values)
{
    const uint64_t share = (uint64_t)VKR_COLUMN_LANES * r->walk.unit;
    const uint64_t units = of->count / share;
    const uint64_t invocations = of->length / VKR_LANES_COMBINE * VKR_COLUMN_LANES;
    if (of->count % share != 0 || vkr_count_ops(r) != 1 ||
        units * values > vkr_segment_limits_of(r)->row_values ||
        invocations < VKR_COLUMN_GROUPS * (uint64_t)r->walk.workgroup_size)
        return 0;
    return (uint32_t)units;
}

/* Takes the columns of units together, where every row is whole units and the algorithm leaves it
 * to single invocations. Of long rows these take several units each, so that invocations of which a
 * CPU runs one after the other find the rest of what they read in its caches. */
static void take_columns(const vkr_reduce *r, const vkr_strided *of, VkrReduceAlgorithm algorithm,
                         vkr_taking *how)
{
    const uint32_t unit = r->walk.unit;
    const uint64_t values = (uint64_t)unit * r->input.components * vkr_count_ops(r);
    const bool by_lanes = algorithm == VKR_REDUCE_AUTO || algorithm == VKR_REDUCE_LANES ||
                          algorithm == VKR_REDUCE_SPLIT;
    if (!allows_neighbours(r) || !by_lanes || of->count % unit != 0 || values > VKR_COLUMN_VALUES)
        return;
    uint32_t units = vkr_segment_limits_of(r)->row_units;
    while (units > 1 && (of->count % ((uint64_t)units * VKR_COLUMN_LANES * unit) != 0 ||
                         units * values > VKR_SHORT_VALUES || units > r->walk.batch))
        units /= 2;
    if (algorithm != VKR_REDUCE_LANES)
        units = (uint32_t)vkr_max(units, units_of_whole_row(r, of, values));
    how->neighbours = units * unit;
    how->grain = units > 1 ? how->neighbours * VKR_COLUMN_LANES : unit;
    how->loads = r->walk.loads;
    how->batch = (uint32_t)vkr_max(r->walk.batch / units, 1);
}

/* Loads rows without a head and a tail where they are whole units, and takes short ones
 * together. */
static void take_rows(const vkr_reduce *r, const vkr_strided *of, vkr_taking *how)
{
    const uint64_t unit = r->walk.unit;
    const uint64_t lanes = how->team == 0 ? r->walk.workgroup_size : how->team;
    const bool rows = how->shape == VKR_SHAPE_ROWS && of->stride == of->length &&
                      r->info->gpuCount.buffer == VK_NULL_HANDLE && of->length != 0;
    if (r->walk.loads == 0 || of->step != 1)
        return;
    const bool starts = rows && vkr_lead(&r->input, 0, r->walk.loads) == 0;
    if (how->team == 0 || (how->team == 1 && starts && of->length % unit == 0))
        how->loads = r->walk.loads;
    if (starts && of->length % (unit * lanes) == 0 && of->length % how->part_length == 0 &&
        how->part_length % (unit * lanes) == 0) {
        const uint64_t units = how->part_length / unit / lanes;
        const uint32_t batch = divide_batch(r, units);
        how->whole = batch > 1 || units == 1;
        how->one_batch = batch == units && (how->team <= 1 || vkr_has_full_team(r, how->team));
        how->batch = how->whole ? batch : 1;
        how->loads = how->whole ? r->walk.loads : how->loads;
    }
    const uint32_t side = starts && how->team == 1 ? choose_rows(r, of->length) : 0;
    if (side != 0 && of->count >= side && allows_neighbours(r)) {
        how->neighbours = how->grain = side;
        how->loads = r->walk.loads;
        how->whole = how->one_batch = false;
    }
}

/* ---- Algorithms ---- */

/* The maximum of rows of columns that an invocation takes. */
static uint64_t most_rows(const vkr_reduce *r, const vkr_taking *how)
{
    return vkr_max_part(r, 1) / vkr_segments_of_id(how);
}

static VkrReduceAlgorithm algorithm_of_columns(const vkr_reduce *r, const vkr_strided *of,
                                               const vkr_taking *how)
{
    const uint64_t full = (uint64_t)r->walk.tuning->maxGroups * r->walk.workgroup_size;
    const bool enough =
        of->count / vkr_segments_of_id(how) >= full && of->length <= most_rows(r, how);
    return r->walk.count <= vkr_reach_of_elements(r, 0) &&
                   (of->length <= VKR_LANES_COMBINE || enough)
               ? VKR_REDUCE_LANES
               : VKR_REDUCE_SPLIT;
}

static VkrReduceAlgorithm algorithm_of_rows(const vkr_reduce *r, const vkr_strided *of)
{
    const vkr_segment_limits *limits = vkr_segment_limits_of(r);
    const uint64_t bytes = of->length * vkr_element_size(&r->input);
    const uint64_t loads_of_group = (uint64_t)r->walk.unit * r->walk.workgroup_size;
    const bool many = of->count >= r->walk.tuning->maxGroups;
    if (bytes <= limits->lane_bytes)
        return VKR_REDUCE_LANES;
    if (bytes <= limits->team_bytes && r->walk.group_path != VKR_GROUP_PATH_SHARED &&
        (limits->team > 1 || of->length % loads_of_group == 0))
        return VKR_REDUCE_MERGE;
    return (bytes <= limits->group_bytes || many) && of->length <= vkr_max_part(r, 0)
               ? VKR_REDUCE_GROUPS
               : VKR_REDUCE_SPLIT;
}

static VkrReduceAlgorithm choose_algorithm(const vkr_reduce *r, const vkr_strided *of,
                                           const vkr_taking *how)
{
    if (of->length <= 1)
        return VKR_REDUCE_LANES;
    if (r->canonical)
        return of->length <= VKR_TREE_WIDTH   ? VKR_REDUCE_LANES
               : of->length <= VKR_TREE_BLOCK ? VKR_REDUCE_GROUPS
                                              : VKR_REDUCE_SPLIT;
    if (how->shape == VKR_SHAPE_COLUMNS)
        return algorithm_of_columns(r, of, how);
    return of->stride == 1 ? VKR_REDUCE_LANES /* windows */ : algorithm_of_rows(r, of);
}

/* A length of parts near `length`: if possible one that makes all parts equal, and whole units for
 * every invocation. */
static uint64_t even_parts(const vkr_reduce *r, const vkr_strided *of, uint64_t length)
{
    const uint64_t unit = r->walk.unit, share = unit * r->walk.workgroup_size;
    const uint64_t parts = vkr_divide_up(of->length, length);
    for (uint64_t more = parts; more < 2 * parts && more - parts < VKR_MAX_PARTS_TRIED; more++)
        if (of->length % (more * share) == 0)
            return of->length / more;
    return length < unit
               ? length
               : length / unit * unit; /* never longer, since trips through loops are limited */
}

/* The length of the parts of a segment that is split: enough parts to keep the device busy, and not
 * too many to combine. */
static uint64_t split(const vkr_reduce *r, const vkr_strided *of, const vkr_taking *how)
{
    if (r->canonical)
        return VKR_TREE_BLOCK;
    const bool columns = how->shape == VKR_SHAPE_COLUMNS;
    const uint64_t groups =
        columns ? vkr_divide_up(of->count, vkr_segments_of_id(how) * r->walk.workgroup_size)
                : of->count;
    const uint64_t parts =
        vkr_min(vkr_divide_up(r->walk.tuning->maxGroups, vkr_max(groups, 1)), VKR_MAX_LISTED);
    const uint64_t shortest = columns ? VKR_LANES_COMBINE : VKR_MIN_PART;
    uint64_t length = vkr_max(vkr_divide_up(of->length, parts), shortest);
    length = vkr_min(length, columns ? most_rows(r, how) : vkr_max_part(r, how->team));
    if (columns && of->count != 0)
        length = vkr_clamp(vkr_reach_of_elements(r, 0) / 2 / of->count, 1, length);
    return columns ? length : even_parts(r, of, length);
}

static VkrResult check_algorithm(const vkr_reduce *r, const vkr_strided *of, const vkr_taking *how,
                                 VkrReduceAlgorithm algorithm)
{
    const bool lanes = algorithm == VKR_REDUCE_LANES || algorithm == VKR_REDUCE_MERGE;
    if (algorithm == VKR_REDUCE_MERGE &&
        (r->walk.group_path == VKR_GROUP_PATH_SHARED || r->canonical))
        return vkr_fail_algorithm(r, algorithm,
                                  "must be another without subgroup shuffles, and at level device");
    if (r->canonical && lanes && of->length > VKR_TREE_WIDTH)
        return vkr_fail_algorithm(r, algorithm,
                                  "at level device segments must have at most 128 elements");
    if (r->canonical && algorithm == VKR_REDUCE_GROUPS && of->length > VKR_TREE_BLOCK)
        return vkr_fail_algorithm(r, algorithm,
                                  "at level device segments must have at most 8192 elements");
    const uint64_t most = how->neighbours != 0 ? most_rows(r, how) : vkr_max_part(r, how->team);
    if (algorithm != VKR_REDUCE_SPLIT && how->shape != VKR_SHAPE_WINDOWS && of->length > most)
        return vkr_fail_algorithm(r, algorithm, "segments must be shorter, or the algorithm split");
    return VKR_SUCCESS;
}

static uint32_t team_of(const vkr_reduce *r, const vkr_strided *of, uint32_t shape,
                        VkrReduceAlgorithm algorithm)
{
    if (algorithm == VKR_REDUCE_MERGE)
        return vkr_choose_team(r, of->length);
    const bool parts_of_columns =
        algorithm == VKR_REDUCE_SPLIT && shape == VKR_SHAPE_COLUMNS && !r->canonical;
    return algorithm == VKR_REDUCE_LANES || parts_of_columns ? 1 : 0;
}

/* ---- Rows, columns, windows ---- */

/* Adds each segment as a reduction of its own. */
static VkrResult add_each(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of)
{
    const uint64_t reach = vkr_clamp(vkr_reach_of_elements(r, 0), 1, of->length);
    VKR_TRY(vkr_check_dispatches(r, of->count * vkr_divide_up(of->length, reach), 1));
    for (uint64_t i = 0; i < of->count; i++) {
        vkr_reduce one;
        vkr_make_part(r, i * of->stride, i, of->length, &one);
        one.walk.first = 0;
        one.walk.whole = of->length;
        VKR_TRY(vkr_plan_reduce(recorder, &one));
    }
    return VKR_SUCCESS;
}

static bool is_by_columns(const vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    return segments->kind == VKR_SEGMENTS_COLUMNS && (segments->length != 1 || r->walk.count == 0);
}

static vkr_strided describe(const vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    const bool columns = is_by_columns(r);
    return (vkr_strided){.count = r->segments,
                         .length = r->length,
                         .stride =
                             columns || segments->kind == VKR_SEGMENTS_WINDOWS ? 1 : r->length,
                         .step = columns ? segments->length : 1};
}

static VkrResult check_columns(const vkr_reduce *r, const vkr_strided *of)
{
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    if (of->count > VKR_MAX_REACH)
        return vkr_fail_reach(r, "a row", of->count * r->input.stride);
    if (of->length <= UINT32_MAX && (!gpu_count || r->walk.count <= UINT32_MAX))
        return VKR_SUCCESS;
    return vkr_refuse(
        &r->walk,
        "segments.kind is columns, but %s, %" PRIu64 " elements, must have less than 2^32%s.",
        gpu_count ? "all of them" : "each of them", gpu_count ? r->walk.count : of->length,
        gpu_count ? " where gpuCount is given" : "");
}

/* Adds the passes of rows, columns or windows by an algorithm, which can be AUTO. What invocations
 * take of columns decides which algorithm is good; that decides on teams, these on the lengths of
 * parts, and these on loads of rows. */
static VkrResult plan_passes(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of,
                             VkrReduceAlgorithm algorithm)
{
    vkr_taking how = {.shape = is_by_columns(r) ? VKR_SHAPE_COLUMNS : VKR_SHAPE_ROWS, .batch = 1};
    if (how.shape == VKR_SHAPE_COLUMNS)
        take_columns(r, of, algorithm, &how);
    if (algorithm == VKR_REDUCE_AUTO)
        algorithm = choose_algorithm(r, of, &how);
    how.team = team_of(r, of, how.shape, algorithm);
    if (algorithm == VKR_REDUCE_LANES && r->info->segments.kind == VKR_SEGMENTS_WINDOWS &&
        of->length >= VKR_LANES_WINDOW && !r->canonical)
        how.shape = VKR_SHAPE_WINDOWS;
    VKR_TRY(check_algorithm(r, of, &how, algorithm));
    if (how.shape == VKR_SHAPE_WINDOWS)
        return vkr_add_windows(recorder, r, of);
    how.part_length = algorithm == VKR_REDUCE_SPLIT ? split(r, of, &how) : vkr_max(of->length, 1);
    if (how.neighbours == 0)
        take_rows(r, of, &how);
    return vkr_add_strided(recorder, r, of, &how);
}

static VkrResult plan_strided(VkrRecorder recorder, const vkr_reduce *r)
{
    const vkr_strided of = describe(r);
    const bool columns = is_by_columns(r);
    const bool gpu_count = r->info->gpuCount.buffer != VK_NULL_HANDLE;
    if (columns)
        VKR_TRY(check_columns(r, &of));
    const bool one_row = of.count == 1 && !gpu_count;
    const bool long_rows = of.length > vkr_reach_of_elements(r, 0) / 2;
    if (r->info->algorithm != VKR_REDUCE_AUTO || columns || (!one_row && !long_rows) ||
        r->info->segments.kind == VKR_SEGMENTS_WINDOWS)
        return plan_passes(recorder, r, &of, r->info->algorithm);
    if (gpu_count && of.count != 1)
        return vkr_fail_reach(r, "two rows where gpuCount is given",
                              2 * of.length * r->input.stride);
    return add_each(recorder, r, &of);
}

VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *r)
{
    if (r->segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_SEGMENT));
    return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? vkr_plan_offsets(recorder, r)
                                                          : plan_strided(recorder, r);
}
