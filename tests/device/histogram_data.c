/* SPDX-License-Identifier: MIT */
/* Bounds, edges and elements of random histograms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram_request.h"
#include "oracle_exact.h"

/* ---- Integers ---- */

static bool is_signed(VkrType type)
{
    return type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 ||
           type == VKR_TYPE_I64;
}

static wide integer_at(VkrType type, const void *at)
{
    uint64_t bits = 0;
    const uint32_t size = vkrTypeSize(type);
    memcpy(&bits, at, size); /* little-endian */
    const bool negative = is_signed(type) && bits >> (8 * size - 1) != 0;
    return (wide)bits - (negative ? (wide)1 << 8 * size : 0);
}

static wide random_integer(test_request *t, VkrType type)
{
    uint64_t bits;
    fill_data(&t->random, test_below(t, 3) == 0 ? DATA_EXTREMES : DATA_BITS, type, 1, &bits,
              sizeof bits, 1);
    return integer_at(type, &bits);
}

/* An integer as a bound, which is the sum of a double and a 64-bit integer. */
static VkrBound bound_of(test_request *t, wide number)
{
    if (number > INT64_MAX)
        return (VkrBound){0x1p64, (int64_t)(number - ((wide)1 << 64))};
    if (number > -1000000 && number < 1000000 && test_below(t, 2) == 0)
        return (VkrBound){(double)(number - 7), 7};
    return (VkrBound){0, (int64_t)number};
}

static void choose_integers(test_request *t, VkrType type, bool positive, VkrBins *bins)
{
    const uint32_t bits = 8 * vkrTypeSize(type);
    const wide end = (wide)1 << (is_signed(type) ? bits - 1 : bits);
    const wide first = positive ? 1 : is_signed(type) ? -end : 0;
    wide low = random_integer(t, type), high = random_integer(t, type);
    low = low < first ? first : low;
    high = high < first ? first : high;
    switch (test_below(t, 5)) {
    case 0:
        low = first;
        high = end;
        break;
    case 1:
        low = positive ? 1 : 0;
        high = 256;
        break;
    case 2:
        high = low + 1 + test_below(t, 40);
        high = high < end ? high : end;
        break;
    default:
        break;
    }
    if (low > high) {
        const wide swapped = low;
        low = high;
        high = swapped;
    }
    bins->low = bound_of(t, low);
    bins->high = bound_of(t, low == high ? high + 1 : high);
}

/* ---- Floats ---- */

typedef struct interval {
    double low, high;
} interval;

static void choose_floats(test_request *t, VkrType type, bool positive, VkrBins *bins)
{
    static const interval any[] = {
        {0, 1},        {-1.5, 3.25},      {0.1, 0.7},          {-50, 50},
        {1, 1.0009},   {-65504, 65504},   {0, 0x1p-140},       {-0x1p-145, 1e-43},
        {-3e38, 3e38}, {-1e9, 1e9 + 0.1}, {-1.7e308, 1.7e308}, {0, 1e-310}};
    static const interval logarithmic[] = {{0x1p-10, 0x1p5}, {0.001, 1000},   {1, 2},        {3, 7},
                                           {0x1p-130, 1e38}, {1e-300, 1e300}, {0x1p-1070, 1}};
    const uint32_t wider = type == VKR_TYPE_F64 ? 0 : 2; /* of f64 only */
    const interval *r = positive ? &logarithmic[test_below(t, ARRAY_SIZE(logarithmic) - wider)]
                                 : &any[test_below(t, ARRAY_SIZE(any) - wider)];
    bins->low.value = r->low;
    bins->high.value = r->high;
}

void histogram_choose_bounds(test_request *t)
{
    histogram_request *h = t->own;
    VkrBins *bins = &h->info.bins;
    const VkrType type = histogram_type(h);
    if (bins->kind == VKR_BINS_INTEGERS)
        bins->low = bound_of(t, test_below(t, 2) == 0 ? 0 : random_integer(t, type));
    else if (is_float(type))
        choose_floats(t, type, bins->kind == VKR_BINS_LOG2, bins);
    else
        choose_integers(t, type, bins->kind == VKR_BINS_LOG2, bins);
}

/* ---- Edges ---- */

oracle_bins *histogram_bins(const histogram_request *h, uint32_t component)
{
    const VkrBins *bins = &h->info.bins;
    oracle_bins_info info = {.kind = bins->kind,
                             .count = bins->count,
                             .closed = (h->info.flags & VKR_HISTOGRAM_CLOSED_BIT) != 0,
                             .type = histogram_type(h),
                             .low = bins->low,
                             .high = bins->high};
    const VkDeviceSize at = (VkDeviceSize)component * vkrTypeSize(info.type);
    if (bins->edges.buffer != VK_NULL_HANDLE)
        info.edges = test_bytes(bins->edges.buffer, bins->edges.offset);
    if (bins->gpuRange.buffer != VK_NULL_HANDLE) {
        info.gpu_low = test_bytes(bins->gpuRange.buffer, bins->gpuRange.low + at);
        info.gpu_high = test_bytes(bins->gpuRange.buffer, bins->gpuRange.high + at);
    }
    oracle_bins *made = oracle_bins_make(&info);
    assert_non_null(made);
    return made;
}

