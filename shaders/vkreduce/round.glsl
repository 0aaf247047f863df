/* SPDX-License-Identifier: MIT */
/*
 * A correctly rounded division and square root, in integers, so that every device gives the same
 * bits: no driver has to divide correctly. Numbers are m 2^e with a 64-bit integer m as two words
 * (low, high). Results are bits of f32 or f64, rounded to nearest, ties to even. A result that is
 * too great becomes infinity; one below the smallest normal number becomes +0.
 */
#ifndef VKR_ROUND_GLSL
#define VKR_ROUND_GLSL

#include "wide.glsl"

/* The size of results that are real numbers. */
#define VKR_REAL_BYTES (VKR_BYTES == 8 || (VKR_IS_FLOAT && VKR_WIDE == 1) ? 8u : 4u)
#define VKR_REAL_PRECISION (VKR_REAL_BYTES == 8u ? 53u : 24u)

struct VkrScaled {
    uvec2 m;
    int e;
};

uvec2 vkr_double(const uvec2 a, const uint low)
{
    return uvec2(a.x << 1 | low, a.y << 1 | a.x >> 31);
}

/* Shifts m, which is not 0, left until its top bit is set. */
VkrScaled vkr_normalise(VkrScaled a)
{
    if (a.m.y == 0u)
        a = VkrScaled(uvec2(0u, a.m.x), a.e - 32);
    uint shift = 31u - uint(findMSB(a.m.y));
    if (shift != 0u)
        a = VkrScaled(uvec2(a.m.x << shift, a.m.y << shift | a.m.x >> (32u - shift)),
                      a.e - int(shift));
    return a;
}

/* Rounds `digits`, which has VKR_REAL_PRECISION + 1 bits, of which the top one is set and has the
 * weight 2^exponent. `sticky` says that a rest lies below them. */
uvec2 vkr_round(uvec2 digits, const bool sticky, int exponent)
{
    bool up = (digits.x & 1u) != 0u && (sticky || (digits.x & 2u) != 0u);
    digits = uvec2(digits.x >> 1 | digits.y << 31, digits.y >> 1);
    if (up)
        digits = vkr_add(digits, uvec2(1u, 0u));
    const bool is_double = VKR_REAL_BYTES == 8u;
    int greatest = is_double ? 1023 : 127;
    uint top = is_double ? digits.y >> 21 : digits.x >> 24;
    exponent += int(top); /* rounded up to the next power of two: all other digits are 0 */
    if (exponent < 1 - greatest)
        return uvec2(0u);
    if (exponent > greatest)
        return is_double ? uvec2(0u, 0x7ff00000u) : uvec2(0x7f800000u, 0u);
    uint biased = uint(exponent + greatest);
    return is_double ? uvec2(digits.x, (digits.y & 0xfffffu) | biased << 20)
                     : uvec2((digits.x & 0x7fffffu) | biased << 23, 0u);
}

/* a / b; b is not 0. */
uvec2 vkr_divide(VkrScaled a, const uvec2 b)
{
    if (a.m == uvec2(0u))
        return uvec2(0u);
    a = vkr_normalise(a);
    VkrScaled divisor = vkr_normalise(VkrScaled(b, 0));
    int exponent = a.e - divisor.e;
    uvec2 rest = a.m;
    if (vkr_less(rest, divisor.m)) {
        rest = vkr_subtract(vkr_double(rest, 0u), divisor.m); /* the lost top bit cancels */
        exponent--;
    } else {
        rest = vkr_subtract(rest, divisor.m);
    }
    uvec2 digits = uvec2(1u, 0u);
    for (uint i = 0u; i < VKR_REAL_PRECISION; i++) {
        bool carry = (rest.y >> 31) != 0u;
        rest = vkr_double(rest, 0u);
        bool fits = carry || !vkr_less(rest, divisor.m);
        if (fits)
            rest = vkr_subtract(rest, divisor.m);
        digits = vkr_double(digits, fits ? 1u : 0u);
    }
    return vkr_round(digits, rest != uvec2(0u), exponent);
}

uvec2 vkr_square_root(VkrScaled a)
{
    if (a.m == uvec2(0u))
        return uvec2(0u);
    a = vkr_normalise(a);
    if ((a.e & 1) != 0) /* bit 0 is clear: a shifted, or its exponent was 0 */
        a = VkrScaled(uvec2(a.m.x >> 1 | a.m.y << 31, a.m.y >> 1), a.e + 1);
    uvec2 rest = uvec2(0u);
    uvec2 root = uvec2(0u);
    for (uint i = 0u; i <= VKR_REAL_PRECISION; i++) {
        rest = vkr_double(vkr_double(rest, a.m.y >> 31), (a.m.y >> 30) & 1u);
        a.m = vkr_double(vkr_double(a.m, 0u), 0u);
        uvec2 candidate = vkr_double(vkr_double(root, 0u), 1u);
        bool fits = !vkr_less(rest, candidate);
        if (fits)
            rest = vkr_subtract(rest, candidate);
        root = vkr_double(root, fits ? 1u : 0u);
    }
    return vkr_round(root, rest != uvec2(0u) || a.m != uvec2(0u), 31 + (a.e >> 1));
}

#endif
