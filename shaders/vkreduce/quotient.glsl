/* SPDX-License-Identifier: MIT */
/*
 * Division for kernels that divide for each of many results: one division of floats gives an
 * estimate, which integers correct, instead of a loop over digits. Results are those of
 * vkr_divide (round.glsl), which it replaces where VKR_FLAG_FEW says that divisors are less than
 * 2^24.
 */
#ifndef VKR_QUOTIENT_GLSL
#define VKR_QUOTIENT_GLSL

#if VKR_IS_FLOAT && !VKR_REAL_IS_F64
const bool VKR_FEW = (VKR_FLAGS & VKR_FLAG_FEW) != 0u;

/* number / n for a number of at most 24 bits and 0 < n < 2^24. The quotient of both mantissas has
 * 25 bits. Drivers may divide and convert with an error of a few last places: the estimate differs
 * by less than 64 from the quotient, so what is left of the dividend fits one word. */
uvec2 vkr_divide_by_few(const VkrScaled number, const uint n)
{
    uint dividend = floatBitsToUint(float(number.m.x)), divisor = floatBitsToUint(float(n));
    uint above = (dividend & 0x7fffffu) | 0x800000u, below = (divisor & 0x7fffffu) | 0x800000u;
    uint is_less = above < below ? 1u : 0u;
    float inverse = 1.0 / uintBitsToFloat((divisor & 0x7fffffu) | 0x3f800000u);
    float scaled = uintBitsToFloat((dividend & 0x7fffffu) | (127u + is_less) << 23);
    uint quotient = uint(scaled * inverse * 16777216.0);
    int left = int((above << (24u + is_less)) - quotient * below);
    int more = int(floor(float(left) * inverse / 8388608.0));
    quotient += uint(more);
    left -= more * int(below); /* the quotient is now at most one too great or too small */
    bool is_great = left < 0, is_small = left >= int(below);
    quotient += uint(is_great ? -1 : is_small ? 1 : 0);
    left += is_great ? int(below) : is_small ? -int(below) : 0;
    int exponent = number.e + int(dividend >> 23) - int(divisor >> 23) - int(is_less);
    uvec2 words = vkr_round(uvec2(quotient, 0u), uvec2(uint(left), 0u), exponent);
    return number.m.x == 0u ? uvec2(0u) : words;
}

uvec2 vkr_quotient(const VkrScaled number, const uvec2 b, const bool is_long)
{
    if (VKR_FEW)
        return vkr_divide_by_few(number, b.x);
    return vkr_divide(number, b, is_long);
}
#define vkr_divide vkr_quotient
#endif

#endif
