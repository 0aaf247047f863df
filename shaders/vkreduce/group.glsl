/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans in the subgroups of a workgroup, and across it. They work in any compute
 * shader and with any subgroup size, even with partly filled subgroups. The file needs only
 * group_lead.glsl, group_workgroup.glsl, group_operator.glsl and key.glsl of this folder. The
 * library's own kernels are built on it.
 *
 * Before including it, define
 *     VKR_GROUP_SIZE            invocations of the workgroup, which is one-dimensional: a constant
 *     VKR_GROUP_PATH            VKR_GROUP_BY_ARITHMETIC, VKR_GROUP_BY_SHUFFLE or
 *                               VKR_GROUP_BY_SHARED: how invocations reach each other
 * and either an operator of group_operator.glsl by
 *     VKR_GROUP_OP, VKR_GROUP_TYPE
 * or a monoid, which is a type with an operator:
 *     VKR_GROUP_T               the type of a value; it can be a structure
 *     VKR_GROUP_COMBINE(a, b)   an associative operator; need not be commutative
 *     VKR_GROUP_IDENTITY        what exclusive scans give to the first invocation; no value is
 *                               combined with it, unless stated below
 * and, if the defaults are not suitable,
 *     VKR_GROUP_NAME(name)      the names of declarations: vkr_group_##name
 *     VKR_GROUP_SHUFFLE(v, i)   subgroupShuffle(v, i); a structure needs its own
 *     VKR_GROUP_SHUFFLE_XOR(v, m)
 *                               subgroupShuffleXor(v, m), or VKR_GROUP_SHUFFLE if that is defined
 *     VKR_GROUP_REDUCE(v)       for VKR_GROUP_BY_ARITHMETIC: subgroupAdd(v) ..; default: shuffles
 *     VKR_GROUP_INCLUSIVE(v)    likewise: subgroupInclusiveAdd(v) ..
 *     VKR_GROUP_EXCLUSIVE(v)    likewise: subgroupExclusiveAdd(v) .., which gives the first lane
 *                               VKR_GROUP_IDENTITY, which must be neutral
 *     VKR_GROUP_COMMUTES        the operator is commutative, which saves reductions two selects
 *     VKR_GROUP_NEUTRAL         VKR_GROUP_IDENTITY is neutral: combining it with a value does not
 *                               change that value; saves exclusive scans two selects
 *     VKR_GROUP_WIDTH           lanes of a subgroup, if they are known to be 4, 8, .. 128; with
 *                               VKR_GROUP_BY_SHARED consecutive invocations that stand for one: 1,
 *                               2, 4, .. (32)
 *     VKR_GROUP_FULL            VKR_GROUP_SIZE is a multiple of VKR_GROUP_WIDTH: no subgroup is
 *                               partly filled, which saves reductions a comparison each round.
 *                               Needs VKR_GROUP_WIDTH
 *     VKR_GROUP_ROLLED          rounds of reductions stay a loop if VKR_GROUP_FULL and
 *                               VKR_GROUP_COMMUTES are defined: calls in loops become large if
 *                               drivers unroll both
 *     VKR_GROUP_SUBGROUPS       max number of subgroups, (VKR_GROUP_SIZE + 3) / 4; 1 saves
 *                               workgroups their barriers
 *     VKR_GROUP_SLOT(i)         shared memory for VKR_GROUP_SUBGROUPS values, with
 *                               VKR_GROUP_BY_SHARED VKR_GROUP_SIZE; by default a new array
 *     VKR_GROUP_PUT(i, v), VKR_GROUP_GET(i)
 *                               instead: store value v to slot i, and load it, for values that lie
 *                               in shared memory as words
 * and enable GL_EXT_control_flow_attributes and, except for VKR_GROUP_BY_SHARED,
 * GL_KHR_shader_subgroup_basic and GL_KHR_shader_subgroup_shuffle, and for VKR_GROUP_BY_ARITHMETIC
 * GL_KHR_shader_subgroup_arithmetic. The file can be included again with other definitions: it
 * undefines all of these.
 *
 * Declares, as VKR_GROUP_NAME(..), functions whose results are valid in all invocations:
 *     uint rank()                    the invocation's position in the order of scans, from 0 to
 *                                    VKR_GROUP_SIZE - 1: assign elements by it, since it need not
 *                                    be gl_LocalInvocationIndex
 *     T subgroup_reduce(T v)         must be called by all lanes of the subgroup, with
 *     T subgroup_inclusive(T v)      VKR_GROUP_BY_SHARED by the whole workgroup; `total` combines
 *     T subgroup_exclusive(T v)      all values of the subgroup
 *     T subgroup_exclusive(T v, out T total)
 *     T reduce(T v)                  must be called by the whole workgroup; `total` combines all of
 *     T inclusive(T v, out T total)  its values
 *     T exclusive(T v, out T total)
 *     T subgroups_exclusive(T v, out T total)
 *                                    the same for values of subgroups: all lanes of a subgroup have
 *                                    the same value
 *     T first(T v)                   the value of the invocation of rank 0
 *
 * If only one invocation needs the result, there is a faster reduction:
 *     void lead(inout T v)           must be called by the whole workgroup; valid in the invocation
 *                                    of rank 0 only, undefined in others. The operator must be
 *                                    commutative and VKR_GROUP_IDENTITY neutral; with
 *                                    VKR_GROUP_BY_SHARED VKR_GROUP_SIZE must be a power of two,
 *                                    and VKR_GROUP_WIDTH has no effect
 * It is declared if one of these is defined:
 *     VKR_GROUP_LEAD                 and needs VKR_GROUP_SHUFFLE_XOR only, or
 *     VKR_GROUP_LEAD_ONLY            likewise; then only lead and rank are declared
 * and can reduce several values at once, between the same barriers:
 *     VKR_GROUP_ALL                  the type of all of them, which replaces T in lead
 *     VKR_GROUP_EACH(c)              for (uint c = 0u; c < n; c++)
 *     VKR_GROUP_PART(v, c)           value c of them, and
 *     VKR_GROUP_SET_PART(v, c, x)    replaces it, if VKR_GROUP_PART(v, c) = x does not
 *     VKR_GROUP_PUT_PART(c, i, v), VKR_GROUP_GET_PART(c, i)
 *                                    store it to slot i of its own, and load it; with
 *                                    VKR_GROUP_BY_SHARED all values can use the same slots
 *
 * Consecutive calls need no barrier between them. Their own barriers: none in subgroups, two across
 * the workgroup; with VKR_GROUP_BY_SHARED two more for each shuffle.
 *
 * Without built-ins the order of combinations depends only on the width of subgroups: reductions
 * pair lanes that lie 1, 2, 4, .. apart, where a lane without a partner keeps its value; scans
 * combine with the lane 1, 2, 4, .. before (Hillis and Steele, "Data Parallel Algorithms", 1986);
 * then subgroups are combined one after the other. `lead` pairs the lanes of subgroups as
 * reductions do; then lane i of the first subgroup, which has W lanes, combines the values of
 * subgroups i, i + W, i + 2 W, .., and its lanes are paired again. With VKR_GROUP_BY_SHARED it
 * pairs invocations that lie half the workgroup apart, then a quarter, .. (M. Ramalho, parallel
 * reduce, 2014).
 */
