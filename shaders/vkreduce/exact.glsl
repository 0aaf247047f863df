/* SPDX-License-Identifier: MIT */
/*
 * Exact arithmetic on integers of 192 bits, and floats of 32 and 64 bits made from them by one
 * rounding, in integers of 32 bits alone: every device gives the same bits.
 */
#ifndef VKR_EXACT_GLSL
#define VKR_EXACT_GLSL

#extension GL_EXT_control_flow_attributes : require

#define VKR_BIG_WORDS 6u
struct VkrBig {
    uint w[VKR_BIG_WORDS]; /* low words first */
};

VkrBig vkr_big(const uvec2 a)
{
    return VkrBig(uint[](a.x, a.y, 0u, 0u, 0u, 0u));
}

bool vkr_big_is_zero(const VkrBig a)
{
    return (a.w[0] | a.w[1] | a.w[2] | a.w[3] | a.w[4] | a.w[5]) == 0u;
}

bool vkr_big_is_negative(const VkrBig a)
{
    return (a.w[VKR_BIG_WORDS - 1u] >> 31) != 0u;
}

VkrBig vkr_big_add(const VkrBig a, const VkrBig b, const uint carry_in)
{
    VkrBig sum;
    uint carry = carry_in;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint first, second;
        uint word = uaddCarry(a.w[i], b.w[i], first);
        sum.w[i] = uaddCarry(word, carry, second);
        carry = first | second;
    }
    return sum;
}

/* All bits, inverted where `inverts` says so. */
VkrBig vkr_big_invert(const VkrBig a, const bool inverts)
{
    VkrBig inverse;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++)
        inverse.w[i] = inverts ? ~a.w[i] : a.w[i];
    return inverse;
}

VkrBig vkr_big_subtract(const VkrBig a, const VkrBig b)
{
    return vkr_big_add(a, vkr_big_invert(b, true), 1u);
}

VkrBig vkr_big_negate(const VkrBig a)
{
    return vkr_big_subtract(vkr_big(uvec2(0u)), a);
}

/* a m, modulo 2^192. */
VkrBig vkr_big_multiply(const VkrBig a, const uint m)
{
    VkrBig product;
    uint carry = 0u;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint high, low, over;
        umulExtended(a.w[i], m, high, low);
        product.w[i] = uaddCarry(low, carry, over);
        carry = high + over;
    }
    return product;
}

/* Words move by constants, since drivers take long for arrays that are indexed by variables. */
VkrBig vkr_big_up(const VkrBig a, const uint by, const bool moves)
{
    VkrBig b;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint from = i >= by ? a.w[i >= by ? i - by : 0u] : 0u;
        b.w[i] = moves ? from : a.w[i];
    }
    return b;
}

VkrBig vkr_big_down(const VkrBig a, const uint by, const bool moves, inout bool rest)
{
    VkrBig b = a;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint from = i + by < VKR_BIG_WORDS ? a.w[i + by < VKR_BIG_WORDS ? i + by : 0u] : 0u;
        b.w[i] = moves ? from : a.w[i];
        rest = rest || (moves && i < by && a.w[i] != 0u);
    }
    return b;
}

/* a 2^n, n < 256. */
VkrBig vkr_big_shift_left(const VkrBig a, const uint n)
{
    VkrBig b = vkr_big_up(a, 1u, (n & 32u) != 0u);
    b = vkr_big_up(b, 2u, (n & 64u) != 0u);
    b = vkr_big_up(b, 4u, (n & 128u) != 0u);
    uint bits = n % 32u;
    VkrBig shifted;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++)
        shifted.w[i] =
            b.w[i] << bits | (i == 0u ? 0u : b.w[i == 0u ? 0u : i - 1u] >> 1 >> (31u - bits));
    return shifted;
}

