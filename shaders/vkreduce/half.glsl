/* SPDX-License-Identifier: MIT */
/* Floats of 16 bits as floats of 32, in integers, so that no driver flushes a subnormal. */
#ifndef VKR_HALF_GLSL
#define VKR_HALF_GLSL

/* The bits of the same number; where `flushes`, those of 0 for a subnormal. */
uint vkr_widen_half(const uint bits, const bool flushes)
{
    uint sign = (bits & 0x8000u) << 16;
    uint rest = bits & 0x7fffu;
    if (rest >= 0x7c00u)
        return sign | 0x7f800000u | (rest & 0x3ffu) << 13;
    if (rest >= 0x400u)
        return sign | ((rest << 13) + (112u << 23));
    if (rest == 0u || flushes)
        return sign;
    uint shift = 10u - uint(findMSB(rest));
    return sign | ((113u - shift) << 23) | ((rest << (13u + shift)) & 0x7fffffu);
}

#endif
