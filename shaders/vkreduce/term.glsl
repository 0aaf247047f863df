/* SPDX-License-Identifier: MIT */
/*
 * Terms: what one operator (VKR_OPS) has made of values of one component, as the bits of a sum or
 * a key. Smaller than the states of operator.glsl, which hold what any set of operators needs.
 */
#ifndef VKR_TERM_GLSL
#define VKR_TERM_GLSL

#define VKR_HAS(ops) ((VKR_OPS & (ops)) != 0u)
#define VKR_SUM_OPS (VKR_BIT_SUM | VKR_BIT_PRODUCT)

/* Modules of a wide accumulator are for sums and products only. */
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

VkrTerm vkr_term_identity()
{
    VkrTerm one = vkr_term_of_sum(VkrSum(1));
    VkrTerm zero = vkr_term_of_sum(VkrSum(0));
#if VKR_SUM_BYTES == VKR_BYTES || VKR_SUM_BYTES == 4
    if (VKR_HAS(VKR_BIT_MIN | VKR_BIT_MAX))
        return VKR_PAD;
    if (VKR_HAS(VKR_BIT_AND))
        return VKR_MASK;
#endif
    return VKR_HAS(VKR_BIT_PRODUCT) ? one : zero;
}

VkrTerm vkr_term_of(const VkrBits bits)
{
    if (VKR_HAS(VKR_SUM_OPS))
        return vkr_term_of_sum(vkr_value(bits));
    if (VKR_HAS(VKR_BIT_MIN))
        return VkrTerm(vkr_min_key(bits));
    if (VKR_HAS(VKR_BIT_MAX))
        return VkrTerm(vkr_max_key(bits));
    return VkrTerm(bits);
}

VkrTerm vkr_term_combine(const VkrTerm a, const VkrTerm b)
{
    if (VKR_HAS(VKR_BIT_SUM))
        return vkr_term_of_sum(vkr_add(vkr_sum_of_term(a), vkr_sum_of_term(b)));
    if (VKR_HAS(VKR_BIT_PRODUCT))
        return vkr_term_of_sum(vkr_multiply(vkr_sum_of_term(a), vkr_sum_of_term(b)));
    if (VKR_HAS(VKR_BIT_AND))
        return a & b;
    if (VKR_HAS(VKR_BIT_OR))
        return a | b;
    if (VKR_HAS(VKR_BIT_XOR))
        return a ^ b;
    return min(a, b);
}

/* The words of a term's result, except that a NaN can be any, and with the canonical NaN; and the
 * term of such words. `is_empty` says that there was no element. */
uvec2 vkr_raw_result_of_term(const VkrTerm term, const bool is_empty)
{
    if (VKR_HAS(VKR_SUM_OPS))
        return VKR_WORDS_OF_TERM(term);
    VkrBits bits = VkrBits(term);
    if (VKR_HAS(VKR_BIT_MIN))
        bits = vkr_min_of_key(bits, is_empty);
    if (VKR_HAS(VKR_BIT_MAX))
        bits = vkr_max_of_key(bits, is_empty);
    return vkr_words_of_bits(bits);
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
