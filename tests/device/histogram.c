/* SPDX-License-Identifier: MIT */
/* Histograms against the oracle: types, bins, weights, masks, images, counts and algorithms, each
 * with several sizes, offsets, strides, bounds and data. */
#include "histogram_request.h"

enum {
    AXIS_TYPE,
    AXIS_WEIGHTS,
    AXIS_COMPONENTS,
    AXIS_SOURCE,
    AXIS_CHOICE,
    AXIS_BINS,
    AXIS_FLAGS,
    AXIS_COUNT_TYPE,
    AXIS_GPU_COUNT,
    AXIS_MAP,
    AXIS_MASK,
    AXIS_ALGORITHM,
    AXIS_OUTPUTS,
    AXIS_LIMITS,
    AXIS_GEOMETRY,
    AXIS_ORDER
};

enum { SOURCE_PACKED, SOURCE_STRIDED, SOURCE_IMAGE, SOURCES };
enum { MASK_NONE, MASK_U32, MASK_U8, MASK_BITS, MASK_IMAGE, MASKS };
/* Mapped weights are pairs of i32. */
enum { WEIGHTS_NONE, WEIGHTS_INTEGERS, WEIGHTS_FLOATS, WEIGHTS_IMAGE, WEIGHTS_MAPPED, WEIGHTS };

/* Values that rows use in turn, since they need not be paired with every other choice. */
static const uint32_t bin_counts[][3] = {
    {1, 2, 3}, {255, 256, 257}, {4096, 1000, 4095}, {65536, 65535, 65536}};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL, LIMITS_WIDE};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const VkrMap maps[] = {
    {.weights = {0}}, /* stands for no map */
    {.weights = {0.2126f, 0.7152f, 0.0722f, -1.0f}},
    {.weights = {0.25f, 0.5f, 1.0f, 2.0f}, .bias = 0x1p-8f, .function = VKR_MAP_LOG2},
    {.weights = {1.0f, -1.0f, 0.0f, 3.0f}, .bias = -0.5f, .function = VKR_MAP_ABS}};

static uint32_t turn_of(const uint32_t axes[MAX_AXES], uint32_t of)
{
    return (axes[AXIS_TYPE] + axes[AXIS_COMPONENTS] + axes[AXIS_FLAGS] + axes[AXIS_MAP]) % of;
}

static VkrType weight_type(const uint32_t axes[MAX_AXES])
{
    static const VkrType integers[] = {VKR_TYPE_U32, VKR_TYPE_U8,  VKR_TYPE_I32,
                                       VKR_TYPE_I16, VKR_TYPE_U16, VKR_TYPE_I8};
    static const VkrType floats[] = {VKR_TYPE_F32, VKR_TYPE_F16, VKR_TYPE_BF16};
    return axes[AXIS_WEIGHTS] == WEIGHTS_INTEGERS ? integers[turn_of(axes, ARRAY_SIZE(integers))]
           : axes[AXIS_WEIGHTS] == WEIGHTS_FLOATS ? floats[turn_of(axes, ARRAY_SIZE(floats))]
                                                  : VKR_TYPE_I32;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const limits_row limit = limits[axes[AXIS_LIMITS]];
    const bool mapped = axes[AXIS_MAP] != 0, weighted = axes[AXIS_WEIGHTS] != WEIGHTS_NONE;
    const bool small = limit == LIMITS_SMALL || limit == LIMITS_SHARED_SMALL;
    const uint32_t bins = bin_counts[axes[AXIS_BINS]][turn_of(axes, 3)];
    const uint32_t components = mapped ? 1 : axes[AXIS_COMPONENTS] + 1;
    /* For each component three more than the bins, or 256 if elements are bytes. */
    const uint32_t slots = !mapped && vkrTypeSize(type) == 1 ? 256 : bins + 3;
    const bool fits_shared = (uint64_t)slots * components * (weighted ? 8 : 4) <= 32768 - 64;
    return a->types[type] && has_limits(a, limit) && (!weighted || a->types[weight_type(axes)]) &&
           (axes[AXIS_MASK] != MASK_U8 || a->types[VKR_TYPE_U8]) &&
           (axes[AXIS_SOURCE] != SOURCE_IMAGE || type == VKR_TYPE_F32 || type == VKR_TYPE_U32 ||
            type == VKR_TYPE_I32) &&
           (axes[AXIS_CHOICE] != CHOICE_INTEGERS || (!mapped && !is_float(type))) &&
           (!mapped || vkrTypeSize(type) <= 4) &&
           (!small || (uint64_t)bins * components * 8 <= SMALL_RANGE / 2) &&
           (axes[AXIS_ALGORITHM] == VKR_HISTOGRAM_AUTO ||
            axes[AXIS_ALGORITHM] == VKR_HISTOGRAM_GLOBAL || fits_shared);
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
    t->tuning.geometry = t->axes[AXIS_GEOMETRY];
    t->tuning.order = (VkrLoadOrder)t->axes[AXIS_ORDER];
}

