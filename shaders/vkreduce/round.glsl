/* SPDX-License-Identifier: MIT */
/*
 * A correctly rounded division and square root, in integers, so that every device gives the same
 * bits, even if its driver does not divide correctly. Numbers are integers of up to 192 bits times
 * a power of two. Each call has a constant that says whether a number can have more than 64 bits,
 * so a short one costs nothing extra. Results are bits of f32 or f64, rounded to nearest, ties to
 * even. A result that is too great becomes infinity; one below the smallest normal number becomes
 * +0.
 */
#ifndef VKR_ROUND_GLSL
#define VKR_ROUND_GLSL

#include "wide.glsl"

/* The size of results that are real numbers. */
#if VKR_BYTES == 8 || (VKR_IS_FLOAT && VKR_WIDE == 1)
#define VKR_REAL_IS_F64 1
#define VKR_REAL_BYTES 8u
#else
#define VKR_REAL_IS_F64 0
#define VKR_REAL_BYTES 4u
#endif
#define VKR_REAL_PRECISION (VKR_REAL_BYTES == 8u ? 53u : 24u)

/* (m 2^128 + below 2^64 + last) 2^(e - 128), where `below` and `last` are 0 in short numbers, as in
 * all that come from floats. */
struct VkrScaled {
    uvec2 m;
    int e;
#if !VKR_IS_FLOAT
    uvec2 below, last;
#endif
};
#if VKR_IS_FLOAT
#define VKR_SHORT(m, e) VkrScaled(m, e)
#define VKR_BELOW(a) uvec2(0u)
#define VKR_LAST(a) uvec2(0u)
#else
#define VKR_SHORT(m, e) VkrScaled(m, e, uvec2(0u), uvec2(0u))
#define VKR_BELOW(a) (a).below
#define VKR_LAST(a) (a).last
#endif

/* a 2^shift, modulo 2^64, with the upper bits of `below` shifted in; 0 < shift < 32. */
uvec2 vkr_shift(const uvec2 a, const uint below, const uint shift)
{
    return a << shift | uvec2(below, a.x) >> (32u - shift);
}

/* Shifts a number left until its top bit is set, or, with an even shift, one of its top two bits;
 * unless it is 0. */
VkrScaled vkr_normalise(const VkrScaled number, const bool is_long, const bool is_even)
{
    VkrScaled a = number;
#if !VKR_IS_FLOAT
    bool is_zero = a.m == uvec2(0u);
    if (is_long && is_zero) {
        a = VkrScaled(a.below, a.e - 64, a.last, uvec2(0u));
#if VKR_BYTES == 8
        if (a.m == uvec2(0u))
            a = VkrScaled(a.below, a.e - 64, a.last, uvec2(0u));
#endif
    }
#endif
    if (a.m.y == 0u) {
        a.e -= 32;
        a.m = uvec2(VKR_BELOW(a).y, a.m.x);
#if !VKR_IS_FLOAT
        a.below = uvec2(a.last.y, a.below.x);
        a.last = uvec2(0u, a.last.x);
#endif
    }
    uint shift = uint(31 - findMSB(a.m.y)) & (is_even ? 30u : 31u);
    if (shift != 0u) {
        a.e -= int(shift);
        a.m = vkr_shift(a.m, VKR_BELOW(a).y, shift);
#if !VKR_IS_FLOAT
        a.below = vkr_shift(a.below, a.last.y, shift);
        a.last = vkr_shift(a.last, 0u, shift);
#endif
    }
    return a;
}

/* Rounds `digits`, which has VKR_REAL_PRECISION + 1 bits, of which the top one is set and has the
 * weight 2^exponent. `rest` is not 0 if there are nonzero bits below them. */
uvec2 vkr_round(const uvec2 digits, const uvec2 rest, const int top_exponent)
{
    bool up = (digits.x & 1u) != 0u && (rest != uvec2(0u) || (digits.x & 2u) != 0u);
    uvec2 kept = uvec2(digits.x >> 1 | digits.y << 31, digits.y >> 1);
    if (up)
        kept = vkr_add(kept, uvec2(1u, 0u));
    const bool is_double = VKR_REAL_BYTES == 8u;
    int greatest = is_double ? 1023 : 127;
    uint top = is_double ? kept.y >> 21 : kept.x >> 24;
    int exponent = top_exponent + int(top); /* if rounded up to a power of two, all other digits are
                                             * 0 */
    if (exponent < 1 - greatest)
        return uvec2(0u);
    if (exponent > greatest)
        return is_double ? uvec2(0u, 0x7ff00000u) : uvec2(0x7f800000u, 0u);
    uint biased = uint(exponent + greatest);
    return is_double ? uvec2(kept.x, (kept.y & 0xfffffu) | biased << 20)
                     : uvec2((kept.x & 0x7fffffu) | biased << 23, 0u);
}

/* In long numbers digits come from `below` too, and the bits below that only affect rounding. */

