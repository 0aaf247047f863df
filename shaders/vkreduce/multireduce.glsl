/* SPDX-License-Identifier: MIT */
/*
 * Multi-reduction: several independent reductions at once among the lanes of a subgroup, by merging
 * values as soon as half of the lanes would only repeat the work of others. K values in each of W
 * lanes become K results: lane l holds result l % K. It works in any shader, and needs no other
 * file of this folder. Source: C. Parker, A. MacKinnon, "Multi-Reduction" (2017).
 *
 * Before including it, define
 *     VKR_MULTI_T               the type of a value
 *     VKR_MULTI_COMBINE(a, b)   an associative operator; need not be commutative
 *     VKR_MULTI_LANES           W: 2, 4, .. 128, at most the subgroup's size; if it is less, each W
 *                               consecutive lanes reduce on their own
 *     VKR_MULTI_VALUES          K: 1, 2, .. W
 * and, if the defaults are not suitable,
 *     VKR_MULTI_NAME(name)      the names of declarations: vkr_multi_##name
 *     VKR_MULTI_LANE            gl_SubgroupInvocationID
 *     VKR_MULTI_SHUFFLE(v, m)   subgroupShuffleXor(v, m), which needs
 *                               GL_KHR_shader_subgroup_shuffle
 *     VKR_MULTI_SELECT(c, a, b) c ? a : b
 *     VKR_MULTI_MERGES          fewer than log2 K, for `push`
 *     VKR_MULTI_ORDERED         see below
 *     VKR_MULTI_SLOT(i)         shared memory, if there are no shuffles: 2 W slots (`shared`) or W
 *                               (`shared_swap`) for the W lanes that reduce together
 *     VKR_MULTI_NO_SHUFFLES     declares only `shared` and `shared_swap`
 *     VKR_MULTI_MOST_MERGES     declares only `push`, for up to 2^n values and lanes, where n is
 *                               its value, at most 5: VKR_MULTI_LANES is VKR_MULTI_VALUES, which
 *                               need not be a constant, and the operator commutes; less code.
 *                               VKR_MULTI_MOST_LANES is a constant that it does not exceed
 *     VKR_MULTI_SYNC            barrier();
 * and enable GL_EXT_control_flow_attributes. The file can be included again with other definitions:
 * it undefines all of these.
 *
 * Declares, as VKR_MULTI_NAME(..), functions that all W lanes must reach:
 *     void naive(inout T v[K])  a butterfly for each value: all lanes get all results
 *     T reduce(T v[K])          merges
 *     T swap(T v[K])            half the shuffles, twice the selects
 *     void doubled(inout T v[K], inout T w[K])  two sets, whose instructions overlap; in v[0], w[0]
 *     Online, void push(inout Online s, uint i, T x), T result(Online s)
 *                               value after value, from 0 to K - 1, in log2 K + 1 registers (or
 *                               VKR_MULTI_MERGES + 1, with more shuffles)
 *     bool rounds(inout Online s, uint i, inout T x, uint first, uint end),
 *     void finish(inout Online s, uint i, T x)
 *                               the parts of push: rounds first to end - 1, which are log2 K in
 *                               all, and, if these return that x does not wait for a partner, the
 *                               end. So 2^r values with constant indices become one in their first
 *                               r rounds, which compilers unroll, and that one continues with the
 *                               other rounds, with an index that need not be a constant
 *     T shared(T v[K]), T shared_swap(T v[K])     reduce and swap by shared memory
 *
 * For an operator that is not commutative, reduce, doubled and push combine the operands in the
 * order of lanes; then results are valid only in lanes 0 to K - 1. With VKR_MULTI_ORDERED all forms
 * do, at the cost of two more selects a round, and results are valid in all lanes, as for
 * commutative operators.
 *
 * Shuffles (each with one combination) and selects for W = K = 32, where a butterfly for each value
 * needs 160 shuffles: reduce and push need 62 and 31, swap 31 and 62. `shared` writes shared memory
 * 62 times and reads it 31 times; `shared_swap` does both 31 times.
 */
