/* SPDX-License-Identifier: MIT */
/*
 * How one sort is done: vkr_plan_sort (plan.c) checks a request and selects an algorithm, choose.c
 * chooses workgroups and their shares, and the planners of the algorithms add the steps.
 */
#ifndef VKR_SORT_PLAN_H
#define VKR_SORT_PLAN_H

#include "../../plan/rows.h"
#include "../../tables/policies.h"
#include "request.h"

#define VKR_SORT_ITEMS 12u      /* of an invocation in a tile, except for large tiles */
#define VKR_SORT_WORKGROUP 256u /* unless there is a reason for another */

/* How one sort is done. */
typedef struct vkr_sort_plan {
    const vkr_sort *sort;
    const vkr_caps *caps;
    vkr_walk walk; /* without elements */
    bool shared;   /* the kernels without subgroup operations */
    bool sweeps;   /* one pass over memory for each digit */
    uint32_t workgroup, ranks, copies, flags;
    uint32_t items;  /* keys of an invocation in a tile */
    uint32_t passes; /* with the extra one */
    uint64_t row, rows;
    /* Elements that a descriptor reaches of each view, and of scratch, wherever they start;
     * UINT64_MAX if it reaches all. */
    uint64_t reach;
    uint64_t tile;   /* elements: shares consist of tiles */
    uint64_t groups; /* shares of a row */
    uint32_t merged; /* rows of a workgroup that merges, or 0 */
    uint32_t each;   /* shares of a workgroup */
    uint64_t batch;  /* rows of a table */
    vkr_place table;
    vkr_place temp, values_temp;
    vkr_view sorted; /* where a pass leaves keys that a later one reads, if they are not wanted */
} vkr_sort_plan;

/* ---- choose.c ---- */

/* Checks the size that the caller asks for. */
VkrResult vkr_check_sort_workgroup(const vkr_sort_plan *plan);

/* Chooses the workgroup of passes over digits; with `sweeps` it looks back. */
VkrResult vkr_choose_sort_workgroup(vkr_sort_plan *plan, bool sweeps);

/* Sets the workgroup of passes over digits to this size. Returns whether the device has room for
 * it. */
bool vkr_try_sort_workgroup(vkr_sort_plan *plan, uint32_t workgroup);

/* Chooses the smallest workgroup that has room for a row. Returns whether there is one. */
bool vkr_choose_one_workgroup(vkr_sort_plan *plan);

/* Chooses a workgroup that merges several short rows, each by several invocations. Returns whether
 * rows are so short. */
bool vkr_choose_merging_workgroup(vkr_sort_plan *plan);

/* The number of elements that a descriptor reaches (vkr_sort_plan.reach). */
uint64_t vkr_sort_reach(const vkr_sort_plan *plan);

/* Chooses the shares of a row, and how many rows a dispatch covers. */
void vkr_choose_sort_groups(vkr_sort_plan *plan);

/* ---- steps.c ---- */

/* The kernel for units of 1, 2, 4 or 8 bytes. */
enum {
    VKR_SORT_KERNEL_COUNT,
    VKR_SORT_KERNEL_SCATTER,
    VKR_SORT_KERNEL_ONE,
    VKR_SORT_KERNEL_DIGITS,
    VKR_SORT_KERNEL_SWEEP,
    VKR_SORT_KERNEL_MERGE
};
uint32_t vkr_sort_kernel(const vkr_sort_plan *plan, uint32_t which);

/* What the steps of a pass have in common; `first_row` is the first one of the batch. */
vkr_pass vkr_new_sort_pass(const vkr_sort_plan *plan, uint32_t pass, uint64_t first_row);

/* Some of the elements. */
typedef struct vkr_sort_range {
    uint64_t first, count;
} vkr_sort_range;

/* The elements of the rows of a dispatch. */
vkr_sort_range vkr_rows_of_sort(const vkr_sort_plan *plan, const vkr_pass *step);

/* Binds the keys that a pass reads; or all that it reads of the elements `in`, and the memory of
 * the elements `out`, which it stores. With windows, whether a pass reads or stores what lies in
 * scratch is known: see vkr_pass_of of vkreduce/sort.glsl. */
void vkr_bind_sort_keys(const vkr_sort_plan *plan, vkr_pass *step, vkr_sort_range in);
void vkr_bind_sort_elements(const vkr_sort_plan *plan, vkr_pass *step, vkr_sort_range in,
                            vkr_sort_range out);

/* Binds the GPU's count, if there is one. */
void vkr_bind_sort_count(const vkr_sort_plan *plan, vkr_pass *step);

/* Checks that there are not too many batches of so many rows. */
VkrResult vkr_check_sort_batches(const vkr_sort_plan *plan, uint64_t batch);

/* Adds a step. */
VkrResult vkr_emit_sort(VkrRecorder recorder, const vkr_pass *step, uint64_t groups);

/* Sets the number of passes: one for each digit, and one more in place. */
void vkr_choose_sort_passes(vkr_sort_plan *plan);

/* Adds memory for the keys and the values that one pass leaves to the next one. */
VkrResult vkr_add_sort_memory(VkrRecorder recorder, vkr_sort_plan *plan);

/* ---- The algorithms ---- */

/* Why a sort cannot be a sweep, or NULL; a workgroup has been chosen. */
const char *vkr_why_not_sweep(const vkr_sort_plan *plan, char text[VKR_REASON]);
VkrResult vkr_plan_sort_sweep(VkrRecorder recorder, vkr_sort_plan *plan);

VkrResult vkr_plan_sort_passes(VkrRecorder recorder, vkr_sort_plan *plan);
VkrResult vkr_plan_sort_bitonic(VkrRecorder recorder, const vkr_sort_plan *plan);

#endif
