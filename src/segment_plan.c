/* SPDX-License-Identifier: MIT */
/*
 * Reductions of segments: how they are cut, and their steps.
 *
 * A stage is a chain of dispatches of one kernel. Rows, columns and windows take one, or, split
 * into parts, one that leaves partials and one that combines them. Windows of many elements first
 * reduce blocks, blocks of blocks, .. once for all of them. Segments by offsets take one that
 * reduces the short ones and lists the others, and one for each list.
 */
#include "segment.h"

#define CALL "vkrCmdReduce"
#define LANES_COMBINE 64u      /* so many partials are for one invocation */
#define LANES_WINDOW 64u       /* longer windows are made of blocks */
#define LEAST_PART 4096u       /* elements, where a segment is split */
#define SHORT_VALUES 32u       /* that an invocation takes without loops, times operators */
#define SHORT_ELEMENTS 16u     /* of short rows, at least */
#define MOST_TRIED 64u         /* numbers of parts */
#define MOST_TEAM 32u          /* VKR_MULTI_MOST_MERGES in segment.comp */
#define MOST_DISPATCHES 16384u /* of a stage: more would take the host too long */
#define MOST_LISTED 16384u /* parts of a segment, which one invocation lists, below level DEVICE */

/* By the kind of device: bytes of a row up to which an invocation takes it, bytes up to which a
 * team does, and a workgroup; elements of segments by offsets for an invocation or team; its size
 * where it takes a few. */
typedef struct limits_row {
    uint32_t lane_bytes;
    uint32_t team_bytes;
    uint32_t group_bytes;
    uint32_t listed_from;
    uint32_t team;
} limits_row;
static const limits_row cpu_row = {256, 4096, 1u << 20, 256, 1};
static const limits_row gpu_row = {16, 2048, 1u << 16, 256, 8};

static const limits_row *limits_of(const vkr_reduce *r)
{
    return r->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU ? &cpu_row : &gpu_row;
}

/* ---- Windows of maxStorageBufferRange ---- */

/* Elements from `first` on that descriptors reach. */
static uint64_t reach_of_elements(const vkr_reduce *r, uint64_t first)
{
    uint64_t reach = vkr_view_window(&r->context->caps, &r->input, first);
    if ((r->info->ops & VKR_OP_DOT) != 0)
        reach = vkr_least(reach, vkr_view_window(&r->context->caps, &r->input2, first));
    return vkr_least(reach, VKR_MOST_ELEMENTS);
}

static VkrResult fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes)
{
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    CALL ": segments.kind is %s, but %s, %llu bytes, must fit "
                         "maxStorageBufferRange (%llu bytes, less up to %u for alignment).",
                    vkr_segment_kind_name(r->info->segments.kind), what, (unsigned long long)bytes,
                    (unsigned long long)r->context->caps.max_range, r->context->caps.granule);
}

/* Of what is left the next dispatch takes `each`, as those behind it do but for the last one. */
static VkrResult check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each)
{
    if (left / each < MOST_DISPATCHES)
        return VKR_SUCCESS;
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    CALL
                    ": count is %llu and segments.kind %s, but must need at most %u dispatches "
                    "of maxStorageBufferRange (%llu bytes).",
                    (unsigned long long)r->count, vkr_segment_kind_name(r->info->segments.kind),
                    MOST_DISPATCHES, (unsigned long long)r->context->caps.max_range);
}

