/* SPDX-License-Identifier: MIT */
/* The elements of given ranks of each row: the request, and how it becomes steps. */
#ifndef VKR_SELECT_H
#define VKR_SELECT_H

#include "../../plan/order.h"
#include "../../plan/rows.h"
#include "../../plan/spans.h"
#include "vkreduce/select.h"

typedef struct vkr_select {
    const VkrSelectInfo *info;
    vkr_walk walk;
    vkr_view input;           /* staged, if it is an image or mapped */
    vkr_view values, indices; /* a null buffer: not requested */
    vkr_place ranks;          /* a null buffer: the host gives them */
    vkr_order order;
    /* Rows of `length` elements, which start `pitch` elements apart; the last may be shorter. */
    uint64_t rows, length, pitch;
    bool by_offsets; /* rows are segments between offsets, of any lengths */
    vkr_spans spans;
    /* How rows are cut, and how many ranks share the reads of a row (units.c). */
    bool is_short; /* a workgroup has all elements of several rows */
    uint32_t batch;
    uint32_t digit_bits, whole_bits; /* of rows that are cut, and of whole ones */
    uint64_t parts;                  /* of a row; by offsets, of all long segments, or 1 */
    uint64_t share;                  /* elements of a part */
} vkr_select;

/* ---- units.c ---- */

/* Sets the walk, and how rows are cut. */
VkrResult vkr_choose_select_units(vkr_select *select);

/* ---- pass.c ---- */

/* What the dispatches of a mode read and write for each row. */
typedef struct vkr_select_mode {
    uint32_t number;       /* VKR_NTH_* */
    uint32_t first, ranks; /* of the batch */
    uint32_t width, shift; /* of the digit that is found */
    vkr_place states, new_states;
    vkr_place table, counts; /* of digits */
    vkr_place read, written; /* tallies */
} vkr_select_mode;

/* What the dispatches of a mode have in common but for what they bind; and which of these they
 * read and write. */
typedef struct vkr_select_uses {
    bool input, ranks, values, indices;
} vkr_select_uses;

vkr_select_uses vkr_uses_of_mode(const vkr_select *select, const vkr_select_mode *mode);
vkr_pass vkr_select_pass(const vkr_select *select, const vkr_select_mode *mode);

/* ---- spans.c ---- */

/* Checks the segments, and sets their number. */
VkrResult vkr_check_select_offsets(vkr_select *select);

/* Sets how segments are cut: invocations of workgroups of `group` rank the elements of those that
 * these hold and that are not much longer than most, a workgroup handles up to `medium` elements,
 * or a part of `share`. */
void vkr_choose_select_spans(vkr_select *select, uint64_t group, uint64_t medium, uint64_t share);

VkrResult vkr_add_select_spans(VkrRecorder recorder, const vkr_select *select,
                               const vkr_select_mode *mode);

/* ---- plan.c ---- */

/* Adds the steps of the whole selection. */
VkrResult vkr_plan_select(VkrRecorder recorder, vkr_select *select);

#endif