static VkrType sorted_type;

static int compare(const void *a, const void *b)
{
    if (is_float(sorted_type)) {
        const double x = oracle_double(sorted_type, a), y = oracle_double(sorted_type, b);
        return (x > y) - (x < y);
    }
    const wide x = integer_at(sorted_type, a), y = integer_at(sorted_type, b);
    return (x > y) - (x < y);
}

/* Some edges are equal; floats can end with infinities. */
static void fill_edges(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrBins *bins = &h->info.bins;
    VkrType type = histogram_type(h);
    type = is_float(type) && vkrTypeSize(type) == 2 ? VKR_TYPE_F32 : type;
    const uint32_t size = vkrTypeSize(type), kind = test_below(t, 4);
    char *at = test_bytes(bins->edges.buffer, bins->edges.offset);
    fill_data(&t->random,
              kind == 0   ? DATA_INTEGRAL
              : kind == 1 ? DATA_EXTREMES
                          : DATA_RANDOM,
              type, 1, at, size, bins->count + (uint64_t)1);
    if (is_float(type) && test_below(t, 4) == 0) {
        oracle_encode(type, -(double)INFINITY, at);
        oracle_encode(type, (double)INFINITY, at + (size_t)bins->count * size);
    }
    sorted_type = type;
    qsort(at, bins->count + (size_t)1, size, compare);
}

/* Bounds that no reduction computed: some are not a range, and some are equal. */
static void fill_range(test_request *t)
{
    static const distribution kinds[] = {DATA_RANDOM, DATA_EXTREMES, DATA_INTEGRAL, DATA_BITS};
    const histogram_request *h = t->own;
    const VkrGpuRange *range = &h->info.bins.gpuRange;
    const VkrType type = histogram_type(h);
    const uint32_t size = vkrTypeSize(type), kind = test_below(t, ARRAY_SIZE(kinds));
    unsigned char *lows = test_bytes(range->buffer, range->low);
    unsigned char *highs = test_bytes(range->buffer, range->high);
    fill_data(&t->random, kinds[kind], type, 1, lows, size, VKR_MAX_COMPONENTS);
    fill_data(&t->random, kinds[kind], type, 1, highs, size, VKR_MAX_COMPONENTS);
    const bool equal = test_below(t, 2) == 0;
    const bool apart = !equal && is_float(type) && test_below(t, 2) == 0;
    for (uint32_t k = 0; k < VKR_MAX_COMPONENTS; k++) {
        unsigned char *low = lows + k * size, *high = highs + k * size;
        low[size - 1] |= apart ? 0x80 : 0;
        high[size - 1] &= apart ? 0x7f : 0xff;
        low[size - 1] &= equal && h->choice == CHOICE_LOG2_GPU ? 0x7f : 0xff;
        if (equal)
            memcpy(high, low, size);
    }
}

/* ---- Elements ---- */

static bool fills_range(const test_request *t)
{
    const histogram_request *h = t->own;
    const VkrGpuRange *range = &h->info.bins.gpuRange;
    return h->range.ops == 0 && range->buffer != VK_NULL_HANDLE &&
           test_fills(t, range->buffer, range->low);
}

/* Replaces elements of buffers by edges and neighbouring numbers: all elements or half of them,
 * near many edges or one. */
static void move_to_edges(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrView *view = &h->info.input;
    const uint32_t n = h->info.bins.count;
    const uint32_t one = test_below(t, n + 1), few = test_below(t, 3), all = test_below(t, 2);
    for (uint32_t k = 0; k < view->components; k++) {
        oracle_bins *bins = histogram_bins(h, k);
        const bool there = !isnan(oracle_bins_edge(bins, 0));
        for (uint64_t i = 0; i < h->capacity && there; i++)
            if (all != 0 || test_below(t, 2) == 0)
                oracle_bins_near(bins, few == 0 ? one : test_below(t, n + 1),
                                 (int)test_below(t, 3) - 1,
                                 (char *)histogram_element(view, i) + k * vkrTypeSize(view->type));
        oracle_bins_free(bins);
    }
}

static void fill_view(test_request *t, const VkrView *view, distribution data)
{
    const histogram_request *h = t->own;
    const VkDeviceSize packed = (VkDeviceSize)vkrTypeSize(view->type) * view->components;
    fill_data(&t->random, data, view->type, view->components, histogram_element(view, 0),
              view->stride != 0 ? view->stride : packed, h->capacity);
}

