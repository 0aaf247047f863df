/* SPDX-License-Identifier: MIT */
/* Sorts of rows that lie apart, and of columns: copies of the rows' keys, which lie beside each
 * other, are sorted, and what this leaves moves to where it belongs. Payloads move by the list of
 * indices. */
#include "../../plan/apart.h"

#include "../../plan/payload.h"
#include "../../plan/stage.h"
#include "request.h"

/* The keys that a copy has in place of those that a column lacks come last, after equal ones. */
static VkrResult bring(VkrRecorder recorder, const vkr_apart *rows, const vkr_order *order,
                       vkr_view *keys)
{
    return vkr_bring_rows(recorder, rows, "keys", vkr_last_of_order(keys->type, order), keys);
}

/* Replaces all keys by copies. */
static VkrResult bring_keys(VkrRecorder recorder, vkr_sort_call *c, const vkr_apart *rows,
                            vkr_sort *sort)
{
    VKR_TRY(bring(recorder, rows, &sort->order, &sort->keys));
    for (uint32_t i = 0; i < c->info->thenCount; i++) {
        vkr_sort_key *then = &c->then[i];
        VKR_TRY(vkr_stage(recorder, &c->walk, rows->all, &then->keys));
        VKR_TRY(bring(recorder, rows, &then->order, &then->keys));
    }
    return VKR_SUCCESS;
}

/* Moves an output from beside each other. */
static VkrResult spread(VkrRecorder recorder, const vkr_apart *rows, const char *name,
                        const vkr_view *source, const vkr_view *target)
{
    const vkr_rows_at from = {"sorted rows", *source, false}, to = {name, *target, true};
    return vkr_has_buffer(target) ? vkr_move_rows(recorder, rows, NULL, &from, &to) : VKR_SUCCESS;
}

/* A payload in place moves from copies. */
static VkrResult move_payload(VkrRecorder recorder, const vkr_sort_call *c, const vkr_apart *rows,
                              uint32_t i, const vkr_view *list)
{
    const VkrPayload *payload = &c->info->payloads[i];
    vkr_rows_at from = {"a payload's source", vkr_view_of_source(&c->walk, payload), true};
    const vkr_rows_at to = {"a payload's target", vkr_view_of_target(payload), true};
    if (from.view.buffer == to.view.buffer && from.view.offset == to.view.offset) {
        VKR_TRY(vkr_bring_rows(recorder, rows, from.name, 0, &from.view));
        from.apart = false;
    }
    return vkr_move_rows(recorder, rows, list, &from, &to);
}

/* Payloads of columns need the list of indices where the elements are. */
static VkrResult place_list(VkrRecorder recorder, const vkr_apart *rows, const vkr_view *indices,
                            vkr_view *list)
{
    const vkr_view ranked = *list;
    if (rows->columns == 0)
        return VKR_SUCCESS;
    *list = *indices;
    if (vkr_has_buffer(indices))
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_beside(recorder, rows, &ranked, list));
    return spread(recorder, rows, "indices", &ranked, list);
}

VkrResult vkr_plan_sort_apart(VkrRecorder recorder, vkr_sort_call *c, const vkr_sort *asked)
{
    const uint32_t payloads = c->info->payloadCount;
    const vkr_view word = {
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1};
    vkr_sort sort = *asked;
    vkr_apart rows;
    VKR_TRY(vkr_plan_apart(recorder, c->walk.call, &c->info->segments, asked->count,
                           &c->info->gpuCount, &rows));
    VKR_TRY(bring_keys(recorder, c, &rows, &sort));
    sort.count = rows.count;
    sort.gpu_count = &rows.known;
    sort.row = rows.length;
    if (vkr_has_buffer(&asked->sorted))
        VKR_TRY(vkr_add_beside(recorder, &rows, &asked->sorted, &sort.sorted));
    if (vkr_has_buffer(&asked->ranked) || payloads != 0)
        VKR_TRY(vkr_add_beside(recorder, &rows, &word, &sort.ranked));
    VKR_TRY(vkr_plan_sort_keys(recorder, c, &sort));
    VKR_TRY(spread(recorder, &rows, "sorted keys", &sort.sorted, &asked->sorted));
    VKR_TRY(spread(recorder, &rows, "indices", &sort.ranked, &asked->ranked));
    if (payloads != 0)
        VKR_TRY(place_list(recorder, &rows, &asked->ranked, &sort.ranked));
    for (uint32_t i = 0; i < payloads; i++)
        VKR_TRY(move_payload(recorder, c, &rows, i, &sort.ranked));
    return VKR_SUCCESS;
}
