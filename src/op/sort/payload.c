/* SPDX-License-Identifier: MIT */
/* Payloads of sorts, and which steps a request becomes. One payload of words moves with the keys;
 * all others are gathered afterwards, by the list of indices. Segments by offsets take two sorts:
 * one of all keys, and one of the segments that these are in, which is stable. */
#include <stdio.h>

#include "../../plan/rows.h"
#include "../../plan/payload.h"
#include "kernel_list.h"
#include "request.h"

#define TRIPS 16u /* of its invocations, unless there are too many workgroups */

/* ---- Checks, which are those of compactions, and more ---- */

VkrResult vkr_check_sort_payloads(const vkr_walk *w, uint32_t count, const VkrPayload *payloads)
{
    char name[40];
    VKR_MUST(w, count <= VKR_MAX_SORT_PAYLOADS, "payloadCount is %u, but must be at most %u.",
             count, VKR_MAX_SORT_PAYLOADS);
    VKR_TRY(vkr_check_payloads(w, count, payloads));
    for (uint32_t i = 0; i < count; i++) {
        const vkr_view target = vkr_view_of_target(&payloads[i]);
        (void)snprintf(name, sizeof(name), "payloads[%u].target", i);
        VKR_MUST(w, !payloads[i].rejected,
                 "payloads[%u].rejected is set, but must be 0: a sort rejects nothing.", i);
        VKR_TRY(vkr_check_holds(w, name, &target));
    }
    return VKR_SUCCESS;
}

static vkr_view source_of(const vkr_sort_call *c, uint32_t i)
{
    return vkr_view_of_source(&c->walk, &c->info->payloads[i]);
}

static vkr_view target_of(const vkr_sort_call *c, uint32_t i)
{
    return vkr_view_of_target(&c->info->payloads[i]);
}

/* Whether the only payload is one of words. */
static bool is_one_word(const vkr_sort_call *c)
{
    return c->info->payloadCount == 1 && c->info->payloads[0].size == 4;
}

bool vkr_is_payload_in_place(const vkr_sort_call *c)
{
    const VkrPayload *p = c->info->payloads;
    if (!is_one_word(c))
        return false;
    const vkr_view source = source_of(c, 0), target = target_of(c, 0);
    return p->source.buffer == p->target.buffer && source.offset == target.offset &&
           source.stride == target.stride;
}

/* ---- Segments by offsets ---- */

/* Adds a step that stores the numbers of the segments that listed elements are in; or for each
 * position, the listed element's index in the segment of the position, which is that of the
 * element. */
static VkrResult add_segments(VkrRecorder recorder, const vkr_sort_call *c, bool numbers,
                              const vkr_view *list, const vkr_view *target)
{
    vkr_walk walk = vkr_new_groups_walk(recorder, c->walk.call);
    const VkrGpuCount *count = &c->info->gpuCount;
    const VkrBufferRange *offsets = &c->info->segments.offsets;
    const uint64_t words = c->offsets * c->offset_words, elements = c->walk.count;
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_sort_segments_card,
        .kernel = VKR_KERNEL_SORT_SEGMENTS,
        .constants = {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP,
                      [VKR_SORT_SEGMENTS_CONST_FLAGS] =
                          vkr_count_flags(count) | (numbers ? VKR_SORT_SEGMENTS_FLAG_NUMBERS : 0) |
                          (c->offset_words == 2 ? VKR_SORT_SEGMENTS_FLAG_OFFSETS64 : 0)},
        .slots = {[VKR_SORT_SEGMENTS_SLOT_OFFSETS] =
                      vkr_items(vkr_place_of_words(offsets->buffer, offsets->offset, 1), 0, words),
                  [VKR_SORT_SEGMENTS_SLOT_LIST] = vkr_items(vkr_place_of_view(list), 0, elements),
                  [VKR_SORT_SEGMENTS_SLOT_TARGET] =
                      vkr_items(vkr_place_of_view(target), 0, elements),
                  [VKR_SORT_SEGMENTS_SLOT_COUNT] = {.place = vkr_place_of_count(count)}}};
    struct vkr_sort_segments_push *push = VKR_PUSH(&pass, vkr_sort_segments_push);
    push->count = (uint32_t)elements;
    push->offsets = (uint32_t)c->offsets;
    const uint64_t most = vkr_min(65536, vkr_all_groups(&walk.context->caps));
    return vkr_emit_groups(recorder, &pass,
                           vkr_clamp(elements / (VKR_SMALL_WORKGROUP * TRIPS), 1, most));
}

