/* SPDX-License-Identifier: MIT */
/* Chooses which elements of a walk an invocation, a workgroup and a dispatch handle: pure
 * arithmetic. */
#include "check.h"

#include <inttypes.h>

#include "../tables/names.h"

void vkr_start_walk(vkr_walk *w, VkrOperation operation, vkr_family family, const vkr_view *view)
{
    w->tuning = vkr_tuning_of(w->context, operation, view);
    w->group_path = w->context->caps.group_path;
    w->family = family;
    w->view = view;
    vkr_set_loads(w, 0);
}

/* ---- Workgroups ---- */

static bool fits_shared_memory(const vkr_walk *w, const vkr_shared *shared)
{
    const bool alone = w->group_path == VKR_GROUP_PATH_SHARED;
    const uint64_t slots = alone ? w->workgroup_size : vkr_walk_subgroups(w);
    return slots * shared->per_slot + shared->more <= w->context->caps.max_shared_memory;
}

VkrResult vkr_choose_workgroup(vkr_walk *w, uint32_t asked, uint32_t tuned,
                               const vkr_shared *shared)
{
    const vkr_caps *caps = &w->context->caps;
    const uint32_t max = caps->max_workgroup_size;
    VKR_MUST(w, (asked & (asked - 1)) == 0, "workgroupSize is %u, but must be 0 or a power of two.",
             asked);
    VKR_NEED(w, asked <= max, "workgroupSize is %u, but must be at most %u on this device.", asked,
             max);
    if (tuned == 0)
        tuned = vkr_one_subgroup(caps);
    w->workgroup_size = asked != 0 ? asked : tuned < max ? tuned : max;
    while (asked == 0 && w->workgroup_size > 1 && !fits_shared_memory(w, shared))
        w->workgroup_size /= 2;
    VKR_NEED(w, fits_shared_memory(w, shared),
             "workgroupSize is %u, but must be less for ops %s to fit the device's %u bytes of "
             "shared memory.",
             w->workgroup_size, vkr_op_names(shared->ops).text, caps->max_shared_memory);
    return VKR_SUCCESS;
}

/* ---- Loads ---- */

void vkr_choose_loads(vkr_walk *w, bool (*allows)(const void *operation, uint32_t loads),
                      const void *operation)
{
    static const uint32_t loads_of[VKR_LOAD_PATH_COUNT] = {[VKR_LOAD_VEC4] = VKR_LOADS_VEC4,
                                                           [VKR_LOAD_U64] = VKR_LOADS_U64,
                                                           [VKR_LOAD_TEXEL] = VKR_LOADS_TEXEL};
    const bool has64 = (w->context->caps.features & VKR_FEATURE_INT64) != 0;
    const uint32_t tuned = loads_of[w->tuning->path];
    const uint32_t tried[] = {tuned, tuned != 0 ? VKR_LOADS_VEC4 : 0};
    vkr_set_loads(w, 0);
    if (w->count == 0) /* nothing would be bound */
        return;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(tried) && w->loads == 0; i++)
        if (tried[i] != 0 && (tried[i] != VKR_LOADS_U64 || has64) &&
            vkr_kernel_of(w, w->family, tried[i]) < vkr_kernel_count &&
            vkr_view_loads(w->view, tried[i]) && allows(operation, tried[i]))
            vkr_set_loads(w, tried[i]);
}

/* ---- Runs, tiles, windows ---- */

/* The maximum number of elements of an invocation for at most `trips` trips through its loops. */
static uint32_t max_items(const vkr_walk *w, uint32_t trips)
{
    const uint32_t unit = w->unit;
    const uint32_t items = trips / w->trips_of_unit * unit;
    return items > unit ? items : unit;
}

/* Sets the number of elements of an invocation: `items`, rounded up to a multiple of the grain, and
 * reduced where the trips or the reach require it. */
static void fit_items(vkr_walk *w, uint64_t items, uint32_t trips)
{
    const uint32_t grain = w->grain;
    const uint64_t fits = w->reach / w->workgroup_size;
    const uint64_t most = max_items(w, trips);
    items = vkr_divide_up(items == 0 ? 1 : items, grain) * grain;
    items = items > most ? most / grain * grain : items;
    items = items > fits ? fits / grain * grain : items;
    w->items = (uint32_t)(items < grain ? grain : items);
}

/* The number of elements of an invocation: enough to be worth its start, in no more workgroups than
 * the device needs to be busy. */
