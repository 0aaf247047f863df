/* SPDX-License-Identifier: MIT */
/* How a checked reduction is cut into workgroups, windows and passes: pure arithmetic. */
#include "reduce.h"

#include <inttypes.h>

#include "../../../shaders/numbers.h"
#include "../../plan/bits.h"

#define MAX_UNROLLED 128u     /* elements times operators; see choose_batch */
#define SQUARE_WORKGROUP 256u /* of VKR_REDUCE_RECURSIVE_2D */
/* Where functions have loops, an invocation of a reduction by an application's functions calls them
 * for up to 24 elements and 6 of a head and a tail; it combines these, up to 6 partials, and
 * 7 + 7 + 3 states for each of two reductions of a workgroup: 70 combinations. */
#define MIN_CALLERS 128u /* invocations of a workgroup */
#define MAX_CALLERS 256u
#define MAX_CALLS 24u
#define MAX_CALLED_READS 6u
#define MAX_BATCH 8u /* of blocks */

/* Whether squares of elements can leave the range of the accumulator (operators/sums.glsl). */
static bool is_ranged(const vkr_reduce *r)
{
    return r->accumulator == VKR_TYPE_F64 ? r->input.type->size == 8
                                          : r->input.type_id != VKR_TYPE_F16;
}

uint32_t vkr_find_parts(const vkr_reduce *r)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((r->info->ops >> i & 1) != 0)
            parts |= vkr_op_parts[i][r->input.type->is_float];
    if (r->info->nan == VKR_NAN_SKIP && r->input.type->is_float && (parts & VKR_PART_SEEN) != 0)
        parts |= VKR_PART_NAN;
    if (!r->masked)
        parts &= ~(uint32_t)VKR_PART_SEEN;
    if (!is_ranged(r))
        parts &= ~(uint32_t)(VKR_PART_SCALED | VKR_PART_SCALE);
    return parts;
}

uint32_t vkr_count_state_words(const vkr_reduce *r)
{
    const uint32_t size = r->input.type->size, parts = r->parts;
    const uint32_t key = size == 8 ? 2 : 1, square = (uint32_t)vkr_max(size / 2, 1);
    const uint32_t index = r->wide_index ? 2 : 1, sum = vkr_types[r->accumulator].size / 4;
    uint32_t words = 0;
    for (uint32_t i = 0; i < vkr_part_count; i++) {
        const vkr_part_info *part = &vkr_parts[i];
        if ((parts & part->bit) != 0)
            words += part->keys * key + part->indices * index + part->sums * sum +
                     part->squares * square;
    }
    return words != 0 ? words : 1; /* the operator count has no state, but its partials a place */
}

/* Whether an invocation reads only one element, or a pair of them. */
static bool is_tree(const vkr_reduce *r)
{
    return r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
}

static VkrResult choose_workgroup(vkr_reduce *r)
{
    vkr_walk *w = &r->walk;
    const bool alone = w->group_path == VKR_GROUP_PATH_SHARED;
    const vkr_shared shared = {4 * (alone ? r->state_words : r->partial_words), 8, r->info->ops};
    const uint32_t max = r->context->caps.max_workgroup_size;
    uint32_t asked = r->info->workgroupSize;
    if (r->canonical) {
        VKR_MUST_BE(w, asked == 0 || asked == VKR_TREE_WIDTH, "", "workgroupSize", asked,
                    "be 0 or %u where determinism is VKR_DETERMINISM_DEVICE.", VKR_TREE_WIDTH);
        VKR_NEED(w, max >= VKR_TREE_WIDTH,
                 "determinism is VKR_DETERMINISM_DEVICE, which needs workgroups of %u, but this "
                 "device has workgroups of up to %u.",
                 VKR_TREE_WIDTH, max);
        asked = VKR_TREE_WIDTH;
    }
    uint32_t tuned = r->algorithm == VKR_REDUCE_RECURSIVE_2D ? SQUARE_WORKGROUP
                     : is_tree(r)                            ? w->tuning->treeWorkgroupSize
                                                             : w->tuning->workgroupSize;
    /* A workgroup must reach its share of the partials. */
    const vkr_caps *caps = &r->context->caps;
    if (r->linked != NULL && r->info->segments.kind == VKR_SEGMENTS_COLUMNS)
        tuned = (uint32_t)vkr_max(tuned, MIN_CALLERS);
    if (vkr_calls_rarely(r))
        tuned = r->pieces ? MAX_CALLERS : (uint32_t)vkr_clamp(tuned, MIN_CALLERS, MAX_CALLERS);
    while (tuned > 1 && tuned * r->partial_bytes > vkr_room(caps))
        tuned /= 2;
    return vkr_choose_workgroup(w, asked, tuned, &shared);
}

