/* SPDX-License-Identifier: MIT */
#include "grid.h"

#include <inttypes.h>

/* A position in the grid: the box that starts there. */
typedef struct cursor {
    const vkr_pass *pass;
    vkr_grid grid; /* with its defaults filled in */
    uint64_t end;  /* the number after that of the last part */
    vkr_window at;
} cursor;

/* A cursor at the first part. A dispatch has workgroups and numbers for `max_cells` parts. */
static cursor start(const vkr_pass *pass, const vkr_grid *grid)
{
    cursor c = {.pass = pass, .grid = *grid, .at.row = grid->first_row};
    vkr_grid *g = &c.grid;
    g->work = vkr_max(g->work, 1);
    g->share = vkr_max(g->share, 1);
    g->cells = g->cells != 0 ? g->cells : g->rows * g->parts;
    const uint64_t all = vkr_min(vkr_all_groups(&pass->walk->context->caps), UINT32_MAX);
    const uint64_t groups = all * g->share / g->work; /* below 2^64, since `all` is limited */
    g->max_cells = vkr_max(g->max_cells != 0 ? vkr_min(groups, g->max_cells) : groups, 1);
    c.end = g->first_row * g->parts + g->cells;
    return c;
}

/* ---- How much fits ---- */

/* The number of items that the slot's descriptor reaches, starting at `first`; or UINT64_MAX where
 * it reaches all that there are. */
static uint64_t reach_of(const cursor *c, const vkr_bound *bound, uint64_t first)
{
    const uint64_t reach = vkr_place_window(&c->pass->walk->context->caps, &bound->place, first);
    return bound->all <= first + reach ? UINT64_MAX : reach;
}

/* The number of whole rows, or of parts of the first one, that a slot's descriptor reaches. */
static uint64_t rows_within(const cursor *c, const vkr_bound *bound)
{
    const uint64_t reach = reach_of(c, bound, c->at.row * bound->pitch);
    if (reach == UINT64_MAX || (bound->pitch == 0 && bound->length <= reach))
        return UINT64_MAX;
    return reach < bound->length ? 0 : (reach - bound->length) / bound->pitch + 1;
}

static uint64_t parts_within(const cursor *c, const vkr_bound *bound)
{
    const uint64_t begin = c->at.part * bound->share;
    const uint64_t reach = reach_of(c, bound, c->at.row * bound->pitch + begin);
    if (reach >= bound->length - begin)
        return UINT64_MAX;
    return bound->share != 0 ? reach / bound->share : 0;
}

/* The smallest result for all slots; `slot` is the one that has it. */
static uint64_t least_of(const cursor *c,
                         uint64_t (*within)(const cursor *c, const vkr_bound *bound),
                         const vkr_bound **slot)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < VKR_MAX_SLOTS; i++) {
        const vkr_bound *bound = &c->pass->slots[i];
        if (bound->place.buffer == VK_NULL_HANDLE || bound->span != VKR_SPAN_PARTS)
            continue;
        const uint64_t fits = within(c, bound);
        if (fits < least) {
            least = fits;
            *slot = bound;
        }
    }
    return least;
}

static VkrResult refuse(const cursor *c, const vkr_bound *bound)
{
    const bool is_part = bound->share != 0 && bound->share < bound->length;
    return vkr_refuse_items(c->pass->walk, bound->name, is_part ? bound->share : bound->length,
                            &bound->place);
}

/* ---- Boxes ---- */

/* Makes the box that starts at the cursor: as many whole rows as possible, or parts of a row. */
static VkrResult make_box(cursor *c)
{
    const vkr_grid *grid = &c->grid;
    const vkr_bound *slot = NULL, *first = &c->pass->slots[0];
    vkr_window *box = &c->at;
    uint64_t rows = 0;
    if (box->part == 0)
        rows = vkr_min(least_of(c, rows_within, &slot), grid->max_cells / grid->parts);
    box->rows = vkr_clamp(rows, 1, grid->first_row + grid->rows - box->row);
    box->parts = grid->parts - box->part;
    if (rows == 0)
        box->parts =
            vkr_min(box->parts, vkr_min(least_of(c, parts_within, &slot), grid->max_cells));
    if (box->parts == 0)
        return refuse(c, slot);
    box->cell = box->row * grid->parts + box->part;
    box->cells = vkr_min(box->rows * box->parts, c->end - box->cell);
    box->groups = vkr_divide_up(box->cells * grid->work, grid->share);
    if (first->span == VKR_SPAN_PARTS) {
        const vkr_extent items = vkr_items_of_box(first, box);
        box->first = items.first;
        box->count = items.count;
    }
    return VKR_SUCCESS;
}

/* Moves the cursor behind its box. Returns whether there are cells left. */
static bool next_box(cursor *c)
{
    vkr_window *box = &c->at;
    box->part += box->parts;
    if (box->part == c->grid.parts) {
        box->part = 0;
        box->row += box->rows;
    }
    return box->row * c->grid.parts + box->part < c->end;
}

/* ---- Steps ---- */

static VkrResult check_steps(cursor c)
{
    uint64_t steps = 0, count;
    do {
        VKR_TRY(make_box(&c));
        VKR_TRY(vkr_count_any(c.pass, c.at, &count));
        steps += count;
        VKR_TRY(vkr_check_steps(c.pass, steps));
    } while (next_box(&c));
    return VKR_SUCCESS;
}

VkrResult vkr_emit_grid(VkrRecorder recorder, const vkr_pass *pass, const vkr_grid *grid)
{
    cursor c = start(pass, grid);
    if (c.grid.cells == 0)
        return VKR_SUCCESS;
    VKR_TRY(make_box(&c));
    if (c.at.cells == c.grid.cells)
        return vkr_emit_window(recorder, pass, &c.at);
    c = start(pass, grid);
    VKR_TRY(check_steps(c));
    do {
        VKR_TRY(make_box(&c));
        VKR_TRY(vkr_emit_window(recorder, pass, &c.at));
    } while (next_box(&c));
    return VKR_SUCCESS;
}
