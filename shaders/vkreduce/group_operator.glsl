/* SPDX-License-Identifier: MIT */
/*
 * The operators of group.glsl, which includes this file if VKR_GROUP_OP is defined:
 *     VKR_GROUP_OP     VKR_GROUP_SUM, _PRODUCT, _MIN, _MAX, _AND, _OR, _XOR (of integers), _ARGMIN,
 *                      _ARGMAX
 *     VKR_GROUP_TYPE   VKR_GROUP_I32, _U32, _F32, _I64, _U64, _F64
 * The includer enables the extension of 64-bit types: GL_EXT_shader_explicit_arithmetic_types_int64
 * for integers, and for doubles that are compared. It also widens smaller types.
 *
 * Values are int, uint, float, int64_t, uint64_t, double; for argmin and argmax they are
 *     struct Arg { type value; uint index; }, to be made by
 *     Arg arg(type value, uint index)
 * both as VKR_GROUP_NAME(..). Other operators are sums and maxima of values that the includer
 * computes: sums of squares v * v, of magnitudes (l1) and maxima of these, uint(abs(v)) for int;
 * sums of 1u or 0u for counts, isnan(v) ? 1u : 0u for counts of NaN; x * y for dot products.
 *
 * Integers wrap. Sums and products of floats are `precise`; with built-ins the device chooses their
 * order. Minima and maxima of floats are exact: they compare keys, which are integers in the order
 * of the values, so that -0 comes before +0, NaN is ignored, and the result is NaN if all values
 * are. The index is the smallest one of equal values, and ~0u if all are NaN. Identities: 0, 1,
 * infinities or the type's extremes, all bits, no bits, and the index ~0u.
 */
#ifndef VKR_GROUP_OPERATOR_GLSL
#define VKR_GROUP_OPERATOR_GLSL
#define VKR_GROUP_SUM 1
#define VKR_GROUP_PRODUCT 2
#define VKR_GROUP_MIN 3
#define VKR_GROUP_MAX 4
#define VKR_GROUP_AND 5
#define VKR_GROUP_OR 6
#define VKR_GROUP_XOR 7
#define VKR_GROUP_ARGMIN 8
#define VKR_GROUP_ARGMAX 9

#define VKR_GROUP_I32 1
#define VKR_GROUP_U32 2
#define VKR_GROUP_F32 3
#define VKR_GROUP_I64 4
#define VKR_GROUP_U64 5
#define VKR_GROUP_F64 6

#define VKR_GROUP_IS_FLOAT                                                                         \
    (VKR_GROUP_TYPE == VKR_GROUP_F32 || VKR_GROUP_TYPE == VKR_GROUP_F64)
#define VKR_GROUP_IS_SIGNED                                                                        \
    (VKR_GROUP_TYPE == VKR_GROUP_I32 || VKR_GROUP_TYPE == VKR_GROUP_I64)
#define VKR_GROUP_IS_MAX (VKR_GROUP_OP == VKR_GROUP_MAX || VKR_GROUP_OP == VKR_GROUP_ARGMAX)
#define VKR_GROUP_IS_ARG (VKR_GROUP_OP == VKR_GROUP_ARGMIN || VKR_GROUP_OP == VKR_GROUP_ARGMAX)
#define VKR_GROUP_IS_EXTREME                                                                       \
    (VKR_GROUP_OP == VKR_GROUP_MIN || VKR_GROUP_OP == VKR_GROUP_MAX || VKR_GROUP_IS_ARG)
#define VKR_GROUP_NO_BITS VKR_GROUP_BITS(0)
#include "key.glsl"
#endif

/* Removes the definitions of an earlier inclusion. */
#undef VKR_GROUP_BITS
#undef VKR_GROUP_SIGN
#undef VKR_GROUP_INF
#undef VKR_GROUP_VALUE
#undef VKR_GROUP_BITS_OF
#undef VKR_GROUP_OF_BITS
#undef VKR_GROUP_MOVED
#undef VKR_GROUP_ORDER_OF
#undef VKR_GROUP_LOWEST
#undef VKR_GROUP_HIGHEST
#undef VKR_GROUP_WORST
#undef VKR_GROUP_OF_TWO
#undef VKR_GROUP_BUILT_IN

