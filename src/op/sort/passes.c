/* SPDX-License-Identifier: MIT */
/*
 * Radix sorts in three passes for each digit: one counts, one scans the counts, and one
 * scatters (shaders/cards/sort.h). Rows that are too many for one table of counts, or for a
 * descriptor, are sorted in batches. A row that exceeds a descriptor's reach is read and stored in
 * windows.
 */
#include <inttypes.h>
#include <stdio.h>

#include "plan.h"

/* The words of the table of counts. */
static uint64_t table_words(const vkr_sort_plan *p)
{
    const uint64_t groups = p->batch * p->groups;
    return VKR_SORT_RECORD + groups * 2 + (p->batch + groups) * (uint64_t)VKR_SORT_RADIX;
}

/* Counts, scans and scatters. Where a descriptor does not reach a row, its parts are counted in
 * turn, and each part stores what belongs to each window of the outputs. */
static VkrResult add_digit(VkrRecorder recorder, const vkr_sort_plan *p, const vkr_sort_part *part)
{
    const vkr_grid cut = {.parts = p->groups / p->each};
    const vkr_grid scanned = {.parts = 1, .work = VKR_SORT_RADIX, .share = p->each};
    VKR_TRY(vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_COUNT, part, cut));
    VKR_TRY(vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_SPINE, part, scanned));
    return vkr_add_sort_steps(recorder, p, VKR_SORT_KERNEL_SCATTER, part, cut);
}

/* Chooses the shares of rows. A row that exceeds a descriptor's reach is a batch. */
static void choose_shares(vkr_sort_plan *p)
{
    vkr_choose_sort_groups(p);
    p->batch = p->row > p->reach ? 1 : p->batch;
    p->taken = vkr_divide_up(vkr_divide_up(p->row, p->tile), p->groups) * p->tile * p->each;
}

/* The number of windows in which a row's parts are read. */
static uint64_t windows_read(const vkr_sort_plan *p)
{
    return vkr_divide_up(p->groups / p->each, vkr_max(p->reach / p->taken, 1));
}

/* Returns the reason why the workgroup and its shares cannot sort the rows, as a sentence
 * without its full stop, or NULL. */
static const char *why_not_passes(const vkr_sort_plan *p, char text[VKR_REASON])
{
    const bool windowed = p->row > p->reach;
    const uint64_t stored = vkr_divide_up(p->row, p->reach), bytes = 4 * table_words(p);
    const uint64_t pairs = windowed ? windows_read(p) * stored : 0;
    if (windowed && p->taken > p->reach)
        return vkr_range_reason(
            &p->walk, text, "count is %" PRIu64 ", but a workgroup's share of %" PRIu64 " elements",
            p->sort->count, p->taken);
    if (bytes > vkr_room(p->caps))
        return vkr_range_reason(&p->walk, text,
                                "count is %" PRIu64 ", but the counts of digits, %" PRIu64
                                " bytes with workgroups of %u,",
                                p->sort->count, bytes, p->workgroup);
    if (pairs != 0 && p->rows * p->digits > VKR_MAX_PAIRS / pairs)
        (void)snprintf(text, VKR_REASON,
                       "count is %" PRIu64 ", but must need at most %u dispatches, and %u passes "
                       "over %" PRIu64 " windows need %" PRIu64,
                       p->sort->count, VKR_MAX_PAIRS, p->digits, p->rows * stored,
                       p->rows * p->digits * pairs);
    else if (p->groups > VKR_ELEMENT_TRIPS)
        (void)snprintf(text, VKR_REASON,
                       "workgroupSize is %u, but must be greater: a row of %" PRIu64
                       " elements has %" PRIu64 " shares, and an invocation adds up at most %u",
                       p->workgroup, p->row, p->groups, VKR_ELEMENT_TRIPS);
    else
        return NULL;
    return text;
}

/* Where the usual workgroup cannot sort the rows, the largest one that can does it, unless its size
 * is the caller's choice. If none can, the message is about the largest one. */
static VkrResult choose_what_works(vkr_sort_plan *p)
{
    char text[VKR_REASON], more[VKR_REASON], *room = text;
    choose_shares(p);
    const char *why = why_not_passes(p, text);
    for (uint32_t size = why != NULL && p->sort->workgroup_size == 0 ? VKR_SORT_WORKGROUP : 0;
         size != 0; size /= 2) {
        vkr_sort_plan q = *p;
        if (!vkr_try_sort_workgroup(&q, size))
            continue;
        choose_shares(&q);
        if (why_not_passes(&q, room) == NULL) {
            *p = q;
            p->walk.workgroup_size = size;
            return VKR_SUCCESS;
        }
        room = more;
    }
    VKR_NEED(&p->walk, why == NULL, "%s.", why);
    return VKR_SUCCESS;
}

/* Which digits have something to do is known with windows: all of them, and the extra one only if
 * it makes their number even. */
static void set_windowed(vkr_sort_plan *p)
{
    p->flags |= VKR_SORT_FLAG_WINDOWED;
    p->digits -= (p->flags & VKR_SORT_FLAG_EXTRA) != 0 && p->digits % 2 != 0;
}

VkrResult vkr_plan_sort_passes(VkrRecorder recorder, vkr_sort_plan *p)
{
    const bool windowed = p->row > p->reach;
    vkr_choose_sort_digits(p);
    VKR_TRY(choose_what_works(p));
    VKR_TRY(vkr_check_sort_batches(p, p->batch));
    if (windowed)
        set_windowed(p);
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, table_words(p), 1, &p->table));
    VKR_TRY(vkr_add_sort_memory(recorder, p));
    if (p->sort->totals != NULL && p->digits == 1 && p->rows == 1)
        *p->sort->totals = vkr_place_of_words(
            p->table.buffer, p->table.offset + 4 * (VKR_SORT_RECORD + 2 * p->groups), 1);
    vkr_set_sort_constants(p);
    for (uint64_t first = 0; first < p->rows; first += p->batch) {
        vkr_sort_part part = vkr_new_sort_part(p, first);
        for (; part.digit < p->digits; part.digit++)
            VKR_TRY(add_digit(recorder, p, &part));
    }
    return VKR_SUCCESS;
}
