/* SPDX-License-Identifier: MIT */
/*
 * Reductions of images by squares (VKR_REDUCE_PINGPONG and VKR_REDUCE_RECURSIVE_2D) against the
 * oracle: every operator, sizes that are multiples of a square and others, layers, slices, and
 * counts that end within a layer. Each case runs with both ways to compute a square's position,
 * which must give the same bits, also for float sums. images.c tests all other choices pairwise.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "images.h"
#include "reduce_case.h"

#define OUTPUT_BYTES 4096u

static reduce_test test;
static fetcher fetch;
static harness_buffer texels, values, outputs, counts;

enum { COMPUTED, GRID, SOLUTIONS };
static VkrContext contexts[SOLUTIONS];
static VkrRecorder recorders[SOLUTIONS];

typedef struct square_case {
    const char *name;
    const image_format *format;
    VkImageViewType view_type;
    uint32_t width, height, layers;
    uint64_t left_out; /* number of elements at the end that do not count */
    VkrType gpu_count;
    VkrOpFlags ops;
    uint32_t components;
    uint32_t workgroup_size; /* for VKR_REDUCE_RECURSIVE_2D */
    VkrType accumulator;
} square_case;

#define FLAT VK_IMAGE_VIEW_TYPE_2D
#define ARRAY VK_IMAGE_VIEW_TYPE_2D_ARRAY
#define SOLID VK_IMAGE_VIEW_TYPE_3D
#define RGBA8 &image_formats[0]
#define D32 &image_formats[1]
#define R32F &image_formats[2]
#define R8U &image_formats[4]
#define RGBA32I &image_formats[5]
#define R16I &image_formats[25]
#define NO_COUNT VKR_TYPE_UNDEFINED
#define BITS (VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR)

static const square_case cases[] = {
    {"a power of two", R32F, FLAT, 64, 64, 1, 0, NO_COUNT, VKR_OP_MAX | VKR_OP_ARGMIN, 1, 0, 0},
    {"one texel", D32, FLAT, 1, 1, 1, 0, NO_COUNT, VKR_OP_MIN | VKR_OP_ARGMAX, 1, 0, 0},
    {"a row", R8U, FLAT, 337, 1, 1, 0, NO_COUNT, VKR_OP_SUMSQ | VKR_OP_ARGMAX, 1, 0, 0},
    {"a column", R16I, FLAT, 1, 331, 1, 0, NO_COUNT, VKR_OP_MIN | VKR_OP_SUM, 1, 8, 0},
    {"primes", RGBA8, FLAT, 127, 61, 1, 0, NO_COUNT, VKR_OP_SUM | VKR_OP_MEAN, 4, 0, 0},
    {"odd layers", RGBA32I, ARRAY, 33, 17, 5, 0, NO_COUNT, VKR_OP_L2 | BITS, 3, 64, VKR_TYPE_I64},
    {"slices", R32F, SOLID, 19, 23, 7, 0, NO_COUNT, VKR_OP_ABSMAX | VKR_OP_NAN, 1, 4, 0},
    {"products", D32, FLAT, 40, 50, 1, 0, NO_COUNT, VKR_OP_PRODUCT | VKR_OP_MEAN, 1, 128, 0},
    {"layers of one texel", R8U, ARRAY, 1, 1, 37, 0, NO_COUNT, BITS | VKR_OP_ARGMIN, 1, 0, 0},
    {"within a row", R8U, FLAT, 97, 61, 1, 1234, NO_COUNT, VKR_OP_MIN | VKR_OP_COUNT, 1, 16, 0},
    {"within a layer", RGBA8, ARRAY, 45, 31, 4, 2000, NO_COUNT, VKR_OP_L1 | VKR_OP_L2, 2, 0, 0},
    {"spreads", R32F, FLAT, 97, 61, 1, 0, NO_COUNT, VKR_OP_VARIANCE | VKR_OP_STDDEV, 1, 0, 0},
    {"sums of exp(x)", R32F, FLAT, 97, 61, 1, 0, NO_COUNT, VKR_OP_LOGSUMEXP | VKR_OP_MAX, 1, 0, 0},
    {"spreads of integers", RGBA8, FLAT, 45, 31, 1, 0, NO_COUNT, VKR_OP_VARIANCE, 4, 0, 0},
    {"part of a row", R16I, FLAT, 97, 61, 1, 97 * 61 - 40, NO_COUNT, VKR_OP_MEAN, 1, 0, 0},
    {"nothing", R8U, FLAT, 9, 9, 1, 81, NO_COUNT, VKR_OP_MIN | VKR_OP_MEAN, 1, 0, 0},
    {"a count of the GPU's", R32F, ARRAY, 45, 31, 4, 3000, VKR_TYPE_U32, VKR_OP_ARGMAX, 1, 0, 0},
    {"nothing on the GPU", D32, FLAT, 45, 31, 1, 45 * 31, VKR_TYPE_U64, VKR_OP_ARGMIN, 1, 32, 0},
    {"a large image", R8U, FLAT, 1080, 600, 1, 0, NO_COUNT, VKR_OP_MAX, 1, 0, 0},
};

/* ---- One case ---- */

static VkrType type_of(const square_case *c)
{
    return vkrFormatType(c->format->format, c->format->aspect, NULL);
}

