/* SPDX-License-Identifier: MIT */
/* Calls an application's function for each kept element, by a list of their indices. */
#include "../../plan/call.h"
#include "../../plan/hook.h"
#include "compact.h"

#include <stdio.h>

VkrResult vkr_check_compact_sink(const vkr_compact *c)
{
    const VkrHook *sink = c->info->sink;
    const vkr_view *indices = &c->sides[VKR_KEPT].indices;
    const uint64_t stored = vkr_is_appended(c, VKR_KEPT) ? indices->capacity : c->walk.count;
    const vkr_region list = vkr_region_of_view("keptIndices", indices, stored, false);
    if (sink == NULL)
        return VKR_SUCCESS;
    VKR_TRY(vkr_check_sink(&c->walk, "sink", sink));
    for (uint32_t i = 0; i < sink->useCount; i++) {
        const VkrUse *use = &sink->uses[i];
        const bool written = (use->access & VK_ACCESS_SHADER_WRITE_BIT) != 0;
        char name[32];
        (void)snprintf(name, sizeof name, "sink->uses[%u]", i);
        const vkr_region region =
            vkr_region_of_bytes(name, use->buffer, use->offset, use->size, written);
        VKR_TRY(vkr_check_disjoint(&c->walk, &region, &list, 1, "be apart from it"));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_compact_sink(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_place record =
        vkr_place_of_bytes(c->record.buffer, c->record.offset + 4 * VKR_RECORD_KEPT,
                           4 * (VKR_RECORD_APPEND + 2 - VKR_RECORD_KEPT), 4);
    vkr_list list = {.place = vkr_place_of_view(&c->sides[VKR_KEPT].list),
                     .entries = vkr_min(c->capacity, c->walk.count),
                     .record = record,
                     .appended = vkr_is_appended(c, VKR_KEPT),
                     .limit = c->capacity};
    list.place.unit = 4;
    if (c->info->sink == NULL || list.entries == 0)
        return VKR_SUCCESS;
    return vkr_call_for_list(recorder, &c->walk, c->info->sink, &list);
}
