/* SPDX-License-Identifier: MIT */
/*
 * The footprint of a texel of a level: up to three by three texels of the level below, the weights
 * of their average, and how they are combined.
 */
#ifndef VKR_FOOTPRINT_GLSL
#define VKR_FOOTPRINT_GLSL

#include "texel.glsl"

/* 1 / m, correctly rounded however the driver divides; m is below 2^16. */
float vkr_reciprocal(const uint m)
{
    uint exponent = 23u + uint(findMSB(m)) + ((m & (m - 1u)) == 0u ? 0u : 1u);
    float scale = uintBitsToFloat((127u + exponent) << 23);
    uint digits = uint(scale / float(m));
    /* 2^exponent - digits * m, which is small, so its low word suffices. */
    int rest = int((exponent < 32u ? 1u << exponent : 0u) - digits * m);
    for (uint k = 0u; k < 4u; k++) {
        bool less = 2 * rest < -int(m);
        bool more = 2 * rest > int(m);
        digits = less ? digits - 1u : more ? digits + 1u : digits;
        rest = less ? rest + int(m) : more ? rest - int(m) : rest;
    }
    return float(digits) * uintBitsToFloat((127u - exponent) << 23);
}

/* A footprint in one direction, in a unit in which a texel below has the length `size`: the `count`
 * texels starting at `first`, and the interval that the texel covers, from `low` to `high`,
 * relative to the start of the first one. */
struct VkrFootprint {
    uint first;
    uint count; /* 1 to 3 */
    uint size;
    uint low;
    uint high;
    uint total; /* of the weights */
    float unit; /* 1 / total */
};

/* The footprint of texel i of n among m texels below. */
VkrFootprint vkr_footprint(const uint i, const uint n, const uint m)
{
    VkrFootprint f;
    const bool whole = m == n || m == 2u * n; /* all texels with a weight have the same weight */
    f.first = 2u * i;
    f.count = m - 2u * n + 2u;
    if (m < 2u * n) { /* n is m or a power of two */
        uint shift = uint(findMSB(n));
        f.first = m == n ? i : i * m >> shift;
        f.count = m == n ? 1u : ((i * m + m + n - 1u) >> shift) - f.first;
    }
    f.size = whole ? 1u : n;
    f.low = whole ? 0u : i * m - f.first * n;
    f.total = whole ? f.count : m;
    f.high = f.low + f.total;
    f.unit = VKR_AVERAGES && VKR_FLOATS ? vkr_reciprocal(f.total) : 0.0;
    return f;
}

/* The weight of texel k of a footprint. */
uint vkr_weight(const VkrFootprint f, const uint k)
{
    return min(f.high, (k + 1u) * f.size) - max(f.low, k * f.size);
}

/* That weight as a float, divided by the sum of the weights. */
float vkr_share_of(const VkrFootprint f, const uint k)
{
    precise float share = float(vkr_weight(f, k)) * f.unit;
    return share;
}

/* ---- Floats ---- */

float vkr_share(const float weight, const uint code)
{
    precise float product = weight * uintBitsToFloat(code);
    return vkr_flushed(product);
}

float vkr_plus(const float a, const float b)
{
    precise float sum = a + b;
    return vkr_flushed(sum);
}

vec4 vkr_share4(const float weight, const uvec4 codes)
{
    return vec4(vkr_share(weight, codes.x), vkr_share(weight, codes.y), vkr_share(weight, codes.z),
                vkr_share(weight, codes.w));
}

vec4 vkr_plus4(const vec4 a, const vec4 b)
{
    return vec4(vkr_plus(a.x, b.x), vkr_plus(a.y, b.y), vkr_plus(a.z, b.z), vkr_plus(a.w, b.w));
}

/* ---- Sums ---- */

/* For averages: the bits of floats; the low word of sums of 16-bit integers and their approximate
 * value; both words of other sums. */
struct VkrSum {
    uvec4 low;
    uvec4 high;
    vec4 about;
};

