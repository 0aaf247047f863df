/* SPDX-License-Identifier: MIT */
/* Pyramids of all small sizes, of large ones, and with few storage images. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pyramid_case.h"

static const tuning_row built_in;

#define SIDE 67u

/* Whether the texels of a level, each a minimum and a maximum of bytes, bound every texel of the
 * source that they overlap. */
static bool bounds(const unsigned char *level, VkExtent2D n, const unsigned char *source,
                   VkExtent2D m)
{
    bool held = true;
    for (uint32_t k = 0; k < n.height; k++)
        for (uint32_t i = 0; i < n.width; i++)
            for (uint32_t y = k * m.height / n.height; y * n.height < (k + 1) * m.height; y++)
                for (uint32_t x = i * m.width / n.width; x * n.width < (i + 1) * m.width; x++)
                    held = held && level[2 * (k * n.width + i)] <= source[y * SIDE + x] &&
                           level[2 * (k * n.width + i) + 1] >= source[y * SIDE + x];
    return held;
}

static void check_size(const level_chain *chain, VkExtent2D size, const unsigned char *source,
                       const unsigned char *downloaded, VkrPyramidFirst first)
{
    uint32_t fetched[SIDE * SIDE];
    char text[80];
    for (uint32_t i = 0; i < size.width * size.height; i++)
        fetched[i] = source[i / size.width * SIDE + i % size.width];
    snprintf(text, sizeof(text), "%u x %u, rule %d", size.width, size.height, (int)first);
    test.mismatches += chain_compare(chain, 0, PAIR, size, fetched, downloaded, text);
    for (uint32_t k = 0; k < chain->count; k++) {
        assert_true(bounds(downloaded, chain->extents[k], source, size));
        downloaded += (2 * chain->extents[k].width * chain->extents[k].height + 15) / 16 * 16;
    }
}

static void make_size(const test_image *source, VkExtent2D size, VkrPyramidFirst first,
                      VkrPyramidAlgorithm algorithm, pyramid_case *c)
{
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    const uint32_t count = vkrGetPyramidExtents(size, first, VKR_MAX_PYRAMID_LEVELS, extents);
    const chain_request request = {.format = find_level_format(VK_FORMAT_R8G8_UINT),
                                   .view_type = VK_IMAGE_VIEW_TYPE_2D,
                                   .extent = extents[0],
                                   .count = count,
                                   .layers = 1};
    *c = (pyramid_case){.part = size, .first = 0};
    assert_true(chain_create(&test.h, &request, &c->chain));
    chain_clear(&test.h, &c->chain);
    c->info = (VkrPyramidInfo){.ops = PAIR,
                               .source = source->info,
                               .levels = c->chain.infos,
                               .levelCount = count,
                               .first = first,
                               .algorithm = algorithm};
    c->info.source.rectangle =
        (VkRect2D){{(int32_t)(SIDE - size.width), (int32_t)(SIDE - size.height)}, size};
}

/* All heights with one width, in one recording. */
static void run_width(const test_image *source, const unsigned char *bytes, uint32_t width,
                      VkrPyramidFirst first, VkrPyramidAlgorithm algorithm)
{
    static pyramid_case cases[SIDE];
    const VkrRecorder recorder = get_recorder(&test.contexts, LIMITS_DEVICE, &built_in);
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    VkDeviceSize offset = 0;
    assert_true(harness_begin(&test.h));
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t k = 0; k < SIDE; k++) {
        make_size(source, (VkExtent2D){width, k + 1}, first, algorithm, &cases[k]);
        cases[k].levels = offset;
        offset += chain_bytes(&cases[k].chain, 0);
        assert_true(
            harness_check(&test.h, vkrCmdPyramid(recorder, &cases[k].info), "vkrCmdPyramid"));
    }
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    for (uint32_t k = 0; k < SIDE; k++)
        chain_download(&test.h, &cases[k].chain, 0, levels.buffer, cases[k].levels);
    assert_true(harness_end(&test.h) && harness_submit(&test.h));
    for (uint32_t k = 0; k < SIDE; k++) {
        check_size(&cases[k].chain, cases[k].part,
                   bytes + (SIDE - cases[k].part.height) * SIDE + (SIDE - width),
                   (const unsigned char *)levels.data + cases[k].levels, first);
        chain_destroy(&test.h, &cases[k].chain);
    }
    vkrReset(recorder);
}

