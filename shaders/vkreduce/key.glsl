/* SPDX-License-Identifier: MIT */
/*
 * The order of floats as that of unsigned integers: what the bits of a float become, so that
 * integers compare as the values do, -0 below +0, and NaN beyond the infinity of its sign; and
 * back. `sign` is the bit of the sign, `mask` all bits, `infinity` those of +infinity.
 */
#ifndef VKR_KEY_GLSL
#define VKR_KEY_GLSL

#define VKR_ORDER_OF_FLOAT(bits, sign, mask)                                                       \
    ((bits) ^ (((bits) & (sign)) == (sign) ? (mask) : (sign)))
#define VKR_FLOAT_OF_ORDER(order, sign, mask)                                                      \
    ((order) ^ (((order) & (sign)) == (sign) ? (sign) : (mask)))

/* The same of 32 bits, where a shift that keeps the sign is fewer instructions. */
#define VKR_ORDER_OF_FLOAT32(bits) ((bits) ^ (uint(int(bits) >> 31) | 0x80000000u))

/* Where the infinities come. */
#define VKR_ORDER_LOWEST(sign, mask, infinity) ((mask) ^ ((infinity) | (sign)))
#define VKR_ORDER_HIGHEST(sign, infinity) ((infinity) | (sign))

#endif