#if !defined(VKR_GROUP_TYPE) || VKR_GROUP_TYPE < VKR_GROUP_I32 || VKR_GROUP_TYPE > VKR_GROUP_F64
#error VKR_GROUP_TYPE should be VKR_GROUP_I32, _U32, _F32, _I64, _U64 or _F64
#endif
#if VKR_GROUP_OP < VKR_GROUP_SUM || VKR_GROUP_OP > VKR_GROUP_ARGMAX
#error VKR_GROUP_OP should be VKR_GROUP_SUM, _PRODUCT, _MIN, _MAX, _AND, _OR, _XOR, _ARGMIN, _ARGMAX
#endif
#if VKR_GROUP_IS_FLOAT && VKR_GROUP_OP >= VKR_GROUP_AND && VKR_GROUP_OP <= VKR_GROUP_XOR
#error VKR_GROUP_AND, _OR and _XOR are for integers: VKR_GROUP_TYPE is a float
#endif

/* ---- Types: a key's bits, and those of the sign and of infinity ---- */

#if VKR_GROUP_TYPE <= VKR_GROUP_F32
#define VKR_GROUP_BITS uint
#define VKR_GROUP_SIGN 0x80000000u
#define VKR_GROUP_INF 0x7f800000u
#define VKR_GROUP_ORDER_OF(bits) VKR_ORDER_OF_FLOAT32(bits)
#else
#define VKR_GROUP_BITS uint64_t
#define VKR_GROUP_SIGN 0x8000000000000000ul
#define VKR_GROUP_INF 0x7ff0000000000000ul
#define VKR_GROUP_ORDER_OF(bits) VKR_ORDER_OF_FLOAT(bits, VKR_GROUP_SIGN, ~VKR_GROUP_NO_BITS)
#endif

#if VKR_GROUP_TYPE == VKR_GROUP_I32
#define VKR_GROUP_VALUE int
#define VKR_GROUP_BITS_OF(v) uint(v)
#define VKR_GROUP_OF_BITS(b) int(b)
#define VKR_GROUP_MOVED(v, i) subgroupShuffle(v, i)
#elif VKR_GROUP_TYPE == VKR_GROUP_U32
#define VKR_GROUP_VALUE uint
#define VKR_GROUP_BITS_OF(v) (v)
#define VKR_GROUP_OF_BITS(b) (b)
#define VKR_GROUP_MOVED(v, i) subgroupShuffle(v, i)
#elif VKR_GROUP_TYPE == VKR_GROUP_F32
#define VKR_GROUP_VALUE float
#define VKR_GROUP_BITS_OF(v) floatBitsToUint(v)
#define VKR_GROUP_OF_BITS(b) uintBitsToFloat(b)
#define VKR_GROUP_MOVED(v, i) subgroupShuffle(v, i)
#elif VKR_GROUP_TYPE == VKR_GROUP_I64
#define VKR_GROUP_VALUE int64_t
#define VKR_GROUP_BITS_OF(v) uint64_t(v)
#define VKR_GROUP_OF_BITS(b) int64_t(b)
#define VKR_GROUP_MOVED(v, i) packInt2x32(subgroupShuffle(unpackInt2x32(v), i))
#elif VKR_GROUP_TYPE == VKR_GROUP_U64
#define VKR_GROUP_VALUE uint64_t
#define VKR_GROUP_BITS_OF(v) (v)
#define VKR_GROUP_OF_BITS(b) (b)
#define VKR_GROUP_MOVED(v, i) packUint2x32(subgroupShuffle(unpackUint2x32(v), i))
#else
#define VKR_GROUP_VALUE double
#define VKR_GROUP_BITS_OF(v) doubleBitsToUint64(v)
#define VKR_GROUP_OF_BITS(b) uint64BitsToDouble(b)
#define VKR_GROUP_MOVED(v, i) packDouble2x32(subgroupShuffle(unpackDouble2x32(v), i))
#endif

/* ---- Keys: unsigned numbers, of which the smallest wins ---- */

