/* SPDX-License-Identifier: MIT */
/* The sizes of the levels of pyramids, and the texels that their dispatches read and write. */
#include "plans.h"

#include <string.h>

EXTERN_TEST(test_pyramid_extents)
{
    static const struct {
        VkExtent2D source;
        VkrPyramidFirst first;
        VkExtent2D level;
        uint32_t count;
    } sizes[] = {
        {{1, 1}, VKR_PYRAMID_HALF, {1, 1}, 1},
        {{1, 1}, VKR_PYRAMID_EQUAL, {1, 1}, 1},
        {{1, 1}, VKR_PYRAMID_POWER_OF_TWO, {1, 1}, 1},
        {{1920, 1080}, VKR_PYRAMID_HALF, {960, 540}, 10},
        {{1920, 1080}, VKR_PYRAMID_EQUAL, {1920, 1080}, 11},
        {{1920, 1080}, VKR_PYRAMID_POWER_OF_TWO, {1024, 1024}, 11},
        {{1024, 3}, VKR_PYRAMID_POWER_OF_TWO, {512, 2}, 10},
        {{2, 1}, VKR_PYRAMID_EQUAL, {2, 1}, 2},
        {{32768, 32768}, VKR_PYRAMID_EQUAL, {32768, 32768}, VKR_MAX_PYRAMID_LEVELS},
    };
    for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
        VkExtent2D extents[2] = {{0, 0}, {7, 7}};
        assert_int_equal(vkrGetPyramidExtents(sizes[k].source, sizes[k].first, 1, extents),
                         sizes[k].count);
        assert_int_equal(extents[0].width, sizes[k].level.width);
        assert_int_equal(extents[0].height, sizes[k].level.height);
        assert_int_equal(extents[1].width, 7);
        assert_int_equal(vkrGetPyramidExtents(sizes[k].source, sizes[k].first, 0, NULL),
                         sizes[k].count);
    }
}

/* ---- Numbers of texels, as in Goeddeke's tutorial for M x M texels ---- */

static void count_pingpong(uint32_t side, uint32_t log)
{
    const uint64_t texels = (uint64_t)side * side;
    uint64_t reads = 0, writes = 0;
    pyramid_request r;
    make_pyramid(&r);
    r.info.ops = VKR_OP_MAX;
    r.info.algorithm = VKR_PYRAMID_PINGPONG;
    r.info.source.extent = (VkExtent3D){side, side, 1};
    make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, log);
    record_pyramid(&r.info);
    assert_int_equal(fixture.dispatch_count, log);
    for (uint32_t k = 0; k < log; k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        const struct vkr_pyramid_push *push = (const void *)d->words;
        assert_int_equal(d->epoch, k);
        assert_int_equal(d->images, 2);
        /* Each invocation that has a texel reads 2 x 2 texels and writes one. */
        assert_int_equal(d->constants[VKR_PYRAMID_CONST_HALVES], 1);
        assert_true((uint64_t)d->groups[0] * d->groups[1] * d->constants[VKR_CONST_WORKGROUP] >=
                    (uint64_t)push->level_width * push->level_height);
        writes += (uint64_t)push->level_width * push->level_height;
        reads += UINT64_C(4) * push->level_width * push->level_height;
    }
    assert_int_equal(reads, 4 * (texels - 1) / 3);
    assert_int_equal(writes, (texels - 1) / 3);
}

EXTERN_TEST(test_pyramid_counts)
{
    trace_open(&(trace_device){0});
    for (uint32_t log = 1; log <= 10; log++)
        count_pingpong(1u << log, log);
    trace_close();
}

/* Source texels are rounded to the levels' format, unless their channels have the same bits. */
EXTERN_TEST(test_pyramid_same)
{
    static const VkFormat sources[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_UNORM,
                                       VK_FORMAT_R8G8B8A8_SNORM};
    trace_open(&(trace_device){0});
    for (uint32_t k = 0; k < ARRAY_SIZE(sources); k++) {
        pyramid_request r;
        make_pyramid(&r);
        r.info.ops = VKR_OP_MEAN;
        r.info.algorithm = VKR_PYRAMID_PINGPONG;
        r.info.source.format = sources[k];
        r.info.source.extent = (VkExtent3D){64, 64, 1};
        make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, 2);
        record_pyramid(&r.info);
        assert_int_equal(fixture.dispatch_count, 2);
        assert_int_equal(fixture.dispatches[0].constants[VKR_PYRAMID_CONST_SAME], k == 0);
        assert_int_equal(fixture.dispatches[1].constants[VKR_PYRAMID_CONST_SAME], true);
    }
    trace_close();
}

/* ---- Several levels in one dispatch ---- */