#ifndef VKR_GROUP_GLSL
#define VKR_GROUP_GLSL
#define VKR_GROUP_BY_ARITHMETIC 1
#define VKR_GROUP_BY_SHUFFLE 2
#define VKR_GROUP_BY_SHARED 3
#endif

#ifndef VKR_GROUP_NAME
#define VKR_GROUP_NAME(name) vkr_group_##name
#endif
#if !defined(VKR_GROUP_SIZE) || !defined(VKR_GROUP_PATH)
#error VKR_GROUP_SIZE and VKR_GROUP_PATH should be defined before group.glsl is included
#elif VKR_GROUP_PATH < VKR_GROUP_BY_ARITHMETIC || VKR_GROUP_PATH > VKR_GROUP_BY_SHARED
#error VKR_GROUP_PATH should be VKR_GROUP_BY_ARITHMETIC, VKR_GROUP_BY_SHUFFLE or VKR_GROUP_BY_SHARED
#endif
#ifdef VKR_GROUP_OP
#include "group_operator.glsl"
#elif !defined(VKR_GROUP_T) || !defined(VKR_GROUP_COMBINE) || !defined(VKR_GROUP_IDENTITY)
#error VKR_GROUP_OP or else VKR_GROUP_T, _COMBINE and _IDENTITY should be defined
#endif
#if defined(VKR_GROUP_LEAD_ONLY) && !defined(VKR_GROUP_LEAD)
#define VKR_GROUP_LEAD
#endif