#if VKR_GROUP_IS_FLOAT
#define VKR_GROUP_LOWEST VKR_ORDER_LOWEST(VKR_GROUP_SIGN, ~VKR_GROUP_NO_BITS, VKR_GROUP_INF)
#define VKR_GROUP_HIGHEST VKR_ORDER_HIGHEST(VKR_GROUP_SIGN, VKR_GROUP_INF)
#define VKR_GROUP_WORST VKR_GROUP_OF_BITS(VKR_GROUP_IS_MAX ? VKR_GROUP_HIGHEST : VKR_GROUP_INF)
#else
#define VKR_GROUP_LOWEST VKR_GROUP_NO_BITS
#define VKR_GROUP_HIGHEST (~VKR_GROUP_NO_BITS)
#define VKR_GROUP_WORST VKR_GROUP_NAME(unkeyed)(~VKR_GROUP_NO_BITS)
#endif

#if VKR_GROUP_IS_EXTREME
/* Keys are differences that wrap: those of NaN, whatever its sign and payload, are above those of
 * values. */
VKR_GROUP_BITS VKR_GROUP_NAME(key)(VKR_GROUP_VALUE v)
{
    VKR_GROUP_BITS order = VKR_GROUP_BITS_OF(v);
#if VKR_GROUP_IS_FLOAT
    order = VKR_GROUP_ORDER_OF(order);
#elif VKR_GROUP_IS_SIGNED
    order ^= VKR_GROUP_SIGN;
#endif
    return VKR_GROUP_IS_MAX ? VKR_GROUP_HIGHEST - order : order - VKR_GROUP_LOWEST;
}

VKR_GROUP_VALUE VKR_GROUP_NAME(unkeyed)(VKR_GROUP_BITS key)
{
    VKR_GROUP_BITS order = VKR_GROUP_IS_MAX ? VKR_GROUP_HIGHEST - key : key + VKR_GROUP_LOWEST;
#if VKR_GROUP_IS_FLOAT
    order = VKR_FLOAT_OF_ORDER(order, VKR_GROUP_SIGN, ~VKR_GROUP_NO_BITS);
#elif VKR_GROUP_IS_SIGNED
    order ^= VKR_GROUP_SIGN;
#endif
    return VKR_GROUP_OF_BITS(order);
}
#endif

#if VKR_GROUP_IS_ARG
struct VKR_GROUP_NAME(Arg) {
    VKR_GROUP_VALUE value;
    uint index;
};

VKR_GROUP_NAME(Arg) VKR_GROUP_NAME(arg)(VKR_GROUP_VALUE value, uint index)
{
    bool is_nan = VKR_GROUP_NAME(key)(value) > VKR_GROUP_HIGHEST - VKR_GROUP_LOWEST;
    return VKR_GROUP_NAME(Arg)(value, is_nan ? ~0u : index);
}

#define VKR_GROUP_T VKR_GROUP_NAME(Arg)
#else
#define VKR_GROUP_T VKR_GROUP_VALUE
#endif

/* ---- The operator ---- */

