/* SPDX-License-Identifier: MIT */
/* A selection of the first elements of each row: the request, and how it becomes steps. */
#ifndef VKR_TOPK_H
#define VKR_TOPK_H

#include "../../plan/rows.h"
#include "../../plan/spans.h"
#include "../../tables/policies.h"
#include "../../plan/order.h"
#include "vkreduce/topk.h"

typedef struct vkr_topk {
    const VkrTopKInfo *info;
    vkr_walk walk;
    vkr_view input;           /* staged, if it is an image or mapped */
    vkr_view values, indices; /* a null buffer: not requested */
    vkr_place found;          /* an item for each row */
    vkr_place limits;         /* likewise: how many entries it wants; or a null buffer */
    vkr_order order;
    /* Rows of `length` elements, which start `pitch` elements apart; the last one may be shorter.
     * Each has `wanted` entries in lists, or as many as it has elements. */
    uint64_t rows, length, pitch;
    uint32_t wanted;
    bool columns;    /* rows are columns */
    bool by_offsets; /* rows are segments between offsets, of any lengths */
    vkr_spans spans;
    /* How rows are cut (units.c). */
    uint32_t digit_bits, whole_bits; /* of rows that are cut, and of whole ones */
    uint64_t parts;                  /* of a row; by offsets, of all long segments */
    uint64_t share;                  /* elements of a part */
    /* Scratch: the indices of the entries, and how many there are where the GPU has the count. */
    vkr_place list;
    vkr_place entries;
} vkr_topk;

static inline bool vkr_topk_is_sorted(const vkr_topk *t)
{
    return (t->info->flags & VKR_TOP_K_UNSORTED_BIT) == 0 && t->wanted > 1;
}

static inline const vkr_topk_policy *vkr_policy_of_topk(const vkr_topk *t)
{
    return vkr_topk_policy_of(t->walk.context);
}

/* ---- plan.c ---- */

/* The number of entries in lists, as far as the host knows. */
uint64_t vkr_topk_entries(const vkr_topk *topk);

/* Sets the order of the elements by the flags. */
void vkr_set_topk_order(vkr_topk *topk);

/* Adds the steps of the whole selection. */
VkrResult vkr_plan_topk(VkrRecorder recorder, vkr_topk *topk);

/* ---- columns.c ---- */

/* Checks columns, and sets their number and length. */
VkrResult vkr_check_topk_columns(vkr_topk *topk);

/* Adds the steps of the whole selection where rows are columns. */
VkrResult vkr_plan_topk_columns(VkrRecorder recorder, vkr_topk *topk);

/* ---- units.c ---- */

/* Sets the walk, and how rows are cut. */
VkrResult vkr_choose_topk_units(vkr_topk *topk);

/* Adds the steps that make the list of indices, in their own order, and count the entries. */
VkrResult vkr_plan_selection(VkrRecorder recorder, vkr_topk *topk);

/* What the dispatches of a mode read and write for each row. */
typedef struct vkr_topk_mode {
    uint32_t number; /* VKR_SELECT_* */
    vkr_place states, new_states;
    vkr_place table, counts; /* of digits */
    vkr_place read, written; /* tallies */
} vkr_topk_mode;

static inline uint32_t vkr_topk_bits(const vkr_topk *t, const vkr_topk_mode *mode)
{
    return mode->number == VKR_SELECT_ROW ? t->whole_bits : t->digit_bits;
}

/* ---- spans.c ---- */

/* How elements are loaded, as flags. */
uint32_t vkr_topk_load_flags(const vkr_topk *topk);

/* Checks the segments, and sets their number and the limits of their entries. */
VkrResult vkr_check_topk_offsets(vkr_topk *topk);

/* Sets how segments are cut: invocations of workgroups of `group` rank the elements of those that
 * these hold and that are not much longer than most, a workgroup handles up to `medium` elements,
 * or a part of `share`. */
void vkr_choose_spans(vkr_topk *topk, uint64_t group, uint64_t medium, uint64_t share);

VkrResult vkr_add_spans_mode(VkrRecorder recorder, const vkr_topk *topk, const vkr_topk_mode *mode);

/* Adds the steps that make the list of indices of segments between offsets, and the spans. Those of
 * short segments are in order. */
VkrResult vkr_plan_topk_spans(VkrRecorder recorder, vkr_topk *topk);

/* ---- rank.c ---- */

/* The candidates of the rows: all elements, or those of a list. */
typedef struct vkr_ranking {
    vkr_view keys;       /* one for each candidate */
    uint64_t candidates; /* of a row */
    vkr_place list;      /* their indices; a null buffer where they are all elements */
    vkr_place sorted;    /* receives the list of the first ones; or a null buffer */
} vkr_ranking;

/* Adds the steps that store the values and the indices of the first candidates in their order. */
VkrResult vkr_plan_ranking(VkrRecorder recorder, const vkr_topk *topk, const vkr_ranking *ranking);

/* ---- copy.c ---- */

/* Adds the steps that copy the elements of a list to scratch, and make a view of them. */
VkrResult vkr_copy_keys(VkrRecorder recorder, const vkr_topk *topk, vkr_view *keys);

/* Add the steps that store what a list refers to: elements and indices; and payloads. */
VkrResult vkr_copy_outputs(VkrRecorder recorder, const vkr_topk *topk, const vkr_place *list);
VkrResult vkr_copy_payloads(VkrRecorder recorder, const vkr_topk *topk, const vkr_place *list);

#endif