static void check_case(const square_case *c, const VkrReduceInfo *info,
                       const VkrReduceLayout *layout, uint64_t count, const char *results)
{
    char text[120];
    const oracle_reduce_info oracle = {.data = values.data,
                                       .stride = 4 * (size_t)c->components,
                                       .count = count,
                                       .type = type_of(c),
                                       .components = c->components,
                                       .accumulator = c->accumulator};
    snprintf(text, sizeof(text), "%s, %s", c->name, vkrReduceAlgorithmName(info->algorithm));
    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        const VkrReduceResult *result = &layout->results[op];
        for (uint32_t k = 0; k < c->components && result->type != VKR_TYPE_UNDEFINED; k++)
            compare_value(&test, text, &oracle, (VkrOp)(1u << op), k, result->type,
                          results + result->offset + k * vkrTypeSize(result->type));
    }
}

static void reduce(const VkrImage *image, int solution, const square_case *c, VkrReduceInfo *infos)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    fetcher_reset(&fetch);
    assert_true(harness_begin(&test.h));
    image_fetch(&test.h, &fetch, image, c->components, values.buffer, 0, values.size);
    assert_true(harness_check(&test.h, vkrBegin(recorders[solution]), "vkrBegin"));
    for (int a = 0; a < 2; a++) {
        infos[a].output.offset = (VkDeviceSize)(2 * solution + a) * OUTPUT_BYTES;
        assert_true(harness_check(&test.h, vkrCmdReduce(recorders[solution], &infos[a]), c->name));
    }
    assert_true(harness_check(&test.h, vkrEnd(recorders[solution], &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorders[solution]);
}

static void run_case(const square_case *c)
{
    const image_request request = {.format = c->format,
                                   .view_type = c->view_type,
                                   .width = c->width + 3,
                                   .height = c->height + 2,
                                   .layers = c->layers,
                                   .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const uint64_t all = (uint64_t)c->width * c->height * c->layers, count = all - c->left_out;
    VkrReduceLayout layout;
    VkrReduceInfo infos[2];
    test_image image;
    if (!image_supported(&test.h, &request) ||
        (c->accumulator != VKR_TYPE_UNDEFINED && !test.device.types[c->accumulator])) {
        printf("# left out: %s\n", c->name);
        return;
    }
    assert_true(image_create(&test.h, &request, &image));
    image_fill(&request, &test.random, texels.data);
    assert_true(harness_begin(&test.h));
    image_upload(&test.h, &image, texels.buffer, 0);
    assert_true(harness_end(&test.h) && harness_submit(&test.h));
    VkrImage part = image.info;
    part.rectangle = (VkRect2D){{2, 1}, {c->width, c->height}};
    infos[0] = (VkrReduceInfo){.label = c->name,
                               .ops = c->ops,
                               .input = {.components = c->components, .image = &part},
                               .count = c->gpu_count != NO_COUNT ? all : count,
                               .output = {outputs.buffer, 0, OUTPUT_BYTES},
                               .accumulator = c->accumulator,
                               .algorithm = VKR_REDUCE_PINGPONG};
    if (c->gpu_count != NO_COUNT) {
        memcpy(counts.data, &count, 8);
        infos[0].gpuCount = (VkrGpuCount){counts.buffer, 0, c->gpu_count};
    }
    infos[1] = infos[0];
    infos[1].algorithm = VKR_REDUCE_RECURSIVE_2D;
    infos[1].workgroupSize = c->workgroup_size;
    memset(outputs.data, 0xcd, outputs.size);
    assert_true(harness_check(&test.h, vkrGetReduceLayout(contexts[COMPUTED], &infos[0], &layout),
                              c->name));
    for (int solution = 0; solution < SOLUTIONS; solution++)
        reduce(&part, solution, c, infos);
    for (int a = 0; a < 2; a++) {
        const char *results = (const char *)outputs.data + a * (int)OUTPUT_BYTES;
        test.mismatches_before = test.mismatches;
        check_case(c, &infos[a], &layout, count, results);
        assert_memory_equal(results, results + 2 * OUTPUT_BYTES, OUTPUT_BYTES);
    }
    image_destroy(&test.h, &image);
}

static void test_squares(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_SIZE(cases); i++)
        if (harness_has_case(i))
            run_case(&cases[i]);
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    const VkrRecorderInfo info = {.label = "squares"};
    bool done = true;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.device = device_abilities(&test.h);
    for (int k = 0; k < SOLUTIONS && done; k++) {
        test.h.hooks.gridCoordinates = k == GRID;
        done = harness_context(&test.h, NULL, &contexts[k]) &&
               harness_check(&test.h, vkrCreateRecorder(contexts[k], &info, &recorders[k]),
                             "vkrCreateRecorder");
    }
    return done && harness_create_buffer(&test.h, 8u << 20, &texels) &&
                   harness_create_buffer(&test.h, 16u << 20, &values) &&
                   harness_create_buffer(&test.h, 2 * SOLUTIONS * OUTPUT_BYTES, &outputs) &&
                   harness_create_buffer(&test.h, 64, &counts) && fetcher_open(&test.h, &fetch)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    for (int k = 0; k < SOLUTIONS; k++) {
        vkrDestroyRecorder(recorders[k]);
        vkrDestroyContext(contexts[k]);
    }
    fetcher_close(&test.h, &fetch);
    harness_destroy_buffer(&test.h, &texels);
    harness_destroy_buffer(&test.h, &values);
    harness_destroy_buffer(&test.h, &outputs);
    harness_destroy_buffer(&test.h, &counts);
    return 0;
}

HARNESS_MAIN(test.h, "squares", open_all, close_all, cmocka_unit_test(test_squares))
