/* SPDX-License-Identifier: MIT */
/* How long the runs and tiles of a walk are: pure arithmetic, for scans and compactions alike. */
#include "walk.h"

uint32_t vkr_walk_max_items(const vkr_walk *w, uint32_t trips)
{
    const uint32_t unit = vkr_walk_unit(w);
    const uint32_t items = trips / w->trips_of_unit * unit;
    return items > unit ? items : unit;
}

/* The nearest number of elements that is whole grains, within the trips and within reach. */
static void fit_items(vkr_walk *w, uint64_t items, uint32_t trips)
{
    const uint32_t grain = w->grain;
    const uint64_t fits = w->reach / w->workgroup_size;
    const uint64_t most = vkr_walk_max_items(w, trips);
    items = vkr_divide_up(items == 0 ? 1 : items, grain) * grain;
    items = items > most ? most / grain * grain : items;
    items = items > fits ? fits / grain * grain : items;
    w->items = (uint32_t)(items < grain ? grain : items);
}

/* Enough for every invocation to be worth its start, in no more workgroups than keep the device
 * busy. */
static uint64_t tuned_items(const vkr_walk *w)
{
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full),
                               vkr_clamp(w->tuning->minBytes / w->element_bytes, 1, UINT32_MAX),
                               vkr_clamp(w->tuning->maxBytes / w->element_bytes, 1, UINT32_MAX));
    /* Runs that a workgroup reads together end with the loads of all its invocations. */
    const uint64_t together = (uint64_t)w->grain * w->workgroup_size;
    if (w->whole_loads && items > 2 * together)
        items = vkr_divide_up(items, together) * together;
    return items;
}

void vkr_choose_runs(vkr_walk *w)
{
    /* Every window, as long as half of the longest or longer, can end in parts of two groups. Where
     * these are too many, a group is one run. */
    const uint64_t ends = 4 * vkr_divide_up(w->count, w->reach) + 2;
    if (w->most_partials / vkr_walk_runs(w, 1) <= ends) {
        w->order = VKR_ORDER_COALESCED;
        w->grain = w->coalesced_grain;
    }
    const uint64_t whole = w->most_partials / vkr_walk_runs(w, 1);
    const uint64_t groups = whole > ends ? whole - ends : 1;
    const uint64_t least = vkr_divide_up(w->count, groups * w->workgroup_size);
    const uint64_t items = tuned_items(w);
    fit_items(w, items < least ? least : items, VKR_RUN_TRIPS);
}

void vkr_choose_tiles(vkr_walk *w)
{
    fit_items(w, w->tuning->tileBytes / w->element_bytes, VKR_TILE_TRIPS);
}

/* A workgroup's share is read twice. */
bool vkr_choose_one(vkr_walk *w)
{
    const uint64_t share = vkr_divide_up(w->count + vkr_walk_unit(w), w->workgroup_size);
    const uint64_t items = vkr_divide_up(share, w->grain) * w->grain;
    w->one = w->count <= w->reach && w->count <= w->tuning->oneGroupBytes / w->element_bytes &&
             items <= vkr_walk_max_items(w, VKR_RUN_TRIPS / 2);
    if (w->one)
        w->items = (uint32_t)items;
    return w->one;
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
