/* SPDX-License-Identifier: MIT */
/* Checks a sort, selects its algorithm, and adds the steps of sorts in one workgroup. */
#include <inttypes.h>

#include "kernel_list.h"
#include "sort_plan.h"

static VkrResult check_reaches(const vkr_sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    VKR_TRY(vkr_check_sort_reach(&p->walk, "keys", &s->keys));
    VKR_TRY(vkr_check_sort_reach(&p->walk, "sorted", &s->sorted));
    VKR_TRY(vkr_check_sort_reach(&p->walk, "payloads", &s->values));
    return vkr_check_sort_reach(&p->walk, "indices", &s->ranked);
}

static VkrResult plan_one(VkrRecorder recorder, vkr_sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    p->batch = vkr_min(p->rows, vkr_all_groups(p->caps));
    for (uint64_t first = 0; first < p->rows; first += p->batch) {
        vkr_pass step = vkr_new_sort_pass(p, 0, first);
        step.card = &vkr_sort_one_card;
        step.kernel = vkr_sort_kernel(p, VKR_SORT_ONE);
        step.slots[VKR_SORT_SLOT_TABLE] = (vkr_bound){0};
        step.slots[VKR_SORT_SLOT_SOURCE] = vkr_items(vkr_place_of_view(&s->keys), 0, s->count);
        step.slots[VKR_SORT_SLOT_SORTED] = vkr_items(vkr_place_of_view(&s->sorted), 0, s->count);
        step.slots[VKR_SORT_SLOT_VALUES] = vkr_items(vkr_place_of_view(&s->values), 0, s->count);
        step.slots[VKR_SORT_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
        vkr_bind_sort_count(p, &step);
        VKR_TRY(vkr_emit_sort(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_sort(VkrRecorder recorder, const vkr_sorting *s)
{
    vkr_sort_plan p = {.sorting = s, .caps = &s->walk->context->caps};
    p.walk = vkr_new_groups_walk(recorder, s->walk->call);
    p.walk.label = s->walk->label;
    p.walk.count = s->count;
    p.row = s->row == 0 || s->row > s->count ? s->count : s->row;
    p.rows = s->count == 0 ? 0 : vkr_divide_up(s->count, p.row);
    p.flags = (vkr_has_buffer(&s->sorted) ? VKR_SORT_FLAG_KEYS : 0) |
              (vkr_has_buffer(&s->ranked) ? VKR_SORT_FLAG_VALUES : 0) |
              (vkr_has_buffer(&s->values) ? VKR_SORT_FLAG_CARRIED : 0);
    VKR_TRY(vkr_check_sort_workgroup(&p));
    VKR_TRY(check_reaches(&p));
    if (s->algorithm == VKR_SORT_BITONIC)
        return vkr_plan_sort_bitonic(recorder, &p);
    const bool one = s->algorithm != VKR_SORT_THREE_PASS && vkr_choose_one_workgroup(&p);
    VKR_NEED(&p.walk, one || s->algorithm != VKR_SORT_ONE_WORKGROUP,
             "algorithm is one-workgroup, but a workgroup of %u must then have room for %" PRIu64
             " elements, and it has room for %u.",
             p.workgroup, p.row, p.workgroup * VKR_SORT_ITEMS);
    if (!one)
        VKR_TRY(vkr_choose_sort_workgroup(&p));
    p.walk.workgroup_size = p.workgroup;
    if (s->count == 0)
        return VKR_SUCCESS;
    return one ? plan_one(recorder, &p) : vkr_plan_sort_passes(recorder, &p);
}
