/* SPDX-License-Identifier: MIT */
/*
 * The order of sort.h as one of unsigned integers, for operations that compare elements. The order
 * of a value's bits (shaders/vkreduce/key.glsl), negated or not, plus a bias, modulo 2^bits, is its
 * key. Keys compare as sort.h says; different bits have different keys, even those of NaN, so that
 * a key can be turned back into the bits. Clamped to least .. most, the keys of all NaN are equal.
 * For a type of fewer than 64 bits all three are below 2^bits.
 */
#ifndef VKR_ORDER_H
#define VKR_ORDER_H

#include "../../shaders/cards/order.h"
#include "../tables/types.h"

typedef struct vkr_order {
    uint32_t form; /* VKR_KEY_IS_* */
    uint64_t bias, least, most;
} vkr_order;

/* The order in which smaller values come first, or greater ones if `descending`, and NaN last, or
 * first if `nan_first`. Keys are not clamped unless the caller adds VKR_KEY_IS_CLAMPED. */
vkr_order vkr_order_of(const vkr_type_info *type, bool descending, bool nan_first);

/* The bits of +infinity. */
uint64_t vkr_infinity_of(const vkr_type_info *type);

/* Makes -0 equal to +0, and all NaN equal to each other. Other numbers are unique as they are. */
void vkr_order_by_value(vkr_order *order);

/* The bits of the value that comes last. */
uint64_t vkr_last_of_order(const vkr_type_info *type, const vkr_order *order);

/* Sets the constants of a card's VKR_KEY_CONSTANTS: VKR_KEY_CONSTANT_COUNT of them, the first of
 * which is the card's CONST_KEY_FORM. */
void vkr_set_order(const vkr_order *order, uint32_t *constants);

#endif
