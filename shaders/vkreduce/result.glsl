/* SPDX-License-Identifier: MIT */
/*
 * Stores the results of states, in the layout of vkrGetReduceLayout: operator by operator, in the
 * order of the bits. One invocation runs this.
 */
#ifndef VKR_RESULT_GLSL
#define VKR_RESULT_GLSL

uint vkr_output_at = push.output_base;

/* Whether the result, which is one word, stays in a variable for the caller instead of being
 * stored. */
#if defined(VKR_OF_NEIGHBOURS) || VKR_HAS_FOURS
const bool VKR_KEEPS_RESULT = (VKR_FLAGS & VKR_FLAG_FOUR_RESULTS) != 0u;
#else
const bool VKR_KEEPS_RESULT = false;
#endif
uint vkr_kept_result;

uint vkr_result_at; /* in bytes from the start of the results, which is vkr_output_at */

/* Stores the `bytes` low bytes of `value` for component c, in units of the output's array: results
 * of one byte can lie next to other bytes of the caller's. */
void vkr_write(const uint c, const uvec2 value, const uint bytes)
{
    uint first = (vkr_result_at + bytes - 1u) & ~(bytes - 1u);
    uint unit = vkr_output_at + (first + c * bytes) / VKR_OUTPUT_BYTES;
    vkr_result_at = first + VKR_ALL_COMPONENTS * bytes;
    if (VKR_KEEPS_RESULT) {
        vkr_kept_result = value.x;
        return;
    }
    for (uint i = 0u; i < bytes; i += VKR_OUTPUT_BYTES) {
        uint word = (i < 4u ? value.x : value.y) >> (8u * (i & 3u));
        vkr_output[unit + i / VKR_OUTPUT_BYTES] = VkrOutputUnit(word);
    }
}

/* Stores the results of `counted` elements, or of those that a mask keeps. */
void vkr_write_results(VkrStates states, const uvec2 counted)
{
    VKR_EACH(c)
    {
        VkrState s = vkr_state_of(states, VKR_AT(c));
        uvec2 total = counted;
        if (VKR_MASKED)
            total = s.seen.n;
        bool is_empty = total == uvec2(0u);
        uvec2 left = total;
        if (VKR_SKIPS_NAN)
            left = vkr_subtract(total, s.nan.n);
        uvec2 words;
        vkr_result_at = 0u;
#define VKR_IF_true(then) then
#define VKR_IF_false(then)
#define VKR_RESULT(op, bytes, is_sum, value)                                                       \
    if (VKR_HAS(VKR_BIT_##op)) {                                                                   \
        words = value;                                                                             \
        VKR_IF_##is_sum(words = vkr_canonical_nan(words);)                                         \
            vkr_write(VKR_PLACE(c), words, uint(bytes));                                           \
    }
#define VKR_RESULT_OF(with, op, bit, floats, integers) VKR_RESULT_##op(VKR_RESULT)
        VKR_OPERATORS(VKR_RESULT_OF, 0)
#undef VKR_RESULT_OF
#undef VKR_RESULT
#if !defined(VKR_SEGMENTS) && !defined(VKR_OF_TILES) && !VKR_OF_IMAGE
        /* In place there is one operator. Segments, tiles and images are never reduced in place,
         * and an unreachable store would still count as a store to the offsets, or need a
         * binding. */
        if (VKR_OUTPUT == VKR_OUTPUT_ELEMENT_RESULT)
            vkr_replaced[push.input_base + VKR_AT(c)] = VKR_TO_STORE(words);
#endif
    }
}

/* The element that represents a state, for operators that work in place. A workgroup without
 * elements, which a GPU count can cause, must not override one with only NaN. */
uvec2 vkr_as_element(const VkrState s)
{
    uvec2 words = vkr_canonical_nan(vkr_words_of(VKR_HAS(VKR_BIT_PRODUCT) ? s.product : s.sum));
    if (VKR_HAS(VKR_BIT_MIN))
        words = vkr_words_of_bits(vkr_min_of_key(s.least, VKR_PROPAGATE_NAN && s.least == VKR_PAD));
    if (VKR_HAS(VKR_BIT_MAX))
        words = vkr_words_of_bits(
            vkr_max_of_key(s.greatest, VKR_PROPAGATE_NAN && s.greatest == VKR_PAD));
#if !VKR_IS_FLOAT
    if (VKR_HAS(VKR_BIT_AND))
        words = vkr_words_of_bits(s.all_);
    if (VKR_HAS(VKR_BIT_OR))
        words = vkr_words_of_bits(s.any_);
    if (VKR_HAS(VKR_BIT_XOR))
        words = vkr_words_of_bits(s.parity);
#endif
    return words;
}

#endif