/* A texel, or the sum of a row, times a weight. */
VkrSum vkr_times(const VkrSum sum, const uint weight, const float share)
{
    VkrSum product = sum;
    if (VKR_FLOATS) {
        product.low = floatBitsToUint(vkr_share4(share, sum.low));
    } else if (VKR_NARROW) {
        product.about *= float(weight);
        product.low *= weight;
    } else {
        umulExtended(sum.low, uvec4(weight), product.high, product.low);
        product.high += sum.high * weight;
    }
    return product;
}

VkrSum vkr_plus_sum(VkrSum a, const VkrSum b)
{
    if (VKR_FLOATS) {
        a.low = floatBitsToUint(vkr_plus4(uintBitsToFloat(a.low), uintBitsToFloat(b.low)));
    } else if (VKR_NARROW) {
        a.about += b.about;
        a.low += b.low;
    } else {
        uvec4 carry;
        a.low = uaddCarry(a.low, b.low, carry);
        a.high += b.high + carry;
    }
    return a;
}

/* The identity: codes that change no others, or an empty sum. */
VkrSum vkr_nothing()
{
    return VkrSum(VKR_AVERAGES ? uvec4(0u) : uvec4(~0u), uvec4(0u), vec4(0.0));
}

VkrSum vkr_sum_of(const uvec4 codes)
{
    return VkrSum(codes, uvec4(0u), vec4(codes));
}

/* Adds the k-th texel of a footprint, or the combined texels of a row. */
VkrSum vkr_combine(VkrSum sum, const VkrSum more, const VkrFootprint f, const uint k)
{
    if (VKR_AVERAGES)
        return vkr_plus_sum(sum, vkr_times(more, vkr_weight(f, k), vkr_share_of(f, k)));
    sum.low = min(sum.low, more.low);
    return sum;
}

/* ---- Quotients ---- */

uvec4 vkr_half_up(const uvec4 quotient, const uvec4 rest, const uint divisor)
{
    uvec4 twice = 2u * rest + (quotient & 1u);
    return quotient + mix(uvec4(0u), uvec4(1u), greaterThan(twice, uvec4(divisor)));
}

/* Divides a sum of 16-bit integers; the divisor is below 2^30. */
uvec4 vkr_divide_narrow(const VkrSum sum, const uint divisor)
{
    uvec4 quotient = uvec4(sum.about / float(divisor));
    ivec4 rest = ivec4(sum.low - quotient * divisor);
    ivec4 off = mix(ivec4(0), ivec4(1), greaterThanEqual(rest, ivec4(divisor))) -
                mix(ivec4(0), ivec4(1), lessThan(rest, ivec4(0)));
    return vkr_half_up(quotient + uvec4(off), uvec4(rest - off * int(divisor)), divisor);
}

uvec4 vkr_divide_wide(const VkrSum sum, const uint divisor)
{
    uvec4 rest = sum.high;
    uvec4 quotient = uvec4(0u);
    for (uint i = 0u; i < 32u; i++) {
        rest = rest << 1 | (sum.low >> (31u - i) & 1u);
        uvec4 fits = mix(uvec4(0u), uvec4(1u), greaterThanEqual(rest, uvec4(divisor)));
        rest -= fits * divisor;
        quotient = quotient << 1 | fits;
    }
    return vkr_half_up(quotient, rest, divisor);
}

/* The codes of a sum whose weights have this total. */
uvec4 vkr_codes_of_sum(const VkrSum sum, const uint total)
{
    if (!VKR_AVERAGES || VKR_FLOATS)
        return sum.low;
    return VKR_NARROW ? vkr_divide_narrow(sum, total) : vkr_divide_wide(sum, total);
}

/* ---- Two by two texels ---- */

uvec4 vkr_average_of_four(const uvec4 a, const uvec4 b, const uvec4 c, const uvec4 d)
{
    if (VKR_NARROW)
        return uvec4(vkr_quarter(ivec4(a + b + c + d)));
    /* Quarters, and their remainders. */
    uvec4 rest = (a & 3u) + (b & 3u) + (c & 3u) + (d & 3u);
    uvec4 quarters = (a >> 2) + (b >> 2) + (c >> 2) + (d >> 2);
    uvec4 odd = (quarters + (rest >> 2)) & 1u;
    return quarters + ((rest + 1u + odd) >> 2);
}

