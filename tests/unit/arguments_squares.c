/* SPDX-License-Identifier: MIT */
/* Images as outputs of tiles, and reductions of images by squares: every field wrong in turn, what
 * is right at the edge of being wrong, what vkrGetUses says, and how many values the dispatches of
 * Goeddeke's tutorial read and write. */
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

#define IMAGE(letter) ((VkImage)(uintptr_t)(letter))
#define VIEW(letter) ((VkImageView)(uintptr_t)(letter))
#define CALL "vkrCmdReduce: "

enum { PLAIN, BARE, EXTENDED, NARROW, DEVICE_COUNT };
static const trace_device devices[DEVICE_COUNT] = {
    [BARE] = {.bare = true},
    [EXTENDED] = {.limits = {.disabledFeatures = VKR_FEATURE_WRITE_WITHOUT_FORMAT}},
    [NARROW] = {.range = 16384, .groups = 2, .rows = 2},
};

/* The maxima of tiles of 4 x 4 of layers 2 and 3 of an array, of a rectangle of 30 x 20, and the
 * images that they are of and go to. */
static VkrImage image, shown, mask;
static VkrReduceInfo info;

static void set_plain(void)
{
    image = (VkrImage){.image = IMAGE('I'),
                       .view = VIEW('V'),
                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                       .format = VK_FORMAT_R8G8B8A8_UNORM,
                       .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       .range = {VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 7, 4},
                       .extent = {64, 48, 1},
                       .rectangle = {{5, 6}, {30, 20}},
                       .firstLayer = 2};
    shown = (VkrImage){.image = IMAGE('O'),
                       .view = VIEW('W'),
                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                       .format = VK_FORMAT_R8G8B8A8_UNORM,
                       .layout = VK_IMAGE_LAYOUT_GENERAL,
                       .range = {VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 5, 2},
                       .extent = {8, 5, 1}};
    info = plain_reduce();
    info.ops = VKR_OP_MAX;
    info.count = VKR_COUNT_ALL;
    info.input = (VkrView){.image = &image};
    info.output = (VkrBufferRange){0};
    info.outputImage = &shown;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_TILES, .tileWidth = 4, .tileHeight = 4};
}

/* The input becomes 30 rows of 40 values in a buffer. */
static void set_rows(VkrType type, VkFormat format)
{
    info.input = (VkrView){.buffer = BUFFER('A'), .size = 1u << 20, .type = type};
    info.count = 1200;
    info.segments.length = 40;
    shown.viewType = VK_IMAGE_VIEW_TYPE_2D;
    shown.range.layerCount = 1;
    shown.extent = (VkExtent3D){10, 8, 1};
    shown.format = format;
}

/* A reduction of all of the input. */
static void set_whole(VkrReduceAlgorithm algorithm)
{
    info.segments = (VkrSegments){0};
    info.outputImage = NULL;
    info.output = (VkrBufferRange){BUFFER('O'), 0, 4096};
    info.algorithm = algorithm;
}

/* name, device, code, sentence behind "vkrCmdReduce: ", how a plain request becomes wrong */
/* clang-format off */
#define ROWS(X)                                                                                    \
X(kind, PLAIN, INVALID_ARGUMENT, "outputImage is given, but must be NULL where segments.kind is "  \
  "none: only tiles are texels.", info.segments = (VkrSegments){0})                                \
X(output, PLAIN, INVALID_ARGUMENT, "output is given, but must be left 0 where outputImage is "     \
  "given.", info.output.buffer = BUFFER('O'))                                                      \
X(output_size, PLAIN, INVALID_ARGUMENT, "output is given, but must be left 0 where outputImage is "\
  "given.", info.output.size = 4)                                                                  \
X(counts, PLAIN, INVALID_ARGUMENT, "ops has count, whose result is u64, but must have results of " \
  "at most 32 bits where outputImage is given.", info.ops = VKR_OP_COUNT)                          \
X(doubles, PLAIN, INVALID_ARGUMENT, "ops has mean, whose result is f64, but must have results of " \
  "at most 32 bits where outputImage is given.", info.ops = VKR_OP_MEAN;                           \
  info.accumulator = VKR_TYPE_F64)                                                                 \
