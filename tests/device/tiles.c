/* SPDX-License-Identifier: MIT */
/*
 * Reductions of tiles against the oracle, which gets the elements of each tile row by row: of
 * images and of buffers, of sizes that tiles divide and that they do not, with counts on the GPU,
 * on every group path and with small limits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"
#include "reduce_case.h"

#define OUTPUT_BYTES (1u << 20)
#define DEPTH 4096u

static reduce_test test;
static fetcher fetch;
static harness_buffer texels, values, outputs, counts;

typedef struct tile_case {
    const char *name;
    const image_format *format; /* NULL: a buffer */
    VkrType type;               /* of a buffer */
    uint32_t components;
    uint32_t width, height, layers;
    uint32_t tile_width, tile_height;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    VkrDeterminism determinism;
    limits_row limits;
    VkrType gpu_count;
    VkDeviceSize stride; /* of a buffer; 0: packed */
} tile_case;

#define RANGE (VKR_OP_MIN | VKR_OP_MAX)
#define RGBA8 &image_formats[0]
#define D32 &image_formats[1]
#define RGBA32I &image_formats[5]
#define R8U &image_formats[4]

static const tile_case cases[] = {
    {.name = "light culling",
     .format = D32,
     .components = 1,
     .width = 257,
     .height = 130,
     .layers = 1,
     .tile_width = 16,
     .tile_height = 16,
     .ops = RANGE},
    {.name = "exact tiles",
     .format = RGBA8,
     .components = 4,
     .width = 128,
     .height = 64,
     .layers = 3,
     .tile_width = 8,
     .tile_height = 4,
     .ops = RANGE | VKR_OP_MEAN},
    {.name = "tiny tiles",
     .format = R8U,
     .components = 1,
     .width = 101,
     .height = 67,
     .layers = 2,
     .tile_width = 2,
     .tile_height = 3,
     .ops = VKR_OP_SUM | VKR_OP_ARGMAX | VKR_OP_COUNT},
    {.name = "lanes",
     .format = D32,
     .components = 1,
     .width = 61,
     .height = 33,
     .layers = 1,
     .tile_width = 7,
     .tile_height = 5,
     .ops = VKR_OP_SUM | VKR_OP_ARGMIN,
     .algorithm = VKR_REDUCE_LANES,
     .gpu_count = VKR_TYPE_U32},
    {.name = "one tile",
     .format = RGBA32I,
     .components = 3,
     .width = 200,
     .height = 150,
     .layers = 1,
     .tile_width = 4000,
     .tile_height = 4000,
     .ops = VKR_OP_SUM | VKR_OP_MEAN},
    {.name = "device",
     .format = RGBA8,
     .components = 2,
     .width = 259,
     .height = 131,
     .layers = 1,
     .tile_width = 120,
     .tile_height = 100,
     .ops = VKR_OP_SUM | VKR_OP_L2,
     .determinism = VKR_DETERMINISM_DEVICE},
    {.name = "device, small tiles",
     .format = D32,
     .components = 1,
     .width = 90,
     .height = 40,
     .layers = 1,
     .tile_width = 9,
     .tile_height = 8,
     .ops = VKR_OP_SUM,
     .determinism = VKR_DETERMINISM_DEVICE,
     .gpu_count = VKR_TYPE_U64},
    {.name = "split",
     .format = D32,
     .components = 1,
     .width = 300,
     .height = 200,
     .layers = 1,
     .tile_width = 200,
     .tile_height = 199,
     .ops = RANGE | VKR_OP_MEAN,
     .algorithm = VKR_REDUCE_SPLIT,
     .gpu_count = VKR_TYPE_U32},
    {.name = "rows of bytes",
     .type = VKR_TYPE_U8,
     .components = 3,
     .width = 97,
     .height = 61,
     .layers = 1,
     .tile_width = 16,
     .tile_height = 16,
     .ops = RANGE | VKR_OP_SUM},
    {.name = "small windows",
     .type = VKR_TYPE_F32,
     .components = 1,
     .width = 301,
     .height = 203,
     .layers = 1,
     .tile_width = 32,
     .tile_height = 16,
     .ops = RANGE | VKR_OP_ARGMAX,
     .limits = LIMITS_SHARED_SMALL,
     .gpu_count = VKR_TYPE_U32},
    {.name = "strides",
     .type = VKR_TYPE_I16,
     .components = 1,
     .width = 50,
     .height = 77,
     .layers = 1,
     .tile_width = 50,
     .tile_height = 4,
     .ops = VKR_OP_SUM | VKR_OP_XOR,
     .stride = 6,
     .gpu_count = VKR_TYPE_U64},
    {.name = "dot",
     .type = VKR_TYPE_I32,
     .components = 2,
     .width = 33,
     .height = 70,
     .layers = 1,
     .tile_width = 8,
     .tile_height = 8,
     .ops = VKR_OP_DOT,
     .algorithm = VKR_REDUCE_GROUPS},
    {.name = "dot of an image",
     .format = RGBA32I,
     .components = 2,
     .width = 33,
     .height = 41,
     .layers = 3,
     .tile_width = 8,
     .tile_height = 8,
     .ops = VKR_OP_DOT},
    {.name = "wide indices",
     .format = RGBA8,
     .components = 1,
     .width = 70,
     .height = 30,
     .layers = 2,
     .tile_width = 16,
     .tile_height = 16,
     .ops = VKR_OP_ARGMIN | VKR_OP_MEAN,
     .limits = LIMITS_WIDE},
    {.name = "bytes in split tiles",
     .type = VKR_TYPE_U8,
     .components = 1,
     .width = 1000,
     .height = 400,
     .layers = 1,
     .tile_width = 700,
     .tile_height = 300,
     .ops = RANGE | VKR_OP_SUM | VKR_OP_ARGMIN},
};

