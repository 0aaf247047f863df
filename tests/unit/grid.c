/* SPDX-License-Identifier: MIT */
/* Grids: each part of random grids is in one box, and each box with each window of what the GPU
 * chooses of its rows; descriptors reach what boxes touch. */
#include "trace.h"

#include <stdlib.h>

#include "../../src/plan/grid.h"
#include "../../src/plan/rows.h"
#include "kernel_list.h"

#define RANGE 65536u
#define GRIDS 1000u

/* Entries of rows, as in plan/pick.c: a list, sources of which any can be an entry's, and
 * targets. */
typedef struct request {
    uint64_t first_row, rows, wanted, entries;
    uint64_t length, sources; /* of a row, and of all rows from the first one */
    uint64_t list_stride, source_stride, pitch;
    uint64_t max_cells;
} request;

static request random_request(uint64_t *seed)
{
    request r = {.first_row = random_below(seed, 3),
                 .rows = 1 + random_below(seed, 40),
                 .wanted = 1 + random_below(seed, random_below(seed, 3) == 0 ? 30000 : 300),
                 .list_stride = UINT64_C(4) << random_below(seed, 4),
                 .source_stride = UINT64_C(4) << random_below(seed, 6)};
    r.max_cells = random_below(seed, 2) * (1 + random_below(seed, 5000) + r.rows * r.wanted / 20);
    r.pitch = r.wanted + random_below(seed, 10);
    r.length = r.wanted + random_below(seed, 1000);
    r.entries = (r.rows - 1) * r.wanted + 1 + random_below(seed, r.wanted);
    r.sources = (r.first_row + r.rows - 1) * r.length + 1 + random_below(seed, r.length);
    return r;
}

static vkr_place place_at(char buffer, uint64_t stride)
{
    return (vkr_place){BUFFER(buffer), 20, stride, 4, 4};
}

/* The targets of all rows from the first one; the last row may have fewer. */
static uint64_t end_of_targets(const request *r)
{
    return (r->first_row + r->rows - 1) * r->pitch + r->entries - (r->rows - 1) * r->wanted;
}

static VkrResult emit(const request *r)
{
    vkr_walk walk = vkr_new_groups_walk(fixture.recorder, "grid");
    walk.count = r->sources;
    const uint64_t before = r->first_row * r->wanted;
    const vkr_grid grid = {.first_row = r->first_row,
                           .rows = r->rows,
                           .parts = r->wanted,
                           .cells = r->entries,
                           .share = 256,
                           .max_cells = r->max_cells};
    const vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_pick_card,
        .kernel = VKR_KERNEL_PICK_32,
        .constants = {[VKR_CONST_WORKGROUP] = 64, [VKR_PICK_CONST_UNITS] = 1},
        .slots = {[VKR_PICK_SLOT_LIST] =
                      vkr_part_items("list", place_at('L', r->list_stride), r->wanted, r->wanted, 1,
                                     before + r->entries),
                  [VKR_PICK_SLOT_SOURCE] =
                      vkr_any_of("source", place_at('S', r->source_stride), r->length, r->sources),
                  [VKR_PICK_SLOT_TARGET] = vkr_part_items("target", place_at('T', 4), r->pitch,
                                                          r->wanted, 1, end_of_targets(r))}};
    const VkrResult result = vkr_operation_begin(fixture.recorder, "grid", NULL);
    assert_int_equal(result, VKR_SUCCESS);
    return vkr_operation_end(fixture.recorder, vkr_emit_grid(fixture.recorder, &pass, &grid));
}

/* Checks that a binding starts with an item of a buffer, and holds so many. */
static void check_binding(const VkDescriptorBufferInfo *bound, char buffer, uint64_t first,
                          uint64_t count, uint64_t stride)
{
    const uint64_t begin = 20 + first * stride;
    assert_ptr_equal(bound->buffer, BUFFER(buffer));
    assert_int_equal(bound->offset, begin / 64 * 64);
    assert_int_equal(bound->offset + bound->range, begin + (count - 1) * stride + 4);
}

/* Checks one step, where a box starts with a cell, and the windows of its sources so far end. */
static void check_step(const request *r, const trace_dispatch *d, uint64_t cell, uint64_t *end)
{
    const struct vkr_pick_push *push = (const void *)d->words;
    const uint64_t row = cell / r->wanted, part = cell % r->wanted, cells = push->entries;
    const uint64_t rows = vkr_divide_up(part + cells, r->wanted);
    const uint64_t targets = (rows - 1) * r->pitch + (rows == 1 ? cells : r->wanted);
    assert_int_equal(push->first_row, row);
    assert_int_equal(push->first_entry, part);
    assert_true(part == 0 || rows == 1);
    assert_true(r->max_cells == 0 || cells <= r->max_cells);
    assert_int_equal(d->groups[0], vkr_divide_up(cells, 256));
    check_binding(&d->bindings[VKR_PICK_BINDING_LIST], 'L', cell, cells, r->list_stride);
    if (*end == 0)
        *end = row * r->length;
    assert_int_equal(push->source_first, *end);
    check_binding(&d->bindings[VKR_PICK_BINDING_SOURCE], 'S', *end, push->source_count,
                  r->source_stride);
    *end += push->source_count;
    const uint64_t target = row * r->pitch + part, left = end_of_targets(r) - target;
    check_binding(&d->bindings[VKR_PICK_BINDING_TARGET], 'T', target, vkr_min(targets, left), 4);
}

static int compare_steps(const void *a, const void *b)
{
    const struct vkr_pick_push *x = (const void *)((const trace_dispatch *)a)->words;
    const struct vkr_pick_push *y = (const void *)((const trace_dispatch *)b)->words;
    const uint32_t keys[2][3] = {{x->first_row, x->first_entry, x->source_first},
                                 {y->first_row, y->first_entry, y->source_first}};
    for (uint32_t i = 0; i < 3; i++)
        if (keys[0][i] != keys[1][i])
            return keys[0][i] < keys[1][i] ? -1 : 1;
    return 0;
}

/* Checks the steps in the order of the grid. The recorder has put those first that do not wait. */
static void check_steps(const request *r)
{
    uint64_t cell = r->first_row * r->wanted, end = 0;
    qsort(fixture.dispatches, fixture.dispatch_count, sizeof *fixture.dispatches, compare_steps);
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        const struct vkr_pick_push *push = (const void *)d->words;
        const uint64_t rows = vkr_divide_up(cell % r->wanted + push->entries, r->wanted);
        const uint64_t sources = (cell / r->wanted + rows) * r->length;
        check_step(r, d, cell, &end);
        if (end == vkr_min(sources, r->sources)) {
            cell += push->entries;
            end = 0;
        }
    }
    assert_int_equal(cell, r->first_row * r->wanted + r->entries);
}

TEST(test_boxes)
{
    uint64_t seed = 1;
    trace_open(&(trace_device){.range = RANGE});
    for (uint32_t i = 0; i < GRIDS; i += trace_step()) {
        const request r = random_request(&seed);
        trace_clear();
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(emit(&r), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        check_steps(&r);
    }
    trace_close();
}

TEST_MAIN("grid", CASE(test_boxes))