X(longs, PLAIN, INVALID_ARGUMENT, "ops has max, whose result is i64, but must have results of "    \
  "at most 32 bits where outputImage is given.", set_rows(VKR_TYPE_I64, VK_FORMAT_R32_SINT))       \
X(kinds, PLAIN, INVALID_ARGUMENT, "ops is 0x201, whose results are f32 and u32, but must have "    \
  "results of one kind, floats, signed or unsigned integers, where outputImage is given.",         \
  info.ops = VKR_OP_MIN | VKR_OP_ARGMIN)                                                           \
X(signs, PLAIN, INVALID_ARGUMENT, "ops is 0x101, whose results are i8 and u8, but must have "      \
  "results of one kind, floats, signed or unsigned integers, where outputImage is given.",         \
  set_rows(VKR_TYPE_I8, VK_FORMAT_R8G8_SINT); info.ops = VKR_OP_MIN | VKR_OP_ABSMAX)               \
X(format, PLAIN, UNSUPPORTED, "outputImage.format is 0, but must be a colour, depth or stencil "   \
  "format that vkrFormatType knows.", shown.format = VK_FORMAT_UNDEFINED)                          \
X(samples, PLAIN, INVALID_ARGUMENT, "outputImage.samples is 4, but must be 0 or 1: resolve "       \
  "multisampled images first.", shown.samples = VK_SAMPLE_COUNT_4_BIT)                             \
X(levels, PLAIN, INVALID_ARGUMENT, "outputImage.range.levelCount is 2, but must be 1, the level "  \
  "that is read.", shown.range.levelCount = 2)                                                     \
X(image, PLAIN, INVALID_ARGUMENT, "outputImage.image is VK_NULL_HANDLE, but must be an image.",    \
  shown.image = VK_NULL_HANDLE)                                                                    \
X(view, PLAIN, INVALID_ARGUMENT, "outputImage.view is VK_NULL_HANDLE, but must be a view of the "  \
  "image.", shown.view = VK_NULL_HANDLE)                                                           \
X(layout, PLAIN, INVALID_ARGUMENT, "outputImage.layout is 5, but must be VK_IMAGE_LAYOUT_GENERAL " \
  "(1), in which shaders write.", shown.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)         \
X(rectangle, PLAIN, INVALID_ARGUMENT, "outputImage.rectangle.extent is 8 x 5, but must be 0 x 0: " \
  "a level is written as a whole.", shown.rectangle.extent = ((VkExtent2D){8, 5}))                 \
X(lod, PLAIN, INVALID_ARGUMENT, "outputImage.lod is 1, but must be 0: the view has no level but "  \
  "the one that is written.", shown.lod = 1)                                                       \
X(solid, PLAIN, INVALID_ARGUMENT, "outputImage.viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D " \
  "or 2D_ARRAY, whose layers slices become.", shown.viewType = VK_IMAGE_VIEW_TYPE_3D;              \
  shown.range.layerCount = 1)                                                                      \
X(layers, PLAIN, INVALID_ARGUMENT, "outputImage has 3 layers from 0 on, but its view must have "   \
  "the 2 that are read of the input, with firstLayer and layerCount 0.",                           \
  shown.range.layerCount = 3)                                                                      \
X(first_layer, PLAIN, INVALID_ARGUMENT, "outputImage has 1 layers from 1 on, but its view must "   \
  "have the 2 that are read of the input, with firstLayer and layerCount 0.", shown.firstLayer = 1)\
X(extent, PLAIN, INVALID_ARGUMENT, "outputImage.extent is 8 x 6, but must be 8 x 5, a texel for "  \
  "each tile.", shown.extent.height = 6)                                                           \
X(tile, PLAIN, INVALID_ARGUMENT, "outputImage.extent is 8 x 5, but must be 6 x 5, a texel for "    \
  "each tile.", info.segments.tileWidth = 5)                                                       \
