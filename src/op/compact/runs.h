/* SPDX-License-Identifier: MIT */
/*
 * Runs of equal keys, as reductions need them: the steps of a compaction that keeps the first
 * element of each run leave a list of these elements, which are the offsets of segments.
 */
#ifndef VKR_RUNS_H
#define VKR_RUNS_H

#include "compact.h"

typedef struct vkr_runs {
    VkrCompactInfo info;
    vkr_compact compact; /* its info is this one */
} vkr_runs;

/* The number of runs for which a reduction of `count` elements has room. */
uint64_t vkr_room_for_runs(const VkrSegments *segments, uint64_t count);

/* Checks the keys of the walk's elements, and what is written about their runs. `regions` are the
 * memory that the operation accesses besides that. */
VkrResult vkr_check_runs(const vkr_walk *walk, const VkrGpuCount *gpu_count,
                         const VkrSegments *segments, const vkr_region *regions, size_t count,
                         vkr_runs *runs);

/* The memory that runs add to what the operation accesses: keys, and what is written about runs. */
uint32_t vkr_count_run_regions(const vkr_runs *runs);
vkr_region vkr_region_of_runs(const vkr_runs *runs, uint32_t i);

/* For a kernel that counts the runs itself: sets the place to which it writes their number, a null
 * buffer where no count is asked for, and the words that it writes there. If these are a whole
 * record, vkr_plan_counts makes the counts of it. */
VkrResult vkr_add_run_count(VkrRecorder recorder, vkr_runs *runs, vkr_place *place,
                            uint32_t *words);

/* Adds steps that find the runs; the reduction goes on with the segments by offsets that it
 * returns. */
VkrResult vkr_plan_runs(VkrRecorder recorder, vkr_runs *runs, VkrSegments *by_offsets);

#endif
