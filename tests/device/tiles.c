/* SPDX-License-Identifier: MIT */
/*
 * Reductions of tiles against the oracle, which gets the elements of each tile row by row: of
 * images and of buffers, of sizes that are multiples of a tile and others, with counts on the GPU,
 * on every group path and with small limits. Results in texels are compared with the results in a
 * buffer, rounded to the format by the oracle of pyramids. VKR_TEST_AVERAGES is a number of
 * additional random cases, of averages of normalised formats.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pyramids.h"
#include "reduce_case.h"
#include "tiles_cases.h"

#define OUTPUT_BYTES (1u << 20)

static reduce_test test;
static fetcher fetch;
static harness_buffer texels, values, outputs, counts, written;

/* ---- One case ---- */

typedef struct tile_run {
    const tile_case *c;
    test_image image;
    VkrImage part;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    uint64_t elements, count;
    VkExtent2D tiles;    /* per layer */
    VkrReduceInfo shown; /* the same with results as texels */
    level_chain chain;   /* an image of one level */
} tile_run;

static VkrType type_of(const tile_case *c)
{
    return c->format != NULL ? vkrFormatType(c->format->format, c->format->aspect, NULL) : c->type;
}

static VkDeviceSize stride_of(const tile_case *c)
{
    return c->stride != 0 ? c->stride : (VkDeviceSize)vkrTypeSize(type_of(c)) * c->components;
}

static bool open_input(tile_run *r)
{
    const tile_case *c = r->c;
    const image_request request = {.format = c->format,
                                   .view_type = c->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                              : VK_IMAGE_VIEW_TYPE_2D,
                                   .width = c->width + 5,
                                   .height = c->height + 3,
                                   .layers = c->layers,
                                   .layout = VK_IMAGE_LAYOUT_GENERAL};
    if (c->format == NULL) {
        r->info.input = (VkrView){.buffer = values.buffer,
                                  .size = r->elements * stride_of(c),
                                  .type = c->type,
                                  .components = c->components,
                                  .stride = stride_of(c)};
        r->info.segments.length = c->width;
        fill_data(&test.random, DATA_RANDOM, c->type, c->components, values.data, stride_of(c),
                  r->elements);
        return test.device.types[c->type];
    }
    if (!image_supported(&test.h, &request) || !image_create(&test.h, &request, &r->image))
        return false;
    image_fill(&request, &test.random, texels.data);
    r->part = r->image.info;
    r->part.rectangle = (VkRect2D){{3, 2}, {c->width, c->height}};
    r->info.input = (VkrView){.components = c->components, .image = &r->part};
    return true;
}

/* Creates the image of the results. Returns false if the device does not support it. */
static bool open_output(tile_run *r)
{
    const tile_case *c = r->c;
    const chain_request request = {.format = find_level_format(c->output),
                                   .view_type = c->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                              : VK_IMAGE_VIEW_TYPE_2D,
                                   .extent = r->tiles,
                                   .count = 1,
                                   .layers = c->layers};
    if (c->output == VK_FORMAT_UNDEFINED)
        return true;
    assert_non_null(request.format);
    /* SwiftShader stores the infinities of narrow floats as NaN. */
    const bool broken = request.format->stored == ORACLE_FLOAT && request.format->bits[0] < 32 &&
                        strstr(test.h.properties.deviceName, "SwiftShader") != NULL;
    if (broken || !chain_supported(&test.h, &request))
        return false;
    assert_true(chain_create(&test.h, &request, &r->chain));
    r->shown = r->info;
    r->shown.output = (VkrBufferRange){0};
    r->shown.outputImage = &r->chain.infos[0];
    return true;
}

static void describe(tile_run *r)
{
    const tile_case *c = r->c;
    r->elements = (uint64_t)c->width * c->height * c->layers;
    r->info = (VkrReduceInfo){.label = c->name,
                              .ops = c->ops,
                              .count = VKR_COUNT_ALL,
                              .output = {outputs.buffer, 0, OUTPUT_BYTES},
                              .determinism = c->determinism,
                              .algorithm = c->algorithm,
                              .segments = {.kind = VKR_SEGMENTS_TILES,
                                           .tileWidth = c->tile_width,
                                           .tileHeight = c->tile_height}};
    r->tiles = (VkExtent2D){(c->width + c->tile_width - 1) / c->tile_width,
                            (c->height + c->tile_height - 1) / c->tile_height};
    r->count = r->elements;
    if (c->gpu_count != VKR_TYPE_UNDEFINED) {
        r->count = r->elements * 2 / 3 + 1;
        r->info.gpuCount = (VkrGpuCount){counts.buffer, 0, c->gpu_count};
        memcpy(counts.data, &r->count, 8);
    }
}

