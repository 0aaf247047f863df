/* SPDX-License-Identifier: MIT */
/*
 * Reductions of images against the oracle, whose input is the result of texelFetch: every format
 * that the device supports, all other choices pairwise. Each row reduces several images in one
 * recording, with random levels, layers and rectangles. VKR_TEST_BUDGET, VKR_TEST_ROWS and
 * VKR_TEST_SEED are those of reduce.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "images_case.h"

reduce_test test;
harness_buffer values, outputs, counts, flags;
static fetcher fetch;
static harness_buffer texels;
static uint32_t tested[IMAGE_FORMATS]; /* number of images of each format */

/* ---- Rows ---- */

enum {
    AXIS_TYPE,
    AXIS_OPS,
    AXIS_SHAPE,
    AXIS_COMPONENTS,
    AXIS_ALGORITHM,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR,
    AXIS_GEOMETRY,
    AXIS_GPU_COUNT,
    AXIS_ORDER,
    AXIS_MAP,
    AXIS_MASK
};

static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
static const VkImageViewType shapes[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                         VK_IMAGE_VIEW_TYPE_3D};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const VkrReduceAlgorithm algorithms[] = {
    VKR_REDUCE_AUTO,      VKR_REDUCE_SINGLE,   VKR_REDUCE_SUBGROUP,    VKR_REDUCE_TREE,
    VKR_REDUCE_RECURSIVE, VKR_REDUCE_PINGPONG, VKR_REDUCE_RECURSIVE_2D};
#define ORDERED                                                                                    \
    (VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_PRODUCT | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_L2 |            \
     VKR_OP_VARIANCE | VKR_OP_STDDEV)
static const VkrOpFlags op_sets[] = {VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
                                     VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_COUNT,
                                     VKR_OP_PRODUCT | VKR_OP_NAN,
                                     VKR_OP_SUMSQ | VKR_OP_L2,
                                     VKR_OP_L1 | VKR_OP_ABSMAX | VKR_OP_ARGMAX,
                                     VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
                                     VKR_OP_VARIANCE | VKR_OP_STDDEV};

/* Maps of four components; elements with fewer components use the first ones. Masks are bits, or
 * none. */
static const VkrMap maps[] = {
    {.weights = {0}, .bias = 0.0f, .function = VKR_MAP_NONE}, /* stands for no map */
    {.weights = {0.2126f, 0.7152f, 0.0722f, -1.0f}, .bias = 0.0f, .function = VKR_MAP_NONE},
    {.weights = {0.25f, 0.5f, 1.0f, 2.0f}, .bias = 0x1p-8f, .function = VKR_MAP_LOG2},
    {.weights = {1.0f, -1.0f, 0.0f, 3.0f}, .bias = -0.5f, .function = VKR_MAP_ABS},
    {.weights = {0.0f}, .bias = 0.0f, .function = VKR_MAP_SQRT}};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = ARRAY_SIZE(types),
    [AXIS_OPS] = ARRAY_SIZE(op_sets),
    [AXIS_SHAPE] = ARRAY_SIZE(shapes),
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_ALGORITHM] = ARRAY_SIZE(algorithms),
    [AXIS_DETERMINISM] = 3,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_NAN_AND_ACCUMULATOR] = 6,
    [AXIS_GEOMETRY] = GEOMETRIES,
    [AXIS_GPU_COUNT] = ARRAY_SIZE(gpu_counts),
    [AXIS_ORDER] = VKR_LOAD_ORDER_COUNT,
    [AXIS_MAP] = ARRAY_SIZE(maps),
    [AXIS_MASK] = 2,
};

