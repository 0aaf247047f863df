/* SPDX-License-Identifier: MIT */
/* sum, product, sumsq, l1 and dot. */
#ifndef VKR_OPERATORS_SUMS_GLSL
#define VKR_OPERATORS_SUMS_GLSL

#include "../strand.glsl"

#if VKR_IS_FLOAT
/* Whether squares of elements can leave the range of the accumulator. */
#if VKR_BYTES == 8
const bool VKR_RANGED = true;
#elif VKR_WIDE == 1
const bool VKR_RANGED = false;
#elif VKR_ELEMENT == VKR_CLASS_F16
const bool VKR_RANGED = VKR_BFLOAT;
#else
const bool VKR_RANGED = true;
#endif
const uint VKR_SCALED_OPS = VKR_RANGED ? VKR_USERS_SCALED : 0u;
#define VKR_SCALED VKR_HAS(VKR_SCALED_OPS)

/* Where it is scaled, an L2 norm needs the sums of the squares of all elements at two other scales:
 * `raised` where the plain squares are too small, and `lowered` where they are too great. Scales
 * are powers of two, so a sum of which no square is lost has the same digits at each of them. */
struct VkrSumsq {
    VkrSum plain, raised, lowered;
};
#define VKR_NO_SUMSQ VkrSumsq(VkrSum(0), VkrSum(0), VkrSum(0))

/* The exponents of the scales, and that of the sum below which `raised` is used. */
#if VKR_SUM_BYTES == 8
#define VKR_RAISE 900
#define VKR_LOWER -512
#define VKR_RAISED_BELOW -800
#else
#define VKR_RAISE 95
#define VKR_LOWER -64
#define VKR_RAISED_BELOW -64
#endif

/* 2^e, which is a normal number. */
#if VKR_SUM_BYTES == 8
#define VKR_POWER_OF_2(e) packDouble2x32(uvec2(0u, uint(1023 + (e)) << 20))
#else
#define VKR_POWER_OF_2(e) uintBitsToFloat(uint(127 + (e)) << 23)
#endif

/* The exponent of a power of two that is a normal number. */
int vkr_exponent_of(const VkrSum power)
{
    uvec2 words = vkr_words_of(power);
#if VKR_SUM_BYTES == 8
    return int(words.y >> 20) - 1023;
#else
    return int(words.x >> 23) - 127;
#endif
}

/* A scaled element that is subnormal has the square 0, whether a device flushes it or not. */
VkrSum vkr_square_at(const VkrSum value, const VkrSum scale)
{
    VkrSum scaled = vkr_multiply(value, scale);
    return vkr_multiply(scaled, scaled);
}

/* Where nothing is scaled, nothing needs these two sums, so drivers drop their arithmetic. */
VkrSumsq vkr_sumsq_of(const VkrBits bits)
{
    VkrSum value = vkr_value(bits);
    return VkrSumsq(vkr_multiply(value, value), vkr_square_at(value, VKR_POWER_OF_2(VKR_RAISE)),
                    vkr_square_at(value, VKR_POWER_OF_2(VKR_LOWER)));
}

VkrSumsq vkr_add(const VkrSumsq a, const VkrSumsq b)
{
    return VkrSumsq(vkr_add(a.plain, b.plain), vkr_add(a.raised, b.raised),
                    vkr_add(a.lowered, b.lowered));
}

#define VKR_WORDS_VkrSumsq ((VKR_SCALED ? 3u : 1u) * VKR_WORDS_VkrSum)
#define VKR_MOVED_VkrSumsq(v) vkr_move_sumsq(at, i, is_shared, stores, v)

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrSumsq vkr_shuffle(const VkrSumsq v, const uint mask)
{
    return VkrSumsq(vkr_shuffle(v.plain, mask), vkr_shuffle(v.raised, mask),
                    vkr_shuffle(v.lowered, mask));
}
#endif

