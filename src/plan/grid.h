/* SPDX-License-Identifier: MIT */
/*
 * A grid: rows of parts, over which one kernel goes. A slot says how many of its items belong to a
 * row and to a part; the grid is cut into boxes, each of which one dispatch reaches in all slots.
 */
#ifndef VKR_PLAN_GRID_H
#define VKR_PLAN_GRID_H

#include "pass.h"

typedef struct vkr_grid {
    uint64_t first_row;   /* its number */
    uint64_t rows, parts; /* the parts of each row */
    uint64_t cells;       /* the parts of all rows, where the last row has fewer; 0: all have all */
    uint64_t work, share; /* the work of a part, and that of a workgroup; 0: 1 */
    uint64_t max_cells;   /* of a dispatch; 0: any number */
} vkr_grid;

/* Adds a step for each box, or several (VKR_SPAN_ANY). Fails where a descriptor does not reach one
 * part, or where there are too many steps. */
VkrResult vkr_emit_grid(VkrRecorder recorder, const vkr_pass *pass, const vkr_grid *grid);

/* The items that each part of a row touches: all `length` of its row, which are followed by those
 * of the next row after `pitch` items. */
static inline vkr_bound vkr_row_items(const char *name, vkr_place place, uint64_t pitch,
                                      uint64_t length)
{
    return (vkr_bound){.place = place,
                       .span = VKR_SPAN_PARTS,
                       .name = name,
                       .pitch = pitch,
                       .length = length,
                       .all = UINT64_MAX};
}

/* The same where each part has `share` of these items, and all rows together have `all` at most. */
static inline vkr_bound vkr_part_items(const char *name, vkr_place place, uint64_t pitch,
                                       uint64_t length, uint64_t share, uint64_t all)
{
    vkr_bound bound = vkr_row_items(name, place, pitch, length);
    bound.share = share;
    bound.all = all;
    return bound;
}

#endif
