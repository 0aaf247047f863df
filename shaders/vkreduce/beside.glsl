/* SPDX-License-Identifier: MIT */
/* Flags that lie in an array of their own beside the elements, of 1, 8 or 32 bits each. The array
 * is read as words. */
#ifndef VKR_BESIDE_GLSL
#define VKR_BESIDE_GLSL

const uint VKR_FLAG_LOG2 = VKR_NUMBER; /* log2 of the bits of a flag */
const uint VKR_FLAG_MASK = 0xffffffffu >> 32u - (1u << VKR_FLAG_LOG2);

uint vkr_word_of_flag(const uint i)
{
    return vkr_source[push.source_base + (i >> 5u - VKR_FLAG_LOG2)];
}

bool vkr_is_flag_set(const uint i)
{
    return (vkr_word_of_flag(i) >> (i << VKR_FLAG_LOG2 & 31u) & VKR_FLAG_MASK) != 0u;
}

/* A set bit for each element of unit u, a full one, whose flag is set. The flags of a unit fill at
 * most one word, unless each is a word. */
uint vkr_flags_of_unit(const uint u)
{
    uint begin = vkr_begin_of(u);
    uint shift = begin << VKR_FLAG_LOG2 & 31u;
    uint set = 0u;
    uint flags = 0u;
    if (VKR_FLAG_LOG2 != 5u)
        flags = vkr_word_of_flag(begin) >> shift |
                vkr_word_of_flag(begin + VKR_UNIT - 1u) << 1u << 31u - shift;
    for (uint k = 0u; k < VKR_UNIT; k++) {
        uint flag = VKR_FLAG_LOG2 == 5u ? vkr_word_of_flag(begin + k)
                                        : flags >> (k << VKR_FLAG_LOG2) & VKR_FLAG_MASK;
        set |= flag != 0u ? 1u << k : 0u;
    }
    return set;
}

#endif
