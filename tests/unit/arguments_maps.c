/* SPDX-License-Identifier: MIT */
/* Every field of VkrMap and VkrMask wrong in turn: the right code and sentence, nothing recorded,
 * nothing leaked, and the recorder works afterwards. What vkrGetUses says of masks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

#define IMAGE(letter) ((VkImage)(uintptr_t)(letter))
#define VIEW(letter) ((VkImageView)(uintptr_t)(letter))
#define CALL "vkrCmdReduce: "

/* The mean of mapped elements of a buffer, of which a mask leaves some out. */
static VkrMap map;
static VkrImage mask, input;
static VkrReduceInfo info;

static void set_plain(void)
{
    map = (VkrMap){{0.5f}, 1.0f, VKR_MAP_SQRT};
    mask = (VkrImage){.image = IMAGE('M'),
                      .view = VIEW('V'),
                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                      .format = VK_FORMAT_R8_UNORM,
                      .layout = VK_IMAGE_LAYOUT_GENERAL,
                      .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                      .extent = {50, 20, 1}};
    input = mask;
    input.image = IMAGE('I');
    info = plain_reduce();
    info.ops = VKR_OP_MEAN;
    info.input.map = &map;
    info.mask.flags = (VkrFlagView){VKR_FLAGS_BITS, {BUFFER('F'), 4, 128}};
}

#define BY_IMAGE                                                                                   \
    info.mask.flags = (VkrFlagView){0};                                                            \
    info.mask.image = &mask
#define OF_IMAGE                                                                                   \
    info.input = (VkrView)                                                                         \
    {                                                                                              \
        .image = &input                                                                            \
    }

/* clang-format off */
#define ROWS(X)                                                                                    \
X(weight, INVALID_ARGUMENT, "input.map.weights[0] is inf, but must be finite.",                    \
  map.weights[0] = INFINITY)                                                                       \
X(weight_of_none, INVALID_ARGUMENT, "input.map.weights[2] is 3, but must be 0, since elements "    \
  "have 1 components.", map.weights[2] = 3.0f)                                                     \
X(bias, INVALID_ARGUMENT, "input.map.bias is -inf, but must be finite.", map.bias = -INFINITY)     \
X(function, INVALID_ARGUMENT, "input.map.function is 4, but must be 0 to 3.",                      \
  map.function = VKR_MAP_FUNCTION_COUNT)                                                           \
X(wide, INVALID_ARGUMENT, "input.map is given, but elements of input are u64, and only those of "  \
  "up to 32 bits can be mapped.", info.input.type = VKR_TYPE_U64)                                  \
X(bits, INVALID_ARGUMENT, "ops has and, but input.type is f32, and this operator needs an integer "\
  "type.", info.input.type = VKR_TYPE_U32; info.ops = VKR_OP_AND)                                  \
X(consume, INVALID_ARGUMENT, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but mask is given, and "     \
  "elements that are left out cannot be worked on in place.",                                      \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)                                                       \
X(consume_mapped, INVALID_ARGUMENT, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but input.map is "    \
  "given, and elements that are mapped cannot be worked on in place.",                             \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT; info.mask = (VkrMask){0})                             \
X(both, INVALID_ARGUMENT, "mask.image is given, but must be NULL where mask.flags.range has a "    \
  "buffer.", info.mask.image = &mask)                                                              \
X(format, INVALID_ARGUMENT, "mask.flags.format is 3, but must be 0 to 2.",                         \
  info.mask.flags.format = VKR_FLAG_FORMAT_COUNT)                                                  \
X(offset, INVALID_ARGUMENT, "mask.flags.range.offset is 6, but must be a multiple of 4.",          \
  info.mask.flags.range.offset = 6)                                                                \
X(size, INVALID_ARGUMENT, "mask.flags.range.size is 124, but must be at least 128.",               \
  info.mask.flags.range.size = 124)                                                                \
