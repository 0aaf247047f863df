/* SPDX-License-Identifier: MIT */
/* Payloads of sorts, and which steps a request becomes. One payload of words moves with the keys;
 * all others are gathered afterwards, by the list of indices. */
#include <inttypes.h>
#include <stdio.h>

#include "../plan/copy.h"
#include "../plan/rows.h"
#include "compact.h"
#include "kernel_list.h"
#include "sort_request.h"

#define WORKGROUP 64u
#define MAX_UNITS ((uint64_t)1 << 30) /* that a dispatch moves */
#define UNITS_EACH 16u                /* of an invocation, unless there are too many workgroups */
#define MAX_GROUPS 16384u

/* ---- Checks, which are those of compactions, and more ---- */

static vkr_compact as_compact(const vkr_sort *s, VkrCompactInfo *info)
{
    *info = (VkrCompactInfo){.payloadCount = s->info->payloadCount, .payloads = s->info->payloads};
    return (vkr_compact){.info = info, .walk = s->walk, .capacity = s->walk.count};
}

VkrResult vkr_check_sort_payloads(const vkr_sort *s)
{
    const vkr_walk *w = &s->walk;
    VkrCompactInfo info;
    vkr_compact c = as_compact(s, &info);
    char name[40];
    VKR_MUST(w, info.payloadCount <= VKR_MAX_SORT_PAYLOADS,
             "payloadCount is %u, but must be at most %u.", info.payloadCount,
             VKR_MAX_SORT_PAYLOADS);
    VKR_TRY(vkr_check_payloads(&c));
    for (uint32_t i = 0; i < info.payloadCount; i++) {
        const vkr_view target = vkr_view_of_target(&info.payloads[i]);
        (void)snprintf(name, sizeof(name), "payloads[%u].target", i);
        VKR_MUST(w, !info.payloads[i].rejected,
                 "payloads[%u].rejected is set, but must be 0: a sort rejects nothing.", i);
        VKR_TRY(vkr_check_holds(w, name, &target));
    }
    return VKR_SUCCESS;
}

vkr_region vkr_region_of_sort_payload(const vkr_sort *s, uint32_t i, bool written)
{
    VkrCompactInfo info;
    const vkr_compact c = as_compact(s, &info);
    vkr_region region = vkr_region_of_payload(&c, i, written);
    region.written = written;
    return region;
}

