/* SPDX-License-Identifier: MIT */
/* Checks a sort, selects its algorithm, and adds the steps of sorts in one workgroup. */
#include <inttypes.h>

#include "plan.h"

/* ---- A workgroup sorts whole rows ---- */

static VkrResult plan_one(VkrRecorder recorder, vkr_sort_plan *p)
{
    const vkr_sort_kernel kernel = p->merged != 0 ? VKR_SORT_KERNEL_MERGE : VKR_SORT_KERNEL_ONE;
    const vkr_sort_part all = {.rows = p->rows, .shares = p->groups};
    vkr_set_sort_constants(p);
    return vkr_add_sort_steps(recorder, p, kernel, &all,
                              (vkr_grid){.parts = 1, .share = p->merged});
}

/* ---- The choice of an algorithm ---- */

/* Whether a workgroup sorts each row, where it may. */
static bool chooses_one(vkr_sort_plan *p)
{
    const VkrSortAlgorithm asked = p->sort->algorithm;
    const bool is_reached = p->row <= p->reach;
    return (asked == VKR_SORT_AUTO || asked == VKR_SORT_ONE_WORKGROUP) &&
           ((is_reached && vkr_choose_merging_workgroup(p)) ||
            (vkr_choose_one_workgroup(p) && is_reached));
}

/* AUTO does not sweep: on an H100 sweeps took longer than three passes from 2^20 elements on. On
 * CPUs invocations that sort alone are several times as fast. */
static VkrResult plan_digits(VkrRecorder recorder, vkr_sort_plan *p)
{
    const bool sweeps = p->sort->algorithm == VKR_SORT_ONESWEEP;
    VKR_TRY(vkr_choose_sort_workgroup(p, sweeps));
    p->walk.workgroup_size = p->workgroup;
    if (sweeps) {
        char text[VKR_REASON];
        const char *why = vkr_why_not_sweep(p, text);
        VKR_NEED(&p->walk, why == NULL, "algorithm is onesweep, but %s.", why);
    }
    if (p->rows == 0)
        return VKR_SUCCESS;
    return sweeps ? vkr_plan_sort_sweep(recorder, p) : vkr_plan_sort_passes(recorder, p);
}

VkrResult vkr_plan_sort(VkrRecorder recorder, const vkr_sort *s)
{
    vkr_sort_plan p = {.sort = s, .caps = &s->walk->context->caps};
    p.walk = vkr_new_groups_walk(recorder, s->walk->call);
    p.walk.count = s->count;
    p.row = vkr_sort_row(s);
    p.rows = s->count == 0 ? 0 : vkr_divide_up(s->count, p.row);
    p.flags = (vkr_has_buffer(&s->sorted) ? VKR_SORT_FLAG_KEYS : 0) |
              (vkr_has_buffer(&s->ranked) ? VKR_SORT_FLAG_VALUES : 0) |
              (vkr_has_buffer(&s->values) ? VKR_SORT_FLAG_CARRIED : 0) |
              (s->limit != 0 ? VKR_SORT_FLAG_LIMITED : 0);
    p.items = VKR_SORT_ITEMS;
    p.unit = vkr_log2_up(s->keys.type->size);
    VKR_TRY(vkr_check_sort_workgroup(&p));
    p.reach = vkr_sort_reach(&p);
    p.sorted = s->sorted;
    if (s->algorithm == VKR_SORT_BITONIC)
        return vkr_plan_sort_bitonic(recorder, &p);
    const bool one = chooses_one(&p);
    VKR_NEED(&p.walk, one || s->algorithm != VKR_SORT_ONE_WORKGROUP,
             "algorithm is one-workgroup, but a workgroup of %u must then have room for %" PRIu64
             " elements, and it has room for %u.",
             p.workgroup, p.row, p.workgroup * p.items);
    if (!one)
        return plan_digits(recorder, &p);
    p.walk.workgroup_size = p.workgroup;
    return s->count == 0 ? VKR_SUCCESS : plan_one(recorder, &p);
}
