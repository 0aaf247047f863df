/* SPDX-License-Identifier: MIT */
/* Reductions of images against the oracle, whose input is the result of texelFetch: every format
 * that the device supports, all other choices pairwise, with random levels, layers and
 * rectangles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_map.h"

enum {
    AXIS_TYPE,
    AXIS_OPS,
    AXIS_SHAPE,
    AXIS_COMPONENTS,
    AXIS_ALGORITHM,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* the accumulator is the lowest bit */
    AXIS_GEOMETRY,
    AXIS_GPU_COUNT,
    AXIS_ORDER,
    AXIS_MAP,
    AXIS_MASK /* by bits */
};

#define ORDERED                                                                                    \
    (VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_PRODUCT | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_L2 |            \
     VKR_OP_VARIANCE | VKR_OP_STDDEV | VKR_OP_LOGSUMEXP)
static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
static const VkImageViewType shapes[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                         VK_IMAGE_VIEW_TYPE_3D};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const VkrReduceAlgorithm algorithms[] = {
    VKR_REDUCE_AUTO,      VKR_REDUCE_SINGLE,   VKR_REDUCE_SUBGROUP,    VKR_REDUCE_TREE,
    VKR_REDUCE_RECURSIVE, VKR_REDUCE_PINGPONG, VKR_REDUCE_RECURSIVE_2D};
static const VkrOpFlags op_sets[] = {VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
                                     VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_COUNT,
                                     VKR_OP_PRODUCT | VKR_OP_NAN,
                                     VKR_OP_SUMSQ | VKR_OP_L2,
                                     VKR_OP_L1 | VKR_OP_ABSMAX | VKR_OP_ARGMAX,
                                     VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
                                     VKR_OP_VARIANCE | VKR_OP_STDDEV,
                                     VKR_OP_LOGSUMEXP};
/* Maps of four components; elements with fewer components use the first ones. */
static const VkrMap maps[] = {
    {.weights = {0}}, /* stands for no map */
    {.weights = {0.2126f, 0.7152f, 0.0722f, -1.0f}},
    {.weights = {0.25f, 0.5f, 1.0f, 2.0f}, .bias = 0x1p-8f, .function = VKR_MAP_LOG2},
    {.weights = {1.0f, -1.0f, 0.0f, 3.0f}, .bias = -0.5f, .function = VKR_MAP_ABS},
    {.weights = {0.0f}, .function = VKR_MAP_SQRT}};

typedef struct image_reduction {
    test_texture source;
    VkrMap map;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    uint64_t count; /* the host's */
} image_reduction;

/* The type and the number of components that the operators see: a map makes one f32 of each
 * element. */
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

static bool is_small(limits_row limits)
{
    return limits_rows[limits].maxStorageBufferRange != 0;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrReduceAlgorithm algorithm = algorithms[axes[AXIS_ALGORITHM]];
    const VkrOpFlags ops = op_sets[axes[AXIS_OPS]];
    const limits_row limits = (limits_row)axes[AXIS_LIMITS];
    const VkrType accumulator = accumulator_of(axes);
    const bool of_floats = seen_type(axes) == VKR_TYPE_F32;
    uint32_t operators = 0;
    /* Float sums at level DEVICE have an order that squares do not support; and the oracle's tree
     * does not support dropped elements (maps.c tests some). */
    if ((algorithm >= VKR_REDUCE_PINGPONG || axes[AXIS_MASK] != 0) && (ops & ORDERED) != 0 &&
        of_floats && axes[AXIS_DETERMINISM] == VKR_DETERMINISM_DEVICE)
        return false;
    /* Mapped integers are staged in a buffer that one dispatch must reach as a whole. */
    if (axes[AXIS_MAP] != 0 && types[axes[AXIS_TYPE]] != VKR_TYPE_F32 &&
        algorithm == VKR_REDUCE_SINGLE && is_small(limits))
        return false;
    for (VkrOpFlags left = ops; left != 0; left &= left - 1)
        operators++;
    return has_limits(a, limits) && operators * seen_components(axes) <= a->weight &&
           (ops & ~operators_of(seen_type(axes), accumulator)) == 0 &&
           (accumulator == VKR_TYPE_UNDEFINED || a->types[accumulator]);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
    t->tuning.geometry = t->axes[AXIS_GEOMETRY];
    t->tuning.order = (VkrLoadOrder)t->axes[AXIS_ORDER];
}

/* ---- A request ---- */

