/* SPDX-License-Identifier: MIT */
/*
 * Every operation gives the same results, bit for bit, for an image and for a buffer with the
 * results of texelFetch. Operations that copy the image first run the same kernels for both, so
 * that even the order of additions is the same; float sums of whole reductions are tested at level
 * DEVICE.
 */
#include <stdio.h>
#include <string.h>

#include "images.h"
#include "reduce_case.h"

#define WIDTH 211u
#define HEIGHT 96u
#define LAYERS 3u
#define OUTPUT_BYTES (2u << 20)
#define ARGUMENT_BYTES 8192u

static harness h;
static fetcher fetch;
static test_contexts contexts;
static uint64_t random_state;
static harness_buffer texels, values, outputs, arguments;

/* The part of an image that is read: a rectangle of layers 1 and 2. */
#define PART_WIDTH 190u
#define PART_HEIGHT 90u
#define PART_LAYERS 2u
#define COUNT (PART_WIDTH * PART_HEIGHT * PART_LAYERS)

typedef struct same_case {
    const char *name;
    const image_format *format;
    uint32_t components;
    VkrResult (*add)(VkrRecorder recorder, const VkrView *input, VkDeviceSize output);
    bool small; /* also with small limits: the operation supports windows of buffers */
} same_case;

static VkrBufferRange output_at(VkDeviceSize offset, VkDeviceSize size)
{
    return (VkrBufferRange){outputs.buffer, offset, size};
}

static VkrView view_at(VkDeviceSize offset)
{
    return (VkrView){.buffer = outputs.buffer, .offset = offset, .size = OUTPUT_BYTES / 2};
}

static VkrView words_at(VkDeviceSize offset)
{
    VkrView view = view_at(offset);
    view.size = OUTPUT_BYTES / 4;
    view.type = VKR_TYPE_U32;
    view.components = 1;
    return view;
}

static VkrResult add_sums(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM | VKR_OP_MIN | VKR_OP_ARGMAX,
                                .input = *input,
                                .count = VKR_COUNT_ALL,
                                .output = output_at(output, OUTPUT_BYTES),
                                .determinism = VKR_DETERMINISM_DEVICE};
    return vkrCmdReduce(recorder, &info);
}

static VkrResult add_dot(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrReduceInfo info = {.ops = VKR_OP_DOT | VKR_OP_SUM,
                                .input = *input,
                                .input2 = *input,
                                .count = COUNT - 7,
                                .output = output_at(output, OUTPUT_BYTES),
                                .determinism = VKR_DETERMINISM_DEVICE};
    return vkrCmdReduce(recorder, &info);
}

static VkrResult add_segments(VkrRecorder recorder, const VkrView *input, VkDeviceSize output,
                              VkrSegments segments)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM | VKR_OP_MAX,
                                .input = *input,
                                .count = COUNT,
                                .output = output_at(output, OUTPUT_BYTES),
                                .segments = segments};
    return vkrCmdReduce(recorder, &info);
}

static VkrResult add_rows(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    return add_segments(recorder, input, output,
                        (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = PART_WIDTH});
}

static VkrResult add_columns(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    return add_segments(recorder, input, output,
                        (VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = PART_WIDTH});
}

static VkrResult add_windows(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    return add_segments(recorder, input, output,
                        (VkrSegments){.kind = VKR_SEGMENTS_WINDOWS, .length = 5});
}

static VkrResult add_offsets(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    return add_segments(recorder, input, output,
                        (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                                      .offsets = {arguments.buffer, 0, ARGUMENT_BYTES}});
}

static VkrResult add_scan(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = *input,
                              .output = view_at(output),
                              .count = VKR_COUNT_ALL,
                              .total = output_at(output + OUTPUT_BYTES / 2, 64)};
    return vkrCmdScan(recorder, &info);
}

static VkrResult add_compaction(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrCountOutput kept = {VKR_COUNT_KEPT, outputs.buffer, output + 3 * OUTPUT_BYTES / 4, 0};
    VkrCompactInfo info = {.input = *input,
                           .count = VKR_COUNT_ALL,
                           .predicate = {.kind = VKR_PREDICATE_NONZERO, .component = 0},
                           .kept = view_at(output),
                           .countOutputCount = 1,
                           .countOutputs = &kept};
    info.kept.size = OUTPUT_BYTES / 2;
    return vkrCmdCompact(recorder, &info);
}

static VkrResult add_sort(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrSortInfo info = {.flags = VKR_SORT_DESCENDING_BIT,
                              .keys = *input,
                              .count = VKR_COUNT_ALL,
                              .sorted = view_at(output),
                              .indices = words_at(output + OUTPUT_BYTES / 2)};
    return vkrCmdSort(recorder, &info);
}

static VkrResult add_sorted_rows(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrSortInfo info = {.keys = *input,
                              .count = COUNT,
                              .segments = {.kind = VKR_SEGMENTS_ROWS, .length = PART_WIDTH},
                              .indices = words_at(output)};
    return vkrCmdSort(recorder, &info);
}

static VkrResult add_selection(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrTopKInfo info = {.input = *input,
                              .count = VKR_COUNT_ALL,
                              .k = 100,
                              .values = view_at(output),
                              .indices = words_at(output + OUTPUT_BYTES / 2)};
    return vkrCmdTopK(recorder, &info);
}

/* The elements are searched for in themselves: where they are not sorted, any algorithm finds the
 * same. */
static VkrResult add_bounds(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrBoundsInfo info = {.sorted = *input,
                                .count = VKR_COUNT_ALL,
                                .values = *input,
                                .valueCount = VKR_COUNT_ALL,
                                .lower = words_at(output),
                                .upper = words_at(output + OUTPUT_BYTES / 2)};
    return vkrCmdBounds(recorder, &info);
}

