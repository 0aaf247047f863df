/* SPDX-License-Identifier: MIT */
#include "prefix.h"

/* The host clears tickets for each recording. It would spend more time on more words than the GPU
 * does on a fill. */
#define MAX_TICKET_WORDS 32768u

uint32_t vkr_first_mode(const vkr_walk *w, bool can_be_last)
{
    return w->one        ? VKR_MODE_ONE
           : w->tiles    ? VKR_MODE_TILES
           : can_be_last ? VKR_MODE_LAST
                         : VKR_MODE_TOTALS;
}

uint64_t vkr_published_words(const vkr_published *published, uint64_t tiles)
{
    return tiles * published->total + vkr_divide_up(tiles, VKR_TILE_BLOCK) * published->prefix;
}

VkrResult vkr_add_counters_of(VkrRecorder recorder, const vkr_walk *w, uint32_t mode,
                              const vkr_published *published, vkr_bound *counters)
{
    const uint64_t words = mode == VKR_MODE_TILES
                               ? w->windows + vkr_published_words(published, w->groups)
                           : mode == VKR_MODE_LAST ? 1
                                                   : 0;
    *counters = vkr_items((vkr_place){0}, 0, words);
    return words > MAX_TICKET_WORDS
               ? vkr_add_words(recorder, VKR_COUNTERS, 1, words, &counters->place)
               : vkr_add_ticket_words(recorder, words, &counters->place);
}

bool vkr_can_hold_tile(const vkr_walk *w, uint32_t mode, uint32_t batch)
{
    return mode == VKR_MODE_TILES && w->order == VKR_ORDER_COALESCED && w->loads != 0 &&
           w->items == batch * w->unit;
}

uint32_t vkr_muted_tile(const vkr_walk *w, uint32_t mode)
{
    return mode == VKR_MODE_TILES ? w->context->caps.muted_tile : 0;
}