/* ---- One case ---- */

typedef struct tile_run {
    const tile_case *c;
    test_image image;
    VkrImage part;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    uint64_t elements, count;
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
    r->count = r->elements;
    if (c->gpu_count != VKR_TYPE_UNDEFINED) {
        r->count = r->elements * 2 / 3 + 1;
        r->info.gpuCount = (VkrGpuCount){counts.buffer, 0, c->gpu_count};
        memcpy(counts.data, &r->count, 8);
    }
}

static void record(tile_run *r, VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    fetcher_reset(&fetch);
    assert_true(harness_begin(&test.h));
    if (r->c->format != NULL) {
        image_upload(&test.h, &r->image, texels.buffer, 0);
        image_fetch(&test.h, &fetch, &r->part, r->c->components, values.buffer, 0, values.size);
    }
    if ((r->info.ops & VKR_OP_DOT) != 0)
        r->info.input2 = r->info.input;
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &r->info), r->c->name));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorder);
}

/* The elements of a tile that lie below the count, one behind the other. */
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
                                     .determinism = c->determinism,
                                     .depth = DEPTH};
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
    /* Nothing behind the results is written. */
    const unsigned char *behind = (const unsigned char *)outputs.data + r->layout.size;
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(behind[i], 0xcd);
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
    if (!open_input(&r)) {
        printf("# left out: %s\n", c->name);
        return;
    }
    watch_limits(&limits_rows[c->limits]);
    assert_true(harness_check(&test.h, vkrGetReduceLayout(context, &r.info, &r.layout), c->name));
    assert_true(r.layout.size + 64 <= OUTPUT_BYTES);
    memset(outputs.data, 0xcd, outputs.size);
    record(&r, recorder);
    test.mismatches_before = test.mismatches;
    check_tiles(&r);
    if (c->format != NULL)
        image_destroy(&test.h, &r.image);
    assert_int_equal(test.mismatches, test.mismatches_before);
}

static void test_tiles(void **state)
{
    (void)state;
    /* Slow drivers take some of the cases: VKR_TEST_STEP of them. */
    const uint32_t step = environment("VKR_TEST_STEP", 1);
    for (uint32_t i = 0; i < ARRAY_SIZE(cases); i += step)
        run_case(&cases[i]);
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
    harness_destroy_buffer(&test.h, &counts);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles)};
    const int status = harness_open(&test.h);
    if (status != 0)
        return status;
    const int failed = cmocka_run_group_tests_name("tiles", tests, open_all, close_all);
    harness_close(&test.h);
    return failed != 0;
}
