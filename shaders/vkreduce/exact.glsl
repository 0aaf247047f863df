/* SPDX-License-Identifier: MIT */
/*
 * Exact arithmetic on integers of 192 bits, and their conversion to floats of 32 and 64 bits by one
 * rounding, in 32-bit integers only: every device gives the same bits. Words are in vectors, and
 * only a division loops over them: drivers take long to compile loops over arrays of words with
 * branches.
 */
#ifndef VKR_EXACT_GLSL
#define VKR_EXACT_GLSL

#extension GL_EXT_control_flow_attributes : require

/* Low words first. */
struct VkrBig {
    uvec3 low, high;
};

VkrBig vkr_big(const uvec2 a)
{
    return VkrBig(uvec3(a, 0u), uvec3(0u));
}

bool vkr_big_is_zero(const VkrBig a)
{
    uvec3 bits = a.low | a.high;
    return (bits.x | bits.y | bits.z) == 0u;
}

bool vkr_big_is_negative(const VkrBig a)
{
    return int(a.high.z) < 0;
}

VkrBig vkr_big_select(const VkrBig no, const VkrBig yes, const bool which)
{
    return VkrBig(mix(no.low, yes.low, bvec3(which)), mix(no.high, yes.high, bvec3(which)));
}

/* Adds a carry, which is 0 or 1, to each word in turn; `carries` says which words have a carry of
 * their own for the next word. */
uvec3 vkr_add_carries(const uvec3 words, const uvec3 carries, inout uint carry)
{
    uint x, y, z;
    uvec3 sum;
    sum.x = uaddCarry(words.x, carry, x);
    sum.y = uaddCarry(words.y, carries.x | x, y);
    sum.z = uaddCarry(words.z, carries.y | y, z);
    carry = carries.z | z;
    return sum;
}

VkrBig vkr_big_add(const VkrBig a, const VkrBig b, const uint carry_in)
{
    uvec3 of_low, of_high;
    uint carry = carry_in;
    uvec3 low = uaddCarry(a.low, b.low, of_low);
    uvec3 high = uaddCarry(a.high, b.high, of_high);
    low = vkr_add_carries(low, of_low, carry);
    return VkrBig(low, vkr_add_carries(high, of_high, carry));
}

/* a, with all bits inverted if `inverts`. */
VkrBig vkr_big_invert(const VkrBig a, const bool inverts)
{
    uint mask = inverts ? ~0u : 0u;
    return VkrBig(a.low ^ mask, a.high ^ mask);
}

VkrBig vkr_big_subtract(const VkrBig a, const VkrBig b)
{
    return vkr_big_add(a, VkrBig(~b.low, ~b.high), 1u);
}

/* -a if `negates`, else a. */
VkrBig vkr_big_negate(const VkrBig a, const bool negates)
{
    return vkr_big_add(vkr_big_invert(a, negates), vkr_big(uvec2(0u)), negates ? 1u : 0u);
}

/* Return a 2^32, a 2^64 and a 2^128. */
VkrBig vkr_big_up1(const VkrBig a)
{
    return VkrBig(uvec3(0u, a.low.xy), uvec3(a.low.z, a.high.xy));
}

VkrBig vkr_big_up2(const VkrBig a)
{
    return VkrBig(uvec3(0u, 0u, a.low.x), uvec3(a.low.yz, a.high.x));
}

VkrBig vkr_big_up4(const VkrBig a)
{
    return VkrBig(uvec3(0u), uvec3(0u, a.low.xy));
}

VkrBig vkr_big_down1(const VkrBig a)
{
    return VkrBig(uvec3(a.low.yz, a.high.x), uvec3(a.high.yz, 0u));
}

/* a m, modulo 2^192. */
VkrBig vkr_big_multiply(const VkrBig a, const uint m)
{
    VkrBig low, high;
    umulExtended(a.low, uvec3(m), high.low, low.low);
    umulExtended(a.high, uvec3(m), high.high, low.high);
    return vkr_big_add(low, vkr_big_up1(high), 0u);
}

