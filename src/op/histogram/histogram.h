/* SPDX-License-Identifier: MIT */
/*
 * A histogram, as its validation (histogram.c) passes it to its planner (plan.c). One pass makes
 * the table of bins and sets the counts to 0 (bins.c); another one counts.
 */
#ifndef VKR_HISTOGRAM_INTERNAL_H
#define VKR_HISTOGRAM_INTERNAL_H

#include "../../plan/rows.h"
#include "../../plan/mask.h"
#include "../../plan/stage.h"
#include "../../tables/policies.h"
#include "bins.h"

typedef struct vkr_histogram {
    const VkrHistogramInfo *info;
    vkr_view input;
    vkr_walk walk; /* over the elements */
    bool masked;
    vkr_place mask; /* bits */
    bool weighted;
    vkr_view weights;
    uint32_t weight_kind; /* VKR_WEIGHTS_* */
    vkr_bins bins;
    uint32_t count_words;
    vkr_place counts, outside;
    /* How elements are counted. */
    uint32_t counting; /* VKR_COUNTING_* */
    uint32_t finding;  /* VKR_FINDING_* */
    uint32_t copies, room, limits;
} vkr_histogram;

/* Chooses how to count, and adds the steps. */
VkrResult vkr_plan_histogram(VkrRecorder recorder, vkr_histogram *histogram);

#endif