/* a / 2^n, rounded down, n < 256. Sets `rest` where something is lost. */
VkrBig vkr_big_shift_right(const VkrBig a, const uint n, inout bool rest)
{
    VkrBig b = vkr_big_down(a, 1u, (n & 32u) != 0u, rest);
    b = vkr_big_down(b, 2u, (n & 64u) != 0u, rest);
    b = vkr_big_down(b, 4u, (n & 128u) != 0u, rest);
    uint bits = n % 32u;
    VkrBig shifted;
    rest = rest || b.w[0] << 1 << (31u - bits) != 0u;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint next = i + 1u < VKR_BIG_WORDS ? b.w[i + 1u < VKR_BIG_WORDS ? i + 1u : 0u] : 0u;
        shifted.w[i] = b.w[i] >> bits | next << 1 << (31u - bits);
    }
    return shifted;
}

/* a / n, rounded down, for 0 < n <= 2^16. Sets `rest` where there is a remainder. */
VkrBig vkr_big_divide(const VkrBig a, const uint n, inout bool rest)
{
    VkrBig quotient;
    uint remainder = 0u;
    [[unroll]] for (uint k = 0u; k < VKR_BIG_WORDS; k++) {
        uint i = VKR_BIG_WORDS - 1u - k;
        uint word = a.w[i];
        uint high = remainder << 16 | word >> 16;
        uint first = high / n;
        uint low = (high - first * n) << 16 | (word & 0xffffu);
        uint second = low / n;
        quotient.w[i] = first << 16 | second;
        remainder = low - second * n;
    }
    rest = rest || remainder != 0u;
    return quotient;
}

/* The number of the highest bit that is set. */
uint vkr_big_top(const VkrBig a)
{
    uint top = 0u;
    [[unroll]] for (uint i = 0u; i < VKR_BIG_WORDS; i++)
        if (a.w[i] != 0u)
            top = 32u * i + uint(findMSB(a.w[i]));
    return top;
}

/* A float's format. */
struct VkrFormat {
    uint digits;  /* bits of a mantissa, the first of which is not stored */
    int lowest;     /* the exponent of a subnormal's last bit */
};
#define VKR_FORMAT_F32 VkrFormat(24u, -149)
#define VKR_FORMAT_F64 VkrFormat(53u, -1074)

/* The bits, two words, of the float nearest to +-a 2^e, or to a bit more than that where there is a
 * rest; ties go to even. Some bits of a are lost where there is a rest, so a has then more than a
 * mantissa. */
