/* SPDX-License-Identifier: MIT */
/* A request of vkrCmdSort, as its checks (sort.c, sort_payload.c) and its planner (sort_payload.c)
 * pass it on. */
#ifndef VKR_SORT_REQUEST_H
#define VKR_SORT_REQUEST_H

#include "sort.h"

typedef struct vkr_sort {
    const VkrSortInfo *info;
    vkr_walk walk;                  /* the count, and what messages need */
    vkr_view keys, sorted, indices; /* a null buffer where there is none */
    uint32_t begin, end;
    uint64_t row;     /* elements of a row, or 0 */
    uint64_t offsets; /* where segments start: their number, and the words of one */
    uint32_t offset_words;
    vkr_region starts; /* the bytes of the offsets */
    bool in_place;     /* `sorted` is `keys` */
} vkr_sort;

/* ---- sort_gather.c ---- */

/* The type of units of 1, 2, 4 or 8 bytes. */
VkrType vkr_unit_type(uint32_t size);

/* Adds memory for `count` elements. */
VkrResult vkr_add_sort_scratch(VkrRecorder recorder, uint64_t count, VkrType type,
                               uint32_t components, vkr_view *view);

/* Adds steps that move entries to their positions by a list; the target may be the source. */
VkrResult vkr_gather_sorted(VkrRecorder recorder, const vkr_sort *sort, const vkr_view *list,
                            const vkr_view *source, const vkr_view *target);

/* Checks that one descriptor reaches the elements of the walk in a view, if this has a buffer. */
VkrResult vkr_check_sort_reach(const vkr_walk *walk, const char *what, const vkr_view *view);

/* ---- sort_payload.c ---- */

VkrResult vkr_check_sort_payloads(const vkr_sort *sort);

/* Whether the only payload moves in place. */
bool vkr_is_payload_in_place(const vkr_sort *sort);

/* Adds all steps. */
VkrResult vkr_plan_sort_request(VkrRecorder recorder, const vkr_sort *sort);

#endif