/* The strands of the three sums (strand.glsl). */
struct VkrHeldSumsq {
    VkrHeldSum plain, raised, lowered;
};
#define VKR_HELD_VkrSumsq VkrHeldSumsq
#define VKR_HELD_NONE_VkrSumsq                                                                     \
    VkrHeldSumsq(VKR_HELD_NONE_VkrSum, VKR_HELD_NONE_VkrSum, VKR_HELD_NONE_VkrSum)

VkrHeldSumsq vkr_held_with(const VkrHeldSumsq held, const VkrSumsq x)
{
    return VkrHeldSumsq(vkr_held_with(held.plain, x.plain), vkr_held_with(held.raised, x.raised),
                        vkr_held_with(held.lowered, x.lowered));
}

VkrSumsq vkr_held_and(const VkrHeldSumsq held, const VkrSumsq last)
{
    return VkrSumsq(vkr_held_and(held.plain, last.plain), vkr_held_and(held.raised, last.raised),
                    vkr_held_and(held.lowered, last.lowered));
}
#endif

VkrSum vkr_dot(const VkrBits a, const VkrBits b)
{
    if (VKR_SKIPS_NAN && vkr_is_nan(b))
        return VkrSum(0);
    return vkr_multiply(vkr_value(a), vkr_value(b));
}

/* Float sums use strands (strands.glsl); products and exact sums do not. */
#if VKR_IS_FLOAT
#define VKR_SUM_ROW(ROW, name, users, lift) ROW(name, VkrSum, users, VkrSum(0), lift, add, held)
#else
#define VKR_SUM_ROW(ROW, name, users, lift) ROW(name, VkrSum, users, VkrSum(0), lift, add, whole)
#endif
#define VKR_ROW_SUM(ROW) VKR_SUM_ROW(ROW, sum, VKR_USERS_SUM, vkr_value(e.bits))
#if VKR_IS_FLOAT
#define VKR_ROW_SUMSQ(ROW)                                                                         \
    ROW(sumsq, VkrSumsq, VKR_USERS_SUMSQ, VKR_NO_SUMSQ, vkr_sumsq_of(e.bits), add, held)
#define VKR_SUMSQ s.sumsq.plain
#else
#define VKR_ROW_SUMSQ(ROW)                                                                         \
    VKR_SUM_ROW(ROW, sumsq, VKR_USERS_SUMSQ, vkr_multiply(vkr_value(e.bits), vkr_value(e.bits)))
#define VKR_SUMSQ s.sumsq
#endif
#define VKR_ROW_SCALED(ROW) /* see VkrSumsq */
#define VKR_ROW_L1(ROW) VKR_SUM_ROW(ROW, l1, VKR_USERS_L1, vkr_magnitude(e.bits))
#define VKR_ROW_DOT(ROW) VKR_SUM_ROW(ROW, dot_, VKR_USERS_DOT, vkr_dot(e.bits, e.bits2))
#define VKR_ROW_PRODUCT(ROW)                                                                       \
    ROW(product, VkrSum, VKR_USERS_PRODUCT, VkrSum(1), vkr_value(e.bits), multiply, whole)

#define VKR_RESULT_SUM(RESULT) RESULT(SUM, VKR_SUM_BYTES, true, vkr_words_of(s.sum))
#define VKR_RESULT_PRODUCT(RESULT) RESULT(PRODUCT, VKR_SUM_BYTES, true, vkr_words_of(s.product))
#define VKR_RESULT_SUMSQ(RESULT) RESULT(SUMSQ, VKR_SUM_BYTES, true, vkr_words_of(VKR_SUMSQ))
#define VKR_RESULT_L1(RESULT) RESULT(L1, VKR_SUM_BYTES, true, vkr_words_of(s.l1))
#define VKR_RESULT_DOT(RESULT) RESULT(DOT, VKR_SUM_BYTES, true, vkr_words_of(s.dot_))

#endif
