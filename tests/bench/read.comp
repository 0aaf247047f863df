/* SPDX-License-Identifier: MIT */
/*
 * The bare read and the bare copy, which show how fast the device's memory is: the arithmetic is
 * the least that keeps compilers from removing the loads. Every workgroup writes two words, which
 * combine all that it read. VKR_FORM is the form of a load; specialization constants choose what is
 * combined, the order of the loads, and how many are in flight.
 */
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_control_flow_attributes : require

#define FORM_SCALAR 0
#define FORM_VEC4 1
#define FORM_U64X4 2
#define FORM_TEXEL 3

#define KIND_XOR 0u
#define KIND_F32 1u
#define KIND_I32 2u
#define KIND_COPY 3u

#if VKR_FORM == FORM_U64X4
#extension GL_ARB_gpu_shader_int64 : require
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const uint KIND = KIND_XOR;
layout(constant_id = 2) const bool CHUNKED = false; /* a lane's loads are adjacent */
layout(constant_id = 3) const uint FLIGHT = 1;      /* loads before the first is used */

#if VKR_FORM == FORM_SCALAR
#define LOAD uint
#define PART uint
#elif VKR_FORM == FORM_U64X4
#define LOAD u64vec4
#define PART uvec4
#else
#define LOAD uvec4
#define PART uvec4
#endif
#if VKR_FORM == FORM_U64X4
#define PARTS 2u
#else
#define PARTS 1u
#endif
#define MAX_LOADS_IN_FLIGHT 32u

#if VKR_FORM == FORM_TEXEL
layout(set = 0, binding = 2) uniform utextureBuffer texels;
#else
layout(set = 0, binding = 0, std430) readonly buffer Data
{
    LOAD data[];
};
#endif
layout(set = 0, binding = 1, std430) writeonly buffer Words
{
    uvec2 words[];
};
layout(set = 0, binding = 3, std430) writeonly buffer Copy
{
    LOAD copied[];
};
layout(push_constant) uniform Push
{
    uint count; /* loads of the dispatch */
    uint items; /* maximum number of loads per invocation */
    uint first; /* index in `words` of the first workgroup */
    uint texel; /* texel of load 0 */
};

shared uint shared_low[WORKGROUP];
shared uint shared_high[WORKGROUP];

#define COMBINE(T, F, I)                                                                           \
    T combine_low(T a, T b)                                                                        \
    {                                                                                              \
        if (KIND == KIND_F32)                                                                      \
            return floatBitsToUint(min(F(uintBitsToFloat(a)), F(uintBitsToFloat(b))));             \
        if (KIND == KIND_I32)                                                                      \
            return T(min(I(a), I(b)));                                                             \
        return a ^ b;                                                                              \
    }                                                                                              \
                                                                                                   \
    T combine_high(T a, T b)                                                                       \
    {                                                                                              \
        if (KIND == KIND_F32)                                                                      \
            return floatBitsToUint(max(F(uintBitsToFloat(a)), F(uintBitsToFloat(b))));             \
        if (KIND == KIND_I32)                                                                      \
            return T(max(I(a), I(b)));                                                             \
        return a;                                                                                  \
    }
COMBINE(uint, float, int)
#if VKR_FORM != FORM_SCALAR
COMBINE(uvec4, vec4, ivec4)
#endif

LOAD load(uint i)
{
#if VKR_FORM == FORM_TEXEL
    return texelFetch(texels, int(texel + i));
#else
    return data[i];
#endif
}

PART part(LOAD x, uint p)
{
#if VKR_FORM == FORM_U64X4
    return p == 0u ? uvec4(unpackUint2x32(x.x), unpackUint2x32(x.y))
                   : uvec4(unpackUint2x32(x.z), unpackUint2x32(x.w));
#else
    return x;
#endif
}

PART low, high;

void take(LOAD x, uint i)
{
    if (KIND == KIND_COPY) {
        copied[i] = x;
        return;
    }
    for (uint p = 0u; p < PARTS; p++) {
        low = combine_low(low, part(x, p));
        high = combine_high(high, part(x, p));
    }
}

void walk(uint i, uint stride, uint own)
{
    LOAD x[MAX_LOADS_IN_FLIGHT];
    for (uint k = own / FLIGHT; k > 0u; k--) {
        [[unroll]] for (uint f = 0u; f < FLIGHT; f++)
            x[f] = load(i + f * stride);
        [[unroll]] for (uint f = 0u; f < FLIGHT; f++)
            take(x[f], i + f * stride);
        i += FLIGHT * stride;
    }
    for (uint k = own % FLIGHT; k > 0u; k--) {
        take(load(i), i);
        i += stride;
    }
}

/* Combines the values of the subgroup; each invocation gets the result. */
uvec2 gather(uvec2 x)
{
    if (KIND == KIND_F32)
        return floatBitsToUint(
            vec2(subgroupMin(uintBitsToFloat(x.x)), subgroupMax(uintBitsToFloat(x.y))));
    if (KIND == KIND_I32)
        return uvec2(subgroupMin(int(x.x)), subgroupMax(int(x.y)));
    return uvec2(subgroupXor(x.x), 0u);
}

uvec2 fold()
{
#if VKR_FORM == FORM_SCALAR
    return uvec2(low, high);
#else
    return uvec2(combine_low(combine_low(low.x, low.y), combine_low(low.z, low.w)),
                 combine_high(combine_high(high.x, high.y), combine_high(high.z, high.w)));
#endif
}

void start()
{
    low = PART(0u);
    high = PART(0u);
    if (KIND == KIND_F32) {
        low = PART(0x7f800000u);
        high = PART(0xff800000u);
    }
    if (KIND == KIND_I32) {
        low = PART(0x7fffffffu);
        high = PART(0x80000000u);
    }
}

void main()
{
    uint begin = gl_WorkGroupID.x * WORKGROUP * items, lane = gl_LocalInvocationIndex;
    uint left = count - begin; /* the last workgroup has fewer */
    uint first_own = CHUNKED ? lane * items : lane;
    uint stride = CHUNKED ? 1u : WORKGROUP;
    uint own = left <= first_own ? 0u : (left - first_own - 1u) / stride + 1u;
    start();
    walk(begin + first_own, stride, min(own, items));
    if (KIND == KIND_COPY)
        return;
    uvec2 total = gather(fold());
    if (gl_SubgroupSize < WORKGROUP) {
        if (subgroupElect()) {
            shared_low[gl_SubgroupID] = total.x;
            shared_high[gl_SubgroupID] = total.y;
        }
        barrier();
        for (uint s = 1u; lane == 0u && s < gl_NumSubgroups; s++)
            total = uvec2(combine_low(total.x, shared_low[s]),
                          combine_high(total.y, shared_high[s]));
    }
    if (lane == 0u)
        words[first + gl_WorkGroupID.x] = total;
}
