/* SPDX-License-Identifier: MIT */
/* What the passes of a compaction store, and what those that test elements have in common. */
#include "compact.h"

#define MAX_POSITIONS ((uint64_t)1 << 30)

/* ---- What is stored ---- */

/* An output, as add_output takes it. */
typedef struct vkr_output {
    const vkr_view *view;
    uint32_t side;
    bool is_indices;
    bool appended;
    uint64_t limit;
    uint64_t first_index;
} vkr_output;

/* Whether a set has room for an output and all its other outputs agree with that. */
static bool joins(const vkr_stored *stored, const vkr_output *o)
{
    const vkr_view *taken = o->is_indices ? stored->indices[o->side] : stored->values[o->side];
    const bool side_used = stored->values[o->side] != NULL || stored->indices[o->side] != NULL;
    const bool indices_used =
        stored->indices[VKR_KEPT] != NULL || stored->indices[VKR_REJECTED] != NULL;
    return taken == NULL && (!side_used || stored->limit[o->side] == o->limit) &&
           (o->side != VKR_KEPT || !side_used || stored->appended == o->appended) &&
           (!indices_used || stored->first_index == o->first_index);
}

/* Adds an output to the first set that has room for it. */
static void add_output(const vkr_compact *c, vkr_all_stored *all, vkr_output o)
{
    if (!vkr_is_there(o.view) || o.limit == 0)
        return;
    o.limit = o.appended ? o.limit : vkr_min(o.limit, c->walk.count);
    uint32_t i = 0;
    while (i < all->count && !joins(&all->sets[i], &o))
        i++;
    vkr_stored *stored = &all->sets[i];
    const uint64_t reach =
        vkr_min(vkr_view_reach(&c->context->caps, o.view, o.limit), MAX_POSITIONS);
    const uint64_t window = stored->window[o.side];
    all->count = i == all->count ? i + 1 : all->count;
    stored->window[o.side] = window != 0 ? vkr_min(window, reach) : reach;
    stored->limit[o.side] = o.limit;
    if (o.side == VKR_KEPT)
        stored->appended = o.appended;
    if (o.is_indices) {
        stored->indices[o.side] = o.view;
        stored->first_index = o.first_index;
    } else {
        stored->values[o.side] = o.view;
    }
}

void vkr_collect_outputs(const vkr_compact *c, vkr_all_stored *all)
{
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_side *s = &c->sides[side];
        const bool appended = vkr_is_appended(c, side);
        add_output(c, all,
                   (vkr_output){&s->indices, side, true, appended,
                                vkr_side_capacity(c, side, s->indices.capacity),
                                c->info->firstIndex});
        if (c->values_too)
            add_output(c, all,
                       (vkr_output){&s->values, side, false, appended,
                                    vkr_side_capacity(c, side, s->values.capacity), 0});
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *list = &c->sides[side].list;
        if (c->by_list[side] && list->buffer == VKR_SCRATCH)
            add_output(c, all, (vkr_output){list, side, true, false, list->capacity, 0});
    }
}

/* ---- Passes ---- */

void vkr_fill_tested(const vkr_pass *pass, const vkr_compact *c, const vkr_window *window,
                     vkr_step *step)
{
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    if (window->count == 0 || c->bits)
        return;
    vkr_place elements = vkr_place_of_view(&c->tested);
    const bool before =
        c->predicate % 16 == VKR_TEST_UNIQUE && (window->first != 0 || c->continued);
    elements.offset -= before ? elements.stride : 0;
    (void)vkr_fill(pass, step, VKR_COMPACT_SLOT_TESTED, elements, window->first,
                   window->count + before);
    push->input_base += before ? push->input_stride : 0;
    push->load_base = vkr_bind_loads(&c->walk, window, push->input_base, step);
}

bool vkr_has_gpu_constants(const vkr_compact *c)
{
    return c->info->predicate.gpuConstants.buffer != VK_NULL_HANDLE;
}

bool vkr_compact_gathers(const vkr_compact *c)
{
    return c->info->append.buffer != VK_NULL_HANDLE || vkr_has_gpu_constants(c);
}

uint32_t vkr_compact_flags(const vkr_compact *c)
{
    return vkr_count_flags(&c->info->gpuCount) |
           (vkr_compact_gathers(c) ? VKR_COMPACT_FLAG_GATHERED : 0) |
           (vkr_has_gpu_constants(c) ? VKR_COMPACT_FLAG_GPU_CONSTANTS : 0) |
           (c->continued ? VKR_COMPACT_FLAG_CONTINUED : 0);
}

/* The kernel of passes that load elements. Invocations that have a batch of units of each tile can
 * hold it in registers. */
static uint32_t kernel_of_elements(const vkr_compact *c, uint32_t mode)
{
    const vkr_walk *w = &c->walk;
    const uint32_t held = vkr_kernel_of(w, VKR_FAMILY_COMPACT_TILE, w->loads);
    const bool holds = mode == VKR_MODE_TILES && w->order == VKR_ORDER_COALESCED && w->loads != 0 &&
                       w->items == w->batch * w->unit;
    return holds && held < vkr_kernel_count ? held : vkr_kernel_of(w, VKR_FAMILY_COMPACT, w->loads);
}

vkr_pass vkr_compact_pass(const vkr_compact *c, const vkr_walk *w, uint32_t mode, uint32_t flags,
                          const VkrGpuCount *count)
{
    const bool elements = mode != VKR_MODE_PARTIALS && mode != VKR_MODE_GATHER;
    vkr_pass pass = {.walk = w,
                     .card = &vkr_compact_card,
                     .kernel = elements ? kernel_of_elements(c, mode)
                                        : vkr_kernel_of(&c->walk, VKR_FAMILY_COMPACT, 0),
                     .constants = {[VKR_COMPACT_CONST_PREDICATE] = c->predicate,
                                   [VKR_CONST_COMPONENTS] = c->tested.components,
                                   [VKR_CONST_FLAGS] = flags,
                                   [VKR_COMPACT_CONST_MODE] = mode,
                                   [VKR_COMPACT_CONST_MUTED] =
                                       mode == VKR_MODE_TILES ? c->context->caps.muted_tile : 0},
                     .slots = {[VKR_COMPACT_SLOT_RECORD] = {.place = c->record},
                               [VKR_COMPACT_SLOT_COUNT] = {.place = vkr_place_of_count(count)}},
                     .in_order = true};
    if (elements && c->bits)
        pass.slots[VKR_COMPACT_SLOT_WORDS] =
            (vkr_bound){.place = vkr_place_of_words(c->tested.buffer, c->tested.offset, 1),
                        .span = VKR_SPAN_BITS};
    return pass;
}
