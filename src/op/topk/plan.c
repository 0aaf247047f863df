/* SPDX-License-Identifier: MIT */
/* Chooses how a selection finds and orders its entries, and adds its steps. */
#include "topk.h"

#include "../sort/sort.h"

static bool is_ranked(const vkr_topk *t)
{
    return t->wanted <= vkr_policy_of_topk(t)->ranked;
}

uint64_t vkr_topk_entries(const vkr_topk *t)
{
    const uint64_t full = t->walk.count / t->pitch;
    if (t->by_offsets)
        return t->rows * t->wanted;
    return full * t->wanted + vkr_min(t->walk.count - full * t->pitch, t->wanted);
}

static VkrResult add_list(VkrRecorder recorder, const vkr_topk *t, bool is_needed, vkr_place *list)
{
    return is_needed ? vkr_add_words(recorder, VKR_SCRATCH, 1, t->rows * t->wanted, list)
                     : VKR_SUCCESS;
}

/* Orders whole rows. */
static VkrResult plan_short_rows(VkrRecorder recorder, const vkr_topk *t)
{
    vkr_ranking ranking = {.keys = t->input, .candidates = t->length};
    VKR_TRY(add_list(recorder, t, t->info->payloadCount != 0, &ranking.sorted));
    VKR_TRY(vkr_plan_ranking(recorder, t, &ranking));
    return vkr_copy_payloads(recorder, t, &ranking.sorted);
}

/* Orders a list of few entries. */
static VkrResult plan_ranked_list(VkrRecorder recorder, const vkr_topk *t)
{
    vkr_ranking ranking = {.candidates = t->wanted, .list = t->list};
    VKR_TRY(vkr_copy_keys(recorder, t, &ranking.keys));
    VKR_TRY(add_list(recorder, t, t->info->payloadCount != 0, &ranking.sorted));
    VKR_TRY(vkr_plan_ranking(recorder, t, &ranking));
    return vkr_copy_payloads(recorder, t, &ranking.sorted);
}

/* Sorts the list, stably, by the elements that it refers to. Every row but the last one has all of
 * its entries, so they follow each other; segments between offsets have copies of the last key in
 * place of those that they lack. */
static VkrResult sort_list(VkrRecorder recorder, const vkr_topk *t)
{
    const bool counts = t->entries.buffer != VK_NULL_HANDLE;
    const VkrGpuCount entries = {.buffer = t->entries.buffer, .offset = t->entries.offset};
    const uint64_t count = vkr_topk_entries(t);
    vkr_sort sort = {.walk = &t->walk,
                     .order = t->order,
                     .end = 8 * t->input.type->size,
                     .count = count,
                     .gpu_count = counts ? &entries : NULL,
                     .row = t->rows > 1 ? t->wanted : 0,
                     .values = {.buffer = t->list.buffer,
                                .offset = t->list.offset,
                                .size = 4 * count,
                                .type = &vkr_types[VKR_TYPE_U32],
                                .type_id = VKR_TYPE_U32,
                                .components = 1,
                                .stride = 4,
                                .capacity = count}};
    sort.ranked = sort.values;
    VKR_TRY(vkr_copy_keys(recorder, t, &sort.keys));
    return vkr_plan_sort(recorder, &sort);
}

static VkrResult plan_list(VkrRecorder recorder, vkr_topk *t)
{
    const bool counts = t->info->gpuCount.buffer != VK_NULL_HANDLE && !t->by_offsets &&
                        vkr_topk_is_sorted(t) && !is_ranked(t);
    VKR_TRY(add_list(recorder, t, true, &t->list));
    if (counts)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, 1, &t->entries));
    VKR_TRY(vkr_plan_selection(recorder, t));
    if (t->walk.count == 0)
        return VKR_SUCCESS;
    if (vkr_topk_is_sorted(t) && is_ranked(t))
        return plan_ranked_list(recorder, t);
    if (vkr_topk_is_sorted(t))
        VKR_TRY(sort_list(recorder, t));
    VKR_TRY(vkr_copy_outputs(recorder, t, &t->list));
    return vkr_copy_payloads(recorder, t, &t->list);
}

void vkr_set_topk_order(vkr_topk *t)
{
    t->order = vkr_order_of(t->input.type, (t->info->flags & VKR_TOP_K_LEAST_BIT) == 0, false);
    if ((t->info->flags & VKR_TOP_K_BY_VALUE_BIT) != 0)
        vkr_order_by_value(&t->order);
}

VkrResult vkr_plan_topk(VkrRecorder recorder, vkr_topk *t)
{
    if (t->rows == 0)
        return VKR_SUCCESS;
    vkr_set_topk_order(t);
    VKR_TRY(vkr_choose_topk_units(t));
    const bool is_short =
        !t->by_offsets && t->length <= vkr_policy_of_topk(t)->short_row && t->parts == 1;
    return is_short && t->walk.count != 0 ? plan_short_rows(recorder, t) : plan_list(recorder, t);
}