/* Segments from `first` on that one dispatch takes: by what it reads and leaves, and by ids. */
static uint64_t reach_of_segments(const vkr_reduce *r, const vkr_stage *s, uint64_t first,
                                  uint64_t end)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = caps->max_range - caps->granule;
    const uint64_t parts = s->partials ? 1 : s->all_parts;
    uint64_t reach = vkr_most_segment_ids(r, s) / parts;
    if (!s->partials && s->length != 0) {
        const uint64_t elements = reach_of_elements(r, first * s->segment_stride);
        reach = vkr_least(
            reach, elements < s->length ? 0 : (elements - s->length) / s->segment_stride + 1);
    } else if (s->partials) {
        reach = vkr_least(reach, room / (s->all_parts * vkr_partial_bytes(r)));
        if (s->length != 0 && s->segment_stride != 0)
            reach = vkr_least(reach, VKR_MOST_ELEMENTS / s->length);
    }
    const uint64_t left = s->results ? r->layout.stride : parts * vkr_partial_bytes(r);
    reach = vkr_least(reach, room / left);
    if (end - first <= reach)
        return end - first;
    /* Rows of whole units next, and results in a granule of their own where that costs little. */
    const uint64_t round = s->shape == VKR_SHAPE_SHORT ? s->rows : 1;
    const uint64_t granules = round * caps->granule;
    return reach >= 8 * granules ? reach / granules * granules : reach / round * round;
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s,
                          uint64_t begin, uint64_t end)
{
    for (uint64_t first = begin; first < end;) {
        const vkr_share h = {first, reach_of_segments(r, s, first, end), 0,
                             s->partials || s->shape == VKR_SHAPE_TREE ? 1 : s->all_parts};
        if (h.count == 0)
            return fail_reach(r, s->partials ? "the partials of a segment" : "a segment",
                              s->partials ? s->all_parts * vkr_partial_bytes(r)
                                          : s->length * r->input.stride);
        VkrResult result = check_dispatches(r, end - first, h.count);
        if (result == VKR_SUCCESS)
            result = vkr_add_segments(recorder, r, s, &h);
        if (result != VKR_SUCCESS)
            return result;
        first += h.count;
    }
    return VKR_SUCCESS;
}

/* The few rows that are left go by element. */
static VkrResult add_short_rows(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t whole = s->segments / s->rows * s->rows;
    vkr_stage rest = *s;
    rest.shape = VKR_SHAPE_ROWS;
    rest.loads = 0;
    VkrResult result = add_rows(recorder, r, s, 0, whole);
    return result == VKR_SUCCESS ? add_rows(recorder, r, &rest, whole, s->segments) : result;
}

