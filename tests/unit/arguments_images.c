/* SPDX-License-Identifier: MIT */
/* Every field of VkrImage and of tiles wrong in turn: the right code and sentence, nothing
 * recorded, nothing leaked, and the recorder works afterwards. What is right at the edge of being
 * wrong, and what vkrGetUses says of images. */
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

#define IMAGE(letter) ((VkImage)(uintptr_t)(letter))
#define VIEW(letter) ((VkImageView)(uintptr_t)(letter))
#define CALL "vkrCmdReduce: "

/* The sums of layers 2 and 3 of an array, of a rectangle of 30 x 20, and the image that they are
 * of. */
static VkrImage image;
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
    info = plain_reduce();
    info.count = VKR_COUNT_ALL;
    info.input = (VkrView){.image = &image};
    info.output.size = 4096;
}

/* clang-format off */
#define ROWS(X)                                                                                    \
X(format, UNSUPPORTED, "input.image.format is 0, but must be a colour, depth or stencil format "   \
  "that vkrFormatType knows.", image.format = VK_FORMAT_UNDEFINED)                                 \
X(aspect, INVALID_ARGUMENT, "input.image.range.aspectMask is 0x2, but must be one aspect of "      \
  "R8G8B8A8_UNORM, which has 0x1.", image.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)            \
X(aspects, INVALID_ARGUMENT, "input.image.range.aspectMask is 0x6, but must be one aspect of "     \
  "D24_UNORM_S8_UINT, which has 0x6.", image.format = VK_FORMAT_D24_UNORM_S8_UINT;                 \
  image.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)                \
X(cube, INVALID_ARGUMENT, "input.image.viewType is VK_IMAGE_VIEW_TYPE_CUBE, but must be "          \
  "VK_IMAGE_VIEW_TYPE_2D_ARRAY, with the faces as layers, since cubes cannot be fetched from.",    \
  image.viewType = VK_IMAGE_VIEW_TYPE_CUBE)                                                        \
X(view_type, INVALID_ARGUMENT, "input.image.viewType is 0, but must be VK_IMAGE_VIEW_TYPE_2D "     \
  "(1), 2D_ARRAY (5) or 3D (2).", image.viewType = VK_IMAGE_VIEW_TYPE_1D)                          \
X(samples, INVALID_ARGUMENT, "input.image.samples is 4, but must be 0 or 1: resolve multisampled " \
  "images first.", image.samples = VK_SAMPLE_COUNT_4_BIT)                                          \
X(levels, INVALID_ARGUMENT, "input.image.range.levelCount is 2, but must be 1, the level that is " \
  "read.", image.range.levelCount = 2)                                                             \
X(layers_2d, INVALID_ARGUMENT, "input.image.range.layerCount is 4, but must be 1, since viewType " \
  "is not 2D_ARRAY.", image.viewType = VK_IMAGE_VIEW_TYPE_2D)                                      \
X(layers_none, INVALID_ARGUMENT, "input.image.range.layerCount is 0, but must be the number of "   \
  "the view's layers.", image.range.layerCount = 0)                                                \
X(layers_rest, INVALID_ARGUMENT, "input.image.range.layerCount is 4294967295, but must be the "    \
  "number of the view's layers.", image.range.layerCount = VK_REMAINING_ARRAY_LAYERS)              \
X(base_layer, INVALID_ARGUMENT, "input.image.range.baseArrayLayer is 4294967295, but must be a "   \
  "layer of the image.", image.range.baseArrayLayer = UINT32_MAX)                                  \
X(extent, INVALID_ARGUMENT, "input.image.extent is 0 x 48, but must be the size of the level.",    \
  image.extent.width = 0)                                                                          \
X(depth, INVALID_ARGUMENT, "input.image.extent.depth is 2, but must be 0 or 1, since viewType is " \
  "not 3D.", image.extent.depth = 2)                                                               \
X(rectangle, INVALID_ARGUMENT, "input.image.rectangle.extent is 30 x 0, but must be 0 x 0, for "   \
  "the whole level, or have texels.", image.rectangle.extent.height = 0)                           \
