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

static VkrResult add_spine(VkrRecorder recorder, const vkr_sort_plan *p, const vkr_sort_part *part)
{
    const uint64_t values = part->rows * VKR_SORT_RADIX;
    return vkr_add_sort_step(recorder, p, VKR_SORT_KERNEL_SPINE, part,
                             vkr_divide_up(values, p->each));
}

/* ---- Rows that descriptors reach ---- */

static VkrResult add_digit(VkrRecorder recorder, const vkr_sort_plan *p, const vkr_sort_part *part)
{
    const uint64_t groups = part->rows * (p->groups / p->each);
    VKR_TRY(vkr_add_sort_step(recorder, p, VKR_SORT_KERNEL_COUNT, part, groups));
    VKR_TRY(add_spine(recorder, p, part));
    return vkr_add_sort_step(recorder, p, VKR_SORT_KERNEL_SCATTER, part, groups);
}

/* ---- Windows of a row ---- */

/* The workgroups of a window of what is read, and the elements of one workgroup. */
typedef struct windows {
    uint64_t groups, share;
    uint64_t read, stored; /* numbers of windows */
} windows;

static windows cut_row(const vkr_sort_plan *p, uint64_t length)
{
    const uint64_t groups = p->groups / p->each;
    const uint64_t tiles = vkr_divide_up(length, p->tile);
    windows w = {.share = vkr_divide_up(tiles, p->groups) * p->tile * p->each};
    w.groups = vkr_clamp(p->reach / w.share, 1, groups);
    w.read = vkr_divide_up(groups, w.groups);
    w.stored = vkr_divide_up(length, p->reach);
    return w;
}

/* What the workgroups of window `i` read of a row: at least one element, which a descriptor
 * needs. */
static vkr_sort_part window_of(const vkr_sort_plan *p, const vkr_sort_part *row, const windows *w,
                               uint64_t i)
{
    const uint64_t group = i * w->groups;
    const uint64_t first = vkr_min(group * w->share, row->read.count - 1);
    vkr_sort_part part = *row;
    part.groups = (vkr_sort_range){group, vkr_min(w->groups, p->groups / p->each - group)};
    part.read = (vkr_sort_range){row->read.first + first,
                                 vkr_min(part.groups.count * w->share, row->read.count - first)};
    return part;
}

/* Adds a digit of a row. Every element is stored by one of the dispatches for the windows of what
 * is read and the windows of what is stored. Neighbouring dispatches store different windows. */
static VkrResult add_windows(VkrRecorder recorder, const vkr_sort_plan *p, const vkr_sort_part *row)
{
    const vkr_sort_range all = row->read;
    const windows w = cut_row(p, all.count);
    for (uint64_t i = 0; i < w.read; i++) {
        const vkr_sort_part part = window_of(p, row, &w, i);
        VKR_TRY(vkr_add_sort_step(recorder, p, VKR_SORT_KERNEL_COUNT, &part, part.groups.count));
    }
    VKR_TRY(add_spine(recorder, p, row));
    for (uint64_t k = 0; k < w.read * w.stored; k++) {
        const uint64_t i = k % w.read, first = (k / w.read + i) % w.stored * p->reach;
        vkr_sort_part part = window_of(p, row, &w, i);
        part.stored = (vkr_sort_range){all.first + first, vkr_min(p->reach, all.count - first)};
        if (part.groups.first * w.share < all.count)
            VKR_TRY(
                vkr_add_sort_step(recorder, p, VKR_SORT_KERNEL_SCATTER, &part, part.groups.count));
    }
    return VKR_SUCCESS;
}

/* Chooses the shares of rows. A row that exceeds a descriptor's reach is a batch. */
static void choose_shares(vkr_sort_plan *p)
{
    vkr_choose_sort_groups(p);
    p->batch = p->row > p->reach ? 1 : p->batch;
}

/* Returns the reason why the workgroup and its shares cannot sort the rows, as a sentence, or
 * NULL. */
static const char *why_not_passes(const vkr_sort_plan *p, char text[VKR_REASON])
{
    const vkr_caps *caps = p->caps;
    const windows w = cut_row(p, p->row);
    const bool windowed = p->row > p->reach;
    const uint64_t pairs = windowed ? w.read * w.stored : 0, bytes = 4 * table_words(p);
    if (windowed && w.share > p->reach)
        (void)snprintf(text, VKR_REASON,
                       "count is %" PRIu64 ", but a workgroup's share of %" PRIu64
                       " elements must fit maxStorageBufferRange (%" PRIu64
                       " bytes), which holds %" PRIu64 " of them.",
                       p->sort->count, w.share, caps->max_range, p->reach);
    else if (pairs != 0 && p->rows * p->digits > VKR_MAX_PAIRS / pairs)
        (void)snprintf(text, VKR_REASON,
                       "count is %" PRIu64 ", but must need at most %u dispatches, and %u passes "
                       "over %" PRIu64 " windows of maxStorageBufferRange (%" PRIu64
                       " bytes) need %" PRIu64 ".",
                       p->sort->count, VKR_MAX_PAIRS, p->digits, p->rows * w.stored,
                       caps->max_range, p->rows * p->digits * pairs);
    else if (p->groups > VKR_ELEMENT_TRIPS)
        (void)snprintf(text, VKR_REASON,
                       "workgroupSize is %u, but must be greater: a row of %" PRIu64
                       " elements has %" PRIu64 " shares, and an invocation adds up at most %u.",
                       p->workgroup, p->row, p->groups, VKR_ELEMENT_TRIPS);
    else if (bytes > caps->max_range - caps->granule)
        (void)snprintf(text, VKR_REASON,
                       "count is %" PRIu64 ", but must be so small that the counts of digits, "
                       "%" PRIu64 " bytes with workgroups of %u, fit maxStorageBufferRange "
                       "(%" PRIu64 " bytes).",
                       p->sort->count, bytes, p->workgroup, caps->max_range);
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
    VKR_NEED(&p->walk, why == NULL, "%s", why);
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
            VKR_TRY(windowed ? add_windows(recorder, p, &part) : add_digit(recorder, p, &part));
    }
    return VKR_SUCCESS;
}
