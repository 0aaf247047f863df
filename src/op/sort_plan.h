/* SPDX-License-Identifier: MIT */
/*
 * How one sort is done: vkr_plan_sort (sort_plan.c) checks a request and selects an algorithm,
 * sort_choose.c chooses workgroups and their shares, and the planners of the algorithms add the
 * steps.
 */
#ifndef VKR_SORT_PLAN_H
#define VKR_SORT_PLAN_H

#include "../plan/rows.h"
#include "sort_request.h"

/* How one sort is done. */
typedef struct vkr_sort_plan {
    const vkr_sorting *sorting;
    const vkr_caps *caps;
    vkr_walk walk; /* without elements */
    bool shared;   /* the kernels without subgroup operations */
    uint32_t workgroup, ranks, copies, flags;
    uint32_t passes; /* with the extra one */
    uint64_t row, rows;
    uint64_t groups; /* shares of a row */
    uint32_t each;   /* shares of a workgroup */
    uint64_t batch;  /* rows of a table */
    vkr_place table;
    vkr_place temp, values_temp;
    vkr_view sorted; /* where a pass leaves keys that a later one reads, if they are not wanted */
} vkr_sort_plan;

/* ---- sort_choose.c ---- */

/* Checks the size that the caller asks for. */
VkrResult vkr_check_sort_workgroup(const vkr_sort_plan *plan);

/* Chooses the workgroup of passes over digits. */
VkrResult vkr_choose_sort_workgroup(vkr_sort_plan *plan);

/* Chooses the smallest workgroup that has room for a row. Returns whether there is one. */
bool vkr_choose_one_workgroup(vkr_sort_plan *plan);

/* Chooses the shares of a row. */
void vkr_choose_sort_groups(vkr_sort_plan *plan);

/* ---- sort_steps.c ---- */

/* The kernel for units of 1, 2, 4 or 8 bytes. */
enum { VKR_SORT_COUNT, VKR_SORT_SCATTER, VKR_SORT_ONE };
uint32_t vkr_sort_kernel(const vkr_sort_plan *plan, uint32_t which);

/* What the steps of a pass have in common; `first_row` is the first one of the batch. */
vkr_pass vkr_new_sort_pass(const vkr_sort_plan *plan, uint32_t pass, uint64_t first_row);

/* Binds the GPU's count, if there is one. */
void vkr_bind_sort_count(const vkr_sort_plan *plan, vkr_pass *step);

/* Adds a step. */
VkrResult vkr_emit_sort(VkrRecorder recorder, const vkr_pass *step, uint64_t groups);

/* Whether an output is also what is read. */
bool vkr_is_sort_in_place(const vkr_sorting *sorting);

/* Adds memory for the keys and the values that one pass leaves to the next one. */
VkrResult vkr_add_sort_memory(VkrRecorder recorder, vkr_sort_plan *plan);

/* ---- The algorithms ---- */

VkrResult vkr_plan_sort_passes(VkrRecorder recorder, vkr_sort_plan *plan);
VkrResult vkr_plan_sort_bitonic(VkrRecorder recorder, const vkr_sort_plan *plan);

#endif