X(rectangle_left, INVALID_ARGUMENT, "input.image.rectangle has 30 from -1 on, but must have some " \
  "of the 64 that there are.", image.rectangle.offset.x = -1)                                      \
X(rectangle_right, INVALID_ARGUMENT, "input.image.rectangle has 30 from 35 on, but must have some "\
  "of the 64 that there are.", image.rectangle.offset.x = 35)                                      \
X(rectangle_whole, INVALID_ARGUMENT, "input.image.rectangle has 64 from 5 on, but must have some " \
  "of the 64 that there are.", image.rectangle.extent = ((VkExtent2D){0, 0}))                      \
X(first_layer, INVALID_ARGUMENT, "input.image.range.layerCount has 0 from 4 on, but must have "    \
  "some of the 4 that there are.", image.firstLayer = 4)                                           \
X(layer_count, INVALID_ARGUMENT, "input.image.range.layerCount has 3 from 2 on, but must have "    \
  "some of the 4 that there are.", image.layerCount = 3)                                           \
X(slices, INVALID_ARGUMENT, "input.image.extent.depth has 6 from 2 on, but must have some of the " \
  "7 that there are.", image.viewType = VK_IMAGE_VIEW_TYPE_3D; image.extent.depth = 7;             \
  image.range.layerCount = 1; image.layerCount = 6)                                                \
X(no_image, INVALID_ARGUMENT, "input.image.image is VK_NULL_HANDLE, but must be an image.",        \
  image.image = VK_NULL_HANDLE)                                                                    \
X(no_view, INVALID_ARGUMENT, "input.image.view is VK_NULL_HANDLE, but must be a view of the "      \
  "image.", image.view = VK_NULL_HANDLE)                                                           \
X(layout, INVALID_ARGUMENT, "input.image.layout is 7, but must be one in which shaders read, such "\
  "as VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL (5) or GENERAL (1).",                               \
  image.layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)                                             \
X(buffer_too, INVALID_ARGUMENT, "input has an image, but must then leave buffer, offset, size, "   \
  "stride, bufferSize and texels 0.", info.input.buffer = BUFFER('A'))                             \
X(type, INVALID_ARGUMENT, "input.type is u8, but must be undefined or f32, which the texels of "   \
  "R8G8B8A8_UNORM are.", info.input.type = VKR_TYPE_U8)                                            \
X(components, INVALID_ARGUMENT, "input.components is 5, but must be at most 4, the number of "     \
  "channels of R8G8B8A8_UNORM.", info.input.components = 5)                                        \
X(count, INVALID_ARGUMENT, "count is 1201, but must be VKR_COUNT_ALL or at most 1200, the number " \
  "of elements that input holds.", info.count = 1201)                                              \
X(bits, INVALID_ARGUMENT, "ops has and, but input.type is f32, and this operator needs an integer "\
  "type.", info.ops = VKR_OP_AND)                                                                  \
