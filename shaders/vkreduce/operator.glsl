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
    VkrBits bits2; /* the element of the second input */
    uvec2 index;
};

struct VkrArg {
    VkrKey key;
    uvec2 index; /* the high word counts only with VKR_WIDE_INDEX */
};

struct VkrCount {
    uvec2 n; /* the same */
};

VkrKey vkr_least(const VkrKey a, const VkrKey b)
{
    return min(a, b);
}

VkrArg vkr_least(const VkrArg a, const VkrArg b)
{
    bool earlier = VKR_WIDE_INDEX ? vkr_less(b.index, a.index) : b.index.x < a.index.x;
    bool less = b.key < a.key;
    bool equal = b.key == a.key;
    return less || (equal && earlier) ? b : a;
}

VkrCount vkr_add(const VkrCount a, const VkrCount b)
{
    return VkrCount(VKR_WIDE_INDEX ? vkr_add(a.n, b.n) : uvec2(a.n.x + b.n.x, 0u));
}

VkrBits vkr_and(const VkrBits a, const VkrBits b)
{
    return a & b;
}

VkrBits vkr_or(const VkrBits a, const VkrBits b)
{
    return a | b;
}

VkrBits vkr_xor(const VkrBits a, const VkrBits b)
{
    return a ^ b;
}

#define VKR_HAS(ops) ((VKR_OPS & (ops)) != 0u)

/* mean and l2 of floats share the rows of sum and sumsq; those of integers have exact sums, which
 * never wrap. */
#if VKR_IS_FLOAT
#define VKR_SUM_USERS (VKR_BIT_SUM | VKR_BIT_MEAN)
#define VKR_SUMSQ_USERS (VKR_BIT_SUMSQ | VKR_BIT_L2)
#define VKR_LONG_ROWS(ROW)
#else
#include "long.glsl"
#define VKR_SUM_USERS VKR_BIT_SUM
#define VKR_SUMSQ_USERS VKR_BIT_SUMSQ
#define VKR_LONG_ROWS(ROW)                                                                         \
    ROW(total, VkrTotal, VKR_BIT_MEAN, VKR_TOTAL_0, vkr_total_of(e.bits), add)                     \
    ROW(squares, VkrSquares, VKR_BIT_L2, VKR_SQUARES_0, vkr_squares_of(e.bits), add)
#endif
#if VKR_IS_FLOAT
#define VKR_NAN_USERS VKR_BIT_NAN
#else
#define VKR_NAN_USERS 0u
#endif

/* Where there is a mask, only the GPU knows whether, and how many, elements are left. */
#define VKR_SEEN_USERS                                                                             \
    ((VKR_FLAGS & VKR_FLAG_MASKED) / VKR_FLAG_MASKED *                                             \
     (VKR_BIT_COUNT | VKR_BIT_MEAN | VKR_BIT_MIN | VKR_BIT_MAX | VKR_BIT_ABSMAX))
#define VKR_SEEN_ROW(ROW)                                                                          \
    ROW(seen, VkrCount, VKR_SEEN_USERS, VkrCount(uvec2(0u)), VkrCount(uvec2(1u, 0u)), add)

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
    ROW(any_, VkrBits, VKR_BIT_OR, VkrBits(0), e.bits, or)                                         \
    ROW(parity, VkrBits, VKR_BIT_XOR, VkrBits(0), e.bits, xor)                                     \
    ROW(nan, VkrCount, VKR_NAN_USERS, VkrCount(uvec2(0u)), vkr_count_nan(e.bits), add)             \
    VKR_LONG_ROWS(ROW)                                                                             \
    VKR_SEEN_ROW(ROW)

#define VKR_NO_ARG VkrArg(VKR_PAD, uvec2(~0u))

VkrSum vkr_square(const VkrBits bits)
{
    VkrSum value = vkr_value(bits);
    return vkr_multiply(value, value);
}

VkrSum vkr_dot(const VkrBits a, const VkrBits b)
{
    return vkr_multiply(vkr_value(a), vkr_value(b));
}