/* Chooses the number of units that an invocation loads before it uses the first, such that at least
 * `flight` loads are in flight. Drivers unroll loops only up to some length, in which an element
 * counts once for each operator; in longer loops, loaded values would go through memory. */
static uint32_t choose_batch(const vkr_reduce *r, uint32_t flight)
{
    const uint32_t components = r->input.components;
    const uint32_t bytes = r->walk.load_size * components;
    const uint32_t units =
        vkr_is_image(&r->input) ? flight : (uint32_t)vkr_divide_up(flight * VKR_PACK, bytes);
    const uint32_t each = r->linked != NULL ? r->state_words : vkr_count_ops(r);
    const uint32_t most = MAX_UNROLLED / (r->walk.unit * components * each);
    return (uint32_t)vkr_max(vkr_min(units, most), 1);
}

/* Chooses the workgroup size, as requested or tuned, such that shared memory suffices; then loads,
 * order and batch as near to the tuning row as possible. */
static VkrResult choose_kernel(vkr_reduce *r)
{
    vkr_walk *w = &r->walk;
    VKR_TRY(choose_workgroup(r));
    w->order = VKR_ORDER_COALESCED;
    w->batch = 1;
    vkr_set_loads(w, 0);
    if (vkr_is_image(&r->input) && w->count != 0) {
        vkr_set_loads(w, r->input.image.loads);
        w->order = r->canonical || is_tree(r) ? VKR_ORDER_COALESCED : (uint32_t)w->tuning->order;
        w->batch = choose_batch(r, w->tuning->flight);
        return VKR_SUCCESS;
    }
    /* The canonical tree, and trees with one element per invocation, keep their own order. */
    const bool is_fixed = r->canonical && r->info->segments.kind != VKR_SEGMENTS_WINDOWS;
    if (is_fixed || is_tree(r) || w->count == 0) /* nothing would be bound */
        return VKR_SUCCESS;
    w->order = vkr_is_ordered(r) ? VKR_ORDER_CONTIGUOUS : (uint32_t)w->tuning->order;
    vkr_choose_loads(w, vkr_allows_loads, r);
    if (w->loads != 0)
        w->batch = choose_batch(r, w->tuning->flight);
    return VKR_SUCCESS;
}

VkrResult vkr_choose_segment_kernel(vkr_reduce *r, vkr_family family)
{
    r->walk.family = family;
    r->walk.group_path =
        r->canonical || r->linked != NULL || r->context->caps.group_path == VKR_GROUP_PATH_SHARED
            ? VKR_GROUP_PATH_SHARED
            : VKR_GROUP_PATH_SHUFFLE;
    return choose_kernel(r);
}

/* The maximum number of elements that an invocation reads: whole units, each of which needs trips
 * of loops over batches, loads and elements. */
static uint32_t max_items(const vkr_reduce *r)
{
    const uint32_t unit = r->walk.unit;
    const uint32_t trips = vkr_trips_per_element(r);
    if (vkr_calls_rarely(r))
        return MAX_CALLS;
    return VKR_ELEMENT_TRIPS / (r->walk.loads != 0 ? 2 + trips + unit * trips : trips) * unit;
}

