/* SPDX-License-Identifier: MIT */
/*
 * The operators: one row each. A state holds what a set of operators (VKR_OPS) has seen of one
 * component; every function on states is made from the rows, so that a new operator costs a row
 * here and a line in result.glsl.
 */
#ifndef VKR_OPERATOR_GLSL
#define VKR_OPERATOR_GLSL

struct VkrElement {
    VkrBits bits;
    VkrBits bits2; /* of the second input */
    uvec2 index;
};

struct VkrArg {
    VkrKey key;
    uvec2 index; /* the high word counts only with VKR_WIDE_INDEX */
};

struct VkrCount {
    uvec2 n; /* likewise */
};

VkrKey vkr_least(VkrKey a, VkrKey b)
{
    return min(a, b);
}

VkrArg vkr_least(VkrArg a, VkrArg b)
{
    bool earlier = VKR_WIDE_INDEX ? vkr_less(b.index, a.index) : b.index.x < a.index.x;
    if (b.key < a.key || (b.key == a.key && earlier))
        return b;
    return a;
}

VkrCount vkr_add(VkrCount a, VkrCount b)
{
    return VkrCount(VKR_WIDE_INDEX ? vkr_add(a.n, b.n) : uvec2(a.n.x + b.n.x, 0u));
}

VkrBits vkr_and(VkrBits a, VkrBits b)
{
    return a & b;
}

VkrBits vkr_or(VkrBits a, VkrBits b)
{
    return a | b;
}

VkrBits vkr_xor(VkrBits a, VkrBits b)
{
    return a ^ b;
}

#define VKR_HAS(ops) ((VKR_OPS & (ops)) != 0u)

/* mean and l2 of narrow integers need an exact 64-bit sum; all others share the sum's row. */
#if VKR_IS_FLOAT || VKR_BYTES == 8
#define VKR_SUM_USERS (VKR_BIT_SUM | VKR_BIT_MEAN)
#define VKR_SUMSQ_USERS (VKR_BIT_SUMSQ | VKR_BIT_L2)
#define VKR_EXACT_USERS(op) 0u
#else
#define VKR_SUM_USERS VKR_BIT_SUM
#define VKR_SUMSQ_USERS VKR_BIT_SUMSQ
#define VKR_EXACT_USERS(op) op
#endif
#if VKR_IS_FLOAT
#define VKR_NAN_USERS VKR_BIT_NAN
#else
#define VKR_NAN_USERS 0u
#endif

uvec2 vkr_exact_value(VkrBits bits)
{
#if VKR_BYTES == 8
    return uvec2(0u);
#else
    uint extended = VKR_SIGNED && (bits & VKR_SIGN) != 0u ? bits | ~VKR_MASK : bits;
    return uvec2(extended, VKR_SIGNED && int(extended) < 0 ? ~0u : 0u);
#endif
}

uvec2 vkr_exact_square(VkrBits bits)
{
    uvec2 square = uvec2(0u);
#if VKR_BYTES != 8
    uint magnitude = vkr_absolute(bits);
    umulExtended(magnitude, magnitude, square.y, square.x);
#endif
    return square;
}

/* name, type, operators that need it, identity, value of element e, how two are combined */
#define VKR_ROWS(ROW)                                                                              \
    ROW(least, VkrKey, VKR_BIT_MIN, VKR_PAD, vkr_min_key(e.bits), least)                           \
    ROW(greatest, VkrKey, VKR_BIT_MAX, VKR_PAD, vkr_max_key(e.bits), least)                        \
    ROW(absmax, VkrKey, VKR_BIT_ABSMAX, VKR_PAD, vkr_absmax_key(e.bits), least)                    \
    ROW(argmin, VkrArg, VKR_BIT_ARGMIN, VKR_NO_ARG, VkrArg(vkr_min_key(e.bits), e.index), least)   \
    ROW(argmax, VkrArg, VKR_BIT_ARGMAX, VKR_NO_ARG, VkrArg(vkr_max_key(e.bits), e.index), least)   \
    ROW(sum, VkrSum, VKR_SUM_USERS, VkrSum(0), vkr_value(e.bits), add)                             \
    ROW(product, VkrSum, VKR_BIT_PRODUCT, VkrSum(1), vkr_value(e.bits), multiply)                  \
    ROW(sumsq, VkrSum, VKR_SUMSQ_USERS, VkrSum(0), vkr_square(e.bits), add)                        \
    ROW(l1, VkrSum, VKR_BIT_L1, VkrSum(0), vkr_magnitude(e.bits), add)                             \
    ROW(dot_, VkrSum, VKR_BIT_DOT, VkrSum(0), vkr_dot(e.bits, e.bits2), add)                       \
    ROW(all_, VkrBits, VKR_BIT_AND, VKR_MASK, e.bits, and)                                         \
    ROW(any_, VkrBits, VKR_BIT_OR, VkrBits(0), e.bits, or)                                \
    ROW(parity, VkrBits, VKR_BIT_XOR, VkrBits(0), e.bits, xor)                            \
    ROW(nan, VkrCount, VKR_NAN_USERS, VkrCount(uvec2(0u)), vkr_count_nan(e.bits), add)             \
    ROW(exact, uvec2, VKR_EXACT_USERS(VKR_BIT_MEAN), uvec2(0u), vkr_exact_value(e.bits), add)      \
    ROW(exactsq, uvec2, VKR_EXACT_USERS(VKR_BIT_L2), uvec2(0u), vkr_exact_square(e.bits), add)

