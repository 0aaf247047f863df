/* SPDX-License-Identifier: MIT */
/* Chooses how segments are reduced: the algorithm, and the team, parts and loads that follow from
 * it. */
#include "segments.h"

#define LANES_WINDOW 4u     /* minimum length of windows that are reduced by blocks */
#define DEVICE_WINDOW 2u    /* the same at level device, where shorter ones have no additions */
#define MIN_PART 4096u      /* minimum number of elements of a part of a split segment */
#define SHORT_ELEMENTS 16u  /* minimum number of elements of an invocation's short rows */
#define MAX_PARTS_TRIED 64u /* numbers of parts that even_parts tries */

/* ---- Loads ---- */

/* The number of rows of an invocation, such that they consist of whole units and their results are
 * stored four at a time; 0 where this is too much to reduce without a loop. */
static uint32_t choose_rows(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = r->walk.unit;
    uint32_t rows = unit < 4 ? 4 : unit;
    while (rows > 4 && rows / 2 * length % unit == 0)
        rows /= 2;
    while (rows * length < SHORT_ELEMENTS)
        rows *= 2;
    return vkr_values_of(r, length * rows) <= VKR_SHORT_VALUES ? rows : 0;
}

/* The number of units in flight: the largest divisor of an invocation's units that is at most the
 * walk's batch. */
static uint32_t divide_batch(const vkr_reduce *r, uint64_t units)
{
    uint32_t batch = r->walk.batch;
    while (units % batch != 0)
        batch--;
    return batch;
}

/* Loads rows of an application's elements; a team can have a head and a tail. */
static void plan_linked_rows(vkr_level *l)
{
    const vkr_walk *w = &l->reduce->walk;
    const bool units = l->of.length % w->unit == 0 && l->of.stride % w->unit == 0 &&
                       l->how.part_length % w->unit == 0;
    const uint64_t lanes = l->how.team == 0 ? w->workgroup_size : l->how.team;
    l->how.loads = l->of.length >= w->unit ? w->loads : 0;
    l->how.batch =
        (uint32_t)vkr_clamp(l->how.part_length / (lanes * w->unit), 1, vkr_max(w->batch, 1));
    l->how.whole = units && vkr_starts_with_unit(l->reduce) &&
                   l->reduce->info->gpuCount.buffer == VK_NULL_HANDLE;
}

/* Loads rows without a head and a tail where they consist of whole units, and lets an invocation
 * reduce several short rows. */
static void plan_rows(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t unit = r->walk.unit, length = l->of.length;
    vkr_team_plan *how = &l->how;
    const uint64_t share = unit * (how->team == 0 ? r->walk.workgroup_size : how->team);
    const bool starts = length != 0 && l->of.stride >= length && vkr_starts_with_unit(r) &&
                        r->info->gpuCount.buffer == VK_NULL_HANDLE;
    const bool aligned = starts && l->of.stride % unit == 0;
    if (r->walk.loads == 0)
        return;
    if (how->team == 0 || (how->team == 1 && aligned && length % unit == 0))
        how->loads = r->walk.loads;
    if (aligned && length % share == 0 && length % how->part_length == 0 &&
        how->part_length % share == 0) {
        const uint64_t units = how->part_length / share;
        const uint32_t batch = divide_batch(r, units);
        how->whole = batch > 1 || units == 1;
        how->one_batch = batch == units && (how->team <= 1 || vkr_has_full_team(r, how->team));
        how->batch = how->whole ? batch : 1;
        how->loads = how->whole ? r->walk.loads : how->loads;
    }
    const bool adjacent = starts && l->of.stride == length;
    const uint32_t rows = adjacent && how->team == 1 ? choose_rows(r, length) : 0;
    if (rows != 0 && l->of.count >= rows) {
        how->neighbours = how->grain = rows;
        how->loads = r->walk.loads;
        how->whole = how->one_batch = false;
    }
}

