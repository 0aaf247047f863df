/* SPDX-License-Identifier: MIT */
/* Payloads of sorts, and which steps a request becomes. One payload of words moves with the keys;
 * all others are gathered afterwards, by the list of indices. Segments by offsets take two sorts:
 * one of all keys, and one of the segments that these are in, which is stable. */
#include <stdio.h>

#include "../../plan/rows.h"
#include "../../plan/payload.h"
#include "kernel_list.h"
#include "request.h"

#define WORKGROUP 64u /* of the kernel that finds segments */
#define TRIPS 16u     /* of its invocations, unless there are too many workgroups */
#define SOURCES "sources of payloads"
#define TARGETS "targets of payloads"

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

static vkr_view source_of(const vkr_sort *s, uint32_t i)
{
    return vkr_view_of_source(&s->walk, &s->info->payloads[i]);
}

static vkr_view target_of(const vkr_sort *s, uint32_t i)
{
    return vkr_view_of_target(&s->info->payloads[i]);
}

/* Whether the only payload is one of words. */
static bool is_one_word(const vkr_sort *s)
{
    return s->info->payloadCount == 1 && s->info->payloads[0].size == 4;
}

bool vkr_is_payload_in_place(const vkr_sort *s)
{
    const VkrPayload *p = s->info->payloads;
    if (!is_one_word(s))
        return false;
    const vkr_view source = source_of(s, 0), target = target_of(s, 0);
    return p->source.buffer == p->target.buffer && source.offset == target.offset &&
           source.stride == target.stride;
}

/* ---- Segments by offsets ---- */

/* Adds a step that stores the numbers of the segments that listed elements are in; or for each
 * position, the listed element's index in the segment of the position, which is that of the
 * element. */
static VkrResult add_segments(VkrRecorder recorder, const vkr_sort *s, bool numbers,
                              const vkr_view *list, const vkr_view *target)
{
    vkr_walk walk = vkr_new_groups_walk(recorder, s->walk.call);
    const VkrGpuCount *count = &s->info->gpuCount;
    const VkrBufferRange *offsets = &s->info->segments.offsets;
    const uint64_t words = s->offsets * (s->offset_words), elements = s->walk.count;
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_sort_segments_card,
        .kernel = VKR_KERNEL_SORT_SEGMENTS,
        .constants = {[VKR_CONST_WORKGROUP] = WORKGROUP,
                      [VKR_SORT_SEGMENTS_CONST_FLAGS] =
                          vkr_count_flags(count) | (numbers ? VKR_SORT_SEGMENTS_FLAG_NUMBERS : 0) |
                          (s->offset_words == 2 ? VKR_SORT_SEGMENTS_FLAG_OFFSETS64 : 0)},
        .slots = {[VKR_SORT_SEGMENTS_SLOT_OFFSETS] =
                      vkr_items(vkr_place_of_words(offsets->buffer, offsets->offset, 1), 0, words),
                  [VKR_SORT_SEGMENTS_SLOT_LIST] = vkr_items(vkr_place_of_view(list), 0, elements),
                  [VKR_SORT_SEGMENTS_SLOT_TARGET] =
                      vkr_items(vkr_place_of_view(target), 0, elements),
                  [VKR_SORT_SEGMENTS_SLOT_COUNT] = {.place = vkr_place_of_count(count)}}};
    struct vkr_sort_segments_push *push = VKR_PUSH(&pass, vkr_sort_segments_push);
    walk.label = s->walk.label;
    push->count = (uint32_t)elements;
    push->offsets = (uint32_t)s->offsets;
    const uint64_t most = vkr_min(65536, vkr_all_groups(&walk.context->caps));
    const vkr_window window = {.groups = vkr_clamp(elements / (WORKGROUP * TRIPS), 1, most)};
    return vkr_emit_window(recorder, &pass, &window);
}

/* Sorts all keys, then the numbers of their segments. The list then has indices in the whole. */
static VkrResult plan_segments(VkrRecorder recorder, const vkr_sort *s, vkr_sorting *sorting)
{
    const uint64_t count = s->walk.count;
    vkr_view numbers;
    sorting->sorted = (vkr_view){0};
    VKR_TRY(vkr_check_sort_reach(&s->walk, "indices", &s->indices));
    VKR_TRY(vkr_add_sort_scratch(recorder, count, VKR_TYPE_U32, 1, &sorting->ranked));
    VKR_TRY(vkr_check_sort_reach(&s->walk, "the numbers of segments", &sorting->ranked));
    VKR_TRY(vkr_plan_sort(recorder, sorting));
    VKR_TRY(vkr_add_sort_scratch(recorder, count, VKR_TYPE_U32, 1, &numbers));
    VKR_TRY(add_segments(recorder, s, true, &sorting->ranked, &numbers));
    sorting->order = vkr_order_of(&vkr_types[VKR_TYPE_U32], false, false);
    sorting->begin = 0;
    sorting->end = (uint32_t)vkr_clamp(vkr_log2_up(s->offsets + 1), 1, 32);
    sorting->keys = numbers;
    sorting->values = sorting->ranked;
    VKR_TRY(vkr_add_sort_scratch(recorder, count, VKR_TYPE_U32, 1, &sorting->ranked));
    VKR_TRY(vkr_plan_sort(recorder, sorting));
    if (vkr_has_buffer(&s->sorted)) {
        const vkr_gathered keys = {s->keys, s->sorted, "keys", "sorted keys"};
        VKR_TRY(vkr_gather_sorted(recorder, s, &sorting->ranked, &keys));
    }
    return vkr_has_buffer(&s->indices)
               ? add_segments(recorder, s, false, &sorting->ranked, &s->indices)
               : VKR_SUCCESS;
}

/* ---- All steps ---- */

VkrResult vkr_plan_sort_request(VkrRecorder recorder, const vkr_sort *s)
{
    const VkrSortInfo *info = s->info;
    const bool carried = is_one_word(s) && !vkr_has_buffer(&s->indices) && s->offsets == 0;
    vkr_sorting sorting = {.walk = &s->walk,
                           .order = vkr_order_of(s->keys.type,
                                                 (info->flags & VKR_SORT_DESCENDING_BIT) != 0,
                                                 (info->flags & VKR_SORT_NAN_FIRST_BIT) != 0),
                           .begin = s->begin,
                           .end = s->end,
                           .count = s->walk.count,
                           .gpu_count = &info->gpuCount,
                           .row = s->row,
                           .algorithm = info->algorithm,
                           .workgroup_size = info->workgroupSize,
                           .keys = s->keys,
                           .sorted = s->sorted,
                           .ranked = s->indices};
    if (s->offsets != 0 && s->walk.count != 0) {
        VKR_TRY(plan_segments(recorder, s, &sorting));
    } else if (carried) {
        sorting.values = source_of(s, 0);
        sorting.ranked = target_of(s, 0);
        sorting.values_name = SOURCES;
        sorting.ranked_name = TARGETS;
        return vkr_plan_sort(recorder, &sorting);
    } else {
        if (info->payloadCount != 0 && !vkr_has_buffer(&s->indices))
            VKR_TRY(
                vkr_add_sort_scratch(recorder, s->walk.count, VKR_TYPE_U32, 1, &sorting.ranked));
        VKR_TRY(vkr_plan_sort(recorder, &sorting));
    }
    for (uint32_t i = 0; i < info->payloadCount && s->walk.count != 0; i++) {
        const vkr_gathered payload = {source_of(s, i), target_of(s, i), SOURCES, TARGETS};
        VKR_TRY(vkr_gather_sorted(recorder, s, &sorting.ranked, &payload));
    }
    return VKR_SUCCESS;
}
