/* SPDX-License-Identifier: MIT */
/* sum, product, sumsq, l1 and dot. */
#ifndef VKR_OPERATORS_SUMS_GLSL
#define VKR_OPERATORS_SUMS_GLSL

VkrSum vkr_square(const VkrBits bits)
{
    VkrSum value = vkr_value(bits);
    return vkr_multiply(value, value);
}

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
#define VKR_ROW_SUMSQ(ROW) VKR_SUM_ROW(ROW, sumsq, VKR_USERS_SUMSQ, vkr_square(e.bits))
#define VKR_ROW_L1(ROW) VKR_SUM_ROW(ROW, l1, VKR_USERS_L1, vkr_magnitude(e.bits))
#define VKR_ROW_DOT(ROW) VKR_SUM_ROW(ROW, dot_, VKR_USERS_DOT, vkr_dot(e.bits, e.bits2))
#define VKR_ROW_PRODUCT(ROW)                                                                       \
    ROW(product, VkrSum, VKR_USERS_PRODUCT, VkrSum(1), vkr_value(e.bits), multiply, whole)

#define VKR_RESULT_SUM(RESULT) RESULT(SUM, VKR_SUM_BYTES, true, vkr_words_of(s.sum))
#define VKR_RESULT_PRODUCT(RESULT) RESULT(PRODUCT, VKR_SUM_BYTES, true, vkr_words_of(s.product))
#define VKR_RESULT_SUMSQ(RESULT) RESULT(SUMSQ, VKR_SUM_BYTES, true, vkr_words_of(s.sumsq))
#define VKR_RESULT_L1(RESULT) RESULT(L1, VKR_SUM_BYTES, true, vkr_words_of(s.l1))
#define VKR_RESULT_DOT(RESULT) RESULT(DOT, VKR_SUM_BYTES, true, vkr_words_of(s.dot_))

#endif