/* The number of workgroups, instead of more than which invocations read more. */
static uint64_t groups_of_whole(const vkr_reduce *r)
{
    const vkr_reduce_policy *policy = vkr_room_of(r);
    const uint64_t known = (uint64_t)r->context->caps.multiprocessors * policy->whole_each;
    return vkr_min(r->walk.tuning->maxGroups, known != 0 ? known : policy->whole);
}

/* The number of elements of an invocation: enough that there are few partials, but not so many that
 * part of the device is idle. It is a number of whole units, chosen such that the last workgroup is
 * about as busy as the others. */
static uint64_t tuned_items(const vkr_reduce *r)
{
    const vkr_walk *w = &r->walk;
    const uint64_t element = vkr_element_size(&r->input);
    const uint64_t min = vkr_clamp(w->tuning->minBytes / element, 1, max_items(r));
    const uint64_t max = vkr_clamp(w->tuning->maxBytes / element, 1, max_items(r));
    const uint64_t full = w->workgroup_size * groups_of_whole(r);
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full), min, max);
    uint64_t groups = vkr_divide_up(w->count, items * w->workgroup_size);
    if (w->count <= w->tuning->oneGroupBytes / element &&
        w->count <= (uint64_t)w->workgroup_size * max_items(r))
        groups = 1;
    if (groups != 0)
        items = vkr_divide_up(w->count, groups * w->workgroup_size);
    return vkr_divide_up(vkr_max(items, 1), w->unit) * w->unit;
}

/* The number of elements that a descriptor reaches, wherever they start and for any stride. */
static uint64_t max_share(const vkr_reduce *r)
{
    const uint64_t stride = r->dot ? vkr_max(r->input.stride, r->input2.stride) : r->input.stride;
    return (vkr_room(&r->context->caps) - vkr_element_size(&r->input)) / stride + 1;
}

/* Chooses the number of elements of an invocation. A workgroup's share must fit a descriptor; only
 * the shares of the canonical tree and of pieces have a fixed size. */
static void choose_items(vkr_reduce *r)
{
    vkr_walk *w = &r->walk;
    const uint32_t unit = w->unit;
    if (r->canonical || r->pieces) {
        w->items = VKR_TREE_BLOCK / w->workgroup_size;
        vkr_set_loads(w, w->items % unit == 0 ? w->loads : 0);
        return;
    }
    const uint64_t fits = max_share(r);
    uint64_t items = is_tree(r) ? 1 : tuned_items(r);
    while (r->info->workgroupSize == 0 && w->workgroup_size > fits && w->workgroup_size > 1)
        w->workgroup_size /= 2;
    if (fits >= w->workgroup_size)
        items = vkr_min(items, fits / w->workgroup_size);
    w->items = (uint32_t)(items < unit ? items : items / unit * unit);
    if (items < unit)
        vkr_set_loads(w, 0);
}

/* ---- Blocks of the canonical tree that are reduced by units (shaders/blocks.comp) ---- */

/* Whether a part of the state has several sums; the states of all lanes would then be too large. */
static bool has_large_parts(const vkr_reduce *r)
{
    for (uint32_t i = 0; i < vkr_part_count; i++)
        if ((r->parts & vkr_parts[i].bit) != 0 && vkr_parts[i].sums > 2)
            return true;
    return false;
}

/* Whether units start with the first element, and shared memory has room for the states of all
 * lanes of a workgroup. */
static bool allows_blocks(const void *operation, uint32_t loads)
{
    const vkr_reduce *r = operation;
    const uint32_t unit = vkr_load_size(loads) / r->input.type->size;
    const bool starts = vkr_head(&r->input, 0, loads) == 0;
    const bool fits = 4 * ((uint64_t)VKR_TREE_WIDTH * unit * r->state_words + 1) <=
                      r->context->caps.max_shared_memory;
    return starts && fits && vkr_allows_loads(r, loads);
}

/* The number of workgroups that reduce blocks by units, or 0 if a descriptor does not reach the
 * share of one. So far `items` has the elements of an invocation where a workgroup reduces one. */
static uint64_t shares_of_blocks(const vkr_reduce *r, const vkr_walk *w, uint32_t batch)
{
    const uint64_t share = (uint64_t)w->workgroup_size * w->items * w->unit * batch;
    return share > max_share(r) ? 0 : vkr_divide_up(w->count, share);
}