/* ---- A request ---- */

VkrType histogram_type(const histogram_request *h)
{
    return h->info.input.map != NULL ? VKR_TYPE_F32 : h->info.input.type;
}

uint32_t histogram_components(const histogram_request *h)
{
    return h->info.input.map != NULL ? 1 : h->info.input.components;
}

void *histogram_element(const VkrView *view, uint64_t index)
{
    const VkDeviceSize packed = (VkDeviceSize)vkrTypeSize(view->type) * view->components;
    return test_bytes(view->buffer,
                      view->offset + index * (view->stride != 0 ? view->stride : packed));
}

/* An image whose part that is read has the request's columns, rows and layers. */
static void place_image(test_request *t, VkrType type, uint32_t components, bool is_byte,
                        test_texture *s)
{
    const histogram_request *h = t->own;
    const uint32_t margin = is_byte ? 0 : test_below(t, 3);
    image_request r = {.format = &image_formats[4], /* R8_UINT */
                       .view_type =
                           h->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                       .width = h->width + margin,
                       .height = h->height + margin,
                       .layers = h->layers,
                       .layout = VK_IMAGE_LAYOUT_GENERAL};
    assert_true(is_byte || test_draw_format(t, type, components, &r));
    test_source(t, &r, components, s);
    s->part.rectangle = (VkRect2D){{(int32_t)margin, (int32_t)margin}, {h->width, h->height}};
}

/* The type of an image's view, which the library ignores, is that of its texels. */
static VkrView place_elements(test_request *t, VkrType type, uint32_t components, uint32_t gap,
                              test_texture *image)
{
    const histogram_request *h = t->own;
    const VkDeviceSize size = vkrTypeSize(type), stride = size * (components + gap);
    VkrView view = {.type = type, .components = components};
    if (image != NULL) {
        place_image(t, type, components, false, image);
        view.image = &image->part;
        return view;
    }
    view = test_input(t, type, components, stride, size, h->capacity);
    view.stride = gap == 0 ? 0 : stride;
    return view;
}

static void place_input(test_request *t)
{
    histogram_request *h = t->own;
    const VkrType type = (VkrType)(t->axes[AXIS_TYPE] + 1);
    const uint32_t components = t->axes[AXIS_COMPONENTS] + 1, source = t->axes[AXIS_SOURCE];
    h->info.input =
        place_elements(t, type, components, source == SOURCE_STRIDED ? 1 + test_below(t, 5) : 0,
                       source == SOURCE_IMAGE ? &h->input : NULL);
    h->map = maps[t->axes[AXIS_MAP]];
    for (uint32_t i = components; i < VKR_MAX_COMPONENTS; i++)
        h->map.weights[i] = 0.0f;
    h->info.input.map = t->axes[AXIS_MAP] != 0 ? &h->map : NULL;
}

static void place_mask(test_request *t)
{
    static const VkrFlagFormat formats[] = {
        [MASK_U32] = VKR_FLAGS_U32, [MASK_U8] = VKR_FLAGS_U8, [MASK_BITS] = VKR_FLAGS_BITS};
    histogram_request *h = t->own;
    const uint32_t mask = t->axes[AXIS_MASK];
    if (mask == MASK_IMAGE) {
        place_image(t, VKR_TYPE_U32, 1, true, &h->mask);
        h->info.mask.image = &h->mask.part;
    } else if (mask != MASK_NONE) {
        h->info.mask.flags.format = formats[mask];
        h->info.mask.flags.range = test_read(t, mask == MASK_U8 ? 1 : 4,
                                             mask == MASK_BITS  ? (h->capacity + 31) / 32 * 4
                                             : mask == MASK_U32 ? h->capacity * 4
                                                                : h->capacity);
    }
}

