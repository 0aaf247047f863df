/* SPDX-License-Identifier: MIT */
/* Copies what the entries of a selection refer to, by a list of indices. */
#include "../../plan/payload.h"
#include "../../plan/pick.h"
#include "../sort/sort.h"
#include "topk.h"

/* Adds the copies of what the entries refer to in `source`, or of their indices if it is NULL. */
static VkrResult add_copy(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list,
                          const char *name, const vkr_view *source, const vkr_view *target,
                          uint64_t pitch, bool padded)
{
    const vkr_picking picking = {.walk = &t->walk,
                                 .gpu_count = &t->info->gpuCount,
                                 .workgroup_size = t->walk.workgroup_size,
                                 .length = t->length,
                                 .row_pitch = t->by_offsets ? 0 : t->pitch,
                                 .wanted = t->wanted,
                                 .pitch = pitch,
                                 .entries = t->rows * t->wanted,
                                 .list = *list,
                                 .source_name =
                                     source == &t->input ? "input" : "a payload's source",
                                 .name = name,
                                 .source = source != NULL ? *source : (vkr_view){0},
                                 .target = *target,
                                 .spans = t->spans.at,
                                 .padded = padded,
                                 .pad = vkr_last_of_order(t->input.type, &t->order)};
    return vkr_plan_picking(recorder, &picking);
}

VkrResult vkr_copy_keys(VkrRecorder recorder, const vkr_topk *t, vkr_view *keys)
{
    VKR_TRY(vkr_add_sort_scratch(recorder, t->rows * t->wanted, t->input.type_id, 1, keys));
    return add_copy(recorder, t, &t->list, "scratch", &t->input, keys, t->wanted, t->by_offsets);
}

VkrResult vkr_copy_outputs(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list)
{
    const uint64_t k = t->info->k;
    if (vkr_has_buffer(&t->values))
        VKR_TRY(add_copy(recorder, t, list, "values", &t->input, &t->values, k, false));
    if (vkr_has_buffer(&t->indices))
        VKR_TRY(add_copy(recorder, t, list, "indices", NULL, &t->indices, k, false));
    return VKR_SUCCESS;
}

VkrResult vkr_copy_payloads(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list)
{
    for (uint32_t i = 0; i < t->info->payloadCount; i++) {
        const VkrPayload *p = &t->info->payloads[i];
        const vkr_view source = vkr_view_of_source(&t->walk, p), target = vkr_view_of_target(p);
        VKR_TRY(
            add_copy(recorder, t, list, "a payload's target", &source, &target, t->info->k, false));
    }
    return VKR_SUCCESS;
}
