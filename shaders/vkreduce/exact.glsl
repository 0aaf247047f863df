/* SPDX-License-Identifier: MIT */
/*
 * Exact arithmetic on integers of 192 bits, and floats of 32 and 64 bits made from them by one
 * rounding, in integers of 32 bits alone: every device gives the same bits.
 */
#ifndef VKR_EXACT_GLSL
#define VKR_EXACT_GLSL

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
    for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint first, second;
        uint word = uaddCarry(a.w[i], b.w[i], first);
        sum.w[i] = uaddCarry(word, carry, second);
        carry = first | second;
    }
    return sum;
}

VkrBig vkr_big_not(const VkrBig a)
{
    VkrBig inverse;
    for (uint i = 0u; i < VKR_BIG_WORDS; i++)
        inverse.w[i] = ~a.w[i];
    return inverse;
}

VkrBig vkr_big_subtract(const VkrBig a, const VkrBig b)
{
    return vkr_big_add(a, vkr_big_not(b), 1u);
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
    for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint high, low, over;
        umulExtended(a.w[i], m, high, low);
        product.w[i] = uaddCarry(low, carry, over);
        carry = high + over;
    }
    return product;
}

/* a 2^n. */
VkrBig vkr_big_shift_left(const VkrBig a, const uint n)
{
    VkrBig shifted;
    uint words = n / 32u, bits = n % 32u;
    for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint word = i >= words ? a.w[i - words] << bits : 0u;
        if (bits != 0u && i > words)
            word |= a.w[i - words - 1u] >> (32u - bits);
        shifted.w[i] = word;
    }
    return shifted;
}

/* a / 2^n, rounded down. Sets `rest` where something is lost. */
VkrBig vkr_big_shift_right(const VkrBig a, const uint n, inout bool rest)
{
    VkrBig shifted;
    uint words = n / 32u, bits = n % 32u;
    for (uint i = 0u; i < VKR_BIG_WORDS; i++) {
        uint from = i + words;
        uint word = from < VKR_BIG_WORDS ? a.w[from] >> bits : 0u;
        if (bits != 0u && from + 1u < VKR_BIG_WORDS)
            word |= a.w[from + 1u] << (32u - bits);
        shifted.w[i] = word;
        rest = rest || (i < words && a.w[i] != 0u);
    }
    if (bits != 0u && words < VKR_BIG_WORDS)
        rest = rest || a.w[words] << (32u - bits) != 0u;
    return shifted;
}

/* a / n, rounded down, for 0 < n <= 2^16. Sets `rest` where there is a remainder. */
VkrBig vkr_big_divide(const VkrBig a, const uint n, inout bool rest)
{
    VkrBig quotient;
    uint remainder = 0u;
    for (uint i = VKR_BIG_WORDS; i > 0u; i--) {
        uint word = a.w[i - 1u];
        uint high = remainder << 16 | word >> 16;
        uint low = high % n << 16 | (word & 0xffffu);
        quotient.w[i - 1u] = high / n << 16 | low / n;
        remainder = low % n;
    }
    rest = rest || remainder != 0u;
    return quotient;
}

/* The number of the highest bit that is set. */
uint vkr_big_top(const VkrBig a)
{
    uint top = 0u;
    for (uint i = 0u; i < VKR_BIG_WORDS; i++)
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
    uint sign = is_negative ? 0x80000000u : 0u;
    uvec2 infinity = is_single ? uvec2(0x7f800000u, 0u) : uvec2(0u, 0x7ff00000u);
    uvec2 bits = uvec2(0u);
    if (!vkr_big_is_zero(a)) {
        int last = max(int(vkr_big_top(a)) + e - int(format.digits) + 1, format.lowest);
        int shift = last - e;
        bool rest = has_rest;
        VkrBig mantissa = a;
        if (shift > 0) {
            bool ignored = false;
            mantissa = vkr_big_shift_right(a, uint(min(shift, 224)), ignored);
            VkrBig below = vkr_big_shift_right(a, uint(min(shift - 1, 224)), rest);
            bool half_ = (below.w[0] & 1u) != 0u;
            if (half_ && (rest || (mantissa.w[0] & 1u) != 0u))
                mantissa = vkr_big_add(mantissa, vkr_big(uvec2(1u, 0u)), 0u);
        } else {
            mantissa = vkr_big_shift_left(a, uint(-shift));
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
    if (exponent != 0u)
        return uvec2(mantissa << 29, sign | ((exponent + 896u) << 20 | mantissa >> 3));
    return vkr_round_big(vkr_big(uvec2(mantissa, 0u)), -149, false, sign != 0u, VKR_FORMAT_F64);
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

/* (a p + b q) / n, rounded once, for p and q of up to 33 bits and n of up to 2^16, then times 2^x.
 * Bits of one term that lie more than 96 below the other's last bit are a rest: the other term is
 * greater by far then. */
uvec2 vkr_mix(const VkrNumber a, const uvec2 p, const VkrNumber b, const uvec2 q, const uint n,
              const int x, const VkrFormat format)
{
    VkrBig s = vkr_big_add(vkr_big_multiply(vkr_big(a.m), p.x),
                           vkr_big_shift_left(vkr_big_multiply(vkr_big(a.m), p.y), 32u), 0u);
    VkrBig t = vkr_big_add(vkr_big_multiply(vkr_big(b.m), q.x),
                           vkr_big_shift_left(vkr_big_multiply(vkr_big(b.m), q.y), 32u), 0u);
    int e = vkr_big_is_zero(s) ? b.e : vkr_big_is_zero(t) ? a.e : max(a.e, b.e);
    bool rest = false;
    int below_s = min(e - a.e, 300), below_t = min(e - b.e, 300);
    if (!vkr_big_is_zero(s))
        s = below_s <= 96 ? vkr_big_shift_left(s, uint(96 - below_s))
                          : vkr_big_shift_right(s, uint(below_s - 96), rest);
    if (!vkr_big_is_zero(t))
        t = below_t <= 96 ? vkr_big_shift_left(t, uint(96 - below_t))
                          : vkr_big_shift_right(t, uint(below_t - 96), rest);
    /* A rest belongs to the lesser term. Where it is taken away, one more is, and what then is
     * missing is a rest too. */
    bool differs = a.is_negative != b.is_negative;
    VkrBig sum = differs ? vkr_big_subtract(s, t) : vkr_big_add(s, t, 0u);
    bool is_negative = a.is_negative;
    if (differs && vkr_big_is_negative(sum)) {
        sum = vkr_big_negate(sum);
        is_negative = b.is_negative;
    }
    if (differs && rest)
        sum = vkr_big_subtract(sum, vkr_big(uvec2(1u, 0u)));
    if (vkr_big_is_zero(sum))
        return uvec2(0u);
    uint room = 190u - vkr_big_top(sum);
    VkrBig quotient = vkr_big_divide(vkr_big_shift_left(sum, room), n, rest);
    return vkr_round_big(quotient, e - 96 - int(room) + x, rest, is_negative, format);
}

#endif
