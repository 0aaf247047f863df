/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans in the subgroups of a workgroup, and across it. For any compute shader, of
 * any subgroup size, also where subgroups are partly filled; nothing else of this folder is needed
 * but group_operator.glsl.
 *
 * Before including it, define
 *     VKR_GROUP_SIZE            invocations of the workgroup, which is one-dimensional: a constant
 *     VKR_GROUP_RUNG            VKR_GROUP_BY_ARITHMETIC, VKR_GROUP_BY_SHUFFLE or
 *                               VKR_GROUP_BY_SHARED: how invocations reach each other
 * and either an operator of group_operator.glsl by
 *     VKR_GROUP_OP, VKR_GROUP_TYPE
 * or one of its own by
 *     VKR_GROUP_T               a value, structures too
 *     VKR_GROUP_COMBINE(a, b)   an associative operator; need not be commutative
 *     VKR_GROUP_IDENTITY        what exclusive scans give to the first invocation; nothing is
 *                               combined with it
 * and, where these will not do,
 *     VKR_GROUP_NAME(name)      the name of what is declared: vkr_group_##name
 *     VKR_GROUP_SHUFFLE(v, i)   subgroupShuffle(v, i); structures need one of their own
 *     VKR_GROUP_REDUCE(v)       for VKR_GROUP_BY_ARITHMETIC: subgroupAdd(v) ..; shuffles do it
 *     VKR_GROUP_INCLUSIVE(v)    likewise: subgroupInclusiveAdd(v) ..
 *     VKR_GROUP_COMMUTES        operands may change places, which saves reductions two selects
 *     VKR_GROUP_WIDTH           lanes of a subgroup, where they are known to be 4, 8, .. 128; with
 *                               VKR_GROUP_BY_SHARED consecutive invocations that stand for one: 1,
 *                               2, 4, .. (32)
 *     VKR_GROUP_SUBGROUPS       the most subgroups there can be, (VKR_GROUP_SIZE + 3) / 4; 1 saves
 *                               workgroups their barriers
 *     VKR_GROUP_SLOT(i)         shared memory for VKR_GROUP_SUBGROUPS values, with
 *                               VKR_GROUP_BY_SHARED VKR_GROUP_SIZE; an array that is declared
 * and enable GL_EXT_control_flow_attributes and, unless for VKR_GROUP_BY_SHARED,
 * GL_KHR_shader_subgroup_basic and GL_KHR_shader_subgroup_shuffle, and
 * GL_KHR_shader_subgroup_arithmetic where that is named. It can be included again, with other
 * definitions: none is left.
 *
 * Declares, as VKR_GROUP_NAME(..), functions whose results are right in all invocations:
 *     uint rank()                    the invocation's place in the order of scans, from 0 to
 *                                    VKR_GROUP_SIZE - 1: what elements are to be given out by,
 *                                    since it need not be gl_LocalInvocationIndex
 *     T subgroup_reduce(T v)         to be reached by all lanes of the subgroup, with
 *     T subgroup_inclusive(T v)      VKR_GROUP_BY_SHARED by the whole workgroup
 *     T subgroup_exclusive(T v)
 *     T reduce(T v)                  to be reached by the whole workgroup; `total` is what all of
 *     T inclusive(T v, out T total)  its values combine to
 *     T exclusive(T v, out T total)
 *
 * Calls may follow each other as they are. Barriers of their own: none in subgroups, two across the
 * workgroup; with VKR_GROUP_BY_SHARED two more for each shuffle.
 *
 * Without built-ins what is combined with what depends on nothing but the width of subgroups:
 * reductions pair what lies 1, 2, 4, .. lanes apart, a pair without a second value being the first;
 * scans take in what lies 1, 2, 4, .. lanes before (Hillis and Steele, "Data Parallel Algorithms",
 * 1986); then one subgroup follows the other.
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
#if !defined(VKR_GROUP_SIZE) || !defined(VKR_GROUP_RUNG)
#error VKR_GROUP_SIZE and VKR_GROUP_RUNG should be defined before group.glsl is included
#elif VKR_GROUP_RUNG < VKR_GROUP_BY_ARITHMETIC || VKR_GROUP_RUNG > VKR_GROUP_BY_SHARED
#error VKR_GROUP_RUNG should be VKR_GROUP_BY_ARITHMETIC, VKR_GROUP_BY_SHUFFLE or VKR_GROUP_BY_SHARED
#endif
#ifdef VKR_GROUP_OP
#include "group_operator.glsl"
#elif !defined(VKR_GROUP_T) || !defined(VKR_GROUP_COMBINE) || !defined(VKR_GROUP_IDENTITY)
#error VKR_GROUP_OP or else VKR_GROUP_T, _COMBINE and _IDENTITY should be defined
#endif

