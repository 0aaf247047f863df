/* SPDX-License-Identifier: MIT */
/* The exponential function of apply.h, of four numbers that are not positive. The only float
 * operations are precise products, sums and differences, so every device gives the same bits. */
#ifndef VKR_EXP_GLSL
#define VKR_EXP_GLSL

#define VKR_LOG2_OF_E 1.44269502
#define VKR_LN2_UPPER 0.693145752 /* 15 bits of log 2, and the rest: products with k are exact */
#define VKR_LN2_LOWER 1.42860677e-06

const float vkr_exp_coefficients[5] = float[](
    0.00138145405799, 0.00836874544621, 0.0416683889925, 0.16666521132, 0.499999940395);

/* Where the result would be below the smallest normal number, and of a NaN, it is +0. */
vec4 vkr_exp(const vec4 v)
{
    bvec4 is_small = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x42aeac4fu));
    vec4 x = mix(v, vec4(0.0), is_small);
    precise vec4 t = x * VKR_LOG2_OF_E;
    t = t + 0.5;
    vec4 whole = floor(t);
    ivec4 k = ivec4(whole);
    precise vec4 f = whole * VKR_LN2_UPPER;
    f = x - f;
    precise vec4 rest = whole * VKR_LN2_LOWER;
    f = f - rest;
    precise vec4 p = vec4(vkr_exp_coefficients[0]);
    [[unroll]] for (uint i = 1u; i < 5u; i++) {
        p = p * f;
        p = p + vkr_exp_coefficients[i];
    }
    p = p * f;
    p = p * f;
    p = f + p;
    p = p + 1.0;
    p = p * intBitsToFloat(k + 127 << 23);
    return mix(p, vec4(0.0), is_small);
}

#endif