/* Parts of columns, as many as fit. */
static VkrResult add_parts_of_columns(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s,
                                      vkr_share h)
{
    const uint64_t part = s->part_length * s->element_stride;
    for (; h.first_part < s->all_parts; h.first_part += h.parts) {
        const uint64_t left = s->length - h.first_part * s->part_length;
        const uint64_t reach = reach_of_elements(r, h.first_part * part + h.first);
        const uint64_t room = reach < h.count ? 0 : reach - h.count + s->element_stride;
        h.parts = room >= left * s->element_stride ? s->all_parts - h.first_part : room / part;
        h.parts = vkr_least(h.parts, vkr_most_segment_ids(r, s) / h.count);
        if (h.parts == 0)
            return fail_reach(r, "a part of all columns",
                              vkr_least(part, r->count) * r->input.stride);
        const uint64_t behind = vkr_divide_up(s->segments - h.first - h.count, h.count);
        VkrResult result =
            check_dispatches(r, s->all_parts - h.first_part + s->all_parts * behind, h.parts);
        if (result == VKR_SUCCESS)
            result = vkr_add_segments(recorder, r, s, &h);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

/* Columns are cut along them, and where what they leave does not fit also between them. */
static VkrResult add_columns(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t bytes = s->results ? r->layout.stride : s->all_parts * vkr_partial_bytes(r);
    uint64_t columns = vkr_least((caps->max_range - caps->granule) / bytes,
                                 vkr_least(s->segments, vkr_most_segment_ids(r, s)));
    if (s->part_length == 1)
        columns = vkr_least(columns, reach_of_elements(r, 0) / 2 + 1);
    if (columns == 0)
        return fail_reach(r, "the partials of a column", bytes);
    for (uint64_t first = 0; first < s->segments; first += columns) {
        const vkr_share h = {.first = first, .count = vkr_least(columns, s->segments - first)};
        VkrResult result = add_parts_of_columns(recorder, r, s, h);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

/* ---- Stages ---- */

static VkrResult combine_parts(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *parts)
{
    vkr_stage s = *parts;
    s.team = r->canonical || s.all_parts > LANES_COMBINE ? 0 : 1;
    s.partials = s.results = true;
    s.loads = 0;
    s.whole = false;
    s.source = parts->target;
    if (parts->shape == VKR_SHAPE_COLUMNS && r->info->gpuCount.buffer == VK_NULL_HANDLE) {
        s.segment_stride = 0; /* all have as many elements, which can be more than 2^32 in all */
        s.element_stride = 1;
    }
    return add_rows(recorder, r, &s, 0, s.segments);
}

/* Rows, columns, or windows that are taken one by one. */
static VkrResult add_strided(VkrRecorder recorder, const vkr_reduce *r, vkr_stage *s)
{
    s->all_parts = s->length == 0 ? 1 : vkr_divide_up(s->length, s->part_length);
    s->results = s->all_parts == 1;
    if (!s->results) {
        const uint64_t partials = s->segments * s->all_parts;
        s->target.buffer = VKR_SCRATCH;
        if (partials > UINT64_MAX / vkr_partial_bytes(r) / 2)
            return fail_reach(r, "the partials", UINT64_MAX);
        VkrResult result =
            vkr_add_scratch(recorder, partials * vkr_partial_bytes(r), &s->target.offset);
        if (result != VKR_SUCCESS)
            return result;
    }
    VkrResult result = s->shape == VKR_SHAPE_COLUMNS ? add_columns(recorder, r, s)
                       : s->shape == VKR_SHAPE_SHORT ? add_short_rows(recorder, r, s)
                                                     : add_rows(recorder, r, s, 0, s->segments);
    return result == VKR_SUCCESS && !s->results ? combine_parts(recorder, r, s) : result;
}

/* Rows of an invocation that are whole units, and results that are stored by four; 0 where they
 * are too many to be taken without a loop. */
static uint32_t choose_rows(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = vkr_unit(r);
    uint32_t rows = unit < 4 ? 4 : unit;
    while (rows > 4 && rows / 2 * length % unit == 0)
        rows /= 2;
    while (rows * length < SHORT_ELEMENTS)
        rows *= 2;
    uint32_t ops = 0;
    for (VkrOpFlags left = r->info->ops; left != 0; left &= left - 1)
        ops++;
    return length * rows * r->input.components * ops <= SHORT_VALUES ? rows : 0;
}

/* The most units that can be in flight at a time when an invocation has so many. */
static uint32_t divide_batch(const vkr_reduce *r, uint64_t units)
{
    uint32_t batch = r->batch;
    while (units % batch != 0)
        batch--;
    return batch;
}

/* How wide the elements of a stage can be loaded, of rows that start with a unit without a tail. */
static void choose_stage_loads(const vkr_reduce *r, vkr_stage *s)
{
    const uint64_t unit = vkr_unit(r);
    const bool rows = s->shape == VKR_SHAPE_ROWS && s->segment_stride == s->length &&
                      r->info->gpuCount.buffer == VK_NULL_HANDLE && s->length != 0;
    s->loads = 0;
    s->batch = 1;
    if (r->loads == 0 || s->element_stride != 1)
        return;
    const bool starts = rows && vkr_lead(&r->input, 0, r->loads) == 0;
    if (s->team == 0 || (s->team == 1 && starts && s->length % unit == 0))
        s->loads = r->loads;
    const uint64_t lanes = s->team == 0 ? r->workgroup_size : s->team;
    if (starts && s->length % (unit * lanes) == 0 && s->length % s->part_length == 0 &&
        s->part_length % (unit * lanes) == 0) {
        s->batch = divide_batch(r, s->part_length / unit / lanes);
        s->whole = s->batch > 1 || s->part_length / unit / lanes == 1;
        s->batch = s->whole ? s->batch : 1;
        s->loads = s->whole ? r->loads : s->loads;
    }
    s->rows = starts && s->team == 1 ? choose_rows(r, s->length) : 0;
    if (s->rows != 0 && s->segments >= s->rows) {
        s->shape = VKR_SHAPE_SHORT;
        s->loads = r->loads;
        s->whole = false;
    }
}

/* As many as have a load each, if the row has whole ones for all. */
static uint32_t choose_team(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = vkr_unit(r);
    uint32_t team = 2;
    while (team < MOST_TEAM && team < r->workgroup_size && 2 * team * unit <= length)
        team *= 2;
    return team < r->workgroup_size ? team : r->workgroup_size;
}

static VkrReduceAlgorithm choose_algorithm(const vkr_reduce *r, const vkr_stage *s)
{
    const limits_row *limits = limits_of(r);
    const VkrTuning *tuning = vkr_reduce_tuning(r);
    const uint64_t bytes = s->length * vkr_element_size(&r->input);
    const bool many = s->segments >= tuning->maxGroups;
    if (s->length <= 1)
        return VKR_REDUCE_LANES;
    if (r->canonical)
        return s->length <= VKR_TREE_WIDTH   ? VKR_REDUCE_LANES
               : s->length <= VKR_TREE_BLOCK ? VKR_REDUCE_GROUPS
                                             : VKR_REDUCE_SPLIT;
    if (s->shape == VKR_SHAPE_COLUMNS) {
        const bool enough = s->segments >= (uint64_t)tuning->maxGroups * r->workgroup_size;
        return r->count <= reach_of_elements(r, 0) &&
                       (s->length <= LANES_COMBINE || (enough && s->length <= vkr_most_part(r, 1)))
                   ? VKR_REDUCE_LANES
                   : VKR_REDUCE_SPLIT;
    }
    if (s->segment_stride == 1) /* windows */
        return VKR_REDUCE_LANES;
    if (bytes <= limits->lane_bytes)
        return VKR_REDUCE_LANES;
    if (bytes <= limits->team_bytes && r->rung != VKR_RUNG_SHARED &&
        (limits->team > 1 || s->length % ((uint64_t)vkr_unit(r) * r->workgroup_size) == 0))
        return VKR_REDUCE_MERGE;
    return (bytes <= limits->group_bytes || many) && s->length <= vkr_most_part(r, 0)
               ? VKR_REDUCE_GROUPS
               : VKR_REDUCE_SPLIT;
}

/* Parts of about a length: if it can be all the same, of whole units for every invocation. */
static uint64_t even_parts(const vkr_reduce *r, const vkr_stage *s, uint64_t length)
{
    const uint64_t unit = vkr_unit(r), share = unit * r->workgroup_size;
    const uint64_t parts = vkr_divide_up(s->length, length);
    for (uint64_t more = parts; more < 2 * parts && more - parts < MOST_TRIED; more++)
        if (s->length % (more * share) == 0)
            return s->length / more;
    return length < unit ? length : length / unit * unit; /* never more than a loop may take */
}

/* Parts enough to keep the device busy, not too many to combine. */
static uint64_t split(const vkr_reduce *r, const vkr_stage *s)
{
    if (r->canonical)
        return VKR_TREE_BLOCK;
    const bool columns = s->shape == VKR_SHAPE_COLUMNS;
    const uint64_t groups = columns ? vkr_divide_up(s->segments, r->workgroup_size) : s->segments;
    const uint64_t parts = vkr_least(
        vkr_divide_up(vkr_reduce_tuning(r)->maxGroups, groups == 0 ? 1 : groups), MOST_LISTED);
    uint64_t length = vkr_divide_up(s->length, parts);
    const uint64_t shortest = columns ? LANES_COMBINE : LEAST_PART;
    length = length < shortest ? shortest : length;
    length = vkr_least(length, vkr_most_part(r, s->team));
    if (columns && s->segments != 0)
        length = vkr_clamp(reach_of_elements(r, 0) / 2 / s->segments, 1, length);
    return columns ? length : even_parts(r, s, length);
}

static VkrResult fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why)
{
    return vkr_fail(
        r->context, VKR_ERROR_UNSUPPORTED, CALL ": algorithm is %s and segments.kind %s, but %s.",
        vkrReduceAlgorithmName(algorithm), vkr_segment_kind_name(r->info->segments.kind), why);
}

static VkrResult check_algorithm(const vkr_reduce *r, const vkr_stage *s,
                                 VkrReduceAlgorithm algorithm)
{
    const bool lanes = algorithm == VKR_REDUCE_LANES || algorithm == VKR_REDUCE_MERGE;
    if (algorithm == VKR_REDUCE_MERGE && (r->rung == VKR_RUNG_SHARED || r->canonical))
        return fail_algorithm(r, algorithm,
                              "must be another without subgroup shuffles, and at level device");
    if (r->canonical && lanes && s->length > VKR_TREE_WIDTH)
        return fail_algorithm(r, algorithm,
                              "at level device segments must have at most 128 elements");
    if (r->canonical && algorithm == VKR_REDUCE_GROUPS && s->length > VKR_TREE_BLOCK)
        return fail_algorithm(r, algorithm,
                              "at level device segments must have at most 8192 elements");
    if (algorithm != VKR_REDUCE_SPLIT && s->shape != VKR_SHAPE_TREE &&
        s->length > vkr_most_part(r, s->team))
        return fail_algorithm(r, algorithm, "segments must be shorter, or the algorithm split");
    return VKR_SUCCESS;
}

/* ---- Windows by blocks ---- */

/* Partials of all blocks of the elements that a share of the windows has. */
static VkrResult add_blocks(VkrRecorder recorder, const vkr_reduce *r, vkr_stage *tree,
                            uint64_t elements)
{
    uint64_t top = 1;
    for (uint64_t length = tree->length;
         length >= (uint64_t)VKR_BLOCK_ELEMENTS * VKR_BLOCK_ELEMENTS; length /= VKR_BLOCK_ELEMENTS)
        top *= VKR_BLOCK_ELEMENTS;
    const uint64_t blocks = vkr_divide_up(elements, VKR_BLOCK_ELEMENTS);
    tree->all_parts = vkr_divide_up(blocks, top) * top;
    uint64_t all = 0;
    for (uint64_t level = tree->all_parts; level != 0; level /= VKR_BLOCK_ELEMENTS)
        all += level;
    tree->source.buffer = VKR_SCRATCH;
    VkrResult result = vkr_add_scratch(recorder, all * vkr_partial_bytes(r), &tree->source.offset);
    if (result != VKR_SUCCESS)
        return result;
    if (all * vkr_partial_bytes(r) > r->context->caps.max_range - r->context->caps.granule)
        return fail_reach(r, "the partials of blocks", all * vkr_partial_bytes(r));
    vkr_stage s = {.shape = VKR_SHAPE_ROWS,
                   .team = 1,
                   .segments = 1,
                   .segment_stride = 1,
                   .element_stride = 1,
                   .length = elements,
                   .part_length = VKR_BLOCK_ELEMENTS,
                   .all_parts = tree->all_parts,
                   .target = tree->source};
    const vkr_share whole = {0, 1, 0, tree->all_parts};
    result = vkr_add_segments(recorder, r, &s, &whole);
    s = (vkr_stage){.shape = VKR_SHAPE_ROWS,
                    .team = 1,
                    .partials = true,
                    .segments = tree->all_parts / VKR_BLOCK_ELEMENTS,
                    .all_parts = VKR_BLOCK_ELEMENTS,
                    .part_length = 1,
                    .source = tree->source,
                    .target = tree->source};
    for (; top > 1 && result == VKR_SUCCESS; top /= VKR_BLOCK_ELEMENTS) {
        s.target.offset = s.source.offset + s.segments * VKR_BLOCK_ELEMENTS * vkr_partial_bytes(r);
        const vkr_share level = {0, s.segments, 0, 1};
        result = vkr_add_segments(recorder, r, &s, &level);
        s.source = s.target;
        s.segments /= VKR_BLOCK_ELEMENTS;
    }
    return result;
}

static VkrResult add_tree(VkrRecorder recorder, const vkr_reduce *r, vkr_stage *s)
{
    s->results = true;
    s->part_length = s->length;
    for (uint64_t first = 0; first < s->segments;) {
        s->all_parts = 1;
        const uint64_t count = reach_of_segments(r, s, first, s->segments);
        if (count == 0 || count + s->length - 1 >= VKR_MOST_ELEMENTS)
            return fail_reach(r, "a window", s->length * r->input.stride);
        VkrResult result = check_dispatches(r, s->segments - first, count);
        if (result != VKR_SUCCESS)
            return result;
        /* As a piece of the reduction, from its first element on. */
        vkr_reduce piece = *r;
        VkrReduceInfo info = *r->info;
        info.output.offset += first * r->layout.stride;
        piece.info = &info;
        piece.input.offset += first * r->input.stride;
        piece.input2.offset += first * r->input2.stride;
        piece.first += first;
        piece.count = count + s->length - 1;
        result = add_blocks(recorder, &piece, s, piece.count);
        const vkr_share h = {0, count, 0, 1};
        if (result == VKR_SUCCESS)
            result = vkr_add_segments(recorder, &piece, s, &h);
        if (result != VKR_SUCCESS)
            return result;
        first += count;
    }
    return VKR_SUCCESS;
}

/* ---- Rows, columns, windows ---- */

/* Each segment as a reduction of its own. */
static VkrResult add_each(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t reach = vkr_clamp(reach_of_elements(r, 0), 1, s->length);
    VkrResult result = check_dispatches(r, s->segments * vkr_divide_up(s->length, reach), 1);
    for (uint64_t i = 0; i < s->segments && result == VKR_SUCCESS; i++) {
        VkrReduceInfo info = *r->info;
        const uint64_t last = r->layout.size - (r->segments - 1) * r->layout.stride;
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_NONE};
        info.algorithm = VKR_REDUCE_AUTO;
        info.count = s->length;
        info.input.offset += i * s->segment_stride * r->input.stride;
        info.input.size = (s->length - 1) * r->input.stride + vkr_element_size(&r->input);
        info.input2.offset += i * s->segment_stride * r->input2.stride;
        info.input2.size = (s->length - 1) * r->input2.stride + vkr_element_size(&r->input);
        info.output.offset += i * r->layout.stride;
        info.output.size = last;
        result = vkr_add_reduce(recorder, &info);
    }
    return result;
}

static vkr_stage describe(const vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    vkr_stage s = {.shape = VKR_SHAPE_ROWS,
                   .segments = r->segments,
                   .length = r->length,
                   .segment_stride = r->length,
                   .element_stride = 1};
    if (segments->kind == VKR_SEGMENTS_WINDOWS)
        s.segment_stride = 1;
    if (segments->kind == VKR_SEGMENTS_COLUMNS && (segments->length != 1 || r->count == 0)) {
        s.shape = VKR_SHAPE_COLUMNS;
        s.segment_stride = 1;
        s.element_stride = segments->length;
    }
    return s;
}

static VkrResult plan_strided(VkrRecorder recorder, const vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    vkr_stage s = describe(r);
    const bool columns = s.shape == VKR_SHAPE_COLUMNS;
    const bool rows = !columns && info->segments.kind != VKR_SEGMENTS_WINDOWS;
    if (s.segments > VKR_MOST_ELEMENTS && columns)
        return fail_reach(r, "a row", s.segments * r->input.stride);
    const bool gpu_count = info->gpuCount.buffer != VK_NULL_HANDLE;
    if (columns && (s.length > UINT32_MAX || (gpu_count && r->count > UINT32_MAX)))
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": segments.kind is columns, but %s, %llu elements, must have less "
                             "than 2^32%s.",
                        gpu_count ? "all of them" : "each of them",
                        (unsigned long long)(gpu_count ? r->count : s.length),
                        gpu_count ? " where gpuCount is given" : "");
    VkrReduceAlgorithm algorithm = info->algorithm;
    if (algorithm == VKR_REDUCE_AUTO && rows &&
        ((s.segments == 1 && info->gpuCount.buffer == VK_NULL_HANDLE) ||
         s.length > reach_of_elements(r, 0) / 2)) {
        if (info->gpuCount.buffer != VK_NULL_HANDLE && s.segments != 1)
            return fail_reach(r, "two rows where gpuCount is given",
                              2 * s.length * r->input.stride);
        return add_each(recorder, r, &s);
    }
    if (algorithm == VKR_REDUCE_AUTO)
        algorithm = choose_algorithm(r, &s);
    s.team = algorithm == VKR_REDUCE_LANES                               ? 1
             : algorithm == VKR_REDUCE_MERGE                             ? choose_team(r, s.length)
             : algorithm == VKR_REDUCE_SPLIT && columns && !r->canonical ? 1
                                                                         : 0;
    if (algorithm == VKR_REDUCE_LANES && info->segments.kind == VKR_SEGMENTS_WINDOWS &&
        s.length > LANES_WINDOW && !r->canonical)
        s.shape = VKR_SHAPE_TREE;
    VkrResult result = check_algorithm(r, &s, algorithm);
    if (result != VKR_SUCCESS)
        return result;
    if (s.shape == VKR_SHAPE_TREE)
        return add_tree(recorder, r, &s);
    s.part_length = algorithm == VKR_REDUCE_SPLIT ? split(r, &s) : s.length == 0 ? 1 : s.length;
    choose_stage_loads(r, &s);
    return add_strided(recorder, r, &s);
}

/* ---- Offsets ---- */

static VkrResult check_offset_ranges(const vkr_reduce *r, const vkr_stage *s)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = caps->max_range - caps->granule;
    if (vkr_view_window(caps, &r->input, 0) < r->count || r->count > VKR_MOST_ELEMENTS)
        return fail_reach(r, "the input", r->count * r->input.stride);
    if (reach_of_elements(r, 0) < r->count)
        return fail_reach(r, "the second input", r->count * r->input2.stride);
    if (r->info->segments.offsets.size > room)
        return fail_reach(r, "the offsets", r->info->segments.offsets.size);
    if (r->layout.size > room)
        return fail_reach(r, "the results", r->layout.size);
    if (4 * vkr_list_words(s) + s->most_parts * vkr_partial_bytes(r) > room)
        return fail_reach(r, "lists and partials",
                          4 * vkr_list_words(s) + s->most_parts * vkr_partial_bytes(r));
    return VKR_SUCCESS;
}

