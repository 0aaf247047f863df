/* SPDX-License-Identifier: MIT */
/* Pyramids of all small sizes, many in one recording: their levels bound what they cover, too. */
#include <stdio.h>
#include <string.h>

#include "pyramid_request.h"

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
    rig.mismatches += chain_compare(chain, 0, PAIR, size, fetched, downloaded, text);
    for (uint32_t k = 0; k < chain->count; k++) {
        assert_true(bounds(downloaded, chain->extents[k], source, size));
        downloaded += (2 * chain->extents[k].width * chain->extents[k].height + 15) / 16 * 16;
    }
}

static void make_size(const test_image *source, VkExtent2D size, VkrPyramidFirst first,
                      VkrPyramidAlgorithm algorithm, pyramid_request *p)
{
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    const uint32_t count = vkrGetPyramidExtents(size, first, VKR_MAX_PYRAMID_LEVELS, extents);
    const chain_request request = {.format = find_level_format(VK_FORMAT_R8G8_UINT),
                                   .view_type = VK_IMAGE_VIEW_TYPE_2D,
                                   .extent = extents[0],
                                   .count = count,
                                   .layers = 1};
    p->part = size;
    assert_true(chain_create(&rig.h, &request, &p->levels.chain));
    chain_clear(&rig.h, &p->levels.chain);
    p->info = (VkrPyramidInfo){.ops = PAIR,
                               .source = source->info,
                               .levels = p->levels.chain.infos,
                               .levelCount = count,
                               .first = first,
                               .algorithm = algorithm};
    p->info.source.rectangle =
        (VkRect2D){{(int32_t)(SIDE - size.width), (int32_t)(SIDE - size.height)}, size};
}

/* All heights with one width, in one recording. */
static void run_width(const test_image *source, uint32_t width, VkrPyramidFirst first,
                      VkrPyramidAlgorithm algorithm)
{
    static pyramid_request requests[SIDE];
    const VkrRecorder recorder = get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in);
    const VkrEndInfo end = {.commandBuffer = rig.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    const unsigned char *texels = rig.given.buffer.data, *downloaded = rig.written.buffer.data;
    VkDeviceSize offset = 0;
    assert_true(harness_begin(&rig.h));
    assert_true(harness_check(&rig.h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t k = 0; k < SIDE; k++) {
        make_size(source, (VkExtent2D){width, k + 1}, first, algorithm, &requests[k]);
        requests[k].levels.bytes = offset;
        offset += chain_bytes(&requests[k].levels.chain, 0);
        assert_true(
            harness_check(&rig.h, vkrCmdPyramid(recorder, &requests[k].info), "vkrCmdPyramid"));
    }
    assert_true(harness_check(&rig.h, vkrEnd(recorder, &end), "vkrEnd"));
    for (uint32_t k = 0; k < SIDE; k++)
        chain_download(&rig.h, &requests[k].levels.chain, 0, rig.written.buffer.buffer,
                       requests[k].levels.bytes);
    assert_true(harness_end(&rig.h) && harness_submit(&rig.h));
    for (uint32_t k = 0; k < SIDE; k++) {
        level_chain *chain = &requests[k].levels.chain;
        check_size(chain, requests[k].part, texels + (SIDE - k - 1) * SIDE + (SIDE - width),
                   downloaded + requests[k].levels.bytes, first);
        chain_destroy(&rig.h, chain);
    }
    vkrReset(recorder);
}

void pyramid_test_sizes(void **state)
{
    const image_request request = {
        .format = find_image_format(VK_FORMAT_R8_UINT, VK_IMAGE_ASPECT_COLOR_BIT),
        .view_type = VK_IMAGE_VIEW_TYPE_2D,
        .width = SIDE,
        .height = SIDE,
        .layers = 1,
        .layout = VK_IMAGE_LAYOUT_GENERAL};
    uint64_t random = environment("VKR_TEST_SEED", 1);
    const uint64_t before = chain_texels();
    test_image source;
    (void)state;
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    assert_true(image_create(&rig.h, &request, &source));
    image_fill(&request, &random, rig.given.buffer.data);
    assert_true(harness_begin(&rig.h));
    image_upload(&rig.h, &source, rig.given.buffer.buffer, 0);
    assert_true(harness_end(&rig.h) && harness_submit(&rig.h));
    for (uint32_t first = 0; first < (harness_full() ? VKR_PYRAMID_FIRST_COUNT : 1u); first++)
        for (uint32_t a = 1; a < VKR_PYRAMID_ALGORITHM_COUNT; a++)
            for (uint32_t width = 1; width <= SIDE; width++)
                run_width(&source, width, (VkrPyramidFirst)first, (VkrPyramidAlgorithm)a);
    image_destroy(&rig.h, &source);
    rig.cases += chain_texels() - before;
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(rig.h.validation_messages, 0);
}
