/* SPDX-License-Identifier: MIT */
#ifndef VKR_WIDEN_GLSL
#define VKR_WIDEN_GLSL

#include "vkreduce/half.glsl"

/* A word of an element, as a number of 32 bits (cards/widen.h). */
uint vkr_widen(const uint word)
{
    if (VKR_WIDEN == VKR_WIDEN_HALF || VKR_WIDEN == VKR_WIDEN_BFLOAT)
        return vkr_widen_half(word, VKR_WIDEN == VKR_WIDEN_BFLOAT);
    return uint(int(word << VKR_WIDEN) >> int(VKR_WIDEN));
}

#endif
