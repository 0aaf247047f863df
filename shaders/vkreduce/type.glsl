/* SPDX-License-Identifier: MIT */
/*
 * The element type of a kernel: its form in memory (stored.glsl), its bits (VkrBits), the type of
 * its sums (VkrSum), and the order-preserving keys by which values are compared.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_* and -DVKR_WIDE=0|1 (a 64-bit accumulator). Signedness of
 * integers is the constant VKR_SIGNED: unsigned arithmetic wraps to the same bits, so only loads
 * differ. For floats of 16 bits the same constant says whether they are bfloats.
 */
#ifndef VKR_TYPE_GLSL
#define VKR_TYPE_GLSL

#include "half.glsl"
#include "key.glsl"
#include "stored.glsl"
#include "wide.glsl"

#define VKR_IS_FLOAT (VKR_ELEMENT >= VKR_CLASS_F16)

#if VKR_BYTES == 8
#define VkrBits uint64_t
#else
#define VkrBits uint
#endif
#define VkrKey VkrBits

#if VKR_BYTES == 8 || VKR_WIDE == 1
#define VKR_SUM_BYTES 8
#else
#define VKR_SUM_BYTES 4
#endif
#if VKR_IS_FLOAT && VKR_SUM_BYTES == 8
#define VkrSum double
#elif VKR_IS_FLOAT
#define VkrSum float
#elif VKR_SUM_BYTES == 8
#define VkrSum uint64_t
#else
#define VkrSum uint
#endif

#define VKR_HAS_64 (VKR_SUM_BYTES == 8)
#if VKR_HAS_64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

/* The element's bits: all of them, the sign, infinity and the canonical NaN. */
#if VKR_BYTES == 1
#define VKR_MASK 0xffu
#define VKR_SIGN 0x80u
#elif VKR_BYTES == 2
#define VKR_MASK 0xffffu
#define VKR_SIGN 0x8000u
#if VKR_IS_FLOAT
#define VKR_BFLOAT VKR_SIGNED
const uint VKR_INF = VKR_BFLOAT ? 0x7f80u : 0x7c00u;
const uint VKR_QUIET_NAN = VKR_BFLOAT ? 0x7fc0u : 0x7e00u;
#endif
#elif VKR_BYTES == 4
#define VKR_MASK 0xffffffffu
#define VKR_SIGN 0x80000000u
#define VKR_INF 0x7f800000u
#define VKR_QUIET_NAN 0x7fc00000u
#else
#define VKR_MASK 0xfffffffffffffffful
#define VKR_SIGN 0x8000000000000000ul
#define VKR_INF 0x7ff0000000000000ul
#define VKR_QUIET_NAN 0x7ff8000000000000ul
#endif

/* These are macros, since small types exist in memory only. */
#if VKR_BYTES == 8
#define VKR_LOADED(stored) packUint2x32(stored)
#define VKR_TO_STORE(words) (words)
#else
#define VKR_LOADED(stored) uint(stored)
#define VKR_TO_STORE(words) VkrStored((words).x)
#endif

bool vkr_is_nan(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return (bits & (VKR_MASK ^ VKR_SIGN)) > VKR_INF;
#else
    return false;
#endif
}

/* ---- Keys: unsigned numbers in the order of the values; the smallest key wins ---- */

/*
 * Keys of float values run from 0 to VKR_TOP. They are differences, which wrap to greater numbers
 * for NaN of any sign and payload, so ignoring NaN costs nothing. If NaN propagates, its key is 0,
 * and the keys of values are greater by 1.
 */

/* The key of no element. For a type of 32 or 64 bits it can also be the key of a NaN or of the
 * greatest value: the number of elements tells whether there was any. */
#if VKR_BYTES == 8
#define VKR_PAD 0xfffffffffffffffful
#else
#define VKR_PAD 0xffffffffu
#endif

#if VKR_BYTES == 4
#define VKR_ORDER_OF(bits) VKR_ORDER_OF_FLOAT32(bits)
#else
#define VKR_ORDER_OF(bits) VKR_ORDER_OF_FLOAT(bits, VKR_SIGN, VKR_MASK)
#endif

/* An unsigned number for an element's bits, in the order of the values. */
VkrKey vkr_order(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return VKR_ORDER_OF(bits);
#else
    return VKR_SIGNED ? bits ^ VKR_SIGN : bits;
#endif
}

VkrBits vkr_unorder(const VkrKey key)
{
#if VKR_IS_FLOAT
    return VKR_FLOAT_OF_ORDER(key, VKR_SIGN, VKR_MASK);
#else
    return VKR_SIGNED ? (key ^ VKR_SIGN) & VKR_MASK : key & VKR_MASK;
#endif
}

