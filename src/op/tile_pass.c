/* SPDX-License-Identifier: MIT */
/* The dispatches of a pass over tiles. */
#include "tiles.h"

#include "../plan/bits.h"

/* The number of rows of elements before a row of tiles; the rows of all layers count. */
static uint64_t rows_before(const vkr_tiles *t, uint64_t row_of_tiles)
{
    const uint64_t layer = row_of_tiles / t->rows, row = row_of_tiles % t->rows;
    return layer * t->height + row * t->tile_height;
}

/* The number of rows of elements up to the end of a row of tiles. */
static uint64_t rows_through(const vkr_tiles *t, uint64_t row_of_tiles)
{
    const uint64_t layer = row_of_tiles / t->rows, row = row_of_tiles % t->rows;
    return layer * t->height + vkr_min((row + 1) * t->tile_height, t->height);
}

static uint64_t trips_of_id(const vkr_reduce *r, const vkr_tile_pass *p)
{
    const uint64_t lanes = p->team == 0 ? r->walk.workgroup_size : 1;
    const uint64_t reads = p->partials && !p->squares ? p->parts : p->part_length;
    return 64 + 10 * (uint64_t)vkr_count_ops(r) * r->input.components +
           vkr_divide_up(reads, lanes) * (2 * vkr_trips_per_element(r) + 2);
}

static uint64_t max_items(const vkr_reduce *r, const vkr_tile_pass *p)
{
    return vkr_clamp(VKR_ELEMENT_TRIPS / trips_of_id(r, p), 1, VKR_ELEMENT_TRIPS);
}

/* The number of ids that a tile has in a pass. */
static uint64_t ids_of_tile(const vkr_tile_pass *p)
{
    return p->partials ? 1 : p->parts;
}

/* The number of elements, or of partials in rows, from `first` on that descriptors reach. */
static uint64_t reach_of_items(const vkr_tile_pass *p, uint64_t first)
{
    const vkr_reduce *r = p->reduce;
    const vkr_caps *caps = &r->context->caps;
    if (p->partials)
        return vkr_place_window(caps, &p->source, first);
    const uint64_t elements =
        vkr_is_image(&r->input) ? VKR_MAX_REACH : vkr_reach_of_elements(r, first);
    return r->masked ? vkr_min(elements, vkr_bits_reach(caps)) : elements;
}

/* The number of tiles from `first` on whose rows the descriptors reach, at most `most`. */
static uint64_t reach_of_rows(const vkr_tile_pass *p, uint64_t first, uint64_t most)
{
    const vkr_tiles *t = p->tiles;
    const uint64_t begin = first / t->columns;
    const uint64_t row = rows_before(t, begin);
    const uint64_t end = row + reach_of_items(p, row * t->width) / t->width;
    uint64_t rows = begin;
    while (rows * t->columns < first + most && rows_through(t, rows) <= end)
        rows++;
    return vkr_min(most, rows * t->columns - vkr_min(first, rows * t->columns));
}

/* The number of tiles from `first` on that one dispatch takes. */
static uint64_t reach_of_tiles(const vkr_tile_pass *p, uint64_t first)
{
    const vkr_reduce *r = p->reduce;
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = caps->max_range - caps->granule;
    const uint64_t lanes = p->team == 0 ? 1 : r->walk.workgroup_size;
    const uint64_t groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH);
    const uint64_t ids = vkr_min(groups * lanes * max_items(r, p), VKR_MAX_REACH);
    uint64_t reach = vkr_min(ids / ids_of_tile(p), room / r->layout.stride);
    if (p->parts != 1 || !p->results)
        reach = vkr_min(reach, room / (p->parts * r->partial_bytes));
    reach = vkr_min(reach, p->count - first);
    const bool in_rows = p->partials ? p->squares : !vkr_is_image(&r->input) || r->masked;
    return in_rows ? reach_of_rows(p, first, reach) : reach;
}

static void set_uniforms(const vkr_reduce *r, const vkr_tile_pass *p, vkr_pass *pass)
{
    const vkr_image *image = &r->input.image;
    const vkr_tiles *t = p->tiles;
    struct vkr_tile_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_tile_uniforms);
    *uniforms = (struct vkr_tile_uniforms){
        .origin = {image->x, image->y, image->z, image->lod},
        .width = t->width,
        .height = t->height,
        .tile_width = t->tile_width,
        .tile_height = t->tile_height,
        .columns = t->columns,
        .rows = t->rows,
        .parts = (uint32_t)p->parts,
        .part_length = (uint32_t)p->part_length,
        .capacity_low = (uint32_t)r->walk.count,
        .capacity_high = (uint32_t)(r->walk.count >> 32),
    };
    vkr_set_map(&r->input, uniforms->weights, &uniforms->bias);
}

/* Whether a dispatch of all tiles can have their columns and rows as its own. */
static bool can_be_grid(const vkr_tile_pass *p, uint64_t count)
{
    const vkr_tiles *t = p->tiles;
    const vkr_caps *caps = &p->reduce->context->caps;
    return p->squares && caps->grid_coordinates && count == p->count &&
           t->columns <= caps->max_groups[0] &&
           (uint64_t)t->rows * t->layers <= caps->max_groups[1];
}

/* Binds the rows, of elements or of partials, that tiles are cut from. Those of elements become the
 * window's. */
