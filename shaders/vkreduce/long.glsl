/* SPDX-License-Identifier: MIT */
/*
 * The sums from which mean and l2 of integers are computed. They are exact: a sum has the words of
 * a value, or of a square, and above them those of a count, so it never wraps, whatever the number
 * of elements.
 */
#ifndef VKR_LONG_GLSL
#define VKR_LONG_GLSL

/* A sum of values, in two's complement if they are signed. The upper words are not a vector: some
 * drivers would keep the last one in loops even if it is always 0. */
struct VkrTotal {
    VkrBits low;
    uint top;
    uint over; /* used only with VKR_WIDE_INDEX */
};
#define VKR_WORDS_VkrTotal (VKR_KEY_WORDS + VKR_INDEX_WORDS)
#define VKR_MOVED_VkrTotal(v) vkr_move_total(at, i, is_shared, stores, v)
#define VKR_TOTAL(low, top) VkrTotal(low, (top).x, (top).y)
#define VKR_TOP(a) uvec2((a).top, (a).over)
#define VKR_TOTAL_0 VkrTotal(VkrBits(0), 0u, 0u)

/* A sum of squares. A square has the words of two values, or those of one value of up to 16
 * bits. */
#define VKR_WORDS_VkrSquares ((VKR_BYTES > 2 ? 2u : 1u) * VKR_KEY_WORDS + VKR_INDEX_WORDS)
#if VKR_BYTES <= 2
#define VkrSquares VkrTotal
#define VKR_MOVED_VkrSquares VKR_MOVED_VkrTotal
#define VKR_SQUARES_0 VKR_TOTAL_0
#else
struct VkrSquares {
    VkrBits low;
    VkrTotal high;
};
#define VKR_MOVED_VkrSquares(v)                                                                    \
    VkrSquares(VKR_MOVED_VkrKey(v.low),                                                            \
               vkr_move_total(at, i + VKR_KEY_WORDS, is_shared, stores, v.high))
#define VKR_SQUARES_0 VkrSquares(VkrBits(0), VKR_TOTAL_0)
#endif

VkrBits vkr_add_carry(const VkrBits a, const VkrBits b, out uint carry)
{
#if VKR_BYTES == 8
    uint64_t sum = a + b;
    carry = sum < a ? 1u : 0u;
    return sum;
#else
    return uaddCarry(a, b, carry);
#endif
}

VkrTotal vkr_add(const VkrTotal a, const VkrTotal b)
{
    uint carry;
    VkrBits low = vkr_add_carry(a.low, b.low, carry);
    uvec2 top = vkr_add(vkr_add(VKR_TOP(a), VKR_TOP(b)), uvec2(carry, 0u));
    return VkrTotal(low, top.x, VKR_WIDE_INDEX ? top.y : 0u);
}

VkrTotal vkr_total_of(const VkrBits bits)
{
#if VKR_BYTES == 8
    uint high = unpackUint2x32(bits).y;
    VkrBits extended = bits;
#else
    uint extended = VKR_SIGNED && (bits & VKR_SIGN) != 0u ? bits | ~VKR_MASK : bits;
    uint high = extended;
#endif
    uint sign = VKR_SIGNED && int(high) < 0 ? ~0u : 0u;
    return VkrTotal(extended, sign, VKR_WIDE_INDEX ? sign : 0u);
}

#if VKR_BYTES <= 2
VkrSquares vkr_squares_of(const VkrBits bits)
{
    uint magnitude = vkr_absolute(bits);
    return VkrSquares(magnitude * magnitude, 0u, 0u);
}
#else
VkrSquares vkr_add(const VkrSquares a, const VkrSquares b)
{
    uint carry;
    VkrBits low = vkr_add_carry(a.low, b.low, carry);
    VkrTotal high = vkr_add(a.high, b.high);
    return VkrSquares(low, vkr_add(high, VkrTotal(carry, 0u, 0u)));
}

VkrSquares vkr_squares_of(const VkrBits bits)
{
    VkrBits magnitude = vkr_absolute(bits);
    VkrBits low, high;
#if VKR_BYTES == 8
    /* (x + 2^32 y)^2: products of two single words, which drivers recognise. */
    uvec2 words = unpackUint2x32(magnitude);
    uint64_t x = words.x;
    uint64_t y = words.y;
    uint64_t both = x * y;
    uint carry;
    low = vkr_add_carry(x * x, both << 33, carry);
    high = y * y + (both >> 31) + carry;
#else
    umulExtended(magnitude, magnitude, high, low);
#endif
    return VkrSquares(low, VkrTotal(high, 0u, 0u));
}
#endif

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrTotal vkr_shuffle(const VkrTotal v, const uint mask)
{
    uvec2 top = vkr_shuffle_index(VKR_TOP(v), mask);
    return VKR_TOTAL(vkr_shuffle(v.low, mask), top);
}
#if VKR_BYTES > 2

VkrSquares vkr_shuffle(const VkrSquares v, const uint mask)
{
    return VkrSquares(vkr_shuffle(v.low, mask), vkr_shuffle(v.high, mask));
}
#endif
#endif

#endif
