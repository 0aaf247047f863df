/* SPDX-License-Identifier: MIT */
/*
 * Reductions of images against the oracle, whose input is the result of texelFetch: every format
 * that the device supports, all other choices pairwise. Each row reduces several images in one
 * recording, with random levels, layers and rectangles. VKR_TEST_SHARES, VKR_TEST_ROWS and
 * VKR_TEST_SEED are those of reduce.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "images.h"
#include "oracle_map.h"
#include "reduce_case.h"

#define CASES 7
#define TEXEL_BYTES (1u << 20) /* size of an image's copy */
#define VALUE_BYTES (4u << 20) /* size of its values */
#define OUTPUT_BYTES 4096u
#define COUNT_BYTES 64u
#define FLAG_BYTES (1u << 16)

static reduce_test test;
static fetcher fetch;
static harness_buffer texels, values, outputs, counts, flags;
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
static const VkrMap maps[] = {{{0}, 0.0f, VKR_MAP_NONE}, /* stands for no map */
                              {{0.2126f, 0.7152f, 0.0722f, -1.0f}, 0.0f, VKR_MAP_NONE},
                              {{0.25f, 0.5f, 1.0f, 2.0f}, 0x1p-8f, VKR_MAP_LOG2},
                              {{1.0f, -1.0f, 0.0f, 3.0f}, -0.5f, VKR_MAP_ABS},
                              {{0.0f}, 0.0f, VKR_MAP_SQRT}};

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

/* The type that the operators see. */
static VkrType seen_type(const uint32_t axes[MAX_AXES])
{
    return axes[AXIS_MAP] != 0 ? VKR_TYPE_F32 : types[axes[AXIS_TYPE]];
}

static uint32_t seen_components(const uint32_t axes[MAX_AXES])
{
    return axes[AXIS_MAP] != 0 ? 1 : axes[AXIS_COMPONENTS] + 1;
}

static VkrType accumulator_of(const uint32_t axes[MAX_AXES])
{
    return axes[AXIS_NAN_AND_ACCUMULATOR] % 2 != 0 ? wide_accumulator(seen_type(axes))
                                                   : VKR_TYPE_UNDEFINED;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrOpFlags ops = op_sets[axes[AXIS_OPS]];
    const VkrType accumulator = accumulator_of(axes);
    const bool squares = algorithms[axes[AXIS_ALGORITHM]] >= VKR_REDUCE_PINGPONG;
    const bool of_floats = seen_type(axes) == VKR_TYPE_F32;
    const bool canonical = axes[AXIS_DETERMINISM] == VKR_DETERMINISM_DEVICE;
    uint32_t operators = 0;
    /* Float sums at level DEVICE have an order that squares do not support. */
    if (squares && (ops & ORDERED) != 0 && of_floats && canonical)
        return false;
    /* The oracle's tree does not support dropped elements (maps.c tests some). */
    if (axes[AXIS_MASK] != 0 && (ops & ORDERED) != 0 && of_floats && canonical)
        return false;
    /* Mapped integers are staged in a buffer that one dispatch must reach as a whole. */
    if (axes[AXIS_MAP] != 0 && types[axes[AXIS_TYPE]] != VKR_TYPE_F32 &&
        algorithms[axes[AXIS_ALGORITHM]] == VKR_REDUCE_SINGLE &&
        (axes[AXIS_LIMITS] == LIMITS_SMALL || axes[AXIS_LIMITS] == LIMITS_SHARED_SMALL))
        return false;
    for (VkrOpFlags left = ops; left != 0; left &= left - 1)
        operators++;
    return has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           operators * seen_components(axes) <= a->weight &&
           (!of_floats || (ops & VKR_OP_AND) == 0) &&
           (accumulator == VKR_TYPE_UNDEFINED || a->types[accumulator]);
}

/* ---- Images of a row ---- */

typedef struct image_case {
    test_image image;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    VkrMap map;
    uint64_t texel_count, count;
    VkDeviceSize texel_offset, value_offset;
} image_case;

/* The next format, in turn, that the device supports and that has the type and enough channels. */
static const image_format *choose_format(image_request *r, VkrType type, uint32_t components)
{
    static uint32_t turn;
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++) {
        const image_format *format = &image_formats[turn++ % IMAGE_FORMATS];
        uint32_t channels;
        r->format = format;
        if (vkrFormatType(format->format, format->aspect, &channels) == type &&
            channels >= components && image_supported(&test.h, r))
            return format;
    }
    return NULL;
}

