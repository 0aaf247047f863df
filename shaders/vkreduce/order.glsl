/* SPDX-License-Identifier: MIT */
/*
 * The order of sort.h as one of unsigned integers. The bits of an element become a key (VkrKey),
 * and the key becomes the same bits again; elements compare as their keys do. The key is plus or
 * minus the order-preserving integer of key.glsl, plus a bias, modulo 2^bits, such that NaN of both
 * signs lies beyond the numbers, at the same end. Before keys are compared they are clamped, which
 * makes all NaN equal, as searches need them, and all keys that lie in no bin; by value, the key of
 * -0 is replaced by that of +0, too.
 *
 * Before including it, define VKR_UNIT_BYTES as 1, 2, 4 or 8, and include a card that has
 * VKR_KEY_CONSTANTS (cards/order.h), which say what the order is.
 */
#ifndef VKR_ORDER_GLSL
#define VKR_ORDER_GLSL

#include "key.glsl"
#include "wide.glsl"

const bool VKR_KEY_FLOAT = (VKR_KEY_FORM & VKR_KEY_IS_FLOAT) != 0u;
const bool VKR_KEY_SIGNED = (VKR_KEY_FORM & VKR_KEY_IS_SIGNED) != 0u;
const bool VKR_KEY_NEGATED = (VKR_KEY_FORM & VKR_KEY_IS_NEGATED) != 0u;
const bool VKR_KEY_CLAMPED = (VKR_KEY_FORM & VKR_KEY_IS_CLAMPED) != 0u;
const bool VKR_KEY_BY_VALUE = (VKR_KEY_FORM & VKR_KEY_IS_BY_VALUE) != 0u;

#if VKR_UNIT_BYTES == 8
#define VkrKey uvec2
#define VKR_KEY_SIGN uvec2(0u, 0x80000000u)

VkrKey vkr_key_bias()
{
    return uvec2(VKR_KEY_BIAS_LOW, VKR_KEY_BIAS_HIGH);
}

VkrKey vkr_key_of(const VkrKey bits)
{
    uint negative = uint(int(bits.y) >> 31);
    VkrKey order = bits;
    if (VKR_KEY_FLOAT)
        order ^= uvec2(negative, negative | 0x80000000u);
    else if (VKR_KEY_SIGNED)
        order ^= VKR_KEY_SIGN;
    return VKR_KEY_NEGATED ? vkr_subtract(vkr_key_bias(), order) : vkr_add(order, vkr_key_bias());
}

VkrKey vkr_bits_of(const VkrKey key)
{
    VkrKey order =
        VKR_KEY_NEGATED ? vkr_subtract(vkr_key_bias(), key) : vkr_subtract(key, vkr_key_bias());
    uint positive = uint(int(order.y) >> 31);
    if (VKR_KEY_FLOAT)
        return order ^ uvec2(~positive, ~positive | 0x80000000u);
    return VKR_KEY_SIGNED ? order ^ VKR_KEY_SIGN : order;
}

bool vkr_key_less(const VkrKey a, const VkrKey b)
{
    return vkr_less(a, b);
}

VkrKey vkr_bounded(const VkrKey key)
{
    if (!VKR_KEY_CLAMPED)
        return key;
    VkrKey least = uvec2(VKR_KEY_LEAST_LOW, VKR_KEY_LEAST_HIGH);
    VkrKey most = uvec2(VKR_KEY_MOST_LOW, VKR_KEY_MOST_HIGH);
    VkrKey up = vkr_less(key, least) ? least : key;
    return vkr_less(most, up) ? most : up;
}
#else
#define VkrKey uint
#define VKR_KEY_MASK (0xffffffffu >> (32 - 8 * VKR_UNIT_BYTES))
#define VKR_KEY_SIGN (VKR_KEY_MASK ^ VKR_KEY_MASK >> 1)

/* The bits above those of an element are 0. */
VkrKey vkr_key_of(const VkrKey bits)
{
    VkrKey order = bits;
    if (VKR_KEY_FLOAT)
#if VKR_UNIT_BYTES == 4
        order = VKR_ORDER_OF_FLOAT32(bits);
#else
        order = VKR_ORDER_OF_FLOAT(bits, VKR_KEY_SIGN, VKR_KEY_MASK);
#endif
    else if (VKR_KEY_SIGNED)
        order ^= VKR_KEY_SIGN;
    return (VKR_KEY_NEGATED ? VKR_KEY_BIAS_LOW - order : order + VKR_KEY_BIAS_LOW) & VKR_KEY_MASK;
}

VkrKey vkr_bits_of(const VkrKey key)
{
    VkrKey order = VKR_KEY_NEGATED ? VKR_KEY_BIAS_LOW - key : key - VKR_KEY_BIAS_LOW;
    order &= VKR_KEY_MASK;
    if (VKR_KEY_FLOAT)
        return VKR_FLOAT_OF_ORDER(order, VKR_KEY_SIGN, VKR_KEY_MASK);
    return VKR_KEY_SIGNED ? order ^ VKR_KEY_SIGN : order;
}

bool vkr_key_less(const VkrKey a, const VkrKey b)
{
    return a < b;
}

VkrKey vkr_bounded(const VkrKey key)
{
    return VKR_KEY_CLAMPED ? clamp(key, VKR_KEY_LEAST_LOW, VKR_KEY_MOST_LOW) : key;
}
#endif

/* The key of +0 from that of -0, which is beside it. SwiftShader takes minutes to compile a
 * comparison of keys with one that is computed from constants. */
VkrKey vkr_next_to(const VkrKey key)
{
#if VKR_UNIT_BYTES == 8
    return VKR_KEY_NEGATED ? vkr_subtract(key, uvec2(1u, 0u)) : vkr_add(key, uvec2(1u, 0u));
#else
    return VKR_KEY_NEGATED ? key - 1u : key + 1u;
#endif
}

/* The key by which one is compared: within the bounds, and by value that of +0 for -0. */
VkrKey vkr_clamped(const VkrKey key)
{
    VkrKey value = key;
    if (VKR_KEY_BY_VALUE)
        value = vkr_bits_of(key) == VKR_KEY_SIGN ? vkr_next_to(key) : key;
    return vkr_bounded(value);
}

/* The same of an element with these bits. */
VkrKey vkr_compared_key(const VkrKey bits)
{
    VkrKey number = bits;
    if (VKR_KEY_BY_VALUE)
        number = bits == VKR_KEY_SIGN ? VkrKey(0u) : bits;
    return vkr_bounded(vkr_key_of(number));
}

#endif