#if VKR_GROUP_RUNG == VKR_GROUP_BY_SHARED
#ifndef VKR_GROUP_WIDTH
#define VKR_GROUP_WIDTH 32u
#endif
#define VKR_GROUP_LANE (gl_LocalInvocationIndex % VKR_GROUP_WIDTH)
#define VKR_GROUP_ROW (gl_LocalInvocationIndex / VKR_GROUP_WIDTH)
#define VKR_GROUP_LANES VKR_GROUP_WIDTH
#define VKR_GROUP_SLOTS VKR_GROUP_SIZE
#define VKR_GROUP_ROWS ((VKR_GROUP_SIZE + VKR_GROUP_WIDTH - 1u) / VKR_GROUP_WIDTH)
#undef VKR_GROUP_SHUFFLE
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
#ifndef VKR_GROUP_SHUFFLE
#define VKR_GROUP_SHUFFLE(v, i) subgroupShuffle(v, i)
#endif
#endif

#ifndef VKR_GROUP_SLOT
shared VKR_GROUP_T VKR_GROUP_NAME(slots)[VKR_GROUP_SLOTS];
#define VKR_GROUP_SLOT(i) VKR_GROUP_NAME(slots)[i]
#endif

/* ---- A row: a subgroup, or what stands for one ---- */

uint VKR_GROUP_NAME(width)()
{
#if VKR_GROUP_RUNG == VKR_GROUP_BY_SHARED || defined(VKR_GROUP_WIDTH)
    return VKR_GROUP_WIDTH;
#else
    /* Some drivers have more subgroups, of a half or a quarter of the lanes that they report;
     * others round the number of subgroups down, to 0 even. */
    uint most = (VKR_GROUP_SIZE - 1u) / max(gl_NumSubgroups, 1u);
    return min(gl_SubgroupSize, 1u << (findMSB(most) + 1));
#endif
}

uint VKR_GROUP_NAME(rank)()
{
    return VKR_GROUP_ROW * VKR_GROUP_NAME(width)() + VKR_GROUP_LANE;
}

/* Invocations in this row. */
uint VKR_GROUP_NAME(filled)()
{
    uint width = VKR_GROUP_NAME(width)();
    return min(width, VKR_GROUP_SIZE - VKR_GROUP_ROW * width);
}

/* Of shuffles, until the last lane has reached the first: in all rows the same. */
int VKR_GROUP_NAME(rounds)()
{
    return min(findMSB(VKR_GROUP_LANES), findMSB(VKR_GROUP_SIZE - 1u) + 1);
}

#if VKR_GROUP_RUNG == VKR_GROUP_BY_SHARED
VKR_GROUP_T VKR_GROUP_NAME(shuffle)(VKR_GROUP_T v, uint lane)
{
    barrier();
    VKR_GROUP_SLOT(gl_LocalInvocationIndex) = v;
    barrier();
    return VKR_GROUP_SLOT(VKR_GROUP_ROW * VKR_GROUP_WIDTH + lane);
}
#endif

VKR_GROUP_T VKR_GROUP_NAME(subgroup_reduce)(VKR_GROUP_T v)
{
#if VKR_GROUP_RUNG == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_REDUCE)
    return VKR_GROUP_REDUCE(v);
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
    /* Of lanes that had to do without a partner only the first has all. */
    if (VKR_GROUP_SIZE % VKR_GROUP_NAME(width)() != 0u)
        v = VKR_GROUP_SHUFFLE(v, 0u);
    return v;
#endif
}

