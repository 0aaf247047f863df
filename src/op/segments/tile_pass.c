/* SPDX-License-Identifier: MIT */
/* What only dispatches of tiles have: the rows that tiles are cut from, and grids. */
#include "../../plan/bits.h"
#include "segments.h"

/* The number of rows of elements before a row of tiles, counted through all layers. */
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

/* The number of rows of tiles that lie in the first rows of elements. */
static uint64_t rows_of_tiles_within(const vkr_tiles *t, uint64_t rows)
{
    const uint64_t layer = rows / t->height, row = rows % t->height;
    return layer * t->rows + row / t->tile_height;
}

/* The number of elements, or of partials in rows, starting at `first` that descriptors reach. */
static uint64_t reach_of_items(const vkr_level *l, uint64_t first)
{
    const vkr_reduce *r = l->reduce;
    const vkr_caps *caps = &r->context->caps;
    if (l->partials)
        return vkr_place_window(caps, &l->source, first);
    const uint64_t elements =
        vkr_is_image(&r->input) ? VKR_MAX_REACH : vkr_reach_of_elements(r, first);
    return r->masked ? vkr_min(elements, vkr_bits_reach(caps)) : elements;
}

uint64_t vkr_reach_of_tiles(const vkr_level *l, uint64_t first, uint64_t max)
{
    const vkr_tiles *t = &l->tiles;
    const vkr_reduce *r = l->reduce;
    const bool in_rows = l->partials ? l->squares : !vkr_is_image(&r->input) || r->masked;
    if (!in_rows)
        return max;
    const uint64_t begin = first / t->columns;
    const uint64_t row = rows_before(t, begin);
    const uint64_t end = row + reach_of_items(l, row * t->width) / t->width;
    const uint64_t rows =
        vkr_min(rows_of_tiles_within(t, end), vkr_divide_up(first + max, t->columns));
    return vkr_min(max, rows * t->columns - vkr_min(first, rows * t->columns));
}

static void set_uniforms(const vkr_level *l, vkr_pass *pass)
{
    const vkr_view *input = &l->reduce->input;
    const vkr_image *image = &input->image;
    const vkr_tiles *t = &l->tiles;
    struct vkr_tile_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_tile_uniforms);
    *uniforms = (struct vkr_tile_uniforms){
        .origin = {image->x, image->y, image->z, image->lod},
        .width = t->width,
        .height = t->height,
        .tile_width = t->tile_width,
        .tile_height = t->tile_height,
        .columns = t->columns,
        .rows = t->rows,
        .parts = (uint32_t)l->parts,
        .part_length = (uint32_t)l->how.part_length,
        .capacity_low = (uint32_t)l->elements,
        .capacity_high = (uint32_t)(l->elements >> 32),
    };
    vkr_set_map(input, uniforms->weights, &uniforms->bias);
}

/* Sets which rows, of elements or of partials, the tiles of a dispatch are cut from. */
static void set_rows(const vkr_level *l, const vkr_segment_window *h, vkr_pass *pass,
                     vkr_window *window)
{
    const vkr_tiles *t = &l->tiles;
    const uint64_t row = rows_before(t, h->first / t->columns);
    const uint64_t rows = rows_through(t, (h->first + h->count - 1) / t->columns) - row;
    vkr_bound *partials = &pass->slots[VKR_TILE_PARTIALS];
    VKR_PUSH(pass, vkr_tile_push)->first_row = (uint32_t)row;
    *partials = vkr_items(partials->place, row * t->width, rows * t->width);
    if (!l->partials) {
        window->first = row * t->width;
        window->count = vkr_min(rows * t->width, l->elements - window->first);
    }
}

/* Gives a dispatch the grid of the squares, where that is possible. */
static void set_grid(const vkr_level *l, const vkr_segment_window *h, uint64_t items,
                     vkr_pass *pass, vkr_window *window)
{
    const vkr_tiles *t = &l->tiles;
    const vkr_caps *caps = &l->reduce->context->caps;
    const uint64_t rows = (uint64_t)t->rows * t->layers;
    const uint64_t lanes = l->how.team == 0 ? 1 : l->reduce->walk.workgroup_size;
    if (items != 1 || !caps->grid_coordinates || h->count != l->of.count ||
        t->columns > caps->max_groups[0] || rows > caps->max_groups[1])
        return;
    pass->constants[VKR_CONST_FLAGS] |= VKR_TILE_FLAG_GRID;
    window->height = (uint32_t)rows;
    window->groups = vkr_divide_up(t->columns, lanes) * rows;
}

void vkr_set_tiles(const vkr_level *l, const vkr_segment_window *h, uint64_t ids, uint64_t items,
                   vkr_pass *pass, vkr_window *window)
{
    struct vkr_tile_push *push = VKR_PUSH(pass, vkr_tile_push);
    set_uniforms(l, pass);
    push->first_tile = (uint32_t)h->first;
    push->ids = (uint32_t)ids;
    push->items = (uint32_t)items;
    if (l->squares) {
        pass->constants[VKR_CONST_FLAGS] |= VKR_TILE_FLAG_SQUARES;
        set_grid(l, h, items, pass, window);
    }
    if (!l->partials || l->squares)
        set_rows(l, h, pass, window);
}
