/* SPDX-License-Identifier: MIT */
/* How a checked scan walks its elements: pure arithmetic. */
#include "scan.h"

#include <inttypes.h>
#include <stdio.h>

/* Where an application's functions have loops, an invocation of 128 calls them for up to 16
 * elements, which it may read twice. It combines these, 15 + 3 states of the workgroup, and where
 * it finishes last 8 partials twice, and 15 + 3 states again: at most 16 + 18 + 16 + 18 + 1 = 69
 * combinations. */
#define CALLERS 128u
#define MAX_CALLS 16u
#define MAX_CALLED_READS 8u

static bool calls_rarely(const vkr_scan *s)
{
    return s->linked != NULL && s->linked->has_loops;
}

/* Drivers unroll loops over the elements of a batch if there are at most VKR_MAX_UNROLLED. */
uint32_t vkr_scan_max_units(const vkr_scan *s)
{
    const uint32_t each = s->linked != NULL ? s->linked->words : s->input.components;
    return (uint32_t)vkr_clamp(VKR_MAX_UNROLLED / (s->walk.unit * each), 1, VKR_MAX_UNROLLED);
}

static VkrResult choose_workgroup(vkr_scan *s)
{
    const VkrTuning *plain =
        &s->walk.context
             ->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, s->input.type->size)];
    const uint32_t words = s->linked != NULL ? s->partial_words : 2 * s->input.components + 1;
    const vkr_shared none = {0}, runs = {4 * words, 128, (VkrOpFlags)s->info->op};
    return vkr_choose_workgroup(&s->walk, s->info->workgroupSize,
                                s->doubles        ? plain->treeWorkgroupSize
                                : calls_rarely(s) ? CALLERS
                                                  : s->walk.tuning->workgroupSize,
                                s->doubles ? &none : &runs);
}

/* A scan in place must not read as texels what it overwrites. Runs of the canonical tree start at
 * fixed elements, so that units must start with the first one. */
static bool allows_loads(const void *operation, uint32_t loads)
{
    const vkr_scan *s = operation;
    if (s->linked != NULL && (s->linked->taken.words != 1 || s->linked->taken.widen != 0))
        return false;
    const bool starts = vkr_head(&s->input, 0, loads) == 0 && !s->walk.reverse;
    return !(loads == VKR_LOADS_TEXEL && s->in_place) && (!s->canonical || starts);
}

/* The number of elements that one descriptor of the input and one of the output reach: all of them
 * from the first one, or the number that they reach wherever they start. */
static uint64_t reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->walk.context->caps;
    const uint64_t input = vkr_view_reach(caps, &s->input, s->walk.count);
    const uint64_t output = s->room != 0 ? input : vkr_view_reach(caps, &s->output, s->walk.count);
    return vkr_clamp(vkr_min(input, output), 1, VKR_MAX_POSITIONS);
}

/* The number of partials that one descriptor reaches wherever it starts. */
static uint64_t partials_in_reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->walk.context->caps;
    return vkr_room(caps) / (4 * (uint64_t)s->partial_words);
}

uint64_t vkr_scan_partials_of_group(const vkr_scan *s)
{
    const uint64_t trips_of_partial = 1 + s->input.components;
    return (calls_rarely(s) ? MAX_CALLED_READS : VKR_PREFIX_TRIPS / trips_of_partial) *
           (uint64_t)s->walk.workgroup_size;
}

static void set_bounds(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->order = s->canonical ? VKR_ORDER_CONTIGUOUS : (uint32_t)w->tuning->order;
    w->batch =
        (uint32_t)vkr_clamp(w->tuning->flight / s->input.components, 1, vkr_scan_max_units(s));
    w->element_bytes = vkr_element_size(&s->input);
    w->reach = reach(s);
    w->stored_partials = partials_in_reach(s);
    w->max_partials = vkr_min(vkr_scan_partials_of_group(s), w->stored_partials);
    w->grain = w->unit * (s->canonical ? 1 : w->batch);
    w->coalesced_grain = w->grain;
    w->trips_of_unit = 4 + w->unit * (1 + s->input.components);
    w->window_grain = 1;
}

uint64_t vkr_scan_chain(const vkr_scan *s)
{
    const vkr_caps *caps = &s->walk.context->caps;
    const uint64_t trips = VKR_CHAIN_TRIPS / (1 + s->input.components);
    const uint64_t blocks = vkr_clamp(partials_in_reach(s) / VKR_SCAN_RUN, 2, trips);
    return vkr_clamp(vkr_all_groups(caps) * s->walk.workgroup_size, 2, blocks);
}

/* A word has 16 bits of a value. Whether a segment starts is one more bit; reductions of runs have
 * their number, and the place of the last one, instead. */
