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
    uint64_t row;  /* elements of a row, or 0 */
    bool in_place; /* `sorted` is `keys` */
} vkr_sort;

/* ---- sort_payload.c ---- */

VkrResult vkr_check_sort_payloads(const vkr_sort *sort);
vkr_region vkr_region_of_sort_payload(const vkr_sort *sort, uint32_t i, bool written);

/* Whether the only payload moves in place. */
bool vkr_is_payload_in_place(const vkr_sort *sort);

/* Adds all steps. */
VkrResult vkr_plan_sort_request(VkrRecorder recorder, const vkr_sort *sort);

#endif