X(segments, UNSUPPORTED, "mask is given, but ops has dot and segments.kind is offsets, whose "     \
  "kernels have a mask or a second input.", info.ops = VKR_OP_DOT; info.input2 = info.input;       \
  info.segments = ((VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {BUFFER('F'), 0, 8}}))   \
X(overlap, INVALID_ARGUMENT, "output overlaps mask.flags.range, but must be apart from it.",       \
  info.mask.flags.range = ((VkrBufferRange){BUFFER('O'), 0, 128}))                                \
X(image, INVALID_ARGUMENT, "mask.image.samples is 4, but must be 0 or 1: resolve multisampled "    \
  "images first.", BY_IMAGE; mask.samples = VK_SAMPLE_COUNT_4_BIT)                                 \
X(no_image, INVALID_ARGUMENT, "mask.image.image is VK_NULL_HANDLE, but must be an image.",         \
  BY_IMAGE; mask.image = VK_NULL_HANDLE)                                                           \
X(small, INVALID_ARGUMENT, "mask.image has 950 texels, but must have at least the 1000 of count.", \
  BY_IMAGE; mask.extent.height = 19)                                                               \
X(shape, INVALID_ARGUMENT, "mask.image has 25 x 40 texels in 1 layers, but must have 50 x 20 in " \
  "1, like input.", BY_IMAGE; OF_IMAGE; mask.extent = ((VkExtent3D){25, 40, 1}))
/* clang-format on */

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

/* What is written cannot be mapped. */
static void test_output(void **state)
{
    (void)state;
    VkrScanInfo scan = plain_scan();
    trace_open(&(trace_device){0});
    set_plain();
    scan.output.map = &map;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrCmdScan(fixture.recorder, &scan), VKR_ERROR_INVALID_ARGUMENT,
                "vkrCmdScan: output.map is given, but must be NULL: only what is read can be "
                "mapped.");
    trace_close();
}

static bool reads(const VkrUse *uses, uint32_t count, VkBuffer buffer, VkImage of)
{
    for (uint32_t i = 0; i < count; i++)
        if (uses[i].buffer == buffer && uses[i].image == of)
            return uses[i].access == VK_ACCESS_SHADER_READ_BIT;
    return false;
}

static void test_uses(void **state)
{
    (void)state;
    VkrUse uses[8];
    uint32_t count = ARRAY_SIZE(uses);
    trace_open(&(trace_device){0});
    set_plain();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_true(reads(uses, count, BUFFER('F'), VK_NULL_HANDLE));
    BY_IMAGE;
    OF_IMAGE;
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    count = ARRAY_SIZE(uses);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_true(reads(uses, count, VK_NULL_HANDLE, IMAGE('M')));
    assert_true(reads(uses, count, VK_NULL_HANDLE, IMAGE('I')));
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_true(fixture.dispatch_count > 0);
    trace_close();
}

/* Types, and sizes of partials, are those of what the map makes and of what the mask needs. */
static void test_layout(void **state)
{
    (void)state;
    VkrReduceLayout layout;
    VkrType type = VKR_TYPE_UNDEFINED;
    VkrScanInfo scan = plain_scan();
    trace_open(&(trace_device){0});
    set_plain();
    info.input.type = VKR_TYPE_U8;
    info.input.components = 3;
    info.ops = VKR_OP_MAX | VKR_OP_SUM;
    info.pieces.count = 1;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_MAX)->type, VKR_TYPE_F32);
    assert_int_equal(layout.components, 1);
    assert_int_equal(layout.partialsSize, 3 * 4);
    info.mask = (VkrMask){0};
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(layout.partialsSize, 2 * 4);
    scan.input.type = VKR_TYPE_I8;
    scan.input.map = &map;
    assert_int_equal(vkrGetScanType(fixture.context, &scan, &type), VKR_SUCCESS);
    assert_int_equal(type, VKR_TYPE_F32);
    assert_string_equal(vkrMapFunctionName(VKR_MAP_LOG2), "log2");
    assert_string_equal(vkrMapFunctionName(VKR_MAP_FUNCTION_COUNT), "?");
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests_name("arguments_maps", tests, NULL, NULL);
}
