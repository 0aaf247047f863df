/* SPDX-License-Identifier: MIT */
/*
 * Radix sorts in one pass over memory for each digit (shaders/sort_sweep.comp): a dispatch counts
 * all digits, one scans these counts, and one for each digit stores the keys of its tiles, whose
 * workgroups look back at each other. Rows that are too many for one table are sorted
 * in batches.
 */
#include <inttypes.h>
#include <stdio.h>

#include "plan.h"

#define MAX_ROW ((uint64_t)1 << 30) /* below it: a state has 30 bits of a number */

static uint64_t tiles_of(const vkr_sort_plan *p)
{
    return vkr_divide_up(p->row, (uint64_t)p->workgroup * p->items);
}

/* The words of a table. */
static uint64_t words_of(const vkr_sort_plan *p, uint64_t rows)
{
    return VKR_SWEEP_DIGITS_AT + rows * (p->digits + 2 * tiles_of(p)) * VKR_SORT_RADIX;
}

static uint64_t max_words(const vkr_caps *caps)
{
    return vkr_room(caps) / 4;
}

const char *vkr_why_not_sweep(const vkr_sort_plan *p, char text[VKR_REASON])
{
    vkr_sort_plan q = *p;
    const uint64_t count = p->sort->count;
    vkr_choose_sort_digits(&q);
    if (p->walk.context->forward_progress == VKR_FORWARD_PROGRESS_NONE)
        return "the context's forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another";
    const bool is_long = p->row >= MAX_ROW;
    const uint64_t most = vkr_all_groups(p->caps);
    if (!is_long && tiles_of(p) <= most && p->reach >= count &&
        words_of(&q, 1) <= max_words(p->caps))
        return NULL;
    if (is_long)
        (void)snprintf(text, VKR_REASON,
                       "%" PRIu64 " elements are sorted, but must be fewer than 2^30", p->row);
    else if (tiles_of(p) > most)
        (void)snprintf(text, VKR_REASON,
                       "a row has %" PRIu64 " tiles, but must have at most %" PRIu64
                       ", the workgroups of a dispatch",
                       tiles_of(p), most);
    else
        return vkr_range_reason(&p->walk, text, "count is %" PRIu64 ", and %s", count,
                                p->reach < count ? "keys or outputs" : "the counts of tiles");
    return text;
}

/* Each batch has a table of its own: it is 0 at the start. */
static VkrResult add_batch(VkrRecorder recorder, vkr_sort_plan *p, uint64_t first_row)
{
    vkr_sort_part part = vkr_new_sort_part(p, first_row);
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, words_of(p, part.rows), 1, &p->table));
    const vkr_grid counted = {.parts = p->groups}, scanned = {.parts = p->digits};
    VKR_TRY(vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_DIGITS, &part, counted));
    VKR_TRY(vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_BASES, &part, scanned));
    part.shares = tiles_of(p);
    for (part.digit = 0; part.digit < p->digits; part.digit++)
        VKR_TRY(vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_SWEEP, &part,
                                   (vkr_grid){.parts = part.shares}));
    return VKR_SUCCESS;
}

VkrResult vkr_plan_sort_sweep(VkrRecorder recorder, vkr_sort_plan *p)
{
    vkr_choose_sort_digits(p);
    vkr_choose_sort_groups(p);
    const uint64_t words_of_row = words_of(p, 1) - VKR_SWEEP_DIGITS_AT;
    const uint64_t rows = (max_words(p->caps) - VKR_SWEEP_DIGITS_AT) / words_of_row;
    const uint64_t groups = vkr_max(vkr_max(tiles_of(p), p->groups), p->digits);
    p->batch = vkr_clamp(vkr_min(rows, vkr_all_groups(p->caps) / groups), 1, p->rows);
    VKR_TRY(vkr_check_sort_batches(p, p->batch));
    VKR_TRY(vkr_add_sort_memory(recorder, p));
    vkr_set_sort_constants(p);
    for (uint64_t first = 0; first < p->rows; first += p->batch)
        VKR_TRY(add_batch(recorder, p, first));
    return VKR_SUCCESS;
}