void test_sizes(void **state)
{
    (void)state;
    static const format_row bytes = {VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, NONE};
    const image_request request = {.format = find_image_format(&bytes),
                                   .view_type = VK_IMAGE_VIEW_TYPE_2D,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .layers = 1,
                                   .layout = VK_IMAGE_LAYOUT_GENERAL};
    const uint64_t before = test.mismatches;
    test_image source;
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    assert_true(image_create(&test.h, &request, &source));
    image_fill(&request, &test.random, texels.data);
    assert_true(harness_begin(&test.h));
    image_upload(&test.h, &source, texels.buffer, 0);
    assert_true(harness_end(&test.h) && harness_submit(&test.h));
    for (uint32_t first = 0; first < (harness_full() ? VKR_PYRAMID_FIRST_COUNT : 1u); first++)
        for (uint32_t a = 1; a < VKR_PYRAMID_ALGORITHM_COUNT; a++)
            for (uint32_t width = 1; width <= SIDE; width++)
                run_width(&source, texels.data, width, (VkrPyramidFirst)first,
                          (VkrPyramidAlgorithm)a);
    image_destroy(&test.h, &source);
    assert_int_equal(test.mismatches, before);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- Large sizes ---- */

void test_large(void **state)
{
    (void)state;
    static const format_row bytes = {VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT,
                                     VK_FORMAT_R8G8_UINT};
    const uint32_t limit = test.h.properties.limits.maxImageDimension2D;
    const VkExtent2D sizes[] = {{1080, 1920}, {limit, 1},    {1, limit},   {limit - 1, 3},
                                {4096, 4096}, {limit, 1000}, {4095, 4093}, {8191, 2047}};
    const uint64_t before = test.mismatches;
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    for (uint32_t k = 0; k < (harness_full() ? ARRAY_SIZE(sizes) : 4u); k++) {
        for (uint32_t a = 1; a < VKR_PYRAMID_ALGORITHM_COUNT; a++) {
            const case_request r = {.formats = &bytes,
                                    .ops = k % 2 == 0 ? PAIR : VKR_OP_MEAN,
                                    .shape = VK_IMAGE_VIEW_TYPE_2D,
                                    .algorithm = (VkrPyramidAlgorithm)a,
                                    .size = sizes[k],
                                    .layers = 1,
                                    .whole = true};
            pyramid_case c;
            assert_true(create_case(&r, &c));
            run_cases(get_recorder(&test.contexts, LIMITS_DEVICE, &built_in), &c, 1);
        }
    }
    assert_int_equal(test.mismatches, before);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- Exact halves ---- */

/* SwiftShader rounds floats of 16 bits wrongly when it stores them. */
static bool rounds_halves(void)
{
    return strstr(test.h.properties.deviceName, "SwiftShader") == NULL;
}

/* Tiles of 64 x 64 texels, the smaller ones at the edges, and what the last workgroup makes. */
void test_halves(void **state)
{
    (void)state;
    static const struct {
        format_row formats;
        VkrOpFlags ops;
        VkExtent2D size;
    } rows[] = {
        {{VK_FORMAT_R8G8B8A8_UNORM, COLOR, VK_FORMAT_R8G8B8A8_UNORM, NONE},
         VKR_OP_MEAN,
         {320, 192}},
        {{VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
         PAIR,
         {256, 128}},
        {{VK_FORMAT_R16G16B16A16_SFLOAT, COLOR, VK_FORMAT_R16G16B16A16_SFLOAT, NONE},
         VKR_OP_MEAN,
         {136, 72}},
        {{VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, NONE}, VKR_OP_MAX, {1024, 64}},
        {{VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, NONE}, VKR_OP_MEAN, {260, 300}},
    };
    const uint64_t before = test.mismatches;
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    for (uint32_t k = 0; k < ARRAY_SIZE(rows); k++) {
        if (rows[k].formats.source == VK_FORMAT_R16G16B16A16_SFLOAT && !rounds_halves())
            continue;
        const case_request r = {.formats = &rows[k].formats,
                                .ops = rows[k].ops,
                                .shape = k % 2 == 0 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                    : VK_IMAGE_VIEW_TYPE_2D,
                                .algorithm = VKR_PYRAMID_HYBRID,
                                .size = rows[k].size,
                                .layers = k % 2 == 0 ? 3 : 1,
                                .whole = true};
        pyramid_case c;
        assert_true(create_case(&r, &c));
        run_cases(get_recorder(&test.contexts, LIMITS_DEVICE, &built_in), &c, 1);
    }
    assert_int_equal(test.mismatches, before);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- Few storage images ---- */

/* If a device can bind only four storage images, several dispatches replace one. */
void test_few_images(void **state)
{
    (void)state;
    static const format_row floats = {VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R32_SFLOAT,
                                      VK_FORMAT_R32G32_SFLOAT};
    static const format_row bytes = {VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, NONE};
    static const format_row halves = {VK_FORMAT_R16_SFLOAT, COLOR, VK_FORMAT_R16_SFLOAT, NONE};
    static const struct {
        const format_row *formats;
        VkrOpFlags ops;
        VkExtent2D size;
    } rows[] = {
        {&bytes, VKR_OP_MEAN, {256, 256}},
        {&floats, VKR_OP_MIN, {1000, 77}},
        {&halves, VKR_OP_MEAN, {300, 211}}, /* each level is rounded before the next one */
    };
    const uint64_t before = test.mismatches, violated = limit_violations();
    VkrContext context;
    VkrRecorder recorder;
    test.h.hooks.storageImages = 4;
    assert_true(harness_context(&test.h, NULL, &context));
    test.h.hooks.storageImages = 0;
    assert_int_equal(vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder), VKR_SUCCESS);
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    watch_storage_images(4);
    for (uint32_t k = 0; k < ARRAY_SIZE(rows) - (rounds_halves() ? 0 : 1); k++)
        for (uint32_t a = 0; a < VKR_PYRAMID_ALGORITHM_COUNT; a++) {
            const case_request r = {.formats = rows[k].formats,
                                    .ops = rows[k].ops,
                                    .shape = VK_IMAGE_VIEW_TYPE_2D,
                                    .algorithm = (VkrPyramidAlgorithm)a,
                                    .size = rows[k].size,
                                    .layers = 1,
                                    .whole = true};
            pyramid_case c;
            assert_true(create_case(&r, &c));
            run_cases(recorder, &c, 1);
        }
    watch_storage_images(UINT32_MAX);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_int_equal(test.mismatches, before);
    assert_int_equal(limit_violations(), violated);
    assert_int_equal(test.h.validation_messages, 0);
}
