/* SPDX-License-Identifier: MIT */
/*
 * Calls every function of an operator. The shader uses only shaders/vkreduce/group.glsl of the
 * library. It is built with -DGROUP_PATH=VKR_GROUP_BY_.., and -DSHARED for shared memory; and
 * either with -DTYPE=VKR_GROUP_.., -DVALUE, -DOF_WORDS(words), -DLONG for 64-bit types and -DFLOATS
 * for float types, so that the operator is a specialisation constant, or with -DDIGITS for a type
 * and an operator that the shader defines, which does not commute.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifndef SHARED
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#ifdef LONG
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint OP = 0;
layout(constant_id = 1) const uint SIZE = 64;
layout(constant_id = 2) const uint ROWS = 1; /* maximum number; with SHARED their width */
layout(constant_id = 3) const bool EVERY = true; /* false: only reduce, exclusive and lead */
layout(constant_id = 4) const bool LEADS = true; /* whether lead supports this workgroup */

/* For each invocation, ordered by workgroup: a value (low, high), and its index. */
layout(set = 0, binding = 0, std430) readonly buffer In
{
    uvec4 values[];
};
/* For each invocation: the results of all forms. */
layout(set = 0, binding = 1, std430) writeonly buffer Out
{
    uvec4 results[];
};

#ifdef DIGITS

/* A numeral: its number, and the base raised to its length. */
struct Digits {
    uint number;
    uint power;
};

shared uint slots[2u * SIZE]; /* two words per value */

Digits append(Digits a, Digits b)
{
    return Digits(a.number * b.power + b.number, a.power * b.power);
}

#ifdef SHARED
#define VKR_GROUP_WIDTH ROWS
#else
Digits move(Digits d, uint lane)
{
    return Digits(subgroupShuffle(d.number, lane), subgroupShuffle(d.power, lane));
}
#define VKR_GROUP_SHUFFLE(d, lane) move(d, lane)
#define VKR_GROUP_SUBGROUPS ROWS
#endif
#define VKR_GROUP_NAME(name) digits_##name
#define VKR_GROUP_SIZE SIZE
#define VKR_GROUP_PATH GROUP_PATH
#define VKR_GROUP_T Digits
#define VKR_GROUP_COMBINE(a, b) append(a, b)
#define VKR_GROUP_IDENTITY Digits(0u, 1u)
#define VKR_GROUP_PUT(i, d) slots[2u * (i)] = d.number; slots[2u * (i) + 1u] = d.power
#define VKR_GROUP_GET(i) Digits(slots[2u * (i)], slots[2u * (i) + 1u])
#include "vkreduce/group.glsl"

/* One shader can include group.glsl for several types. */
#define VKR_GROUP_SIZE SIZE
#define VKR_GROUP_PATH GROUP_PATH
#define VKR_GROUP_OP VKR_GROUP_SUM
#define VKR_GROUP_TYPE VKR_GROUP_U32
#include "vkreduce/group.glsl"

uvec4 words_of(Digits d)
{
    return uvec4(d.number, d.power, 0u, 0u);
}

#else

#define VKR_GROUP_NAME(name) sum_##name
#define VKR_GROUP_OP VKR_GROUP_SUM
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) product_##name
#define VKR_GROUP_OP VKR_GROUP_PRODUCT
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) min_##name
#define VKR_GROUP_OP VKR_GROUP_MIN
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) max_##name
#define VKR_GROUP_OP VKR_GROUP_MAX
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#ifndef FLOATS
#define VKR_GROUP_NAME(name) and_##name
#define VKR_GROUP_OP VKR_GROUP_AND
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) or_##name
#define VKR_GROUP_OP VKR_GROUP_OR
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) xor_##name
#define VKR_GROUP_OP VKR_GROUP_XOR
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#endif

#define VKR_GROUP_NAME(name) argmin_##name
#define VKR_GROUP_OP VKR_GROUP_ARGMIN
#include "group_settings.glsl"
#include "vkreduce/group.glsl"
#define VKR_GROUP_NAME(name) argmax_##name
#define VKR_GROUP_OP VKR_GROUP_ARGMAX
#include "group_settings.glsl"
#include "vkreduce/group.glsl"

#ifdef LONG
uvec2 bits_of(int64_t v)
{
    return unpackUint2x32(uint64_t(v));
}

