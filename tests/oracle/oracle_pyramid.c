/* SPDX-License-Identifier: MIT */
#include "oracle_pyramid.h"

#include <math.h>
#include <string.h>

#define QUIET_NAN 0x7fc00000u

static float to_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint32_t to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint32_t fraction_of(uint32_t bits)
{
    return bits == 32 ? 23 : bits == 16 ? 10 : bits == 11 ? 6 : 5;
}

/* ---- Rounding ---- */

static uint32_t round_float(uint32_t bits, uint32_t value)
{
    const double number = to_float(value);
    const int fraction = (int)fraction_of(bits);
    if (bits < 16 && (isnan(number) || signbit(number)))
        return 0;
    if (isnan(number))
        return QUIET_NAN;
    if (bits == 32)
        return value;
    if (number == 0 || isinf(number))
        return value;
    const int exponent = ilogb(number) < -14 ? -14 : ilogb(number);
    const double rounded =
        ldexp(nearbyint(ldexp(number, fraction - exponent)), exponent - fraction);
    return to_bits((float)(fabs(rounded) < 65536 ? rounded : copysign(INFINITY, number)));
}

static int64_t greatest(const oracle_pyramid *p, uint32_t channel)
{
    const bool is_signed = p->stored == ORACLE_SNORM || p->stored == ORACLE_SINT;
    return ((int64_t)1 << (p->bits[channel] - (is_signed ? 1 : 0))) - 1;
}

static int64_t smallest(const oracle_pyramid *p, uint32_t channel)
{
    return p->stored == ORACLE_SNORM  ? -greatest(p, channel)
           : p->stored == ORACLE_SINT ? -greatest(p, channel) - 1
                                      : 0;
}

static int64_t to_integer(const oracle_pyramid *p, uint32_t number)
{
    return p->stored == ORACLE_SNORM || p->stored == ORACLE_SINT ? (int32_t)number
                                                                 : (int64_t)number;
}

