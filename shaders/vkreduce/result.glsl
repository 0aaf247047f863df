/* SPDX-License-Identifier: MIT */
/*
 * Stores the results of states, in the layout of vkrGetReduceLayout: one line per operator, in the
 * order of the bits. One invocation runs this.
 */
#ifndef VKR_RESULT_GLSL
#define VKR_RESULT_GLSL

#define VKR_REAL_NAN (VKR_REAL_BYTES == 8u ? uvec2(0u, 0x7ff80000u) : uvec2(0x7fc00000u, 0u))
#define VKR_INDEX_BYTES (VKR_WIDE_INDEX ? 8u : 4u)

uint vkr_output_at = push.output_base;

/* Whether the result, which is one word, is kept in a variable for the caller instead of being
 * stored. */
#ifdef VKR_OF_NEIGHBOURS
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
    vkr_result_at = first + VKR_COMPONENTS * bytes;
    if (VKR_KEEPS_RESULT) {
        vkr_kept_result = value.x;
        return;
    }
    for (uint i = 0u; i < bytes; i += VKR_OUTPUT_BYTES) {
        uint word = (i < 4u ? value.x : value.y) >> (8u * (i & 3u));
        vkr_output[unit + i / VKR_OUTPUT_BYTES] = VkrOutputUnit(word);
    }
}

uvec2 vkr_words_of_arg(const VkrArg arg)
{
    return vkr_is_no_value(arg.key) ? uvec2(~0u) : arg.index;
}

/* ---- mean and l2 ---- */

#if VKR_IS_FLOAT
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
    return VKR_SHORT(uvec2((words.x & 0x7fffffu) | hidden << 23, 0u),
                     int(max(exponent, 1u)) - 150);
#endif
}

bool vkr_is_finite(const uvec2 words)
{
    uint infinity = VKR_SUM_BYTES == 8 ? 0x7ff00000u : 0x7f800000u;
    return ((VKR_SUM_BYTES == 8 ? words.y : words.x) & infinity) != infinity;
}
#else
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

uvec2 vkr_mean(const VkrState s, const uvec2 total)
{
    if (total == uvec2(0u))
        return VKR_REAL_NAN;
#if VKR_IS_FLOAT
    uvec2 words = vkr_words_of(s.sum);
    if (!vkr_is_finite(words))
        return words;
    bool negative = ((VKR_SUM_BYTES == 8 ? words.y : words.x) >> 31) != 0u;
    uvec2 mean = vkr_divide(vkr_scaled(words), total, false);
#else
    bool negative = vkr_is_negative(s.total);
    VkrScaled sum = vkr_scaled(vkr_magnitude(s.total, negative));
    uvec2 mean = vkr_divide(sum, total, VKR_LONG_TOTAL);
#endif
    return vkr_with_sign(mean, negative && mean != uvec2(0u));
}

uvec2 vkr_l2(const VkrState s)
{
#if VKR_IS_FLOAT
    uvec2 words = vkr_words_of(s.sumsq);
    if (!vkr_is_finite(words))
        return words;
    VkrScaled sumsq = vkr_scaled(words);
    if ((sumsq.e & 1) != 0) /* m has room for a bit more */
        sumsq = VkrScaled(vkr_shift(sumsq.m, 0u, 1u), sumsq.e - 1);
    return vkr_square_root(sumsq, false);
#else
    return vkr_square_root(vkr_scaled(s.squares), VKR_LONG_SQUARES);
#endif
}

/* ---- All of them ---- */