VKR_GROUP_T VKR_GROUP_NAME(subgroup_inclusive)(VKR_GROUP_T v)
{
#if VKR_GROUP_RUNG == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_INCLUSIVE)
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

/* The value of the lane before. */
VKR_GROUP_T VKR_GROUP_NAME(shifted)(VKR_GROUP_T v, VKR_GROUP_T first)
{
    uint lane = VKR_GROUP_LANE;
    v = VKR_GROUP_SHUFFLE(v, lane > 0u ? lane - 1u : 0u);
    if (lane == 0u)
        v = first;
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(subgroup_exclusive)(VKR_GROUP_T v)
{
    return VKR_GROUP_NAME(shifted)(VKR_GROUP_NAME(subgroup_inclusive)(v), VKR_GROUP_IDENTITY);
}

/* ---- The workgroup ---- */

/* What rows before this one combine to, and what all do. `last`: a row's, in its last lane. */
void VKR_GROUP_NAME(rows)(VKR_GROUP_T last, out VKR_GROUP_T before, out VKR_GROUP_T total)
{
    uint end = VKR_GROUP_NAME(filled)() - 1u;
    before = VKR_GROUP_IDENTITY;
    if (VKR_GROUP_ROWS == 1u) {
        total = VKR_GROUP_SHUFFLE(last, end);
    } else {
        uint width = VKR_GROUP_NAME(width)();
        uint rows = (VKR_GROUP_SIZE + width - 1u) / width;
        barrier(); /* what was in the slots has been read */
        if (VKR_GROUP_LANE == end)
            VKR_GROUP_SLOT(VKR_GROUP_ROW) = last;
        barrier();
        total = VKR_GROUP_SLOT(0u);
        for (uint row = 1u; row < rows; row++) {
            VKR_GROUP_T next = VKR_GROUP_SLOT(row);
            if (row == VKR_GROUP_ROW)
                before = total;
            total = VKR_GROUP_COMBINE(total, next);
        }
    }
}

VKR_GROUP_T VKR_GROUP_NAME(reduce)(VKR_GROUP_T v)
{
    VKR_GROUP_T before;
    VKR_GROUP_T total;
    VKR_GROUP_NAME(rows)(VKR_GROUP_NAME(subgroup_reduce)(v), before, total);
    return total;
}

VKR_GROUP_T VKR_GROUP_NAME(inclusive)(VKR_GROUP_T v, out VKR_GROUP_T total)
{
    VKR_GROUP_T before;
    v = VKR_GROUP_NAME(subgroup_inclusive)(v);
    VKR_GROUP_NAME(rows)(v, before, total);
    if (VKR_GROUP_ROW > 0u)
        v = VKR_GROUP_COMBINE(before, v);
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(exclusive)(VKR_GROUP_T v, out VKR_GROUP_T total)
{
    VKR_GROUP_T before;
    v = VKR_GROUP_NAME(subgroup_inclusive)(v);
    VKR_GROUP_NAME(rows)(v, before, total);
    v = VKR_GROUP_NAME(shifted)(v, before);
    if (VKR_GROUP_ROW > 0u && VKR_GROUP_LANE > 0u)
        v = VKR_GROUP_COMBINE(before, v);
    return v;
}

#undef VKR_GROUP_LANE
#undef VKR_GROUP_LANES
#undef VKR_GROUP_ROW
#undef VKR_GROUP_ROWS
#undef VKR_GROUP_SLOTS
#undef VKR_GROUP_SIZE
#undef VKR_GROUP_RUNG
#undef VKR_GROUP_OP
#undef VKR_GROUP_TYPE
#undef VKR_GROUP_T
#undef VKR_GROUP_COMBINE
#undef VKR_GROUP_IDENTITY
#undef VKR_GROUP_NAME
#undef VKR_GROUP_SHUFFLE
#undef VKR_GROUP_REDUCE
#undef VKR_GROUP_INCLUSIVE
#undef VKR_GROUP_COMMUTES
#undef VKR_GROUP_WIDTH
#undef VKR_GROUP_SUBGROUPS
#undef VKR_GROUP_SLOT
