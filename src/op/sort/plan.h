/* SPDX-License-Identifier: MIT */
/*
 * How one sort is done: vkr_plan_sort (plan.c) checks a request and selects an algorithm, choose.c
 * chooses workgroups and their shares, and the planners of the algorithms add the steps.
 */
#ifndef VKR_SORT_PLAN_H
#define VKR_SORT_PLAN_H

#include "../../plan/grid.h"
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
    uint32_t unit; /* log2 of the bytes of a key */
    uint32_t workgroup, ranks, copies, flags;
    uint32_t items;  /* keys of an invocation in a tile */
    uint32_t digits; /* by which rows are sorted, with the extra one */
    uint64_t row, rows;
    /* Elements that a descriptor reaches of each view, and of scratch, wherever they start;
     * UINT64_MAX if it reaches all. */
    uint64_t reach;
    uint64_t tile;   /* elements: shares consist of tiles */
    uint64_t groups; /* shares of a row */
    uint64_t taken;  /* elements of a row that a workgroup reads */
    uint32_t merged; /* rows of a workgroup that merges, or 0 */
    uint32_t each;   /* shares of a workgroup */
    uint64_t batch;  /* rows of a table */
    vkr_place table;
    vkr_place temp, values_temp;
    vkr_view sorted; /* where a digit leaves keys that a later one reads, if they are not wanted */
    uint32_t constants[VKR_MAX_CONSTANTS]; /* which all passes have in common */
} vkr_sort_plan;

/* ---- choose.c ---- */

/* Checks the size that the caller asks for. */
VkrResult vkr_check_sort_workgroup(const vkr_sort_plan *plan);

/* Chooses the workgroup that sorts by digits; with `sweeps` it looks back. */
VkrResult vkr_choose_sort_workgroup(vkr_sort_plan *plan, bool sweeps);

/* Sets the workgroup that sorts by digits to this size. Returns whether the device has room for
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

typedef enum vkr_sort_kernel {
    VKR_SORT_KERNEL_COUNT,
    VKR_SORT_KERNEL_SPINE,
    VKR_SORT_KERNEL_SCATTER,
    VKR_SORT_KERNEL_ONE,
    VKR_SORT_KERNEL_DIGITS,
    VKR_SORT_KERNEL_BASES,
    VKR_SORT_KERNEL_SWEEP,
    VKR_SORT_KERNEL_MERGE
} vkr_sort_kernel;

/* The part of a sort that one pass does: a batch of rows, and a digit. */
typedef struct vkr_sort_part {
    uint64_t first_row, rows;
    uint32_t digit;  /* its number; the lowest digit is 0, the extra one comes last */
    uint64_t shares; /* of a row; in a sweep its tiles */
} vkr_sort_part;

/* Digit 0 of the batch that starts at a row. */
vkr_sort_part vkr_new_sort_part(const vkr_sort_plan *plan, uint64_t first_row);

/* Sets the constants, once all else has been chosen. */
void vkr_set_sort_constants(vkr_sort_plan *plan);

/* Adds the steps of a kernel for a part. The grid says how its rows are cut, and has the part's
 * rows otherwise. */
VkrResult vkr_add_sort_steps(VkrRecorder recorder, const vkr_sort_plan *plan,
                             vkr_sort_kernel kernel, const vkr_sort_part *part, vkr_grid grid);

/* Checks that there are not too many batches of so many rows. */
VkrResult vkr_check_sort_batches(const vkr_sort_plan *plan, uint64_t batch);

/* Sets the number of digits, with an extra one in place, which has no bits. */
void vkr_choose_sort_digits(vkr_sort_plan *plan);

/* Adds memory for the keys and the values that one digit leaves to the next one. */
VkrResult vkr_add_sort_memory(VkrRecorder recorder, vkr_sort_plan *plan);

/* ---- The algorithms ---- */

/* Why a sort cannot be a sweep, or NULL; a workgroup has been chosen. */
const char *vkr_why_not_sweep(const vkr_sort_plan *plan, char text[VKR_REASON]);
VkrResult vkr_plan_sort_sweep(VkrRecorder recorder, vkr_sort_plan *plan);

VkrResult vkr_plan_sort_passes(VkrRecorder recorder, vkr_sort_plan *plan);
VkrResult vkr_plan_sort_bitonic(VkrRecorder recorder, const vkr_sort_plan *plan);

#endif