VkrBits vkr_absolute(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return bits & (VKR_MASK ^ VKR_SIGN);
#else
    bool negative = VKR_SIGNED && (bits & VKR_SIGN) != VkrBits(0);
    return negative ? (~bits + VkrBits(1)) & VKR_MASK : bits;
#endif
}

#if VKR_IS_FLOAT
#define VKR_LOWEST VKR_ORDER_LOWEST(VKR_SIGN, VKR_MASK, VKR_INF)
#define VKR_HIGHEST VKR_ORDER_HIGHEST(VKR_SIGN, VKR_INF)
#define VKR_TOP (VKR_HIGHEST - VKR_LOWEST)

VkrKey vkr_with_nan(const VkrKey key, const VkrKey top)
{
    if (VKR_PROPAGATE_NAN)
        return key > top ? VkrKey(0) : key + VkrKey(1);
    return key;
}

/* Undoes vkr_with_nan: the key that a value has if NaN is ignored. */
VkrBits vkr_without_nan(const VkrKey key)
{
    return VKR_PROPAGATE_NAN ? key - VkrKey(1) : key;
}

VkrBits vkr_decode(const VkrKey key, const VkrKey top, const VkrBits value, const VkrBits empty,
                   const bool is_empty)
{
    if (is_empty)
        return empty;
    return vkr_without_nan(key) > top ? VKR_QUIET_NAN : value;
}
#endif

VkrKey vkr_min_key(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return vkr_with_nan(vkr_order(bits) - VKR_LOWEST, VKR_TOP);
#else
    return vkr_order(bits);
#endif
}

VkrKey vkr_max_key(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return vkr_with_nan(VKR_HIGHEST - vkr_order(bits), VKR_TOP);
#else
    return vkr_order(bits) ^ VKR_MASK;
#endif
}

VkrKey vkr_absmax_key(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return vkr_with_nan(VKR_INF - vkr_absolute(bits), VKR_INF);
#else
    return vkr_absolute(bits) ^ VKR_MASK;
#endif
}

/* The bits of the best key; without elements, those of the identity. */
VkrBits vkr_min_of_key(const VkrKey key, const bool is_empty)
{
#if VKR_IS_FLOAT
    VkrBits value = vkr_unorder(vkr_without_nan(key) + VKR_LOWEST);
    return vkr_decode(key, VKR_TOP, value, VKR_INF, is_empty);
#else
    return vkr_unorder(key);
#endif
}

VkrBits vkr_max_of_key(const VkrKey key, const bool is_empty)
{
#if VKR_IS_FLOAT
    VkrBits value = vkr_unorder(VKR_HIGHEST - vkr_without_nan(key));
    return vkr_decode(key, VKR_TOP, value, VKR_INF | VKR_SIGN, is_empty);
#else
    return vkr_unorder((key & VKR_MASK) ^ VKR_MASK);
#endif
}

VkrBits vkr_absmax_of_key(const VkrKey key, const bool is_empty)
{
#if VKR_IS_FLOAT
    VkrBits value = VKR_INF - vkr_without_nan(key);
    return vkr_decode(key, VKR_INF, value, VkrBits(0), is_empty);
#else
    return (key & VKR_MASK) ^ VKR_MASK;
#endif
}

/* Whether the best key is that of no element, or of ignored NaN only. */
bool vkr_is_no_value(const VkrKey key)
{
#if VKR_IS_FLOAT
    return !VKR_PROPAGATE_NAN && key > VKR_TOP;
#else
    return false;
#endif
}

/* ---- Arithmetic ---- */

/* The words of an accumulator: low, high. */
uvec2 vkr_words_of(const VkrSum sum)
{
#if VKR_SUM_BYTES == 8 && VKR_IS_FLOAT
    return unpackDouble2x32(sum);
#elif VKR_SUM_BYTES == 8
    return unpackUint2x32(sum);
#elif VKR_IS_FLOAT
    return uvec2(floatBitsToUint(sum), 0u);
#else
    return uvec2(sum, 0u);
#endif
}

VkrSum vkr_sum_of(const uvec2 words)
{
#if VKR_SUM_BYTES == 8 && VKR_IS_FLOAT
    return packDouble2x32(words);
#elif VKR_SUM_BYTES == 8
    return packUint2x32(words);
#elif VKR_IS_FLOAT
    return uintBitsToFloat(words.x);
#else
    return words.x;
#endif
}

uvec2 vkr_words_of_bits(const VkrBits bits)
{
#if VKR_BYTES == 8
    return unpackUint2x32(bits);
#else
    return uvec2(bits, 0u);
#endif
}

