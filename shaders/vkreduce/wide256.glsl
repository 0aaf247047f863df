/* SPDX-License-Identifier: MIT */
/* Integers of 256 bits, which hold a number of elements times the sum of their squares. */
#ifndef VKR_WIDE256_GLSL
#define VKR_WIDE256_GLSL

/* Low words first. */
struct VkrLong {
    uvec4 low, high;
};

uvec4 vkr_add(const uvec4 a, const uvec4 b, inout uint carry)
{
    uvec4 carries;
    uvec4 sum = uaddCarry(a, b, carries);
    uint more;
    sum.x = uaddCarry(sum.x, carry, more);
    sum.y = uaddCarry(sum.y, carries.x | more, more);
    sum.z = uaddCarry(sum.z, carries.y | more, more);
    sum.w = uaddCarry(sum.w, carries.z | more, more);
    carry = carries.w | more;
    return sum;
}

VkrLong vkr_add(const VkrLong a, const VkrLong b, const uint carry_in)
{
    uint carry = carry_in;
    uvec4 low = vkr_add(a.low, b.low, carry);
    return VkrLong(low, vkr_add(a.high, b.high, carry));
}

/* a 2^32. */
VkrLong vkr_up(const VkrLong a)
{
    return VkrLong(uvec4(0u, a.low.xyz), uvec4(a.low.w, a.high.xyz));
}

VkrLong vkr_multiply(const VkrLong a, const uint b)
{
    VkrLong low, high;
    umulExtended(a.low, uvec4(b), high.low, low.low);
    umulExtended(a.high, uvec4(b), high.high, low.high);
    return vkr_add(low, vkr_up(high), 0u);
}

/* a b, modulo 2^256. */
VkrLong vkr_multiply(const VkrLong a, const uvec4 b)
{
    VkrLong product = vkr_multiply(a, b.w);
    product = vkr_add(vkr_up(product), vkr_multiply(a, b.z), 0u);
    product = vkr_add(vkr_up(product), vkr_multiply(a, b.y), 0u);
    return vkr_add(vkr_up(product), vkr_multiply(a, b.x), 0u);
}

/* The number of bits above the highest one that is set; a is not 0. */
uint vkr_bits_above(const VkrLong a)
{
    ivec4 low = findMSB(a.low), high = findMSB(a.high);
    low = mix(low + ivec4(0, 32, 64, 96), ivec4(0), lessThan(low, ivec4(0)));
    high = mix(high + ivec4(128, 160, 192, 224), ivec4(0), lessThan(high, ivec4(0)));
    ivec4 top = max(low, high);
    return 255u - uint(max(max(top.x, top.y), max(top.z, top.w)));
}

/* a 2^n, n < 256. */
VkrLong vkr_shift(const VkrLong a, const uint n)
{
    VkrLong b = a;
    if ((n & 128u) != 0u)
        b = VkrLong(uvec4(0u), b.low);
    if ((n & 64u) != 0u)
        b = vkr_up(vkr_up(b));
    if ((n & 32u) != 0u)
        b = vkr_up(b);
    uint bits = n & 31u;
    VkrLong carried = vkr_up(VkrLong(b.low >> 1 >> (31u - bits), b.high >> 1 >> (31u - bits)));
    return VkrLong(b.low << bits | carried.low, b.high << bits | carried.high);
}

/* a 2 + bit. */
uvec4 vkr_shift_in(const uvec4 a, const uint bit)
{
    return a << 1 | uvec4(bit, a.xyz >> 31);
}

#endif