/* ---- Algorithms ---- */

/* The maximum length of a segment for the level's invocations, teams or workgroups. */
static uint64_t max_length(const vkr_level *l)
{
    return l->how.neighbours != 0 ? vkr_max_part(l->reduce, 1) / l->how.neighbours
                                  : vkr_max_part(l->reduce, l->how.team);
}

/* Whether this number of invocations keeps the device busy. */
static bool is_enough(const vkr_reduce *r, uint64_t invocations)
{
    return invocations >= (uint64_t)r->walk.tuning->maxGroups * r->walk.workgroup_size;
}

static VkrReduceAlgorithm algorithm_of_columns(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint32_t neighbours = vkr_segments_of_id(&l->how);
    const bool enough =
        is_enough(r, l->of.count / neighbours) && l->of.length <= vkr_max_part(r, 1) / neighbours;
    return r->walk.count <= vkr_reach_of_elements(r, 0) &&
                   (l->of.length <= vkr_min(VKR_LANES_COMBINE, vkr_max_part(r, 1)) || enough)
               ? VKR_REDUCE_LANES
               : VKR_REDUCE_SPLIT;
}

/* Whether teams of subgroups' lanes should merge rows. They merge as many rows as they have lanes,
 * so there are as many invocations as rows. Where these are too few to keep a GPU busy, workgroups
 * of one subgroup load more at a time, if each lane has at least a unit of a row. */
static bool should_merge(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint32_t unit = r->walk.unit, lanes = r->walk.workgroup_size;
    if (r->linked != NULL) /* teams combine their states in shared memory */
        return l->of.length <= vkr_max_part(r, vkr_choose_team(r, l->of.length));
    if (r->walk.group_path == VKR_GROUP_PATH_SHARED)
        return false;
    if (vkr_policy_of_segments(r)->team == 1)
        return l->of.length % ((uint64_t)unit * lanes) == 0;
    return l->of.count >= vkr_busy_groups(r) * lanes ||
           l->of.length < (uint64_t)unit * vkr_one_subgroup(&r->context->caps);
}

static VkrReduceAlgorithm algorithm_of_rows(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const uint64_t bytes = l->of.length * vkr_element_size(&r->input);
    const bool many = l->of.count >= vkr_busy_groups(r);
    if (bytes <= limits->lane_bytes && l->of.length <= vkr_max_part(r, 1))
        return VKR_REDUCE_LANES;
    if (bytes <= limits->team_bytes && should_merge(l))
        return VKR_REDUCE_MERGE;
    return (bytes <= limits->group_bytes || many) && l->of.length <= vkr_max_part(r, 0)
               ? VKR_REDUCE_GROUPS
               : VKR_REDUCE_SPLIT;
}

/* Whether an invocation has a whole row of a tile of a buffer in flight. Together invocations then
 * read memory contiguously. */
static bool has_rows_in_flight(const vkr_reduce *r)
{
    const uint64_t bytes = r->tiles.tile_width * vkr_element_size(&r->input);
    return r->walk.loads != 0 && !vkr_is_image(&r->input) &&
           bytes <= (uint64_t)r->walk.tuning->flight * VKR_PACK;
}

/* Single invocations reduce small tiles. They reduce larger tiles too, if there are enough to keep
 * the device busy, where that costs less than combining the states of several invocations: on CPUs,
 * and if each has whole rows in flight. */
VkrReduceAlgorithm vkr_algorithm_of_tiles(const vkr_reduce *r)
{
    const vkr_segments_policy *policy = vkr_policy_of_segments(r);
    const uint64_t tiles = policy->tile_lanes * r->segments;
    const bool small = r->length * vkr_element_size(&r->input) <= policy->lane_bytes;
    const bool enough = (policy->whole_tiles != 0 || has_rows_in_flight(r)) &&
                        is_enough(r, tiles) && r->length <= vkr_max_part(r, 1);
    return !r->canonical && (small || enough) ? VKR_REDUCE_LANES : VKR_REDUCE_SPLIT;
}