#define VKR_NO_ARG VkrArg(VKR_PAD, uvec2(~0u))

VkrSum vkr_square(VkrBits bits)
{
    VkrSum value = vkr_value(bits);
    return vkr_multiply(value, value);
}

VkrSum vkr_dot(VkrBits a, VkrBits b)
{
    return vkr_multiply(vkr_value(a), vkr_value(b));
}

VkrCount vkr_count_nan(VkrBits bits)
{
    return VkrCount(uvec2(vkr_is_nan(bits) ? 1u : 0u, 0u));
}

struct VkrState {
#define VKR_ROW(name, type, users, identity, value, combine) type name;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
};

VkrState vkr_identity()
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, value, combine) s.name = identity;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

VkrState vkr_combine(VkrState s, VkrState other)
{
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_##combine(s.name, other.name);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

VkrState vkr_accumulate(VkrState s, VkrElement e)
{
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_##combine(s.name, value);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* ---- States as words, to leave the invocation: shuffles, shared memory, partials ---- */

#define VKR_KEY_WORDS (VKR_BYTES == 8 ? 2u : 1u)
#define VKR_INDEX_WORDS (VKR_WIDE_INDEX ? 2u : 1u)
#define VKR_WORDS_VkrKey VKR_KEY_WORDS
#define VKR_WORDS_VkrBits VKR_KEY_WORDS
#define VKR_WORDS_VkrArg (VKR_KEY_WORDS + VKR_INDEX_WORDS)
#define VKR_WORDS_VkrSum (VKR_SUM_BYTES == 8 ? 2u : 1u)
#define VKR_WORDS_VkrCount VKR_INDEX_WORDS
#define VKR_WORDS_uvec2 2u

const uint VKR_STATE_WORDS = 0u
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    +(VKR_HAS(users) ? VKR_WORDS_##type : 0u)
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    ;

uvec4 vkr_pack(uint v)
{
    return uvec4(v, 0u, 0u, 0u);
}

void vkr_unpack(uvec4 words, out uint v)
{
    v = words.x;
}

uvec4 vkr_pack(uvec2 v)
{
    return uvec4(v, 0u, 0u);
}

void vkr_unpack(uvec4 words, out uvec2 v)
{
    v = words.xy;
}

uvec4 vkr_pack(VkrCount v)
{
    return uvec4(v.n, 0u, 0u);
}

void vkr_unpack(uvec4 words, out VkrCount v)
{
    v = VkrCount(uvec2(words.x, VKR_WIDE_INDEX ? words.y : 0u));
}

#if VKR_HAS_64
uvec4 vkr_pack(uint64_t v)
{
    return uvec4(unpackUint2x32(v), 0u, 0u);
}

void vkr_unpack(uvec4 words, out uint64_t v)
{
    v = packUint2x32(words.xy);
}
#endif

#if VKR_IS_FLOAT
uvec4 vkr_pack(float v)
{
    return uvec4(floatBitsToUint(v), 0u, 0u, 0u);
}

void vkr_unpack(uvec4 words, out float v)
{
    v = uintBitsToFloat(words.x);
}
#endif

#if VKR_IS_FLOAT && VKR_HAS_64
uvec4 vkr_pack(double v)
{
    return uvec4(unpackDouble2x32(v), 0u, 0u);
}

void vkr_unpack(uvec4 words, out double v)
{
    v = packDouble2x32(words.xy);
}
#endif

uvec4 vkr_pack(VkrArg v)
{
#if VKR_BYTES == 8
    return uvec4(unpackUint2x32(v.key), v.index);
#else
    return uvec4(v.key, v.index, 0u);
#endif
}

void vkr_unpack(uvec4 words, out VkrArg v)
{
#if VKR_BYTES == 8
    v = VkrArg(packUint2x32(words.xy), words.zw);
#else
    v = VkrArg(words.x, words.yz);
#endif
}

/* Words to and from array[at], array[at + step], ..; `at` moves behind them. */
#define VKR_STORE_WORDS(words, count, array, at, step)                                             \
    {                                                                                              \
        uvec4 w = words;                                                                           \
        array[at] = w.x;                                                                           \
        if (count > 1u)                                                                            \
            array[at + (step)] = w.y;                                                              \
        if (count > 2u)                                                                            \
            array[at + 2u * (step)] = w.z;                                                         \
        if (count > 3u)                                                                            \
            array[at + 3u * (step)] = w.w;                                                         \
        at += count * (step);                                                                      \
    }

#define VKR_LOAD_WORDS(words, count, array, at, step)                                              \
    uvec4 words = uvec4(array[at], 0u, 0u, 0u);                                                    \
    if (count > 1u)                                                                                \
        words.y = array[at + (step)];                                                              \
    if (count > 2u)                                                                                \
        words.z = array[at + 2u * (step)];                                                         \
    if (count > 3u)                                                                                \
        words.w = array[at + 3u * (step)];                                                         \
    at += count * (step);

#endif
