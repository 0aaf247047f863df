/* SPDX-License-Identifier: MIT */
#include "grid.h"

#include <inttypes.h>

/* A position in the grid: the box that starts there, and the window of what is swept. */
typedef struct cursor {
    const vkr_pass *pass;
    const vkr_grid *grid;
    vkr_window at;
} cursor;

static uint64_t work_of(const vkr_grid *grid)
{
    return vkr_max(grid->work, 1);
}

static uint64_t cells_of(const vkr_grid *grid)
{
    return grid->cells != 0 ? grid->cells : grid->rows * grid->parts;
}

/* The number after that of the last part. */
static uint64_t end_of(const vkr_grid *grid)
{
    return grid->first_row * grid->parts + cells_of(grid);
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

/* The maximum number of parts for which a dispatch has workgroups and numbers. */
static uint64_t max_cells(const cursor *c)
{
    const vkr_grid *grid = c->grid;
    const uint64_t groups = vkr_all_groups(&c->pass->walk->context->caps);
    const uint64_t cells = groups * vkr_max(grid->share, 1) / work_of(grid);
    return grid->max_cells != 0 ? vkr_min(cells, grid->max_cells) : cells;
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
    const vkr_grid *grid = c->grid;
    const vkr_bound *slot = NULL;
    const uint64_t most = max_cells(c);
    vkr_window *box = &c->at;
    uint64_t rows = 0;
    if (box->part == 0)
        rows = vkr_min(least_of(c, rows_within, &slot), most / grid->parts);
    box->rows = vkr_clamp(rows, 1, grid->first_row + grid->rows - box->row);
    box->parts = grid->parts - box->part;
    if (rows == 0)
        box->parts =
            vkr_min(box->parts, vkr_min(least_of(c, parts_within, &slot), vkr_max(most, 1)));
    if (box->parts == 0)
        return refuse(c, slot);
    box->cell = box->row * grid->parts + box->part;
    box->cells = vkr_min(box->rows * box->parts, end_of(grid) - box->cell);
    box->groups = vkr_divide_up(box->cells * work_of(grid), vkr_max(grid->share, 1));
    const vkr_bound *first = &c->pass->slots[0];
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
    if (box->part == c->grid->parts) {
        box->part = 0;
        box->row += box->rows;
    }
    return box->row * c->grid->parts + box->part < end_of(c->grid);
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
    cursor c = {.pass = pass, .grid = grid, .at.row = grid->first_row};
    if (cells_of(grid) == 0)
        return VKR_SUCCESS;
    VKR_TRY(check_steps(c));
    do {
        VKR_TRY(make_box(&c));
        VKR_TRY(vkr_emit_window(recorder, pass, &c.at));
    } while (next_box(&c));
    return VKR_SUCCESS;
}
