/* SPDX-License-Identifier: MIT */
/* Moves entries to their positions by a list of indices, and copies them. */
#include <inttypes.h>

#include "../plan/rows.h"
#include "kernel_list.h"
#include "sort_request.h"

#define WORKGROUP 64u
#define MAX_UNITS ((uint64_t)1 << 30) /* that a dispatch moves */
#define UNITS_EACH 16u                /* of an invocation, unless there are too many workgroups */
#define MAX_GROUPS 16384u

typedef struct gathering {
    const vkr_sort *sort;
    vkr_walk walk; /* without elements */
    const vkr_view *list, *source, *target;
    uint32_t unit, units; /* bytes of a unit, and units of an entry */
} gathering;

static void choose_units(gathering *g)
{
    const uint32_t size = (uint32_t)vkr_element_size(g->target);
    const VkDeviceSize ends =
        size | g->source->offset | g->source->stride | g->target->offset | g->target->stride;
    g->unit = ends % 16 == 0  ? 16
              : ends % 8 == 0 ? 8
              : ends % 4 == 0 ? 4
                              : (uint32_t)vkr_min(g->target->type->size, 4);
    g->units = size / g->unit;
}

VkrResult vkr_check_sort_reach(const vkr_walk *w, const char *what, const vkr_view *view)
{
    const vkr_caps *caps = &w->context->caps;
    const vkr_place place = vkr_place_of_view(view);
    const uint64_t reach = vkr_has_buffer(view) ? vkr_place_window(caps, &place, 0) : UINT64_MAX;
    VKR_NEED(w, w->count <= reach,
             "count is %" PRIu64 ", but must be at most %" PRIu64
             ", so that %s fit maxStorageBufferRange (%" PRIu64 " bytes).",
             w->count, reach, what, caps->max_range);
    return VKR_SUCCESS;
}

static vkr_bound all_of(const gathering *g, const vkr_view *view, uint32_t unit)
{
    vkr_bound bound = {0};
    if (view == NULL)
        return bound;
    bound = vkr_items(vkr_place_of_view(view), 0, g->sort->walk.count);
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
                      [VKR_GATHER_SORTED_CONST_FLAGS] =
                          vkr_count_flags(count) |
                          (g->list == NULL ? VKR_GATHER_SORTED_FLAG_COPY : 0)},
        .slots = {[VKR_GATHER_SORTED_SLOT_LIST] = all_of(g, g->list, 4),
                  [VKR_GATHER_SORTED_SLOT_SOURCE] = all_of(g, g->source, g->unit),
                  [VKR_GATHER_SORTED_SLOT_TARGET] = all_of(g, g->target, g->unit),
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

/* Adds the steps that move entries by a list, or that copy them. */
static VkrResult move(VkrRecorder recorder, const vkr_sort *s, const vkr_view *list,
                      const vkr_view *source, const vkr_view *target)
{
    gathering g = {.sort = s,
                   .walk = vkr_new_groups_walk(recorder, s->walk.call),
                   .list = list,
                   .source = source,
                   .target = target};
    g.walk.label = s->walk.label;
    choose_units(&g);
    if (list != NULL)
        VKR_TRY(vkr_check_sort_reach(&s->walk, "indices", list));
    VKR_TRY(vkr_check_sort_reach(&s->walk, "sources of payloads", source));
    VKR_TRY(vkr_check_sort_reach(&s->walk, "targets of payloads", target));
    const uint64_t most = MAX_UNITS / g.units, count = s->walk.count;
    for (uint64_t first = 0; first < count; first += most)
        VKR_TRY(add_gather(recorder, &g, first, vkr_min(count - first, most)));
    return VKR_SUCCESS;
}

VkrType vkr_unit_type(uint32_t size)
{
    return size == 8   ? VKR_TYPE_U64
           : size == 4 ? VKR_TYPE_U32
           : size == 2 ? VKR_TYPE_U16
                       : VKR_TYPE_U8;
}

VkrResult vkr_add_sort_scratch(VkrRecorder recorder, uint64_t count, VkrType type,
                               uint32_t components, vkr_view *view)
{
    *view = (vkr_view){
        .buffer = VKR_SCRATCH, .type = &vkr_types[type], .type_id = type, .components = components};
    view->stride = vkr_element_size(view);
    view->size = count * view->stride;
    view->capacity = count;
    return vkr_add_scratch(recorder, view->size, &view->offset);
}

VkrResult vkr_gather_sorted(VkrRecorder recorder, const vkr_sort *s, const vkr_view *list,
                            const vkr_view *source, const vkr_view *target)
{
    vkr_view copy;
    if (source->buffer != target->buffer || source->offset != target->offset)
        return move(recorder, s, list, source, target);
    const VkrType type = vkr_unit_type(source->type->size);
    VKR_TRY(vkr_add_sort_scratch(recorder, s->walk.count, type, source->components, &copy));
    VKR_TRY(move(recorder, s, NULL, source, &copy));
    return move(recorder, s, list, &copy, target);
}