#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED
#ifndef VKR_GROUP_WIDTH
#define VKR_GROUP_WIDTH 32u
#endif
#define VKR_GROUP_LANE (gl_LocalInvocationIndex % VKR_GROUP_WIDTH)
#define VKR_GROUP_ROW (gl_LocalInvocationIndex / VKR_GROUP_WIDTH)
#define VKR_GROUP_LANES VKR_GROUP_WIDTH
#define VKR_GROUP_SLOTS VKR_GROUP_SIZE
#define VKR_GROUP_ROWS ((VKR_GROUP_SIZE + VKR_GROUP_WIDTH - 1u) / VKR_GROUP_WIDTH)
#undef VKR_GROUP_SHUFFLE
#undef VKR_GROUP_SHUFFLE_XOR
#define VKR_GROUP_SHUFFLE(v, i) VKR_GROUP_NAME(shuffle)(v, i)
#else
#define VKR_GROUP_LANE gl_SubgroupInvocationID
#define VKR_GROUP_ROW gl_SubgroupID
#ifdef VKR_GROUP_WIDTH
#define VKR_GROUP_LANES VKR_GROUP_WIDTH
#else
#define VKR_GROUP_LANES gl_SubgroupSize
#endif
#ifndef VKR_GROUP_SUBGROUPS
#define VKR_GROUP_SUBGROUPS ((VKR_GROUP_SIZE + 3u) / 4u)
#endif
#define VKR_GROUP_SLOTS VKR_GROUP_SUBGROUPS
#define VKR_GROUP_ROWS VKR_GROUP_SUBGROUPS
#if !defined(VKR_GROUP_SHUFFLE) && !defined(VKR_GROUP_SHUFFLE_XOR)
#define VKR_GROUP_SHUFFLE_XOR(v, m) subgroupShuffleXor(v, m)
#endif
#ifndef VKR_GROUP_SHUFFLE
#define VKR_GROUP_SHUFFLE(v, i) subgroupShuffle(v, i)
#endif
#endif
#ifndef VKR_GROUP_SHUFFLE_XOR
#define VKR_GROUP_SHUFFLE_XOR(v, m) VKR_GROUP_SHUFFLE(v, VKR_GROUP_LANE ^ (m))
#endif

#if !defined(VKR_GROUP_PUT) && !(defined(VKR_GROUP_LEAD_ONLY) && defined(VKR_GROUP_ALL))
#ifndef VKR_GROUP_SLOT
shared VKR_GROUP_T VKR_GROUP_NAME(slots)[VKR_GROUP_SLOTS];
#define VKR_GROUP_SLOT(i) VKR_GROUP_NAME(slots)[i]
#endif
#define VKR_GROUP_PUT(i, v) VKR_GROUP_SLOT(i) = v
#define VKR_GROUP_GET(i) VKR_GROUP_SLOT(i)
#endif

/* ---- A row: a subgroup, or its substitute ---- */