static bool is_windows(const vkr_level *l)
{
    return l->reduce->info->segments.kind == VKR_SEGMENTS_WINDOWS;
}

VkrReduceAlgorithm vkr_algorithm_of_segments(const vkr_level *l)
{
    const uint64_t length = l->of.length;
    if (length <= 1 || is_windows(l))
        return VKR_REDUCE_LANES;
    if (l->reduce->canonical)
        return length <= VKR_TREE_WIDTH   ? VKR_REDUCE_LANES
               : length <= VKR_TREE_BLOCK ? VKR_REDUCE_GROUPS
                                          : VKR_REDUCE_SPLIT;
    if (l->how.shape == VKR_SHAPE_COLUMNS)
        return algorithm_of_columns(l);
    return algorithm_of_rows(l);
}

/* ---- Parts ---- */

/* A length of parts near `length`, if possible one that makes all parts equal and gives every
 * invocation whole units. It never exceeds `length`, since trips through loops are limited. */
static uint64_t even_parts(const vkr_level *l, uint64_t length)
{
    const vkr_walk *w = &l->reduce->walk;
    const uint64_t share = (uint64_t)w->unit * w->workgroup_size;
    const uint64_t parts = vkr_divide_up(l->of.length, length);
    for (uint64_t more = parts; more < 2 * parts && more - parts < MAX_PARTS_TRIED; more++)
        if (l->of.length % (more * share) == 0)
            return l->of.length / more;
    return length < w->unit ? length : length / w->unit * w->unit;
}

/* The length of the parts of a tile, in whole units; a small tile is one part. */
static uint64_t split_tile(const vkr_reduce *r)
{
    const uint64_t unit = r->walk.unit, most = vkr_max_part(r, 0) / unit * unit;
    const uint64_t wanted = vkr_divide_up(r->walk.tuning->maxGroups, r->segments);
    const uint64_t parts = vkr_clamp(wanted, 1, vkr_max(r->length / MIN_PART, 1));
    return r->canonical && r->length > VKR_TREE_BLOCK
               ? VKR_TREE_BLOCK
               : vkr_min(vkr_divide_up(vkr_divide_up(r->length, parts), unit) * unit, most);
}

/* The length of the parts of a split segment, such that there are enough parts to keep the device
 * busy, and not too many to combine. */
static uint64_t split(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t count = l->of.count;
    const bool columns = l->how.shape == VKR_SHAPE_COLUMNS;
    if (l->how.shape == VKR_SHAPE_TILES)
        return split_tile(r);
    if (r->canonical)
        return VKR_TREE_BLOCK;
    const uint64_t share = vkr_segments_of_id(&l->how) * r->walk.workgroup_size;
    const uint64_t groups = columns ? vkr_divide_up(count, share) : count;
    const uint64_t wanted = vkr_min(r->walk.tuning->maxGroups, 2 * vkr_busy_groups(r));
    const uint64_t parts = vkr_min(vkr_divide_up(wanted, vkr_max(groups, 1)), VKR_MAX_LISTED);
    const uint64_t min = columns ? VKR_LANES_COMBINE : MIN_PART;
    uint64_t length = vkr_max(vkr_divide_up(l->of.length, parts), min);
    length = vkr_min(length, max_length(l));
    if (columns && count != 0)
        length = vkr_clamp(vkr_reach_of_elements(r, 0) / 2 / count, 1, length);
    return columns ? length : even_parts(l, length);
}

/* ---- The choice ---- */

