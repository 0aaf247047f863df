/* SPDX-License-Identifier: MIT */
/*
 * The benchmark of C. Parker and A. MacKinnon, "Multi-Reduction" (2017): the sum of every window of
 * LANES consecutive elements, each computed on its own, LANES windows at a time by a subgroup. FORM
 * chooses among the functions of shaders/vkreduce/multireduce.glsl. If the values are MADE in
 * registers and stored once at the end, nearly all of the time is that of the reductions.
 * -DVALUE=U32|F32|F64 and -DLANES choose the type and the number of lanes.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_control_flow_attributes : require

#define U32 0
#define F32 1
#define F64 2

#define FORM_NAIVE 0u
#define FORM_MULTI 1u
#define FORM_DOUBLED 2u
#define FORM_SWAP 3u
#define FORM_SHARED 4u
#define FORM_ADD 5u

#define GROUP 256u  /* invocations */

layout(local_size_x = GROUP) in;
layout(constant_id = 0) const uint FORM = FORM_NAIVE;
layout(constant_id = 1) const bool MADE = false;
layout(constant_id = 2) const uint SETS = 1;     /* batches per iteration */
layout(constant_id = 3) const uint BATCHES = 64; /* of LANES windows, per subgroup */

#if VALUE == U32
#define T uint
#elif VALUE == F32
#define T float
#else
#define T double
#endif

layout(set = 0, binding = 0, std430) readonly buffer Data
{
    T data[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Sums
{
    T sums[]; /* of window i, or of all values that invocation i MADE */
};
layout(set = 0, binding = 2, std430) writeonly buffer Seen
{
    uint seen; /* the subgroup size */
};

shared T slots[2u * GROUP];
uint place = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
#define VKR_MULTI_SLOT(i) slots[2u * (place & ~uint(LANES - 1)) + (i)]
#define VKR_MULTI_SYNC subgroupBarrier();
#define VKR_MULTI_T T
#define VKR_MULTI_COMBINE(a, b) ((a) + (b))
#define VKR_MULTI_LANES LANES
#define VKR_MULTI_VALUES LANES
#if VALUE == F64
/* As two words, since drivers shuffle 64-bit values less well. */
#define VKR_MULTI_SHUFFLE(v, mask) packDouble2x32(subgroupShuffleXor(unpackDouble2x32(v), mask))
#endif
#include "vkreduce/multireduce.glsl"

uint lane = gl_SubgroupInvocationID & uint(LANES - 1);
uint thread = gl_WorkGroupID.x * GROUP + place;
uint first = (thread - lane) * BATCHES; /* first window of this subgroup */
T total = T(0);

void fill(out T v[LANES], uint batch)
{
    if (MADE) {
        T x = T(thread * 0x9e3779b1u + batch * 0x85ebca6bu >> 24);
        [[unroll]] for (uint i = 0u; i < LANES; i++)
            v[i] = x + T(i * 7u);
    } else {
        uint at = first + batch * LANES + lane;
        [[unroll]] for (uint i = 0u; i < LANES; i++)
            v[i] = data[at + i];
    }
}

void leave(T sum, uint batch)
{
    if (MADE)
        total += sum;
    else
        sums[first + batch * LANES + lane] = sum;
}

/* The sum whose index is this lane's. */
T own(T v[LANES])
{
    T x = v[0];
    [[unroll]] for (uint i = 1u; i < LANES; i++)
        x = lane == i ? v[i] : x;
    return x;
}

T reduce(T v[LANES])
{
    if (FORM == FORM_MULTI)
        return vkr_multi_reduce(v);
    if (FORM == FORM_SWAP)
        return vkr_multi_swap(v);
    if (FORM == FORM_SHARED)
        return vkr_multi_shared(v);
    if (FORM == FORM_ADD) {
        [[unroll]] for (uint i = 0u; i < LANES; i++)
            v[i] = subgroupAdd(v[i]);
    } else {
        vkr_multi_naive(v);
    }
    return own(v);
}

void main()
{
    T v[LANES], w[LANES];
    for (uint batch = 0u; batch < BATCHES; batch += SETS) {
        [[unroll]] for (uint set = 0u; set < SETS; set += FORM == FORM_DOUBLED ? 2u : 1u) {
            fill(v, batch + set);
            if (FORM == FORM_DOUBLED) {
                fill(w, batch + set + 1u);
                vkr_multi_doubled(v, w);
                leave(v[0], batch + set);
                leave(w[0], batch + set + 1u);
            } else {
                leave(reduce(v), batch + set);
            }
        }
    }
    if (MADE)
        sums[thread] = total;
    if (thread == 0u)
        seen = gl_SubgroupSize;
}
