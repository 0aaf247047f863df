/* SPDX-License-Identifier: MIT */
/*
 * Passes whose workgroups need a prefix, which is the combination of all elements before their own:
 * those of scans and of compactions. A mode (VKR_MODE_*) says how a workgroup gets its prefix: it
 * goes over all elements itself (ONE), it looks back at other tiles (TILES), or a first pass over
 * runs leaves a partial for each run. The workgroup that finishes last (LAST) or later passes
 * (TOTALS) scan these partials, and a second pass over the elements reads them.
 */
#ifndef VKR_PLAN_PREFIX_H
#define VKR_PLAN_PREFIX_H

#include "rows.h"

#define VKR_MAX_POSITIONS ((uint64_t)1 << 30) /* max elements, or outputs, of a dispatch */
#define VKR_MAX_UNROLLED 64u                  /* elements of a loop that drivers still unroll */

/* The mode of the first pass over the elements. `can_be_last` says whether one workgroup can scan
 * all partials in the same dispatch. */
uint32_t vkr_first_mode(const vkr_walk *walk, bool can_be_last);

/* Whether a pass of this mode is the only one over the elements. */
static inline bool vkr_is_only_pass(uint32_t mode)
{
    return mode == VKR_MODE_ONE || mode == VKR_MODE_TILES;
}

/* Whether a pass over elements leaves partials. */
static inline bool vkr_leaves_totals(uint32_t mode)
{
    return mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
}

/* The words of the total that a tile publishes, and of the prefix of a block of tiles. */
typedef struct vkr_published {
    uint32_t total;
    uint32_t prefix;
} vkr_published;

/* The words that `tiles` tiles and their blocks publish (shaders/vkreduce/published.glsl). */
uint64_t vkr_published_words(const vkr_published *published, uint64_t tiles);

/* Adds the counters that a pass needs. Tiles need a ticket for each window and, after all tickets,
 * the words that each tile publishes. LAST needs one ticket, which tells a workgroup that it
 * finishes last. */
VkrResult vkr_add_counters_of(VkrRecorder recorder, const vkr_walk *walk, uint32_t mode,
                              const vkr_published *published, vkr_bound *counters);

/* Whether a tile is one batch of units for each invocation, which can hold it in registers. */
bool vkr_can_hold_tile(const vkr_walk *walk, uint32_t mode, uint32_t batch);

/* The constant MUTED: 1 + the tile that a test keeps from publishing, or 0. */
uint32_t vkr_muted_tile(const vkr_walk *walk, uint32_t mode);

#endif
