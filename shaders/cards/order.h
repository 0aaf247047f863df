/* SPDX-License-Identifier: MIT */
/* Specialisation constants, starting at id `first`, of kernels that compare keys
 * (vkreduce/order.glsl). src/op/order.h sets them. */
#ifndef VKR_CARDS_ORDER_H
#define VKR_CARDS_ORDER_H

/* Bits of KEY_FORM. */
#define VKR_KEY_IS_FLOAT 1u
#define VKR_KEY_IS_SIGNED 2u    /* an integer with a sign */
#define VKR_KEY_IS_NEGATED 4u   /* the order of the bits is subtracted */
#define VKR_KEY_IS_CLAMPED 8u   /* keys outside of the bounds equal the next bound */
#define VKR_KEY_IS_BY_VALUE 16u /* of floats: -0 equals +0 */

#define VKR_KEY_CONSTANTS(first)                                                                   \
    CONSTANT(KEY_FORM, first, uint, 0)                                                             \
    CONSTANT(KEY_BIAS_LOW, ((first) + 1), uint, 0)                                                 \
    CONSTANT(KEY_BIAS_HIGH, ((first) + 2), uint, 0)                                                \
    CONSTANT(KEY_LEAST_LOW, ((first) + 3), uint, 0)                                                \
    CONSTANT(KEY_LEAST_HIGH, ((first) + 4), uint, 0)                                               \
    CONSTANT(KEY_MOST_LOW, ((first) + 5), uint, 0)                                                 \
    CONSTANT(KEY_MOST_HIGH, ((first) + 6), uint, 0)
#define VKR_KEY_CONSTANT_COUNT 7

#endif
