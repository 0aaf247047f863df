/* SPDX-License-Identifier: MIT */
/* How a checked scan walks its elements: pure arithmetic. */
#include "scan.h"

#include <inttypes.h>

#define MAX_REACH ((uint64_t)1 << 30)

static bool fits_shared_memory(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t slots = w->rung == VKR_RUNG_SHARED ? w->workgroup_size : vkr_walk_subgroups(w);
    return slots * (8 * s->input.components + 4) + 64 <= s->context->caps.max_shared_memory;
}

static VkrResult choose_workgroup(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    const uint32_t asked = s->info->workgroupSize;
    VKR_TRY(vkr_choose_workgroup(s->context, w->call, asked, w->tuning->workgroupSize,
                                 &w->workgroup_size));
    while (asked == 0 && w->workgroup_size > 1 && !fits_shared_memory(s))
        w->workgroup_size /= 2;
    if (!fits_shared_memory(s))
        return vkr_refuse(
            &s->walk,
            "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
            w->workgroup_size, s->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

static bool can_load(const vkr_scan *s, uint32_t loads)
{
    /* What is written here may not be read as texels. */
    if (vkr_scan_kernel(s, loads, true) == vkr_kernel_count || !vkr_view_loads(&s->input, loads) ||
        (loads == VKR_LOADS_TEXEL && s->in_place))
        return false;
    /* Runs of the canonical tree start at elements of their own. */
    const VkDeviceSize phase = loads == VKR_LOADS_TEXEL ? s->input.texels.offset : 0;
    return !s->canonical || (vkr_head(&s->input, 0, loads, phase) == 0 && !s->walk.reverse);
}

static void choose_loads(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->order = s->canonical ? VKR_ORDER_CONTIGUOUS : (uint32_t)w->tuning->order;
    w->batch = 1;
    if (w->count == 0) /* nothing would be bound */
        return;
    if (w->tuning->path == VKR_LOAD_TEXEL && can_load(s, VKR_LOADS_TEXEL))
        w->loads = VKR_LOADS_TEXEL;
    else if (w->tuning->path != VKR_LOAD_ELEMENT && can_load(s, VKR_LOADS_VEC4))
        w->loads = VKR_LOADS_VEC4;
    w->batch =
        (uint32_t)vkr_clamp(w->tuning->flight / s->input.components, 1, vkr_scan_most_units(s));
}

/* Elements that one descriptor of the input and one of the output reach: all, or so many wherever
 * they start. */
static uint64_t reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t input = vkr_view_reach(caps, &s->input, s->walk.count);
    const uint64_t output = vkr_view_reach(caps, &s->output, s->walk.count);
    return vkr_clamp(vkr_min(input, output), 1, MAX_REACH);
}

/* Partials that one descriptor reaches wherever it starts. */
static uint64_t partials_in_reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    return (caps->max_range - caps->granule) / (4 * (uint64_t)s->partial_words);
}

static void set_bounds(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    const uint64_t trips_of_partial = 1 + s->input.components;
    const uint64_t combined = VKR_PREFIX_TRIPS / trips_of_partial * w->workgroup_size;
    w->element_bytes = vkr_element_size(&s->input);
    w->reach = reach(s);
    w->most_partials = vkr_min(combined, partials_in_reach(s));
    w->grain = vkr_walk_unit(w) * (s->canonical ? 1 : w->batch);
    w->coalesced_grain = w->grain;
    w->trips_of_unit = 4 + vkr_walk_unit(w) * (1 + s->input.components);
    w->window_grain = 1;
}

/* Runs of the canonical tree have a length of their own. */
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

/* Whether the states of the tiles fit; both of their values lie in scratch. */
static bool tiles_fit(vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    const uint64_t tiles = vkr_divide_up(w->count, share) + 2 * vkr_count_windows(w);
    return tiles <= partials_in_reach(s) / 2;
}

static bool allows_look_back(const vkr_scan *s)
{
    const bool sum = s->words && s->input.type->is_float;
    return !s->in_place && s->context->forward_progress != VKR_FORWARD_PROGRESS_NONE &&
           (!sum || s->info->determinism == VKR_DETERMINISM_NONE);
}

static VkrResult check_windows(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    if (s->canonical && w->window < (uint64_t)w->workgroup_size * w->items && w->window < w->count)
        return vkr_refuse(
            &s->walk,
            "input.stride is %" PRIu64 " and output.stride %" PRIu64
            ", but a workgroup's share of %u elements must fit maxStorageBufferRange (%" PRIu64
            " bytes).",
            s->input.stride, s->output.stride, w->workgroup_size * w->items,
            s->context->caps.max_range);
    VKR_TRY(vkr_check_window_count(w));
    if (s->canonical && w->reverse && w->count > w->window &&
        s->info->gpuCount.buffer != VK_NULL_HANDLE)
        return vkr_refuse(&s->walk,
                          "determinism is VKR_DETERMINISM_DEVICE and flags has "
                          "VKR_SCAN_REVERSE_BIT, but with gpuCount, count (%" PRIu64
                          ") must then be at most %" PRIu64 " to fit maxStorageBufferRange.",
                          w->count, w->window);
    return VKR_SUCCESS;
}

/* Tiles where they are asked for, or allowed and worth it, and their states fit. */
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
        if (!tiles_fit(s) && asked)
            return vkr_refuse(
                &s->walk,
                "algorithm is single-pass, but count is %" PRIu64
                ", and the values of so many tiles pass maxStorageBufferRange (%" PRIu64 " bytes).",
                w->count, s->context->caps.max_range);
        tiles = tiles_fit(s);
    }
    if (!w->one && !tiles && s->canonical)
        choose_canonical_runs(s);
    else if (!w->one && !tiles)
        vkr_choose_runs(w);
    s->algorithm = tiles ? VKR_SCAN_SINGLE_PASS : VKR_SCAN_REDUCE_THEN_SCAN;
    vkr_choose_window(w);
    return w->one ? VKR_SUCCESS : check_windows(s);
}

VkrResult vkr_plan_scan_geometry(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    w->tuning = vkr_tuning_of(s->context, VKR_OPERATION_SCAN, &s->input);
    w->rung = s->context->caps.rung;
    w->view = &s->input;
    VKR_TRY(choose_workgroup(s));
    s->algorithm = s->info->algorithm;
    VKR_TRY(vkr_check_kernel(w, vkr_scan_kernel(s, 0, true), s->wide));
    const bool doubles =
        s->algorithm == VKR_SCAN_HILLIS_STEELE || s->algorithm == VKR_SCAN_BLELLOCH;
    if (doubles && !vkr_has_documents())
        return vkr_refuse(w,
                          "algorithm is %s, but this build of the library has no scans by passes "
                          "(its option documents is false).",
                          vkrScanAlgorithmName(s->algorithm));
    if (doubles)
        return VKR_SUCCESS;
    choose_loads(s);
    set_bounds(s);
    if (w->count == 0) {
        w->one = true;
        w->items = w->grain;
    } else if (!s->canonical) {
        (void)vkr_choose_one(w);
    }
    return choose_algorithm(s);
}
