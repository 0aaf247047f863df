/* SPDX-License-Identifier: MIT */
/*
 * One form of multi-reduction. The shader uses only shaders/vkreduce/multireduce.glsl of the
 * library. It is built with -DLANES, -DVALUES, -DMERGES (less than log2 VALUES) and
 * -DVALUE=FLOAT|DIGITS. The form is a specialisation constant, unless -DFORM sets it
 * (tests/unit/multireduce.sh counts instructions). Every invocation stores its results.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_control_flow_attributes : require

#define FLOAT 0
#define DIGITS 1

#define NAIVE 0
#define MERGE 1
#define SWAP 2
#define DOUBLED 3
#define ONLINE 4
#define FEWER 5
#define SHARED 6
#define SHARED_SWAP 7

layout(local_size_x = 64) in;
#ifndef FORM
layout(constant_id = 0) const uint FORM = 0;
#endif

#if VALUE == FLOAT
#define T float
precise float combine(float a, float b)
{
    return a + b;
}
#else
/* Concatenates numerals, each given as its number and the base raised to its length. */
#define T uvec2
uvec2 combine(uvec2 a, uvec2 b)
{
    return uvec2(a.x * b.y + b.x, a.y * b.y);
}
#endif

layout(set = 0, binding = 0, std430) readonly buffer In
{
    T values[]; /* VALUES per invocation */
};
layout(set = 0, binding = 1, std430) writeonly buffer Out
{
    T results[];
};

shared T slots[128];
#define THREAD (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#define VKR_MULTI_T T
#define VKR_MULTI_COMBINE(a, b) combine(a, b)
#define VKR_MULTI_LANES LANES
#define VKR_MULTI_VALUES VALUES
#define VKR_MULTI_LANE THREAD
#define VKR_MULTI_SLOT(i) slots[2u * (THREAD / LANES * LANES) + (i)]
#if VALUE == DIGITS
#define VKR_MULTI_ORDERED
#endif
#include "vkreduce/multireduce.glsl"

#define VKR_MULTI_NAME(name) fewer_##name
#define VKR_MULTI_T T
#define VKR_MULTI_COMBINE(a, b) combine(a, b)
#define VKR_MULTI_LANES LANES
#define VKR_MULTI_VALUES VALUES
#define VKR_MULTI_LANE THREAD
#define VKR_MULTI_MERGES MERGES
#if VALUE == DIGITS
#define VKR_MULTI_ORDERED
#endif
#include "vkreduce/multireduce.glsl"

void main()
{
    uint thread = THREAD;
    uint at = (gl_WorkGroupID.x * 64u + thread) * VALUES;
    T v[VALUES];
    T w[VALUES];
    [[unroll]] for (uint i = 0u; i < VALUES; i++)
        v[i] = values[at + i];
    if (FORM == DOUBLED) {
        [[unroll]] for (uint i = 0u; i < VALUES; i++)
            w[i] = v[VALUES - 1u - i];
        vkr_multi_doubled(v, w);
        results[at + 1u] = w[0];
    }
    T r = v[0];
    if (FORM == NAIVE) {
        vkr_multi_naive(v);
        [[unroll]] for (uint i = 1u; i < VALUES; i++)
            results[at + i] = v[i];
        r = v[0];
    } else if (FORM == MERGE) {
        r = vkr_multi_reduce(v);
    } else if (FORM == SWAP) {
        r = vkr_multi_swap(v);
    } else if (FORM == ONLINE) {
        vkr_multi_Online s;
        [[unroll]] for (uint i = 0u; i < VALUES; i++)
            vkr_multi_push(s, i, v[i]);
        r = vkr_multi_result(s);
    } else if (FORM == FEWER) {
        fewer_Online s;
        [[unroll]] for (uint i = 0u; i < VALUES; i++)
            fewer_push(s, i, v[i]);
        r = fewer_result(s);
    } else if (FORM == SHARED) {
        r = vkr_multi_shared(v);
    } else if (FORM == SHARED_SWAP) {
        r = vkr_multi_shared_swap(v);
    }
    results[at] = r;
}