static void bind_rows(const vkr_tile_pass *p, uint64_t first, uint64_t count, vkr_pass *pass,
                      vkr_window *window)
{
    const vkr_reduce *r = p->reduce;
    const vkr_tiles *t = p->tiles;
    const uint64_t row = rows_before(t, first / t->columns);
    const uint64_t rows = rows_through(t, (first + count - 1) / t->columns) - row;
    VKR_PUSH(pass, vkr_tile_push)->first_row = (uint32_t)row;
    if (p->partials) {
        pass->slots[VKR_TILE_PARTIALS] =
            (vkr_bound){p->source, VKR_SPAN_ITEMS, row * t->width, rows * t->width};
        return;
    }
    window->first = row * t->width;
    window->count = vkr_min(rows * t->width, r->walk.count - window->first);
    pass->slots[VKR_TILE_INPUT] =
        (vkr_bound){.place = vkr_place_of_view(&r->input), .span = VKR_SPAN_ELEMENTS};
    pass->slots[VKR_TILE_INPUT2] =
        (vkr_bound){.place = vkr_place_of_view(&r->input2), .span = VKR_SPAN_ELEMENTS};
    pass->slots[VKR_TILE_MASK] = (vkr_bound){.place = r->mask, .span = VKR_SPAN_BITS};
}

static void bind_tiles(const vkr_tile_pass *p, uint64_t first, uint64_t count, vkr_pass *pass,
                       vkr_window *window)
{
    const vkr_reduce *r = p->reduce;
    if (p->partials && !p->squares)
        pass->slots[VKR_TILE_PARTIALS] =
            (vkr_bound){p->source, VKR_SPAN_ITEMS, first * p->parts, count * p->parts};
    else
        bind_rows(p, first, count, pass, window);
    if (p->results)
        pass->slots[VKR_TILE_RESULTS] = (vkr_bound){r->results, VKR_SPAN_ITEMS, first, count};
    else
        pass->slots[VKR_TILE_STORED] =
            (vkr_bound){p->target, VKR_SPAN_ITEMS, first * p->parts, count * p->parts};
    pass->slots[VKR_TILE_COUNT].place = vkr_place_of_count(&r->info->gpuCount);
}

/* The number of workgroups for ids: in a grid each row has its own. */
static uint64_t groups_for(const vkr_tile_pass *p, bool grid, uint64_t ids, uint64_t share)
{
    const vkr_tiles *t = p->tiles;
    return grid ? vkr_divide_up(t->columns, share) * t->rows * t->layers
                : vkr_divide_up(ids, share);
}

/* The number of ids of an invocation, or of a workgroup: several, where there is enough to do. Of
 * squares each has one, as far as a dispatch reaches. */
static uint64_t items_for(const vkr_tile_pass *p, const vkr_walk *w, uint64_t teams)
{
    const uint64_t full = p->squares ? vkr_min(vkr_all_groups(&w->context->caps), VKR_MAX_REACH)
                                     : 4 * (uint64_t)w->tuning->maxGroups;
    return vkr_clamp(vkr_divide_up(teams, full), 1, max_items(p->reduce, p));
}

static VkrResult add_dispatch(VkrRecorder recorder, const vkr_tile_pass *p, const vkr_walk *w,
                              uint64_t first, uint64_t count)
{
    const vkr_reduce *r = p->reduce;
    const uint64_t ids = count * ids_of_tile(p);
    const uint64_t lanes = p->team == 0 ? 1 : w->workgroup_size;
    const uint64_t items = items_for(p, w, vkr_divide_up(ids, lanes));
    const bool grid = items == 1 && can_be_grid(p, count);
    const uint32_t flags =
        (p->squares ? VKR_TILE_FLAG_SQUARES : 0) | (grid ? VKR_TILE_FLAG_GRID : 0);
    vkr_window window = {.groups = groups_for(p, grid, ids, lanes * items),
                         .rows = grid ? p->tiles->rows * p->tiles->layers : 0};
    vkr_pass pass =
        vkr_reduce_pass(r, w, w->loads_image ? &vkr_tile_image_card : &vkr_tile_card, !p->partials,
                        p->results ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL, flags);
    pass.constants[VKR_TILE_CONST_TEAM] = p->team;
    set_uniforms(r, p, &pass);
    struct vkr_tile_push *push = VKR_PUSH(&pass, vkr_tile_push);
    push->first_tile = (uint32_t)first;
    push->ids = (uint32_t)ids;
    push->items = (uint32_t)items;
    bind_tiles(p, first, count, &pass, &window);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_add_tile_pass(VkrRecorder recorder, const vkr_tile_pass *p)
{
    const vkr_reduce *r = p->reduce;
    vkr_walk w = r->walk;
    if (p->partials) {
        vkr_set_loads(&w, 0);
        w.batch = 1;
    }
    for (uint64_t first = 0, count; first < p->count; first += count) {
        count = reach_of_tiles(p, first);
        if (count == 0)
            return vkr_fail_reach(r, "a row of tiles",
                                  (uint64_t)p->tiles->width * p->tiles->tile_height *
                                      (p->partials ? p->source.stride : r->input.stride));
        VKR_TRY(vkr_check_dispatches(r, p->count - first, count));
        VKR_TRY(add_dispatch(recorder, p, &w, first, count));
    }
    return VKR_SUCCESS;
}