VkrCount vkr_count_nan(const VkrBits bits)
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

VkrState vkr_combine(VkrState s, const VkrState other)
{
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_##combine(s.name, other.name);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* The state of one element. Nothing reads the rows that no operator needs, so drivers drop them. */
VkrState vkr_lift(const VkrElement e)
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, value, combine) s.name = value;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* Combines a state with an element. The identity takes the place of one that a mask leaves out: it
 * changes no bit, and there is no branch around what would be skipped, since lanes differ. */
VkrState vkr_accumulate(const VkrState s, const VkrElement e, const bool is_left_out)
{
    VkrState lifted = vkr_lift(e);
    if (is_left_out)
        lifted = vkr_identity();
    return vkr_combine(s, lifted);
}

/* Those of all components. Where teams merge them, which copies whole arrays, their number is no
 * specialisation constant; elsewhere it is, since a device may keep the array in memory. */
#if VKR_VECTOR && defined(VKR_SEGMENTS)
#define VKR_STATES 4u
#else
#define VKR_STATES VKR_COMPONENTS
#endif
struct VkrStates {
    VkrState of[VKR_STATES];
};

void vkr_clear(inout VkrStates s)
{
    for (uint c = 0u; c < VKR_STATES; c++)
        s.of[c] = vkr_identity();
}

/* Component c of them in loops that drivers leave as loops, since others are in them: places that
 * are no constants would put all states into memory of the invocation's own. */
#if VKR_VECTOR && !defined(VKR_SEGMENTS)
const uint VKR_STATE_1 = VKR_COMPONENTS > 1u ? 1u : 0u;
const uint VKR_STATE_2 = VKR_COMPONENTS > 2u ? 2u : 0u;
const uint VKR_STATE_3 = VKR_COMPONENTS > 3u ? 3u : 0u;

VkrState vkr_state_of(const VkrStates s, const uint c)
{
    VkrState found = s.of[0];
    if (c == 1u)
        found = s.of[VKR_STATE_1];
    if (c == 2u)
        found = s.of[VKR_STATE_2];
    if (c == 3u)
        found = s.of[VKR_STATE_3];
    return found;
}

void vkr_replace_state(inout VkrStates s, const uint c, const VkrState by)
{
    if (c == 0u)
        s.of[0] = by;
    if (VKR_COMPONENTS > 1u && c == 1u)
        s.of[VKR_STATE_1] = by;
    if (VKR_COMPONENTS > 2u && c == 2u)
        s.of[VKR_STATE_2] = by;
    if (VKR_COMPONENTS > 3u && c == 3u)
        s.of[VKR_STATE_3] = by;
}
#else
/* Kernels of segments merge all states anyway. */
#define vkr_state_of(s, c) (s).of[c]
#define vkr_replace_state(s, c, by) (s).of[c] = by
#endif

/* ---- States as words, to leave the invocation: shared memory and partials ---- */

#define VKR_KEY_WORDS (VKR_BYTES == 8 ? 2u : 1u)
#define VKR_INDEX_WORDS (VKR_WIDE_INDEX ? 2u : 1u)
#define VKR_WORDS_VkrKey VKR_KEY_WORDS
#define VKR_WORDS_VkrBits VKR_KEY_WORDS
#define VKR_WORDS_VkrArg (VKR_KEY_WORDS + VKR_INDEX_WORDS)
#define VKR_WORDS_VkrSum (VKR_SUM_BYTES == 8 ? 2u : 1u)
#define VKR_WORDS_VkrCount VKR_INDEX_WORDS
#define VKR_WORDS_VkrTotal (VKR_KEY_WORDS + VKR_INDEX_WORDS)
#define VKR_WORDS_VkrSquares ((VKR_BYTES > 2 ? 2u : 1u) * VKR_KEY_WORDS + VKR_INDEX_WORDS)

const uint VKR_STATE_WORDS = 0u
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    +(VKR_HAS(users) ? VKR_WORDS_##type : 0u)
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    ;

#endif
