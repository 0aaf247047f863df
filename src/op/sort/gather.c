/* SPDX-License-Identifier: MIT */
/* Memory of sorts, and the steps that move entries to their positions by a list of indices. */
#include <inttypes.h>

#include "../../plan/pick.h"
#include "request.h"

VkrResult vkr_check_sort_reach(const vkr_walk *w, const char *what, const vkr_view *view)
{
    const vkr_caps *caps = &w->context->caps;
    const vkr_place place = vkr_place_of_view(view);
    const uint64_t reach = vkr_has_buffer(view) ? vkr_place_window(caps, &place, 0) : UINT64_MAX;
    VKR_FIT(w, w->count <= reach, "count is %" PRIu64 ", but must be at most %" PRIu64 ", since %s",
            w->count, reach, what);
    return VKR_SUCCESS;
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

/* Moves entries by a list, or copies them where it is NULL. */
static VkrResult move(VkrRecorder recorder, const vkr_sort *s, const vkr_view *list,
                      const vkr_view *source, const vkr_view *target, const vkr_gathered *names)
{
    const uint64_t row = vkr_sort_row(s);
    vkr_walk walk = vkr_new_groups_walk(recorder, s->walk->call);
    walk.count = s->count;
    const vkr_picking picking = {.walk = &walk,
                                 .gpu_count = s->gpu_count,
                                 .workgroup_size = VKR_SMALL_WORKGROUP,
                                 .length = row,
                                 .row_pitch = row,
                                 .wanted = row,
                                 .pitch = row,
                                 .entries = s->count,
                                 .list = list != NULL ? vkr_place_of_view(list) : (vkr_place){0},
                                 .source_name = names->source_name,
                                 .name = names->target_name,
                                 .source = *source,
                                 .target = *target};
    return vkr_plan_picking(recorder, &picking);
}

VkrResult vkr_gather_sorted(VkrRecorder recorder, const vkr_sort *s, const vkr_view *list,
                            const vkr_gathered *g)
{
    const vkr_view *source = &g->source, *target = &g->target;
    vkr_view copy;
    if (source->buffer != target->buffer || source->offset != target->offset)
        return move(recorder, s, list, source, target, g);
    const VkrType type = vkr_type_of_size(source->type->size);
    VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, source->components, &copy));
    VKR_TRY(move(recorder, s, NULL, source, &copy, g));
    return move(recorder, s, list, &copy, target, g);
}