uvec2 bits_of(uint64_t v)
{
    return unpackUint2x32(v);
}

uvec2 bits_of(double v)
{
    return unpackDouble2x32(v);
}
#endif

uvec2 bits_of(int v)
{
    return uvec2(v, 0u);
}

uvec2 bits_of(uint v)
{
    return uvec2(v, 0u);
}

uvec2 bits_of(float v)
{
    return uvec2(floatBitsToUint(v), 0u);
}

uvec4 words_of(VALUE v)
{
    return uvec4(bits_of(v), 0u, 0u);
}

uvec4 words_of(argmin_Arg a)
{
    return uvec4(bits_of(a.value), a.index, 0u);
}

uvec4 words_of(argmax_Arg a)
{
    return uvec4(bits_of(a.value), a.index, 0u);
}

#endif

#ifdef DIGITS
#define LEAD(name, v) /* none, since the operator does not commute */
#else
#define LEAD(name, v) name##_lead(v);
#endif

/* Stores the results of all forms. `reduce` gets the values of the next workgroup, so that a later
 * call cannot succeed with what it has left in shared memory. */
#define FORMS(name, T, value)                                                                      \
    {                                                                                              \
        uint at = gl_WorkGroupID.x * SIZE + name##_rank();                                         \
        uvec4 words = values[(at + SIZE) % (gl_NumWorkGroups.x * SIZE)];                           \
        T v = value;                                                                               \
        T total;                                                                                   \
        uvec4 reduced = words_of(name##_reduce(v));                                                \
        words = values[at];                                                                        \
        v = value;                                                                                 \
        at *= 13u;                                                                                 \
        results[at] = reduced;                                                                     \
        results[at + 1u] = words_of(name##_exclusive(v, total));                                   \
        results[at + 2u] = words_of(total);                                                        \
        if (LEADS) {                                                                               \
            T led = v;                                                                             \
            LEAD(name, led)                                                                        \
            results[at + 3u] = words_of(led);                                                      \
        }                                                                                          \
        if (EVERY) {                                                                               \
            results[at + 4u] = words_of(name##_inclusive(v, total));                               \
            results[at + 5u] = words_of(total);                                                    \
            T row = name##_subgroup_reduce(v);                                                     \
            results[at + 6u] = words_of(row);                                                      \
            results[at + 7u] = words_of(name##_subgroup_inclusive(v));                             \
            results[at + 8u] = words_of(name##_subgroup_exclusive(v));                             \
            name##_subgroup_exclusive(v, total);                                                   \
            results[at + 9u] = words_of(total);                                                    \
            results[at + 10u] = words_of(name##_first(v));                                         \
            results[at + 11u] = words_of(name##_subgroups_exclusive(row, total));                  \
            results[at + 12u] = words_of(total);                                                   \
        }                                                                                          \
    }

void main()
{
#ifdef DIGITS
    FORMS(digits, Digits, Digits(words.x, words.y))
    uint count;
    if (vkr_group_exclusive(1u, count) != digits_rank() || count != SIZE)
        results[(gl_WorkGroupID.x * SIZE + digits_rank()) * 13u].w = ~0u;
#else
    if (OP == VKR_GROUP_SUM)
        FORMS(sum, VALUE, OF_WORDS(words))
    if (OP == VKR_GROUP_PRODUCT)
        FORMS(product, VALUE, OF_WORDS(words))
    if (OP == VKR_GROUP_MIN)
        FORMS(min, VALUE, OF_WORDS(words))
    if (OP == VKR_GROUP_MAX)
        FORMS(max, VALUE, OF_WORDS(words))
#ifndef FLOATS
    if (OP == VKR_GROUP_AND)
        FORMS(and, VALUE, OF_WORDS(words))
    if (OP == VKR_GROUP_OR)
        FORMS(or, VALUE, OF_WORDS(words))
    if (OP == VKR_GROUP_XOR)
        FORMS(xor, VALUE, OF_WORDS(words))
#endif
    if (OP == VKR_GROUP_ARGMIN)
        FORMS(argmin, argmin_Arg, argmin_arg(OF_WORDS(words), words.z))
    if (OP == VKR_GROUP_ARGMAX)
        FORMS(argmax, argmax_Arg, argmax_arg(OF_WORDS(words), words.z))
#endif
}
