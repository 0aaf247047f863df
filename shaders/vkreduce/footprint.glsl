/* SPDX-License-Identifier: MIT */
/*
 * What a texel of a level is made of: up to three by three texels of the level below, the weights of
 * their average, and how they are combined.
 */
#ifndef VKR_FOOTPRINT_GLSL
#define VKR_FOOTPRINT_GLSL

#include "texel.glsl"
#include "wide.glsl"

/* In one direction: texels first .. first + count. Weights are integers, with their sum. */
struct VkrFootprint {
    uint first;
    uint count; /* 1 to 3 */
    uvec3 weights;
    uint total;
};

/* Of texel i of n, from m below. */
VkrFootprint vkr_footprint(const uint i, const uint n, const uint m)
{
    VkrFootprint f;
    uint low = i * m;
    uint high = low + m;
    if (VKR_HALVES || m >= 2u * n) {
        f.first = 2u * i;
        f.count = m - 2u * n + 2u;
    } else if (m == n) {
        f.first = i;
        f.count = 1u;
    } else { /* n is a power of two */
        uint shift = uint(findMSB(n));
        f.first = low >> shift;
        f.count = ((high + n - 1u) >> shift) - f.first;
    }
    f.total = f.count;
    f.weights = uvec3(1u);
    if (!VKR_HALVES && m != n && m != 2u * n) {
        uvec3 start = (uvec3(f.first) + uvec3(0u, 1u, 2u)) * n;
        f.total = m;
        f.weights = min(uvec3(high), start + n) - max(uvec3(low), start);
    }
    return f;
}

/* 1 / m, correctly rounded whatever the driver makes of a division; m is below 2^16. */
float vkr_reciprocal(const uint m)
{
    uint exponent = 23u + uint(findMSB(m)) + ((m & (m - 1u)) == 0u ? 0u : 1u);
    float scale = uintBitsToFloat((127u + exponent) << 23);
    uint digits = uint(scale / float(m));
    /* 2^exponent - digits * m, which is small, so that its low word is all of it. */
    int rest = int((exponent < 32u ? 1u << exponent : 0u) - digits * m);
    for (uint k = 0u; k < 4u; k++) {
        bool less = 2 * rest < -int(m);
        bool more = 2 * rest > int(m);
        digits = less ? digits - 1u : more ? digits + 1u : digits;
        rest = less ? rest + int(m) : more ? rest - int(m) : rest;
    }
    return float(digits) * uintBitsToFloat((127u - exponent) << 23);
}

/* The weights of floats. */
vec3 vkr_shares(const VkrFootprint f)
{
    return f.total < 3u ? vec3(f.total == 1u ? 1.0 : 0.5)
                        : vec3(f.weights) * vkr_reciprocal(f.total);
}

/* ---- Sums of floats ---- */

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

/* a, b and c are next to each other; c counts if there are three, b if there are two. */
vec4 vkr_weigh(const uvec4 a, const uvec4 b, const uvec4 c, const vec3 shares, const uint count)
{
    vec4 sum = vkr_share4(shares.x, a);
    if (VKR_HALVES)
        return vkr_plus4(sum, vkr_share4(shares.y, b));
    vec4 two = vkr_plus4(sum, vkr_share4(shares.y, b));
    vec4 three = vkr_plus4(two, vkr_share4(shares.z, c));
    return count == 1u ? sum : count == 2u ? two : three;
}

/* ---- Sums of integers ---- */

uint vkr_half_up(const uint quotient, const uint rest, const uint divisor)
{
    bool odd = (quotient & 1u) != 0u;
    bool up = 2u * rest > divisor || (2u * rest == divisor && odd);
    return quotient + (up ? 1u : 0u);
}

/* A sum of integers of 16 bits by its low word, and about what it is. The divisor is below 2^30. */
uint vkr_divide_narrow(const uint low, const float about, const uint divisor)
{
    uint quotient = uint(about / float(divisor));
    int rest = int(low - quotient * divisor);
    bool less = rest < 0;
    bool more = rest >= int(divisor);
    quotient = less ? quotient - 1u : more ? quotient + 1u : quotient;
    rest = less ? rest + int(divisor) : more ? rest - int(divisor) : rest;
    return vkr_half_up(quotient, uint(rest), divisor);
}

