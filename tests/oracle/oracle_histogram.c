/* SPDX-License-Identifier: MIT */
#include "oracle_histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_exact.h"

struct oracle_bins {
    oracle_bins_info info;
    bool is_float, none;
    double *edges; /* as in the output; for floats also those that comparisons use */
    /* For integers, in halves: the bounds of even bins, and all edges of other bins. */
    wide low, high, *limits;
};

static int64_t logarithm(const oracle_bins *b, double number, wide halves)
{
    int exponent;
    const double part = frexp(number, &exponent);
    return b->is_float ? exact_log2((u128)(uint64_t)ldexp(part, 53), exponent - 53)
                       : exact_log2((u128)halves, -1);
}

static wide halves_up(uint64_t power, int64_t exponent)
{
    const int64_t shift = exponent - 62;
    if (shift >= 0)
        return ((wide)power << shift) * 2;
    const wide unit = (wide)1 << -shift;
    return (power + unit - 1) / unit * 2;
}

/* ---- Edges ---- */

static uint32_t size_of(VkrType type)
{
    static const uint32_t sizes[VKR_TYPE_COUNT] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 2};
    return sizes[type];
}

static bool is_wide(VkrType type)
{
    return size_of(type) == 8;
}

static wide integer_of(VkrType type, const void *value)
{
    uint64_t bits = 0;
    const uint32_t size = size_of(type);
    memcpy(&bits, value, size); /* little-endian */
    const bool is_signed =
        type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 || type == VKR_TYPE_I64;
    const bool negative = is_signed && bits >> (8 * size - 1) != 0;
    return (wide)bits - (negative ? (wide)1 << 8 * size : 0);
}

