/* SPDX-License-Identifier: MIT */
/*
 * logsumexp: the logarithm of the sum of exp(x), which is finite wherever the result is. A state is
 * a sum of exp(x - reference). While elements are added, the reference stays until one is greater
 * by more than VKR_LAG: it then becomes the reference, and the sum is scaled, which can therefore
 * add few rounding errors, however slowly the elements ascend. Where states are combined, the
 * greater reference stays. Source: M. Milakov, N. Gimelshein, "Online normalizer calculation for
 * softmax" (2018), without the lag.
 */
#ifndef VKR_OPERATORS_EXPS_GLSL
#define VKR_OPERATORS_EXPS_GLSL

#if VKR_IS_FLOAT && VKR_SUM_BYTES == 4
#include "../exp.glsl"
#include "../functions.glsl"

/* ---- The part ---- */

#define VKR_LAG 16.0
#define VKR_BELOW_ALL uintBitsToFloat(0xff800000u)
struct VkrExps {
    float reference; /* -inf while there are no elements, and where they are -inf or NaN */
    float sum;       /* at least 1 where the reference is finite; NaN if an element is NaN */
};
#define VKR_NO_EXPS VkrExps(VKR_BELOW_ALL, 0.0)
#define VKR_WORDS_VkrExps 2u
#define VKR_MOVED_VkrExps(v)                                                                       \
    VkrExps(vkr_move_sum(at, i, is_shared, stores, v.reference),                                   \
            vkr_move_sum(at, i + 1u, is_shared, stores, v.sum))

/* One reference for two states, at most `lag` below the greater one, and what their sums are
 * multiplied by. The exponential function of a difference of equal infinities is 0. */
struct VkrLevelled {
    float reference, held, other;
};

VkrLevelled vkr_level(const float held, const float other, const float lag)
{
    float above = vkr_add(other, -held);
    bool jumps = above > lag;
    float factor = vkr_exp(vec4(jumps ? -above : above)).x;
    return VkrLevelled(jumps ? other : held, jumps ? factor : 1.0, jumps ? 1.0 : factor);
}

VkrExps vkr_join(const VkrExps a, const VkrExps b, const float lag)
{
    VkrLevelled both = vkr_level(a.reference, b.reference, lag);
    return VkrExps(both.reference,
                   vkr_add(vkr_multiply(a.sum, both.held), vkr_multiply(b.sum, both.other)));
}

VkrExps vkr_exps(const VkrExps a, const VkrExps b)
{
    return vkr_join(a, b, 0.0);
}

/* A NaN stays in the sum: as a reference it could never change. */
VkrExps vkr_take_exps(const VkrExps a, VkrExps lifted)
{
    if ((floatBitsToUint(lifted.reference) & 0x7fffffffu) > 0x7f800000u)
        lifted = VkrExps(a.reference, lifted.reference);
    return vkr_join(a, lifted, VKR_LAG);
}

/* ---- Strands (strand.glsl) ---- */

struct VkrHeldExps {
    float reference;
    VkrHeldSum sum;
};
#define VKR_HELD_VkrExps VkrHeldExps
#define VKR_HELD_NONE_VkrExps VkrHeldExps(VKR_BELOW_ALL, VKR_HELD_NONE_VkrSum)

VkrHeldExps vkr_held_with(const VkrHeldExps held, const VkrExps strand)
{
    VkrLevelled both = vkr_level(held.reference, strand.reference, VKR_LAG);
    VkrHeldSum sum = VkrHeldSum(vkr_multiply(held.sum.total, both.held),
                                vkr_multiply(held.sum.lost, both.held));
    return VkrHeldExps(both.reference, vkr_held_with(sum, vkr_multiply(strand.sum, both.other)));
}

VkrExps vkr_held_and(const VkrHeldExps held, const VkrExps last)
{
    return vkr_exps(VkrExps(held.reference, vkr_sum_of_held(held.sum)), last);
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrExps vkr_shuffle(const VkrExps v, const uint mask)
{
    return VkrExps(vkr_shuffle(v.reference, mask), vkr_shuffle(v.sum, mask));
}
#endif
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
VKR_SUBGROUP_BUTTERFLY(vkr_subgroup_exps, exps, VkrExps)
#endif

/* ---- The result ---- */

uvec2 vkr_logsumexp(const VkrExps s)
{
    uint bits = floatBitsToUint(s.sum), reference = floatBitsToUint(s.reference);
    if (bits > 0x7f800000u)
        return VKR_REAL_NAN;
    if ((reference & 0x7fffffffu) == 0x7f800000u)
        return uvec2(reference, 0u);
    float log_ = vkr_multiply(vkr_log2(bits), 0.693147182);
    return uvec2(floatBitsToUint(vkr_add(s.reference, log_)), 0u);
}

#define VKR_ROW_EXPS(ROW)                                                                          \
    ROW(exps, VkrExps, VKR_USERS_EXPS, VKR_NO_EXPS, VkrExps(vkr_value(e.bits), 1.0), exps, held)
#define VKR_RESULT_LOGSUMEXP(RESULT) RESULT(LOGSUMEXP, 4u, true, vkr_logsumexp(s.exps))
#else
#define VKR_ROW_EXPS(ROW)
#define VKR_RESULT_LOGSUMEXP(RESULT)
#endif

#endif
