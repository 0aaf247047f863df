/* SPDX-License-Identifier: MIT */
/*
 * What payloads, values and lengths of runs move from and to: the units of their entries, the
 * windows of them that a dispatch reaches, and how a pass binds these. The passes are those of
 * marks.c and lists.c.
 */
#include "../../tables/kernels.h"
#include "compact.h"

bool vkr_has_source(const vkr_move *move)
{
    return vkr_has_buffer(&move->source);
}

/* Chooses units as wide as one load can be, where entries allow that. */
static void choose_units(vkr_move *move)
{
    const uint32_t size = (uint32_t)vkr_element_size(&move->target);
    const VkDeviceSize ends = size | move->source.offset | move->source.stride |
                              move->target.offset | move->target.stride;
    const uint32_t wide = ends % 16 == 0 ? 16 : ends % 8 == 0 ? 8 : move->target.type->size;
    move->unit = vkr_has_source(move) ? wide : 4;
    move->units = vkr_has_source(move) ? size / wide : 1;
}

/* Chooses whether units are loaded as texels, as the tuning row says. */
static void choose_texels(const vkr_compact *c, vkr_move *move)
{
    const VkrTuning *tuning =
        &c->walk.context->tunings[VKR_OPERATION_COMPACT][vkr_tuning_index(1, 4)];
    const VkrTexels *texels = &move->source.texels;
    move->texels = vkr_has_source(move) && move->unit == VKR_PACK &&
                   texels->view != VK_NULL_HANDLE && tuning->path == VKR_LOAD_TEXEL &&
                   (move->source.offset - texels->offset) % VKR_PACK == 0;
}

static vkr_move complete(const vkr_compact *c, vkr_move move)
{
    choose_units(&move);
    choose_texels(c, &move);
    return move;
}

vkr_move vkr_move_of_payload(const vkr_compact *c, const VkrPayload *p)
{
    return complete(c, (vkr_move){.side = vkr_side_of(p),
                                  .source = vkr_view_of_source(&c->walk, p),
                                  .target = vkr_view_of_target(p)});
}

vkr_move vkr_move_of_values(const vkr_compact *c, uint32_t side)
{
    vkr_move move = {.side = side,
                     .source = vkr_units_of_view(&c->input),
                     .target = vkr_units_of_view(&c->sides[side].values)};
    move.source.texels = c->input.texels;
    return complete(c, move);
}

vkr_move vkr_move_of_lengths(const vkr_compact *c)
{
    return complete(c, (vkr_move){.side = VKR_KEPT, .target = vkr_units_of_view(&c->lengths)});
}

/* ---- Windows ---- */

vkr_bound vkr_start_items(const vkr_view *view, uint32_t unit)
{
    vkr_bound items = vkr_items(vkr_place_of_view(view), 0, 0);
    items.place.unit = unit;
    return items;
}

bool vkr_next_items(vkr_bound *items, uint64_t total, uint64_t reach)
{
    items->first += items->count;
    items->count = vkr_min(total - items->first, reach);
    return items->first != total;
}

/* ---- Bindings ---- */

/* Both cards start with the rows of shaders/cards/moved.h. */
_Static_assert(offsetof(struct vkr_move_push, record_base) == 0 &&
                   offsetof(struct vkr_payload_push, record_base) == 0,
               "vkr_moved_push is the start of the push constants of moves");
_Static_assert((int)VKR_MOVE_SLOT_RECORD == (int)VKR_PAYLOAD_SLOT_RECORD,
               "the first slots of moves are the same");

/* Binds the texels of the source. */
static void finish_texels(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    (void)window;
    vkr_fill_texels(step, &((const vkr_move *)pass->operation)->source);
}

static void bind_texels(const vkr_move *move, uint64_t first, vkr_pass *pass)
{
    const vkr_view *view = &move->source;
    struct vkr_moved_push *push = VKR_PUSH(pass, vkr_moved_push);
    const VkDeviceSize at = view->offset + first * view->stride - view->texels.offset;
    push->source_base = (uint32_t)(at / VKR_PACK);
    push->source_stride = (uint32_t)(view->stride / VKR_PACK);
    pass->finish = finish_texels;
    pass->operation = move;
}

void vkr_bind_move(const vkr_compact *c, const vkr_move *move, const vkr_bound *source,
                   const vkr_bound *target, vkr_pass *pass)
{
    struct vkr_moved_push *push = VKR_PUSH(pass, vkr_moved_push);
    push->source_count = (uint32_t)source->count;
    VKR_SET64(push, target, target->first);
    push->target_count = (uint32_t)target->count;
    pass->slots[VKR_MOVE_SLOT_RECORD] = (vkr_bound){.place = c->record};
    pass->slots[VKR_MOVE_SLOT_TARGET] = *target;
    if (vkr_loads_texels(pass->kernel))
        bind_texels(move, source->first, pass);
    else
        pass->slots[VKR_MOVE_SLOT_SOURCE] = *source;
}
