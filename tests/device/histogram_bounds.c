/* SPDX-License-Identifier: MIT */
/* Bounds and edges of random histograms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram_rows.h"
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

static wide random_integer(VkrType type)
{
    uint64_t bits;
    fill_data(&test.random, random_below(&test.random, 3) == 0 ? DATA_EXTREMES : DATA_BITS, type, 1,
              &bits, sizeof bits, 1);
    return integer_at(type, &bits);
}

/* An integer as a bound, which is the sum of a double and a 64-bit integer. */
static VkrBound bound_of(wide number)
{
    if (number > INT64_MAX)
        return (VkrBound){0x1p64, (int64_t)(number - ((wide)1 << 64))};
    if (number > -1000000 && number < 1000000 && random_below(&test.random, 2) == 0)
        return (VkrBound){(double)(number - 7), 7};
    return (VkrBound){0, (int64_t)number};
}

static void choose_integers(VkrType type, bool positive, VkrBins *bins)
{
    const uint32_t bits = 8 * vkrTypeSize(type);
    const wide end = (wide)1 << (is_signed(type) ? bits - 1 : bits);
    const wide first = positive ? 1 : is_signed(type) ? -end : 0;
    wide low = random_integer(type), high = random_integer(type);
    low = low < first ? first : low;
    high = high < first ? first : high;
    switch (random_below(&test.random, 5)) {
    case 0:
        low = first;
        high = end;
        break;
    case 1:
        low = positive ? 1 : 0;
        high = 256;
        break;
    case 2:
        high = low + 1 + random_below(&test.random, 40);
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
    bins->low = bound_of(low);
    bins->high = bound_of(low == high ? high + 1 : high);
}

/* ---- Floats ---- */

typedef struct range {
    double low, high;
} range;

static void choose_floats(VkrType type, bool positive, VkrBins *bins)
{
    static const range any[] = {
        {0, 1},        {-1.5, 3.25},      {0.1, 0.7},          {-50, 50},
        {1, 1.0009},   {-65504, 65504},   {0, 0x1p-140},       {-0x1p-145, 1e-43},
        {-3e38, 3e38}, {-1e9, 1e9 + 0.1}, {-1.7e308, 1.7e308}, {0, 1e-310}};
    static const range logarithmic[] = {{0x1p-10, 0x1p5}, {0.001, 1000},   {1, 2},        {3, 7},
                                        {0x1p-130, 1e38}, {1e-300, 1e300}, {0x1p-1070, 1}};
    const uint32_t wider = type == VKR_TYPE_F64 ? 0 : 2; /* of f64 only */
    const range *r = positive
                         ? &logarithmic[random_below(&test.random, ARRAY_SIZE(logarithmic) - wider)]
                         : &any[random_below(&test.random, ARRAY_SIZE(any) - wider)];
    bins->low.value = r->low;
    bins->high.value = r->high;
}

void choose_bounds(const histogram_row *row, histogram_case *c)
{
    VkrBins *bins = &c->info.bins;
    const VkrType type = seen_type(c);
    if (row->choice == CHOICE_INTEGERS)
        bins->low = bound_of(random_below(&test.random, 2) == 0 ? 0 : random_integer(type));
    else if (is_float(type))
        choose_floats(type, row->choice == CHOICE_LOG2, bins);
    else
        choose_integers(type, row->choice == CHOICE_LOG2, bins);
}

/* ---- Edges ---- */

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
void fill_edges(VkrType type, uint32_t n, void *at)
{
    const uint32_t size = vkrTypeSize(type);
    const uint32_t kind = random_below(&test.random, 4);
    fill_data(&test.random,
              kind == 0   ? DATA_INTEGRAL
              : kind == 1 ? DATA_EXTREMES
                          : DATA_RANDOM,
              type, 1, at, size, n + (uint64_t)1);
    if (is_float(type) && random_below(&test.random, 4) == 0) {
        oracle_encode(type, -(double)INFINITY, at);
        oracle_encode(type, (double)INFINITY, (char *)at + (size_t)n * size);
    }
    sorted_type = type;
    qsort(at, n + (size_t)1, size, compare);
}
