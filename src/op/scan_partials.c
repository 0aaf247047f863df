/* SPDX-License-Identifier: MIT */
/* Passes of a scan over what its runs leave: one workgroup, or chained blocks at level DEVICE. */
#include "scan.h"

/* Partials, one behind the other. */
typedef struct vkr_partials {
    vkr_place place;
    uint64_t count;
} vkr_partials;

/* One dispatch over partials, `items` each of which are one invocation's: their totals become the
 * partials above, or they become prefixes, from those above or, with VKR_FLAG_TOP, from the initial
 * value. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              uint32_t flags, uint64_t items, const vkr_partials *partials,
                              const vkr_partials *above)
{
    vkr_walk walk = s->walk;
    walk.items = (uint32_t)items;
    walk.loads = 0;
    const vkr_window window = {
        .count = partials->count,
        .groups = vkr_divide_up(vkr_divide_up(partials->count, items), walk.workgroup_size)};
    const vkr_partials *source = mode == VKR_MODE_TOTALS ? partials : above;
    const vkr_partials *target = mode == VKR_MODE_TOTALS ? above : partials;
    vkr_pass pass = vkr_scan_pass(s, &walk, mode, VKR_INPUT_PARTIALS, flags);
    if ((flags & VKR_FLAG_TOP) == 0)
        vkr_bind_items(&pass, VKR_SCAN_SLOT_PARTIALS, source->place, 0, source->count);
    vkr_bind_items(&pass, VKR_SCAN_SLOT_CHANGED, target->place, 0, target->count);
    if ((flags & VKR_FLAG_END) != 0)
        vkr_bind_item(&pass, VKR_SCAN_SLOT_TOTAL, vkr_place_of_total(s));
    return vkr_emit_window(recorder, &pass, &window);
}

/* Level DEVICE: the partials of all runs, and what the blocks of them combine to. These are one
 * chain, which is cut into windows: each but the first starts with a copy of the last block of the
 * window before, whose prefix is known there, so that it goes on with the same additions. */
typedef struct vkr_chain {
    vkr_partials runs;
    vkr_partials blocks; /* with the copies */
    uint64_t most;       /* blocks of a window, with the copy */
} vkr_chain;

static vkr_partials slice(const vkr_partials *all, uint64_t first, uint64_t most)
{
    vkr_partials some = {all->place, vkr_min(all->count - first, most)};
    some.place.offset += first * all->place.stride;
    return some;
}

/* Runs and blocks of a window: it starts with a copy of the block before, but for the first one. */
static VkrResult add_window(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                            const vkr_chain *chain, uint64_t window)
{
    const uint64_t first = window * (chain->most - 1);
    /* Prefixes of the copy's runs are the window's before. */
    const uint64_t copies = mode == VKR_MODE_APPLY && window != 0 ? 1 : 0;
    const uint64_t slot = window * chain->most;
    const vkr_partials all = slice(&chain->blocks, slot, chain->most);
    const vkr_partials blocks = slice(&chain->blocks, slot + copies, all.count - copies);
    const vkr_partials runs =
        slice(&chain->runs, (first + copies) * VKR_SCAN_RUN, (all.count - copies) * VKR_SCAN_RUN);
    return add_partials(recorder, s, mode, 0, VKR_SCAN_RUN, &runs, &blocks);
}

/* Prefixes of a window's blocks. */
static VkrResult add_link(VkrRecorder recorder, const vkr_scan *s, const vkr_chain *chain,
                          uint64_t window)
{
    const uint64_t slot = window * chain->most;
    const vkr_partials all = slice(&chain->blocks, slot, chain->most);
    const vkr_partials before = slice(&chain->blocks, window == 0 ? 0 : slot - 1, 1);
    const uint32_t top = window == 0 ? VKR_FLAG_TOP : 0;
    const uint32_t end = slot + all.count == chain->blocks.count ? VKR_FLAG_END : 0;
    return add_partials(recorder, s, VKR_MODE_APPLY, top | end, all.count, &all, &before);
}

static VkrResult plan_chain(VkrRecorder recorder, const vkr_scan *s, const vkr_partials *runs)
{
    vkr_chain chain = {.runs = *runs, .blocks = *runs, .most = vkr_scan_chain(s)};
    const uint64_t blocks = vkr_divide_up(runs->count, VKR_SCAN_RUN);
    const uint64_t more = blocks > chain.most ? blocks - chain.most : 0;
    const uint64_t windows = 1 + vkr_divide_up(more, chain.most - 1);
    chain.blocks.count = blocks + windows - 1;
    VKR_TRY(vkr_add_scratch(recorder, chain.blocks.count * runs->place.size,
                            &chain.blocks.place.offset));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_window(recorder, s, VKR_MODE_TOTALS, &chain, i));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_link(recorder, s, &chain, i));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_window(recorder, s, VKR_MODE_APPLY, &chain, i));
    return VKR_SUCCESS;
}

VkrResult vkr_plan_partials(VkrRecorder recorder, const vkr_scan *s, const vkr_place *partials,
                            uint64_t count)
{
    if (s->canonical) {
        const vkr_partials runs = {*partials, vkr_divide_up(s->walk.count, VKR_SCAN_RUN)};
        return plan_chain(recorder, s, &runs);
    }
    const vkr_partials all = {*partials, count};
    return add_partials(recorder, s, VKR_MODE_PARTIALS, VKR_FLAG_TOP | VKR_FLAG_END, count, &all,
                        NULL);
}
