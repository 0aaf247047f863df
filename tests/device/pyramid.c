/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdPyramid against the oracle, bit by bit, on the driver that the environment chooses:
 * formats, operators, shapes, rules and algorithms pairwise, each with several sizes in one
 * recording; every size up to 67 x 67; large ones; and few storage images. VKR_TEST_SHARE,
 * VKR_TEST_ROWS and VKR_TEST_SEED are those of reduce.c. VKR_TEST_AVERAGES asks for so many random
 * rows more, of averages of normalised formats, and VKR_TEST_MINIMA of minima and maxima of floats.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pyramids.h"
#include "reduce_case.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)
#define CASES 8
/* Of an image of 4096 x 4096 bytes in a full run, else of as many as a screen. */
#define TEXEL_BYTES (harness_full() ? 32u << 20 : 8u << 20)
#define VALUE_BYTES (4 * TEXEL_BYTES)
#define LEVEL_BYTES TEXEL_BYTES

static reduce_test test;
static fetcher fetch;
static harness_buffer texels, values, levels;
static const tuning_row built_in;

/* ---- Rows ---- */

enum { AXIS_FORMAT, AXIS_OPS, AXIS_SHAPE, AXIS_FIRST, AXIS_ALGORITHM, AXIS_LIMITS };

static const VkrOpFlags op_sets[] = {VKR_OP_MEAN, VKR_OP_MIN, PAIR, VKR_OP_MAX};
static const VkImageViewType shapes[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY};
static const limits_row limits_of_rows[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL};

/* A source with its aspect, and levels of one value and of a pair (UNDEFINED: there is none). The
 * second of a row where the device lacks the first, or by turns. */
typedef struct format_row {
    VkFormat source;
    VkImageAspectFlagBits aspect;
    VkFormat level, pair;
} format_row;

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define NONE VK_FORMAT_UNDEFINED
#define FORMAT_ROWS 16u
static const format_row format_rows[FORMAT_ROWS][2] = {
    {{VK_FORMAT_R8G8B8A8_UNORM, COLOR, VK_FORMAT_R8G8B8A8_UNORM, NONE},
     {VK_FORMAT_B8G8R8A8_UNORM, COLOR, VK_FORMAT_B8G8R8A8_UNORM, NONE}},
    {{VK_FORMAT_D32_SFLOAT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}},
    {{VK_FORMAT_D16_UNORM, DEPTH, VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM},
     {VK_FORMAT_R16_UNORM, COLOR, VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM}},
    {{VK_FORMAT_X8_D24_UNORM_PACK32, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_D24_UNORM_S8_UINT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}},
    {{VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_R32G32_SFLOAT, COLOR, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}},
    {{VK_FORMAT_R16G16_SFLOAT, COLOR, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT},
     {VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT}},
    {{VK_FORMAT_R32G32B32A32_SFLOAT, COLOR, VK_FORMAT_R32G32B32A32_SFLOAT, NONE},
     {VK_FORMAT_R16G16B16A16_SFLOAT, COLOR, VK_FORMAT_R16G16B16A16_SFLOAT, NONE}},
    {{VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT},
     {VK_FORMAT_R32_UINT, COLOR, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT}},
    {{VK_FORMAT_R32_UINT, COLOR, VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT},
     {VK_FORMAT_R32G32_UINT, COLOR, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {{VK_FORMAT_R32_SINT, COLOR, VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT},
     {VK_FORMAT_R32G32B32A32_SINT, COLOR, VK_FORMAT_R32G32B32A32_SINT, NONE}},
    {{VK_FORMAT_R8G8B8A8_SINT, COLOR, VK_FORMAT_R8G8B8A8_SINT, NONE},
     {VK_FORMAT_R16_SINT, COLOR, VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT}},
    {{VK_FORMAT_R8G8_SNORM, COLOR, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SNORM},
     {VK_FORMAT_R16G16B16A16_SNORM, COLOR, VK_FORMAT_R16G16B16A16_SNORM, NONE}},
    {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, VK_FORMAT_A2B10G10R10_UNORM_PACK32, NONE},
     {VK_FORMAT_A2B10G10R10_UINT_PACK32, COLOR, VK_FORMAT_A2B10G10R10_UINT_PACK32, NONE}},
    {{VK_FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, VK_FORMAT_B10G11R11_UFLOAT_PACK32, NONE},
     {VK_FORMAT_R32G32B32_SFLOAT, COLOR, VK_FORMAT_B10G11R11_UFLOAT_PACK32, NONE}},
    {{VK_FORMAT_S8_UINT, STENCIL, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT},
     {VK_FORMAT_D32_SFLOAT_S8_UINT, STENCIL, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT}},
    {{VK_FORMAT_R8G8B8A8_SRGB, COLOR, VK_FORMAT_R16G16B16A16_SFLOAT, NONE},
     {VK_FORMAT_R16G16B16A16_UINT, COLOR, VK_FORMAT_R16G16B16A16_UINT, NONE}},
};
static uint32_t tested[FORMAT_ROWS][2], unsupported[FORMAT_ROWS][2];

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_FORMAT] = FORMAT_ROWS,
    [AXIS_OPS] = ARRAY_SIZE(op_sets),
    [AXIS_SHAPE] = ARRAY_SIZE(shapes),
    [AXIS_FIRST] = VKR_PYRAMID_FIRST_COUNT,
    [AXIS_ALGORITHM] = VKR_PYRAMID_ALGORITHM_COUNT,
    [AXIS_LIMITS] = ARRAY_SIZE(limits_of_rows),
};

