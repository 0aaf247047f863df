/* SPDX-License-Identifier: MIT */
/*
 * Calls a user's function with the index of each element, and writes what it returns: one to four
 * words, or one bit, for each element. Kernels that read elements, or flags, then read these.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/call.h"
#include "vkreduce/columns.glsl"

/* Weak functions, one for each type of result. The module keeps their names; src/spirv/link.h says
 * how one of them gets the user's function as its body. Kernels only ever call that one. */
#define VKR_WEAK(type)                                                                             \
    type vkr_hook_##type(const uint i)                                                             \
    {                                                                                              \
        return type(i);                                                                            \
    }
#define VKR_WEAK_TYPES(form)                                                                       \
    form(FLOAT, float, 1u, floatBitsToUint) form(FLOAT, vec2, 2u, floatBitsToUint)                 \
    form(FLOAT, vec3, 3u, floatBitsToUint) form(FLOAT, vec4, 4u, floatBitsToUint)                  \
    form(INT, int, 1u, uint) form(INT, ivec2, 2u, uvec2)                                           \
    form(INT, ivec3, 3u, uvec3) form(INT, ivec4, 4u, uvec4)                                        \
    form(UINT, uint, 1u, uint) form(UINT, uvec2, 2u, uvec2)                                        \
    form(UINT, uvec3, 3u, uvec3) form(UINT, uvec4, 4u, uvec4)

#define VKR_DECLARE(base, type, components, words) VKR_WEAK(type)
VKR_WEAK(bool)
VKR_WEAK_TYPES(VKR_DECLARE)

uvec4 vkr_pad(const uint w) { return uvec4(w, 0u, 0u, 0u); }
uvec4 vkr_pad(const uvec2 w) { return uvec4(w, 0u, 0u); }
uvec4 vkr_pad(const uvec3 w) { return uvec4(w, 0u); }
uvec4 vkr_pad(const uvec4 w) { return w; }

/* The words that the function returns for an element. */
uvec4 vkr_call(const uint i)
{
#define VKR_CASE(base, type, components, words)                                                    \
    if (VKR_RESULT == VKR_CALL_RESULT(VKR_CALL_##base, components))                                \
        return vkr_pad(words(vkr_hook_##type(i)));
    VKR_WEAK_TYPES(VKR_CASE)
    return uvec4(0u);
}

const uint VKR_COMPONENTS = VKR_RESULT % 4u + 1u;

/* The elements of this dispatch that exist: fewer than the host knows, where the GPU has the
 * count. */
uint vkr_covered()
{
    uint total = push.capacity;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        uint count = vkr_count[push.count_base];
        if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u && vkr_count[push.count_base + 1u] != 0u)
            count = ~0u;
        total = min(total, count);
    }
    return total > push.first ? min(total - push.first, push.count) : 0u;
}

void vkr_store(const uint i, const uvec4 words)
{
    if (VKR_COMPONENTS == 4u) {
        vkr_fours[push.base / 4u + i] = words;
        return;
    }
    [[unroll]] for (uint c = 0u; c < 3u; c++) {
        if (c < VKR_COMPONENTS)
            vkr_values[push.base + i * VKR_COMPONENTS + c] = words[c];
    }
}

/* The invocations of a workgroup visit its elements, from `begin` on, side by side. */
void vkr_write_values(const uint begin, const uint covered)
{
    uint i = begin + gl_LocalInvocationIndex;
    uint k = 0u;
    for (; k < push.items && i + (VKR_CALLS - 1u) * VKR_WORKGROUP < covered; k += VKR_CALLS) {
        uvec4 words[VKR_CALLS];
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            words[c] = vkr_call(push.first + i + c * VKR_WORKGROUP);
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            vkr_store(i + c * VKR_WORKGROUP, words[c]);
        i += VKR_CALLS * VKR_WORKGROUP;
    }
    for (; k < push.items && i < covered; k++) {
        vkr_store(i, vkr_call(push.first + i));
        i += VKR_WORKGROUP;
    }
}

/* One bit for each of 32 elements, which lie `stride` apart. Where there is no element, the
 * function is called for the last one again, so that no call waits for a comparison. */
uint vkr_ask(const uint first, const uint stride, const uint covered)
{
    uint word = 0u;
    for (uint b = 0u; b < 32u && covered > 0u; b += VKR_CALLS) {
        bool is_set[VKR_CALLS];
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            is_set[c] = vkr_hook_bool(push.first + min(first + (b + c) * stride, covered - 1u));
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            word |= (is_set[c] && first + (b + c) * stride < covered ? 1u : 0u) << (b + c);
    }
    return word;
}

/* Words of elements past the GPU's count are 0. */
void vkr_write_bits(const uint begin, const uint covered)
{
    const bool contiguous = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    const uint lane = gl_LocalInvocationIndex;
    for (uint k = 0u; k < push.items; k += 32u) {
        uint first = begin + k * VKR_WORKGROUP;
        uint word = vkr_ask(first + lane * (contiguous ? 32u : 1u),
                            contiguous ? 1u : VKR_WORKGROUP, covered);
        if (!contiguous) {
            barrier(); /* the previous words are made */
            word = vkr_word_of_columns(word);
        }
        if (first + lane * 32u < push.count)
            vkr_values[push.base + first / 32u + lane] = word;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint begin = group * VKR_WORKGROUP * push.items;
    uint covered = vkr_covered();
    if (VKR_RESULT == VKR_CALL_RESULT(VKR_CALL_BOOL, 1u))
        vkr_write_bits(begin, covered);
    else
        vkr_write_values(begin, covered);
}