static void place_weights(test_request *t)
{
    static const VkrType of_images[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
    histogram_request *h = t->own;
    const uint32_t weights = t->axes[AXIS_WEIGHTS];
    const bool is_image = weights == WEIGHTS_IMAGE, mapped = weights == WEIGHTS_MAPPED;
    const VkrType type =
        is_image ? of_images[test_below(t, ARRAY_SIZE(of_images))] : weight_type(t->axes);
    if (weights == WEIGHTS_NONE)
        return;
    h->info.weights = place_elements(t, type, mapped ? 2 : 1, 2 * test_below(t, 2),
                                     is_image ? &h->weights : NULL);
    h->weight_map = (VkrMap){.weights = {0x1p-20f, -0x1p-25f}, .bias = 0.5f};
    h->info.weights.map = mapped ? &h->weight_map : NULL;
    if (is_float(type) || mapped)
        h->info.weightFraction = test_below(t, 32);
}

/* A reduction before the histogram, which computes its range. */
static void place_reduction(test_request *t)
{
    histogram_request *h = t->own;
    VkrReduceLayout layout;
    h->range = (VkrReduceInfo){.label = "range",
                               .ops = VKR_OP_MIN | VKR_OP_MAX,
                               .input = h->info.input,
                               .count = h->info.count,
                               .gpuCount = h->info.gpuCount,
                               .mask = h->info.mask};
    assert_true(harness_check(
        &rig.h,
        vkrGetReduceLayout(get_context(&rig.contexts, t->limits, &t->tuning), &h->range, &layout),
        "vkrGetReduceLayout"));
    const VkrBufferRange at = h->range.output = test_written(t, layout.alignment, layout.size);
    h->info.bins.gpuRange =
        (VkrGpuRange){at.buffer, at.offset + vkrGetReduceResult(&layout, VKR_OP_MIN)->offset,
                      at.offset + vkrGetReduceResult(&layout, VKR_OP_MAX)->offset};
}

static void place_bins(test_request *t)
{
    static const VkrBinKind kinds[BINS_CHOICES] = {VKR_BINS_EVEN,     VKR_BINS_LOG2, VKR_BINS_EDGES,
                                                   VKR_BINS_INTEGERS, VKR_BINS_EVEN, VKR_BINS_LOG2};
    histogram_request *h = t->own;
    VkrBins *bins = &h->info.bins;
    const VkrType type = histogram_type(h);
    const uint32_t size = vkrTypeSize(type), edge = is_float(type) && size == 2 ? 4 : size;
    bins->kind = kinds[h->choice];
    if (h->choice == CHOICE_EDGES) {
        bins->edges = test_room(t, edge, edge * (bins->count + (VkDeviceSize)1));
    } else if (h->choice != CHOICE_EVEN_GPU && h->choice != CHOICE_LOG2_GPU) {
        histogram_choose_bounds(t);
    } else if (test_below(t, 2) != 0) {
        place_reduction(t);
    } else {
        const VkDeviceSize half = (VkDeviceSize)size * VKR_MAX_COMPONENTS;
        const VkrBufferRange at = test_read(t, size, 2 * half);
        const uint32_t first = test_below(t, 2);
        bins->gpuRange =
            (VkrGpuRange){at.buffer, at.offset + first * half, at.offset + (first ^ 1) * half};
    }
}

void histogram_place_outputs(test_request *t, uint32_t outputs)
{
    histogram_request *h = t->own;
    VkrHistogramInfo *info = &h->info;
    const uint32_t components = histogram_components(h);
    const bool wide = vkrTypeSize(histogram_type(h)) == 8;
    const VkDeviceSize size = (info->countType == VKR_TYPE_U64 ? 8 : 4) * components;
    info->counts = test_written(t, 4, info->bins.count * size);
    if ((outputs & WITH_OUTSIDE) != 0)
        info->outside = test_written(t, 4, 3 * size);
    if ((outputs & WITH_EDGES) != 0)
        info->edges =
            test_written(t, 4, (info->bins.count + (VkDeviceSize)1) * components * (wide ? 8 : 4));
}

static uint32_t at_most(uint32_t number, uint32_t most)
{
    return number < most ? number : most;
}

static void make(test_request *t)
{
    static const uint32_t sizes[][2] = {{1, 1}, {37, 1}, {31, 17}, {211, 190}, {101, 1}, {127, 67}};
    const uint32_t *axes = t->axes, k = t->layout % ARRAY_SIZE(sizes);
    histogram_request *h = t->own;
    VkrHistogramInfo *info = &h->info;
    h->choice = (bins_choice)axes[AXIS_CHOICE];
    h->width = at_most(sizes[k][0], t->most);
    h->height = at_most(sizes[k][1], t->most / h->width);
    h->layers = k == 2 ? at_most(1 + test_below(t, 4), t->most / (h->width * h->height)) : 1;
    h->capacity = (uint64_t)h->width * h->height * h->layers;
    h->count = test_below(t, 4) != 0 ? h->capacity : test_below(t, (uint32_t)h->capacity + 1);
    info->label = "histogram";
    info->count = h->count == h->capacity && test_below(t, 2) == 0 ? VKR_COUNT_ALL : h->count;
    info->countType = count_types[axes[AXIS_COUNT_TYPE]];
    info->algorithm = (VkrHistogramAlgorithm)axes[AXIS_ALGORITHM];
    info->flags = axes[AXIS_FLAGS];
    info->bins.count = bin_counts[axes[AXIS_BINS]][turn_of(axes, 3)];
    place_input(t);
    place_mask(t);
    place_weights(t);
    info->gpuCount = test_count(t, count_types[axes[AXIS_GPU_COUNT]], h->count);
    place_bins(t);
    histogram_place_outputs(t, axes[AXIS_OUTPUTS]);
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    const histogram_request *h = t->own;
    const uint32_t pieces = h->pieces != 0 ? h->pieces : 1;
    VkrResult result = h->range.ops != 0 ? vkrCmdReduce(recorder, &h->range) : VKR_SUCCESS;
    for (uint32_t k = 0; k < pieces && result == VKR_SUCCESS; k++) {
        const uint64_t first = h->capacity * k / pieces, end = h->capacity * (k + 1) / pieces;
        VkrHistogramInfo info = h->info;
        if (pieces > 1) {
            info.input.offset += 4 * first;
            info.input.size = 4 * (end - first);
            info.flags |= k != 0 ? VKR_HISTOGRAM_ACCUMULATE_BIT : 0;
        }
        result = vkrCmdHistogram(recorder, &info);
    }
    return result;
}

static bool may_refuse(const test_request *t)
{
    (void)t;
    return false;
}

static const struct CMUnitTest others[] = {
    {.name = "test_refused", .test_func = histogram_test_refused}};

const test_operation test_histogram = {
    .name = "histogram",
    .call = "vkrCmdHistogram",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_WEIGHTS] = {"weights", WEIGHTS},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_SOURCE] = {"source", SOURCES},
             [AXIS_CHOICE] = {"kind", BINS_CHOICES},
             [AXIS_BINS] = {"bins", ARRAY_SIZE(bin_counts)},
             [AXIS_FLAGS] = {"flags", 4},
             [AXIS_COUNT_TYPE] = {"count-type", ARRAY_SIZE(count_types)},
             [AXIS_GPU_COUNT] = {"gpu-count", ARRAY_SIZE(count_types)},
             [AXIS_MAP] = {"map", ARRAY_SIZE(maps)},
             [AXIS_MASK] = {"mask", MASKS},
             [AXIS_ALGORITHM] = {"algorithm", VKR_HISTOGRAM_ALGORITHM_COUNT},
             [AXIS_OUTPUTS] = {"outputs", 4},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_GEOMETRY] = {"geometry", GEOMETRIES},
             [AXIS_ORDER] = {"order", VKR_LOAD_ORDER_COUNT}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_WEIGHTS | 1u << AXIS_SOURCE | 1u << AXIS_CHOICE |
               1u << AXIS_GPU_COUNT | 1u << AXIS_MASK | 1u << AXIS_ALGORITHM,
    .layouts = 6,
    .thin = 2,
    .size = sizeof(histogram_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = histogram_fill,
    .record = record,
    .expect = histogram_expect,
    .may_refuse = may_refuse,
    .print = histogram_print,
    .fixed = {{"test_neighbours", 32, histogram_make_neighbours, .layouts = 2},
              {"test_equal_bounds", VKR_TYPE_COUNT - 1, histogram_make_equal, 0, 0},
              {"test_pieces", 2, histogram_make_pieces, 0, 0},
              {"test_large_counts", 8, histogram_make_large, 0, 0},
              {"test_groups", 3, histogram_make_groups, 0, 0},
              {"test_unsorted", 2, histogram_make_unsorted, 0, 0}},
    .others = others,
    .other_count = ARRAY_SIZE(others),
};
