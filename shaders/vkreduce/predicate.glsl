/* SPDX-License-Identifier: MIT */
/*
 * Which elements a compaction keeps. Relations of numbers become ranges of order-preserving integer
 * keys, so no result depends on a driver's float arithmetic: -0 and +0, which are neighbours, count
 * as equal, and the keys of NaN lie outside all ranges.
 */
#ifndef VKR_PREDICATE_GLSL
#define VKR_PREDICATE_GLSL

#include "half.glsl"

const uint VKR_TEST = VKR_PREDICATE & 15u;
const uint VKR_RELATION = VKR_PREDICATE >> 4 & 15u;
const uint VKR_RELATION2 = VKR_PREDICATE >> 8 & 15u;
/* Two relations without NOT_EQUAL form one range. */
const bool VKR_TWO_RANGES = (VKR_PREDICATE & VKR_TWO_RANGES_BIT) != 0u;
const bool VKR_UNREAD = (VKR_PREDICATE & VKR_UNREAD_BIT) != 0u;
const bool VKR_NEGATE = (VKR_PREDICATE >> 12 & 1u) != 0u;
const uint VKR_COMPONENT = VKR_PREDICATE >> 16 & 15u;
const uint VKR_NUMBER = VKR_PREDICATE >> 20;
const bool VKR_OF_FLOATS = VKR_NUMBER == VKR_NUMBER_FLOAT || VKR_NUMBER == VKR_NUMBER_BFLOAT;

/* UNIQUE: floats are compared by value. */
const bool VKR_BY_VALUE = VKR_OF_FLOATS && VKR_RELATION == VKR_IS_EQUAL;

#if VKR_BYTES == 8
#define VKR_INFINITY 0x7ff0000000000000ul
#elif VKR_BYTES == 4
#define VKR_INFINITY 0x7f800000u
#else
const uint VKR_INFINITY = VKR_NUMBER == VKR_NUMBER_BFLOAT ? 0x7f80u : 0x7c00u;
#endif

#if VKR_BYTES == 8
#define VkrSigned int64_t
#define VKR_MIN_SIGNED 0x8000000000000000ul
#else
#define VkrSigned int
#define VKR_MIN_SIGNED 0x80000000u
#endif

/* A range of keys. key - from, which wraps, is a signed number; for keys of the range it starts at
 * VKR_MIN_SIGNED, the smallest number, and is below `end`: CPU drivers compare signed numbers
 * faster. A range of all keys, which only integers can have, has no end. */
struct VkrRange {
    VkrBits from;
    VkrSigned end;
    bool has_all;
};
VkrRange vkr_range;
VkrRange vkr_range2;
VkrBits vkr_mask; /* the mask of VKR_TEST_BITS */
VkrBits vkr_expected_bits;

VkrBits vkr_number_key(const VkrBits bits)
{
    if (VKR_NUMBER == VKR_NUMBER_UNSIGNED)
        return bits;
    if (VKR_NUMBER == VKR_NUMBER_SIGNED)
        return bits ^ VKR_SIGN;
    return VKR_ORDER_OF(bits);
}

/* The keys that satisfy a relation to a constant; those of NOT_EQUAL are those of EQUAL. */
void vkr_bound(const uint relation, const VkrBits constant, inout VkrBits low, inout VkrBits high,
               inout bool is_empty)
{
    VkrBits least = VkrBits(0);
    VkrBits greatest = VKR_MASK;
    VkrBits from = vkr_number_key(constant);
    VkrBits to = from;
    if (relation == 0u)
        return;
    if (VKR_OF_FLOATS) {
        least = VKR_ORDER_LOWEST(VKR_SIGN, VKR_MASK, VKR_INFINITY);
        greatest = VKR_ORDER_HIGHEST(VKR_SIGN, VKR_INFINITY);
        VkrBits magnitude = constant & (VKR_MASK ^ VKR_SIGN);
        is_empty = is_empty || magnitude > VKR_INFINITY;
        if (magnitude == VkrBits(0)) {
            from = VKR_SIGN - VkrBits(1);
            to = VKR_SIGN;
        }
    }
    if (relation == VKR_IS_LESS || relation == VKR_IS_LESS_EQUAL) {
        is_empty = is_empty || (relation == VKR_IS_LESS && from == least);
        to = relation == VKR_IS_LESS ? from - VkrBits(1) : to;
        from = least;
    } else if (relation == VKR_IS_GREATER || relation == VKR_IS_GREATER_EQUAL) {
        is_empty = is_empty || (relation == VKR_IS_GREATER && to == greatest);
        from = relation == VKR_IS_GREATER ? to + VkrBits(1) : from;
        to = greatest;
    }
    low = max(low, from);
    high = min(high, to);
}