static void record_side(VkrPyramidAlgorithm algorithm, uint32_t side, uint32_t levels,
                        VkrPyramidFirst first)
{
    pyramid_request r;
    make_pyramid(&r);
    r.info.ops = VKR_OP_MAX;
    r.info.algorithm = algorithm;
    r.info.first = first;
    r.info.source.extent = (VkExtent3D){side, side, 1};
    make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, levels);
    record_pyramid(&r.info);
}

/* As in OPENRNDR's recursion, a workgroup of 16 x 16 reduces 256 texels to one. */
EXTERN_TEST(test_pyramid_recursive)
{
    static const uint32_t groups[] = {256 * 256, 16 * 16, 1};
    trace_open(&(trace_device){0});
    record_side(VKR_PYRAMID_RECURSIVE_2D, 4096, 12, VKR_PYRAMID_HALF);
    assert_int_equal(fixture.dispatch_count, ARRAY_SIZE(groups));
    for (uint32_t k = 0; k < ARRAY_SIZE(groups); k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        const struct vkr_pyramid_tiles_push *push = (const void *)d->words;
        assert_int_equal(d->epoch, k);
        assert_int_equal(d->images, 5);
        assert_int_equal(d->constants[VKR_CONST_WORKGROUP], 256);
        assert_int_equal(push->groups, groups[k]);
        assert_int_equal(push->levels, 4);
        assert_int_equal(push->total, 4);
    }
    trace_close();
}

EXTERN_TEST(test_pyramid_single)
{
    static const struct {
        uint32_t side, levels;
        VkrPyramidFirst first;
        uint32_t dispatches, few; /* few: on a device that can bind 4 storage images */
    } sides[] = {
        {1, 1, VKR_PYRAMID_HALF, 1, 1},
        {1000, 9, VKR_PYRAMID_HALF, 1, 3},
        {4096, 12, VKR_PYRAMID_HALF, 1, 3},
        {4096, 3, VKR_PYRAMID_HALF, 1, 1},
        {4096, 12, VKR_PYRAMID_POWER_OF_TWO, 1, 3},
        {4000, 12, VKR_PYRAMID_POWER_OF_TWO, 2, 4},
        {4096, 13, VKR_PYRAMID_EQUAL, 2, 4},
        {16384, 14, VKR_PYRAMID_HALF, 2, 4},
        {32768, 16, VKR_PYRAMID_EQUAL, 3, 5},
    };
    for (uint32_t few = 0; few < 2; few++) {
        const trace_device device = {.storage_images = few != 0 ? 4 : 12};
        trace_open(&device);
        for (size_t k = 0; k < ARRAY_SIZE(sides); k++) {
            uint32_t levels = 0;
            record_side(VKR_PYRAMID_SINGLE, sides[k].side, sides[k].levels, sides[k].first);
            assert_int_equal(fixture.dispatch_count, few != 0 ? sides[k].few : sides[k].dispatches);
            for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
                const trace_dispatch *d = &fixture.dispatches[i];
                const struct vkr_pyramid_tiles_push *push = (const void *)d->words;
                const bool one =
                    strstr(d->kernel, "few") == NULL && strstr(d->kernel, "many") == NULL;
                levels += one ? 1 : push->total;
                assert_in_range(d->images, 2, 1 + device.storage_images);
            }
            assert_int_equal(levels, sides[k].levels);
        }
        trace_close();
    }
}

/* The dispatches of `auto` on a GPU: h has tiles of exact halves, m other tiles, f those that every
 * device can bind, 1 makes one level. */
EXTERN_TEST(test_pyramid_hybrid)
{
    static const struct {
        uint32_t side, levels;
        const char *kinds, *few; /* few: on a device that can bind 4 storage images */
    } sides[] = {
        {1, 1, "f", "f"},          {2, 1, "f", "f"},
        {4, 2, "h", "f"},          {1000, 9, "hm", "1ff"},
        {1024, 10, "h", "1fff"},   {4096, 12, "h", "111fff"},
        {1366, 10, "11m", "11ff"}, {8192, 13, "hh", "1111fff"},
    };
    for (uint32_t few = 0; few < 2; few++) {
        const trace_device device = {.storage_images = few != 0 ? 4 : 12};
        trace_open(&device);
        for (size_t k = 0; k < ARRAY_SIZE(sides); k++) {
            const char *kinds = few != 0 ? sides[k].few : sides[k].kinds;
            char text[32] = "";
            record_side(VKR_PYRAMID_AUTO, sides[k].side, sides[k].levels, VKR_PYRAMID_HALF);
            for (uint32_t i = 0; i < fixture.dispatch_count && i < sizeof text - 1; i++) {
                const char *kernel = fixture.dispatches[i].kernel;
                text[i] = '1';
                if (strstr(kernel, "halves") != NULL)
                    text[i] = 'h';
                else if (strstr(kernel, "many") != NULL)
                    text[i] = 'm';
                else if (strstr(kernel, "few") != NULL)
                    text[i] = 'f';
            }
            assert_string_equal(text, kinds);
        }
        trace_close();
    }
}
