/* SPDX-License-Identifier: MIT */
/* The outputs of a compaction, as sets of what one walk over the elements stores. */
#include "compact.h"

/* An output, and where it is written. */
typedef struct vkr_output {
    const vkr_view *view;
    uint32_t side, kind; /* VKR_VALUES or VKR_INDICES */
    bool appended;
    uint64_t limit;
    uint64_t first_index;
} vkr_output;

/* Whether a set has room for an output and all its other outputs agree with that. */
static bool joins(const vkr_stored *stored, const vkr_output *o)
{
    const vkr_view *const *outputs = stored->outputs[o->side];
    const bool side_used = outputs[VKR_VALUES] != NULL || outputs[VKR_INDICES] != NULL;
    const bool indices_used = stored->outputs[VKR_KEPT][VKR_INDICES] != NULL ||
                              stored->outputs[VKR_REJECTED][VKR_INDICES] != NULL;
    return outputs[o->kind] == NULL && (!side_used || stored->limit[o->side] == o->limit) &&
           (o->side != VKR_KEPT || !side_used || stored->appended == o->appended) &&
           (!indices_used || stored->first_index == o->first_index);
}

/* Adds an output to the first set that has room for it. */
static void add_output(const vkr_compact *c, vkr_all_stored *all, vkr_output o)
{
    if (!vkr_has_buffer(o.view) || o.limit == 0)
        return;
    o.limit = o.appended ? o.limit : vkr_min(o.limit, c->walk.count);
    uint32_t i = 0;
    while (i < all->count && !joins(&all->sets[i], &o))
        i++;
    vkr_stored *stored = &all->sets[i];
    const uint64_t reach =
        vkr_min(vkr_view_reach(&c->walk.context->caps, o.view, o.limit), VKR_MAX_POSITIONS);
    const uint64_t window = stored->window[o.side];
    all->count = (uint32_t)vkr_max(all->count, i + 1);
    stored->window[o.side] = window != 0 ? vkr_min(window, reach) : reach;
    stored->limit[o.side] = o.limit;
    stored->outputs[o.side][o.kind] = o.view;
    if (o.side == VKR_KEPT)
        stored->appended = o.appended;
    if (o.kind == VKR_INDICES)
        stored->first_index = o.first_index;
}

void vkr_collect_outputs(const vkr_compact *c, vkr_all_stored *all)
{
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_side *s = &c->sides[side];
        const bool appended = vkr_is_appended(c, side);
        const uint64_t indices = vkr_side_capacity(c, side, s->indices.capacity);
        const uint64_t values = vkr_side_capacity(c, side, s->values.capacity);
        add_output(
            c, all,
            (vkr_output){&s->indices, side, VKR_INDICES, appended, indices, c->info->firstIndex});
        if (c->moves_values)
            add_output(c, all, (vkr_output){&s->values, side, VKR_VALUES, appended, values, 0});
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *list = &c->sides[side].list;
        if (list->buffer == VKR_SCRATCH)
            add_output(c, all, (vkr_output){list, side, VKR_INDICES, false, list->capacity, 0});
    }
}
