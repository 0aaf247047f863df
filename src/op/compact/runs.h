/* SPDX-License-Identifier: MIT */
/*
 * Runs of equal keys, as reductions need them: the steps of a compaction that keeps the first
 * element of each run leave a list of these elements, which are the offsets of segments.
 */
#ifndef VKR_RUNS_H
#define VKR_RUNS_H

#include "../scan/scan.h"
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

/* ---- keyed.c ---- */

/* Adds a single pass that finds the runs of a compaction's input, where that is possible, and says
 * so in `is_planned`. It reduces the elements of a scan, whose operator, input and results are set,
 * or nothing where there is no operator; and writes what the compaction asks for. */
VkrResult vkr_scan_runs(VkrRecorder recorder, vkr_compact *compact, vkr_scan *scan,
                        bool *is_planned);

/* ---- runs.c ---- */

/* Adds steps that find the runs; the reduction goes on with the segments by offsets that it
 * returns. */
VkrResult vkr_plan_runs(VkrRecorder recorder, vkr_runs *runs, VkrSegments *by_offsets);

#endif
