/* SPDX-License-Identifier: MIT */
/* Generates the random cases of a row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "histogram_rows.h"

static const VkrMap maps[] = {
    {.weights = {0}, .bias = 0.0f, .function = VKR_MAP_NONE}, /* stands for no map */
    {.weights = {0.2126f, 0.7152f, 0.0722f, -1.0f}, .bias = 0.0f, .function = VKR_MAP_NONE},
    {.weights = {0.25f, 0.5f, 1.0f, 2.0f}, .bias = 0x1p-8f, .function = VKR_MAP_LOG2},
    {.weights = {1.0f, -1.0f, 0.0f, 3.0f}, .bias = -0.5f, .function = VKR_MAP_ABS}};

static uint32_t below(uint32_t bound)
{
    return random_below(&test.random, bound);
}

static bool is_gpu_range(const histogram_row *row)
{
    return row->choice == CHOICE_EVEN_GPU || row->choice == CHOICE_LOG2_GPU;
}

/* ---- Placement ---- */

static VkDeviceSize place(VkDeviceSize alignment, VkDeviceSize size)
{
    return arena_place(&test.arenas[ARENA_READ], &test.random, alignment, size);
}

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

/* An image whose read part has the case's columns, rows and layers. */
static void place_image(const histogram_case *c, VkrType type, uint32_t components, bool is_byte,
                        case_image *i)
{
    const uint32_t margin = is_byte ? 0 : below(3);
    image_request r = {.format = &image_formats[4], /* R8_UINT */
                       .view_type =
                           c->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                       .width = c->width + margin,
                       .height = c->height + margin,
                       .layers = c->layers,
                       .layout = VK_IMAGE_LAYOUT_GENERAL};
    assert_true(is_byte || choose_format(&r, type, components) != NULL);
    assert_true(image_create(&test.h, &r, &i->image));
    i->part = i->image.info;
    i->part.rectangle = (VkRect2D){{(int32_t)margin, (int32_t)margin}, {c->width, c->height}};
    i->texels = place(384, image_bytes(&r)); /* a multiple of every texel size */
    i->values = test.fetched_used;
    test.fetched_used += (c->capacity * components * 4 + 255) / 256 * 256;
    assert_true(test.fetched_used <= test.fetched.size);
}

static void place_elements(const histogram_row *row, histogram_case *c)
{
    const VkDeviceSize size = vkrTypeSize(row->type), packed = size * row->components;
    VkDeviceSize stride = packed;
    if (row->source == SOURCE_IMAGE) {
        place_image(c, row->type, row->components, false, &c->input);
        c->info.input = (VkrView){.components = row->components, .image = &c->input.part};
    } else {
        stride += row->source == SOURCE_STRIDED ? size * (1 + below(5)) : 0;
        c->info.input = (VkrView){.buffer = test.arenas[ARENA_READ].buffer.buffer,
                                  .offset = place(size, c->capacity * stride),
                                  .size = c->capacity * stride,
                                  .type = row->type,
                                  .components = row->components,
                                  .stride = row->source == SOURCE_PACKED ? 0 : stride};
    }
    c->map = maps[row->map];
    for (uint32_t i = row->components; i < VKR_MAX_COMPONENTS; i++)
        c->map.weights[i] = 0.0f;
    c->info.input.map = row->map != 0 ? &c->map : NULL;
}

static void place_mask(const histogram_row *row, histogram_case *c)
{
    static const VkrFlagFormat formats[] = {
        [CHOICE_U32] = VKR_FLAGS_U32, [CHOICE_U8] = VKR_FLAGS_U8, [CHOICE_BITS] = VKR_FLAGS_BITS};
    const VkDeviceSize size = row->mask == CHOICE_BITS  ? (c->capacity + 31) / 32 * 4
                              : row->mask == CHOICE_U32 ? c->capacity * 4
                                                        : c->capacity;
    if (row->mask == CHOICE_NO_MASK)
        return;
    if (row->mask == CHOICE_MASK_IMAGE) {
        place_image(c, VKR_TYPE_U32, 1, true, &c->mask);
        c->info.mask.image = &c->mask.part;
        return;
    }
    c->info.mask.flags =
        (VkrFlagView){.format = formats[row->mask],
                      .range = {test.arenas[ARENA_READ].buffer.buffer,
                                place(row->mask == CHOICE_U8 ? 1 : 4, size), size}};
}

