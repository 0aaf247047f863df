/* SPDX-License-Identifier: MIT */
/* The logarithms of LOG2 bins, by the rule of histogram.h: fixed point, in integers. */
#ifndef VKR_LOG2_EDGES_GLSL
#define VKR_LOG2_EDGES_GLSL

#include "exact.glsl"

#define VKR_LOG_BITS 48u

/* floor(2^62 2^(2^-i)) for i = 1, 2, ... This is a variable, since glslang copies a constant array
 * wherever it is indexed. */
uvec2 vkr_roots_of_two[VKR_LOG_BITS] = uvec2[](
    uvec2(0xfcef3242u, 0x5a827999u), uvec2(0xc6dc54b7u, 0x4c1bf828u),
    uvec2(0xf545eb73u, 0x45cae0f1u), uvec2(0xe6243d8au, 0x42d561b3u),
    uvec2(0x5615d0ebu, 0x4166c34cu), uvec2(0xde0183b9u, 0x40b268f9u),
    uvec2(0xecccd5b6u, 0x4058f6a7u), uvec2(0x6af2fb58u, 0x402c6be9u),
    uvec2(0x687027a8u, 0x4016321bu), uvec2(0x8ba33b14u, 0x400b1817u),
    uvec2(0x410147e8u, 0x40058bceu), uvec2(0xbff71daeu, 0x4002c5d7u),
    uvec2(0x07ee7e5bu, 0x400162e8u), uvec2(0x0df6a524u, 0x4000b173u),
    uvec2(0x497b8151u, 0x400058b9u), uvec2(0x955dd701u, 0x40002c5cu),
    uvec2(0x46d6f26bu, 0x4000162eu), uvec2(0x22757b1bu, 0x40000b17u),
    uvec2(0x90fd3e0cu, 0x4000058bu), uvec2(0xc86f3f26u, 0x400002c5u),
    uvec2(0xe433c79bu, 0x40000162u), uvec2(0x7218edcfu, 0x400000b1u),
    uvec2(0xb90c3968u, 0x40000058u), uvec2(0x5c860d54u, 0x4000002cu),
    uvec2(0x2e4302d2u, 0x40000016u), uvec2(0x17218073u, 0x4000000bu),
    uvec2(0x8b90bffcu, 0x40000005u), uvec2(0xc5c85feeu, 0x40000002u),
    uvec2(0x62e42ff3u, 0x40000001u), uvec2(0xb17217f8u, 0x40000000u),
    uvec2(0x58b90bfcu, 0x40000000u), uvec2(0x2c5c85feu, 0x40000000u),
    uvec2(0x162e42feu, 0x40000000u), uvec2(0x0b17217fu, 0x40000000u),
    uvec2(0x058b90bfu, 0x40000000u), uvec2(0x02c5c85fu, 0x40000000u),
    uvec2(0x0162e42fu, 0x40000000u), uvec2(0x00b17217u, 0x40000000u),
    uvec2(0x0058b90bu, 0x40000000u), uvec2(0x002c5c85u, 0x40000000u),
    uvec2(0x00162e42u, 0x40000000u), uvec2(0x000b1721u, 0x40000000u),
    uvec2(0x00058b90u, 0x40000000u), uvec2(0x0002c5c8u, 0x40000000u),
    uvec2(0x000162e4u, 0x40000000u), uvec2(0x0000b172u, 0x40000000u),
    uvec2(0x000058b9u, 0x40000000u), uvec2(0x00002c5cu, 0x40000000u));

/* The product of numbers in units of 2^-62, rounded down; it is below 4, so it fits in 64 bits. */
uvec2 vkr_multiply62(const uvec2 a, const uvec2 b)
{
    uvec4 product = vkr_product(a, b);
    return product.yz >> 30 | product.zw << 2;
}

/* log2 of m 2^e, where m is not 0, in units of 2^-48: 64 bits in two's complement. The first factor
 * is in units of 2^-63, since an integer may have that many bits. */
uvec2 vkr_log_of(const uvec2 m, const int e)
{
    VkrBig number = vkr_big(m);
    int top = int(vkr_big_top(number));
    uvec2 x = vkr_big_shift_left(number, uint(63 - top)).low.xy;
    int whole = top + e;
    uvec2 log_ = uvec2(0u, uint(whole) << 16);
    for (uint i = VKR_LOG_BITS; i > 0u; i--) {
        uvec4 square = vkr_product(x, x);
        x = i == VKR_LOG_BITS ? square.zw : square.yz >> 30 | square.zw << 2;
        if ((x.y >> 31) != 0u) {
            uint bit = i - 1u;
            log_ |= bit < 32u ? uvec2(1u << bit, 0u) : uvec2(0u, 1u << (bit - 32u));
            x = uvec2(x.x >> 1 | x.y << 31, x.y >> 1);
        }
    }
    return log_;
}

/* The fraction of 2^q, q in the same units, as a number from 1 to 2 in units of 2^-62. Its exponent
 * is q's high word / 2^16, rounded down. */
uvec2 vkr_power_of(const uvec2 q)
{
    uvec2 product = uvec2(0u, 0x40000000u);
    for (uint i = 1u; i <= VKR_LOG_BITS; i++) {
        uint bit = VKR_LOG_BITS - i;
        uint word = bit < 32u ? q.x >> bit : q.y >> (bit - 32u);
        if ((word & 1u) != 0u)
            product = vkr_multiply62(product, vkr_roots_of_two[i - 1u]);
    }
    return product;
}

#endif
