/* SPDX-License-Identifier: MIT */
/*
 * Maps and masks of buffers and images, in whole reductions, tiles and other segments, against the
 * oracle, whose input is the mapped elements that the mask keeps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps_run.h"

#define OUTPUT_BYTES (4u << 20)
#define INPUT_BYTES (8u << 20)

reduce_test test;
static fetcher fetch;
harness_buffer texels, mask_texels, values, kept, outputs, counts, offsets;

#define R8U &image_formats[4]
#define D32 &image_formats[1]
#define TILES VKR_SEGMENTS_TILES

VkrType maps_type_of(const map_case *c)
{
    return c->format != NULL ? vkrFormatType(c->format->format, c->format->aspect, NULL) : c->type;
}

VkDeviceSize maps_stride_of(const map_case *c)
{
    return c->stride != 0 ? c->stride : (VkDeviceSize)vkrTypeSize(maps_type_of(c)) * c->components;
}

/* The type that the operator sees. */
VkrType maps_seen_type(const map_case *c)
{
    return c->mapped ? VKR_TYPE_F32 : maps_type_of(c);
}

uint32_t maps_seen_components(const map_case *c)
{
    return c->mapped ? 1 : c->components;
}

size_t maps_seen_size(const map_case *c)
{
    return (size_t)vkrTypeSize(maps_seen_type(c)) * maps_seen_components(c);
}

/* ---- Input and mask ---- */

static image_request request_of(const map_case *c, const image_format *format, uint32_t margin)
{
    return (image_request){.format = format,
                           .view_type =
                               c->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                           .width = c->width + margin,
                           .height = c->height + margin,
                           .layers = c->layers,
                           .layout = VK_IMAGE_LAYOUT_GENERAL};
}

/* Floats of every exponent, and those at the limits between cases of the functions. */
static void fill_floats(const map_case *c, uint32_t *words)
{
    static const uint32_t seams[] = {0x3f3504f3, 0x3f3504f4, 0x3fb504f3, 0x3fb504f4, 0x3f800000,
                                     0x00000000, 0x80000000, 0x00800000, 0x007fffff, 0x00000001,
                                     0x7f800000, 0xff800000, 0x7fc00001, 0x7f7fffff, 0xbf800000,
                                     0x3f7fffff, 0x3f800001, 0x407fffff, 0x40800001};
    for (uint64_t i = 0; i < (uint64_t)c->width * c->height * c->components; i++) {
        const uint32_t random = (uint32_t)next_random(&test.random);
        words[i] = i < ARRAY_SIZE(seams) ? seams[i]
                   : i % 8 == 0          ? random
                   : i % 8 == 1          ? 0x3f000000 + (random & 0xffffff)
                                         : random & 0x7fffffff;
    }
}

static bool open_input(map_run *r)
{
    const map_case *c = r->c;
    const image_request request =
        c->format != NULL ? request_of(c, c->format, 5) : (image_request){0};
    char *at = (char *)values.data + LEAD;
    r->info.input = (VkrView){.components = c->components, .image = &r->part};
    if (c->format == NULL) {
        r->info.input = (VkrView){.buffer = values.buffer,
                                  .offset = LEAD,
                                  .size = r->elements * maps_stride_of(c),
                                  .type = c->type,
                                  .components = c->components,
                                  .stride = maps_stride_of(c)};
        fill_data(&test.random, DATA_RANDOM, c->type, c->components, at, maps_stride_of(c),
                  r->elements);
        if (c->type == VKR_TYPE_F32 && c->tile_width == 1)
            fill_floats(c, (uint32_t *)(void *)at);
        return test.device.types[c->type];
    }
    if (!image_supported(&test.h, &request) || !image_create(&test.h, &request, &r->image))
        return false;
    image_fill(&request, &test.random, texels.data);
    r->part = r->image.info;
    r->part.rectangle = (VkRect2D){{3, 2}, {c->width, c->height}};
    return true;
}

static bool open_mask_image(map_run *r, const image_format *format)
{
    const image_request request = request_of(r->c, format, 0);
    float *floats = mask_texels.data;
    unsigned char *bytes = mask_texels.data;
    if (!image_supported(&test.h, &request) || !image_create(&test.h, &request, &r->mask_image))
        return false;
    for (uint64_t i = 0; i < r->elements; i++)
        if (format->bytes == 1)
            bytes[i] = r->keeps[i] ? (unsigned char)(1 + i % 255) : 0;
        else
            floats[i] = r->keeps[i] ? (float)(1 + i % 7) / 7.0f : 0.0f;
    r->info.mask.image = &r->mask_image.info;
    return true;
}

