/* SPDX-License-Identifier: MIT */
/*
 * Random valid and invalid requests on random devices: images, maps, masks, tiles, pyramids,
 * histograms and searches. Each is either recorded within the device's limits, or refused with one
 * sentence, and then nothing is recorded. Nothing is leaked.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define IMAGE(letter) ((VkImage)(uintptr_t)(letter))
#define VIEW(letter) ((VkImageView)(uintptr_t)(letter))
#define REQUESTS 4u /* for each device */
#define DEVICES 8000u

static uint64_t state_of_test;
static uint32_t recorded, refused, histograms;

/* Returns true one time in `of`. */
static bool rarely(uint32_t of)
{
    return random_below(&state_of_test, of) == 0;
}

static uint64_t number_below(uint64_t end)
{
    return random_below(&state_of_test, end);
}

#define PICK(...) ONE_OF(&state_of_test, __VA_ARGS__)

/* ---- Requests ---- */

static const struct {
    VkFormat format;
    VkImageAspectFlags aspect;
} formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_R8_UINT, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R32G32_SINT, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R16G16_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R32_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_R8_SRGB, VK_IMAGE_ASPECT_COLOR_BIT},
    {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT},
};

static uint32_t size(void)
{
    return (uint32_t)PICK(1, 1, 2, 3, 5, 16, 37, 64, 64, 1000, 1000, 4096);
}

static VkrImage image(uintptr_t letter, bool level)
{
    const uint64_t format = number_below(ARRAY_SIZE(formats));
    const bool is_3d = !level && rarely(5), layered = !is_3d && rarely(3);
    const uint32_t layers = layered ? (uint32_t)PICK(1, 2, 7) : 1;
    VkrImage i = {.image = IMAGE(letter),
                  .view = VIEW(letter),
                  .viewType = is_3d     ? VK_IMAGE_VIEW_TYPE_3D
                              : layered ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                        : VK_IMAGE_VIEW_TYPE_2D,
                  .format = formats[format].format,
                  .layout = VK_IMAGE_LAYOUT_GENERAL,
                  .range = {formats[format].aspect, 0, 1, (uint32_t)number_below(3), layers},
                  .extent = {size(), size(), is_3d ? (uint32_t)PICK(1, 3, 64) : 1}};
    if (!level && rarely(3))
        i.rectangle = (VkRect2D){{(int32_t)number_below(4) - 1, (int32_t)number_below(3)},
                                 {(uint32_t)PICK(0, 1, 4, 30), (uint32_t)PICK(0, 1, 4, 30)}};
    if (!level && rarely(6))
        i.firstLayer = (uint32_t)PICK(0, 1, 2, UINT32_MAX);
    if (!level && rarely(6))
        i.layerCount = (uint32_t)PICK(0, 1, 2, UINT32_MAX);
    if (rarely(60))
        i.samples = (VkSampleCountFlagBits)PICK(1, 4);
    if (rarely(60))
        i.extent.width = (uint32_t)PICK(0, UINT32_MAX);
    if (rarely(60))
        i.range.levelCount = (uint32_t)PICK(0, 2, VK_REMAINING_MIP_LEVELS);
    return i;
}

static VkrMap any_map(void)
{
    VkrMap map = {.function = (VkrMapFunction)number_below(VKR_MAP_FUNCTION_COUNT)};
    map.weights[number_below(4)] = rarely(3) ? 0.0f : 0.5f;
    map.bias = rarely(40) ? NAN : (float)number_below(2);
    return map;
}

static VkrView any_input(const VkrImage *picture, const VkrMap *map)
{
    VkrView view = {.components = (uint32_t)PICK(0, 1, 1, 2, 4), .image = picture};
    if (rarely(3)) {
        const VkrType type = (VkrType)(1 + number_below(VKR_TYPE_COUNT - 1));
        const VkrView buffer = {.buffer = rarely(12) ? VK_NULL_HANDLE : BUFFER('A'),
                                .offset = 64 * number_below(3),
                                .size = PICK(0, 8, 4096, 1 << 20, 1 << 26),
                                .type = type,
                                .components = view.components,
                                .stride = PICK(0, 0, 0, 16, 1024)};
        view = buffer;
    }
    if (rarely(3))
        view.map = map;
    return view;
}