static void record(tile_run *r, VkrRecorder recorder)
{
    const bool shows = r->c->output != VK_FORMAT_UNDEFINED;
    const VkrEndInfo end = {
        .commandBuffer = test.h.cmd,
        .consumerStages = VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    fetcher_reset(&fetch);
    assert_true(harness_begin(&test.h));
    if (shows)
        chain_clear(&test.h, &r->chain);
    if (r->c->format != NULL) {
        image_upload(&test.h, &r->image, texels.buffer, 0);
        image_fetch(&test.h, &fetch, &r->part, r->c->components, values.buffer, 0, values.size);
    }
    if ((r->info.ops & VKR_OP_DOT) != 0)
        r->info.input2 = r->info.input;
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &r->info), r->c->name));
    if (shows)
        assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &r->shown), r->c->name));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    if (shows)
        chain_download(&test.h, &r->chain, 0, written.buffer, 0);
    vkCmdPipelineBarrier(test.h.cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &to_host, 0, NULL, 0, NULL);
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorder);
}

/* The elements of a tile that are below the count, one after the other. */
static uint64_t gather(const tile_run *r, uint32_t layer, uint32_t x, uint32_t y, char *to)
{
    const tile_case *c = r->c;
    const size_t size = (size_t)vkrTypeSize(type_of(c)) * c->components;
    uint64_t count = 0;
    for (uint32_t v = y; v < y + c->tile_height && v < c->height; v++)
        for (uint32_t u = x; u < x + c->tile_width && u < c->width; u++) {
            const uint64_t i = ((uint64_t)layer * c->height + v) * c->width + u;
            if (i < r->count)
                memcpy(to + count++ * size, (const char *)values.data + i * stride_of(c), size);
        }
    return count;
}

static void check_tile(const tile_run *r, uint64_t tile, const char *data, uint64_t count)
{
    const tile_case *c = r->c;
    const size_t size = (size_t)vkrTypeSize(type_of(c)) * c->components;
    const oracle_reduce_info info = {.data = data,
                                     .stride = size,
                                     .data2 = data,
                                     .stride2 = size,
                                     .count = count,
                                     .type = type_of(c),
                                     .components = c->components,
                                     .determinism = c->determinism};
    const char *results = (const char *)outputs.data + tile * r->layout.stride;
    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        const VkrReduceResult *result = &r->layout.results[op];
        for (uint32_t k = 0; k < c->components && result->type != VKR_TYPE_UNDEFINED; k++)
            compare_value(&test, c->name, &info, (VkrOp)(1u << op), k, result->type,
                          results + result->offset + k * vkrTypeSize(result->type));
    }
}

static void check_tiles(const tile_run *r)
{
    const tile_case *c = r->c;
    const uint64_t area = (uint64_t)(c->tile_width < c->width ? c->tile_width : c->width) *
                          (c->tile_height < c->height ? c->tile_height : c->height);
    char *data = malloc(area * c->components * vkrTypeSize(type_of(c)));
    uint64_t tile = 0;
    assert_non_null(data);
    for (uint32_t layer = 0; layer < c->layers; layer++)
        for (uint32_t y = 0; y < c->height; y += c->tile_height)
            for (uint32_t x = 0; x < c->width; x += c->tile_width)
                check_tile(r, tile++, data, gather(r, layer, x, y, data));
    assert_int_equal(tile, r->layout.segments);
    free(data);
    /* Nothing after the results may be written. */
    const unsigned char *behind = (const unsigned char *)outputs.data + r->layout.size;
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(behind[i], 0xcd);
}

/* A result in 32 bits; 0 instead of NaN for formats without NaN. */
static uint32_t widen(const tile_run *r, VkrType type, const char *at)
{
    const oracle_pyramid half = {.stored = ORACLE_FLOAT, .channels = 1, .bits = {16}};
    const uint32_t size = vkrTypeSize(type);
    uint32_t bits = 0;
    memcpy(&bits, at, size);
    if (type == VKR_TYPE_I8 || type == VKR_TYPE_I16)
        return (uint32_t)((int32_t)(bits << (32 - 8 * size)) >> (32 - 8 * size));
    if (type == VKR_TYPE_F16)
        bits = oracle_pyramid_number(&half, 0, bits);
    if (type == VKR_TYPE_BF16)
        bits <<= 16;
    const bool is_nan = is_float(type) && (bits & 0x7fffffffu) > 0x7f800000u;
    return is_nan && r->chain.format->stored != ORACLE_FLOAT ? 0 : bits;
}

