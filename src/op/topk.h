/* SPDX-License-Identifier: MIT */
/* A selection of the first elements of each row: the request, and how it becomes steps. */
#ifndef VKR_TOPK_H
#define VKR_TOPK_H

#include "../plan/rows.h"
#include "order.h"
#include "vkreduce/topk.h"

typedef struct vkr_topk {
    const VkrTopKInfo *info;
    vkr_walk walk;
    vkr_view input;           /* staged, if it is an image or mapped */
    vkr_view values, indices; /* a null buffer: not requested */
    vkr_place found;          /* an item for each row */
    vkr_order order;
    /* Rows of `length` elements, the last of which may be shorter; each has `wanted` entries in
     * lists, or as many as it has elements. */
    uint64_t rows, length;
    uint32_t wanted;
    /* How rows are cut (topk_plan.c). */
    uint32_t digit_bits;
    uint64_t parts; /* of a row */
    uint64_t share; /* elements of a part */
    /* Scratch: the indices of the entries, and how many there are where the GPU has the count. */
    vkr_place list;
    vkr_place entries;
} vkr_topk;

static inline bool vkr_topk_is_sorted(const vkr_topk *t)
{
    return (t->info->flags & VKR_TOP_K_UNSORTED_BIT) == 0 && t->wanted > 1;
}

/* The number of entries in lists, as far as the host knows. */
uint64_t vkr_topk_entries(const vkr_topk *topk);

/* Adds the steps that make the list of indices, in their own order, and count them. */
VkrResult vkr_plan_topk(VkrRecorder recorder, vkr_topk *topk);

/* Adds the steps that store what the list refers to. Checks first that descriptors reach it. */
VkrResult vkr_plan_topk_outputs(VkrRecorder recorder, const vkr_topk *topk);

#endif