X(channels, PLAIN, INVALID_ARGUMENT, "outputImage.format is R8G8_UNORM, which has 2 channels, but "\
  "must have 4, one for each result of a tile.", shown.format = VK_FORMAT_R8G8_UNORM)              \
X(operators, PLAIN, INVALID_ARGUMENT, "outputImage.format is R8G8B8A8_UNORM, which has 4 "         \
  "channels, but must have 8, one for each result of a tile.", info.ops = VKR_OP_MIN | VKR_OP_MAX) \
X(type, PLAIN, INVALID_ARGUMENT, "outputImage.format is R8G8B8A8_UINT, whose values are u32, but " \
  "must be one of f32, like the results.", shown.format = VK_FORMAT_R8G8B8A8_UINT)                 \
X(normalised, PLAIN, INVALID_ARGUMENT, "outputImage.format is R16_UNORM, but must be a format of " \
  "floats, since the elements are not normalised.", set_rows(VKR_TYPE_F32, VK_FORMAT_R16_UNORM))   \
X(normalised_image, PLAIN, INVALID_ARGUMENT, "outputImage.format is R8G8B8A8_UNORM, but must be a "\
  "format of floats, since the elements are not normalised.",                                      \
  image.format = VK_FORMAT_R16G16B16A16_SFLOAT)                                                    \
X(curve, PLAIN, INVALID_ARGUMENT, "outputImage.format is R8G8B8A8_SRGB, but must be a colour "     \
  "format that shaders write: neither sRGB nor with a shared exponent, nor depth or stencil.",     \
  shown.format = VK_FORMAT_R8G8B8A8_SRGB)                                                          \
X(unnamed, BARE, UNSUPPORTED, "outputImage.format is B8G8R8A8_UNORM, but must be one that the "    \
  "context can write: this one needs shaderStorageImageWriteWithoutFormat.",                       \
  shown.format = VK_FORMAT_B8G8R8A8_UNORM)                                                         \
X(extended, BARE, UNSUPPORTED, "outputImage.format is R16G16B16A16_UNORM, but must be one that "   \
  "the context can write: this one needs shaderStorageImageExtendedFormats.",                      \
  shown.format = VK_FORMAT_R16G16B16A16_UNORM)                                                     \
X(apart, PLAIN, INVALID_ARGUMENT, "outputImage shares a subresource with input.image, but must be "\
  "apart from it.", shown.image = image.image;                                                     \
  shown.range = ((VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 10, 2}))               \
X(apart_mask, PLAIN, INVALID_ARGUMENT, "outputImage shares a subresource with mask.image, but "    \
  "must be apart from it.", info.mask.image = &mask;                                               \
  mask = image; mask.image = shown.image; mask.range.baseMipLevel = 2;                             \
  mask.range.baseArrayLayer = 3)                                                                   \
X(squares_buffer, PLAIN, INVALID_ARGUMENT, "algorithm is pingpong, which takes images, but must "  \
  "be auto, single, subgroup, tree or recursive where input.image is NULL.",                       \
  set_rows(VKR_TYPE_F32, VK_FORMAT_R32_SFLOAT); set_whole(VKR_REDUCE_PINGPONG))                    \