/* The number of units of a block's row that an invocation reads: a power of two, for which there
 * are enough workgroups if possible. */
static uint32_t choose_batch_of_blocks(const vkr_reduce *r, const vkr_walk *w)
{
    const uint32_t words = r->input.components * r->state_words;
    const uint32_t lanes = vkr_room_of(r)->lane_words / (w->unit * words);
    const uint64_t most = vkr_min(vkr_min(w->tuning->flight, MAX_BATCH), lanes);
    const uint64_t busy = w->tuning->maxGroups / vkr_room_of(r)->blocks_busy;
    uint32_t batch = 1;
    while (2 * batch <= most && shares_of_blocks(r, w, 2 * batch) >= busy)
        batch *= 2;
    return batch;
}

/* Chooses whether the kernels of blocks reduce the elements instead of the usual ones. The walk's
 * loads and items must be chosen. */
static void choose_blocks(vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    vkr_walk w = r->walk;
    if (!r->canonical || vkr_is_image(&r->input) || has_large_parts(r) ||
        (asked != VKR_REDUCE_AUTO && asked != VKR_REDUCE_SUBGROUP))
        return;
    w.family = VKR_FAMILY_BLOCKS;
    vkr_choose_loads(&w, allows_blocks, r);
    if (w.loads == 0 || w.unit * r->partial_words > vkr_room_of(r)->block_words)
        return;
    w.batch = choose_batch_of_blocks(r, &w);
    if (shares_of_blocks(r, &w, w.batch) < vkr_room_of(r)->blocks_from)
        return;
    w.items *= w.unit * w.batch;
    r->walk = w;
    r->by_blocks = true;
}

/* ---- Walks ---- */

uint64_t vkr_count_partials(const vkr_reduce *r, const vkr_walk *w, bool elements)
{
    return elements && r->by_blocks ? vkr_divide_up(w->count, VKR_TREE_BLOCK) : w->groups;
}

/* The maximum number of workgroups of a dispatch such that their partials fit a descriptor. */
static uint64_t max_groups(const vkr_reduce *r, bool elements)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH);
    const uint64_t left =
        elements && r->by_blocks ? r->walk.workgroup_size * r->walk.items / VKR_TREE_BLOCK : 1;
    const uint64_t stored = vkr_room(caps) / r->partial_bytes / left;
    return r->consume ? groups : vkr_min(groups, stored);
}

uint64_t vkr_reach_of_elements(const vkr_reduce *r, uint64_t first)
{
    uint64_t reach = vkr_view_window(&r->context->caps, &r->input, first);
    if (r->linked != NULL && !vkr_has_buffer(&r->input)) /* at most a mask is read */
        return vkr_min(vkr_bits_reach(&r->context->caps), VKR_MAX_REACH);
    if (r->dot)
        reach = vkr_min(reach, vkr_view_window(&r->context->caps, &r->input2, first));
    return vkr_min(reach, VKR_MAX_REACH);
}

VkrResult vkr_walk_source(const vkr_reduce *r, bool elements, vkr_place source, uint64_t count,
                          uint64_t items, vkr_walk *w)
{
    *w = r->walk;
    w->count = count;
    w->items = (uint32_t)items;
    w->heads = true;
    w->max_groups = max_groups(r, elements);
    if (elements && r->masked)
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(&r->context->caps) /
                                                   ((uint64_t)w->workgroup_size * items));
    w->reached[0] = source;
    w->reached_count = elements && vkr_is_image(&r->input) ? 0 : 1;
    if (elements && r->dot)
        w->reached[w->reached_count++] = vkr_place_of_view(&r->input2);
    /* Invocations of a tree have fewer elements, and CPU drivers would execute the loop once. */
    if (elements && w->loads == 0 && !r->by_blocks && w->items >= VKR_AHEAD)
        w->batch = VKR_AHEAD;
    if (!elements) {
        w->family = r->by_blocks ? VKR_FAMILY_REDUCE : w->family;
        vkr_set_loads(w, 0);
        w->order = vkr_is_ordered(r) ? VKR_ORDER_CONTIGUOUS : VKR_ORDER_COALESCED;
        w->batch = 1;
    }
    const uint32_t share = w->workgroup_size * w->items;
    const bool second = r->dot && r->input2.stride > source.stride;
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, w->windows != 0 || elements,
            "algorithm is %s, but a workgroup's share of %u partials, %" PRIu64 " bytes apart,",
            vkrReduceAlgorithmName(r->algorithm), share, source.stride);
    VKR_FIT(w, w->windows != 0, "%s.stride is %" PRIu64 ", but a workgroup's share of %u elements",
            second ? "input2" : "input", second ? r->input2.stride : source.stride, share);
    return VKR_SUCCESS;
}

