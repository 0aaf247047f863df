/* SPDX-License-Identifier: MIT */
/* What the passes of a compaction store, and what the passes that test elements share. */
#include "../../plan/call.h"
#include "../../tables/policies.h"
#include "compact.h"

#include <inttypes.h>
#include <string.h>

/* ---- Outputs ---- */

/* An output, and where it is written. */
typedef struct vkr_output {
    const vkr_view *view;
    uint32_t side, kind; /* VKR_VALUES or VKR_INDICES */
    bool appended;
    uint64_t limit;
    uint64_t first_index;
} vkr_output;

/* Whether a set has room for an output that is compatible with the other outputs of the set. */
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

VkrResult vkr_check_compact_pairs(const vkr_compact *c, uint64_t read, uint64_t stored)
{
    if (stored <= VKR_MAX_PAIRS && read * stored <= VKR_MAX_PAIRS)
        return VKR_SUCCESS;
    return vkr_refuse_dispatches(&c->walk, VKR_MAX_PAIRS,
                                 "count is %" PRIu64 ", which makes %" PRIu64
                                 " windows that are read, each with %" PRIu64 " that are stored",
                                 c->walk.count, read, stored);
}

/* ---- Passes ---- */

void vkr_fill_tested(const vkr_pass *pass, const vkr_compact *c, const vkr_window *window,
                     vkr_step *step)
{
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    if (c->function != NULL) {
        step->variant.function = c->function;
        vkr_use_hook(c->info->predicate.flags.hook, step);
    }
    if (window->count == 0 || c->bits)
        return;
    vkr_place elements = vkr_place_of_view(&c->tested);
    const bool before =
        c->predicate % 16 == VKR_TEST_UNIQUE && (window->first != 0 || c->continued);
    elements.offset -= before ? elements.stride : 0;
    if (elements.buffer != VK_NULL_HANDLE)
        (void)vkr_fill(pass, step, VKR_COMPACT_SLOT_TESTED, elements, window->first,
                       window->count + before);
    push->input_base += before ? push->input_stride : 0;
    push->load_base = vkr_bind_loads(&c->walk, window, push->input_base, step);
}

bool vkr_compact_gathers(const vkr_compact *c)
{
    return c->info->append.buffer != VK_NULL_HANDLE || c->gpu_constants.buffer != VK_NULL_HANDLE;
}

bool vkr_holds_tiles(const vkr_compact *c, uint32_t mode)
{
    const vkr_walk *w = &c->walk;
    return vkr_can_hold_tile(w, mode, w->batch) &&
           vkr_kernel_of(w, VKR_FAMILY_COMPACT_TILE, w->loads) < vkr_kernel_count;
}

/* The kernel of passes that load elements. */
static uint32_t kernel_of_elements(const vkr_compact *c, uint32_t mode)
{
    const vkr_walk *w = &c->walk;
    return vkr_holds_tiles(c, mode) ? vkr_kernel_of(w, VKR_FAMILY_COMPACT_TILE, w->loads)
                                    : vkr_walk_kernel(w);
}

/* Rounds of units that a row of lanes stages before it stores them: as many as the policy's words
 * hold, and shared memory beside the kernel's other arrays. Units of one element are stored side by
 * side in any case. */
static uint32_t staged_rounds(const vkr_compact *c)
{
    const vkr_walk *w = &c->walk;
    const uint32_t others = 8 * vkr_walk_subgroups(w) + 64;
    const uint32_t room = (w->context->caps.max_shared_memory - others) / (4 * w->workgroup_size);
    const uint32_t words = vkr_element_size(w->view) > 4 ? 2 : 1; /* of an element */
    const uint32_t staged = vkr_compact_policy_of(w->context)->staged_words;
    return w->unit == 1 ? 0
                        : (uint32_t)vkr_min(vkr_min(staged, room) / (w->unit * words), w->batch);
}

vkr_pass vkr_compact_pass(const vkr_compact *c, uint32_t mode, uint32_t flags)
{
    const VkrGpuCount *count = &c->info->gpuCount;
    const bool elements = mode != VKR_MODE_PARTIALS && mode != VKR_MODE_GATHER;
    const uint32_t kernel =
        elements ? kernel_of_elements(c, mode) : vkr_kernel_of(&c->walk, VKR_FAMILY_COMPACT, 0);
    const bool held = elements && kernel != vkr_walk_kernel(&c->walk);
    const uint32_t own =
        (vkr_compact_gathers(c) ? VKR_COMPACT_FLAG_GATHERED : 0) |
        (c->gpu_constants.buffer != VK_NULL_HANDLE ? VKR_COMPACT_FLAG_GPU_CONSTANTS : 0) |
        (c->continued ? VKR_COMPACT_FLAG_CONTINUED : 0);
    vkr_pass pass = {.walk = &c->walk,
                     .card = &vkr_compact_card,
                     .kernel = kernel,
                     .constants = {[VKR_COMPACT_CONST_PREDICATE] = c->predicate,
                                   [VKR_CONST_COMPONENTS] = c->tested.components,
                                   [VKR_CONST_FLAGS] = vkr_count_flags(count) | own | flags,
                                   [VKR_COMPACT_CONST_MODE] = mode,
                                   [VKR_COMPACT_CONST_MUTED] = vkr_muted_tile(&c->walk, mode),
                                   [VKR_COMPACT_CONST_STAGED] = held ? staged_rounds(c) : 0},
                     .slots = {[VKR_COMPACT_SLOT_RECORD] = {.place = c->record},
                               [VKR_COMPACT_SLOT_COUNT] = {.place = vkr_place_of_count(count)}},
                     .in_order = true};
    if (elements)
        memcpy(VKR_UNIFORMS(&pass, vkr_compact_uniforms)->constants, c->constants,
               sizeof c->constants);
    if (elements)
        pass.slots[VKR_COMPACT_SLOT_SOURCE] = c->beside;
    if (elements && c->bits)
        pass.slots[VKR_COMPACT_SLOT_WORDS] =
            vkr_per_bit(vkr_place_of_words(c->tested.buffer, c->tested.offset, 1));
    return pass;
}