#ifndef VKR_MULTI_NAME
#define VKR_MULTI_NAME(name) vkr_multi_##name
#endif
#ifndef VKR_MULTI_LANE
#define VKR_MULTI_LANE gl_SubgroupInvocationID
#endif
#ifndef VKR_MULTI_SHUFFLE
#define VKR_MULTI_SHUFFLE(v, mask) subgroupShuffleXor(v, mask)
#endif
#ifndef VKR_MULTI_SELECT
#define VKR_MULTI_SELECT(c, a, b) ((c) ? (a) : (b))
#endif
#ifndef VKR_MULTI_SYNC
#define VKR_MULTI_SYNC barrier();
#endif

#ifndef VKR_MULTI_GLSL
#define VKR_MULTI_GLSL
#define VKR_MULTI_LOG2(n)                                                                          \
    (uint((n) > 1) + uint((n) > 2) + uint((n) > 4) + uint((n) > 8) + uint((n) > 16) +              \
     uint((n) > 32) + uint((n) > 64))

/* Call pair(mask, i, j) for all pairs of 2, 4, .. 128 values, starting at value i, as soon as both
 * are available: few values are alive at a time. */
#define VKR_MULTI_TREE_1(pair, i)
#define VKR_MULTI_TREE_2(pair, i) pair(1u, (i), (i) + 1)
#define VKR_MULTI_TREE_4(pair, i)                                                                  \
    VKR_MULTI_TREE_2(pair, i) VKR_MULTI_TREE_2(pair, (i) + 2) pair(2u, (i), (i) + 2)
#define VKR_MULTI_TREE_8(pair, i)                                                                  \
    VKR_MULTI_TREE_4(pair, i) VKR_MULTI_TREE_4(pair, (i) + 4) pair(4u, (i), (i) + 4)
#define VKR_MULTI_TREE_16(pair, i)                                                                 \
    VKR_MULTI_TREE_8(pair, i) VKR_MULTI_TREE_8(pair, (i) + 8) pair(8u, (i), (i) + 8)
#define VKR_MULTI_TREE_32(pair, i)                                                                 \
    VKR_MULTI_TREE_16(pair, i) VKR_MULTI_TREE_16(pair, (i) + 16) pair(16u, (i), (i) + 16)
#define VKR_MULTI_TREE_64(pair, i)                                                                 \
    VKR_MULTI_TREE_32(pair, i) VKR_MULTI_TREE_32(pair, (i) + 32) pair(32u, (i), (i) + 32)
#define VKR_MULTI_TREE_128(pair, i)                                                                \
    VKR_MULTI_TREE_64(pair, i) VKR_MULTI_TREE_64(pair, (i) + 64) pair(64u, (i), (i) + 64)
#define VKR_MULTI_TREE_OF(values, pair) VKR_MULTI_TREE_##values(pair, 0)
#define VKR_MULTI_TREE(values, pair) VKR_MULTI_TREE_OF(values, pair)

/* Combine x with that of the other half: in order in lanes without the mask's bit; in those with
 * it; and in both, or in any order if that is allowed. */
#define VKR_MULTI_LOWER(x, mask) x = VKR_MULTI_COMBINE(x, VKR_MULTI_SHUFFLE(x, mask));
#define VKR_MULTI_UPPER(x, mask) x = VKR_MULTI_COMBINE(VKR_MULTI_SHUFFLE(x, mask), x);
#define VKR_MULTI_ROUND(x, mask)                                                                   \
    {                                                                                              \
        VKR_MULTI_T other = VKR_MULTI_SHUFFLE(x, mask);                                            \
        x = VKR_MULTI_BOTH(mask, x, other);                                                        \
    }
#define VKR_MULTI_HAS(mask) ((VKR_MULTI_LANE & (mask)) != 0u)

#define VKR_MULTI_MERGE(v, mask, i, j)                                                             \
    VKR_MULTI_LOWER(v[i], mask)                                                                    \
    VKR_MULTI_UPPER(v[j], mask)                                                                    \
    v[i] = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[j], v[i]);
#define VKR_MULTI_MERGE_V(mask, i, j) VKR_MULTI_MERGE(v, mask, i, j)
#define VKR_MULTI_MERGE_VW(mask, i, j)                                                             \
    VKR_MULTI_MERGE(v, mask, i, j) VKR_MULTI_MERGE(w, mask, i, j)