static void place_image(test_request *t)
{
    static const uint32_t sizes[][2] = {{1, 1},   {1, 37},   {41, 1},  {31, 17},
                                        {640, 5}, {129, 67}, {13, 300}};
    const uint32_t *size = sizes[t->layout % ARRAY_SIZE(sizes)];
    const uint32_t components = t->axes[AXIS_COMPONENTS] + 1;
    image_reduction *q = t->own;
    image_request r = {
        .view_type = shapes[t->axes[AXIS_SHAPE]],
        .width = size[0] < t->most ? size[0] : t->most,
        .height = size[0] * size[1] <= t->most ? size[1] : 1,
        .level = test_below(t, 3) == 0 ? 1 + test_below(t, 2) : 0,
        .whole_view = test_below(t, 2) == 0,
        .layout = test_below(t, 2) == 0 ? VK_IMAGE_LAYOUT_GENERAL
                                        : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    const uint32_t most = t->most / (r.width * r.height);
    r.layers = r.view_type == VK_IMAGE_VIEW_TYPE_2D ? 1 : 1 + test_below(t, most < 5 ? most : 5);
    if (!test_draw_format(t, types[t->axes[AXIS_TYPE]], components, &r)) {
        r.level = 0; /* some devices have no larger levels of 3D images */
        assert_true(test_draw_format(t, types[t->axes[AXIS_TYPE]], components, &r));
    }
    test_source(t, &r, components, &q->source);
}

/* A part of `size` that starts at *first. */
static uint32_t draw_part(test_request *t, uint32_t size, uint32_t *first)
{
    *first = test_below(t, size);
    return 1 + test_below(t, size - *first);
}

static void draw_rectangle(test_request *t, uint32_t layers, VkrImage *image)
{
    uint32_t x, y;
    if (test_below(t, 2) == 0) {
        image->rectangle.extent.width = draw_part(t, image->extent.width, &x);
        image->rectangle.extent.height = draw_part(t, image->extent.height, &y);
        image->rectangle.offset = (VkOffset2D){(int32_t)x, (int32_t)y};
    }
    if (test_below(t, 2) == 0) {
        const uint32_t part = draw_part(t, layers, &image->firstLayer);
        const bool rest = image->firstLayer + part == layers;
        image->layerCount = rest && test_below(t, 2) == 0 ? 0 : part;
    }
}

static void make(test_request *t)
{
    const uint32_t *axes = t->axes;
    image_reduction *q = t->own;
    VkrReduceInfo *info = &q->info;
    const VkrContext library = get_context(&rig.contexts, t->limits, &t->tuning);
    place_image(t);
    draw_rectangle(t, q->source.image.request.layers, &q->source.part);
    const uint64_t texels = test_texels_of(&q->source.part);
    q->map = maps[axes[AXIS_MAP]];
    for (uint32_t i = axes[AXIS_COMPONENTS] + 1; i < VKR_MAX_COMPONENTS; i++)
        q->map.weights[i] = 0.0f;
    q->count = test_below(t, 4) != 0 ? texels : test_below(t, (uint32_t)texels + 1);
    *info = (VkrReduceInfo){
        .label = "image",
        .ops = op_sets[axes[AXIS_OPS]],
        .input = {.components = axes[AXIS_COMPONENTS] + 1,
                  .image = &q->source.part,
                  .map = axes[AXIS_MAP] != 0 ? &q->map : NULL},
        .count = q->count == texels ? VKR_COUNT_ALL : q->count,
        .accumulator = accumulator_of(axes),
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = algorithms[axes[AXIS_ALGORITHM]],
    };
    if (axes[AXIS_MASK] != 0)
        info->mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                         .range = test_read(t, 4, (texels + 31) / 32 * 4)};
    info->gpuCount = test_count(t, gpu_counts[axes[AXIS_GPU_COUNT]], q->count);
    assert_true(harness_check(&rig.h, vkrGetReduceLayout(library, info, &q->layout), "layout"));
    info->output = test_written(t, q->layout.alignment, q->layout.size);
}

/* All flags of every third word are set, and half of the others. */
static void fill(test_request *t)
{
    const VkrBufferRange *flags = &((const image_reduction *)t->own)->info.mask.flags.range;
    if (flags->buffer == VK_NULL_HANDLE || !test_fills(t, flags->buffer, flags->offset))
        return;
    for (VkDeviceSize i = 0; i < flags->size; i += 12)
        memset(test_bytes(flags->buffer, flags->offset + i), 0xff, 4);
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdReduce(recorder, &((const image_reduction *)t->own)->info);
}

/* The partials of a recursive reduction lie ever farther apart, and a small range may not reach
 * those of a workgroup. */
static bool may_refuse(const test_request *t)
{
    return is_small(t->limits) && algorithms[t->axes[AXIS_ALGORITHM]] == VKR_REDUCE_RECURSIVE;
}