/* Sorts all keys, then the numbers of their segments. The list then has indices in the whole. */
static VkrResult plan_segments(VkrRecorder recorder, vkr_sort_call *c, vkr_sort *sort)
{
    vkr_view numbers;
    sort->sorted = (vkr_view){0};
    VKR_TRY(vkr_check_sort_reach(&c->walk, "indices", &c->indices));
    VKR_TRY(vkr_add_sort_scratch(recorder, sort->count, VKR_TYPE_U32, 1, &sort->ranked));
    VKR_TRY(vkr_check_sort_reach(&c->walk, "the numbers of segments", &sort->ranked));
    VKR_TRY(vkr_plan_sort_keys(recorder, c, sort));
    VKR_TRY(vkr_add_sort_scratch(recorder, sort->count, VKR_TYPE_U32, 1, &numbers));
    VKR_TRY(add_segments(recorder, c, true, &sort->ranked, &numbers));
    sort->order = vkr_order_of(&vkr_types[VKR_TYPE_U32], false, false);
    sort->begin = 0;
    sort->end = (uint32_t)vkr_clamp(vkr_log2_up(c->offsets + 1), 1, 32);
    sort->keys = numbers;
    sort->values = sort->ranked;
    VKR_TRY(vkr_add_sort_scratch(recorder, sort->count, VKR_TYPE_U32, 1, &sort->ranked));
    VKR_TRY(vkr_plan_sort(recorder, sort));
    if (vkr_has_buffer(&c->sort.sorted)) {
        const vkr_gathered keys = {c->sort.keys, c->sort.sorted, "keys", "sorted keys"};
        VKR_TRY(vkr_gather_sorted(recorder, sort, &sort->ranked, &keys));
    }
    return vkr_has_buffer(&c->indices)
               ? add_segments(recorder, c, false, &sort->ranked, &c->indices)
               : VKR_SUCCESS;
}

/* ---- All steps ---- */

/* The sort of all keys, which moves their indices where these are wanted. */
static vkr_sort sort_of(const vkr_sort_call *c)
{
    const VkrSortInfo *info = c->info;
    vkr_sort sort = c->sort;
    sort.walk = &c->walk;
    sort.count = c->walk.count;
    sort.gpu_count = &info->gpuCount;
    sort.algorithm = info->algorithm;
    sort.workgroup_size = info->workgroupSize;
    sort.ranked = c->indices;
    return sort;
}

VkrResult vkr_plan_sort_call(VkrRecorder recorder, vkr_sort_call *c)
{
    const uint32_t payloads = c->info->payloadCount;
    vkr_sort sort = sort_of(c);
    if (c->apart)
        return vkr_plan_sort_apart(recorder, c, &sort);
    if (c->offsets != 0 && sort.count != 0) {
        VKR_TRY(plan_segments(recorder, c, &sort));
    } else if (is_one_word(c) && !vkr_has_buffer(&c->indices) && c->offsets == 0 &&
               c->info->thenCount == 0) {
        sort.values = source_of(c, 0);
        sort.ranked = target_of(c, 0);
        return vkr_plan_sort(recorder, &sort);
    } else {
        if (payloads != 0 && !vkr_has_buffer(&c->indices))
            VKR_TRY(vkr_add_sort_scratch(recorder, sort.count, VKR_TYPE_U32, 1, &sort.ranked));
        VKR_TRY(vkr_plan_sort_keys(recorder, c, &sort));
    }
    for (uint32_t i = 0; i < payloads && sort.count != 0; i++) {
        const vkr_gathered payload = {source_of(c, i), target_of(c, i), "a payload's source",
                                      "a payload's target"};
        VKR_TRY(vkr_gather_sorted(recorder, &sort, &sort.ranked, &payload));
    }
    return VKR_SUCCESS;
}