/* a / b; b is not 0. */
uvec2 vkr_divide(const VkrScaled number, const uvec2 b, const bool is_long)
{
    VkrScaled a = vkr_normalise(number, is_long, false);
    if (a.m.y == 0u)
        return uvec2(0u);
    VkrScaled divisor = vkr_normalise(VKR_SHORT(b, 0), false, false);
    int exponent = a.e - divisor.e;
    uvec2 rest = a.m;
    uvec2 below = VKR_BELOW(a);
    if (vkr_less(rest, divisor.m)) { /* the top bit, which is lost, cancels */
        rest = vkr_shift(rest, below.y, 1u);
        below = vkr_shift(below, 0u, 1u);
        exponent--;
    }
    rest = vkr_subtract(rest, divisor.m);
    uvec2 digits = uvec2(1u, 0u);
    for (uint i = 0u; i < VKR_REAL_PRECISION; i++) {
        bool carry = (rest.y >> 31) != 0u;
        rest = vkr_shift(rest, below.y, 1u);
        if (is_long)
            below = vkr_shift(below, 0u, 1u);
        bool fits = carry || !vkr_less(rest, divisor.m);
        if (fits)
            rest = vkr_subtract(rest, divisor.m);
        digits = vkr_shift(digits, fits ? ~0u : 0u, 1u);
    }
    return vkr_round(digits, rest | below | VKR_LAST(a), exponent);
}

#if VKR_REAL_IS_F64
/* The square root of a number whose exponent is even. */
uvec2 vkr_square_root(const VkrScaled number, const bool is_long)
{
    VkrScaled a = vkr_normalise(number, is_long, true);
    if (a.m.y == 0u)
        return uvec2(0u);
    uvec2 m = a.m;
    uvec2 below = VKR_BELOW(a);
    uvec2 rest = uvec2(0u);
    uvec2 root = uvec2(0u);
    for (uint i = 0u; i <= VKR_REAL_PRECISION; i++) {
        rest = vkr_shift(rest, m.y, 2u);
        m = vkr_shift(m, below.y, 2u);
        if (is_long)
            below = vkr_shift(below, 0u, 2u);
        uvec2 candidate = vkr_shift(root, 1u << 30, 2u);
        bool fits = !vkr_less(rest, candidate);
        if (fits)
            rest = vkr_subtract(rest, candidate);
        root = vkr_shift(root, fits ? ~0u : 0u, 1u);
    }
    return vkr_round(root, rest | m | below | VKR_LAST(a), 31 + (a.e >> 1));
}
#else
/* The integer part of the square root of n, 2^48 <= n < 2^50. `low` is the low word of n, and
 * `scaled` is about n / 2^48. `rest` becomes n minus the square of the result. Floats give an
 * estimate, which integers correct, so the result is exact if the driver's inversesqrt has 11 good
 * bits: the estimate then differs by less than 32 from the root, and n minus its square fits one
 * word. */
uint vkr_root(const uint low, const float scaled, out uint rest)
{
    float inverse = inversesqrt(scaled);
    inverse *= 1.5 - 0.5 * scaled * inverse * inverse; /* a step of Newton's method */
    uint root = uint(scaled * inverse * 16777216.0);
    root += uint(int(floor(float(int(low - root * root)) * inverse / 33554432.0)));
    int left = int(low - root * root); /* the root is now at most one too great or too small */
    int twice = int(2u * root);
    bool is_great = left < 0;
    bool is_small = left > twice;
    rest = uint(is_great ? left + twice - 1 : is_small ? left - twice - 1 : left);
    return is_great ? root - 1u : is_small ? root + 1u : root;
}

#if VKR_IS_FLOAT
/* The magnitude of the square root of a finite float. Its mantissa times 2^25, or 2^26 if the
 * exponent is odd, has a root of 25 bits, and is even. No even number is the square of an odd
 * one, so the last bit of the root alone decides the rounding. */
uint vkr_square_root(const uint bits)
{
    uint exponent = bits >> 23 & 0xffu;
    uint mantissa = (bits & 0x7fffffu) | (exponent == 0u ? 0u : 0x800000u);
    uint normal = floatBitsToUint(float(mantissa)); /* a subnormal is shifted */
    int e = int(max(exponent, 1u) + (normal >> 23)) - 277;
    uint odd = uint(e) & 1u;
    uint digits = normal & 0x7fffffu;
    uint rest;
    uint root = vkr_root((digits | 0x800000u) << (25u + odd),
                         uintBitsToFloat(digits | (127u + odd) << 23), rest);
    uint rounded = (root >> 1) + (root & 1u) + (uint((e >> 1) + 126) << 23);
    return mantissa == 0u ? 0u : rounded;
}
#else
/* The square root of a number whose exponent is even. */
uvec2 vkr_square_root(const VkrScaled number, const bool is_long)
{
    VkrScaled a = vkr_normalise(number, is_long, true);
    if (a.m.y == 0u)
        return uvec2(0u);
    uint rest;
    uint root = vkr_root(a.m.x >> 14 | a.m.y << 18, float(a.m.y) / 1073741824.0, rest);
    uvec2 more = VKR_BELOW(a) | VKR_LAST(a);
    return vkr_round(uvec2(root, 0u), uvec2(rest | (a.m.x & 0x3fffu), more.x | more.y),
                     31 + (a.e >> 1));
}
#endif
#endif

#endif