/* operator, bytes, whether it is an accumulator or made from one, words */
#define VKR_RESULTS(RESULT)                                                                        \
    RESULT(VKR_BIT_MIN, VKR_BYTES, false, vkr_words_of_bits(vkr_min_of_key(s.least, is_empty)))    \
    RESULT(VKR_BIT_MAX, VKR_BYTES, false, vkr_words_of_bits(vkr_max_of_key(s.greatest, is_empty))) \
    RESULT(VKR_BIT_SUM, VKR_SUM_BYTES, true, vkr_words_of(s.sum))                                  \
    RESULT(VKR_BIT_PRODUCT, VKR_SUM_BYTES, true, vkr_words_of(s.product))                          \
    RESULT(VKR_BIT_MEAN, VKR_REAL_BYTES, true, vkr_mean(s, total))                                 \
    RESULT(VKR_BIT_SUMSQ, VKR_SUM_BYTES, true, vkr_words_of(s.sumsq))                              \
    RESULT(VKR_BIT_L1, VKR_SUM_BYTES, true, vkr_words_of(s.l1))                                    \
    RESULT(VKR_BIT_L2, VKR_REAL_BYTES, true, vkr_l2(s))                                            \
    RESULT(VKR_BIT_ABSMAX, VKR_BYTES, false,                                                       \
           vkr_words_of_bits(vkr_absmax_of_key(s.absmax, is_empty)))                               \
    RESULT(VKR_BIT_ARGMIN, VKR_INDEX_BYTES, false, vkr_words_of_arg(s.argmin))                     \
    RESULT(VKR_BIT_ARGMAX, VKR_INDEX_BYTES, false, vkr_words_of_arg(s.argmax))                     \
    RESULT(VKR_BIT_AND, VKR_BYTES, false, vkr_words_of_bits(s.all_))                               \
    RESULT(VKR_BIT_OR, VKR_BYTES, false, vkr_words_of_bits(s.any_))                                \
    RESULT(VKR_BIT_XOR, VKR_BYTES, false, vkr_words_of_bits(s.parity))                             \
    RESULT(VKR_BIT_COUNT, 8u, false, total)                                                        \
    RESULT(VKR_BIT_NAN, 8u, false, s.nan.n)                                                        \
    RESULT(VKR_BIT_DOT, VKR_SUM_BYTES, true, vkr_words_of(s.dot_))

/* Stores the results of `counted` elements, or of those that a mask has left of them. */
void vkr_write_results(VkrStates states, const uvec2 counted)
{
    VKR_EACH(c) {
        VkrState s = vkr_state_of(states, VKR_AT(c));
        uvec2 total = counted;
        if (VKR_MASKED)
            total = s.seen.n;
        bool is_empty = total == uvec2(0u);
        uvec2 words;
        vkr_result_at = 0u;
#define VKR_IF_true(then) then
#define VKR_IF_false(then)
#define VKR_RESULT(bit, bytes, is_sum, value)                                                      \
    if (VKR_HAS(bit)) {                                                                            \
        words = value;                                                                             \
        VKR_IF_##is_sum(words = vkr_canonical_nan(words);)                                         \
        vkr_write(VKR_AT(c), words, uint(bytes));                                                  \
    }
        VKR_RESULTS(VKR_RESULT)
#undef VKR_RESULT
#if !defined(VKR_SEGMENTS) && !defined(VKR_OF_TILES) && !VKR_OF_IMAGE
        /* In place there is one operator. Segments, tiles and images are never reduced in place,
         * and a store that is never reached would still count as a store to the offsets, or need a
         * binding. */
        if (VKR_OUTPUT == VKR_OUTPUT_ELEMENT_RESULT)
            vkr_replaced[push.input_base + VKR_AT(c)] = VKR_TO_STORE(words);
#endif
    }
}

/* The element that stands for a state, for operators that work in place. A workgroup that saw no
 * element, which a count on the GPU can cause, must not outweigh one that saw nothing but NaN. */
uvec2 vkr_as_element(const VkrState s)
{
    uvec2 words = vkr_canonical_nan(vkr_words_of(VKR_HAS(VKR_BIT_PRODUCT) ? s.product : s.sum));
    if (VKR_HAS(VKR_BIT_MIN))
        words = vkr_words_of_bits(
            vkr_min_of_key(s.least, VKR_PROPAGATE_NAN && s.least == VKR_PAD));
    if (VKR_HAS(VKR_BIT_MAX))
        words = vkr_words_of_bits(
            vkr_max_of_key(s.greatest, VKR_PROPAGATE_NAN && s.greatest == VKR_PAD));
    if (VKR_HAS(VKR_BIT_AND))
        words = vkr_words_of_bits(s.all_);
    if (VKR_HAS(VKR_BIT_OR))
        words = vkr_words_of_bits(s.any_);
    if (VKR_HAS(VKR_BIT_XOR))
        words = vkr_words_of_bits(s.parity);
    return words;
}

#endif
