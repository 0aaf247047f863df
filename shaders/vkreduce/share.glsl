/* SPDX-License-Identifier: MIT */
/*
 * Numbers of elements in units of 2^-32, which have at most 96 bits: shares of all elements, and
 * parts of a bin's elements. Numbers of 192 bits (exact.glsl) would need twice the registers.
 */
#ifndef VKR_SHARE_GLSL
#define VKR_SHARE_GLSL

#include "wide.glsl"

#define VkrPart uvec3

VkrPart vkr_part_of(const uvec2 count)
{
    return VkrPart(0u, count);
}

bool vkr_less(const VkrPart a, const VkrPart b)
{
    bool low = vkr_less(a.xy, b.xy);
    bool equal = a.z == b.z;
    bool high = a.z < b.z;
    return high || (equal && low);
}

VkrPart vkr_subtract(const VkrPart a, const VkrPart b)
{
    uint borrow;
    uint low = usubBorrow(a.x, b.x, borrow);
    return VkrPart(low, vkr_subtract(vkr_subtract(a.yz, b.yz), uvec2(borrow, 0u)));
}

VkrPart vkr_clamp(const VkrPart a, const VkrPart low, const VkrPart high)
{
    bool is_high = vkr_less(high, a), is_low = vkr_less(a, low);
    return mix(mix(a, high, bvec3(is_high)), low, bvec3(is_low));
}

/* Returns a + b, modulo 2^96. */
uvec3 vkr_add(const uvec3 a, const uvec3 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec3(low, vkr_add(vkr_add(a.yz, b.yz), uvec2(carry, 0u)));
}

/* a m, of 96 bits. */
uvec3 vkr_multiply(const uvec2 a, const uint m)
{
    uvec2 low, high;
    umulExtended(a, uvec2(m), high, low);
    return uvec3(low.x, vkr_add(high, uvec2(low.y, 0u)));
}

/* (rest 2^n + the top n bits of `digits`, which are followed by zeros) / divisor, rounded down; the
 * rest is less than the divisor. */
uvec2 vkr_divide(uvec2 rest, uint digits, const uint n, const uvec2 divisor)
{
    uvec2 quotient = uvec2(0u);
    [[dont_unroll]] for (uint i = 0u; i < n; i++) {
        bool carry = (rest.y >> 31) != 0u;
        rest = uvec2(rest.x << 1 | digits >> 31, rest.y << 1 | rest.x >> 31);
        digits <<= 1;
        bool is_less = vkr_less(rest, divisor);
        bool fits = carry || !is_less;
        rest = mix(rest, vkr_subtract(rest, divisor), bvec2(fits));
        quotient = uvec2(quotient.x << 1 | (fits ? 1u : 0u), quotient.y << 1 | quotient.x >> 31);
    }
    return quotient;
}

/* part / count, at most 2^32, rounded down. */
uvec2 vkr_fraction(const VkrPart part, const uvec2 count)
{
    bool is_less = vkr_less(part.yz, count);
    uvec2 rest = is_less ? part.yz : vkr_subtract(part.yz, count);
    uint low = vkr_divide(rest, part.x, 32u, count).x;
    return count == uvec2(0u) ? uvec2(0u) : uvec2(low, is_less ? 0u : 1u);
}

/* The index of the highest set bit, or 0. */
uint vkr_top_bit(const VkrPart a)
{
    int top = a.z != 0u ? 64 + findMSB(a.z) : a.y != 0u ? 32 + findMSB(a.y) : findMSB(a.x);
    return uint(max(top, 0));
}

/* a / 2^by, rounded down, of 64 bits; by < 64. */
uvec2 vkr_shift_part(const VkrPart a, const uint by)
{
    VkrPart b = by >= 32u ? VkrPart(a.yz, 0u) : a;
    uint bits = by % 32u;
    return b.xy >> bits | b.yz << 1 << (31u - bits);
}

#endif
