/* SPDX-License-Identifier: MIT */
#include "order.h"

/* Integers, whose keys fill all bits. */
static vkr_order order_of_integers(const vkr_type_info *type, uint64_t mask, bool descending)
{
    return (vkr_order){.form = (type->is_signed ? VKR_KEY_IS_SIGNED : 0) |
                               (descending ? VKR_KEY_IS_NEGATED : 0),
                       .bias = descending ? mask : 0,
                       .most = mask};
}

uint64_t vkr_infinity_of(const vkr_type_info *type)
{
    const uint64_t magnitude = UINT64_MAX >> (65 - 8 * type->size);
    return magnitude - ((UINT64_C(1) << type->fraction) - 1);
}

/* Numbers have orders from `lowest` to `highest`, those of -infinity and +infinity, and NaN have
 * the orders on both sides. The bias moves the last number to the greatest key, or the first one to
 * key 0; so all NaN lie at the other end, since orders wrap. One of their keys, which is next to
 * those of numbers, is the bound where keys are clamped. */
vkr_order vkr_order_of(const vkr_type_info *type, bool descending, bool nan_first)
{
    const uint32_t bits = 8 * type->size;
    const uint64_t mask = UINT64_MAX >> (64 - bits), sign = mask ^ mask >> 1;
    if (!type->is_float)
        return order_of_integers(type, mask, descending);
    const uint64_t infinity = vkr_infinity_of(type);
    const uint64_t lowest = mask ^ (infinity | sign), highest = infinity | sign;
    const uint64_t first = descending ? highest : lowest, last = descending ? lowest : highest;
    const uint64_t at_0 = descending ? first : 0 - first;
    const uint64_t at_end = mask + (descending ? last : 0 - last);
    vkr_order order = {.form = VKR_KEY_IS_FLOAT | (descending ? VKR_KEY_IS_NEGATED : 0)};
    order.bias = (nan_first ? at_end : at_0) & mask;
    order.least = nan_first ? mask - (highest - lowest) - 1 : 0;
    order.most = nan_first ? mask : highest - lowest + 1;
    return order;
}

void vkr_order_by_value(vkr_order *order)
{
    if ((order->form & VKR_KEY_IS_FLOAT) != 0)
        order->form |= VKR_KEY_IS_BY_VALUE | VKR_KEY_IS_CLAMPED;
}

/* As vkr_bits_of of order.glsl. */
uint64_t vkr_last_of_order(const vkr_type_info *type, const vkr_order *o)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * type->size), sign = mask ^ mask >> 1;
    const bool is_negated = (o->form & VKR_KEY_IS_NEGATED) != 0;
    const uint64_t order = (is_negated ? o->bias - mask : mask - o->bias) & mask;
    if ((o->form & VKR_KEY_IS_FLOAT) != 0)
        return (order & sign) != 0 ? order ^ sign : order ^ mask;
    return (o->form & VKR_KEY_IS_SIGNED) != 0 ? order ^ sign : order;
}

void vkr_set_order(const vkr_order *order, uint32_t *constants)
{
    const uint32_t values[VKR_KEY_CONSTANT_COUNT] = {
        order->form,
        (uint32_t)order->bias,
        (uint32_t)(order->bias >> 32),
        (uint32_t)order->least,
        (uint32_t)(order->least >> 32),
        (uint32_t)order->most,
        (uint32_t)(order->most >> 32),
    };
    for (uint32_t i = 0; i < VKR_KEY_CONSTANT_COUNT; i++)
        constants[i] = values[i];
}