static void fill_elements(test_request *t)
{
    static const distribution any[] = {DATA_RANDOM,   DATA_EXTREMES, DATA_BITS,      DATA_SOME_NAN,
                                       DATA_CONSTANT, DATA_INFINITE, DATA_SUBNORMAL, DATA_NAN};
    static const distribution ranged[] = {DATA_RANDOM,   DATA_INTEGRAL, DATA_CONSTANT,
                                          DATA_SOME_NAN, DATA_NAN,      DATA_INFINITE,
                                          DATA_ZEROS,    DATA_ASCENDING};
    const histogram_request *h = t->own;
    const VkrView *view = &h->info.input;
    const uint32_t size = vkrTypeSize(view->type);
    const bool of_gpu = h->info.bins.gpuRange.buffer != VK_NULL_HANDLE;
    fill_view(t, view,
              of_gpu ? ranged[test_below(t, ARRAY_SIZE(ranged))]
                     : any[test_below(t, ARRAY_SIZE(any))]);
    /* For logarithmic bins the range is often positive. */
    const bool positive = h->choice == CHOICE_LOG2_GPU && view->map == NULL &&
                          test_below(t, 4) != 0 && (is_float(view->type) || is_signed(view->type));
    for (uint64_t i = 0; positive && i < h->capacity; i++)
        for (uint32_t k = 0; k < view->components; k++)
            ((unsigned char *)histogram_element(view, i))[(k + 1) * size - 1] &= 0x7f;
}

/* Clears flags, since those of random bits are set; bits are as they are. */
static void fill_mask(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrMask *mask = &h->info.mask;
    const VkrBufferRange *range = &mask->flags.range;
    const uint32_t size = mask->image == NULL && mask->flags.format == VKR_FLAGS_U32 ? 4 : 1;
    if (mask->image == NULL &&
        (range->buffer == VK_NULL_HANDLE || mask->flags.format == VKR_FLAGS_BITS ||
         !test_fills(t, range->buffer, range->offset)))
        return;
    unsigned char *flags = mask->image != NULL ? test_bytes(rig.given.buffer.buffer, h->mask.texels)
                                               : test_bytes(range->buffer, range->offset);
    for (uint64_t i = 0; i < h->capacity; i++)
        if (i / 300 % 4 == 1 || test_below(t, 2) == 0)
            memset(flags + i * size, 0, size);
}

static void fill_weights(test_request *t)
{
    static const distribution kinds[] = {DATA_RANDOM, DATA_BITS, DATA_SOME_NAN, DATA_SUBNORMAL,
                                         DATA_INTEGRAL};
    const histogram_request *h = t->own;
    const VkrView *view = &h->info.weights;
    if (view->buffer != VK_NULL_HANDLE && test_fills(t, view->buffer, view->offset))
        fill_view(t, view,
                  h->data == DATA_FULL_COUNTS ? DATA_EXTREMES
                                              : kinds[test_below(t, ARRAY_SIZE(kinds))]);
}

/* ---- Elements of fixed requests ---- */

/* Numbers next to each edge: up to `steps` before and after it. */
static void fill_near(test_request *t, int steps)
{
    const histogram_request *h = t->own;
    const uint32_t edges = h->info.bins.count + 1, kinds = 2 * (uint32_t)steps + 1;
    oracle_bins *bins = histogram_bins(h, 0);
    for (uint32_t i = 0; i < h->capacity; i++)
        oracle_bins_near(bins, i / kinds % edges, (int)(i % kinds) - steps,
                         histogram_element(&h->info.input, i));
    oracle_bins_free(bins);
}

/* Counts of 32 bits are all ones; others are near 2^32, or all ones. */
static void fill_counts(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrHistogramInfo *info = &h->info;
    unsigned char *counts = test_bytes(info->counts.buffer, info->counts.offset);
    memset(counts, 0xff, info->counts.size);
    for (uint32_t i = 0; info->countType == VKR_TYPE_U64 && i < info->counts.size / 8; i++) {
        const uint64_t start = UINT32_MAX - i;
        if (i % 3 != 2)
            memcpy(counts + 8 * (size_t)i, &start, 8);
    }
    for (uint32_t i = 0; i < h->capacity * info->input.components; i++) {
        const uint32_t element = i % 50 == 0 ? i % 4 : 1;
        memcpy((char *)histogram_element(&info->input, 0) + 4 * (size_t)i, &element, 4);
    }
    fill_weights(t);
}

void histogram_fill(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrView *view = &h->info.input;
    const bool fills = view->image == NULL && test_fills(t, view->buffer, view->offset);
    const bool knows = h->info.bins.gpuRange.buffer == VK_NULL_HANDLE || fills_range(t);
    if (h->data == DATA_UNSORTED_EDGES)
        return;
    if (h->data == DATA_FULL_COUNTS) {
        fill_counts(t);
        return;
    }
    if (h->data == DATA_AT_EQUAL)
        fill_data(&t->random, DATA_RANDOM, view->type, 1,
                  test_bytes(h->info.bins.gpuRange.buffer, h->info.bins.gpuRange.low),
                  vkrTypeSize(view->type), 1);
    if (h->data == DATA_AT_EDGES || h->data == DATA_AT_EQUAL) {
        fill_near(t, h->data == DATA_AT_EDGES ? 1 : 2);
        return;
    }
    if (h->choice == CHOICE_EDGES)
        fill_edges(t);
    else if (fills_range(t))
        fill_range(t);
    if (fills)
        fill_elements(t);
    fill_mask(t);
    fill_weights(t);
    if (fills && knows && view->map == NULL && test_below(t, 3) != 0)
        move_to_edges(t);
}