X(consume, INVALID_ARGUMENT, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but input.image is given, "  \
  "and only a buffer can be worked on in place.", info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)       \
X(tile_width, INVALID_ARGUMENT, "segments.tileWidth is 0 and segments.tileHeight 4, but both must "\
  "be at least 1.", TILES(0, 4))                                                                   \
X(tile_length, INVALID_ARGUMENT, "segments.length is 30, but must be 0, since the rows of an "     \
  "image are as long as they are.", TILES(4, 4); info.segments.length = 30)                        \
X(tile_count, INVALID_ARGUMENT, "count is 600, but must be 1200, all elements of the image, where "\
  "segments.kind is tiles.", TILES(4, 4); info.count = 600)                                        \
X(tile_buffer, INVALID_ARGUMENT, "segments.length is 0, but must be 1 to 2147483648, the elements "\
  "of a row.", TILES(4, 4); ROWS_OF(0))                                                            \
X(tile_rows, INVALID_ARGUMENT, "count is 1000, but must be a multiple of segments.length, which "  \
  "is 30.", TILES(4, 4); ROWS_OF(30))                                                              \
X(tile_merge, UNSUPPORTED, "algorithm is merge and segments.kind tiles, but must be auto, groups " \
  "or split, or lanes below level device.", TILES(4, 4); info.algorithm = VKR_REDUCE_MERGE)        \
X(tile_lanes, UNSUPPORTED, "algorithm is lanes and segments.kind tiles, but must be auto, groups " \
  "or split, or lanes below level device.", TILES(4, 4); info.algorithm = VKR_REDUCE_LANES;        \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(tile_output, INVALID_ARGUMENT, "output.size is 4096, but must be at least 9600 for these ops of "\
  "600 segments.", TILES(2, 1))
/* clang-format on */

#define TILES(width, height)                                                                       \
    info.segments = (VkrSegments)                                                                  \
    {                                                                                              \
        .kind = VKR_SEGMENTS_TILES, .tileWidth = (width), .tileHeight = (height)                   \
    }
#define ROWS_OF(length_)                                                                           \
    info.input = plain_reduce().input;                                                             \
    info.segments.length = (length_)

#define BREAK(name, code, sentence, ...)                                                           \
    static void break_##name(void)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
ROWS(BREAK)

#define ROW(name, code, sentence, ...) {VKR_ERROR_##code, CALL sentence, break_##name},
static const struct {
    VkrResult result;
    const char *sentence;
    void (*wrong)(void);
} rows[] = {ROWS(ROW)};

static VkrResult call_reduce(const void *bad)
{
    return vkrCmdReduce(fixture.recorder, bad);
}

static void test_wrong(void **state)
{
    (void)state;
    trace_open(&(trace_device){0});
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        set_plain();
        rows[k].wrong();
        assert_refused(call_reduce, &info, rows[k].result, rows[k].sentence);
    }
    trace_close();
}

/* An output is no image. */
static void test_output(void **state)
{
    (void)state;
    VkrScanInfo scan = plain_scan();
    trace_open(&(trace_device){0});
    set_plain();
    scan.output.image = &image;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrCmdScan(fixture.recorder, &scan), VKR_ERROR_INVALID_ARGUMENT,
                "vkrCmdScan: output.image is given, but must be NULL: only a buffer can be used.");
    trace_close();
}

static void record(void)
{
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
}

/* The layers and the level that are read, each once. */
static void test_uses(void **state)
{
    (void)state;
    VkrUse uses[8];
    uint32_t count = ARRAY_SIZE(uses), images = 0;
    trace_open(&(trace_device){0});
    set_plain();
    record();
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 9, 2};
        if (uses[i].image == VK_NULL_HANDLE)
            continue;
        images++;
        assert_ptr_equal(uses[i].image, IMAGE('I'));
        assert_memory_equal(&uses[i].subresource, &range, sizeof(range));
        assert_int_equal(uses[i].access, VK_ACCESS_SHADER_READ_BIT);
        assert_int_equal(uses[i].stages, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    assert_int_equal(images, 1);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_true(fixture.dispatch_count > 0);
    trace_close();
}

/* A whole level with defaults, and types that say what they are. */
static void test_right(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        VkImageAspectFlagBits aspect;
        VkrType type;
        uint32_t components;
    } formats[] = {
        {VK_FORMAT_R8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_F32, 1},
        {VK_FORMAT_R16G16_SINT, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_I32, 2},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_F32, 3},
        {VK_FORMAT_A2B10G10R10_UINT_PACK32, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_U32, 4},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, VKR_TYPE_F32, 1},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, VKR_TYPE_U32, 1},
        {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_STENCIL_BIT, VKR_TYPE_UNDEFINED, 0},
        {VK_FORMAT_R64_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_UNDEFINED, 0},
    };
    trace_open(&(trace_device){0});
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
        uint32_t components = 77;
        assert_int_equal(vkrFormatType(formats[i].format, formats[i].aspect, &components),
                         formats[i].type);
        assert_int_equal(components, formats[i].components);
        if (formats[i].type == VKR_TYPE_UNDEFINED)
            continue;
        set_plain();
        image.format = formats[i].format;
        image.range.aspectMask = formats[i].aspect;
        image.rectangle = (VkRect2D){0};
        image.firstLayer = 0;
        info.input.type = formats[i].type;
        info.count = 4 * 64 * 48;
        record();
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    }
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_right),
    };
    return cmocka_run_group_tests_name("arguments_images", tests, NULL, NULL);
}