uint vkr_divide_wide(const uvec2 sum, const uint divisor)
{
    uint rest = sum.y;
    uint quotient = 0u;
    for (uint i = 0u; i < 32u; i++) {
        rest = rest << 1 | (sum.x >> (31u - i) & 1u);
        bool fits = rest >= divisor;
        rest -= fits ? divisor : 0u;
        quotient = quotient << 1 | (fits ? 1u : 0u);
    }
    return vkr_half_up(quotient, rest, divisor);
}

uvec2 vkr_times(const uint a, const uint b)
{
    uvec2 product;
    umulExtended(a, b, product.y, product.x);
    return product;
}

/* The average of one channel of nine texels, of which those that do not count have no weight. */
uint vkr_average(const uint codes[9], const uint weights[9], const uint total)
{
    uint low = 0u;
    float about = 0.0;
    uvec2 sum = uvec2(0u);
    for (uint k = 0u; k < 9u; k++) {
        if (VKR_NARROW) {
            low += codes[k] * weights[k];
            about += float(codes[k]) * float(weights[k]);
        } else {
            sum = vkr_add(sum, vkr_times(codes[k], weights[k]));
        }
    }
    return VKR_NARROW ? vkr_divide_narrow(low, about, total) : vkr_divide_wide(sum, total);
}

/* The same of four texels with the same weight. */
uvec4 vkr_average_of_four(const uvec4 a, const uvec4 b, const uvec4 c, const uvec4 d)
{
    if (VKR_NARROW) {
        uvec4 sum = a + b + c + d;
        return (sum + 1u + (sum >> 2 & 1u)) >> 2;
    }
    /* Quarters, and what they leave. */
    uvec4 rest = (a & 3u) + (b & 3u) + (c & 3u) + (d & 3u);
    uvec4 quarters = (a >> 2) + (b >> 2) + (c >> 2) + (d >> 2);
    uvec4 odd = (quarters + (rest >> 2)) & 1u;
    return quarters + ((rest + 1u + odd) >> 2);
}

/* ---- Texels ---- */

/* Combines two by two texels with the same weight: those of a row next to each other. */
uvec4 vkr_combine_four(const uvec4 a, const uvec4 b, const uvec4 c, const uvec4 d)
{
    if (!VKR_AVERAGES)
        return min(min(a, b), min(c, d));
    if (!VKR_FLOATS)
        return vkr_average_of_four(a, b, c, d);
    const vec3 shares = vec3(0.5);
    return floatBitsToUint(
        vkr_weigh(floatBitsToUint(vkr_weigh(a, b, a, shares, 2u)),
                  floatBitsToUint(vkr_weigh(c, d, c, shares, 2u)), a, shares, 2u));
}

uvec4 vkr_average_integers(const uvec4 t[9], const VkrFootprint x, const VkrFootprint y)
{
    uint weights[9];
    uint codes[9];
    uvec4 result = uvec4(0u);
    uvec3 wx = mix(x.weights, uvec3(0u), greaterThanEqual(uvec3(0u, 1u, 2u), uvec3(x.count)));
    uvec3 wy = mix(y.weights, uvec3(0u), greaterThanEqual(uvec3(0u, 1u, 2u), uvec3(y.count)));
    for (uint k = 0u; k < 9u; k++)
        weights[k] = wx[k % 3u] * wy[k / 3u];
    for (uint c = 0u; c < VKR_CHANNELS; c++) {
        for (uint k = 0u; k < 9u; k++)
            codes[k] = t[k][c];
        result[c] = vkr_average(codes, weights, x.total * y.total);
    }
    return result;
}

/* Combines three rows of three texels, in which those past a footprint's count are any of it. */
uvec4 vkr_combine_nine(const uvec4 t[9], const VkrFootprint x, const VkrFootprint y)
{
    if (!VKR_AVERAGES)
        return min(min(min(min(t[0], t[1]), min(t[2], t[3])), min(min(t[4], t[5]), min(t[6], t[7]))),
                   t[8]);
    if (!VKR_FLOATS)
        return vkr_average_integers(t, x, y);
    vec3 shares = vkr_shares(x);
    uvec4 a = floatBitsToUint(vkr_weigh(t[0], t[1], t[2], shares, x.count));
    uvec4 b = floatBitsToUint(vkr_weigh(t[3], t[4], t[5], shares, x.count));
    uvec4 c = floatBitsToUint(vkr_weigh(t[6], t[7], t[8], shares, x.count));
    return floatBitsToUint(vkr_weigh(a, b, c, vkr_shares(y), y.count));
}

#endif