static bool open_mask(map_run *r)
{
    const mask_kind kind = r->c->mask;
    uint32_t *words = kept.data;
    unsigned char *bytes = kept.data;
    const VkDeviceSize lead = kind == MASK_U8 ? 3 : 12;
    for (uint64_t i = 0; i < r->elements; i++)
        r->keeps[i] =
            kind == MASK_NONE ||
            (kind != MASK_NOTHING && (i / 700 % 3 == 1 || random_below(&test.random, 3) == 0));
    if (kind == MASK_IMAGE || kind == MASK_FLOAT_IMAGE)
        return open_mask_image(r, kind == MASK_IMAGE ? R8U : D32);
    if (kind == MASK_NONE)
        return true;
    memset(kept.data, 0, kept.size);
    for (uint64_t i = 0; i < r->elements; i++) {
        if (kind == MASK_U32)
            words[3 + i] = r->keeps[i] ? (uint32_t)(i << 8 | 128) : 0;
        else if (kind == MASK_U8)
            bytes[3 + i] = r->keeps[i] ? (unsigned char)(i | 1) : 0;
        else if (r->keeps[i])
            words[3 + i / 32] |= 1u << i % 32;
    }
    r->info.mask.flags = (VkrFlagView){.format = kind == MASK_U32  ? VKR_FLAGS_U32
                                                 : kind == MASK_U8 ? VKR_FLAGS_U8
                                                                   : VKR_FLAGS_BITS,
                                       .range = {kept.buffer, lead, kept.size - lead}};
    return kind != MASK_U8 || test.device.types[VKR_TYPE_U8];
}

/* Draws offsets of empty, short, medium and long segments, and returns their number. */
static uint32_t draw_offsets(uint64_t elements)
{
    static const uint32_t lengths[] = {0, 1, 7, 33, 300, 3000, 20000};
    uint32_t *words = offsets.data;
    uint32_t count = 0, at = 3;
    while (at <= elements && count < offsets.size / sizeof *words) {
        words[count++] = at;
        at += random_below(&test.random, 1 + lengths[count % ARRAY_SIZE(lengths)]);
    }
    return count;
}

static void describe(map_run *r)
{
    const map_case *c = r->c;
    r->elements = (uint64_t)c->width * c->height * c->layers;
    r->info = (VkrReduceInfo){.label = c->name,
                              .ops = c->ops,
                              .count = VKR_COUNT_ALL,
                              .output = {outputs.buffer, 0, OUTPUT_BYTES},
                              .nan = c->nan,
                              .determinism = c->determinism,
                              .algorithm = c->algorithm,
                              .segments = {.kind = c->kind}};
    if (c->kind == TILES) {
        r->info.segments.tileWidth = c->tile_width;
        r->info.segments.tileHeight = c->tile_height;
        r->info.segments.length = c->format == NULL ? c->width : 0;
    } else if (c->kind == VKR_SEGMENTS_ROWS || c->kind == VKR_SEGMENTS_WINDOWS) {
        r->info.segments.length = c->tile_width;
    } else if (c->kind == VKR_SEGMENTS_COLUMNS) {
        r->info.segments.length = c->width;
    } else if (c->kind == VKR_SEGMENTS_OFFSETS) {
        r->info.segments.offsets =
            (VkrBufferRange){offsets.buffer, 0, draw_offsets(r->elements) * sizeof(uint32_t)};
    }
    r->count = r->elements;
    if (c->gpu_count != VKR_TYPE_UNDEFINED) {
        r->count = r->elements * 2 / 3 + 1;
        r->info.gpuCount = (VkrGpuCount){counts.buffer, 0, c->gpu_count};
        memcpy(counts.data, &r->count, 8);
    }
}

static void record(map_run *r, VkrRecorder recorder)
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
    if (r->info.mask.image != NULL)
        image_upload(&test.h, &r->mask_image, mask_texels.buffer, 0);
    r->info.input.map = r->c->mapped ? &r->c->map : NULL;
    if ((r->info.ops & VKR_OP_DOT) != 0)
        r->info.input2 = r->info.input;
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &r->info), r->c->name));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorder);
}

static void run_case(const map_case *c)
{
    static const tuning_row built_in;
    map_run r = {.c = c};
    describe(&r);
    r.keeps = malloc(r.elements);
    r.mapped = malloc(r.elements * 32);
    assert_true(r.keeps != NULL && r.mapped != NULL);
    if (has_limits(&test.device, c->limits) && open_input(&r) && open_mask(&r)) {
        const VkrContext context = get_context(&test.contexts, c->limits, &built_in);
        const VkrRecorder recorder = get_recorder(&test.contexts, c->limits, &built_in);
        assert_non_null(recorder);
        watch_limits(&limits_rows[c->limits]);
        r.info.input.map = c->mapped ? &c->map : NULL;
        assert_true(
            harness_check(&test.h, vkrGetReduceLayout(context, &r.info, &r.layout), c->name));
        assert_true(r.layout.size <= OUTPUT_BYTES);
        memset(outputs.data, 0xcd, outputs.size);
        record(&r, recorder);
        test.mismatches_before = test.mismatches;
        maps_check_segments(&r);
    } else {
        printf("# left out: %s\n", c->name);
    }
    image_destroy(&test.h, &r.image);
    image_destroy(&test.h, &r.mask_image);
    free(r.keeps);
    free(r.mapped);
}

