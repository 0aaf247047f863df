/* SPDX-License-Identifier: MIT */
/*
 * The order of floats as an order of unsigned integers: the bits of a float become an integer, and
 * back, such that integers compare as the values do, -0 is below +0, and NaN is beyond the infinity
 * of its sign. `sign` is the bit of the sign, `mask` has all bits set, and `infinity` has the bits
 * of +infinity.
 */
#ifndef VKR_KEY_GLSL
#define VKR_KEY_GLSL

#define VKR_ORDER_OF_FLOAT(bits, sign, mask)                                                       \
    ((bits) ^ (((bits) & (sign)) == (sign) ? (mask) : (sign)))
#define VKR_FLOAT_OF_ORDER(order, sign, mask)                                                      \
    ((order) ^ (((order) & (sign)) == (sign) ? (sign) : (mask)))

/* The same for 32 bits, where an arithmetic shift saves instructions. */
#define VKR_ORDER_OF_FLOAT32(bits) ((bits) ^ (uint(int(bits) >> 31) | 0x80000000u))

/* The integers of -infinity and +infinity. */
#define VKR_ORDER_LOWEST(sign, mask, infinity) ((mask) ^ ((infinity) | (sign)))
#define VKR_ORDER_HIGHEST(sign, infinity) ((infinity) | (sign))

#endif