static void place_weights(const histogram_row *row, histogram_case *c)
{
    static const VkrType of_images[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
    VkrType type = row->weight_type;
    const uint32_t components = row->weights == WEIGHTS_MAPPED ? 2 : 1;
    const VkDeviceSize size = vkrTypeSize(type), stride = size * (components + below(2) * 2);
    if (row->weights == WEIGHTS_NONE)
        return;
    if (row->weights == WEIGHTS_IMAGE) {
        type = of_images[below(ARRAY_SIZE(of_images))];
        place_image(c, type, 1, false, &c->weights);
        c->info.weights = (VkrView){.components = 1, .image = &c->weights.part};
    } else {
        c->info.weights = (VkrView){.buffer = test.arenas[ARENA_READ].buffer.buffer,
                                    .offset = place(size, c->capacity * stride),
                                    .size = c->capacity * stride,
                                    .type = type,
                                    .components = components,
                                    .stride = stride == size * components ? 0 : stride};
    }
    if (row->weights == WEIGHTS_MAPPED) {
        c->weight_map =
            (VkrMap){.weights = {0x1p-20f, -0x1p-25f}, .bias = 0.5f, .function = VKR_MAP_NONE};
        c->info.weights.map = &c->weight_map;
    }
    if (is_float(type) || row->weights == WEIGHTS_MAPPED)
        c->info.weightFraction = below(32);
}

static void place_bins(const histogram_row *row, histogram_case *c)
{
    static const VkrBinKind kinds[BINS_CHOICES] = {VKR_BINS_EVEN,     VKR_BINS_LOG2, VKR_BINS_EDGES,
                                                   VKR_BINS_INTEGERS, VKR_BINS_EVEN, VKR_BINS_LOG2};
    const VkBuffer buffer = test.arenas[ARENA_READ].buffer.buffer;
    const VkrType type = seen_type(c);
    const VkDeviceSize size = vkrTypeSize(type),
                       edges = edge_size(type) * (row->bins + (VkDeviceSize)1);
    c->info.bins = (VkrBins){.kind = kinds[row->choice], .count = row->bins};
    if (row->choice == CHOICE_EDGES)
        c->info.bins.edges = (VkrBufferRange){buffer, place(edge_size(type), edges), edges};
    c->reduces = is_gpu_range(row) && below(2) != 0;
    if (c->reduces)
        c->range = arena_place(&test.arenas[ARENA_RANGE], &test.random, 64, 256);
    else if (is_gpu_range(row))
        c->info.bins.gpuRange = (VkrGpuRange){buffer, place(size, size * VKR_MAX_COMPONENTS),
                                              place(size, size * VKR_MAX_COMPONENTS)};
}

static void place_case(const histogram_row *row, uint32_t k, histogram_case *c)
{
    static const uint32_t sizes[][2] = {{1, 1}, {37, 1}, {31, 17}, {211, 190}, {101, 1}, {127, 67}};
    const uint32_t *size = sizes[k % ARRAY_SIZE(sizes)];
    *c = (histogram_case){
        .width = size[0], .height = size[1], .layers = 1 + (k == 2 ? below(4) : 0)};
    c->capacity = (uint64_t)c->width * c->height * c->layers;
    c->count = below(4) != 0 ? c->capacity : below((uint32_t)c->capacity + 1);
    place_elements(row, c);
    place_mask(row, c);
    place_weights(row, c);
    c->info.label = "case";
    c->info.count = c->count == c->capacity && below(2) == 0 ? VKR_COUNT_ALL : c->count;
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        c->info.gpuCount =
            (VkrGpuCount){test.arenas[ARENA_READ].buffer.buffer, place(4, 8), row->gpu_count};
    c->info.countType = row->count_type;
    c->info.algorithm = row->algorithm;
    c->info.flags = row->flags;
    place_bins(row, c);
    place_outputs(c, row->outputs);
}

/* ---- Data ---- */

/* Replaces elements of buffers by edges and neighbouring numbers: all elements or half of them,
 * near many edges or one. */
static void move_to_edges(const histogram_row *row, histogram_case *c)
{
    const VkrView *view = &c->info.input;
    const uint32_t size = vkrTypeSize(seen_type(c));
    const VkDeviceSize stride = view->stride != 0 ? view->stride : size * row->components;
    const uint32_t n = row->bins, one = below(n + 1), few = below(3), all = below(2);
    for (uint32_t k = 0; k < row->components; k++) {
        oracle_bins *bins = make_bins(c, k);
        const bool there = !isnan(oracle_bins_edge(bins, 0));
        for (uint64_t i = 0; i < c->capacity && there; i++)
            if (all != 0 || below(2) == 0)
                oracle_bins_near(bins, few == 0 ? one : below(n + 1), (int)below(3) - 1,
                                 read_at(view->offset + i * stride + k * size));
        oracle_bins_free(bins);
    }
}

static void fill_elements(const histogram_row *row, histogram_case *c)
{
    static const distribution any[] = {DATA_RANDOM,   DATA_EXTREMES, DATA_BITS,      DATA_SOME_NAN,
                                       DATA_CONSTANT, DATA_INFINITE, DATA_SUBNORMAL, DATA_NAN};
    static const distribution ranged[] = {DATA_RANDOM,   DATA_INTEGRAL, DATA_CONSTANT,
                                          DATA_SOME_NAN, DATA_NAN,      DATA_INFINITE,
                                          DATA_ZEROS,    DATA_ASCENDING};
    const VkrView *view = &c->info.input;
    const uint32_t size = vkrTypeSize(row->type);
    const VkDeviceSize stride = view->stride != 0 ? view->stride : size * row->components;
    if (row->source == SOURCE_IMAGE) {
        image_fill(&c->input.image.request, &test.random, read_at(c->input.texels));
        return;
    }
    fill_data(&test.random,
              is_gpu_range(row) ? ranged[below(ARRAY_SIZE(ranged))] : any[below(ARRAY_SIZE(any))],
              row->type, row->components, read_at(view->offset), stride, c->capacity);
    /* For logarithmic bins the range is often positive. */
    const bool positive = row->choice == CHOICE_LOG2_GPU && row->map == 0 && below(4) != 0 &&
                          row->type != VKR_TYPE_U8 && row->type != VKR_TYPE_U16 &&
                          row->type != VKR_TYPE_U32 && row->type != VKR_TYPE_U64;
    for (uint64_t i = 0; positive && i < c->capacity * row->components; i++) {
        unsigned char *at =
            read_at(view->offset + i / row->components * stride + i % row->components * size);
        at[size - 1] &= 0x7f;
    }
}

static void fill_mask(const histogram_row *row, const histogram_case *c)
{
    const VkrBufferRange *range = &c->info.mask.flags.range;
    const bool is_image = row->mask == CHOICE_MASK_IMAGE;
    unsigned char *bytes = read_at(is_image ? c->mask.texels : range->offset);
    const uint32_t size = row->mask == CHOICE_U32 ? 4 : 1;
    if (row->mask == CHOICE_NO_MASK || row->mask == CHOICE_BITS)
        return; /* the arena already contains random bits */
    for (uint64_t i = 0; i < c->capacity; i++)
        if (i / 300 % 4 == 1 || below(2) == 0)
            memset(bytes + i * size, 0, size);
}

static void fill_weights(const histogram_row *row, const histogram_case *c)
{
    static const distribution kinds[] = {DATA_RANDOM, DATA_BITS, DATA_SOME_NAN, DATA_SUBNORMAL,
                                         DATA_INTEGRAL};
    const VkrView *view = &c->info.weights;
    if (row->weights == WEIGHTS_IMAGE)
        image_fill(&c->weights.image.request, &test.random, read_at(c->weights.texels));
    else if (row->weights != WEIGHTS_NONE)
        fill_data(&test.random, kinds[below(ARRAY_SIZE(kinds))], view->type, view->components,
                  read_at(view->offset),
                  view->stride != 0 ? view->stride : vkrTypeSize(view->type) * view->components,
                  c->capacity);
}

/* Bounds that no reduction computed: some are not a range, and some are equal. */
static void fill_range(const histogram_row *row, histogram_case *c)
{
    static const distribution kinds[] = {DATA_RANDOM, DATA_EXTREMES, DATA_INTEGRAL, DATA_BITS};
    const VkrGpuRange *range = &c->info.bins.gpuRange;
    const VkrType type = seen_type(c);
    const uint32_t size = vkrTypeSize(type), kind = below(ARRAY_SIZE(kinds));
    const VkDeviceSize places[] = {range->low, range->high};
    for (uint32_t i = 0; i < 2; i++)
        fill_data(&test.random, kinds[kind], type, 1, read_at(places[i]), size, VKR_MAX_COMPONENTS);
    const bool equal = below(2) == 0;
    const bool apart = !equal && is_float(type) && below(2) == 0;
    for (uint32_t k = 0; k < VKR_MAX_COMPONENTS; k++) {
        unsigned char *low = read_at(range->low + k * size),
                      *high = read_at(range->high + k * size);
        low[size - 1] |= apart ? 0x80 : 0;
        high[size - 1] &= apart ? 0x7f : 0xff;
        low[size - 1] &= equal && row->choice == CHOICE_LOG2_GPU ? 0x7f : 0xff;
        if (equal)
            memcpy(high, low, size);
    }
}

static void fill_case(const histogram_row *row, histogram_case *c)
{
    const VkrType type = seen_type(c);
    fill_elements(row, c);
    fill_mask(row, c);
    fill_weights(row, c);
    if (row->choice == CHOICE_EDGES)
        fill_edges(is_float(type) && vkrTypeSize(type) == 2 ? VKR_TYPE_F32 : type, row->bins,
                   read_at(c->info.bins.edges.offset));
    else if (!is_gpu_range(row))
        choose_bounds(row, c);
    else if (!c->reduces)
        fill_range(row, c);
    if (!c->reduces && row->source != SOURCE_IMAGE && row->map == 0 && below(3) != 0)
        move_to_edges(row, c);
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count =
            choose_count(&test.random, row->gpu_count, c->count, read_at(c->info.gpuCount.offset));
}

void run_histogram_row(const histogram_row *row)
{
    histogram_case cases[HISTOGRAM_CASES];
    const uint32_t count = row->bins > 1000 ? 4 : 6;
    start_cases();
    for (uint32_t k = 0; k < count; k++)
        place_case(row, k, &cases[k]);
    for (uint32_t i = 0; i < ARENAS; i++)
        arena_poison(&test.arenas[i], &test.random);
    for (uint32_t k = 0; k < count; k++)
        fill_case(row, &cases[k]);
    snprintf(test.text, sizeof test.text,
             "%s x %u, source %d, bins by %d: %u, flags %u, gpu count %d, map %u, mask %d, weights "
             "%d, %s, %s",
             vkrTypeName(row->type), row->components, (int)row->source, (int)row->choice, row->bins,
             row->flags, (int)row->gpu_count, row->map, (int)row->mask, (int)row->weights,
             vkrHistogramAlgorithmName(row->algorithm), limits_names[row->limits]);
    run_cases(row->limits, &row->tuning, cases, count);
}
