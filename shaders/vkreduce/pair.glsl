/* SPDX-License-Identifier: MIT */
/*
 * Numbers that are the sum of two floats, by vkr_add and vkr_multiply only: every operation is
 * rounded as written and, at level device, equal on all devices. Source: T. J. Dekker, "A
 * Floating-Point Technique for Extending the Available Precision" (1971).
 */
#ifndef VKR_PAIR_GLSL
#define VKR_PAIR_GLSL

struct VkrPair {
    VkrSum high, low;
};

/* a + b, and its rounding error. */
VkrPair vkr_two_sum(const VkrSum a, const VkrSum b)
{
    VkrSum sum = vkr_add(a, b);
    VkrSum of_b = vkr_add(sum, -a);
    VkrSum of_a = vkr_add(sum, -of_b);
    return VkrPair(sum, vkr_add(vkr_add(a, -of_a), vkr_add(b, -of_b)));
}

/* The upper half of a mantissa's bits. */
VkrSum vkr_upper(const VkrSum a)
{
    uvec2 words = vkr_words_of(a);
    words.x &= VKR_SUM_BYTES == 8 ? 0xf8000000u : 0xfffff000u;
    return vkr_sum_of(words);
}

/* a b, and its rounding error. */
VkrPair vkr_two_product(const VkrSum a, const VkrSum b)
{
    VkrSum product = vkr_multiply(a, b);
    VkrSum upper_a = vkr_upper(a), upper_b = vkr_upper(b);
    VkrSum lower_a = vkr_add(a, -upper_a), lower_b = vkr_add(b, -upper_b);
    VkrSum lost = vkr_add(vkr_multiply(upper_a, upper_b), -product);
    lost = vkr_add(lost, vkr_multiply(upper_a, lower_b));
    lost = vkr_add(lost, vkr_multiply(lower_a, upper_b));
    return VkrPair(product, vkr_add(lost, vkr_multiply(lower_a, lower_b)));
}

/* The same number with as much as possible in `high`. Once `high` is infinite or NaN, `low` is NaN
 * and ignored. */
VkrPair vkr_settled(const VkrSum high, const VkrSum low)
{
    VkrSum sum = vkr_add(high, low);
    VkrPair a = VkrPair(sum, vkr_add(low, -vkr_add(sum, -high)));
    if (!vkr_is_finite(vkr_words_of(high)))
        a = VkrPair(high, VkrSum(0));
    return a;
}

VkrPair vkr_add(const VkrPair a, const VkrPair b)
{
    VkrPair sum = vkr_two_sum(a.high, b.high);
    return vkr_settled(sum.high, vkr_add(sum.low, vkr_add(a.low, b.low)));
}

VkrPair vkr_multiply(const VkrPair a, const VkrPair b)
{
    VkrPair product = vkr_two_product(a.high, b.high);
    VkrSum across = vkr_add(vkr_multiply(a.high, b.low), vkr_multiply(a.low, b.high));
    return vkr_settled(product.high, vkr_add(product.low, across));
}

/* A number of elements, exact up to 2^40. */
VkrPair vkr_pair_of(const uvec2 count)
{
    VkrSum high = vkr_multiply(VkrSum(count.y << 16 | count.x >> 16), VkrSum(65536));
    return vkr_settled(high, VkrSum(count.x & 0xffffu));
}

/* Nearly 1 / a, for a > 0, by Newton's method, since devices divide differently. */
VkrSum vkr_inverse(const VkrSum a)
{
    uvec2 words = vkr_words_of(a);
#if VKR_SUM_BYTES == 8
    VkrSum inverse = vkr_sum_of(uvec2(0u, 0x7fde6238u - words.y));
    const uint steps = 5u;
#else
    VkrSum inverse = vkr_sum_of(uvec2(0x7ef311c7u - words.x, 0u));
    const uint steps = 4u;
#endif
    [[unroll]] for (uint i = 0u; i < steps; i++) inverse =
        vkr_multiply(inverse, vkr_add(VkrSum(2), -vkr_multiply(a, inverse)));
    return inverse;
}

#endif