static VkrResult any_reduction(void)
{
    const VkrImage picture = image('I', false), mask = image('M', false), out = image('O', true);
    const VkrMap map = any_map();
    VkrReduceInfo info = {
        .ops = rarely(4) ? (VkrOpFlags)number_below(1 << VKR_OP_BITS)
                         : 1u << number_below(VKR_OP_BITS),
        .input = any_input(&picture, &map),
        .count = PICK(0, 1, 1000, VKR_COUNT_ALL, VKR_COUNT_ALL, VKR_COUNT_ALL),
        .output = {BUFFER('O'), 0, UINT64_C(1) << 40},
        .accumulator = rarely(5) ? VKR_TYPE_F64 : VKR_TYPE_UNDEFINED,
        .nan = (VkrNan)number_below(2),
        .determinism = (VkrDeterminism)number_below(3),
        .algorithm = rarely(2) ? VKR_REDUCE_AUTO
                               : (VkrReduceAlgorithm)number_below(VKR_REDUCE_ALGORITHM_COUNT),
        .workgroupSize = (uint32_t)PICK(0, 0, 0, 1, 2, 4, 64, 128)};
    info.input2 = info.input;
    if (rarely(3))
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_TILES,
                                      .tileWidth = (uint32_t)PICK(0, 1, 2, 16, 1000),
                                      .tileHeight = (uint32_t)PICK(1, 3, 16, 5000)};
    if (rarely(12))
        info.segments.kind = (VkrSegmentKind)number_below(VKR_SEGMENT_KIND_COUNT);
    if (info.segments.kind != VKR_SEGMENTS_NONE && (info.input.image == NULL || rarely(20)))
        info.segments.length = PICK(0, 1, 3, 64, 1000);
    if (rarely(4))
        info.mask.flags =
            (VkrFlagView){.format = (VkrFlagFormat)number_below(VKR_FLAG_FORMAT_COUNT),
                          .range = {BUFFER('F'), 4 * number_below(3), UINT64_C(1) << 38}};
    else if (rarely(4))
        info.mask.image = info.input.image != NULL && !rarely(3) ? &picture : &mask;
    if (rarely(8)) {
        info.outputImage = &out;
        info.output = (VkrBufferRange){0};
    }
    if (rarely(5))
        info.gpuCount = (VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64};
    if (rarely(20))
        info.flags = VKR_REDUCE_CONSUME_INPUT_BIT;
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult any_scan(void)
{
    const VkrImage picture = image('I', false);
    const VkrMap map = any_map();
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = any_input(&picture, &map),
                              .output = {.buffer = BUFFER('B'), .size = UINT64_C(1) << 36},
                              .count = PICK(0, 1, 1000, VKR_COUNT_ALL)};
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult any_compaction(void)
{
    const VkrImage picture = image('I', false);
    const VkrMap map = any_map();
    const VkrCompactInfo info = {.input = any_input(&picture, &map),
                                 /* No VKR_COUNT_ALL: the number of dispatches grows with the square
                                  * of the number of windows. */
                                 .count = PICK(0, 1, 1000, 100000),
                                 .kept = {.buffer = BUFFER('B'), .size = UINT64_C(1) << 36}};
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult any_pyramid(void)
{
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    VkrPyramidInfo info = {.ops = (VkrOpFlags)PICK(VKR_OP_MIN, VKR_OP_MAX, VKR_OP_MEAN,
                                                   VKR_OP_MIN | VKR_OP_MAX, VKR_OP_SUM),
                           .source = image('I', false),
                           .levels = levels,
                           .first = (VkrPyramidFirst)number_below(VKR_PYRAMID_FIRST_COUNT),
                           .algorithm =
                               (VkrPyramidAlgorithm)number_below(VKR_PYRAMID_ALGORITHM_COUNT)};
    const VkExtent2D whole = {info.source.extent.width, info.source.extent.height};
    const VkExtent2D part = info.source.rectangle.extent;
    if (whole.width == 0 || whole.width > 32768)
        return VKR_RESULT_MAX_ENUM;
    info.levelCount = vkrGetPyramidExtents(part.width != 0 && part.height != 0 ? part : whole,
                                           info.first, ARRAY_SIZE(extents), extents);
    for (uint32_t k = 0; k < info.levelCount && k < ARRAY_SIZE(levels); k++) {
        levels[k] = image('P' + k, true);
        levels[k].viewType = info.source.viewType;
        levels[k].range.layerCount = info.source.range.layerCount;
        levels[k].format = rarely(100)                             ? levels[k].format
                           : info.ops == (VKR_OP_MIN | VKR_OP_MAX) ? VK_FORMAT_R16G16_SFLOAT
                                                                   : VK_FORMAT_R32_SFLOAT;
        levels[k].range.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
        levels[k].extent = (VkExtent3D){extents[k].width, extents[k].height, 1};
        if (rarely(100))
            levels[k].extent.width++;
    }
    if (rarely(4) && info.levelCount > 1)
        info.levelCount = 1 + (uint32_t)number_below(info.levelCount);
    return vkrCmdPyramid(fixture.recorder, &info);
}

static VkrResult any_histogram(void)
{
    const VkrImage picture = image('I', false), mask = image('M', false),
                   weight = image('W', false);
    const VkrMap map = any_map(), weight_map = any_map();
    const bool integral = rarely(3), of_gpu = rarely(3);
    VkrHistogramInfo info = {
        .input = any_input(&picture, &map),
        .count = PICK(0, 1, 1000, 100000, VKR_COUNT_ALL),
        .bins = {.kind = (VkrBinKind)number_below(VKR_BIN_KIND_COUNT + rarely(60)),
                 .count = (uint32_t)PICK(1, 2, 255, 256, 4096, 65536, 65537),
                 .low = {.value = (double)number_below(4)},
                 .high = {.value = (double)number_below(300)}},
        .countType = (VkrType)PICK(0, VKR_TYPE_U32, VKR_TYPE_U64),
        .counts = {BUFFER('C'), 4 * number_below(5), 1 << 22},
        .algorithm = (VkrHistogramAlgorithm)number_below(VKR_HISTOGRAM_ALGORITHM_COUNT),
        .workgroupSize = (uint32_t)PICK(0, 0, 0, 1, 64, 256, 100, 4096),
        .flags = (uint32_t)number_below(4 + rarely(60))};
    if (integral)
        info.bins.low.integer = (int64_t)PICK(0, 1, INT64_MAX, (uint64_t)INT64_MIN);
    if (of_gpu)
        info.bins.gpuRange = (VkrGpuRange){BUFFER('G'), 4 * number_below(9), 4 * number_below(9)};
    if (info.bins.kind == VKR_BINS_EDGES || rarely(40))
        info.bins.edges = (VkrBufferRange){BUFFER('D'), 8 * number_below(3), 1 << 20};
    if (rarely(2))
        info.outside = (VkrBufferRange){BUFFER('S'), 4 * number_below(5), PICK(12, 96, 100)};
    if (rarely(2))
        info.edges = (VkrBufferRange){rarely(30) ? BUFFER('C') : BUFFER('E'), 4, 1 << 22};
    if (rarely(3))
        info.weights = any_input(&weight, &weight_map);
    if (rarely(4))
        info.weightFraction = (uint32_t)number_below(33);
    if (rarely(4))
        info.mask.flags =
            (VkrFlagView){.format = (VkrFlagFormat)number_below(VKR_FLAG_FORMAT_COUNT),
                          .range = {BUFFER('F'), 4 * number_below(3), UINT64_C(1) << 38}};
    else if (rarely(4))
        info.mask.image = info.input.image != NULL && !rarely(3) ? &picture : &mask;
    if (rarely(5))
        info.gpuCount = (VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64};
    const VkrResult result = vkrCmdHistogram(fixture.recorder, &info);
    histograms += result == VKR_SUCCESS;
    return result;
}

static VkrResult any_bounds(void)
{
    const VkrImage picture = image('I', false), values = image('V', false);
    const VkrMap map = any_map(), value_map = any_map();
    VkrBoundsInfo info = {.flags = (uint32_t)number_below(4 + rarely(60)),
                          .sorted = any_input(&picture, &map),
                          .count = PICK(0, 1, 1000, 100000, VKR_COUNT_ALL, VKR_COUNT_ALL),
                          .values = any_input(&values, &value_map),
                          .valueCount = PICK(0, 1, 1000, 100000, VKR_COUNT_ALL),
                          .workgroupSize = (uint32_t)PICK(0, 0, 0, 1, 64, 256, 100, 4096)};
    info.values.type = rarely(40) ? info.values.type : info.sorted.type;
    if (!rarely(5))
        info.lower = (VkrView){.buffer = BUFFER('L'),
                               .size = UINT64_C(1) << 37,
                               .stride = 8 * number_below(3),
                               .type = (VkrType)PICK(0, 0, VKR_TYPE_U32, VKR_TYPE_U64)};
    if (rarely(2))
        info.upper = (VkrView){.buffer = rarely(30) ? BUFFER('L') : BUFFER('U'),
                               .size = UINT64_C(1) << 37,
                               .type = VKR_TYPE_U64};
    if (rarely(4))
        info.gpuCount = (VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64};
    if (rarely(4))
        info.gpuValueCount = (VkrGpuCount){BUFFER('N'), 16, VKR_TYPE_U32};
    return vkrCmdBounds(fixture.recorder, &info);
}

static VkrResult any_find(void)
{
    const VkrImage picture = image('I', false);
    const VkrMap map = any_map();
    VkrFindInfo info = {
        .input = any_input(&picture, &map),
        .count = PICK(0, 1, 1000, 100000, VKR_COUNT_ALL, VKR_COUNT_ALL),
        .predicate = {.kind = (VkrPredicateKind)number_below(VKR_PREDICATE_KIND_COUNT + rarely(60)),
                      .negate = rarely(2),
                      .compare = (VkrCompare)number_below(VKR_COMPARE_COUNT),
                      .component = rarely(20)},
        .index = {BUFFER('X'), 4 * number_below(5), PICK(4, 8, 8, 8)}};
    if (info.predicate.kind == VKR_PREDICATE_FLAGS)
        info.predicate.flags =
            (VkrFlagView){.format = (VkrFlagFormat)number_below(VKR_FLAG_FORMAT_COUNT),
                          .range = {BUFFER('F'), 4 * number_below(3), UINT64_C(1) << 38}};
    if (info.predicate.kind == VKR_PREDICATE_COMPARE && rarely(3))
        info.predicate.gpuConstants = (VkrBufferRange){BUFFER('G'), 8 * number_below(3), 16};
    if (rarely(4))
        info.gpuCount = (VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64};
    return vkrCmdFind(fixture.recorder, &info);
}

static VkrResult any_bin(void)
{
    const VkrImage picture = image('I', false);
    const VkrMap map = any_map();
    const VkrBufferRange far = {BUFFER('O'), 4, UINT64_C(1) << 37};
    VkrPayload payloads[2];
    for (uint32_t i = 0; i < 2; i++)
        payloads[i] =
            (VkrPayload){.size = (uint32_t)PICK(1, 2, 4, 4, 8, 12, 16, 64),
                         .source = {BUFFER('P'), 16 * number_below(3), UINT64_C(1) << 37},
                         .sourceStride = PICK(0, 0, 64, 128),
                         .target = {i == 0 ? BUFFER('T') : BUFFER('W'), 0, UINT64_C(1) << 37}};
    VkrBinInfo info = {.keys = any_input(&picture, &map),
                       .count = PICK(0, 1, 1000, 100000, VKR_COUNT_ALL),
                       .binCount = (uint32_t)PICK(1, 2, 255, 256, 257, 4095, 4096, 4097),
                       .workgroupSize = (uint32_t)PICK(0, 0, 0, 1, 64, 256, 100, 4096),
                       .payloadCount = (uint32_t)number_below(3),
                       .payloads = payloads};
    if (info.payloadCount != 0 && info.count == VKR_COUNT_ALL)
        info.count = 1000000; /* few pairs of windows */
    if (info.keys.image == NULL && info.keys.map == NULL && !rarely(20)) {
        info.keys.type = (VkrType)PICK(VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_U32);
        info.keys.components = 1;
    }
    if (rarely(2))
        info.offsets = far;
    if (rarely(2))
        info.counts = (VkrBufferRange){rarely(30) ? BUFFER('O') : BUFFER('C'), 0, 16384};
    if (rarely(2))
        info.indices = (VkrView){.buffer = BUFFER('X'), .size = UINT64_C(1) << 37, .stride = 8};
    if (rarely(4))
        info.gpuCount = (VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64};
    return vkrCmdBin(fixture.recorder, &info);
}

/* ---- Checks ---- */

static void check_dispatches(const trace_device *device)
{
    const uint32_t range = device->range != 0 ? device->range : 1u << 27;
    const uint32_t groups = device->groups != 0 ? device->groups : 65535;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        assert_in_range(d->groups[0], 1, groups);
        for (uint32_t k = 0; k < TRACE_BINDINGS; k++)
            assert_in_range(d->bindings[k].range, 0, range);
    }
}

