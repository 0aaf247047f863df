/* SPDX-License-Identifier: MIT */
/* Slots with items of which only the GPU knows which ones are touched. */
#include <inttypes.h>

#include "pass.h"

/* The first slot of this kind at `slot` or after it; VKR_MAX_SLOTS where there is none. */
static uint32_t find_any(const vkr_pass *pass, uint32_t slot)
{
    while (slot < VKR_MAX_SLOTS && (pass->slots[slot].place.buffer == VK_NULL_HANDLE ||
                                    pass->slots[slot].span != VKR_SPAN_ANY))
        slot++;
    return slot;
}

bool vkr_has_any(const vkr_pass *pass)
{
    return find_any(pass, 0) != VKR_MAX_SLOTS;
}

/* All such items of a window: those of a box's rows, or all that there are. */
static vkr_extent all_of(const vkr_bound *bound, const vkr_window *window)
{
    const uint64_t first = window->row * bound->pitch;
    const bool by_rows = window->rows != 0 && bound->pitch != 0;
    const uint64_t end = by_rows ? (window->row + window->rows) * bound->pitch : bound->all;
    return (vkr_extent){first, vkr_min(end, bound->all) - first};
}

/* The number of items starting at `first` that a descriptor reaches, together with those before. */
static uint64_t reach_of(const vkr_walk *w, const vkr_bound *bound, uint64_t first)
{
    const uint64_t before = vkr_min(bound->before, first);
    const uint64_t reach = vkr_place_window(&w->context->caps, &bound->place, first - before);
    return vkr_min(reach < before ? 0 : reach - before, VKR_MAX_REACH);
}

bool vkr_is_bound_at_once(const vkr_walk *w, const vkr_bound *bound)
{
    return reach_of(w, bound, 0) >= bound->all;
}

static uint64_t min_reach(const vkr_pass *pass, uint64_t first)
{
    uint64_t reach = VKR_MAX_REACH;
    for (uint32_t i = find_any(pass, 0); i < VKR_MAX_SLOTS; i = find_any(pass, i + 1))
        reach = vkr_min(reach, reach_of(pass->walk, &pass->slots[i], first));
    return reach;
}

/* Sets the items that start at `first`. */
static void set_any(const vkr_pass *pass, vkr_window *window, vkr_extent all, uint64_t first)
{
    const uint64_t left = all.first + all.count - first;
    window->any = (vkr_extent){first, vkr_min(left, vkr_max(min_reach(pass, first), 1))};
}

void vkr_first_any(const vkr_pass *pass, vkr_window *window)
{
    const uint32_t slot = find_any(pass, 0);
    window->any = (vkr_extent){0};
    if (slot == VKR_MAX_SLOTS)
        return;
    const vkr_extent all = all_of(&pass->slots[slot], window);
    set_any(pass, window, all, all.first);
}

bool vkr_next_any(const vkr_pass *pass, vkr_window *window)
{
    const uint32_t slot = find_any(pass, 0);
    const uint64_t first = window->any.first + window->any.count;
    if (slot == VKR_MAX_SLOTS)
        return false;
    const vkr_extent all = all_of(&pass->slots[slot], window);
    if (first >= all.first + all.count)
        return false;
    set_any(pass, window, all, first);
    return true;
}

/* Fails where a descriptor does not reach one item, wherever it lies, and those before it. */
static VkrResult check_reach(const vkr_pass *pass, const vkr_bound *bound)
{
    const vkr_place *place = &bound->place;
    const vkr_caps *caps = &pass->walk->context->caps;
    const uint64_t items = vkr_min(bound->before + 1, bound->all);
    const bool fits =
        vkr_is_bound_at_once(pass->walk, bound) || vkr_place_reach(caps, place) >= items;
    return fits ? VKR_SUCCESS : vkr_refuse_items(pass->walk, bound->name, items, place);
}

VkrResult vkr_count_any(const vkr_pass *pass, vkr_window window, uint64_t *count)
{
    for (uint32_t i = find_any(pass, 0); i < VKR_MAX_SLOTS; i = find_any(pass, i + 1))
        VKR_TRY(check_reach(pass, &pass->slots[i]));
    vkr_first_any(pass, &window);
    for (*count = 1; *count <= VKR_MAX_PAIRS && vkr_next_any(pass, &window); ++*count)
        ;
    return VKR_SUCCESS;
}

VkrResult vkr_check_steps(const vkr_pass *pass, uint64_t steps)
{
    const uint32_t slot = find_any(pass, 0);
    if (slot == VKR_MAX_SLOTS)
        return steps <= VKR_MAX_WINDOWS
                   ? VKR_SUCCESS
                   : vkr_refuse_dispatches(pass->walk, VKR_MAX_WINDOWS, "count is %" PRIu64,
                                           pass->walk->count);
    const vkr_bound *bound = &pass->slots[slot];
    return steps <= VKR_MAX_PAIRS
               ? VKR_SUCCESS
               : vkr_refuse_dispatches(pass->walk, VKR_MAX_PAIRS, "%s has %" PRIu64 " items",
                                       bound->name, bound->all);
}