/* VKR_GROUP_BUILT_IN(subgroup, v) reduces, VKR_GROUP_BUILT_IN(subgroupInclusive, v) scans. */
#if VKR_GROUP_OP == VKR_GROUP_SUM
#define VKR_GROUP_IDENTITY VKR_GROUP_VALUE(0)
#define VKR_GROUP_OF_TWO(a, b) (a + b)
#define VKR_GROUP_BUILT_IN(form, v) form##Add(v)
#elif VKR_GROUP_OP == VKR_GROUP_PRODUCT
#define VKR_GROUP_IDENTITY VKR_GROUP_VALUE(1)
#define VKR_GROUP_OF_TWO(a, b) (a * b)
#define VKR_GROUP_BUILT_IN(form, v) form##Mul(v)
#elif VKR_GROUP_OP == VKR_GROUP_AND
#define VKR_GROUP_IDENTITY VKR_GROUP_OF_BITS(~VKR_GROUP_NO_BITS)
#define VKR_GROUP_OF_TWO(a, b) (a & b)
#define VKR_GROUP_BUILT_IN(form, v) form##And(v)
#elif VKR_GROUP_OP == VKR_GROUP_OR
#define VKR_GROUP_IDENTITY VKR_GROUP_VALUE(0)
#define VKR_GROUP_OF_TWO(a, b) (a | b)
#define VKR_GROUP_BUILT_IN(form, v) form##Or(v)
#elif VKR_GROUP_OP == VKR_GROUP_XOR
#define VKR_GROUP_IDENTITY VKR_GROUP_VALUE(0)
#define VKR_GROUP_OF_TWO(a, b) (a ^ b)
#define VKR_GROUP_BUILT_IN(form, v) form##Xor(v)
#elif VKR_GROUP_IS_ARG
#define VKR_GROUP_IDENTITY VKR_GROUP_T(VKR_GROUP_WORST, ~0u)
#elif VKR_GROUP_IS_FLOAT
#define VKR_GROUP_IDENTITY VKR_GROUP_WORST
#define VKR_GROUP_OF_TWO(a, b) (VKR_GROUP_NAME(key)(b) < VKR_GROUP_NAME(key)(a) ? b : a)
#define VKR_GROUP_BUILT_IN(form, v)                                                                \
    VKR_GROUP_NAME(unkeyed)(form##Min(VKR_GROUP_NAME(key)(v)))
#elif VKR_GROUP_IS_MAX
#define VKR_GROUP_IDENTITY VKR_GROUP_WORST
#define VKR_GROUP_OF_TWO(a, b) max(a, b)
#define VKR_GROUP_BUILT_IN(form, v) form##Max(v)
#else
#define VKR_GROUP_IDENTITY VKR_GROUP_WORST
#define VKR_GROUP_OF_TWO(a, b) min(a, b)
#define VKR_GROUP_BUILT_IN(form, v) form##Min(v)
#endif

VKR_GROUP_T VKR_GROUP_NAME(combine)(VKR_GROUP_T a, VKR_GROUP_T b)
{
#if VKR_GROUP_IS_ARG
    VKR_GROUP_BITS a_key = VKR_GROUP_NAME(key)(a.value);
    VKR_GROUP_BITS b_key = VKR_GROUP_NAME(key)(b.value);
    if (b_key < a_key || (b_key == a_key && b.index < a.index))
        return b;
    return a;
#elif VKR_GROUP_IS_FLOAT
    precise VKR_GROUP_T c = VKR_GROUP_OF_TWO(a, b);
    return c;
#else
    return VKR_GROUP_OF_TWO(a, b);
#endif
}
#define VKR_GROUP_COMBINE(a, b) VKR_GROUP_NAME(combine)(a, b)
#define VKR_GROUP_COMMUTES

/* ---- Ways to other lanes ---- */

#if VKR_GROUP_PATH != VKR_GROUP_BY_SHARED
VKR_GROUP_T VKR_GROUP_NAME(moved)(VKR_GROUP_T v, uint lane)
{
#if VKR_GROUP_IS_ARG
    v.value = VKR_GROUP_MOVED(v.value, lane);
    v.index = subgroupShuffle(v.index, lane);
    return v;
#else
    return VKR_GROUP_MOVED(v, lane);
#endif
}
#define VKR_GROUP_SHUFFLE(v, i) VKR_GROUP_NAME(moved)(v, i)
#endif

/* Subgroup arithmetic on 64-bit types is an optional feature of devices. */
#if VKR_GROUP_PATH == VKR_GROUP_BY_ARITHMETIC && VKR_GROUP_TYPE <= VKR_GROUP_F32
#if VKR_GROUP_IS_ARG
VKR_GROUP_T VKR_GROUP_NAME(best)(VKR_GROUP_T v)
{
    uint key = VKR_GROUP_NAME(key)(v.value);
    uint best = subgroupMin(key);
    return VKR_GROUP_T(VKR_GROUP_NAME(unkeyed)(best), subgroupMin(key == best ? v.index : ~0u));
}
#define VKR_GROUP_REDUCE(v) VKR_GROUP_NAME(best)(v)
#else
#define VKR_GROUP_REDUCE(v) VKR_GROUP_BUILT_IN(subgroup, v)
#define VKR_GROUP_INCLUSIVE(v) VKR_GROUP_BUILT_IN(subgroupInclusive, v)
#endif
#endif