double oracle_double(VkrType type, const void *value)
{
    uint16_t bits;
    float f32;
    double f64;
    if (type == VKR_TYPE_F64) {
        memcpy(&f64, value, sizeof f64);
        return f64;
    }
    if (type == VKR_TYPE_F32) {
        memcpy(&f32, value, sizeof f32);
        return (double)f32;
    }
    memcpy(&bits, value, sizeof bits);
    if (type == VKR_TYPE_BF16) {
        const uint32_t word = (uint32_t)bits << 16;
        memcpy(&f32, &word, sizeof f32);
        return (double)f32;
    }
    const int exponent = bits >> 10 & 31, rest = bits & 1023;
    const double magnitude = exponent == 31  ? (rest != 0 ? (double)NAN : (double)INFINITY)
                             : exponent == 0 ? ldexp(rest, -24)
                                             : ldexp(rest + 1024, exponent - 25);
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

void oracle_encode(VkrType type, double number, void *value)
{
    const float f32 = (float)number;
    if (type == VKR_TYPE_F64) {
        memcpy(value, &number, sizeof number);
    } else if (type == VKR_TYPE_F32) {
        memcpy(value, &f32, sizeof f32);
    } else {
        /* The order of magnitudes is the order of their bits. */
        const uint16_t infinity = type == VKR_TYPE_BF16 ? 0x7f80 : 0x7c00;
        uint16_t bits = 0;
        const double magnitude = fabs(number);
        for (uint16_t bit = 0x4000; bit != 0; bit >>= 1) {
            const uint16_t next = bits | bit;
            bits = next <= infinity && oracle_double(type, &next) <= magnitude ? next : bits;
        }
        const uint16_t above = (uint16_t)(bits + (bits < infinity ? 1 : 0));
        const double beyond = type == VKR_TYPE_BF16 ? 0x1p128 : 0x1p16;
        const double greatest = above == infinity ? beyond : oracle_double(type, &above);
        const double down = magnitude - oracle_double(type, &bits), up = greatest - magnitude;
        bits = bits < infinity && (down > up || (down == up && bits % 2 != 0)) ? above : bits;
        bits = isnan(number) ? infinity | infinity >> 1 : bits;
        bits |= signbit(number) ? 0x8000 : 0;
        memcpy(value, &bits, sizeof bits);
    }
}

/* The GPU's range if there is one, otherwise the host's. */
static void find_range(oracle_bins *b, double *low, double *high)
{
    const oracle_bins_info *info = &b->info;
    const bool logarithmic = info->kind == VKR_BINS_LOG2;
    *low = info->low.value;
    *high = info->high.value;
    if (!b->is_float) {
        b->low = 2 * ((wide)info->low.value + info->low.integer);
        b->high = 2 * ((wide)info->high.value + info->high.integer);
    }
    if (info->gpu_low == NULL)
        return;
    b->info.closed = true;
    if (b->is_float) {
        *low = oracle_double(info->type, info->gpu_low);
        *high = oracle_double(info->type, info->gpu_high);
        if (*low == *high) {
            const VkrType to = info->type == VKR_TYPE_F64 ? VKR_TYPE_F64 : VKR_TYPE_F32;
            double rounded[2] = {logarithmic ? *low / 2 : *low - 0.5,
                                 logarithmic ? *low * 2 : *low + 0.5};
            for (int i = 0; i < 2 && to == VKR_TYPE_F32; i++)
                rounded[i] = (double)(float)rounded[i];
            *low = rounded[0];
            *high = rounded[1];
        }
        b->none = !isfinite(*low) || !isfinite(*high) || *low > *high || (logarithmic && *low <= 0);
        return;
    }
    b->low = 2 * integer_of(info->type, info->gpu_low);
    b->high = 2 * integer_of(info->type, info->gpu_high);
    b->none = b->low > b->high || (logarithmic && b->low <= 0);
    if (b->low == b->high) {
        b->high = logarithmic ? 2 * b->low : b->low + 1;
        b->low = logarithmic ? b->low / 2 : b->low - 1;
    }
}

static void make_even(oracle_bins *b, double low, double high)
{
    const uint32_t n = b->info.count;
    exact at = b->is_float ? exact_of_double(low) : exact_of_halves(b->low);
    exact step = b->is_float ? exact_of_double(high) : exact_of_halves(b->high), negative = at;
    exact_negate(&negative);
    exact_add(&step, &negative);
    exact_scale(&at, n);
    for (uint32_t k = 0; k <= n; k++) {
        b->edges[k] = exact_nearest(&at, n, is_wide(b->info.type));
        exact_add(&at, &step);
    }
}

static void make_logarithmic(oracle_bins *b, double low, double high)
{
    const uint32_t n = b->info.count;
    const int64_t from = logarithm(b, low, b->low), to = logarithm(b, high, b->high);
    for (uint32_t k = 0; k <= n; k++) {
        const int64_t q = from + exact_floor((wide)k * (to - from), n);
        const int64_t whole = exact_floor(q, INT64_C(1) << EXACT_FRACTION);
        const bool is_bound = k == 0 || k == n;
        exact edge;
        if (b->is_float)
            edge = is_bound ? exact_of_double(k == 0 ? low : high)
                            : exact_make(exact_power(q), (int)whole - 62, false);
        else {
            /* Half of an odd number is rounded up, like all edges of integers. */
            const wide first = b->low + (b->low & 1);
            b->limits[k] = k == 0 ? first : k == n ? b->high : halves_up(exact_power(q), whole);
            edge = exact_of_halves(b->limits[k]);
        }
        b->edges[k] = exact_nearest(&edge, 1, is_wide(b->info.type));
    }
}

static void make_others(oracle_bins *b)
{
    const oracle_bins_info *info = &b->info;
    const VkrType type = !b->is_float                 ? info->type
                         : info->type == VKR_TYPE_F64 ? VKR_TYPE_F64
                                                      : VKR_TYPE_F32;
    for (uint32_t k = 0; k <= info->count; k++) {
        const char *given = (const char *)info->edges + (size_t)k * size_of(type);
        if (b->is_float) {
            b->edges[k] = oracle_double(type, given);
            continue;
        }
        b->limits[k] =
            info->kind == VKR_BINS_EDGES ? 2 * integer_of(type, given) : b->low + 2 * (wide)k;
        const exact edge = exact_of_halves(b->limits[k]);
        b->edges[k] = exact_nearest(&edge, 1, is_wide(type));
    }
}

oracle_bins *oracle_bins_make(const oracle_bins_info *info)
{
    double low, high;
    oracle_bins *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->info = *info;
    b->is_float = info->type >= VKR_TYPE_F16;
    b->edges = malloc((info->count + (size_t)1) * sizeof *b->edges);
    b->limits = malloc((info->count + (size_t)1) * sizeof *b->limits);
    if (b->edges == NULL || b->limits == NULL) {
        oracle_bins_free(b);
        return NULL;
    }
    find_range(b, &low, &high);
    if (b->none)
        return b;
    if (info->kind == VKR_BINS_EVEN)
        make_even(b, low, high);
    else if (info->kind == VKR_BINS_LOG2)
        make_logarithmic(b, low, high);
    else
        make_others(b);
    return b;
}

void oracle_bins_free(oracle_bins *b)
{
    if (b == NULL)
        return;
    free(b->edges);
    free(b->limits);
    free(b);
}

double oracle_bins_edge(const oracle_bins *b, uint32_t k)
{
    return b->none ? (double)NAN : b->edges[k];
}

/* ---- Elements ---- */

/* Whether edge k is less than or equal to a value; sets `equal` if they are equal. */
static bool reaches(const oracle_bins *b, uint32_t k, double number, wide halves, bool *equal)
{
    *equal = b->is_float ? b->edges[k] == number : b->limits[k] == halves;
    return b->is_float ? b->edges[k] <= number : b->limits[k] <= halves;
}

uint32_t oracle_bins_find(const oracle_bins *b, const void *value)
{
    const uint32_t n = b->info.count, below = n, above = n + 1;
    const double number = b->is_float ? oracle_double(b->info.type, value) : 0;
    const wide halves = b->is_float ? 0 : 2 * integer_of(b->info.type, value);
    bool equal;
    if (isnan(number))
        return n + 2;
    if (b->none)
        return above;
    if (!b->is_float && b->info.kind == VKR_BINS_EVEN) {
        if (halves < b->low)
            return below;
        if (halves < b->high)
            return (uint32_t)((halves - b->low) * n / (b->high - b->low));
        return halves == b->high && b->info.closed ? n - 1 : above;
    }
    if (!reaches(b, 0, number, halves, &equal))
        return below;
    if (reaches(b, n, number, halves, &equal))
        return equal && b->info.closed ? n - 1 : above;
    uint32_t first = 0, end = n; /* the value reaches edge `first`, but not edge `end` */
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        if (reaches(b, middle, number, halves, &equal))
            first = middle;
        else
            end = middle;
    }
    return first;
}

