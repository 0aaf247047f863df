/* SPDX-License-Identifier: MIT */
/* Keys as digits: what is above a bit, and what one more digit makes of that. */
#ifndef VKR_DIGITS_GLSL
#define VKR_DIGITS_GLSL

#include "order.glsl"

const uint VKR_KEY_BITS = 8u * uint(VKR_UNIT_BYTES);

/* The bits of a key starting at bit `shift`. */
#if VKR_UNIT_BYTES == 8
VkrKey vkr_above(const VkrKey key, const uint shift)
{
    if (shift >= 32u)
        return uvec2(shift == 64u ? 0u : key.y >> (shift & 31u), 0u);
    return shift == 0u ? key : uvec2(key.x >> shift | key.y << (32u - shift), key.y >> shift);
}

VkrKey vkr_join(const VkrKey bound, const uint width, const uint digit)
{
    return uvec2(bound.x << width | digit, bound.y << width | bound.x >> (32u - width));
}

uint vkr_low_word(const VkrKey key)
{
    return key.x;
}
#else
VkrKey vkr_above(const VkrKey key, const uint shift)
{
    return shift == 32u ? 0u : key >> shift;
}

VkrKey vkr_join(const VkrKey bound, const uint width, const uint digit)
{
    return bound << width | digit;
}

uint vkr_low_word(const VkrKey key)
{
    return key;
}
#endif

#endif
