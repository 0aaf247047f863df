/* SPDX-License-Identifier: MIT */
/* How a checked scan walks its elements: pure arithmetic. */
#include "scan.h"

#include <inttypes.h>

#define MAX_REACH ((uint64_t)1 << 30)
#define MAX_UNROLLED 64u /* elements; drivers unroll loops up to some length */

/* Elements that loops over a batch of units may be unrolled for. */
uint32_t vkr_scan_max_units(const vkr_scan *s)
{
    return (uint32_t)vkr_clamp(MAX_UNROLLED / (vkr_walk_unit(&s->walk) * s->input.components), 1,
                               MAX_UNROLLED);
}

static VkrResult choose_workgroup(vkr_scan *s)
{
    const VkrTuning *plain =
        &s->context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, s->input.type->size)];
    const vkr_shared none = {0}, runs = {8 * s->input.components + 4, 64, (VkrOpFlags)s->info->op};
    return vkr_choose_workgroup(&s->walk, s->info->workgroupSize,
                                s->doubles ? plain->treeWorkgroupSize
                                           : s->walk.tuning->workgroupSize,
                                s->doubles ? &none : &runs);
}

/* Elements that the scan itself overwrites may not be read as texels; and runs of the canonical
 * tree start at fixed elements. */
static bool allows_loads(const void *operation, uint32_t loads)
{
    const vkr_scan *s = operation;
    const bool starts = vkr_head(&s->input, 0, loads) == 0 && !s->walk.reverse;
    return !(loads == VKR_LOADS_TEXEL && s->in_place) && (!s->canonical || starts);
}

/* The number of elements that one descriptor of the input and one of the output reach: all of them,
 * or as many as they reach wherever they start. */
static uint64_t reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t input = vkr_view_reach(caps, &s->input, s->walk.count);
    const uint64_t output = vkr_view_reach(caps, &s->output, s->walk.count);
    return vkr_clamp(vkr_min(input, output), 1, MAX_REACH);
}

/* The number of partials that one descriptor reaches wherever it starts. */
static uint64_t partials_in_reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    return (caps->max_range - caps->granule) / (4 * (uint64_t)s->partial_words);
}

static void set_bounds(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->order = s->canonical ? VKR_ORDER_CONTIGUOUS : (uint32_t)w->tuning->order;
    w->batch =
        (uint32_t)vkr_clamp(w->tuning->flight / s->input.components, 1, vkr_scan_max_units(s));
    const uint64_t trips_of_partial = 1 + s->input.components;
    const uint64_t combined = VKR_PREFIX_TRIPS / trips_of_partial * w->workgroup_size;
    w->element_bytes = vkr_element_size(&s->input);
    w->reach = reach(s);
    w->max_partials = vkr_min(combined, partials_in_reach(s));
    w->grain = vkr_walk_unit(w) * (s->canonical ? 1 : w->batch);
    w->coalesced_grain = w->grain;
    w->trips_of_unit = 4 + vkr_walk_unit(w) * (1 + s->input.components);
    w->window_grain = 1;
}

/* Chooses the workgroup size for runs of the canonical tree, whose length is fixed. */
static void choose_canonical_runs(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->items = VKR_SCAN_RUN;
    while (s->info->workgroupSize == 0 && w->workgroup_size > 1 &&
           (uint64_t)w->workgroup_size * w->items > w->reach)
        w->workgroup_size /= 2;
}

uint64_t vkr_scan_chain(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t trips = VKR_CHAIN_TRIPS / (1 + s->input.components);
    const uint64_t blocks = vkr_clamp(partials_in_reach(s) / VKR_SCAN_RUN, 2, trips);
    return vkr_clamp(vkr_all_groups(caps) * s->walk.workgroup_size, 2, blocks);
}

/* Whether the states of the tiles fit, of which each has two values in scratch. */
static bool tiles_fit(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    const uint64_t windows = vkr_divide_up(w->count, w->window);
    return vkr_divide_up(w->count, share) + 2 * windows <= partials_in_reach(s) / 2;
}

static bool allows_look_back(const vkr_scan *s)
{
    return !s->in_place && s->context->forward_progress != VKR_FORWARD_PROGRESS_NONE &&
           (!s->ordered || s->info->determinism == VKR_DETERMINISM_NONE);
}

static VkrResult check_windows(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    const uint32_t share = w->workgroup_size * w->items;
    VKR_NEED(w, !s->canonical || w->window >= share || w->window >= w->count,
             "input.stride is %" PRIu64 " and output.stride %" PRIu64
             ", but a workgroup's share of %u elements must fit maxStorageBufferRange (%" PRIu64
             " bytes).",
             s->input.stride, s->output.stride, share, s->context->caps.max_range);
    VKR_TRY(vkr_cut(w));
    VKR_NEED(w,
             !s->canonical || !w->reverse || w->windows == 1 ||
                 s->info->gpuCount.buffer == VK_NULL_HANDLE,
             "determinism is VKR_DETERMINISM_DEVICE and flags has VKR_SCAN_REVERSE_BIT, but with "
             "gpuCount, count (%" PRIu64 ") must then be at most %" PRIu64
             " to fit maxStorageBufferRange.",
             w->count, w->window);
    return VKR_SUCCESS;
}

/* Chooses tiles where they are asked for, or allowed and worth it, and their states fit; else
 * runs. */
static VkrResult choose_algorithm(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    const bool asked = s->info->algorithm == VKR_SCAN_SINGLE_PASS;
    bool tiles =
        asked ||
        (s->info->algorithm == VKR_SCAN_AUTO && allows_look_back(s) &&
         (w->tuning->lookBack || s->context->forward_progress == VKR_FORWARD_PROGRESS_OCCUPANCY));
    if (!w->one && tiles) {
        vkr_choose_tiles(w);
        vkr_choose_window(w);
        tiles = tiles_fit(s);
        VKR_NEED(w, tiles || !asked,
                 "algorithm is single-pass, but count is %" PRIu64
                 ", and the values of so many tiles pass maxStorageBufferRange (%" PRIu64
                 " bytes).",
                 w->count, s->context->caps.max_range);
    }
    if (!w->one && !tiles && s->canonical)
        choose_canonical_runs(s);
    else if (!w->one && !tiles)
        vkr_choose_runs(w);
    s->algorithm = tiles ? VKR_SCAN_SINGLE_PASS : VKR_SCAN_REDUCE_THEN_SCAN;
    vkr_choose_window(w);
    return w->one ? vkr_cut(w) : check_windows(s);
}

VkrResult vkr_plan_scan_geometry(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->tuning = vkr_tuning_of(s->context, VKR_OPERATION_SCAN, &s->input);
    w->rung = s->context->caps.rung;
    w->view = &s->input;
    w->family = VKR_FAMILY_TILES;
    s->algorithm = s->info->algorithm;
    s->doubles = s->algorithm == VKR_SCAN_HILLIS_STEELE || s->algorithm == VKR_SCAN_BLELLOCH;
    VKR_TRY(choose_workgroup(s));
    VKR_NEED(w, !s->doubles || vkr_has_documents(),
             "algorithm is %s, but this build of the library has no scans by passes (its option "
             "documents is false).",
             vkrScanAlgorithmName(s->algorithm));
    if (s->doubles)
        return VKR_SUCCESS;
    vkr_choose_loads(w, allows_loads, s);
    set_bounds(s);
    if (w->count == 0) {
        w->one = true;
        w->items = w->grain;
    } else if (!s->canonical) {
        (void)vkr_choose_one(w);
    }
    return choose_algorithm(s);
}