/* Each half keeps one value and gives the other one to its partner. */
#define VKR_MULTI_PART(v, mask, i, j)                                                              \
    VKR_MULTI_T given = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[i], v[j]);                         \
    v[i] = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[j], v[i]);
#define VKR_MULTI_SWAP_V(mask, i, j)                                                               \
    {                                                                                              \
        VKR_MULTI_PART(v, mask, i, j)                                                              \
        VKR_MULTI_T other = VKR_MULTI_SHUFFLE(given, mask);                                        \
        v[i] = VKR_MULTI_BOTH(mask, v[i], other);                                                  \
    }

/* Combines x with the value that another lane has stored. */
#define VKR_MULTI_TAKE(x, mask, slot)                                                              \
    {                                                                                              \
        VKR_MULTI_T other = VKR_MULTI_SLOT(slot);                                                  \
        x = VKR_MULTI_BOTH(mask, x, other);                                                        \
        VKR_MULTI_SYNC                                                                             \
    }
#define VKR_MULTI_SHARED_V(mask, i, j)                                                             \
    VKR_MULTI_SLOT(lane) = v[i];                                                                   \
    VKR_MULTI_SLOT(lane + VKR_MULTI_LANES) = v[j];                                                 \
    VKR_MULTI_SYNC                                                                                 \
    v[i] = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[j], v[i]);                                      \
    VKR_MULTI_TAKE(v[i], mask,                                                                     \
                   (lane ^ (mask)) + (VKR_MULTI_HAS(mask) ? uint(VKR_MULTI_LANES) : 0u))
#define VKR_MULTI_SHARED_SWAP_V(mask, i, j)                                                        \
    {                                                                                              \
        VKR_MULTI_PART(v, mask, i, j)                                                              \
        VKR_MULTI_SLOT(lane) = given;                                                              \
        VKR_MULTI_SYNC                                                                             \
        VKR_MULTI_TAKE(v[i], mask, lane ^ (mask))                                                  \
    }
#endif

#ifdef VKR_MULTI_ORDERED
#define VKR_MULTI_BOTH(mask, x, other)                                                             \
    VKR_MULTI_COMBINE(VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), other, x),                             \
                      VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), x, other))
#else
#define VKR_MULTI_BOTH(mask, x, other) VKR_MULTI_COMBINE(x, other)
#endif

#if !defined(VKR_MULTI_NO_SHUFFLES) && !defined(VKR_MULTI_MOST_MERGES)
/* The remaining rounds after K values have been merged into one. */
#define VKR_MULTI_REST(x)                                                                          \
    [[unroll]] for (uint k = VKR_MULTI_LOG2(VKR_MULTI_VALUES); k < VKR_MULTI_LOG2(VKR_MULTI_LANES);\
                    k++)                                                                           \
        VKR_MULTI_ROUND(x, 1u << k)

void VKR_MULTI_NAME(naive)(inout VKR_MULTI_T v[VKR_MULTI_VALUES])
{
    [[unroll]] for (uint k = 0u; k < VKR_MULTI_LOG2(VKR_MULTI_LANES); k++) {
        [[unroll]] for (uint i = 0u; i < VKR_MULTI_VALUES; i++)
            VKR_MULTI_ROUND(v[i], 1u << k)
    }
}

VKR_MULTI_T VKR_MULTI_NAME(reduce)(VKR_MULTI_T v[VKR_MULTI_VALUES])
{
    VKR_MULTI_TREE(VKR_MULTI_VALUES, VKR_MULTI_MERGE_V)
    VKR_MULTI_REST(v[0])
    return v[0];
}

void VKR_MULTI_NAME(doubled)(inout VKR_MULTI_T v[VKR_MULTI_VALUES],
                             inout VKR_MULTI_T w[VKR_MULTI_VALUES])
{
    VKR_MULTI_TREE(VKR_MULTI_VALUES, VKR_MULTI_MERGE_VW)
    VKR_MULTI_REST(v[0])
    VKR_MULTI_REST(w[0])
}

VKR_MULTI_T VKR_MULTI_NAME(swap)(VKR_MULTI_T v[VKR_MULTI_VALUES])
{
    VKR_MULTI_TREE(VKR_MULTI_VALUES, VKR_MULTI_SWAP_V)
    VKR_MULTI_REST(v[0])
    return v[0];
}

#undef VKR_MULTI_REST
#endif

