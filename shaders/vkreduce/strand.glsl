/* SPDX-License-Identifier: MIT */
/*
 * How long sums of floats stay accurate below level device. Rounding errors of a sum grow with the
 * number of consecutive additions, so at most VKR_STRAND elements are added one after the other.
 * Such a strand then joins a compensated sum, which keeps the rounding errors of its own additions
 * in a second float: however many strands join it, the error is about that of two roundings.
 * Sources: I. Babuska, "Numerical stability in mathematical analysis" (1969); A. Neumaier,
 * "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974), whose comparison
 * of the two summands is omitted: if a strand is greater than the sum before it, the error of the
 * kept loss can be one rounding of the strand.
 */
#ifndef VKR_STRAND_GLSL
#define VKR_STRAND_GLSL

#define VKR_STRAND 32u

#if VKR_IS_FLOAT
/* A sum, and its rounding errors. */
struct VkrHeldSum {
    VkrSum total;
    VkrSum lost;
};

/* The type that holds a part of type VkrSum, and its initial value. */
#define VKR_HELD_VkrSum VkrHeldSum
#define VKR_HELD_NONE_VkrSum VkrHeldSum(VkrSum(0), VkrSum(0))

VkrHeldSum vkr_held_with(const VkrHeldSum held, const VkrSum x)
{
    precise VkrSum total = held.total + x;
    precise VkrSum added = total - held.total;
    precise VkrSum missed = x - added;
    precise VkrSum lost = held.lost + missed;
    return VkrHeldSum(total, lost);
}

/* Once a total is infinite or NaN, its rounding error is NaN. */
VkrSum vkr_sum_of_held(const VkrHeldSum held)
{
    precise VkrSum sum = held.total + held.lost;
    uvec2 words = vkr_words_of(held.total);
    bool is_double = VKR_SUM_BYTES == 8;
    uint infinity = is_double ? 0x7ff00000u : 0x7f800000u;
    return ((is_double ? words.y : words.x) & infinity) == infinity ? held.total : sum;
}

/* The sum of the held sum and the last strand. */
VkrSum vkr_held_and(const VkrHeldSum held, const VkrSum last)
{
    return vkr_add(vkr_sum_of_held(held), last);
}
#endif

#endif