/* a b, of 128 bits. */
uvec4 vkr_product(const uvec2 a, const uvec2 b)
{
    uvec2 high_x, low_x, high_y, low_y;
    umulExtended(a, b.xx, high_x, low_x);
    umulExtended(a, b.yy, high_y, low_y);
    VkrBig x = vkr_big_add(VkrBig(uvec3(low_x, 0u), uvec3(0u)),
                           VkrBig(uvec3(0u, high_x), uvec3(0u)), 0u);
    VkrBig y = vkr_big_add(VkrBig(uvec3(0u, low_y), uvec3(0u)),
                           VkrBig(uvec3(0u, 0u, high_y.x), uvec3(high_y.y, 0u, 0u)), 0u);
    VkrBig sum = vkr_big_add(x, y, 0u);
    return uvec4(sum.low, sum.high.x);
}

/* a 2^n, n < 256. */
VkrBig vkr_big_shift_left(const VkrBig a, const uint n)
{
    VkrBig b = vkr_big_select(a, vkr_big_up1(a), (n & 32u) != 0u);
    b = vkr_big_select(b, vkr_big_up2(b), (n & 64u) != 0u);
    b = vkr_big_select(b, vkr_big_up4(b), (n & 128u) != 0u);
    uint bits = n % 32u;
    VkrBig carried = vkr_big_up1(VkrBig(b.low >> 1 >> (31u - bits), b.high >> 1 >> (31u - bits)));
    return VkrBig(b.low << bits | carried.low, b.high << bits | carried.high);
}

/* a / 2^n, rounded down, n < 256. `rest` becomes nonzero if nonzero bits are lost. */
VkrBig vkr_big_shift_right(const VkrBig a, const uint n, inout uint rest)
{
    VkrBig b = a;
    rest |= (n & 32u) != 0u ? b.low.x : 0u;
    b = vkr_big_select(b, vkr_big_down1(b), (n & 32u) != 0u);
    rest |= (n & 64u) != 0u ? b.low.x | b.low.y : 0u;
    b = vkr_big_select(b, vkr_big_down1(vkr_big_down1(b)), (n & 64u) != 0u);
    rest |= (n & 128u) != 0u ? b.low.x | b.low.y | b.low.z | b.high.x : 0u;
    b = vkr_big_select(b, VkrBig(uvec3(b.high.yz, 0u), uvec3(0u)), (n & 128u) != 0u);
    uint bits = n % 32u;
    rest |= b.low.x << 1 << (31u - bits);
    VkrBig next = vkr_big_down1(b);
    return VkrBig(b.low >> bits | next.low << 1 << (31u - bits),
                  b.high >> bits | next.high << 1 << (31u - bits));
}

/* a / n, rounded down, for 0 < n <= 2^16. `rest` becomes nonzero if there is a remainder. Words of
 * the quotient enter at the bottom as those of a leave at the top. */
VkrBig vkr_big_divide(const VkrBig a, const uint n, inout uint rest)
{
    VkrBig quotient = a;
    uint remainder = 0u;
    [[dont_unroll]] for (uint i = 0u; i < 6u; i++) {
        uint word = quotient.high.z;
        uint high = remainder << 16 | word >> 16;
        uint first = high / n;
        uint low = (high - first * n) << 16 | (word & 0xffffu);
        uint second = low / n;
        remainder = low - second * n;
        quotient = vkr_big_up1(quotient);
        quotient.low.x = first << 16 | second;
    }
    rest |= remainder;
    return quotient;
}

