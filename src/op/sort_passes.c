/* SPDX-License-Identifier: MIT */
/*
 * Radix sorts in three dispatches for each digit: one counts, one scans the counts, and one
 * scatters (shaders/cards/sort.h). Rows that are too many for one table of counts are sorted in
 * batches.
 */
#include <inttypes.h>

#include "kernel_list.h"
#include "sort_plan.h"

/* Adds the table of counts. */
static VkrResult add_table(VkrRecorder recorder, vkr_sort_plan *p)
{
    const uint64_t groups = p->batch * p->groups;
    const uint64_t words =
        VKR_SORT_RECORD + groups * 2 + (p->batch + groups) * (uint64_t)VKR_SORT_DIGITS;
    VKR_NEED(&p->walk,
             4 * words <= p->caps->max_range - p->caps->granule && p->groups <= VKR_ELEMENT_TRIPS,
             "count is %" PRIu64 ", but must be so small that the counts of digits, %" PRIu64
             " bytes with workgroups of %u, fit maxStorageBufferRange (%" PRIu64 " bytes).",
             p->sorting->count, 4 * words, p->workgroup, p->caps->max_range);
    return vkr_add_words(recorder, VKR_SCRATCH, words, 1, &p->table);
}

/* Binds what both kernels read of the keys. */
static void bind_keys(const vkr_sort_plan *p, uint32_t pass, vkr_pass *step)
{
    const uint64_t count = p->sorting->count;
    step->slots[VKR_SORT_SLOT_SOURCE] =
        vkr_items(vkr_place_of_view(pass == 0 ? &p->sorting->keys : &p->sorted), 0, count);
    step->slots[VKR_SORT_SLOT_TEMP] = vkr_items(p->temp, 0, count);
}

static VkrResult add_count(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step,
                           uint32_t pass)
{
    step.card = &vkr_sort_count_card;
    step.kernel = vkr_sort_kernel(p, VKR_SORT_COUNT);
    bind_keys(p, pass, &step);
    if (pass == 0)
        vkr_bind_sort_count(p, &step);
    return vkr_emit_sort(recorder, &step,
                         VKR_PUSH(&step, vkr_sort_push)->rows * (p->groups / p->each));
}

static VkrResult add_spine(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step)
{
    step.card = &vkr_sort_spine_card;
    step.kernel = p->shared ? VKR_KERNEL_SORT_SPINE_SHARED : VKR_KERNEL_SORT_SPINE_SHUFFLE;
    return vkr_emit_sort(
        recorder, &step,
        vkr_divide_up((uint64_t)VKR_PUSH(&step, vkr_sort_push)->rows * VKR_SORT_DIGITS, p->each));
}

static VkrResult add_scatter(VkrRecorder recorder, const vkr_sort_plan *p, vkr_pass step,
                             uint32_t pass)
{
    const vkr_sorting *s = p->sorting;
    step.card = &vkr_sort_scatter_card;
    step.kernel = vkr_sort_kernel(p, VKR_SORT_SCATTER);
    bind_keys(p, pass, &step);
    step.slots[VKR_SORT_SLOT_SORTED] = vkr_items(vkr_place_of_view(&p->sorted), 0, s->count);
    if (vkr_has_buffer(&s->ranked)) {
        const vkr_view *read = pass == 0 ? &s->values : &s->ranked;
        step.slots[VKR_SORT_SLOT_VALUES] = vkr_items(vkr_place_of_view(read), 0, s->count);
        step.slots[VKR_SORT_SLOT_VALUES_TEMP] = vkr_items(p->values_temp, 0, s->count);
        step.slots[VKR_SORT_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
    }
    return vkr_emit_sort(recorder, &step,
                         VKR_PUSH(&step, vkr_sort_push)->rows * (p->groups / p->each));
}

VkrResult vkr_plan_sort_passes(VkrRecorder recorder, vkr_sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const bool in_place = vkr_is_sort_in_place(s);
    p->passes = (uint32_t)vkr_divide_up(s->end - s->begin, VKR_SORT_DIGIT) + in_place;
    p->flags |= in_place ? VKR_SORT_FLAG_EXTRA : 0;
    vkr_choose_sort_groups(p);
    VKR_TRY(add_table(recorder, p));
    VKR_TRY(vkr_add_sort_memory(recorder, p));
    for (uint64_t first = 0; first < p->rows; first += p->batch)
        for (uint32_t pass = 0; pass < p->passes; pass++) {
            const vkr_pass step = vkr_new_sort_pass(p, pass, first);
            VKR_TRY(add_count(recorder, p, step, pass));
            VKR_TRY(add_spine(recorder, p, step));
            VKR_TRY(add_scatter(recorder, p, step, pass));
        }
    return VKR_SUCCESS;
}
