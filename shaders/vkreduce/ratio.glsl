/* SPDX-License-Identifier: MIT */
/*
 * Quotients of four numbers and one divisor. Drivers may divide with an error of a few last places,
 * so this divides by precise products and sums of mantissas, whose errors are computed exactly, and
 * by integers. Quotients have an error below 0.51 units in the last place; those whose magnitude is
 * below the smallest normal number, and all that are 0, are +0, and those of NaN the canonical NaN.
 */
#ifndef VKR_RATIO_GLSL
#define VKR_RATIO_GLSL

#define VKR_CANONICAL_NAN 0x7fc00000u
#define VKR_INFINITE 0x7f800000u

struct VkrDivisor {
    uint bits;
    float upper, lower; /* its mantissa, from 1 to 2, as a sum whose products are exact */
    float inverse;      /* of the mantissa */
};

/* The upper half of a float. */
vec4 vkr_upper(const vec4 v)
{
    return uintBitsToFloat(floatBitsToUint(v) & 0xfffff000u);
}

/* a - b c, where b c is near a. */
vec4 vkr_left(const vec4 a, const vec4 b, const VkrDivisor c)
{
    vec4 upper = vkr_upper(b);
    precise vec4 lower = b - upper;
    precise vec4 left = upper * c.upper;
    left = a - left;
    precise vec4 more = upper * c.lower;
    left = left - more;
    more = lower * c.upper;
    left = left - more;
    more = lower * c.lower;
    left = left - more;
    return left;
}

VkrDivisor vkr_divisor_of(const float v)
{
    VkrDivisor d;
    d.bits = floatBitsToUint(v);
    d.bits = (d.bits & 0x7f800000u) == 0u ? 0u : d.bits;
    float m = uintBitsToFloat((d.bits & 0x7fffffu) | 0x3f800000u);
    d.upper = uintBitsToFloat(floatBitsToUint(m) & 0xfffff000u);
    precise float lower = m - d.upper;
    d.lower = lower;
    precise float inverse = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(m));
    [[unroll]] for (uint i = 0u; i < 3u; i++) {
        precise float t = m * inverse;
        t = 2.0 - t;
        inverse = inverse * t;
    }
    precise float more = vkr_left(vec4(1.0), vec4(inverse), d).x * inverse;
    inverse = inverse + more;
    d.inverse = inverse;
    return d;
}

vec4 vkr_ratio(const vec4 v, const VkrDivisor d)
{
    uvec4 bits = floatBitsToUint(v);
    uvec4 size = bits & 0x7fffffffu;
    uvec4 sign = (bits ^ d.bits) & 0x80000000u;
    uint divisor = d.bits & 0x7fffffffu;
    vec4 m = uintBitsToFloat((bits & 0x7fffffu) | 0x3f800000u);
    precise vec4 q = m * d.inverse;
    precise vec4 more = vkr_left(m, q, d) * d.inverse;
    q = q + more;
    ivec4 shift = ivec4(size >> 23) - int(divisor >> 23);
    ivec4 exponent = ivec4(floatBitsToUint(q) >> 23) + shift;
    uvec4 result = floatBitsToUint(q) + uvec4(shift << 23) | sign;
    result = mix(result, VKR_INFINITE | sign, greaterThanEqual(exponent, ivec4(255)));
    bvec4 is_zero = lessThan(size, uvec4(0x800000u));
    result = mix(result, uvec4(0u), lessThanEqual(exponent, ivec4(0)));
    result = mix(result, uvec4(divisor == 0u ? VKR_CANONICAL_NAN : 0u), is_zero);
    result = mix(result, VKR_INFINITE | sign, equal(size, uvec4(VKR_INFINITE)));
    if (divisor == 0u)
        result = mix(VKR_INFINITE | sign, uvec4(VKR_CANONICAL_NAN), is_zero);
    bvec4 is_infinite = greaterThanEqual(size, uvec4(VKR_INFINITE));
    if (divisor == VKR_INFINITE)
        result = mix(uvec4(0u), uvec4(VKR_CANONICAL_NAN), is_infinite);
    if (divisor > VKR_INFINITE)
        result = uvec4(VKR_CANONICAL_NAN);
    result = mix(result, uvec4(VKR_CANONICAL_NAN), greaterThan(size, uvec4(VKR_INFINITE)));
    return uintBitsToFloat(result);
}

float vkr_ratio_of(const float v, const float divisor)
{
    return vkr_ratio(vec4(v), vkr_divisor_of(divisor)).x;
}

#endif