static uint32_t number_of_fetched(const oracle_pyramid *p, uint32_t channel, uint32_t fetched)
{
    const int64_t most = greatest(p, channel), least = smallest(p, channel);
    if (p->stored == ORACLE_FLOAT)
        return fetched;
    const bool normalised = p->stored == ORACLE_UNORM || p->stored == ORACLE_SNORM;
    const int64_t value =
        normalised ? (int64_t)nearbyintf(to_float(fetched) * (float)most) : to_integer(p, fetched);
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

void oracle_pyramid_source(const oracle_pyramid *p, const uint32_t *fetched, oracle_level *source)
{
    const bool pair = p->ops == (VKR_OP_MIN | VKR_OP_MAX);
    const uint32_t channels = pair ? p->channels / 2 : p->channels;
    for (uint64_t i = 0; i < (uint64_t)source->width * source->height; i++)
        for (uint32_t c = 0; c < p->channels; c++)
            source->texels[i * p->channels + c] =
                number_of_fetched(p, c, fetched[i * channels + c % channels]);
}

/* ---- A texel ---- */

/* The weight of texel j of m in texel i of n; the weights of a texel i add up to m. */
static uint64_t share_of(uint64_t i, uint64_t n, uint64_t j, uint64_t m)
{
    const uint64_t low = i * m > j * n ? i * m : j * n;
    const uint64_t high = (i + 1) * m < (j + 1) * n ? (i + 1) * m : (j + 1) * n;
    return high > low ? high - low : 0;
}

typedef struct span {
    uint32_t first, end;
} span;

static span covered(uint64_t i, uint64_t n, uint64_t m)
{
    return (span){(uint32_t)(i * m / n), (uint32_t)(((i + 1) * m + n - 1) / n)};
}

static bool less(const oracle_pyramid *p, uint32_t a, uint32_t b)
{
    if (p->stored != ORACLE_FLOAT)
        return to_integer(p, a) < to_integer(p, b);
    const float x = to_float(a), y = to_float(b);
    return x < y || (x == y && signbit(x) != 0 && signbit(y) == 0);
}

static uint32_t extreme(const oracle_pyramid *p, bool maximum, uint32_t a, uint32_t b)
{
    if (p->stored == ORACLE_FLOAT && isnan(to_float(a)))
        return b;
    if (p->stored == ORACLE_FLOAT && isnan(to_float(b)))
        return a;
    return less(p, a, b) != maximum ? a : b;
}

static float flush(const oracle_pyramid *p, float value)
{
    return p->bits[0] == 32 && fabsf(value) <= 0x1p-126f ? 0.f : value;
}

static float weight_of(uint64_t share, uint64_t n, uint64_t m)
{
    const float reciprocal = 1.f / (float)m;
    return m == n ? 1.f : m == 2 * n ? 0.5f : (float)share * reciprocal;
}

/* Adds `count` weighted numbers in order. */
static float sum_up(const oracle_pyramid *p, const float *values, const float *weights,
                    uint32_t count)
{
    float sum = flush(p, weights[0] * values[0]);
    for (uint32_t k = 1; k < count; k++)
        sum = flush(p, sum + flush(p, weights[k] * values[k]));
    return sum;
}

typedef struct footprint {
    const oracle_level *below;
    uint32_t channel, width, height; /* position of the texel in its level */
    uint32_t i, k;                   /* its texel */
    span x, y;
} footprint;

static uint32_t texel_below(const oracle_pyramid *p, const footprint *f, uint32_t x, uint32_t y)
{
    return f->below->texels[((uint64_t)y * f->below->width + x) * p->channels + f->channel];
}

static uint32_t average_floats(const oracle_pyramid *p, const footprint *f)
{
    float rows[3], values[3], weights[3];
    for (uint32_t y = f->y.first; y < f->y.end; y++) {
        for (uint32_t x = f->x.first; x < f->x.end; x++) {
            values[x - f->x.first] = flush(p, to_float(texel_below(p, f, x, y)));
            weights[x - f->x.first] =
                weight_of(share_of(f->i, f->width, x, f->below->width), f->width, f->below->width);
        }
        rows[y - f->y.first] = sum_up(p, values, weights, f->x.end - f->x.first);
    }
    for (uint32_t y = f->y.first; y < f->y.end; y++)
        weights[y - f->y.first] =
            weight_of(share_of(f->k, f->height, y, f->below->height), f->height, f->below->height);
    const uint32_t number =
        round_float(p->bits[f->channel], to_bits(sum_up(p, rows, weights, f->y.end - f->y.first)));
    return number == 0x80000000u ? 0 : number;
}

static uint32_t average_integers(const oracle_pyramid *p, const footprint *f)
{
    const uint64_t all = (uint64_t)f->below->width * f->below->height;
    const int64_t least = smallest(p, f->channel);
    uint64_t sum = 0;
    for (uint32_t y = f->y.first; y < f->y.end; y++)
        for (uint32_t x = f->x.first; x < f->x.end; x++)
            sum += (uint64_t)(to_integer(p, texel_below(p, f, x, y)) - least) *
                   share_of(f->i, f->width, x, f->below->width) *
                   share_of(f->k, f->height, y, f->below->height);
    const uint64_t quotient = sum / all, rest = sum % all;
    int64_t result = (int64_t)quotient + least;
    if (rest > all - rest || (rest == all - rest && result % 2 != 0))
        result++;
    return (uint32_t)result;
}

static uint32_t find_extreme(const oracle_pyramid *p, const footprint *f)
{
    const bool pair = p->ops == (VKR_OP_MIN | VKR_OP_MAX);
    const bool maximum = p->ops == VKR_OP_MAX || (pair && f->channel >= p->channels / 2);
    uint32_t found = texel_below(p, f, f->x.first, f->y.first);
    for (uint32_t y = f->y.first; y < f->y.end; y++)
        for (uint32_t x = f->x.first; x < f->x.end; x++)
            found = extreme(p, maximum, found, texel_below(p, f, x, y));
    return p->stored == ORACLE_FLOAT ? round_float(p->bits[f->channel], found) : found;
}

void oracle_pyramid_level(const oracle_pyramid *p, const oracle_level *below, oracle_level *level)
{
    footprint f = {.below = below, .width = level->width, .height = level->height};
    uint32_t *texel = level->texels;
    for (f.k = 0; f.k < level->height; f.k++) {
        f.y = covered(f.k, level->height, below->height);
        for (f.i = 0; f.i < level->width; f.i++) {
            f.x = covered(f.i, level->width, below->width);
            for (f.channel = 0; f.channel < p->channels; f.channel++)
                *texel++ = p->ops != VKR_OP_MEAN       ? find_extreme(p, &f)
                           : p->stored == ORACLE_FLOAT ? average_floats(p, &f)
                                                       : average_integers(p, &f);
        }
    }
}

/* ---- Stored numbers ---- */

static uint32_t number_of_float(uint32_t size, uint32_t bits)
{
    const uint32_t fraction = fraction_of(size);
    const uint32_t low = bits & ((1u << fraction) - 1), exponent = bits >> fraction & 31;
    const float sign = size == 16 && bits >> 15 != 0 ? -1.f : 1.f;
    if (size == 32)
        return bits;
    if (exponent == 31)
        return low != 0 ? QUIET_NAN : to_bits(sign * INFINITY);
    const float value =
        exponent == 0 ? ldexpf((float)low, -14 - (int)fraction)
                      : ldexpf((float)(low | 1u << fraction), (int)exponent - 15 - (int)fraction);
    return to_bits(sign * value);
}

uint32_t oracle_pyramid_number(const oracle_pyramid *p, uint32_t channel, uint32_t bits)
{
    const uint32_t size = p->bits[channel];
    if (p->stored == ORACLE_FLOAT)
        return number_of_float(size, bits);
    const bool is_signed = p->stored == ORACLE_SNORM || p->stored == ORACLE_SINT;
    if (!is_signed || size == 32 || bits >> (size - 1) == 0)
        return bits;
    const int64_t value = (int64_t)bits - ((int64_t)1 << size);
    /* SNORM has two bit patterns for -1. */
    return (uint32_t)(value < smallest(p, channel) ? smallest(p, channel) : value);
}

bool oracle_pyramid_same(const oracle_pyramid *p, uint32_t channel, uint32_t a, uint32_t b)
{
    if (p->stored == ORACLE_FLOAT && p->bits[channel] < 32 && isnan(to_float(a)))
        return isnan(to_float(b));
    return a == b;
}