uint32_t vkr_max_reads(const vkr_reduce *r)
{
    return vkr_calls_rarely(r) ? MAX_CALLED_READS : VKR_PARTIAL_TRIPS / vkr_trips_per_element(r);
}

/* Whether one workgroup can combine this number of partials. */
static bool one_group_combines(const vkr_reduce *r, uint64_t partials)
{
    const uint64_t most =
        r->canonical ? VKR_TREE_BLOCK : (uint64_t)r->walk.workgroup_size * vkr_max_reads(r);
    return partials <= most && partials * r->partial_bytes <= r->context->caps.max_range;
}

/* Checks that the algorithm can reduce the elements as the walk is cut. AUTO keeps SINGLE only
 * where that is possible. */
static VkrResult check_walk(vkr_reduce *r)
{
    const vkr_walk *w = &r->walk;
    const vkr_caps *caps = &r->context->caps;
    const bool single = r->algorithm == VKR_REDUCE_SINGLE;
    const bool forced = r->info->algorithm == VKR_REDUCE_SINGLE;
    const bool combines = one_group_combines(r, w->groups);
    if (single && !forced && (w->windows > 1 || !combines || r->by_blocks))
        r->algorithm = VKR_REDUCE_SUBGROUP;
    VKR_NEED(w, w->windows == 1 || !(r->consume || forced),
             "%s, but count is %" PRIu64 " and needs %u, limited by maxStorageBufferRange (%" PRIu64
             " bytes) and maxComputeWorkGroupCount (%u x %u).",
             r->consume ? "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which needs one window"
                        : "algorithm is single, which needs one dispatch",
             w->count, w->windows, caps->max_range, caps->max_groups[0], caps->max_groups[1]);
    VKR_NEED(w, combines || !forced,
             "algorithm is single, but count is %" PRIu64
             ", and one workgroup cannot combine the %" PRIu64 " partials of these elements.",
             w->count, w->groups);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_geometry(vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    vkr_walk *w = &r->walk;
    r->algorithm = r->pieces                  ? VKR_REDUCE_SUBGROUP
                   : asked != VKR_REDUCE_AUTO ? asked
                   : r->consume               ? VKR_REDUCE_RECURSIVE
                                              : VKR_REDUCE_SINGLE;
    const bool shared = r->canonical || asked == VKR_REDUCE_TREE || r->linked != NULL;
    w->family = r->linked != NULL ? VKR_FAMILY_REDUCE_LINKED : VKR_FAMILY_REDUCE;
    w->group_path = shared ? VKR_GROUP_PATH_SHARED : r->context->caps.group_path;
    VKR_TRY(choose_kernel(r));
    choose_items(r);
    choose_blocks(r);
    VKR_NEED(w, !is_tree(r) || w->count <= 1 || w->workgroup_size * w->items != 1,
             "algorithm is %s, but needs workgroups of at least 2, and workgroupSize %u with "
             "input.stride %" PRIu64 " leaves 1.",
             vkrReduceAlgorithmName(r->algorithm), r->info->workgroupSize, r->input.stride);
    VKR_TRY(vkr_walk_source(r, true, vkr_place_of_view(&r->input), w->count, w->items, w));
    return check_walk(r);
}