/* The words of an accumulator; NaN becomes the canonical NaN. */
uvec2 vkr_canonical_nan(const uvec2 words)
{
#if VKR_IS_FLOAT
    bool is_double = VKR_SUM_BYTES == 8;
    uint high = (is_double ? words.y : words.x) & 0x7fffffffu;
    uint infinity = is_double ? 0x7ff00000u : 0x7f800000u;
    if (high > infinity || (is_double && high == infinity && words.x != 0u))
        return is_double ? uvec2(0u, 0x7ff80000u) : uvec2(0x7fc00000u, 0u);
#endif
    return words;
}

/* An element's value in the accumulator's type. */
VkrSum vkr_value(const VkrBits bits)
{
#if VKR_ELEMENT == VKR_CLASS_F16
    if (!VKR_BFLOAT)
        return VkrSum(vkr_number_of_half(bits, VKR_CANONICAL));
#endif
#if VKR_IS_FLOAT
    if (VKR_CANONICAL && (bits & VKR_INF) == VkrBits(0))
        return VkrSum(0.0);
#endif
#if VKR_ELEMENT == VKR_CLASS_F64
    return uint64BitsToDouble(bits);
#elif VKR_ELEMENT == VKR_CLASS_F32
    return VkrSum(uintBitsToFloat(bits));
#elif VKR_ELEMENT == VKR_CLASS_F16
    return VkrSum(uintBitsToFloat(bits << 16));
#elif VKR_ELEMENT == VKR_CLASS_W64
    return bits;
#else
    uint extended = VKR_SIGNED && (bits & VKR_SIGN) != 0u ? bits | ~VKR_MASK : bits;
#if VKR_WIDE == 1
    return packUint2x32(uvec2(extended, VKR_SIGNED && int(extended) < 0 ? ~0u : 0u));
#else
    return extended;
#endif
#endif
}

VkrSum vkr_magnitude(const VkrBits bits)
{
#if VKR_IS_FLOAT
    return vkr_value(vkr_absolute(bits));
#else
    return VkrSum(vkr_absolute(bits));
#endif
}

uint vkr_add(const uint a, const uint b)
{
    return a + b;
}

uint vkr_multiply(const uint a, const uint b)
{
    return a * b;
}

#if VKR_HAS_64
uint64_t vkr_add(const uint64_t a, const uint64_t b)
{
    return a + b;
}

uint64_t vkr_multiply(const uint64_t a, const uint64_t b)
{
    return a * b;
}
#endif

/* Returns +0 for a subnormal at level device, otherwise the sum as it is. */
VkrSum vkr_flushed(const VkrSum sum)
{
#if VKR_IS_FLOAT
    uvec2 words = vkr_words_of(sum);
    uint high = VKR_SUM_BYTES == 8 ? words.y : words.x;
    uint mantissa = VKR_SUM_BYTES == 8 ? (words.y & 0xfffffu) | words.x : words.x & 0x7fffffu;
    bool subnormal =
        (high & (VKR_SUM_BYTES == 8 ? 0x7ff00000u : 0x7f800000u)) == 0u && mantissa != 0u;
    if (VKR_CANONICAL && subnormal)
        return VkrSum(0.0);
#endif
    return sum;
}

/* Float sums are precise: they are never reassociated or contracted. At level device no subnormal
 * survives, so drivers that flush subnormals and drivers that keep them agree. */
float vkr_add(const float a, const float b)
{
    precise float sum = a + b;
    if (VKR_CANONICAL && (floatBitsToUint(sum) & 0x7f800000u) == 0u)
        sum = 0.0;
    return sum;
}

/* Some drivers flush a product that rounds up to the smallest normal number, and others do not:
 * here it is always flushed. */
float vkr_multiply(const float a, const float b)
{
    precise float product = a * b;
    if (VKR_CANONICAL && (floatBitsToUint(product) & 0x7fffffffu) <= 0x00800000u)
        product = 0.0;
    return product;
}

#if VKR_IS_FLOAT && VKR_HAS_64
double vkr_add(const double a, const double b)
{
    precise double sum = a + b;
    if (VKR_CANONICAL && (unpackDouble2x32(sum).y & 0x7ff00000u) == 0u)
        sum = 0.0LF;
    return sum;
}

double vkr_multiply(const double a, const double b)
{
    precise double product = a * b;
    uvec2 bits = unpackDouble2x32(product) & uvec2(~0u, 0x7fffffffu);
    if (VKR_CANONICAL && (bits.y < 0x00100000u || (bits.y == 0x00100000u && bits.x == 0u)))
        product = 0.0LF;
    return product;
}
#endif

#endif