/* Combines four texels of equal weight: a and b are neighbours in a row, and so are c and d. */
uvec4 vkr_combine_four(const uvec4 a, const uvec4 b, const uvec4 c, const uvec4 d)
{
    if (!VKR_AVERAGES)
        return min(min(a, b), min(c, d));
    if (!VKR_FLOATS)
        return vkr_average_of_four(a, b, c, d);
    vec4 first = vkr_plus4(vkr_share4(0.5, a), vkr_share4(0.5, b));
    vec4 second = vkr_plus4(vkr_share4(0.5, c), vkr_share4(0.5, d));
    return floatBitsToUint(vkr_plus4(vkr_share4(0.5, floatBitsToUint(first)),
                                     vkr_share4(0.5, floatBitsToUint(second))));
}

#if VKR_ELEMENT == VKR_CLASS_F32
/* Does the same for numbers of the levels' format, from 0 or -1 to 1, at less cost: the error of
 * the sum of four is far less than half a step, so no tie can occur when it is rounded to the
 * integer that it represents. */
ivec4 vkr_average_of_numbers(const vec4 a, const vec4 b, const vec4 c, const vec4 d)
{
    return vkr_quarter(ivec4(floor((a + b + c + d) * vec4(vkr_greatest()) + 0.5)));
}

vec4 vkr_extreme_of_numbers(const vec4 a, const vec4 b, const vec4 c, const vec4 d)
{
    return mix(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)),
               notEqual(VKR_FLIPS, uvec4(0u)));
}

vec4 vkr_combine_numbers(const vec4 a, const vec4 b, const vec4 c, const vec4 d)
{
    if (VKR_AVERAGES)
        return vec4(vkr_average_of_numbers(a, b, c, d)) * (1.0 / vec4(vkr_greatest()));
    return vkr_extreme_of_numbers(a, b, c, d);
}

uvec4 vkr_codes_of_numbers(const vec4 a, const vec4 b, const vec4 c, const vec4 d)
{
    if (VKR_AVERAGES)
        return uvec4(vkr_average_of_numbers(a, b, c, d)) + VKR_BIAS;
    return vkr_codes_of(vkr_extreme_of_numbers(a, b, c, d));
}
#endif

/* ---- Texels of a level ---- */

/* Returns a texel of the level below, by its position there; `from` says where a kernel reads
 * it. */
uvec4 vkr_below(const uint from, const uvec3 at);

/* Row by row. CPU drivers get one load, in loops that they do not unroll; other drivers get nine,
 * in loops that they unroll, and loads past the count are discarded. */
uvec4 vkr_combine_any(const uint from, const uvec3 first, const VkrFootprint x,
                      const VkrFootprint y)
{
    VkrSum sum = vkr_nothing();
    for (uint j = 0u; j < (VKR_ROLLED ? y.count : 3u); j++) {
        VkrSum row = vkr_nothing();
        for (uint k = 0u; k < (VKR_ROLLED ? x.count : 3u); k++) {
            uvec3 at = first + uvec3(min(k, x.count - 1u), min(j, y.count - 1u), 0u);
            VkrSum more = vkr_combine(row, vkr_sum_of(vkr_below(from, at)), x, k);
            if (VKR_ROLLED || k < x.count)
                row = more;
        }
        VkrSum more = vkr_combine(sum, row, y, j);
        if (VKR_ROLLED || j < y.count)
            sum = more;
    }
    return vkr_codes_of_sum(sum, x.total * y.total);
}

/* Texel `at` of a level of size `size`, from the level below of size `below`, whose first texel is
 * at `origin`. */
uvec4 vkr_codes_at(const uint from, const uvec2 at, const uvec2 size, const uvec2 below,
                   const uvec3 origin)
{
    VkrFootprint x = vkr_footprint(at.x, size.x, below.x);
    VkrFootprint y = vkr_footprint(at.y, size.y, below.y);
    uvec3 first = origin + uvec3(x.first, y.first, 0u);
    if (!VKR_HALVES)
        return vkr_combine_any(from, first, x, y);
    return vkr_combine_four(vkr_below(from, first), vkr_below(from, first + uvec3(1u, 0u, 0u)),
                            vkr_below(from, first + uvec3(0u, 1u, 0u)),
                            vkr_below(from, first + uvec3(1u, 1u, 0u)));
}

#endif