#ifndef VKR_MULTI_NO_SHUFFLES
/* ---- Value after value ---- */

#ifndef VKR_MULTI_MERGES
#define VKR_MULTI_MERGES VKR_MULTI_LOG2(VKR_MULTI_VALUES)
#define VKR_MULTI_MERGES_ALL
#endif
/* Loops and arrays have constant sizes, whatever the number of lanes. */
#ifdef VKR_MULTI_MOST_MERGES
#define VKR_MULTI_ROUNDS uint(VKR_MULTI_MOST_MERGES)
#define VKR_MULTI_ANY
#ifndef VKR_MULTI_MOST_LANES
#define VKR_MULTI_MOST_LANES VKR_MULTI_LANES
#endif
#else
#define VKR_MULTI_ROUNDS VKR_MULTI_LOG2(VKR_MULTI_LANES)
#define VKR_MULTI_MOST_MERGES VKR_MULTI_MERGES
#endif

/* Register k holds 2^k merged values that wait for 2^k more; the last register holds results. */
struct VKR_MULTI_NAME(Online) {
    VKR_MULTI_T r[VKR_MULTI_MOST_MERGES + 1];
};

/* Round k for value i. The number of the round is a literal, so the mask of the shuffle is a
 * constant from the start: compilers have faster instructions for constant masks, but choose them
 * before they unroll loops. At the end only the lanes whose number has the bits of i need this
 * value. */
#ifdef VKR_MULTI_ANY
#define VKR_MULTI_IS_ROUND(k)                                                                      \
    (goes_on && (k) >= first && (k) < end && (1u << (k)) < VKR_MULTI_LANES)
#define VKR_MULTI_PUSH(k)                                                                          \
    if ((1u << (k)) < VKR_MULTI_MOST_LANES) {                                                      \
        if (VKR_MULTI_IS_ROUND(k)) {                                                               \
            VKR_MULTI_T other = VKR_MULTI_SHUFFLE(x, 1u << (k));                                   \
            x = VKR_MULTI_COMBINE(x, other);                                                       \
            goes_on = (i & 1u << (k)) != 0u;                                                       \
            if (goes_on)                                                                           \
                x = VKR_MULTI_SELECT(VKR_MULTI_HAS(1u << (k)), x, s.r[k]);                         \
            else                                                                                   \
                s.r[k] = x;                                                                        \
        }                                                                                          \
    }
#else
#define VKR_MULTI_JOIN(mask)                                                                       \
    if ((mask) >= VKR_MULTI_VALUES)                                                                \
        x = VKR_MULTI_BOTH(mask, x, other);                                                        \
    else if ((i & (mask)) != 0u)                                                                   \
        x = VKR_MULTI_COMBINE(other, x);                                                           \
    else                                                                                           \
        x = VKR_MULTI_COMBINE(x, other);
#define VKR_MULTI_REGISTER(k) min(k, uint(VKR_MULTI_MOST_MERGES))
#define VKR_MULTI_PUSH(k)                                                                          \
    if (goes_on && (k) >= first && (k) < end && (1u << (k)) < VKR_MULTI_LANES) {                   \
        VKR_MULTI_T other = VKR_MULTI_SHUFFLE(x, 1u << (k));                                       \
        VKR_MULTI_JOIN(1u << (k))                                                                  \
        if ((k) < merges && (i & 1u << (k)) != 0u)                                                 \
            x = VKR_MULTI_SELECT(VKR_MULTI_HAS(1u << (k)), x, s.r[VKR_MULTI_REGISTER(k)]);         \
        goes_on = (k) >= merges || (i & 1u << (k)) != 0u;                                          \
        if (!goes_on)                                                                              \
            s.r[VKR_MULTI_REGISTER(k)] = x;                                                        \
    }
#endif

bool VKR_MULTI_NAME(rounds)(inout VKR_MULTI_NAME(Online) s, uint i, inout VKR_MULTI_T x,
                            uint first, uint end)
{
#ifndef VKR_MULTI_ANY
    const uint merges = VKR_MULTI_MERGES;
#endif
    bool goes_on = true; /* a constant if i is a constant */
    VKR_MULTI_PUSH(0u)
    VKR_MULTI_PUSH(1u)
    VKR_MULTI_PUSH(2u)
    VKR_MULTI_PUSH(3u)
    VKR_MULTI_PUSH(4u)
#ifndef VKR_MULTI_ANY
    VKR_MULTI_PUSH(5u)
    VKR_MULTI_PUSH(6u)
#endif
    return goes_on;
}