static image_row make_row(const uint32_t axes[MAX_AXES])
{
    image_row row = {
        .type = types[axes[AXIS_TYPE]],
        .ops = op_sets[axes[AXIS_OPS]],
        .shape = shapes[axes[AXIS_SHAPE]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .algorithm = algorithms[axes[AXIS_ALGORITHM]],
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .tuning = {.geometry = axes[AXIS_GEOMETRY], .order = (VkrLoadOrder)axes[AXIS_ORDER]},
        .gpu_count = gpu_counts[axes[AXIS_GPU_COUNT]],
        .map_number = axes[AXIS_MAP],
        .map = maps[axes[AXIS_MAP]],
        .masked = axes[AXIS_MASK] != 0,
    };
    if (axes[AXIS_NAN_AND_ACCUMULATOR] % 2 != 0)
        row.accumulator = wide_accumulator(image_seen_type(&row));
    return row;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const image_row row = make_row(axes);
    const bool squares = row.algorithm >= VKR_REDUCE_PINGPONG;
    const bool of_floats = image_seen_type(&row) == VKR_TYPE_F32;
    const bool canonical = row.determinism == VKR_DETERMINISM_DEVICE;
    uint32_t operators = 0;
    /* Float sums at level DEVICE have an order that squares do not support. */
    if (squares && (row.ops & ORDERED) != 0 && of_floats && canonical)
        return false;
    /* The oracle's tree does not support dropped elements (maps.c tests some). */
    if (row.masked && (row.ops & ORDERED) != 0 && of_floats && canonical)
        return false;
    /* Mapped integers are staged in a buffer that one dispatch must reach as a whole. */
    if (row.map_number != 0 && row.type != VKR_TYPE_F32 && row.algorithm == VKR_REDUCE_SINGLE &&
        (row.limits == LIMITS_SMALL || row.limits == LIMITS_SHARED_SMALL))
        return false;
    for (VkrOpFlags left = row.ops; left != 0; left &= left - 1)
        operators++;
    return has_limits(a, row.limits) && operators * image_seen_components(&row) <= a->weight &&
           (!of_floats || (row.ops & VKR_OP_AND) == 0) &&
           (row.accumulator == VKR_TYPE_UNDEFINED || a->types[row.accumulator]);
}

/* ---- Running a row ---- */

static void place_cases(const image_row *row, image_case *cases, uint32_t count)
{
    VkDeviceSize texel_end = 0, value_end = 0;
    for (uint32_t k = 0; k < count; k++) {
        image_case *c = &cases[k];
        c->texel_offset = texel_end;
        c->value_offset = value_end;
        texel_end += (image_bytes(&c->image.request) + 383) / 384 * 384; /* whole texels of 12 */
        value_end += (c->texel_count * row->components * 4 + 255) / 256 * 256;
        assert_true(texel_end <= texels.size && value_end <= values.size);
        image_fill(&c->image.request, &test.random, (char *)texels.data + c->texel_offset);
    }
}

static void record(const image_row *row, VkrRecorder recorder, image_case *cases, uint32_t count)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const uint32_t components = row->components;
    fetcher_reset(&fetch);
    assert_true(harness_begin(&test.h));
    for (uint32_t k = 0; k < count; k++) {
        image_upload(&test.h, &cases[k].image, texels.buffer, cases[k].texel_offset);
        image_fetch(&test.h, &fetch, cases[k].info.input.image, components, values.buffer,
                    cases[k].value_offset, cases[k].texel_count * components * 4);
    }
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t k = 0; k < count; k++)
        assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &cases[k].info), "vkrCmdReduce"));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
}

/* Whether the library serves a case. The partials of a recursive reduction lie ever farther apart,
 * and a small range may not reach those of a workgroup; such an image is destroyed. */
static bool is_served(const image_row *row, VkrRecorder recorder, image_case *c)
{
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    const VkrResult result = vkrCmdReduce(recorder, &c->info);
    if (result == VKR_SUCCESS)
        return true;
    assert_int_equal(result, VKR_ERROR_UNSUPPORTED);
    assert_int_equal(row->algorithm, VKR_REDUCE_RECURSIVE);
    assert_true(limits_rows[row->limits].maxStorageBufferRange != 0);
    image_destroy(&test.h, &c->image);
    *c = (image_case){0};
    return false;
}

static void run_images(const image_row *row)
{
    const VkrContext context = get_context(&test.contexts, row->limits, &row->tuning);
    const VkrRecorder recorder = get_recorder(&test.contexts, row->limits, &row->tuning);
    image_case cases[IMAGE_CASES] = {0};
    uint32_t count = 0;
    assert_non_null(recorder);
    watch_limits(&limits_rows[row->limits]);
    for (uint32_t k = 0; k < IMAGE_CASES; k++)
        count += image_add_case(context, row, k, &cases[count]) &&
                         is_served(row, recorder, &cases[count])
                     ? 1
                     : 0;
    place_cases(row, cases, count);
    memset(outputs.data, 0xcd, outputs.size);
    record(row, recorder, cases, count);
    assert_true(harness_submit(&test.h));
    for (uint32_t k = 0; k < count; k++)
        image_check_case(row, &cases[k]);
    vkrReset(recorder);
    for (uint32_t k = 0; k < count; k++) {
        tested[cases[k].image.request.format - image_formats]++;
        image_destroy(&test.h, &cases[k].image);
    }
    test.rows++;
}

static void test_pairs(void **state)
{
    (void)state;
    static row_list list;
    uint32_t axes[MAX_AXES];
    rows_begin(&list, "images", axis_sizes, 0, valid_row, &test.device);
    while (rows_next(&list, axes)) {
        test.mismatches_before = test.mismatches;
        const image_row row = make_row(axes);
        run_images(&row);
    }
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    printf("# dispatches that load texels of an image: %" PRIu64 "\n", image_bindings());
    assert_true(image_bindings() > 0);
    assert_int_equal(test.h.validation_messages, 0);
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++)
        printf("# format %d, aspect %d: %u images\n", (int)image_formats[i].format,
               (int)image_formats[i].aspect, tested[i]);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.device = device_abilities(&test.h);
    test.h.loader = limits_proc;
    test.contexts.h = &test.h;
    return harness_create_buffer(&test.h, IMAGE_CASES * TEXEL_BYTES, &texels) &&
                   harness_create_buffer(&test.h, IMAGE_CASES * VALUE_BYTES, &values) &&
                   harness_create_buffer(&test.h, IMAGE_CASES * OUTPUT_BYTES, &outputs) &&
                   harness_create_buffer(&test.h, IMAGE_CASES * COUNT_BYTES, &counts) &&
                   harness_create_buffer(&test.h, IMAGE_CASES * FLAG_BYTES, &flags) &&
                   fetcher_open(&test.h, &fetch)
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
    harness_destroy_buffer(&test.h, &flags);
    return 0;
}

HARNESS_MAIN(test.h, "images", open_all, close_all, cmocka_unit_test(test_pairs))