static VkrResult check_algorithm(const vkr_level *l, VkrReduceAlgorithm algorithm)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t length = l->of.length;
    const bool tiles = l->how.shape == VKR_SHAPE_TILES;
    const bool merge = algorithm == VKR_REDUCE_MERGE;
    const bool lanes = algorithm == VKR_REDUCE_LANES || merge;
    const bool groups = algorithm == VKR_REDUCE_GROUPS;
    const struct {
        bool holds;
        const char *why;
    } rows[] = {
        {tiles && (merge || (lanes && r->canonical)),
         "must be auto, groups or split, or lanes below level device"},
        {merge && r->linked == NULL &&
             (r->canonical || r->walk.group_path == VKR_GROUP_PATH_SHARED),
         "must be another one without subgroup shuffles or at level device"},
        {r->canonical && is_windows(l) && !lanes, "must be auto or lanes at level device"},
        {r->canonical && lanes && !is_windows(l) && length > VKR_TREE_WIDTH,
         "at level device segments must have at most 128 elements"},
        {r->canonical && groups && length > VKR_TREE_BLOCK,
         "at level device segments must have at most 8192 elements"},
        {(lanes || groups) && l->how.shape != VKR_SHAPE_WINDOWS && length > max_length(l),
         "segments must be shorter, or the algorithm split"},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        if (rows[i].holds)
            return vkr_fail_algorithm(r, algorithm, rows[i].why);
    return VKR_SUCCESS;
}

static uint32_t choose_team(const vkr_level *l, VkrReduceAlgorithm algorithm)
{
    if (algorithm == VKR_REDUCE_MERGE)
        return vkr_choose_team(l->reduce, l->of.length);
    const bool parts_of_columns =
        algorithm == VKR_REDUCE_SPLIT && l->how.shape == VKR_SHAPE_COLUMNS && !l->reduce->canonical;
    return algorithm == VKR_REDUCE_LANES || parts_of_columns ? 1 : 0;
}

/* Plans columns of folded rows, unless these cannot be folded, or one dispatch cannot write all
 * partials. */
static bool plan_folded_columns(vkr_level *l, VkrReduceAlgorithm algorithm)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t room = vkr_room(&r->context->caps);
    vkr_level folded = *l;
    vkr_fold_rows(&folded, algorithm);
    if (folded.how.fold == 0)
        return false;
    vkr_plan_columns(&folded, algorithm);
    folded.how.team = 1;
    folded.how.part_length = split(&folded);
    const uint64_t parts = vkr_divide_up(folded.of.length, folded.how.part_length);
    if (folded.of.count * parts > room / r->partial_bytes ||
        folded.of.count > vkr_max_segment_ids(&folded))
        return false;
    *l = folded;
    return true;
}

/* The order matters: the algorithm depends on the columns of an invocation, the team on the
 * algorithm, the length of parts on the team, and the loads of rows on that length. */
VkrResult vkr_choose_taking(vkr_level *l, VkrReduceAlgorithm algorithm)
{
    const vkr_reduce *r = l->reduce;
    vkr_team_plan *how = &l->how;
    const bool columns = how->shape == VKR_SHAPE_COLUMNS && r->linked == NULL;
    if (columns && plan_folded_columns(l, algorithm))
        return VKR_SUCCESS;
    if (columns)
        vkr_plan_columns(l, algorithm);
    if (algorithm == VKR_REDUCE_AUTO)
        algorithm = vkr_algorithm_of_segments(l);
    how->team = choose_team(l, algorithm);
    if (algorithm == VKR_REDUCE_LANES && is_windows(l) &&
        l->of.length >= (r->canonical ? DEVICE_WINDOW : LANES_WINDOW))
        how->shape = VKR_SHAPE_WINDOWS;
    VKR_TRY(check_algorithm(l, algorithm));
    how->part_length = algorithm == VKR_REDUCE_SPLIT ? split(l) : vkr_max(l->of.length, 1);
    if (how->shape == VKR_SHAPE_ROWS && r->linked != NULL)
        plan_linked_rows(l);
    else if (how->shape == VKR_SHAPE_ROWS)
        plan_rows(l);
    return VKR_SUCCESS;
}
