/* SPDX-License-Identifier: MIT */
/* The elements of given ranks of each row: the request, and how it becomes steps. */
#ifndef VKR_SELECT_H
#define VKR_SELECT_H

#include "../../plan/order.h"
#include "../../plan/rows.h"
#include "vkreduce/select.h"

typedef struct vkr_select {
    const VkrSelectInfo *info;
    vkr_walk walk;
    vkr_view input;           /* staged, if it is an image or mapped */
    vkr_view values, indices; /* a null buffer: not requested */
    vkr_order order;
    /* Rows of `length` elements, which start `pitch` elements apart; the last may be shorter. */
    uint64_t rows, length, pitch;
    /* How rows are cut, and how many ranks share the reads of a row (plan.c). */
    bool is_short; /* a workgroup has all elements of several rows */
    uint32_t batch;
    uint32_t digit_bits;
    uint64_t parts; /* of a row */
    uint64_t share; /* elements of a part */
} vkr_select;

/* Adds the steps of the whole selection. */
VkrResult vkr_plan_select(VkrRecorder recorder, vkr_select *select);

#endif