static void test_maps(void **state)
{
    (void)state;
    for (uint32_t i = 0; map_cases[i].name != NULL; i++)
        if (harness_has_case(i))
            run_case(&map_cases[i]);
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- Operations that stage mapped elements ---- */

#define STAGED 30011u
#define HALF (OUTPUT_BYTES / 2)

static VkrResult add_scan(VkrRecorder recorder, const VkrView *input, VkDeviceSize at)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = *input,
                              .output = {.buffer = outputs.buffer, .offset = at, .size = HALF - 64},
                              .count = VKR_COUNT_ALL,
                              .total = {outputs.buffer, at + HALF - 64, 64}};
    return vkrCmdScan(recorder, &info);
}

static VkrResult add_compaction(VkrRecorder recorder, const VkrView *input, VkDeviceSize at)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, outputs.buffer, at + HALF - 64, 0};
    const VkrCompactInfo info = {
        .input = *input,
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_COMPARE,
                      .compare = VKR_COMPARE_GREATER,
                      .a = {.f = 100.0}},
        .kept = {.buffer = outputs.buffer, .offset = at, .size = HALF - 64},
        .countOutputCount = 1,
        .countOutputs = &count};
    return vkrCmdCompact(recorder, &info);
}

/* Results must be the same for bytes that are mapped and for floats that were mapped before. */
static void run_staged(const char *name, limits_row limits,
                       VkrResult (*add)(VkrRecorder, const VkrView *, VkDeviceSize))
{
    static const tuning_row built_in;
    static const VkrMap map = {.weights = VKR_LUMINANCE_WEIGHTS};
    const VkrRecorder recorder = get_recorder(&test.contexts, limits, &built_in);
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkrView bytes = {.buffer = values.buffer,
                           .offset = LEAD,
                           .size = 3 * STAGED,
                           .type = VKR_TYPE_U8,
                           .components = 3,
                           .map = &map};
    const VkrView floats = {.buffer = kept.buffer, .size = 4 * STAGED, .type = VKR_TYPE_F32};
    const unsigned char *element = (const unsigned char *)values.data + LEAD;
    uint32_t *mapped = kept.data;
    fill_data(&test.random, DATA_RANDOM, VKR_TYPE_U8, 3, (char *)values.data + LEAD, 3, STAGED);
    for (uint32_t i = 0; i < STAGED; i++)
        mapped[i] = oracle_map(&map, VKR_TYPE_U8, 3, element + 3 * i);
    memset(outputs.data, 0xcd, outputs.size);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&test.h));
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&test.h, add(recorder, &floats, HALF), name));
    assert_true(harness_check(&test.h, add(recorder, &bytes, 0), name));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorder);
    assert_memory_not_equal(outputs.data, "\xcd\xcd\xcd\xcd", 4);
    assert_memory_equal(outputs.data, (const char *)outputs.data + HALF, HALF);
}

static void test_staged(void **state)
{
    (void)state;
    if (!test.device.types[VKR_TYPE_U8])
        return;
    run_staged("scan", LIMITS_DEVICE, add_scan);
    run_staged("scan in windows", LIMITS_SHARED_SMALL, add_scan);
    run_staged("compaction", LIMITS_DEVICE, add_compaction);
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
    return harness_create_buffer(&test.h, INPUT_BYTES, &texels) &&
                   harness_create_buffer(&test.h, INPUT_BYTES, &mask_texels) &&
                   harness_create_buffer(&test.h, INPUT_BYTES, &values) &&
                   harness_create_buffer(&test.h, INPUT_BYTES, &kept) &&
                   harness_create_buffer(&test.h, OUTPUT_BYTES, &outputs) &&
                   harness_create_buffer(&test.h, 64, &counts) &&
                   harness_create_buffer(&test.h, 4096, &offsets) && fetcher_open(&test.h, &fetch)
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
    harness_destroy_buffer(&test.h, &mask_texels);
    harness_destroy_buffer(&test.h, &values);
    harness_destroy_buffer(&test.h, &kept);
    harness_destroy_buffer(&test.h, &outputs);
    harness_destroy_buffer(&test.h, &counts);
    harness_destroy_buffer(&test.h, &offsets);
    return 0;
}

HARNESS_MAIN(test.h, "maps", open_all, close_all, cmocka_unit_test(test_maps),
             cmocka_unit_test(test_staged))