static bool choose_image(const uint32_t axes[MAX_AXES], uint32_t k, image_request *r)
{
    static const uint32_t sizes[CASES][2] = {{1, 1},   {1, 37},   {41, 1},  {31, 17},
                                             {640, 5}, {129, 67}, {13, 300}};
    uint64_t *random = &test.random;
    *r = (image_request){
        .view_type = shapes[axes[AXIS_SHAPE]],
        .width = sizes[k][0],
        .height = sizes[k][1],
        .layers = axes[AXIS_SHAPE] == 0 ? 1 : 1 + random_below(random, 5),
        .level = random_below(random, 3) == 0 ? 1 + random_below(random, 2) : 0,
        .whole_view = random_below(random, 2) == 0,
        .layout = random_below(random, 2) == 0 ? VK_IMAGE_LAYOUT_GENERAL
                                               : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    return choose_format(r, types[axes[AXIS_TYPE]], axes[AXIS_COMPONENTS] + 1) != NULL;
}

/* A part of `size` that starts at *first. */
static uint32_t choose_part(uint32_t size, uint32_t *first)
{
    *first = random_below(&test.random, size);
    return 1 + random_below(&test.random, size - *first);
}

static void choose_rectangle(VkrImage *image, uint32_t layers)
{
    uint32_t x, y, z;
    if (random_below(&test.random, 2) == 0) {
        image->rectangle.extent.width = choose_part(image->extent.width, &x);
        image->rectangle.extent.height = choose_part(image->extent.height, &y);
        image->rectangle.offset = (VkOffset2D){(int32_t)x, (int32_t)y};
    }
    if (random_below(&test.random, 2) == 0) {
        const uint32_t part = choose_part(layers, &z);
        image->firstLayer = z;
        image->layerCount = z + part < layers || random_below(&test.random, 2) == 0 ? part : 0;
    }
}

static uint64_t texels_of(const VkrImage *image, uint32_t layers)
{
    const VkExtent2D part = image->rectangle.extent;
    return (uint64_t)(part.width != 0 ? part.width : image->extent.width) *
           (part.width != 0 ? part.height : image->extent.height) *
           (image->layerCount != 0 ? image->layerCount : layers - image->firstLayer);
}

static void choose_map_and_mask(const uint32_t axes[MAX_AXES], uint32_t k, image_case *c)
{
    uint32_t *words = (uint32_t *)((char *)flags.data + k * FLAG_BYTES);
    c->map = maps[axes[AXIS_MAP]];
    for (uint32_t i = axes[AXIS_COMPONENTS] + 1; i < VKR_MAX_COMPONENTS; i++)
        c->map.weights[i] = 0.0f;
    c->info.input.map = axes[AXIS_MAP] != 0 ? &c->map : NULL;
    if (axes[AXIS_MASK] == 0)
        return;
    for (uint32_t i = 0; i < FLAG_BYTES / 4; i++)
        words[i] = (uint32_t)(next_random(&test.random) | (i % 3 == 0 ? UINT32_MAX : 0));
    c->info.mask.flags =
        (VkrFlagView){VKR_FLAGS_BITS, {flags.buffer, k * FLAG_BYTES + 4, FLAG_BYTES - 4}};
}

static bool add_case(VkrContext context, const uint32_t axes[MAX_AXES], uint32_t k, image_case *c)
{
    static VkrImage images[CASES];
    image_request request;
    const uint32_t components = axes[AXIS_COMPONENTS] + 1;
    if (!choose_image(axes, k, &request) || !image_create(&test.h, &request, &c->image))
        return false;
    tested[request.format - image_formats]++;
    images[k] = c->image.info;
    choose_rectangle(&images[k], request.layers);
    c->texel_count = texels_of(&images[k], request.layers);
    c->info = (VkrReduceInfo){
        .ops = op_sets[axes[AXIS_OPS]],
        .input = {.components = components, .image = &images[k]},
        .count = random_below(&test.random, 4) != 0
                     ? VKR_COUNT_ALL
                     : random_below(&test.random, (uint32_t)c->texel_count + 1),
        .output = {outputs.buffer, k * OUTPUT_BYTES, OUTPUT_BYTES},
        .accumulator = accumulator_of(axes),
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = algorithms[axes[AXIS_ALGORITHM]],
    };
    c->count = c->info.count == VKR_COUNT_ALL ? c->texel_count : c->info.count;
    if (gpu_counts[axes[AXIS_GPU_COUNT]] != VKR_TYPE_UNDEFINED) {
        c->info.gpuCount =
            (VkrGpuCount){counts.buffer, k * COUNT_BYTES, gpu_counts[axes[AXIS_GPU_COUNT]]};
        c->count = choose_count(&test.random, c->info.gpuCount.type, c->count,
                                (char *)counts.data + k * COUNT_BYTES);
    }
    choose_map_and_mask(axes, k, c);
    return harness_check(&test.h, vkrGetReduceLayout(context, &c->info, &c->layout), "layout");
}

/* ---- Running a row ---- */

/* The elements that count, mapped, one after the other; and the index of each. */
static uint64_t gather(const uint32_t axes[MAX_AXES], const image_case *c, char *to,
                       uint64_t *numbers)
{
    const char *from = (const char *)values.data + c->value_offset;
    const uint32_t *mask = (const uint32_t *)flags.data + c->info.mask.flags.range.offset / 4;
    const size_t stride = 4 * (axes[AXIS_COMPONENTS] + 1), size = 4 * seen_components(axes);
    uint64_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const char *element = from + i * stride;
        if (axes[AXIS_MASK] != 0 && (mask[i / 32] >> i % 32 & 1) == 0)
            continue;
        if (axes[AXIS_MAP] != 0) {
            const uint32_t bits =
                oracle_map(&c->map, types[axes[AXIS_TYPE]], axes[AXIS_COMPONENTS] + 1, element);
            memcpy(to + count * size, &bits, size);
        } else {
            memcpy(to + count * size, element, size);
        }
        numbers[count++] = i;
    }
    return count;
}

