/* SPDX-License-Identifier: MIT */
/* Sources, their levels, and their comparison with the oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pyramid_case.h"

const image_format *find_image_format(const format_row *row)
{
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++)
        if (image_formats[i].format == row->source && image_formats[i].aspect == row->aspect)
            return &image_formats[i];
    fail_msg("the tests have no image of format %d", (int)row->source);
    return NULL;
}

/* Returns the length of a part of `size`, at least half of it, which starts at *first. */
static uint32_t choose_part(uint32_t size, int32_t *first)
{
    const uint32_t part = size - random_below(&test.random, size / 2 + 1);
    *first = (int32_t)random_below(&test.random, size - part + 1);
    return part;
}

static void choose_source_part(const case_request *r, VkrImage *source)
{
    if (r->whole || random_below(&test.random, 3) != 0)
        return;
    source->rectangle.extent.width = choose_part(r->size.width, &source->rectangle.offset.x);
    source->rectangle.extent.height = choose_part(r->size.height, &source->rectangle.offset.y);
    if (r->layers > 1 && source->range.layerCount > 1) {
        source->firstLayer = random_below(&test.random, r->layers);
        source->layerCount = 1 + random_below(&test.random, r->layers - source->firstLayer);
    }
}

static bool create_source(const case_request *r, pyramid_case *c)
{
    const image_request request = {
        .format = find_image_format(r->formats),
        .view_type = r->shape,
        .width = r->size.width,
        .height = r->size.height,
        .layers = r->layers,
        .level = r->whole ? 0 : random_below(&test.random, 2),
        .whole_view = random_below(&test.random, 2) == 0,
        .layout = random_below(&test.random, 2) == 0 ? VK_IMAGE_LAYOUT_GENERAL
                                                     : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    return image_supported(&test.h, &request) && image_create(&test.h, &request, &c->source);
}

/* The source becomes level 0 of the chain. */
static bool create_together(const case_request *r, pyramid_case *c, uint32_t count)
{
    const chain_request request = {.format = find_level_format(level_of(r->formats, r->ops)),
                                   .view_type = r->shape,
                                   .extent = r->size,
                                   .count = count + 1,
                                   .layers = r->layers};
    c->first = 1;
    if (!chain_supported(&test.h, &request) || !chain_create(&test.h, &request, &c->chain))
        return false;
    c->source = (test_image){.image = c->chain.image,
                             .view = c->chain.infos[0].view,
                             .request = {.format = find_image_format(r->formats),
                                         .view_type = r->shape,
                                         .width = r->size.width,
                                         .height = r->size.height,
                                         .layers = r->layers,
                                         .layout = VK_IMAGE_LAYOUT_GENERAL},
                             .info = c->chain.infos[0]};
    return true;
}

static bool create_separate(const case_request *r, pyramid_case *c)
{
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    if (!create_source(r, c))
        return false;
    choose_source_part(r, &c->source.info);
    if (c->source.info.rectangle.extent.width != 0)
        c->part = c->source.info.rectangle.extent;
    const uint32_t all = vkrGetPyramidExtents(c->part, r->first, VKR_MAX_PYRAMID_LEVELS, extents);
    const VkrImage *info = &c->source.info;
    const uint32_t left = info->range.layerCount - info->firstLayer;
    const chain_request request = {.format = find_level_format(level_of(r->formats, r->ops)),
                                   .view_type = r->shape,
                                   .extent = extents[0],
                                   .count = r->whole || random_below(&test.random, 3) != 0
                                                ? all
                                                : 1 + random_below(&test.random, all),
                                   .layers = info->layerCount != 0 ? info->layerCount : left};
    if (chain_supported(&test.h, &request) && chain_create(&test.h, &request, &c->chain))
        return true;
    image_destroy(&test.h, &c->source);
    return false;
}

static void destroy_case(pyramid_case *c)
{
    if (!c->together)
        image_destroy(&test.h, &c->source);
    chain_destroy(&test.h, &c->chain);
}

/* Returns false if the device does not support the images. */
bool create_case(const case_request *r, pyramid_case *c)
{
    const bool can_share = r->formats->source == level_of(r->formats, r->ops) &&
                           r->first == VKR_PYRAMID_HALF && !r->whole &&
                           r->size.width + r->size.height > 2; /* there is a further level */
    *c = (pyramid_case){.part = r->size};
    c->together = can_share && random_below(&test.random, 2) == 0;
    const uint32_t all = vkrGetPyramidExtents(r->size, r->first, 0, NULL);
    if (!(c->together ? create_together(r, c, all) : create_separate(r, c)))
        return false;
    (void)vkrFormatType(r->formats->source, r->formats->aspect, &c->channels);
    c->info = (VkrPyramidInfo){.ops = r->ops,
                               .source = c->source.info,
                               .levels = &c->chain.infos[c->first],
                               .levelCount = c->chain.count - c->first,
                               .first = r->first,
                               .algorithm = r->algorithm};
    return true;
}

/* ---- Running cases ---- */

static void place_cases(pyramid_case *cases, uint32_t count)
{
    VkDeviceSize texel_end = 0, value_end = 0, level_end = 0;
    for (uint32_t k = 0; k < count; k++) {
        pyramid_case *c = &cases[k];
        c->texels = texel_end;
        c->values = value_end;
        c->levels = level_end;
        texel_end +=
            (image_bytes(&c->source.request) + 767) / 768 * 768; /* whole texels of every size */
        value_end +=
            ((VkDeviceSize)c->part.width * c->part.height * c->chain.layers * c->channels * 4 +
             255) /
            256 * 256;
        level_end += (chain_bytes(&c->chain, c->first) + 255) / 256 * 256;
        assert_true(texel_end <= texels.size && value_end <= values.size &&
                    level_end <= levels.size);
        image_fill(&c->source.request, &test.random, (char *)texels.data + c->texels);
    }
}

static void record(VkrRecorder recorder, const pyramid_case *cases, uint32_t count)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    /* After the upload, images may be read; but levels in the same image are written. */
    const VkMemoryBarrier to_write = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_SHADER_READ_BIT,
                                      .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    fetcher_reset(&fetch);
    assert_true(harness_begin(&test.h));
    for (uint32_t k = 0; k < count; k++) {
        const pyramid_case *c = &cases[k];
        if (!c->together)
            chain_clear(&test.h, &c->chain);
        image_upload(&test.h, &c->source, texels.buffer, c->texels);
        image_fetch(&test.h, &fetch, &c->info.source, c->channels, values.buffer, c->values,
                    (VkDeviceSize)c->part.width * c->part.height * c->chain.layers * c->channels *
                        4);
    }
    vkCmdPipelineBarrier(test.h.cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &to_write, 0, NULL, 0, NULL);
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t k = 0; k < count; k++)
        assert_true(
            harness_check(&test.h, vkrCmdPyramid(recorder, &cases[k].info), "vkrCmdPyramid"));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    for (uint32_t k = 0; k < count; k++)
        chain_download(&test.h, &cases[k].chain, cases[k].first, levels.buffer, cases[k].levels);
    vkCmdPipelineBarrier(test.h.cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &to_host, 0, NULL, 0, NULL);
    assert_true(harness_end(&test.h));
}

void run_cases(VkrRecorder recorder, pyramid_case *cases, uint32_t count)
{
    place_cases(cases, count);
    record(recorder, cases, count);
    assert_true(harness_submit(&test.h));
    for (uint32_t k = 0; k < count; k++) {
        const pyramid_case *c = &cases[k];
        char text[160];
        snprintf(text, sizeof(text), "formats %d, %d, ops 0x%x, %u x %u, rule %d, %s",
                 (int)c->info.source.format, (int)c->chain.format->format, c->info.ops,
                 c->part.width, c->part.height, (int)c->info.first,
                 vkrPyramidAlgorithmName(c->info.algorithm));
        test.mismatches +=
            chain_compare(&c->chain, c->first, c->info.ops, c->part,
                          (const uint32_t *)(const void *)((const char *)values.data + c->values),
                          (const char *)levels.data + c->levels, text);
    }
    vkrReset(recorder);
    for (uint32_t k = 0; k < count; k++)
        destroy_case(&cases[k]);
}
