/* SPDX-License-Identifier: MIT */
/*
 * Multi-reduction: several independent reductions at once among the lanes of a subgroup, by merging
 * values as soon as half of the lanes would only repeat what others know. K values in each of W
 * lanes become K results: lane l holds result l % K. For any shader; nothing else of this folder is
 * needed. Source: C. Parker, A. MacKinnon, "Multi-Reduction" (2017).
 *
 * Before including it, define
 *     VKR_MULTI_T               a value
 *     VKR_MULTI_COMBINE(a, b)   an associative operator; need not be commutative
 *     VKR_MULTI_LANES           W: 2, 4, .. 128, at most the subgroup's size; where it is less,
 *                               each W consecutive lanes reduce on their own
 *     VKR_MULTI_VALUES          K: 1, 2, .. W
 * and, where these will not do,
 *     VKR_MULTI_NAME(name)      the name of what is declared: vkr_multi_##name
 *     VKR_MULTI_LANE            gl_SubgroupInvocationID
 *     VKR_MULTI_SHUFFLE(v, m)   subgroupShuffleXor(v, m), which needs
 *                               GL_KHR_shader_subgroup_shuffle
 *     VKR_MULTI_SELECT(c, a, b) c ? a : b
 *     VKR_MULTI_MERGES          fewer than log2 K, for `push`
 *     VKR_MULTI_ORDERED         see below
 *     VKR_MULTI_SLOT(i)         shared memory, where there are no shuffles: of the W lanes that
 *                               reduce together 2 W slots (`shared`) or W (`shared_swap`)
 *     VKR_MULTI_NO_SHUFFLES     nothing but `shared` and `shared_swap`
 *     VKR_MULTI_MOST_MERGES     nothing but `push`, for up to 2 to the power of as many values and
 *                               lanes (at most 5): VKR_MULTI_LANES is VKR_MULTI_VALUES, which need
 *                               not be a constant, and the operator commutes; less code
 *     VKR_MULTI_SYNC            barrier();
 * and enable GL_EXT_control_flow_attributes. It can be included again, with other definitions: none
 * is left.
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
 *                               what push is made of: rounds first to end - 1, which are log2 K in
 *                               all, and, where these say that x is not left waiting, the end. So
 *                               2^r values whose numbers are constants become one by their first r
 *                               rounds, which compilers unroll, and that one goes on by the rest,
 *                               with a number that need not be a constant
 *     T shared(T v[K]), T shared_swap(T v[K])     reduce and swap by shared memory
 *
 * Of an operator that is not commutative reduce, doubled and push combine the operands in the order
 * of lanes; results are then right in lanes 0 to K - 1. With VKR_MULTI_ORDERED all forms do, for
 * two more selects a round, and results are right in all lanes, as commutative operators' are.
 *
 * Shuffles (each with one combination) and selects for W = K = 32, where a butterfly for each value
 * takes 160: reduce and push 62 and 31, swap 31 and 62. Shared memory is written 62 times and read
 * 31 times, with swap 31 times each.
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

/* pair(mask, i, j) on all pairs of 2, 4, .. 128 values from value i on, as soon as both are there:
 * few are alive at a time. */
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

/* What x becomes with the other half's, in order in lanes without the bit of the mask; in those
 * with it; in both, or either where that is allowed. */
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

/* Each half keeps one value and gives the other away. */
#define VKR_MULTI_PART(v, mask, i, j)                                                              \
    VKR_MULTI_T given = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[i], v[j]);                         \
    v[i] = VKR_MULTI_SELECT(VKR_MULTI_HAS(mask), v[j], v[i]);
#define VKR_MULTI_SWAP_V(mask, i, j)                                                               \
    {                                                                                              \
        VKR_MULTI_PART(v, mask, i, j)                                                              \
        VKR_MULTI_T other = VKR_MULTI_SHUFFLE(given, mask);                                        \
        v[i] = VKR_MULTI_BOTH(mask, v[i], other);                                                  \
    }

/* x with what another lane has left. */
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
/* The rounds that are left when K values have been merged into one. */
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
#else
#define VKR_MULTI_ROUNDS VKR_MULTI_LOG2(VKR_MULTI_LANES)
#define VKR_MULTI_MOST_MERGES VKR_MULTI_MERGES
#endif

/* Register k: what of 2^k values waits for as many more; the last one: results. */
struct VKR_MULTI_NAME(Online) {
    VKR_MULTI_T r[VKR_MULTI_MOST_MERGES + 1];
};

/* What value i becomes in round k. The number of the round stands in the text, so that the mask of
 * the shuffle is a constant from the start: compilers have faster instructions for that, but choose
 * them before they unroll loops. In the end only lanes whose number has the bits of i want this
 * value. */
#ifdef VKR_MULTI_ANY
#define VKR_MULTI_PUSH(k)                                                                          \
    if (goes_on && (k) >= first && (k) < end && (1u << (k)) < VKR_MULTI_LANES) {                   \
        VKR_MULTI_T other = VKR_MULTI_SHUFFLE(x, 1u << (k));                                       \
        x = VKR_MULTI_COMBINE(x, other);                                                           \
        goes_on = (i & 1u << (k)) != 0u;                                                           \
        if (goes_on)                                                                               \
            x = VKR_MULTI_SELECT(VKR_MULTI_HAS(1u << (k)), x, s.r[k]);                             \
        else                                                                                       \
            s.r[k] = x;                                                                            \
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
    bool goes_on = true; /* a constant where i is one */
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
/* The rounds that are left. */
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
#undef VKR_MULTI_ROUNDS
#undef VKR_MULTI_JOIN
#undef VKR_MULTI_REGISTER
#undef VKR_MULTI_PUSH
#undef VKR_MULTI_ANY
#undef VKR_MULTI_NAME
#undef VKR_MULTI_LANE
#undef VKR_MULTI_SHUFFLE
#undef VKR_MULTI_SELECT
#undef VKR_MULTI_SYNC
