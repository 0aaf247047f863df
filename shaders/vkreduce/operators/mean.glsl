/* SPDX-License-Identifier: MIT */
/*
 * mean and l2: a correctly rounded division or square root of a sum. For floats the sums are the
 * parts of sum and sumsq, for integers exact sums, which never wrap (long.glsl).
 */
#ifndef VKR_OPERATORS_MEAN_GLSL
#define VKR_OPERATORS_MEAN_GLSL

#include "../round.glsl"

#define VKR_REAL_NAN (VKR_REAL_BYTES == 8u ? uvec2(0u, 0x7ff80000u) : uvec2(0x7fc00000u, 0u))

#if VKR_IS_FLOAT
#define VKR_ROW_TOTAL(ROW)
#define VKR_ROW_SQUARES(ROW)

/* The magnitude of a finite float, as an integer times a power of two. */
VkrScaled vkr_scaled(const uvec2 words)
{
#if VKR_SUM_BYTES == 8
    uint exponent = (words.y >> 20) & 0x7ffu;
    uint hidden = exponent == 0u ? 0u : 1u;
    return VKR_SHORT(uvec2(words.x, (words.y & 0xfffffu) | hidden << 20),
                     int(max(exponent, 1u)) - 1075);
#else
    uint exponent = (words.x >> 23) & 0xffu;
    uint hidden = exponent == 0u ? 0u : 1u;
    return VKR_SHORT(uvec2((words.x & 0x7fffffu) | hidden << 23, 0u), int(max(exponent, 1u)) - 150);
#endif
}

bool vkr_is_finite(const uvec2 words)
{
    uint infinity = VKR_SUM_BYTES == 8 ? 0x7ff00000u : 0x7f800000u;
    return ((VKR_SUM_BYTES == 8 ? words.y : words.x) & infinity) != infinity;
}
#else
#include "../long.glsl"
#define VKR_ROW_TOTAL(ROW)                                                                         \
    ROW(total, VkrTotal, VKR_USERS_TOTAL, VKR_TOTAL_0, vkr_total_of(e.bits), add, whole)
#define VKR_ROW_SQUARES(ROW)                                                                       \
    ROW(squares, VkrSquares, VKR_USERS_SQUARES, VKR_SQUARES_0, vkr_squares_of(e.bits), add, whole)

/* Whether sums can have more than 64 bits. */
const bool VKR_LONG_TOTAL = VKR_BYTES == 8 || VKR_WIDE_INDEX;
const bool VKR_LONG_SQUARES = VKR_BYTES > 2 || VKR_WIDE_INDEX;

bool vkr_is_negative(const VkrTotal a)
{
    return VKR_SIGNED && int(VKR_WIDE_INDEX ? a.over : a.top) < 0;
}

VkrTotal vkr_magnitude(const VkrTotal a, const bool negative)
{
    uint mask = negative ? ~0u : 0u;
    VkrBits low = negative ? ~a.low : a.low;
    return vkr_add(VkrTotal(low, a.top ^ mask, a.over ^ mask), VkrTotal(mask & 1u, 0u, 0u));
}

/* A sum that is not negative. */
VkrScaled vkr_scaled(const VkrTotal a)
{
#if VKR_BYTES == 8
    return VkrScaled(VKR_TOP(a), 64, unpackUint2x32(a.low), uvec2(0u));
#else
    if (VKR_WIDE_INDEX)
        return VkrScaled(VKR_TOP(a), 32, uvec2(0u, a.low), uvec2(0u));
    return VKR_SHORT(uvec2(a.low, a.top), 0);
#endif
}

#if VKR_BYTES == 8
VkrScaled vkr_scaled(const VkrSquares a)
{
    return VkrScaled(VKR_TOP(a.high), 128, unpackUint2x32(a.high.low), unpackUint2x32(a.low));
}
#elif VKR_BYTES == 4
VkrScaled vkr_scaled(const VkrSquares a)
{
    return VkrScaled(VKR_TOP(a.high), 64, uvec2(a.low, a.high.low), uvec2(0u));
}
#endif
#endif

uvec2 vkr_with_sign(uvec2 words, const bool negative)
{
    if (negative && VKR_REAL_BYTES == 8u)
        words.y |= 0x80000000u;
    if (negative && VKR_REAL_BYTES == 4u)
        words.x |= 0x80000000u;
    return words;
}

#if VKR_IS_FLOAT
uvec2 vkr_mean(const VkrSum sum, const uvec2 count)
{
    if (count == uvec2(0u))
        return VKR_REAL_NAN;
    uvec2 words = vkr_words_of(sum);
    if (!vkr_is_finite(words))
        return words;
    bool negative = ((VKR_SUM_BYTES == 8 ? words.y : words.x) >> 31) != 0u;
    uvec2 mean = vkr_divide(vkr_scaled(words), count, false);
    return vkr_with_sign(mean, negative && mean != uvec2(0u));
}

/* The square root of a sum, times 2^e. */
uvec2 vkr_root(const VkrSum sum, const int e)
{
    uvec2 words = vkr_words_of(sum);
    if (!vkr_is_finite(words))
        return words;
#if VKR_REAL_IS_F64
    VkrScaled squares = vkr_scaled(words);
    if ((squares.e & 1) != 0) /* m has room for one more bit */
        squares = VkrScaled(vkr_shift(squares.m, 0u, 1u), squares.e - 1);
    squares.e += 2 * e;
    return vkr_square_root(squares, false);
#else
    precise float root = uintBitsToFloat(vkr_square_root(words.x)) * VKR_POWER_OF_2(e);
    return uvec2(root < VKR_POWER_OF_2(-126) ? 0u : floatBitsToUint(root), 0u);
#endif
}

/* The root of the sum whose scale suits it. */
uvec2 vkr_l2(const VkrSumsq squares)
{
    VkrSum sum = squares.plain;
    int e = 0;
    if (VKR_SCALED) {
        bool is_small = sum < VKR_POWER_OF_2(VKR_RAISED_BELOW);
        bool is_great = !vkr_is_finite(vkr_words_of(sum));
        sum = is_small ? squares.raised : is_great ? squares.lowered : sum;
        e = is_small ? -VKR_RAISE : is_great ? -VKR_LOWER : 0;
    }
    return vkr_root(sum, e);
}

#define VKR_RESULT_MEAN(RESULT) RESULT(MEAN, VKR_REAL_BYTES, true, vkr_mean(s.sum, left))
#define VKR_RESULT_L2(RESULT) RESULT(L2, VKR_REAL_BYTES, true, vkr_l2(s.sumsq))
#else
uvec2 vkr_mean(const VkrTotal sum, const uvec2 count)
{
    if (count == uvec2(0u))
        return VKR_REAL_NAN;
    bool negative = vkr_is_negative(sum);
    uvec2 mean = vkr_divide(vkr_scaled(vkr_magnitude(sum, negative)), count, VKR_LONG_TOTAL);
    return vkr_with_sign(mean, negative && mean != uvec2(0u));
}

#define VKR_RESULT_MEAN(RESULT) RESULT(MEAN, VKR_REAL_BYTES, true, vkr_mean(s.total, left))
#define VKR_RESULT_L2(RESULT)                                                                      \
    RESULT(L2, VKR_REAL_BYTES, true, vkr_square_root(vkr_scaled(s.squares), VKR_LONG_SQUARES))
#endif

#endif
