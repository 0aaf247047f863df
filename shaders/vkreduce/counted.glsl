/* SPDX-License-Identifier: MIT */
/* Tiles of a compaction, which publish the numbers of their kept elements. A number fits in one
 * word. */
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

const uint VKR_TILE_WORDS = 1u;
const uint VKR_PREFIX_WORDS = 1u;
#define VKR_TILE_STATES (push.counter_base + 1u)
#include "published.glsl"

#define VKR_MUTES(tile) ((tile) + 1u == VKR_MUTED)

#define vkr_publish_total(tile, total)                                                             \
    vkr_store_word(vkr_counter[vkr_words_of_total(tile)], VKR_PUBLISHED | (total))
#define vkr_publish_prefix(block, prefix)                                                          \
    vkr_store_word(vkr_counter[vkr_words_of_prefix(block)], VKR_PUBLISHED | (prefix))

bool vkr_poll_word(const uint at, out uint number)
{
    uint word = vkr_load_word(vkr_counter[at]);
    number = word & ~VKR_PUBLISHED;
    return (word & VKR_PUBLISHED) != 0u;
}
#define vkr_poll_total(tile, number) vkr_poll_word(vkr_words_of_total(tile), number)
#define vkr_poll_prefix(block, number) vkr_poll_word(vkr_words_of_prefix(block), number)

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define vkr_row_combine(number) (number)
#else
#define vkr_row_combine(number) vkr_group_subgroup_reduce(number)
#endif

shared uint vkr_seen_number;
#define vkr_put_seen(value) vkr_seen_number = value
#define vkr_get_seen() vkr_seen_number

#include "lookback.glsl"

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

/* The number of kept elements before a tile that has `total` of them. */
uint vkr_number_before(const uint tile, const uint total)
{
    uint prefix = 0u;
    VKR_LOOK_BACK(tile, held) {
        uint counted = total;
        if (held != tile)
            counted = vkr_total_of_tile(held);
        held = vkr_look_back(tile, held, counted, prefix);
    }
    return prefix;
}

#endif