static uint64_t tuned_items(const vkr_walk *w)
{
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full),
                               vkr_clamp(w->tuning->minBytes / w->element_bytes, 1, UINT32_MAX),
                               vkr_clamp(w->tuning->maxBytes / w->element_bytes, 1, UINT32_MAX));
    /* A run that a workgroup reads should end with loads of all its invocations. */
    const uint64_t together = (uint64_t)w->grain * w->workgroup_size;
    if (w->whole_loads && items > 2 * together)
        items = vkr_divide_up(items, together) * together;
    return items;
}

/* Chooses the length of runs. Returns whether there are so few runs that one workgroup can combine
 * their partials. The bound assumes that every window is at least half as long as the longest one,
 * and that it can end with two workgroups whose shares are not full. */
static bool fit_runs(vkr_walk *w)
{
    const uint64_t ends = 4 * vkr_divide_up(w->count, w->reach) + 2;
    const uint64_t whole = w->max_partials / vkr_walk_runs(w, 1);
    const uint64_t groups = whole > ends ? whole - ends : 1;
    const uint64_t least = vkr_divide_up(w->count, groups * w->workgroup_size);
    const uint64_t items = tuned_items(w);
    fit_items(w, items < least ? least : items, VKR_RUN_TRIPS);
    return whole > ends && w->items >= least;
}

/* Where runs of single invocations would leave too many partials, a workgroup reads each run. */
static void choose_runs(vkr_walk *w)
{
    if (fit_runs(w))
        return;
    w->order = VKR_ORDER_COALESCED;
    w->grain = w->coalesced_grain;
    (void)fit_runs(w);
}

static void choose_tiles(vkr_walk *w)
{
    fit_items(w, w->tuning->tileBytes / w->element_bytes, VKR_TILE_TRIPS);
}

/* The workgroup reads its share twice. Small elements count as words: a flag moves an element, and
 * one workgroup took 225 us for 2^16 flags on an H100. */
static void choose_one(vkr_walk *w)
{
    const uint64_t bytes = vkr_max(w->element_bytes, 4);
    const uint64_t share = vkr_divide_up(w->count + w->unit, w->workgroup_size);
    const uint64_t items = vkr_divide_up(share, w->grain) * w->grain;
    w->one = !w->spread && w->count <= w->reach && w->count <= w->tuning->oneGroupBytes / bytes &&
             items <= max_items(w, VKR_RUN_TRIPS / 2);
    if (w->one)
        w->items = (uint32_t)items;
}

void vkr_choose_window(vkr_walk *w)
{
    const vkr_caps *caps = &w->context->caps;
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    const uint64_t most = ((uint64_t)caps->max_groups[0] * caps->max_groups[1] - 1) * share;
    w->window = most < w->reach ? most : w->reach;
    if (w->window >= w->count)
        return;
    if (w->window > share)
        w->window = w->window / share * share;
    if (w->window > w->window_grain)
        w->window -= w->window % w->window_grain;
}

static bool wants_tiles(const vkr_walk *w)
{
    return w->tuning->lookBack || w->context->forward_progress == VKR_FORWARD_PROGRESS_OCCUPANCY;
}

/* Sets `tiles`. Returns the reason why tiles are not possible, or NULL. */
static const char *try_tiles(vkr_walk *w, vkr_why_not *why_not, const void *operation,
                             char text[VKR_REASON])
{
    choose_tiles(w);
    vkr_choose_window(w);
    const char *why = why_not(operation, text);
    w->tiles = why == NULL;
    return why;
}

VkrResult vkr_choose_tiles(vkr_walk *w, vkr_why_not *why_not, const void *operation)
{
    char text[VKR_REASON];
    if (!wants_tiles(w) || try_tiles(w, why_not, operation, text) != NULL)
        return VKR_SUCCESS;
    choose_one(w);
    w->tiles = !w->one;
    vkr_choose_window(w);
    return vkr_cut(w);
}

VkrResult vkr_choose_shares(vkr_walk *w, bool asked, bool allowed, vkr_why_not *why_not,
                            const void *operation)
{
    if (asked || (allowed && wants_tiles(w))) {
        char text[VKR_REASON];
        const char *why = try_tiles(w, why_not, operation, text);
        VKR_NEED(w, why == NULL || !asked, "algorithm is single-pass, but %s.", why);
    }
    choose_one(w);
    if (!w->one && !w->tiles)
        choose_runs(w);
    vkr_choose_window(w);
    VKR_TRY(vkr_cut(w));
    VKR_NEED(w,
             w->one || w->tiles ||
                 vkr_walk_runs(w, w->groups) <= vkr_min(2 * w->max_partials, w->stored_partials),
             "workgroupSize is %u, but must be larger for count %" PRIu64
             ", whose partials one workgroup combines.",
             w->workgroup_size, w->count);
    return VKR_SUCCESS;
}
