/* SPDX-License-Identifier: MIT */
/*
 * Terms: values of one component, combined by one operator (VKR_OPS), as the bits of a sum or a
 * key. A term is smaller than the states of operator.glsl, which support any set of operators.
 */
#ifndef VKR_TERM_GLSL
#define VKR_TERM_GLSL

#include "operators/row.glsl"
#include "operators/order.glsl"
#include "operators/sums.glsl"
#include "operators/bitwise.glsl"

#define VKR_SUM_OPS (VKR_BIT_SUM | VKR_BIT_PRODUCT)

/* Modules with a wide accumulator are for sums and products only. */
#if VKR_SUM_BYTES == 8
#define VkrTerm uint64_t
#define VKR_TERM_WORDS 2
#define VKR_TERM_OF_WORDS(words) packUint2x32(words)
#define VKR_WORDS_OF_TERM(term) unpackUint2x32(term)
#else
#define VkrTerm uint
#define VKR_TERM_WORDS 1
#define VKR_TERM_OF_WORDS(words) (words).x
#define VKR_WORDS_OF_TERM(term) uvec2(term, 0u)
#endif

VkrTerm vkr_term_of_sum(const VkrSum sum)
{
    return VKR_TERM_OF_WORDS(vkr_words_of(sum));
}

VkrSum vkr_sum_of_term(const VkrTerm term)
{
    return vkr_sum_of(VKR_WORDS_OF_TERM(term));
}

/* ---- The rows that scans use (operators/), of which VKR_OPS needs one ---- */

/* A wide accumulator has only rows of sums and products, which have the size of terms. */
#if VKR_SUM_BYTES == VKR_BYTES || VKR_SUM_BYTES == 4
#define VKR_BITS_ROWS(ROW)                                                                         \
    VKR_ROW_ALL(ROW)                                                                               \
    VKR_ROW_ANY(ROW)                                                                               \
    VKR_ROW_PARITY(ROW)                                                                            \
    VKR_ROW_LEAST(ROW)                                                                             \
    VKR_ROW_GREATEST(ROW)
#define VKR_BITS_RESULTS(RESULT)                                                                   \
    VKR_RESULT_AND(RESULT)                                                                         \
    VKR_RESULT_OR(RESULT)                                                                          \
    VKR_RESULT_XOR(RESULT)                                                                         \
    VKR_RESULT_MIN(RESULT)                                                                         \
    VKR_RESULT_MAX(RESULT)
#else
#define VKR_BITS_ROWS(ROW)
#define VKR_BITS_RESULTS(RESULT)
#endif
#define VKR_SCAN_ROWS(ROW)                                                                         \
    VKR_ROW_SUM(ROW)                                                                               \
    VKR_ROW_PRODUCT(ROW)                                                                           \
    VKR_BITS_ROWS(ROW)
#define VKR_SCAN_RESULTS(RESULT)                                                                   \
    VKR_RESULT_SUM(RESULT)                                                                         \
    VKR_RESULT_PRODUCT(RESULT)                                                                     \
    VKR_BITS_RESULTS(RESULT)

/* A part as a term, and back. */
#define VKR_TERM_OF_VkrSum(part) vkr_term_of_sum(part)
#define VKR_TERM_OF_VkrKey(part) VkrTerm(part)
#define VKR_TERM_OF_VkrBits(part) VkrTerm(part)
#define VKR_VkrSum_OF_TERM(term) vkr_sum_of_term(term)
#define VKR_VkrKey_OF_TERM(term) VkrKey(term)
#define VKR_VkrBits_OF_TERM(term) VkrBits(term)

VkrTerm vkr_term_identity()
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        return VKR_TERM_OF_##type(identity);
    VKR_SCAN_ROWS(VKR_ROW)
#undef VKR_ROW
    return VkrTerm(0);
}

VkrTerm vkr_term_of(const VkrBits bits)
{
    VkrElement e = VkrElement(bits, bits, uvec2(0u));
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        return VKR_TERM_OF_##type(lift);
    VKR_SCAN_ROWS(VKR_ROW)
#undef VKR_ROW
    return VkrTerm(0);
}

VkrTerm vkr_term_combine(const VkrTerm a, const VkrTerm b)
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        return VKR_TERM_OF_##type(vkr_##combine(VKR_##type##_OF_TERM(a), VKR_##type##_OF_TERM(b)));
    VKR_SCAN_ROWS(VKR_ROW)
#undef VKR_ROW
    return a;
}

/* The part that a term represents. */
struct VkrTermState {
#define VKR_ROW(name, type, users, identity, lift, combine, held) type name;
    VKR_SCAN_ROWS(VKR_ROW)
#undef VKR_ROW
};

VkrTermState vkr_state_of_term(const VkrTerm term)
{
    VkrTermState s;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    s.name = VKR_##type##_OF_TERM(term);
    VKR_SCAN_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* The words of a term's result, first with any NaN and then with the canonical one; and the term of
 * such words. `is_empty`: there was no element. */
uvec2 vkr_raw_result_of_term(const VkrTerm term, const bool is_empty)
{
    VkrTermState s = vkr_state_of_term(term);
#define VKR_RESULT(op, bytes, is_sum, value)                                                       \
    if (VKR_HAS(VKR_BIT_##op))                                                                     \
        return value;
    VKR_SCAN_RESULTS(VKR_RESULT)
#undef VKR_RESULT
    return uvec2(0u);
}

uvec2 vkr_result_of_raw(const uvec2 words)
{
    if (VKR_HAS(VKR_SUM_OPS))
        return vkr_canonical_nan(words);
    return words;
}

uvec2 vkr_result_of_term(const VkrTerm term, const bool is_empty)
{
    return vkr_result_of_raw(vkr_raw_result_of_term(term, is_empty));
}

VkrTerm vkr_term_of_result(const uvec2 words)
{
    if (VKR_HAS(VKR_SUM_OPS))
        return vkr_term_of_sum(vkr_flushed(vkr_sum_of(words)));
#if VKR_BYTES == 8
    return vkr_term_of(packUint2x32(words));
#else
    return vkr_term_of(words.x);
#endif
}

#endif