void VKR_MULTI_NAME(finish)(inout VKR_MULTI_NAME(Online) s, uint i, VKR_MULTI_T x)
{
#ifdef VKR_MULTI_MERGES_ALL
    s.r[VKR_MULTI_MOST_MERGES] = x;
#else
    const uint merges = VKR_MULTI_MERGES;
    if (merges == VKR_MULTI_LOG2(VKR_MULTI_VALUES)) {
        s.r[VKR_MULTI_MOST_MERGES] = x;
    } else {
        const uint lane = VKR_MULTI_LANE & uint(VKR_MULTI_VALUES - 1);
        s.r[VKR_MULTI_MOST_MERGES] =
            VKR_MULTI_SELECT(lane >> merges == i >> merges, x, s.r[VKR_MULTI_MOST_MERGES]);
    }
#endif
}

void VKR_MULTI_NAME(push)(inout VKR_MULTI_NAME(Online) s, uint i, VKR_MULTI_T x)
{
    if (VKR_MULTI_NAME(rounds)(s, i, x, 0u, VKR_MULTI_ROUNDS))
        VKR_MULTI_NAME(finish)(s, i, x);
}

VKR_MULTI_T VKR_MULTI_NAME(result)(VKR_MULTI_NAME(Online) s)
{
    return s.r[VKR_MULTI_MOST_MERGES];
}

#endif

/* ---- By shared memory ---- */

#ifdef VKR_MULTI_SLOT
/* The remaining rounds. */
#define VKR_MULTI_SHARED_REST(x)                                                                   \
    [[unroll]] for (uint k = VKR_MULTI_LOG2(VKR_MULTI_VALUES); k < VKR_MULTI_LOG2(VKR_MULTI_LANES);\
                    k++) {                                                                         \
        VKR_MULTI_SLOT(lane) = x;                                                                  \
        VKR_MULTI_SYNC                                                                             \
        VKR_MULTI_TAKE(x, 1u << k, lane ^ (1u << k))                                               \
    }

VKR_MULTI_T VKR_MULTI_NAME(shared)(VKR_MULTI_T v[VKR_MULTI_VALUES])
{
    const uint lane = VKR_MULTI_LANE & uint(VKR_MULTI_LANES - 1);
    VKR_MULTI_TREE(VKR_MULTI_VALUES, VKR_MULTI_SHARED_V)
    VKR_MULTI_SHARED_REST(v[0])
    return v[0];
}

VKR_MULTI_T VKR_MULTI_NAME(shared_swap)(VKR_MULTI_T v[VKR_MULTI_VALUES])
{
    const uint lane = VKR_MULTI_LANE & uint(VKR_MULTI_LANES - 1);
    VKR_MULTI_TREE(VKR_MULTI_VALUES, VKR_MULTI_SHARED_SWAP_V)
    VKR_MULTI_SHARED_REST(v[0])
    return v[0];
}
#undef VKR_MULTI_SHARED_REST
#undef VKR_MULTI_SLOT
#endif

#undef VKR_MULTI_BOTH
#undef VKR_MULTI_ORDERED
#undef VKR_MULTI_T
#undef VKR_MULTI_COMBINE
#undef VKR_MULTI_LANES
#undef VKR_MULTI_VALUES
#undef VKR_MULTI_MERGES
#undef VKR_MULTI_MERGES_ALL
#undef VKR_MULTI_NO_SHUFFLES
#undef VKR_MULTI_MOST_MERGES
#undef VKR_MULTI_MOST_LANES
#undef VKR_MULTI_ROUNDS
#undef VKR_MULTI_JOIN
#undef VKR_MULTI_IS_ROUND
#undef VKR_MULTI_REGISTER
#undef VKR_MULTI_PUSH
#undef VKR_MULTI_ANY
#undef VKR_MULTI_NAME
#undef VKR_MULTI_LANE
#undef VKR_MULTI_SHUFFLE
#undef VKR_MULTI_SELECT
#undef VKR_MULTI_SYNC