X(squares_device, PLAIN, UNSUPPORTED, "algorithm is pingpong, whose float sums have another "      \
  "order, but must be auto, single, subgroup, tree or recursive where determinism is "             \
  "VKR_DETERMINISM_DEVICE.", set_whole(VKR_REDUCE_PINGPONG); info.ops = VKR_OP_SUM;                \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(squares_small, PLAIN, UNSUPPORTED, "algorithm is recursive-2d, but needs workgroups of at least "\
  "4, and workgroupSize 2 leaves 2.", set_whole(VKR_REDUCE_RECURSIVE_2D); info.workgroupSize = 2)  \
X(squares_tiles, PLAIN, INVALID_ARGUMENT, "algorithm is pingpong, but must be auto, lanes, merge, "\
  "groups or split where segments.kind is tiles.", info.algorithm = VKR_REDUCE_PINGPONG)           \
X(squares_consume, PLAIN, INVALID_ARGUMENT, "algorithm is pingpong, but must be auto or recursive "\
  "where flags has VKR_REDUCE_CONSUME_INPUT_BIT.", set_whole(VKR_REDUCE_PINGPONG);                 \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)

/* name, device, how a plain request stays right */
#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)0)                                                                           \
X(named, BARE, (void)0)                                                                            \
X(named_extended, EXTENDED, shown.format = VK_FORMAT_R16G16B16A16_UNORM)                           \
X(floats, PLAIN, shown.format = VK_FORMAT_R16G16B16A16_SFLOAT)                                     \
X(snorm, PLAIN, shown.format = VK_FORMAT_R8G8B8A8_SNORM)                                           \
X(blue_first, PLAIN, shown.format = VK_FORMAT_B8G8R8A8_UNORM)                                      \
X(pair, PLAIN, info.ops = VKR_OP_MIN | VKR_OP_MAX; info.input.components = 2)                      \
X(four, PLAIN, info.ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_MEAN;                      \
  info.input.components = 1)                                                                       \
X(indices, PLAIN, info.ops = VKR_OP_ARGMIN; shown.format = VK_FORMAT_R32G32B32A32_UINT)            \
X(bytes, PLAIN, set_rows(VKR_TYPE_U8, VK_FORMAT_R8_UINT))                                          \
X(halves, PLAIN, set_rows(VKR_TYPE_F16, VK_FORMAT_R16_SFLOAT))                                     \
X(bfloats, PLAIN, set_rows(VKR_TYPE_BF16, VK_FORMAT_R16_SFLOAT))                                   \
X(other_level, PLAIN, shown.image = image.image)                                                   \
X(other_layers, PLAIN, shown.image = image.image;                                                  \
  shown.range = ((VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 7, 2}))                \
X(windows, NARROW, image.rectangle = (VkRect2D){0}; image.firstLayer = 0;                          \
  info.segments.tileWidth = info.segments.tileHeight = 1; shown.extent = image.extent;             \
  shown.range.layerCount = 4)                                                                      \
X(squares_device, PLAIN, set_whole(VKR_REDUCE_PINGPONG);                                           \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(squares_small, PLAIN, set_whole(VKR_REDUCE_RECURSIVE_2D); info.workgroupSize = 4)                \
X(squares_dot, PLAIN, set_whole(VKR_REDUCE_RECURSIVE_2D); info.ops = VKR_OP_DOT;                   \
  info.input2 = info.input; info.count = 1111)                                                     \
X(squares_narrow, NARROW, set_whole(VKR_REDUCE_PINGPONG))
/* clang-format on */

#define SPOIL(name, device, code, sentence, ...)                                                   \
    static void spoil_##name(void)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
ROWS(SPOIL)

#define MEND(name, device, ...)                                                                    \
    static void right_##name(void)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
RIGHT_ROWS(MEND)

#define ROW(name, device, code, sentence, ...)                                                     \
    {device, VKR_ERROR_##code, CALL sentence, spoil_##name},
static const struct {
    int device;
    VkrResult result;
    const char *sentence;
    void (*wrong)(void);
} rows[] = {ROWS(ROW)};

#define RIGHT_ROW(name, device, ...) {#name, device, right_##name},
static const struct {
    const char *name;
    int device;
    void (*change)(void);
} right_rows[] = {RIGHT_ROWS(RIGHT_ROW)};

static VkrResult call_reduce(const void *bad)
{
    return vkrCmdReduce(fixture.recorder, bad);
}

static void test_wrong(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
            if (rows[k].device != device)
                continue;
            set_plain();
            rows[k].wrong();
            assert_refused(call_reduce, &info, rows[k].result, rows[k].sentence);
        }
        trace_close();
    }
}

static void record(const char *name)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (vkrCmdReduce(fixture.recorder, &info) != VKR_SUCCESS)
        fail_msg("%s: %s", name, fixture.sentence);
}