static void check_case(const uint32_t axes[MAX_AXES], const image_case *c)
{
    static char elements[VALUE_BYTES];
    static uint64_t numbers[VALUE_BYTES / 4];
    const VkrType type = seen_type(axes);
    const uint32_t components = seen_components(axes);
    const uint64_t count = gather(axes, c, elements, numbers);
    const oracle_reduce_info info = {.data = elements,
                                     .stride = 4 * (size_t)components,
                                     .count = count,
                                     .type = type,
                                     .components = components,
                                     .accumulator = c->info.accumulator,
                                     .nan = c->info.nan,
                                     .determinism = c->info.determinism};
    char text[180];
    snprintf(text, sizeof(text),
             "format %d, view type %d, %" PRIu64
             " texels, algorithm %s, limits %s, map %u, mask %u",
             (int)c->image.request.format->format, (int)c->image.request.view_type, c->texel_count,
             vkrReduceAlgorithmName(c->info.algorithm), limits_names[axes[AXIS_LIMITS]],
             axes[AXIS_MAP], axes[AXIS_MASK]);
    const char *results = (const char *)outputs.data + c->info.output.offset;
    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        const VkrReduceResult *result = &c->layout.results[op];
        const bool is_index = ((1u << op) & (VKR_OP_ARGMIN | VKR_OP_ARGMAX)) != 0;
        for (uint32_t k = 0; k < components && result->type != VKR_TYPE_UNDEFINED; k++) {
            const void *actual = results + result->offset + k * vkrTypeSize(result->type);
            if (is_index)
                compare_index(&test, text, &info, (VkrOp)(1u << op), k, result->type, actual,
                              numbers);
            else
                compare_value(&test, text, &info, (VkrOp)(1u << op), k, result->type, actual);
        }
    }
}

static void place_cases(const uint32_t axes[MAX_AXES], image_case *cases, uint32_t count)
{
    VkDeviceSize texel_end = 0, value_end = 0;
    for (uint32_t k = 0; k < count; k++) {
        image_case *c = &cases[k];
        c->texel_offset = texel_end;
        c->value_offset = value_end;
        texel_end += (image_bytes(&c->image.request) + 383) / 384 * 384; /* whole texels of 12 */
        value_end += (c->texel_count * (axes[AXIS_COMPONENTS] + 1) * 4 + 255) / 256 * 256;
        assert_true(texel_end <= texels.size && value_end <= values.size);
        image_fill(&c->image.request, &test.random, (char *)texels.data + c->texel_offset);
    }
}

static void record(const uint32_t axes[MAX_AXES], VkrRecorder recorder, image_case *cases,
                   uint32_t count)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const uint32_t components = axes[AXIS_COMPONENTS] + 1;
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

static void run_images(const uint32_t axes[MAX_AXES])
{
    const limits_row limits = (limits_row)axes[AXIS_LIMITS];
    const tuning_row tuning = {.geometry = axes[AXIS_GEOMETRY], .order = axes[AXIS_ORDER]};
    const VkrContext context = get_context(&test.contexts, limits, &tuning);
    const VkrRecorder recorder = get_recorder(&test.contexts, limits, &tuning);
    image_case cases[CASES] = {0};
    uint32_t count = 0;
    assert_non_null(recorder);
    watch_limits(&limits_rows[limits]);
    for (uint32_t k = 0; k < CASES; k++)
        count += add_case(context, axes, k, &cases[count]) ? 1 : 0;
    place_cases(axes, cases, count);
    memset(outputs.data, 0xcd, outputs.size);
    record(axes, recorder, cases, count);
    assert_true(harness_submit(&test.h));
    for (uint32_t k = 0; k < count; k++)
        check_case(axes, &cases[k]);
    vkrReset(recorder);
    for (uint32_t k = 0; k < count; k++)
        image_destroy(&test.h, &cases[k].image);
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
        run_images(axes);
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
    return harness_create_buffer(&test.h, CASES * TEXEL_BYTES, &texels) &&
                   harness_create_buffer(&test.h, CASES * VALUE_BYTES, &values) &&
                   harness_create_buffer(&test.h, CASES * OUTPUT_BYTES, &outputs) &&
                   harness_create_buffer(&test.h, CASES * COUNT_BYTES, &counts) &&
                   harness_create_buffer(&test.h, CASES * FLAG_BYTES, &flags) &&
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