static VkFormat level_of(const format_row *row, VkrOpFlags ops)
{
    return ops == PAIR ? row->pair : row->level;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const format_row *rows = format_rows[axes[AXIS_FORMAT]];
    const VkrOpFlags ops = op_sets[axes[AXIS_OPS]];
    return has_limits(a, limits_of_rows[axes[AXIS_LIMITS]]) &&
           (level_of(&rows[0], ops) != NONE || level_of(&rows[1], ops) != NONE);
}

static const image_format *find_image_format(const format_row *row)
{
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++)
        if (image_formats[i].format == row->source && image_formats[i].aspect == row->aspect)
            return &image_formats[i];
    fail_msg("the tests have no image of format %d", (int)row->source);
    return NULL;
}

/* ---- A case: a source and its levels ---- */

typedef struct pyramid_case {
    VkrPyramidInfo info;
    test_image source;
    level_chain chain;
    bool together;   /* source and levels are one image, whose level 0 the source is */
    uint32_t first;  /* level of the chain that is level 1 */
    VkExtent2D part; /* that is read of the source */
    uint32_t channels;
    VkDeviceSize texels, values, levels; /* where they lie in their buffers */
} pyramid_case;

typedef struct case_request {
    const format_row *formats;
    VkrOpFlags ops;
    VkImageViewType shape;
    VkrPyramidFirst first;
    VkrPyramidAlgorithm algorithm;
    VkExtent2D size;
    uint32_t layers;
    bool whole; /* all levels, of all of an image: what varies at random does not */
} case_request;

/* A part of `size`, from *first on, at least half of it. */
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

static bool create_apart(const case_request *r, pyramid_case *c)
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