TEST(test_any)
{
    static VkrResult (*const requests[])(void) = {
        any_reduction, any_reduction, any_reduction, any_scan, any_compaction, any_pyramid,
        any_histogram, any_histogram, any_bounds,    any_find, any_bin};
    const char *seed = getenv("VKR_TEST_SEED");
    state_of_test = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    for (uint32_t k = 0; k < DEVICES; k += trace_step()) {
        trace_device device = random_device(&state_of_test);
        /* Smaller limits need more dispatches than a trace has room for. */
        device.groups = device.groups < 1000 ? 1000 : device.groups;
        device.range = device.range < 1u << 22 ? 1u << 22 : device.range;
        device.limits = (VkrLimits){0};
        trace_open(&device);
        for (uint32_t i = 0; i < REQUESTS; i++) {
            trace_clear();
            fixture.sentences = 0;
            assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
            const VkrResult result = requests[number_below(ARRAY_SIZE(requests))]();
            if (result == VKR_RESULT_MAX_ENUM) {
                assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
                continue;
            }
            assert_int_not_equal(result, VKR_ERROR_OUT_OF_HOST_MEMORY);
            assert_int_equal(fixture.commands, 0);
            assert_int_equal(fixture.sentences, result == VKR_SUCCESS ? 0 : 1);
            assert_int_equal(vkrEnd(fixture.recorder, &plain_end), result);
            recorded += result == VKR_SUCCESS;
            refused += result != VKR_SUCCESS;
            if (result == VKR_SUCCESS)
                check_dispatches(&device);
            else
                assert_int_equal(fixture.commands, 0);
        }
        trace_close();
    }
    printf("# %u recorded, %u of them histograms, %u refused\n", recorded, histograms, refused);
    assert_true(recorded > refused / 10);
    assert_true(histograms > recorded / 20);
}

TEST_MAIN("plans_any", CASE(test_any))