/* Compares the image with the results in the buffer. */
static void check_texels(const tile_run *r)
{
    uint32_t *fetched = malloc(r->layout.segments * 16), *next = fetched;
    assert_non_null(fetched);
    for (uint64_t tile = 0; tile < r->layout.segments; tile++)
        for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
            const VkrReduceResult *result = &r->layout.results[op];
            const char *at = (const char *)outputs.data + tile * r->layout.stride + result->offset;
            const uint32_t size = vkrTypeSize(result->type);
            for (uint32_t k = 0; k < r->layout.components && size != 0; k++)
                *next++ = widen(r, result->type, at + k * size);
        }
    test.mismatches +=
        chain_compare(&r->chain, 0, VKR_OP_MIN, r->tiles, fetched, written.data, r->c->name);
    free(fetched);
}

static void run_case(const tile_case *c)
{
    static const tuning_row built_in;
    tile_run r = {.c = c};
    if (!has_limits(&test.device, c->limits)) {
        printf("# left out: %s\n", c->name);
        return;
    }
    const VkrContext context = get_context(&test.contexts, c->limits, &built_in);
    const VkrRecorder recorder = get_recorder(&test.contexts, c->limits, &built_in);
    assert_non_null(recorder);
    describe(&r);
    if (!open_output(&r)) {
        printf("# left out: %s\n", c->name);
        return;
    }
    if (!open_input(&r)) {
        printf("# left out: %s\n", c->name);
        chain_destroy(&test.h, &r.chain);
        return;
    }
    r.shown.input = r.info.input;
    r.shown.segments = r.info.segments;
    watch_limits(&limits_rows[c->limits]);
    assert_true(harness_check(&test.h, vkrGetReduceLayout(context, &r.info, &r.layout), c->name));
    assert_true(r.layout.size + 64 <= OUTPUT_BYTES);
    memset(outputs.data, 0xcd, outputs.size);
    record(&r, recorder);
    test.mismatches_before = test.mismatches;
    check_tiles(&r);
    if (c->output != VK_FORMAT_UNDEFINED)
        check_texels(&r);
    chain_destroy(&test.h, &r.chain);
    if (c->format != NULL)
        image_destroy(&test.h, &r.image);
    assert_int_equal(test.mismatches, test.mismatches_before);
}

/* Averages of one or two rows of two, four or eight texels, many of which are ties. */
static void run_random_averages(void)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                       VK_FORMAT_R16G16B16A16_SNORM};
    uint64_t *random = &test.random;
    const VkFormat format = formats[random_below(random, ARRAY_SIZE(formats))];
    tile_case c = {.name = "random averages",
                   .components = 4,
                   .width = 1 + random_below(random, 150),
                   .height = 1 + random_below(random, 100),
                   .layers = 1 + random_below(random, 2),
                   .tile_width = 2u << random_below(random, 3),
                   .tile_height = 1u << random_below(random, 2),
                   .ops = VKR_OP_MEAN,
                   .output = format};
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++)
        c.format = image_formats[i].format == format ? &image_formats[i] : c.format;
    run_case(&c);
}

static void test_tiles(void **state)
{
    (void)state;
    for (uint32_t i = 0; tile_cases[i].name != NULL; i++)
        if (harness_has_case(i))
            run_case(&tile_cases[i]);
    for (uint32_t k = environment("VKR_TEST_AVERAGES", 0); k > 0; k--)
        run_random_averages();
    printf("# texels compared: %" PRIu64 "\n", chain_texels());
    assert_int_equal(limit_violations(), 0);
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
    return harness_create_buffer(&test.h, 8u << 20, &texels) &&
                   harness_create_buffer(&test.h, 8u << 20, &values) &&
                   harness_create_buffer(&test.h, OUTPUT_BYTES, &outputs) &&
                   harness_create_buffer(&test.h, OUTPUT_BYTES, &written) &&
                   harness_create_buffer(&test.h, 64, &counts) && fetcher_open(&test.h, &fetch)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    printf("# pipelines: %u\n", count_pipelines());
    close_contexts(&test.contexts);
    fetcher_close(&test.h, &fetch);
    harness_destroy_buffer(&test.h, &texels);
    harness_destroy_buffer(&test.h, &values);
    harness_destroy_buffer(&test.h, &outputs);
    harness_destroy_buffer(&test.h, &written);
    harness_destroy_buffer(&test.h, &counts);
    return 0;
}

HARNESS_MAIN(test.h, "tiles", open_all, close_all, cmocka_unit_test(test_tiles))
