/* SPDX-License-Identifier: MIT */
/*
 * The two nearest train descriptors of every query, by Hamming distance, among descriptors `first`
 * to `end` - 1 and those that earlier dispatches have found. Descriptors have 512 bits.
 *
 * Built with -DKERNEL: MULTI and NAIVE, where 8 lanes look at 8 queries together and each has an
 * eighth of all, or SINGLE, a query for each lane. The 8 lanes add their parts up by shuffles, or
 * with -DSHARED by shared memory. Source: C. Parker, A. MacKinnon, "Multi-Reduction" (2017), 8.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifndef SHARED
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#define MULTI 0
#define NAIVE 1
#define SINGLE 2

#if KERNEL == SINGLE
#define PART uvec4
#define PARTS 4u /* vectors that make up a descriptor */
#define KEPT 4u  /* vectors kept in registers: all of one query */
#else
#define PART uvec2
#define PARTS 8u
#define KEPT 8u /* the same part of 8 queries */
#endif

#define NONE 0xffffffffu

layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer Queries
{
    PART queries[];
};
layout(set = 0, binding = 1, std430) readonly buffer Trains
{
    PART trains[];
};
layout(set = 0, binding = 2, std430) buffer Nearest
{
    uint nearest[];
};
layout(set = 0, binding = 3, std430) buffer Best
{
    uint best[]; /* distance */
};
layout(set = 0, binding = 4, std430) buffer Second
{
    uint second[];
};
layout(set = 0, binding = 5, std430) writeonly buffer Margin
{
    uint margin[]; /* second distance minus best distance, or 0 */
};
layout(push_constant) uniform Push
{
    uint count; /* number of queries, at least 1 */
    uint first;
    uint end;
};

#if KERNEL != SINGLE && !defined(SHARED)
#define THREAD (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#else
#define THREAD gl_LocalInvocationIndex
#endif

#if KERNEL != SINGLE
#define VKR_MULTI_T uint
#define VKR_MULTI_COMBINE(a, b) ((a) + (b))
#define VKR_MULTI_LANES 8
#ifdef SHARED
shared uint slots[2u * gl_WorkGroupSize.x];
#define VKR_MULTI_LANE THREAD
#define VKR_MULTI_SLOT(i) slots[2u * (THREAD / 8u * 8u) + (i)]
#define VKR_MULTI_NO_SHUFFLES
#endif
#if KERNEL == NAIVE && defined(SHARED)
#define VKR_MULTI_VALUES 1
#else
#define VKR_MULTI_VALUES 4
#endif
#include "vkreduce/multireduce.glsl"
#endif

PART kept[KEPT];

void keep(uint query)
{
    [[unroll]] for (uint i = 0u; i < KEPT; i++) {
#if KERNEL == SINGLE
        kept[i] = queries[PARTS * min(query, count - 1u) + i];
#else
        kept[i] = queries[PARTS * min(query / 8u * 8u + i, count - 1u) + query % 8u];
#endif
    }
}

uint ones(uvec2 x)
{
    return uint(bitCount(x.x) + bitCount(x.y));
}

/* The distance of a train descriptor from this lane's query. */
#if KERNEL == SINGLE
uint distance_to(uint train)
{
    uint sum = 0u;
    [[unroll]] for (uint i = 0u; i < PARTS; i++) {
        uvec4 different = kept[i] ^ trains[PARTS * train + i];
        sum += ones(different.xy) + ones(different.zw);
    }
    return sum;
}
#else
uint distance_to(uint train)
{
    const uint lane = THREAD % 8u;
    const uvec2 part = trains[PARTS * train + lane];
    uint pairs[4]; /* distances have 10 bits, so a word holds two of them */
    [[unroll]] for (uint i = 0u; i < 4u; i++)
        pairs[i] = ones(kept[i] ^ part) | ones(kept[i + 4u] ^ part) << 16;
#if KERNEL == MULTI && defined(SHARED)
    const uint pair = vkr_multi_shared(pairs);
#elif KERNEL == MULTI
    const uint pair = vkr_multi_reduce(pairs);
#else
#ifdef SHARED
    [[unroll]] for (uint i = 0u; i < 4u; i++)
        pairs[i] = vkr_multi_shared(uint[1](pairs[i]));
#else
    vkr_multi_naive(pairs);
#endif
    const uint even = (lane & 2u) != 0u ? pairs[2] : pairs[0];
    const uint odd = (lane & 2u) != 0u ? pairs[3] : pairs[1];
    const uint pair = (lane & 1u) != 0u ? odd : even;
#endif
    return (lane & 4u) != 0u ? pair >> 16 : pair & 0xffffu;
}
#endif

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint query = group * gl_WorkGroupSize.x + THREAD;
    const bool goes_on = first != 0u && query < count;
    uint where = goes_on ? nearest[query] : NONE;
    uint least = goes_on ? best[query] : NONE;
    uint next = goes_on ? second[query] : NONE;
    keep(query);
    for (uint train = first; train < end; train++) {
        const uint d = distance_to(train);
        next = min(next, max(d, least));
        where = d < least ? train : where;
        least = min(least, d);
    }
    if (query < count) {
        nearest[query] = where;
        best[query] = least;
        second[query] = next;
        margin[query] = next == NONE ? 0u : next - least;
    }
}