/* The index of the highest set bit, or 0. */
uint vkr_big_top(const VkrBig a)
{
    ivec3 low = findMSB(a.low), high = findMSB(a.high);
    low = mix(low + ivec3(0, 32, 64), ivec3(0), lessThan(low, ivec3(0)));
    high = mix(high + ivec3(96, 128, 160), ivec3(0), lessThan(high, ivec3(0)));
    ivec3 top = max(low, high);
    return uint(max(max(top.x, top.y), top.z));
}

/* A float's format. */
struct VkrFormat {
    uint digits;  /* bits of a mantissa, the first of which is not stored */
    int lowest;     /* the exponent of a subnormal's last bit */
};
#define VKR_FORMAT_F32 VkrFormat(24u, -149)
#define VKR_FORMAT_F64 VkrFormat(53u, -1074)

/* The bits, two words, of the float nearest to +-a 2^e, or to slightly more than that if there is a
 * rest; ties to even. If there is a rest, a must have more bits than a mantissa. */
uvec2 vkr_round_big(const VkrBig a, const int e, const uint has_remainder, const bool is_negative,
                    const VkrFormat format)
{
    bool is_single = format.digits == 24u;
    int last = max(int(vkr_big_top(a)) + e - int(format.digits) + 1, format.lowest);
    int shift = last - e;
    /* If the last bit of the result is above that of a, one more bit is kept, for rounding. */
    uint rest = has_remainder;
    VkrBig below = vkr_big_shift_right(a, uint(clamp(shift - 1, 0, 224)), rest);
    uint rounds_up = below.low.x & (below.low.x >> 1 | min(rest, 1u)) & 1u;
    uint carry;
    uvec2 mantissa = below.low.xy >> 1 | below.low.yz << 31;
    mantissa.x = uaddCarry(mantissa.x, rounds_up, carry);
    mantissa.y += carry;
    /* Otherwise a has no more bits than a mantissa. */
    uint up = uint(clamp(-shift, 0, 63));
    uvec2 whole = mix(a.low.xy, uvec2(0u, a.low.x), bvec2(up >= 32u));
    up %= 32u;
    whole = whole << up | uvec2(0u, whole.x >> 1 >> (31u - up));
    mantissa = mix(whole, mantissa, bvec2(shift > 0));
    /* A carry goes into the exponent, to which the first bit of a mantissa adds 1. */
    uint exponent = uint(last - format.lowest);
    uint top = is_single ? mantissa.x : mantissa.y;
    uint infinity = is_single ? 0x7f800000u : 0x7ff00000u;
    top += exponent << (is_single ? 23 : 20);
    bool is_over = top >= infinity || exponent > (is_single ? 254u : 2046u);
    uvec2 bits = mix(uvec2(mantissa.x, top), uvec2(0u, infinity), bvec2(is_over));
    bits.y |= is_negative ? 0x80000000u : 0u;
    bits = mix(bits, uvec2(0u), bvec2(vkr_big_is_zero(a)));
    return is_single ? uvec2(bits.y, 0u) : bits;
}

/* ---- Floats of 64 bits as numbers ---- */

/* +-m 2^e, finite. */
struct VkrNumber {
    uvec2 m;
    int e;
    bool is_negative;
};

VkrNumber vkr_number(const uvec2 f64)
{
    uint exponent = f64.y >> 20 & 0x7ffu;
    uint high = f64.y & 0xfffffu;
    return VkrNumber(uvec2(f64.x, exponent == 0u ? high : high | 0x100000u),
                     int(max(exponent, 1u)) - 1075, (f64.y >> 31) != 0u);
}

bool vkr_is_finite64(const uvec2 f64)
{
    return (f64.y & 0x7ff00000u) != 0x7ff00000u;
}