/* A float's bits as an integer with the same order; both zeros have the same one. */
static int64_t key_of(VkrType type, const void *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, size_of(type));
    const uint64_t sign = UINT64_C(1) << (8 * size_of(type) - 1);
    return (bits & sign) != 0 ? -(int64_t)(bits & ~sign) : (int64_t)bits;
}

static void near_float(const oracle_bins *b, uint32_t k, int step, void *value)
{
    const VkrType type = b->info.type;
    const uint32_t size = size_of(type);
    unsigned char infinity[8];
    oracle_encode(type, b->edges[k], value);
    int64_t key = key_of(type, value);
    key += (oracle_double(type, value) < b->edges[k] ? 1 : 0) + step;
    oracle_encode(type, (double)INFINITY, infinity);
    const int64_t last = key_of(type, infinity);
    key = key > last ? last : key < -last ? -last : key;
    const uint64_t bits = key < 0 ? (uint64_t)-key | UINT64_C(1) << (8 * size - 1) : (uint64_t)key;
    memcpy(value, &bits, size);
}

static wide rounded_up(wide a, wide by)
{
    return a / by + (a % by > 0 ? 1 : 0);
}

void oracle_bins_near(const oracle_bins *b, uint32_t k, int step, void *value)
{
    const wide n = b->info.count;
    const uint32_t size = size_of(b->info.type);
    if (b->is_float) {
        near_float(b, k, step, value);
        return;
    }
    const wide edge = b->info.kind == VKR_BINS_EVEN
                          ? rounded_up(b->low * n + (b->high - b->low) * k, 2 * n)
                          : rounded_up(b->limits[k], 2);
    const uint64_t ones = UINT64_MAX >> (64 - 8 * size), top = UINT64_C(1) << (8 * size - 1);
    const bool is_signed = integer_of(b->info.type, &ones) < 0;
    const wide first = is_signed ? -(wide)top : 0;
    const wide last = is_signed ? (wide)top - 1 : (wide)ones, near = edge + step;
    const uint64_t bits = (uint64_t)(near < first ? first : near > last ? last : near);
    memcpy(value, &bits, size); /* little-endian */
}

uint64_t oracle_weight(VkrType type, uint32_t fraction, const void *weight)
{
    if (type < VKR_TYPE_F16)
        return (uint64_t)integer_of(type, weight);
    const double number = oracle_double(type, weight);
    if (isnan(number) || (type != VKR_TYPE_F16 && fabs(number) < 0x1p-126))
        return 0;
    const double whole = nearbyint(ldexp(number, (int)fraction));
    const double above = fmax(whole, -0x1p31);
    return (uint64_t)(int64_t)fmin(above, 0x1p31 - 128);
}
