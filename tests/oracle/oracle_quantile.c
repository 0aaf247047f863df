/* SPDX-License-Identifier: MIT */
#include "oracle_quantile.h"

#include <math.h>
#include <stddef.h>

#include "oracle_exact.h"

/* Shares and positions in a bin are in units of 2^-32. */
#define WHOLE ((uint64_t)1 << 32)

static u128 sum_of(const oracle_quantile_info *info)
{
    u128 sum = 0;
    for (uint32_t k = 0; k < info->bins; k++)
        sum += info->counts[k];
    return sum;
}

/* A share of all elements, in units of 2^-32 elements. */
static u128 part_of(const oracle_quantile_info *info, double share)
{
    return sum_of(info) * (uint64_t)nearbyint(ldexp(share, 32));
}

/* The number divided by 2^32, exactly: its last bit is 2^-1106 or more. */
static exact in_units(double number)
{
    int exponent;
    frexp(number, &exponent);
    exponent = exponent - 53 < -1074 ? -1074 : exponent - 53;
    return exact_make((u128)ldexp(fabs(number), -exponent), exponent - 32, number < 0);
}

static double between(double a, double b, uint64_t place, bool is_f64)
{
    if (isinf(a) || place == WHOLE)
        return b;
    if (isinf(b) || place == 0)
        return a;
    exact low = in_units(a), high = in_units(b);
    exact_scale(&low, (uint32_t)(WHOLE - place));
    exact_scale(&high, (uint32_t)place);
    exact_add(&low, &high);
    return exact_nearest(&low, 1, is_f64);
}

double oracle_quantile(const oracle_quantile_info *info, double share)
{
    const u128 part = part_of(info, share);
    u128 before = 0;
    uint32_t k = 0;
    if (sum_of(info) == 0)
        return (double)NAN;
    while ((before + info->counts[k]) * WHOLE < part)
        before += info->counts[k++];
    const uint64_t count = info->counts[k];
    const uint64_t place = count == 0 ? 0 : (uint64_t)((part - before * WHOLE) / count);
    /* A bin from -inf to inf has no value; its upper edge is used instead. */
    if (isinf(info->edges[k]) && isinf(info->edges[k + 1]))
        return info->edges[k + 1];
    if (isinf(info->edges[k + 1]))
        return info->edges[k];
    return between(info->edges[k], info->edges[k + 1], place, info->is_f64);
}

static u128 clamp(u128 a, u128 low, u128 high)
{
    return a < low ? low : a > high ? high : a;
}

double oracle_trimmed_mean(const oracle_quantile_info *info, const double trim[2])
{
    const u128 low = part_of(info, trim[0]), high = part_of(info, trim[1]);
    const int exponent = info->is_f64 ? 16 : 0; /* no sum of bin centres overflows */
    long double sum = 0, weights = 0;
    u128 start = 0;
    for (uint32_t k = 0; k < info->bins; k++) {
        const u128 end = start + info->counts[k] * (u128)WHOLE;
        const u128 from = clamp(start, low, high), to = clamp(end, low, high);
        const long double a = ldexpl(info->edges[k], -exponent);
        const long double b = ldexpl(info->edges[k + 1], -exponent);
        if (from < to) {
            const long double length = (long double)(end - start);
            const long double first = (long double)(from - start) / length;
            const long double last = (long double)(to - start) / length;
            sum += (long double)(to - from) * (a + (first + last) / 2 * (b - a));
            weights += (long double)(to - from);
        }
        start = end;
    }
    return weights == 0 ? (double)NAN : (double)ldexpl(sum / weights, exponent);
}

double oracle_trimmed_mean_error(const oracle_quantile_info *info)
{
    const double least = info->is_f64 ? 0x1p-1074 : 0x1p-149; /* a bound of the rounding error */
    return ldexp(fmax(fabs(info->edges[0]), fabs(info->edges[info->bins])), -20) + least;
}
