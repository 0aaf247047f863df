/* SPDX-License-Identifier: MIT */
/* Bins of a histogram: the check of their description, and the pass that makes tables of them. */
#ifndef VKR_BINS_H
#define VKR_BINS_H

#include "../../plan/rows.h"

typedef struct vkr_bins {
    const VkrBins *info;
    const vkr_type_info *type; /* of the elements, after a map */
    VkrType type_id;
    uint32_t components;
    bool is_closed;
    uint32_t edge_size;   /* of a stored edge, in bytes */
    uint32_t tables;      /* 1 for all components, or one for each */
    vkr_place edges;      /* the output of all edges, as one item, or no buffer */
    vkr_place cleared[2]; /* counts and outside, as one item each, if they are to be set to 0 */
    vkr_place table;      /* set by vkr_plan_bins: an item for each table */
} vkr_bins;

/* Checks the description, and sets edge_size and tables. */
VkrResult vkr_check_bins(const vkr_walk *walk, vkr_bins *bins);

/* The memory that the pass reads. */
#define VKR_BINS_REGIONS 3u
void vkr_regions_of_bins(const vkr_bins *bins, vkr_region regions[VKR_BINS_REGIONS]);

/* Adds the pass, with a window of its own: `walk` only says which call this is. */
VkrResult vkr_plan_bins(VkrRecorder recorder, const vkr_walk *walk, vkr_bins *bins);

#endif