static void finish(void)
{
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

/* No dispatch has more workgroups than the device allows. */
static void check_groups(uint32_t max_x, uint32_t max_y)
{
    assert_true(fixture.dispatch_count > 0);
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        assert_in_range(fixture.dispatches[i].groups[0], 1, max_x != 0 ? max_x : UINT16_MAX);
        assert_in_range(fixture.dispatches[i].groups[1], 1, max_y != 0 ? max_y : UINT16_MAX);
    }
}

static void test_right(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(right_rows); k++) {
            if (right_rows[k].device != device)
                continue;
            set_plain();
            right_rows[k].change();
            record(right_rows[k].name);
            finish();
            check_groups(devices[device].groups, devices[device].rows);
        }
        trace_close();
    }
}

/* What is written is the level and the layers of the image, each once. */
static void test_uses(void **state)
{
    (void)state;
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 5, 2};
    VkrUse uses[8];
    uint32_t count = ARRAY_SIZE(uses), written = 0;
    trace_open(&devices[PLAIN]);
    set_plain();
    record("uses");
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        if (uses[i].image != IMAGE('O'))
            continue;
        written++;
        assert_memory_equal(&uses[i].subresource, &range, sizeof(range));
        assert_int_equal(uses[i].access, VK_ACCESS_SHADER_WRITE_BIT);
        assert_int_equal(uses[i].stages, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    assert_int_equal(written, 1);
    finish();
    trace_close();
}

/* Squares of the last row that counts reach further, but nothing else does. */
static void test_ends(void **state)
{
    (void)state;
    VkrUse uses[8];
    uint32_t count = ARRAY_SIZE(uses), seen = 0;
    trace_open(&devices[PLAIN]);
    set_plain();
    set_whole(VKR_REDUCE_PINGPONG);
    info.count = 30 * 20 + 11;
    info.mask.flags = (VkrFlagView){VKR_FLAGS_BITS, {BUFFER('M'), 0, 80}};
    record("ends");
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        if (uses[i].buffer != BUFFER('M'))
            continue;
        seen++;
        assert_true(uses[i].offset + uses[i].size <= 80);
    }
    assert_true(seen > 0);
    finish();
    trace_close();
}

/* ---- Counts: Goeddeke's tutorial, for M x M texels ---- */

static const struct vkr_tile_uniforms *uniforms_of(const trace_dispatch *d)
{
    return (const void *)d->uniforms;
}

static void set_square(VkrReduceAlgorithm algorithm, uint32_t side)
{
    set_plain();
    set_whole(algorithm);
    image.viewType = VK_IMAGE_VIEW_TYPE_2D;
    image.format = VK_FORMAT_R32_SFLOAT;
    image.range.layerCount = 1;
    image.extent = (VkExtent3D){side, side, 1};
    image.rectangle = (VkRect2D){0};
    image.firstLayer = 0;
    record("square");
    finish();
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

/* The first pass reads the image, and others what two places hold by turns. */
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
    set_square(VKR_REDUCE_PINGPONG, (uint32_t)side);
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

static void test_counts(void **state)
{
    (void)state;
    for (int grid = 0; grid < 2; grid++) {
        trace_open(&(trace_device){.grid = grid != 0});
        for (uint32_t log = 1; log <= 10; log++)
            count_pingpong(log, grid != 0);
        trace_close();
    }
}

/* OPENRNDR's recursion: a workgroup of 16 x 16 leaves one value. */
static void test_recursive(void **state)
{
    (void)state;
    trace_open(&devices[PLAIN]);
    set_square(VKR_REDUCE_RECURSIVE_2D, 4096);
    assert_int_equal(fixture.dispatch_count, 3);
    for (uint32_t k = 0; k < 3; k++) {
        check_dispatch(&fixture.dispatches[k], k, 4096 >> 4 * k, 16, false);
        assert_int_equal(fixture.dispatches[k].constants[VKR_CONST_WORKGROUP], 256);
    }
    check_places(3);
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),  cmocka_unit_test(test_right),
        cmocka_unit_test(test_uses),   cmocka_unit_test(test_ends),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_recursive),
    };
    return cmocka_run_group_tests_name("arguments_squares", tests, NULL, NULL);
}
