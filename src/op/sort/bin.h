/* SPDX-License-Identifier: MIT */
/* A counting sort: the request, as its checks (bin.c) pass it to its planner (bin_plan.c). */
#ifndef VKR_BIN_H
#define VKR_BIN_H

#include "../../plan/rows.h"
#include "vkreduce/bin.h"

typedef struct vkr_bin {
    const VkrBinInfo *info;
    vkr_walk walk;             /* over the elements */
    vkr_view keys;             /* staged, if it is an image or mapped */
    vkr_view indices;          /* a null buffer: not requested */
    vkr_place counts, offsets; /* one item each; likewise */
} vkr_bin;

/* Adds all steps. */
VkrResult vkr_plan_bin(VkrRecorder recorder, const vkr_bin *bin);

#endif