VkrRange vkr_range_of(const VkrBits low, const VkrBits high, const bool is_empty)
{
    VkrBits width = is_empty || low > high ? VkrBits(0) : high - low + VkrBits(1);
    bool has_all = !is_empty && low <= high && width == VkrBits(0);
    return VkrRange(low + VKR_MIN_SIGNED, VkrSigned(width + VKR_MIN_SIGNED), has_all);
}

VkrBits vkr_constant(const uint i)
{
    uvec2 words = uvec2(uniforms.constants[2u * i], uniforms.constants[2u * i + 1u]);
    if ((VKR_FLAGS & VKR_FLAG_GPU_CONSTANTS) != 0u) {
        uint at = push.scratch_base + VKR_RECORD_A + 2u * i;
        words = uvec2(vkr_scratch[at], vkr_scratch[at + 1u]);
    }
#if VKR_BYTES == 8
    return packUint2x32(words);
#else
    return words.x;
#endif
}

void vkr_set_ranges()
{
    VkrBits low = VkrBits(0);
    VkrBits high = VKR_MASK;
    bool is_empty = false;
    vkr_mask = vkr_constant(0u);
    vkr_expected_bits = vkr_constant(1u);
    vkr_bound(VKR_RELATION, vkr_mask, low, high, is_empty);
    if (VKR_TWO_RANGES) {
        vkr_range = vkr_range_of(low, high, is_empty);
        low = VkrBits(0);
        high = VKR_MASK;
        is_empty = false;
    }
    vkr_bound(VKR_RELATION2, vkr_expected_bits, low, high, is_empty);
    if (VKR_TWO_RANGES)
        vkr_range2 = vkr_range_of(low, high, is_empty);
    else
        vkr_range = vkr_range_of(low, high, is_empty);
}

bool vkr_is_in(const VkrBits key, const VkrRange range)
{
    return VkrSigned(key - range.from) < range.end || (!VKR_OF_FLOATS && range.has_all);
}

bool vkr_test(const VkrBits bits)
{
    bool kept;
    if (VKR_TEST == VKR_TEST_FLAGS) {
        kept = bits != VkrBits(0);
    } else if (VKR_TEST == VKR_TEST_BITS) {
        kept = ((bits & vkr_mask) == vkr_expected_bits) == (VKR_RELATION == VKR_IS_EQUAL);
    } else {
        VkrBits key = vkr_number_key(bits);
        kept = vkr_is_in(key, vkr_range) != (VKR_RELATION == VKR_IS_NOT_EQUAL);
        if (VKR_TWO_RANGES)
            kept = kept && vkr_is_in(key, vkr_range2) != (VKR_RELATION2 == VKR_IS_NOT_EQUAL);
    }
    return kept != VKR_NEGATE;
}

/* The bits that stand for those of a value where it is compared with its neighbours: by value,
 * those of +0 for -0, and all bits for a NaN. */
VkrBits vkr_compared(const VkrBits bits)
{
    if (!VKR_BY_VALUE)
        return bits;
    VkrBits magnitude = bits & (VKR_MASK ^ VKR_SIGN);
    VkrBits number = magnitude == VkrBits(0) ? VkrBits(0) : bits;
    return magnitude > VKR_INFINITY ? VKR_MASK : number;
}

/* A weak function, whose name the module keeps. Its new body calls the user's function
 * (src/spirv/link.h). */
uvec4 vkr_hook_value(const uvec4 element, const uint i)
{
    return element + i;
}

/* Value c of an element, as part of what a user's function takes: values of fewer than 32 bits
 * become numbers of 32 bits. */
void vkr_give(inout uvec4 element, const uint c, const VkrBits bits)
{
#if VKR_BYTES == 8
    uvec2 words = unpackUint2x32(bits);
    element[2u * c] = words.x;
    element[2u * c + 1u] = words.y;
#else
    uint word = bits;
#if VKR_BYTES == 2
    if (VKR_OF_FLOATS)
        word = vkr_widen_half(bits, VKR_NUMBER == VKR_NUMBER_BFLOAT);
#endif
#if VKR_BYTES < 4
    if (VKR_NUMBER == VKR_NUMBER_SIGNED)
        word = uint(bitfieldExtract(int(bits), 0, 8 * VKR_BYTES));
#endif
    element[c] = word;
#endif
}
const uint VKR_MOST_GIVEN = VKR_BYTES == 8 ? 2u : 4u;
const uint VKR_GIVEN = VKR_UNREAD                    ? 0u
                       : VKR_VALUES < VKR_MOST_GIVEN ? VKR_VALUES
                                                     : VKR_MOST_GIVEN;

/* Whether a user's function keeps element i of this dispatch. */
bool vkr_ask(const uvec4 element, const uint i)
{
    return (vkr_hook_value(element, push.first_low + i).x != 0u) != VKR_NEGATE;
}

/* Whether there is an element before element i of this dispatch, with which it is compared. */
bool vkr_has_before(const uint i)
{
    return (VKR_FLAGS & VKR_FLAG_CONTINUED) != 0u || (i | push.first_low | push.first_high) != 0u;
}

#endif
