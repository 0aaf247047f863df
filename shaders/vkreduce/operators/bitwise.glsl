/* SPDX-License-Identifier: MIT */
/* and, or, xor, which floats do not have. */
#ifndef VKR_OPERATORS_BITWISE_GLSL
#define VKR_OPERATORS_BITWISE_GLSL

#if VKR_IS_FLOAT
#define VKR_ROW_ALL(ROW)
#define VKR_ROW_ANY(ROW)
#define VKR_ROW_PARITY(ROW)
#define VKR_RESULT_AND(RESULT)
#define VKR_RESULT_OR(RESULT)
#define VKR_RESULT_XOR(RESULT)
#else
VkrBits vkr_and(const VkrBits a, const VkrBits b)
{
    return a & b;
}

VkrBits vkr_or(const VkrBits a, const VkrBits b)
{
    return a | b;
}

VkrBits vkr_xor(const VkrBits a, const VkrBits b)
{
    return a ^ b;
}

#define VKR_ROW_ALL(ROW) ROW(all_, VkrBits, VKR_USERS_ALL, VKR_MASK, e.bits, and, whole)
#define VKR_ROW_ANY(ROW) ROW(any_, VkrBits, VKR_USERS_ANY, VkrBits(0), e.bits, or, whole)
#define VKR_ROW_PARITY(ROW) ROW(parity, VkrBits, VKR_USERS_PARITY, VkrBits(0), e.bits, xor, whole)

#define VKR_RESULT_AND(RESULT) RESULT(AND, VKR_BYTES, false, vkr_words_of_bits(s.all_))
#define VKR_RESULT_OR(RESULT) RESULT(OR, VKR_BYTES, false, vkr_words_of_bits(s.any_))
#define VKR_RESULT_XOR(RESULT) RESULT(XOR, VKR_BYTES, false, vkr_words_of_bits(s.parity))
#endif

#endif