static VkrResult add_lists(VkrRecorder recorder, const vkr_reduce *r, vkr_stage *s)
{
    static const uint32_t shapes[] = {VKR_SHAPE_MEDIUM, VKR_SHAPE_PARTS, VKR_SHAPE_LARGE};
    const vkr_share all = {0, r->segments, 0, 1};
    VkrResult result = VKR_SUCCESS;
    s->team = 0;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(shapes) && result == VKR_SUCCESS; i++) {
        s->shape = shapes[i];
        s->partials = s->shape == VKR_SHAPE_LARGE;
        s->results = s->shape != VKR_SHAPE_PARTS;
        s->loads = s->partials ? 0 : r->loads;
        s->batch = 1;
        if (s->shape == VKR_SHAPE_MEDIUM ? s->most_medium != 0 : s->most_large != 0)
            result = vkr_add_segments(recorder, r, s, &all);
    }
    return result;
}

static VkrResult plan_offsets(VkrRecorder recorder, const vkr_reduce *r)
{
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const bool merges =
        algorithm == VKR_REDUCE_MERGE ||
        (algorithm == VKR_REDUCE_AUTO && limits_of(r)->team > 1 && r->rung != VKR_RUNG_SHARED);
    vkr_stage s = {
        .shape = VKR_SHAPE_OFFSETS,
        .team = merges && !r->canonical ? choose_team(r, 4 * (uint64_t)limits_of(r)->team) : 1,
        .results = true,
        .segments = r->segments,
        .element_stride = 1,
        .length = r->canonical ? VKR_TREE_WIDTH : limits_of(r)->listed_from,
        .part_length = r->canonical ? VKR_TREE_BLOCK
                                    : vkr_least(vkr_most_part(r, 0) / 4, 1024 * r->workgroup_size)};
    if (algorithm == VKR_REDUCE_GROUPS || algorithm == VKR_REDUCE_SPLIT)
        s.length = 1;
    if (algorithm == VKR_REDUCE_SPLIT && !r->canonical)
        s.part_length = r->workgroup_size;
    if (!r->canonical)
        s.part_length =
            vkr_clamp(vkr_divide_up(r->count, MOST_LISTED), s.part_length, vkr_most_part(r, 0));
    s.part_length = s.part_length < s.length ? s.length : s.part_length;
    if ((algorithm == VKR_REDUCE_LANES || algorithm == VKR_REDUCE_MERGE) && r->count > s.length &&
        r->canonical)
        return fail_algorithm(r, algorithm, "at level device count must be at most 128");
    if (algorithm == VKR_REDUCE_MERGE && r->rung == VKR_RUNG_SHARED)
        return fail_algorithm(r, algorithm,
                              "must be another without subgroup shuffles, and at level device");
    s.most_medium = vkr_least(r->segments, r->count / (s.length + 1));
    s.most_large = vkr_least(r->segments, r->count / (s.part_length + 1));
    s.most_parts = s.most_large == 0 ? 0 : r->count / s.part_length + s.most_large;
    s.all_parts = vkr_divide_up(r->count, s.part_length);
    VkrResult result = check_offset_ranges(r, &s);
    if (result == VKR_SUCCESS && s.most_medium != 0)
        result = vkr_add_counters(recorder, 12, &s.counts);
    if (result == VKR_SUCCESS && s.most_medium != 0)
        result = vkr_add_scratch(
            recorder, 4 * vkr_list_words(&s) + s.most_parts * vkr_partial_bytes(r), &s.lists);
    const vkr_share all = {0, r->segments, 0, 1};
    if (result == VKR_SUCCESS)
        result = vkr_add_segments(recorder, r, &s, &all);
    return result == VKR_SUCCESS ? add_lists(recorder, r, &s) : result;
}

VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *r)
{
    if (r->segments == 0)
        return VKR_SUCCESS;
    const VkrTuning *tuning = vkr_reduce_tuning(r);
    r->kernels = VKR_FAMILY_SEGMENT;
    r->rung = r->canonical || r->context->caps.rung == VKR_RUNG_SHARED ? VKR_RUNG_SHARED
                                                                       : VKR_RUNG_SHUFFLE;
    VkrResult result = vkr_choose_reduce_workgroup(r, tuning);
    if (result != VKR_SUCCESS)
        return result;
    vkr_choose_loads(r, tuning);
    return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? plan_offsets(recorder, r)
                                                          : plan_strided(recorder, r);
}