static VkrResult add_bins(VkrRecorder recorder, const VkrView *input, VkDeviceSize output)
{
    const VkrBinInfo info = {.keys = *input,
                             .count = VKR_COUNT_ALL,
                             .binCount = 200,
                             .offsets = output_at(output + OUTPUT_BYTES / 2, 201 * 4),
                             .indices = words_at(output)};
    return vkrCmdBin(recorder, &info);
}

static const same_case cases[] = {
    {"sums of RGBA8", &image_formats[0], 4, add_sums, false},
    {"sums of D32", &image_formats[1], 1, add_sums, false},
    {"dot of RGBA8", &image_formats[0], 2, add_dot, false},
    {"rows of RGBA8", &image_formats[0], 3, add_rows, true},
    {"columns of R8_UINT", &image_formats[4], 1, add_columns, true},
    {"windows of D32", &image_formats[1], 1, add_windows, false},
    {"offsets of RGBA32_SINT", &image_formats[5], 4, add_offsets, false},
    {"scan of RGBA8", &image_formats[0], 4, add_scan, false},
    {"scan of R8_UINT", &image_formats[4], 1, add_scan, true},
    {"compaction of R8_UINT", &image_formats[4], 1, add_compaction, true},
    {"compaction of RGBA8", &image_formats[0], 3, add_compaction, false},
    {"sort of D32", &image_formats[1], 1, add_sort, true},
    {"sorted rows of R8_UINT", &image_formats[4], 1, add_sorted_rows, false},
    {"selection of D32", &image_formats[1], 1, add_selection, false},
    {"search of R8_UINT", &image_formats[4], 1, add_bounds, false},
    {"bins of R8_UINT", &image_formats[4], 1, add_bins, false},
};

/* ---- Running a case ---- */

static bool open_image(const same_case *c, VkImageViewType type, test_image *image)
{
    const image_request request = {.format = c->format,
                                   .view_type = type,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .layers = LAYERS,
                                   .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    return image_supported(&h, &request) && image_create(&h, &request, image);
}

static void run_case(const same_case *c, limits_row limits, VkImageViewType type)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, limits, &built_in);
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    test_image image;
    if (!open_image(c, type, &image)) {
        printf("# left out: %s, view type %d\n", c->name, (int)type);
        return;
    }
    VkrImage part = image.info;
    part.rectangle = (VkRect2D){{13, 4}, {PART_WIDTH, PART_HEIGHT}};
    part.firstLayer = 1;
    const VkrView view = {.components = c->components, .image = &part};
    const VkrView copy = {.buffer = values.buffer,
                          .size = (VkDeviceSize)COUNT * 4 * c->components,
                          .type = vkrFormatType(c->format->format, c->format->aspect, NULL),
                          .components = c->components};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    image_fill(&image.request, &random_state, texels.data);
    memset(outputs.data, 0xcd, outputs.size);
    fetcher_reset(&fetch);
    assert_true(harness_begin(&h));
    image_upload(&h, &image, texels.buffer, 0);
    image_fetch(&h, &fetch, &part, c->components, values.buffer, 0, copy.size);
    vkCmdPipelineBarrier(h.cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    /* The image comes second, so that its scratch offset is not 0. */
    assert_true(harness_check(&h, c->add(recorder, &copy, OUTPUT_BYTES), c->name));
    assert_true(harness_check(&h, c->add(recorder, &view, 0), c->name));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    const char *of_image = outputs.data, *of_buffer = of_image + OUTPUT_BYTES;
    uint32_t written = 0;
    for (uint32_t i = 0; i < OUTPUT_BYTES; i += 4)
        written += memcmp(of_buffer + i, "\xcd\xcd\xcd\xcd", 4) != 0;
    printf("# %s, view type %d, limits %s: %u words\n", c->name, (int)type, limits_names[limits],
           written);
    assert_true(written > 0);
    assert_memory_equal(of_image, of_buffer, OUTPUT_BYTES);
    image_destroy(&h, &image);
}

static void test_same(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const bool is_3d = i % 2 != 0 && cases[i].format->aspect == VK_IMAGE_ASPECT_COLOR_BIT;
        run_case(&cases[i], LIMITS_DEVICE,
                 is_3d ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D_ARRAY);
        if (cases[i].small)
            run_case(&cases[i], LIMITS_SHARED_SMALL, VK_IMAGE_VIEW_TYPE_2D_ARRAY);
    }
    assert_int_equal(h.validation_messages, 0);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    random_state = environment("VKR_TEST_SEED", 1);
    contexts.h = &h;
    if (!harness_create_buffer(&h, 16 * WIDTH * HEIGHT * LAYERS, &texels) ||
        !harness_create_buffer(&h, 16 * COUNT, &values) ||
        !harness_create_buffer(&h, 2 * OUTPUT_BYTES, &outputs) ||
        !harness_create_buffer(&h, ARGUMENT_BYTES, &arguments) || !fetcher_open(&h, &fetch))
        return -1;
    uint32_t *offsets = arguments.data;
    for (uint32_t i = 0; i < ARGUMENT_BYTES / 4; i++)
        offsets[i] = i * (COUNT / (ARGUMENT_BYTES / 4));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    close_contexts(&contexts);
    fetcher_close(&h, &fetch);
    harness_destroy_buffer(&h, &texels);
    harness_destroy_buffer(&h, &values);
    harness_destroy_buffer(&h, &outputs);
    harness_destroy_buffer(&h, &arguments);
    return 0;
}

HARNESS_MAIN(h, "images_same", open_all, close_all, cmocka_unit_test(test_same))
