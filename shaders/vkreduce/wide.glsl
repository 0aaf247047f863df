/* SPDX-License-Identifier: MIT */
/* Unsigned numbers of 64 bits as two words, low and high. */
#ifndef VKR_WIDE_GLSL
#define VKR_WIDE_GLSL

bool vkr_less(const uvec2 a, const uvec2 b)
{
    /* Operands of || and && must be variables, since others become branches. */
    bool low = a.x < b.x;
    bool equal = a.y == b.y;
    bool high = a.y < b.y;
    return high || (equal && low);
}

uvec2 vkr_minimum(const uvec2 a, const uvec2 b)
{
    return vkr_less(a, b) ? a : b;
}

uvec2 vkr_add(const uvec2 a, const uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 vkr_subtract(const uvec2 a, const uvec2 b)
{
    uint borrow;
    uint low = usubBorrow(a.x, b.x, borrow);
    return uvec2(low, a.y - b.y - borrow);
}

#endif
