/* SPDX-License-Identifier: MIT */
/* How many values the dispatches of a reduction by squares read and write. */
#include "plans.h"

/* ---- Numbers of values, as in Goeddeke's tutorial for M x M texels ---- */

static const struct vkr_tile_uniforms *uniforms_of(const trace_dispatch *d)
{
    return (const void *)d->uniforms;
}

static void record_square(VkrReduceAlgorithm algorithm, uint32_t side)
{
    const VkrImage image = image_of('I', 0, VK_FORMAT_R32_SFLOAT, side, side);
    VkrReduceInfo info = plain_reduce();
    info.ops = VKR_OP_MAX;
    info.input = (VkrView){.image = &image};
    info.algorithm = algorithm;
    record_reduce(&info);
}

/* Checks that a dispatch makes one value of each square of its source, with an invocation or a
 * workgroup for each. */
static void check_dispatch(const trace_dispatch *d, uint32_t k, uint32_t source, uint32_t square,
                           bool grid)
{
    const struct vkr_tile_uniforms *u = uniforms_of(d);
    const struct vkr_tile_push *push = (const void *)d->words;
    const uint32_t flags = d->constants[VKR_CONST_FLAGS];
    const uint64_t teams =
        (uint64_t)d->groups[0] * d->groups[1] *
        (d->constants[VKR_TILE_CONST_TEAM] == 0 ? 1 : d->constants[VKR_CONST_WORKGROUP]);
    assert_int_equal(d->epoch, k);
    assert_int_equal(d->images, k == 0 ? 1 : 0);
    assert_int_equal(d->constants[VKR_CONST_INPUT],
                     k == 0 ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS);
    assert_int_equal(flags & VKR_TILE_FLAG_SQUARES, VKR_TILE_FLAG_SQUARES);
    assert_int_equal((flags & VKR_TILE_FLAG_GRID) != 0, grid);
    assert_int_equal(u->width, source);
    assert_int_equal(u->height, source);
    assert_int_equal(u->tile_width, square);
    assert_int_equal(u->tile_height, square);
    assert_int_equal(u->columns * square, source);
    assert_int_equal(u->rows * square, source);
    assert_int_equal(push->ids, u->columns * u->rows);
    assert_int_equal(push->items, 1);
    assert_true(teams >= push->ids);
    if (grid)
        assert_int_equal(d->groups[1], u->rows);
}

/* The first pass reads the image; the others read and write two places in turn. */
static void check_places(uint32_t dispatches)
{
    for (uint32_t k = 0; k + 1 < dispatches; k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        const VkDescriptorBufferInfo *stored = &d[0].bindings[VKR_TILE_BINDING_STORED];
        const VkDescriptorBufferInfo *read = &d[1].bindings[VKR_TILE_BINDING_PARTIALS];
        assert_int_equal(stored->offset, read->offset);
        assert_int_equal(stored->range, read->range);
        if (k >= 1)
            assert_int_not_equal(stored->offset, d[-1].bindings[VKR_TILE_BINDING_STORED].offset);
        if (k >= 2)
            assert_int_equal(stored->offset, d[-2].bindings[VKR_TILE_BINDING_STORED].offset);
    }
}

static void count_pingpong(uint32_t log, bool grid)
{
    const uint64_t side = UINT64_C(1) << log;
    uint64_t reads = 0, writes = 0;
    record_square(VKR_REDUCE_PINGPONG, (uint32_t)side);
    assert_int_equal(fixture.dispatch_count, log);
    for (uint32_t k = 0; k < log; k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        check_dispatch(d, k, (uint32_t)side >> k, 2, grid);
        reads += (uint64_t)uniforms_of(d)->width * uniforms_of(d)->height;
        writes += (uint64_t)uniforms_of(d)->columns * uniforms_of(d)->rows;
    }
    check_places(log);
    assert_int_equal(reads, 4 * (side * side - 1) / 3);
    assert_int_equal(writes, (side * side - 1) / 3);
}

EXTERN_TEST(test_square_counts)
{
    for (int grid = 0; grid < 2; grid++) {
        trace_open(&(trace_device){.grid = grid != 0});
        for (uint32_t log = 1; log <= 10; log++)
            count_pingpong(log, grid != 0);
        trace_close();
    }
}

/* As in OPENRNDR's recursion, a workgroup of 16 x 16 leaves one value. */
EXTERN_TEST(test_square_recursion)
{
    trace_open(&(trace_device){0});
    record_square(VKR_REDUCE_RECURSIVE_2D, 4096);
    assert_int_equal(fixture.dispatch_count, 3);
    for (uint32_t k = 0; k < 3; k++) {
        check_dispatch(&fixture.dispatches[k], k, 4096 >> 4 * k, 16, false);
        assert_int_equal(fixture.dispatches[k].constants[VKR_CONST_WORKGROUP], 256);
    }
    check_places(3);
    trace_close();
}