uint VKR_GROUP_NAME(width)()
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED || defined(VKR_GROUP_WIDTH)
    return VKR_GROUP_WIDTH;
#else
    /* Some drivers have more subgroups, with a half or a quarter of the reported lanes; others
     * round the number of subgroups down, even to 0. */
    uint most = (VKR_GROUP_SIZE - 1u) / max(gl_NumSubgroups, 1u);
    return min(gl_SubgroupSize, 1u << (findMSB(most) + 1));
#endif
}

uint VKR_GROUP_NAME(rank)()
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED
    return gl_LocalInvocationIndex;
#else
    if (VKR_GROUP_ROWS == 1u)
        return VKR_GROUP_LANE;
    return VKR_GROUP_ROW * VKR_GROUP_NAME(width)() + VKR_GROUP_LANE;
#endif
}

/* The number of invocations in this row. */
uint VKR_GROUP_NAME(filled)()
{
    uint width = VKR_GROUP_NAME(width)();
#ifdef VKR_GROUP_FULL
    return width;
#else
    return min(width, VKR_GROUP_SIZE - VKR_GROUP_ROW * width);
#endif
}

/* Rounds of shuffles until the last lane has reached the first: the same in all rows. */
int VKR_GROUP_NAME(rounds)()
{
#ifdef VKR_GROUP_FULL
    return findMSB(VKR_GROUP_LANES);
#else
    return min(findMSB(VKR_GROUP_LANES), findMSB(VKR_GROUP_SIZE - 1u) + 1);
#endif
}

#ifdef VKR_GROUP_LEAD
#include "group_lead.glsl"
#endif

#ifndef VKR_GROUP_LEAD_ONLY
#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED
VKR_GROUP_T VKR_GROUP_NAME(shuffle)(const VKR_GROUP_T v, const uint lane)
{
    barrier();
    VKR_GROUP_PUT(gl_LocalInvocationIndex, v);
    barrier();
    return VKR_GROUP_GET(VKR_GROUP_ROW * VKR_GROUP_WIDTH + lane);
}
#endif

VKR_GROUP_T VKR_GROUP_NAME(subgroup_reduce)(VKR_GROUP_T v)
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_REDUCE)
    return VKR_GROUP_REDUCE(v);
#else
#if defined(VKR_GROUP_FULL) && defined(VKR_GROUP_COMMUTES) && defined(VKR_GROUP_ROLLED)
    for (uint mask = 1u; mask < VKR_GROUP_NAME(width)(); mask <<= 1)
        v = VKR_GROUP_COMBINE(v, VKR_GROUP_SHUFFLE_XOR(v, mask));
#elif defined(VKR_GROUP_FULL) && defined(VKR_GROUP_COMMUTES)
    [[unroll]] for (int k = 0; k < VKR_GROUP_NAME(rounds)(); k++)
        v = VKR_GROUP_COMBINE(v, VKR_GROUP_SHUFFLE_XOR(v, 1u << k));
#else
    uint lane = VKR_GROUP_LANE;
    uint filled = VKR_GROUP_NAME(filled)();
    [[unroll]] for (int k = 0; k < VKR_GROUP_NAME(rounds)(); k++) {
        uint partner = lane ^ (1u << k);
        VKR_GROUP_T first = v;
        VKR_GROUP_T second = VKR_GROUP_SHUFFLE(v, partner < filled ? partner : lane);
#ifndef VKR_GROUP_COMMUTES
        if (partner < lane) {
            first = second;
            second = v;
        }
#endif
        if (partner < filled)
            v = VKR_GROUP_COMBINE(first, second);
    }
#endif
#ifndef VKR_GROUP_FULL
    /* If lanes lacked a partner, only the first lane has the complete value. */
    if (VKR_GROUP_SIZE % VKR_GROUP_NAME(width)() != 0u)
        v = VKR_GROUP_SHUFFLE(v, 0u);
#endif
    return v;