/* False where the device has no such images. */
static bool create_case(const case_request *r, pyramid_case *c)
{
    const bool can_share = r->formats->source == level_of(r->formats, r->ops) &&
                           r->first == VKR_PYRAMID_HALF && !r->whole &&
                           r->size.width + r->size.height > 2; /* else there is no level above */
    *c = (pyramid_case){.part = r->size};
    c->together = can_share && random_below(&test.random, 2) == 0;
    const uint32_t all = vkrGetPyramidExtents(r->size, r->first, 0, NULL);
    if (!(c->together ? create_together(r, c, all) : create_apart(r, c)))
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
            (image_bytes(&c->source.request) + 767) / 768 * 768; /* of texels of 12 bytes too */
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
    /* Uploads make images ready to be read; levels in the same image are written. */
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

static void run_cases(VkrRecorder recorder, pyramid_case *cases, uint32_t count)
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

/* ---- Pairwise ---- */

static case_request make_request(const uint32_t axes[MAX_AXES], uint32_t choice, uint32_t k)
{
    static const VkExtent2D sizes[CASES] = {{1, 1},   {1, 37},   {41, 1},  {31, 17},
                                            {64, 32}, {129, 67}, {13, 300}};
    uint64_t *random = &test.random;
    case_request r = {.formats = &format_rows[axes[AXIS_FORMAT]][choice],
                      .ops = op_sets[axes[AXIS_OPS]],
                      .shape = shapes[axes[AXIS_SHAPE]],
                      .first = (VkrPyramidFirst)axes[AXIS_FIRST],
                      .algorithm = (VkrPyramidAlgorithm)axes[AXIS_ALGORITHM],
                      .size = sizes[k],
                      .layers = axes[AXIS_SHAPE] == 0 ? 1 : 1 + random_below(random, 3)};
    if (r.size.width == 0)
        r.size = (VkExtent2D){1 + random_below(random, 200), 1 + random_below(random, 200)};
    return r;
}

static void run_pyramids(const uint32_t axes[MAX_AXES])
{
    const limits_row limits = limits_of_rows[axes[AXIS_LIMITS]];
    const VkrRecorder recorder = get_recorder(&test.contexts, limits, &built_in);
    const uint32_t turn = random_below(&test.random, 2);
    pyramid_case cases[CASES];
    uint32_t count = 0;
    assert_non_null(recorder);
    watch_limits(&limits_rows[limits]);
    for (uint32_t t = 0; t < 2 && count == 0; t++) {
        const uint32_t choice = (turn + t) % 2;
        const format_row *formats = &format_rows[axes[AXIS_FORMAT]][choice];
        const VkFormat level = level_of(formats, op_sets[axes[AXIS_OPS]]);
        /* SPIR-V has no name for BGRA. */
        const bool named =
            (limits_rows[limits].disabledFeatures & VKR_FEATURE_WRITE_WITHOUT_FORMAT) != 0;
        /* SwiftShader stores the infinities of narrow floats as NaN. */
        const level_format *stored = find_level_format(level);
        const bool broken = stored != NULL && stored->stored == ORACLE_FLOAT &&
                            stored->bits[0] < 32 &&
                            strstr(test.h.properties.deviceName, "SwiftShader") != NULL;
        if (level == NONE || broken || (named && level == VK_FORMAT_B8G8R8A8_UNORM))
            continue;
        for (uint32_t k = 0; k < CASES; k++) {
            const case_request r = make_request(axes, choice, k);
            count += create_case(&r, &cases[count]) ? 1 : 0;
        }
        (count != 0 ? tested : unsupported)[axes[AXIS_FORMAT]][choice]++;
    }
    if (count != 0)
        run_cases(recorder, cases, count);
}

/* Random rows of what some drivers compile to something wrong, or for minutes. */
typedef struct hard_rows {
    const char *count; /* a variable of the environment */
    uint32_t formats[4], ops, op_count, algorithm, algorithm_count;
} hard_rows;

static void run_hard_rows(const hard_rows *r)
{
    uint64_t *random = &test.random;
    for (uint32_t k = environment(r->count, 0); k > 0; k--) {
        const uint32_t axes[MAX_AXES] = {
            [AXIS_FORMAT] = r->formats[random_below(random, ARRAY_SIZE(r->formats))],
            [AXIS_OPS] = r->ops + random_below(random, r->op_count),
            [AXIS_SHAPE] = random_below(random, ARRAY_SIZE(shapes)),
            [AXIS_FIRST] = random_below(random, VKR_PYRAMID_FIRST_COUNT),
            [AXIS_ALGORITHM] = r->algorithm + random_below(random, r->algorithm_count)};
        run_pyramids(axes);
    }
}

static void test_pairs(void **state)
{
    /* Rows of format_rows, and operators of op_sets. */
    static const hard_rows averages = {
        "VKR_TEST_AVERAGES", {0, 2, 11, 12}, 0, 1, VKR_PYRAMID_AUTO, 2};
    static const hard_rows minima = {
        "VKR_TEST_MINIMA", {1, 4, 1, 4}, 1, 3, VKR_PYRAMID_RECURSIVE_2D, 2};
    (void)state;
    static row_list list;
    uint32_t axes[MAX_AXES];
    rows_begin(&list, "pyramid", axis_sizes, 0, valid_row, &test.device);
    while (rows_next(&list, axes))
        run_pyramids(axes);
    run_hard_rows(&averages); /* many of integers are ties */
    run_hard_rows(&minima);
    for (uint32_t i = 0; i < FORMAT_ROWS; i++)
        for (uint32_t t = 0; t < 2; t++)
            printf("# format %d, aspect %d: %u rows, %u unsupported\n",
                   (int)format_rows[i][t].source, (int)format_rows[i][t].aspect, tested[i][t],
                   unsupported[i][t]);
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_true(image_bindings() > 0);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- All small sizes ---- */

#define SIDE 67u

/* Whether texels of a level, minima and maxima of bytes, bound every texel of the source that they
 * lie over. */
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

/* All heights with a width, in one recording. */
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

static void test_sizes(void **state)
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

static void test_large(void **state)
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

/* ---- Few storage images ---- */

/* Devices may bind no more than four: what one dispatch does elsewhere takes several. */
static void test_few_images(void **state)
{
    (void)state;
    static const format_row floats = {VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R32_SFLOAT,
                                      VK_FORMAT_R32G32_SFLOAT};
    static const format_row bytes = {VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, NONE};
    const VkExtent2D sizes[] = {{256, 256}, {1000, 77}};
    const uint64_t before = test.mismatches, violated = limit_violations();
    VkrContext context;
    VkrRecorder recorder;
    test.h.hooks.storageImages = 4;
    assert_true(harness_context(&test.h, NULL, &context));
    test.h.hooks.storageImages = 0;
    assert_int_equal(vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder), VKR_SUCCESS);
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    watch_storage_images(4);
    for (uint32_t k = 0; k < ARRAY_SIZE(sizes); k++)
        for (uint32_t a = 0; a < VKR_PYRAMID_ALGORITHM_COUNT; a++) {
            const case_request r = {.formats = k == 0 ? &bytes : &floats,
                                    .ops = k == 0 ? VKR_OP_MEAN : VKR_OP_MIN,
                                    .shape = VK_IMAGE_VIEW_TYPE_2D,
                                    .algorithm = (VkrPyramidAlgorithm)a,
                                    .size = sizes[k],
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

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.device = device_abilities(&test.h);
    test.h.loader = limits_proc;
    test.contexts.h = &test.h;
    return harness_create_buffer(&test.h, TEXEL_BYTES, &texels) &&
                   harness_create_buffer(&test.h, VALUE_BYTES, &values) &&
                   harness_create_buffer(&test.h, LEVEL_BYTES, &levels) &&
                   fetcher_open(&test.h, &fetch)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# texels compared: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# pipelines: %u\n",
           chain_texels(), test.mismatches, count_pipelines());
    close_contexts(&test.contexts);
    fetcher_close(&test.h, &fetch);
    harness_destroy_buffer(&test.h, &texels);
    harness_destroy_buffer(&test.h, &values);
    harness_destroy_buffer(&test.h, &levels);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_few_images)};
    const int status = harness_open(&test.h);
    if (status != 0)
        return status;
    const int failed = cmocka_run_group_tests_name("pyramid", tests, open_all, close_all);
    harness_close(&test.h);
    return failed != 0;
}
