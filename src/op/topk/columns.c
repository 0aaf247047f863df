/* SPDX-License-Identifier: MIT */
/* Selections of columns: copies of columns are rows, whose entries become columns again. Payloads
 * move by the list of indices, once this is where the entries are. */
#include "../../plan/apart.h"
#include "../../plan/payload.h"
#include "topk.h"

VkrResult vkr_check_topk_columns(vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    const vkr_walk *w = &t->walk;
    VKR_TRY(vkr_check_columns(w, &info->segments));
    VKR_NEED(w, info->found.buffer == VK_NULL_HANDLE || info->gpuCount.buffer == VK_NULL_HANDLE,
             "gpuCount and found are given, but one of them must be empty for columns.");
    t->rows = info->segments.length;
    t->columns = vkr_lie_apart(&info->segments, w->count);
    if (t->columns)
        t->length = t->pitch = w->count / t->rows;
    return VKR_SUCCESS;
}

/* What stands for elements that a column lacks comes last in its copy, after equal ones, so that
 * the first entries of the order are the column's own; any order and any ties would mix them. */
static VkrTopKInfo info_of_rows(const vkr_topk *t)
{
    VkrTopKInfo info = *t->info;
    info.k = t->wanted;
    info.payloadCount = 0;
    info.gpuCount = (VkrGpuCount){0};
    if (t->info->gpuCount.buffer != VK_NULL_HANDLE)
        info.flags &= ~(uint32_t)(VKR_TOP_K_ANY_TIES_BIT | VKR_TOP_K_UNSORTED_BIT);
    return info;
}

static VkrResult move_payloads(VkrRecorder recorder, const vkr_topk *t, const vkr_apart *entries,
                               const vkr_view *list)
{
    for (uint32_t i = 0; i < t->info->payloadCount; i++) {
        const VkrPayload *p = &t->info->payloads[i];
        const vkr_rows_at from = {"a payload's source", vkr_view_of_source(&t->walk, p), true};
        const vkr_rows_at to = {"a payload's target", vkr_view_of_target(p), true};
        VKR_TRY(vkr_move_rows(recorder, entries, list, &from, &to));
    }
    return VKR_SUCCESS;
}

/* Moves the list of indices to where the entries are: to the output, or to scratch. */
static VkrResult place_list(VkrRecorder recorder, const vkr_topk *t, const vkr_apart *entries,
                            const vkr_view *ranked, vkr_view *list)
{
    *list = t->indices;
    if (!vkr_has_buffer(list))
        VKR_TRY(vkr_add_beside(recorder, entries, ranked, list));
    const vkr_rows_at from = {"entries of rows", *ranked, false}, to = {"indices", *list, true};
    return vkr_move_rows(recorder, entries, NULL, &from, &to);
}

VkrResult vkr_plan_topk_columns(VkrRecorder recorder, vkr_topk *t)
{
    const vkr_view word = {
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1};
    const VkrTopKInfo info = info_of_rows(t);
    vkr_topk rows = *t;
    vkr_apart apart;
    vkr_view list;
    rows.info = &info;
    rows.walk.gpu_count = &info.gpuCount;
    vkr_set_topk_order(&rows);
    VKR_TRY(vkr_plan_apart(recorder, t->walk.call, &t->info->segments, t->walk.count,
                           &t->info->gpuCount, &apart));
    VKR_TRY(vkr_bring_rows(recorder, &apart, "input", vkr_last_of_order(t->input.type, &rows.order),
                           &rows.input));
    vkr_apart entries = apart;
    entries.length = t->wanted;
    entries.count = t->wanted * apart.columns;
    if (vkr_has_buffer(&t->values))
        VKR_TRY(vkr_add_beside(recorder, &entries, &t->values, &rows.values));
    if (vkr_has_buffer(&t->indices) || t->info->payloadCount != 0)
        VKR_TRY(vkr_add_beside(recorder, &entries, &word, &rows.indices));
    VKR_TRY(vkr_plan_topk(recorder, &rows));
    if (vkr_has_buffer(&t->values)) {
        const vkr_rows_at from = {"entries of rows", rows.values, false};
        const vkr_rows_at to = {"values", t->values, true};
        VKR_TRY(vkr_move_rows(recorder, &entries, NULL, &from, &to));
    }
    if (!vkr_has_buffer(&rows.indices))
        return VKR_SUCCESS;
    VKR_TRY(place_list(recorder, t, &entries, &rows.indices, &list));
    return move_payloads(recorder, t, &entries, &list);
}