#endif
}

VKR_GROUP_T VKR_GROUP_NAME(subgroup_inclusive)(VKR_GROUP_T v)
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_INCLUSIVE)
    return VKR_GROUP_INCLUSIVE(v);
#else
    uint lane = VKR_GROUP_LANE;
    [[unroll]] for (int k = 0; k < VKR_GROUP_NAME(rounds)(); k++) {
        uint distance = 1u << k;
        VKR_GROUP_T before = VKR_GROUP_SHUFFLE(v, lane >= distance ? lane - distance : lane);
        if (lane >= distance)
            v = VKR_GROUP_COMBINE(before, v);
    }
    return v;
#endif
}

/* The value of the lane before, and that of the last lane. */
VKR_GROUP_T VKR_GROUP_NAME(shifted)(VKR_GROUP_T v, const VKR_GROUP_T first, out VKR_GROUP_T last)
{
    uint lane = VKR_GROUP_LANE;
    uint end = VKR_GROUP_NAME(filled)() - 1u;
#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED
    v = VKR_GROUP_SHUFFLE(v, lane > 0u ? lane - 1u : 0u);
    last = VKR_GROUP_GET(VKR_GROUP_ROW * VKR_GROUP_WIDTH + end);
#else
    last = VKR_GROUP_SHUFFLE(v, end);
    v = VKR_GROUP_SHUFFLE(v, lane > 0u ? lane - 1u : 0u);
#endif
    if (lane == 0u)
        v = first;
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(subgroup_exclusive)(const VKR_GROUP_T v, out VKR_GROUP_T total)
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_EXCLUSIVE)
    VKR_GROUP_T before = VKR_GROUP_EXCLUSIVE(v);
    total = VKR_GROUP_SHUFFLE(VKR_GROUP_COMBINE(before, v), VKR_GROUP_NAME(filled)() - 1u);
    return before;
#else
    return VKR_GROUP_NAME(shifted)(VKR_GROUP_NAME(subgroup_inclusive)(v), VKR_GROUP_IDENTITY,
                                   total);
#endif
}

VKR_GROUP_T VKR_GROUP_NAME(subgroup_exclusive)(const VKR_GROUP_T v)
{
    VKR_GROUP_T total;
    return VKR_GROUP_NAME(subgroup_exclusive)(v, total);
}

#include "group_workgroup.glsl"
#endif

#undef VKR_GROUP_LANE
#undef VKR_GROUP_LANES
#undef VKR_GROUP_ROW
#undef VKR_GROUP_ROWS
#undef VKR_GROUP_SLOTS
#undef VKR_GROUP_SIZE
#undef VKR_GROUP_PATH
#undef VKR_GROUP_OP
#undef VKR_GROUP_TYPE
#undef VKR_GROUP_T
#undef VKR_GROUP_COMBINE
#undef VKR_GROUP_IDENTITY
#undef VKR_GROUP_NAME
#undef VKR_GROUP_SHUFFLE
#undef VKR_GROUP_SHUFFLE_XOR
#undef VKR_GROUP_REDUCE
#undef VKR_GROUP_INCLUSIVE
#undef VKR_GROUP_EXCLUSIVE
#undef VKR_GROUP_COMMUTES
#undef VKR_GROUP_WIDTH
#undef VKR_GROUP_FULL
#undef VKR_GROUP_NEUTRAL
#undef VKR_GROUP_ROLLED
#undef VKR_GROUP_SUBGROUPS
#undef VKR_GROUP_SLOT
#undef VKR_GROUP_PUT
#undef VKR_GROUP_GET
#undef VKR_GROUP_LEAD
#undef VKR_GROUP_LEAD_ONLY
#undef VKR_GROUP_ALL
#undef VKR_GROUP_EACH
#undef VKR_GROUP_PART
#undef VKR_GROUP_SET_PART
#undef VKR_GROUP_PUT_PART
#undef VKR_GROUP_GET_PART