vkr_published vkr_published_by_scan(const vkr_scan *s)
{
    const bool holds = s->input.type->is_float && s->info->op == VKR_OP_SUM;
    const uint32_t head = s->heads || s->rows ? 1 : 0;
    const uint32_t counts = s->room == 0 ? 0 : s->lengths.buffer == VK_NULL_HANDLE ? 1 : 2;
    const uint32_t words = 2 * (s->partial_words - head + counts);
    return (vkr_published){.total = words, .prefix = holds ? 2 * words : words};
}

/* The reason why tiles are not possible, or NULL. One descriptor must reach the words that they
 * publish. */
static const char *why_not_single_pass(const void *operation, char text[VKR_REASON])
{
    const vkr_scan *s = operation;
    const vkr_walk *w = &s->walk;
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    const uint64_t windows = vkr_divide_up(w->count, w->window);
    const uint64_t tiles = vkr_divide_up(w->count, share) + 2 * windows;
    const vkr_published words = vkr_published_by_scan(s);
    if (windows + vkr_published_words(&words, tiles) <= vkr_room(&w->context->caps) / 4)
        return NULL;
    return vkr_range_reason(w, text, "count is %" PRIu64 ", and the words of these tiles",
                            w->count);
}

static bool allows_look_back(const vkr_scan *s)
{
    return s->info->algorithm == VKR_SCAN_AUTO && !s->in_place &&
           s->walk.context->forward_progress != VKR_FORWARD_PROGRESS_NONE;
}

/* By an application's functions a workgroup scans a run, each invocation consecutive elements of
 * it. Where functions have loops, runs are short, and their partials can have several levels. */
static void set_bounds_of_linked(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->order = VKR_ORDER_COALESCED;
    w->grain = w->coalesced_grain = w->unit;
    if (!calls_rarely(s))
        return;
    w->trips_of_unit = VKR_RUN_TRIPS / MAX_CALLS * w->unit;
    w->max_partials = w->stored_partials = VKR_MAX_REACH; /* choose_linked_runs checks them */
}

static VkrResult choose_linked_runs(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    set_bounds_of_linked(s);
    VKR_TRY(vkr_choose_shares(w, false, false, NULL, s));
    VKR_FIT(w, w->one || w->groups <= partials_in_reach(s),
            "count is %" PRIu64 ", which needs %" PRIu64 " partial states of %u bytes, but they",
            w->count, w->groups, 4 * s->partial_words);
    return VKR_SUCCESS;
}

/* Runs of the canonical tree have a fixed length; the workgroup size is reduced to fit. */
static VkrResult choose_canonical_runs(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->one = w->count == 0;
    w->items = w->one ? w->grain : VKR_SCAN_RUN;
    while (!w->one && s->info->workgroupSize == 0 && w->workgroup_size > 1 &&
           (uint64_t)w->workgroup_size * w->items > w->reach)
        w->workgroup_size /= 2;
    const uint32_t share = w->workgroup_size * w->items;
    vkr_choose_window(w);
    VKR_FIT(w, w->window >= share || w->window >= w->count,
            "input.stride is %" PRIu64 " and output.stride %" PRIu64
            ", but a workgroup's share of %u elements",
            s->input.stride, s->output.stride, share);
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, !w->reverse || w->windows == 1 || s->info->gpuCount.buffer == VK_NULL_HANDLE,
            "determinism is VKR_DETERMINISM_DEVICE and flags has VKR_SCAN_REVERSE_BIT, but with "
            "gpuCount, count (%" PRIu64 ") must then be at most %" PRIu64 ", since all elements",
            w->count, w->window);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_scan_geometry(vkr_scan *s)
{
    const VkrScanAlgorithm asked = s->info->algorithm;
    vkr_walk *w = &s->walk;
    vkr_start_walk(w, VKR_OPERATION_SCAN,
                   s->linked != NULL ? VKR_FAMILY_TILES_LINKED : VKR_FAMILY_TILES, &s->input);
    if (s->linked != NULL)
        w->group_path = VKR_GROUP_PATH_SHARED;
    s->doubles = asked == VKR_SCAN_HILLIS_STEELE || asked == VKR_SCAN_BLELLOCH;
    VKR_TRY(choose_workgroup(s));
    VKR_NEED(w, !s->doubles || vkr_has_documents(),
             "algorithm is %s, but this build of the library has no scans by passes (its option "
             "documents is false).",
             vkrScanAlgorithmName(asked));
    if (s->doubles)
        return VKR_SUCCESS;
    vkr_choose_loads(w, allows_loads, s);
    set_bounds(s);
    if (s->linked != NULL)
        return choose_linked_runs(s);
    if (s->room != 0)
        return allows_look_back(s) ? vkr_choose_tiles(w, why_not_single_pass, s) : VKR_SUCCESS;
    return s->canonical ? choose_canonical_runs(s)
                        : vkr_choose_shares(w, asked == VKR_SCAN_SINGLE_PASS, allows_look_back(s),
                                            why_not_single_pass, s);
}