uvec2 vkr_round_big(const VkrBig a, const int e, const bool has_rest, const bool is_negative,
                    const VkrFormat format)
{
    bool is_single = format.digits == 24u;
    uint sign = is_negative && !vkr_big_is_zero(a) ? 0x80000000u : 0u;
    uvec2 infinity = is_single ? uvec2(0x7f800000u, 0u) : uvec2(0u, 0x7ff00000u);
    uvec2 bits = uvec2(0u);
    if (!vkr_big_is_zero(a)) {
        int last = max(int(vkr_big_top(a)) + e - int(format.digits) + 1, format.lowest);
        int shift = last - e;
        bool rest = has_rest;
        VkrBig mantissa = a;
        if (shift > 0) {
            VkrBig below = vkr_big_shift_right(a, uint(min(shift - 1, 224)), rest);
            bool is_half = (below.w[0] & 1u) != 0u;
            bool goes_up = is_half && (rest || (below.w[0] & 2u) != 0u);
            uvec2 low =
                uvec2(below.w[0] >> 1 | below.w[1] << 31, below.w[1] >> 1 | below.w[2] << 31);
            uint carry;
            low.x = uaddCarry(low.x, goes_up ? 1u : 0u, carry);
            low.y += carry;
            mantissa = vkr_big(low);
        } else {
            mantissa = vkr_big_shift_left(a, uint(min(-shift, 224)));
        }
        /* A carry goes into the exponent, and the first bit of a mantissa counts as one there. */
        uint exponent = uint(last - format.lowest);
        if (is_single)
            bits.x = (exponent << 23) + mantissa.w[0];
        else
            bits = uvec2(mantissa.w[0], (exponent << 20) + mantissa.w[1]);
        bool is_over = is_single ? bits.x >= infinity.x || exponent > 254u
                                 : bits.y >= infinity.y || exponent > 2046u;
        bits = is_over ? infinity : bits;
    }
    return is_single ? uvec2(bits.x | sign, 0u) : uvec2(bits.x, bits.y | sign);
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

/* The same number as a float of 64 bits, which is exact. */
uvec2 vkr_widen32(const uint f32)
{
    uint exponent = f32 >> 23 & 0xffu, mantissa = f32 & 0x7fffffu;
    uint sign = f32 & 0x80000000u;
    if (exponent == 0xffu)
        return uvec2(mantissa << 29, sign | 0x7ff00000u | mantissa >> 3);
    if (exponent == 0u && mantissa == 0u)
        return uvec2(0u, sign);
    if (exponent == 0u) { /* a subnormal's first bit becomes one that is not stored */
        uint shift = 23u - uint(findMSB(mantissa));
        mantissa = mantissa << shift & 0x7fffffu;
        exponent = 1u - shift; /* wraps, and back below */
    }
    return uvec2(mantissa << 29, sign | ((exponent + 896u) << 20 | mantissa >> 3));
}

/* -1, 0 or 1 where a is less than, equal to or greater than b; neither is NaN. */
int vkr_compare64(const uvec2 a, const uvec2 b)
{
    bool zeros = ((a.y | b.y) & 0x7fffffffu) == 0u && (a.x | b.x) == 0u;
    uvec2 x = (a.y >> 31) != 0u ? ~a : uvec2(a.x, a.y | 0x80000000u);
    uvec2 y = (b.y >> 31) != 0u ? ~b : uvec2(b.x, b.y | 0x80000000u);
    bool is_less = x.y < y.y || (x.y == y.y && x.x < y.x);
    return zeros || x == y ? 0 : is_less ? -1 : 1;
}

/* +-a 2^e, and a bit more where there is a rest. */
struct VkrSum {
    VkrBig a;
    int e;
    bool rest;
    bool is_negative;
};

/* a p + b q, for p and q of up to 33 bits. Bits of one term that lie more than 96 below the other's
 * last bit are a rest: the other term is greater by far then. */
VkrSum vkr_sum(const VkrNumber a, const uvec2 p, const VkrNumber b, const uvec2 q)
{
    VkrBig s = vkr_big_add(vkr_big_multiply(vkr_big(a.m), p.x),
                           vkr_big_up(vkr_big_multiply(vkr_big(a.m), p.y), 1u, true), 0u);
    VkrBig t = vkr_big_add(vkr_big_multiply(vkr_big(b.m), q.x),
                           vkr_big_up(vkr_big_multiply(vkr_big(b.m), q.y), 1u, true), 0u);
    int e = vkr_big_is_zero(s) ? b.e : vkr_big_is_zero(t) ? a.e : max(a.e, b.e);
    bool rest = false;
    /* One of both lies at 2^96, and the other one is brought there, or below. */
    bool s_is_low = a.e < b.e;
    VkrBig low = t, high = s;
    if (s_is_low) {
        low = s;
        high = t;
    }
    int apart = s_is_low ? e - a.e : e - b.e;
    apart = vkr_big_is_zero(low) ? 0 : clamp(apart, 0, 255);
    high = vkr_big_up(high, 3u, true);
    low = vkr_big_shift_right(vkr_big_up(low, 3u, true), uint(apart), rest);
    VkrSum sum;
    bool differs = a.is_negative != b.is_negative;
    /* The rest belongs to the lesser term. Where it is taken away, one more is, and what then is
     * missing is a rest too. */
    uint carry = differs ? (rest ? 0u : 1u) : 0u;
    sum.a = vkr_big_add(high, vkr_big_invert(low, differs), carry);
    bool turned = differs && vkr_big_is_negative(sum.a);
    if (turned)
        sum.a = vkr_big_negate(sum.a);
    sum.is_negative = (s_is_low ? b.is_negative : a.is_negative) != turned;
    sum.e = e - 96;
    sum.rest = rest;
    return sum;
}

/* sum / n: with all bits that there is room for, so that one rounding is left. */
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
