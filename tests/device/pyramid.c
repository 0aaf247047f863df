/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdPyramid against the oracle, bit by bit, on the driver that the environment selects:
 * formats, operators, shapes, rules, algorithms and limits pairwise, each with several sizes in one
 * recording; every size up to 67 x 67; large sizes; and few storage images. VKR_TEST_BUDGET,
 * VKR_TEST_ROWS and VKR_TEST_SEED are those of reduce.c. VKR_TEST_AVERAGES is the number of
 * additional random rows with averages, VKR_TEST_MINIMA of those with minima and maxima.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pyramid_case.h"

/* Room for the largest images, which test_large makes; a full run has larger ones. */
#define TEXEL_BYTES (harness_full() ? 32u << 20 : 8u << 20)
#define VALUE_BYTES (4 * TEXEL_BYTES)
#define LEVEL_BYTES TEXEL_BYTES

reduce_test test;
fetcher fetch;
harness_buffer texels, values, levels;
static const tuning_row built_in;

/* ---- Rows ---- */

enum { AXIS_FORMAT, AXIS_OPS, AXIS_SHAPE, AXIS_FIRST, AXIS_ALGORITHM, AXIS_LIMITS };

static const VkrOpFlags op_sets[] = {VKR_OP_MEAN, VKR_OP_MIN, PAIR, VKR_OP_MAX};
static const VkImageViewType shapes[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY};
static const limits_row limits_of_rows[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL};

#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
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

VkFormat level_of(const format_row *row, VkrOpFlags ops)
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
        /* Without this feature the shader must name the format, and SPIR-V has no name for BGRA. */
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

/* Random rows of choices that some drivers compile wrongly, or take minutes to compile. */
typedef struct hard_rows {
    const char *count; /* the environment variable with the number of rows */
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
    /* Indices into format_rows and op_sets. */
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
    run_hard_rows(&averages); /* averages of integers are often ties */
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

HARNESS_MAIN(test.h, "pyramid", open_all, close_all, cmocka_unit_test(test_pairs),
             cmocka_unit_test(test_sizes), cmocka_unit_test(test_large),
             cmocka_unit_test(test_halves), cmocka_unit_test(test_few_images))