/* ---- Results ---- */

/* The elements that count, mapped, one after the other; and the index of each. */
static uint64_t gather(const test_request *t, char *to, uint64_t *numbers)
{
    const image_reduction *q = t->own;
    const VkrBufferRange *flags = &q->info.mask.flags.range;
    const VkrType type = types[t->axes[AXIS_TYPE]];
    const uint32_t components = t->axes[AXIS_COMPONENTS] + 1, size = 4 * seen_components(t->axes);
    const uint64_t end = test_counted(&q->info.gpuCount, q->count);
    uint64_t count = 0;
    for (uint64_t i = 0; i < end; i++) {
        const void *element = test_texel(&q->source, i);
        const bool masked = flags->buffer != VK_NULL_HANDLE;
        const unsigned char *byte =
            masked ? test_bytes(flags->buffer, flags->offset + i / 8) : NULL; /* little-endian */
        if (masked && (*byte >> i % 8 & 1) == 0)
            continue;
        const uint32_t mapped =
            q->info.input.map != NULL ? oracle_map(&q->map, type, components, element) : 0;
        memcpy(to + count * size, q->info.input.map != NULL ? &mapped : element, size);
        numbers[count++] = i;
    }
    return count;
}

static void expect(test_request *t)
{
    const image_reduction *q = t->own;
    const VkrReduceInfo *info = &q->info;
    const uint32_t components = seen_components(t->axes);
    char *elements = malloc((q->count + 1) * 4 * components);
    uint64_t *numbers = malloc((q->count + 1) * sizeof *numbers);
    assert_non_null(elements);
    assert_non_null(numbers);
    const oracle_reduce_info oracle = {.data = elements,
                                       .stride = 4 * (size_t)components,
                                       .count = gather(t, elements, numbers),
                                       .type = seen_type(t->axes),
                                       .components = components,
                                       .accumulator = info->accumulator,
                                       .nan = info->nan,
                                       .determinism = info->determinism};
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &q->layout.results[bit];
        const VkrOp op = (VkrOp)(1u << bit);
        for (uint32_t k = 0; k < components && (info->ops & op) != 0; k++) {
            oracle_value value;
            uint64_t index = 0;
            oracle_reduce(&oracle, op, k, result->type, &value);
            memcpy(&index, value.bytes, vkrTypeSize(result->type));
            if ((op & (VKR_OP_ARGMIN | VKR_OP_ARGMAX)) != 0 && index < oracle.count)
                memcpy(value.bytes, &numbers[index], vkrTypeSize(result->type));
            test_value(t, vkrOpName(op), &value, result->type, info->output.buffer,
                       info->output.offset + result->offset + k * vkrTypeSize(result->type));
        }
    }
    free(elements);
    free(numbers);
}

static bool enough(uint32_t rows)
{
    (void)rows;
    printf("# dispatches that load texels of an image: %llu\n",
           (unsigned long long)image_bindings());
    return image_bindings() > 0;
}

static void print(const test_request *t)
{
    const VkrReduceInfo *info = &((const image_reduction *)t->own)->info;
    test_print_number("ops", info->ops);
    test_print_image("input", info->input.image);
    test_print_number("input.components", info->input.components);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_range("mask.flags.range", &info->mask.flags.range);
    test_print_number("accumulator", info->accumulator);
    test_print_number("nan", info->nan);
    test_print_number("determinism", info->determinism);
    test_print_number("algorithm", info->algorithm);
    test_print_range("output", &info->output);
}

const test_operation test_images = {
    .name = "images",
    .call = "vkrCmdReduce",
    .axes = {[AXIS_TYPE] = {"type", ARRAY_SIZE(types)},
             [AXIS_OPS] = {"ops", ARRAY_SIZE(op_sets)},
             [AXIS_SHAPE] = {"shape", ARRAY_SIZE(shapes)},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_ALGORITHM] = {"algorithm", ARRAY_SIZE(algorithms)},
             [AXIS_DETERMINISM] = {"determinism", 3},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_NAN_AND_ACCUMULATOR] = {"nan", 6},
             [AXIS_GEOMETRY] = {"geometry", GEOMETRIES},
             [AXIS_GPU_COUNT] = {"count", ARRAY_SIZE(gpu_counts)},
             [AXIS_ORDER] = {"order", VKR_LOAD_ORDER_COUNT},
             [AXIS_MAP] = {"map", ARRAY_SIZE(maps)},
             [AXIS_MASK] = {"mask", 2}},
    .layouts = 7,
    .alone = true,
    .size = sizeof(image_reduction),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .may_refuse = may_refuse,
    .enough = enough,
    .print = print,
};
