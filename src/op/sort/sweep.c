/* SPDX-License-Identifier: MIT */
/*
 * Radix sorts in one pass over memory for each digit (shaders/sort_sweep.comp): a dispatch counts
 * the digits of all passes, one scans these counts, and one for each pass stores the keys of its
 * tiles, whose workgroups look back at each other. Rows that are too many for one table are sorted
 * in batches.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kernel_list.h"
#include "plan.h"

#define MAX_ROW ((uint64_t)1 << 30) /* below it: a state has 30 bits of a number */

static uint64_t tiles_of(const vkr_sort_plan *p)
{
    return vkr_divide_up(p->row, (uint64_t)p->workgroup * p->items);
}

/* The words of a table. */
static uint64_t words_of(const vkr_sort_plan *p, uint64_t rows)
{
    return VKR_SWEEP_PASSES_AT + rows * (p->passes + 2 * tiles_of(p)) * VKR_SORT_DIGITS;
}

static uint64_t max_words(const vkr_caps *caps)
{
    return (caps->max_range - caps->granule) / 4;
}

const char *vkr_why_not_sweep(const vkr_sort_plan *p, char text[VKR_REASON])
{
    vkr_sort_plan q = *p;
    const uint64_t count = p->sort->count, range = p->caps->max_range;
    vkr_choose_sort_passes(&q);
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
        (void)snprintf(text, VKR_REASON,
                       "count is %" PRIu64 ", and %s exceed maxStorageBufferRange (%" PRIu64
                       " bytes)",
                       count, p->reach < count ? "keys or outputs" : "the counts of tiles", range);
    return text;
}

static VkrResult add_digits(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step)
{
    step.card = &vkr_sort_digits_card;
    step.kernel = vkr_sort_kernel(p, VKR_SORT_KERNEL_DIGITS);
    vkr_bind_sort_keys(p, &step, vkr_rows_of_sort(p, &step));
    step.slots[VKR_SORT_SLOT_TEMP] = (vkr_bound){0};
    vkr_bind_sort_count(p, &step);
    return vkr_emit_sort(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows * p->groups);
}

static VkrResult add_bases(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step)
{
    step.card = &vkr_sort_bases_card;
    step.kernel = p->shared ? VKR_KERNEL_SORT_BASES_SHARED : VKR_KERNEL_SORT_BASES_SHUFFLE;
    return vkr_emit_sort(recorder, &step,
                         (uint64_t)VKR_PUSH(&step, vkr_sort_push)->rows * p->passes);
}

static VkrResult add_sweep(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step)
{
    const vkr_sort_range all = vkr_rows_of_sort(p, &step);
    struct vkr_sort_push *push = VKR_PUSH(&step, vkr_sort_push);
    step.card = &vkr_sort_sweep_card;
    step.kernel = vkr_sort_kernel(p, VKR_SORT_KERNEL_SWEEP);
    step.constants[VKR_SORT_CONST_MUTED] = p->caps->muted_tile;
    push->groups = (uint32_t)tiles_of(p);
    vkr_bind_sort_elements(p, &step, all, all);
    return vkr_emit_sort(recorder, &step, push->rows * tiles_of(p));
}

/* Each batch has a table of its own: it is 0 at the start. */
static VkrResult add_batch(VkrRecorder recorder, vkr_sort_plan *p, uint64_t first_row)
{
    const uint64_t rows = vkr_min(p->batch, p->rows - first_row);
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, words_of(p, rows), 1, &p->table));
    const vkr_pass step = vkr_new_sort_pass(p, 0, first_row);
    VKR_TRY(add_digits(recorder, p, step));
    VKR_TRY(add_bases(recorder, p, step));
    for (uint32_t pass = 0; pass < p->passes; pass++)
        VKR_TRY(add_sweep(recorder, p, vkr_new_sort_pass(p, pass, first_row)));
    return VKR_SUCCESS;
}

VkrResult vkr_plan_sort_sweep(VkrRecorder recorder, vkr_sort_plan *p)
{
    vkr_choose_sort_passes(p);
    vkr_choose_sort_groups(p);
    const uint64_t words_of_row = words_of(p, 1) - VKR_SWEEP_PASSES_AT;
    const uint64_t rows = (max_words(p->caps) - VKR_SWEEP_PASSES_AT) / words_of_row;
    const uint64_t groups = vkr_max(vkr_max(tiles_of(p), p->groups), p->passes);
    p->batch = vkr_clamp(vkr_min(rows, vkr_all_groups(p->caps) / groups), 1, p->rows);
    VKR_TRY(vkr_check_sort_batches(p, p->batch));
    VKR_TRY(vkr_add_sort_memory(recorder, p));
    for (uint64_t first = 0; first < p->rows; first += p->batch)
        VKR_TRY(add_batch(recorder, p, first));
    return VKR_SUCCESS;
}