/* Converts a float of 32 bits to one of 64 bits, exactly. */
uvec2 vkr_widen32(const uint f32)
{
    uint exponent = f32 >> 23 & 0xffu, mantissa = f32 & 0x7fffffu;
    uint sign = f32 & 0x80000000u;
    if (exponent == 0xffu)
        return uvec2(mantissa << 29, sign | 0x7ff00000u | mantissa >> 3);
    if (exponent == 0u && mantissa == 0u)
        return uvec2(0u, sign);
    if (exponent == 0u) { /* the first bit of a subnormal becomes the implicit bit */
        uint shift = 23u - uint(findMSB(mantissa));
        mantissa = mantissa << shift & 0x7fffffu;
        exponent = 1u - shift; /* wraps, and back below */
    }
    return uvec2(mantissa << 29, sign | ((exponent + 896u) << 20 | mantissa >> 3));
}

/* -1, 0 or 1 if a is less than, equal to or greater than b; neither is NaN. */
int vkr_compare64(const uvec2 a, const uvec2 b)
{
    bool zeros = ((a.y | b.y) & 0x7fffffffu) == 0u && (a.x | b.x) == 0u;
    uvec2 x = (a.y >> 31) != 0u ? ~a : uvec2(a.x, a.y | 0x80000000u);
    uvec2 y = (b.y >> 31) != 0u ? ~b : uvec2(b.x, b.y | 0x80000000u);
    bool is_less = x.y < y.y || (x.y == y.y && x.x < y.x);
    return zeros || x == y ? 0 : is_less ? -1 : 1;
}

/* +-a 2^e, or slightly more in magnitude if `rest` is not 0. */
struct VkrSum {
    VkrBig a;
    int e;
    uint rest;
    bool is_negative;
};

/* a p + b q, for p and q of up to 33 bits. Bits of one term that are more than 96 positions below
 * the other's last bit become a rest: then the other term is far greater. */
VkrSum vkr_sum(const VkrNumber a, const uvec2 p, const VkrNumber b, const uvec2 q)
{
    uvec3 s = vkr_product(a.m, p).xyz, t = vkr_product(b.m, q).xyz;
    bool s_is_zero = (s.x | s.y | s.z) == 0u, t_is_zero = (t.x | t.y | t.z) == 0u;
    int e = s_is_zero ? b.e : t_is_zero ? a.e : max(a.e, b.e);
    /* One term is placed at 2^96, and the other one is shifted to match, or below. */
    bool s_is_low = a.e < b.e;
    uvec3 low = mix(t, s, bvec3(s_is_low)), high = mix(s, t, bvec3(s_is_low));
    bool low_is_zero = s_is_low ? s_is_zero : t_is_zero;
    int apart = low_is_zero ? 0 : e - min(a.e, b.e);
    VkrSum sum;
    sum.rest = 0u;
    VkrBig lesser = vkr_big_shift_right(VkrBig(uvec3(0u), low), uint(clamp(apart, 0, 255)),
                                        sum.rest);
    bool differs = a.is_negative != b.is_negative;
    /* The rest belongs to the lesser term. If that is subtracted, one more is subtracted, and the
     * difference is a rest too. */
    uint carry = differs && sum.rest == 0u ? 1u : 0u;
    sum.a = vkr_big_add(VkrBig(uvec3(0u), high), vkr_big_invert(lesser, differs), carry);
    bool turned = differs && vkr_big_is_negative(sum.a);
    sum.a = vkr_big_negate(sum.a, turned);
    sum.is_negative = (s_is_low ? b.is_negative : a.is_negative) != turned;
    sum.e = e - 96;
    return sum;
}

/* sum / n, with all bits that fit, so only one rounding remains. */
VkrSum vkr_ratio(const VkrSum sum, const uint n)
{
    VkrSum ratio = sum;
    uint room = 190u - min(vkr_big_top(sum.a), 190u);
    ratio.a = vkr_big_divide(vkr_big_shift_left(sum.a, room), n, ratio.rest);
    ratio.e -= int(room);
    return ratio;
}

uvec2 vkr_round_sum(const VkrSum sum, const VkrFormat format)
{
    return vkr_round_big(sum.a, sum.e, sum.rest, sum.is_negative, format);
}

#endif