static vkr_view source_of(const vkr_sort *s, uint32_t i)
{
    VkrCompactInfo info;
    const vkr_compact c = as_compact(s, &info);
    return vkr_view_of_source(&c, &info.payloads[i]);
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

/* ---- Gathering ---- */

typedef struct gathering {
    const vkr_sort *sort;
    vkr_walk walk; /* without elements */
    vkr_view list, source, target;
    uint32_t unit, units; /* bytes of a unit, and units of an entry */
} gathering;

static void choose_units(gathering *g)
{
    const uint32_t size = (uint32_t)vkr_element_size(&g->target);
    const VkDeviceSize ends =
        size | g->source.offset | g->source.stride | g->target.offset | g->target.stride;
    g->unit = ends % 16 == 0 ? 16 : ends % 8 == 0 ? 8 : g->target.type->size;
    g->units = size / g->unit;
}

static VkrResult check_reach(const gathering *g, uint32_t i, const char *side, const vkr_view *view)
{
    const vkr_caps *caps = &g->walk.context->caps;
    const vkr_place place = vkr_place_of_view(view);
    const uint64_t reach = vkr_place_window(caps, &place, 0);
    VKR_NEED(&g->sort->walk, g->sort->walk.count <= reach,
             "count is %" PRIu64 ", but must be at most %" PRIu64
             ", so that payloads[%u].%s fits maxStorageBufferRange (%" PRIu64 " bytes).",
             g->sort->walk.count, reach, i, side, caps->max_range);
    return VKR_SUCCESS;
}

static vkr_bound all_of(const gathering *g, const vkr_view *view, uint32_t unit)
{
    vkr_bound bound = vkr_items(vkr_place_of_view(view), 0, g->sort->walk.count);
    bound.place.unit = unit;
    return bound;
}

static VkrResult add_gather(VkrRecorder recorder, const gathering *g, uint64_t first,
                            uint64_t entries)
{
    static const uint32_t kernels[] = {VKR_KERNEL_GATHER_SORTED_8, VKR_KERNEL_GATHER_SORTED_16,
                                       VKR_KERNEL_GATHER_SORTED_32, VKR_KERNEL_GATHER_SORTED_64,
                                       VKR_KERNEL_GATHER_SORTED_128};
    const vkr_sort *s = g->sort;
    const VkrGpuCount *count = &s->info->gpuCount;
    vkr_pass pass = {
        .walk = &g->walk,
        .card = &vkr_gather_sorted_card,
        .kernel = kernels[vkr_log2_up(g->unit)],
        .constants = {[VKR_CONST_WORKGROUP] = WORKGROUP,
                      [VKR_GATHER_SORTED_CONST_UNITS] = g->units,
                      [VKR_GATHER_SORTED_CONST_FLAGS] = vkr_count_flags(count)},
        .slots = {[VKR_GATHER_SORTED_SLOT_LIST] = all_of(g, &g->list, 4),
                  [VKR_GATHER_SORTED_SLOT_SOURCE] = all_of(g, &g->source, g->unit),
                  [VKR_GATHER_SORTED_SLOT_TARGET] = all_of(g, &g->target, g->unit),
                  [VKR_GATHER_SORTED_SLOT_COUNT] = {.place = vkr_place_of_count(count)}}};
    struct vkr_gather_sorted_push *push = VKR_PUSH(&pass, vkr_gather_sorted_push);
    push->first = (uint32_t)first;
    push->entries = (uint32_t)entries;
    push->count = (uint32_t)s->walk.count;
    push->row_length = (uint32_t)(s->row == 0 || s->row > UINT32_MAX ? UINT32_MAX : s->row);
    const uint64_t most = vkr_min(MAX_GROUPS, vkr_all_groups(&g->walk.context->caps));
    const vkr_window window = {
        .groups = vkr_clamp(entries * g->units / (WORKGROUP * UNITS_EACH), 1, most)};
    return vkr_emit_window(recorder, &pass, &window);
}

/* Adds the steps that move payload `i` by a list. */
static VkrResult gather(VkrRecorder recorder, const vkr_sort *s, const vkr_view *list, uint32_t i)
{
    gathering g = {.sort = s,
                   .walk = vkr_new_groups_walk(recorder, s->walk.call),
                   .list = *list,
                   .source = source_of(s, i),
                   .target = target_of(s, i)};
    g.walk.label = s->walk.label;
    if (vkr_is_payload_in_place(s)) {
        vkr_place copies;
        g.source.type_id = VKR_TYPE_U32;
        VKR_TRY(vkr_copy_elements(recorder, &s->walk, s->walk.count, &g.source, &copies));
        g.source.buffer = copies.buffer;
        g.source.offset = copies.offset;
        g.source.stride = copies.stride;
    }
    choose_units(&g);
    VKR_TRY(check_reach(&g, i, "source", &g.source));
    VKR_TRY(check_reach(&g, i, "target", &g.target));
    const uint64_t most = MAX_UNITS / g.units, count = s->walk.count;
    for (uint64_t first = 0; first < count; first += most)
        VKR_TRY(add_gather(recorder, &g, first, vkr_min(count - first, most)));
    return VKR_SUCCESS;
}

/* ---- All steps ---- */

static VkrResult add_list(VkrRecorder recorder, uint64_t count, vkr_view *list)
{
    *list = (vkr_view){.buffer = VKR_SCRATCH,
                       .type = &vkr_types[VKR_TYPE_U32],
                       .type_id = VKR_TYPE_U32,
                       .components = 1,
                       .stride = 4,
                       .size = 4 * count,
                       .capacity = count};
    return vkr_add_scratch(recorder, list->size, &list->offset);
}

VkrResult vkr_plan_sort_request(VkrRecorder recorder, const vkr_sort *s)
{
    const VkrSortInfo *info = s->info;
    const bool carried = is_one_word(s) && !vkr_is_there(&s->indices);
    vkr_sorting sorting = {.walk = &s->walk,
                           .order = vkr_order_of(s->keys.type,
                                                 (info->flags & VKR_SORT_DESCENDING_BIT) != 0,
                                                 (info->flags & VKR_SORT_NAN_FIRST_BIT) != 0),
                           .begin = s->begin,
                           .end = s->end,
                           .count = s->walk.count,
                           .gpu_count = &info->gpuCount,
                           .row = s->row,
                           .workgroup_size = info->workgroupSize,
                           .keys = s->keys,
                           .sorted = s->sorted,
                           .ranked = s->indices};
    if (carried) {
        sorting.values = source_of(s, 0);
        sorting.ranked = target_of(s, 0);
    } else if (info->payloadCount != 0 && !vkr_is_there(&s->indices)) {
        VKR_TRY(add_list(recorder, s->walk.count, &sorting.ranked));
    }
    VKR_TRY(vkr_plan_sort(recorder, &sorting));
    for (uint32_t i = 0; i < info->payloadCount && !carried && s->walk.count != 0; i++)
        VKR_TRY(gather(recorder, s, &sorting.ranked, i));
    return VKR_SUCCESS;
}
