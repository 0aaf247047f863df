/* SPDX-License-Identifier: MIT */
/* Tiles of a compaction, which publish the numbers of their kept elements. A number fits in the
 * word of the state. */
#ifndef VKR_COUNTED_GLSL
#define VKR_COUNTED_GLSL

#include "ticket.glsl"

#define VkrScan uint
#define VkrRunning uint
#define vkr_scan_identity() 0u
#define vkr_initial() 0u
#define vkr_run_from(s) (s)
#define vkr_scan_of(running) (running)
#define vkr_join(running, after) running += after
#define vkr_precede(running, before) running += before

#include "published.glsl"

#define vkr_tile_word(tile) vkr_counter[push.counter_base + 1u + (tile)]
#define vkr_publish_value(tile, state, value) vkr_store_word(vkr_tile_word(tile), (state) | (value))

struct VkrPublished {
    uint state;
    uint number;
};
#define vkr_nothing_published() VkrPublished(VKR_TILE_TOTAL, 0u)

VkrPublished vkr_poll(const uint tile)
{
    uint word = vkr_load_word(vkr_tile_word(tile));
    return VkrPublished(word & VKR_TILE_STATE, word & ~VKR_TILE_STATE);
}

uint vkr_seen_values(const uint next, const VkrPublished published, const uint begin,
                     const bool is_whole)
{
    uint first = begin - (is_whole ? 1u : 0u); /* a prefix counts too */
    uint tile = vkr_polled_tile(next);
    uint counted = tile >= first ? published.number : 0u;
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    return counted;
#else
    return vkr_group_subgroup_reduce(counted);
#endif
}

shared uint vkr_seen_number;
#define vkr_put_seen(value) vkr_seen_number = value
#define vkr_get_seen() vkr_seen_number

/* Counts the kept elements of a tile again. This is rare, so it may be slow. */
uint vkr_total_of_tile(const uint tile)
{
    uint first = tile * VKR_WORKGROUP * push.items;
    uint count = 0u;
    for (uint u = first + vkr_group_rank(); u < first + VKR_WORKGROUP * push.items;
         u += VKR_WORKGROUP) {
        uint present = vkr_present(u);
        [[dont_unroll]] for (uint k = 0u; k < VKR_STEP; k++) {
            if ((present >> k & 1u) != 0u && vkr_test_element(vkr_begin_of(u) + k))
                count++;
        }
    }
    return vkr_group_reduce(count);
}

#include "lookback.glsl"

#endif
