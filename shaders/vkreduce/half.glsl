/* SPDX-License-Identifier: MIT */
/*
 * Floats of 16 bits as floats of 32. For an f16 this needs arithmetic, which no driver can flush,
 * since no subnormal f32 appears. A bf16 is the upper half of an f32.
 */
#ifndef VKR_HALF_GLSL
#define VKR_HALF_GLSL

/* The number of an f16, or a NaN; 0 for a subnormal if `flushes`. `bits` has no bits above the
 * lower 16. */
float vkr_number_of_half(const uint bits, const bool flushes)
{
    /* The sign, and an exponent that is greater by 224, so infinity and NaN keep all its bits; the
     * product subtracts 112, which leaves the difference of the two formats. */
    float wide = uintBitsToFloat((bitfieldExtract(int(bits), 0, 16) << 13) | 0x70000000);
    float number = abs(wide) * uintBitsToFloat(15u << 23);
    /* A subnormal now has a leading 1, of 2^-15, and half of its fraction: if it is less than
     * 2^-14, its distance from 2^-14 must be subtracted. */
    if (!flushes)
        number -= clamp(uintBitsToFloat(113u << 23) - number, 0.0, 1.0);
    else if ((bits & 0x7c00u) == 0u)
        number = 0.0;
    return uintBitsToFloat(floatBitsToUint(number) | (floatBitsToUint(wide) & 0x80000000u));
}

/* The bits of the same number, or NaN, as an f32. */
uint vkr_widen_half(const uint bits, const bool is_bfloat)
{
    if (is_bfloat)
        return bits << 16;
    uint rest = bits & 0x7fffu;
    uint number = floatBitsToUint(vkr_number_of_half(bits, false));
    if (rest > 0x7c00u)
        number = (bits & 0x8000u) << 16 | 0x7f800000u | (rest & 0x3ffu) << 13;
    return number;
}

#endif
