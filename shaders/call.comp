/* SPDX-License-Identifier: MIT */
/*
 * Calls a user's function with the index of each element, or with the element and its index, and
 * writes what it returns: one to four words, or one bit, for each element. Kernels that read
 * elements, or flags, then read these. Or calls a user's function for each entry of a list of
 * elements that a compaction keeps.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/call.h"
#include "vkreduce/columns.glsl"
#include "vkreduce/widen.glsl"

/* Weak functions, whose names the module keeps. The new body of one of them calls the user's
 * function; the linker turns bits into what that one takes, and what it returns into bits
 * (src/spirv/link.h). */
uvec4 vkr_hook_value(const uvec4 element, const uint i)
{
    return element + i;
}

void vkr_hook_store(const uint i, const uint position)
{
    vkr_values[i] = position;
}

/* Element i of this dispatch; 0 where the function takes none. */
uvec4 vkr_element(const uint i)
{
    uvec4 element = uvec4(0u);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_WORDS)
            element[c] = vkr_widen(vkr_source[push.source_base + i * push.source_stride + c]);
    }
    return element;
}

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
    if (VKR_RESULT == 4u) {
        vkr_fours[push.base / 4u + i] = words;
        return;
    }
    [[unroll]] for (uint c = 0u; c < 3u; c++) {
        if (c < VKR_RESULT)
            vkr_values[push.base + i * VKR_RESULT + c] = words[c];
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
            words[c] = vkr_element(i + c * VKR_WORKGROUP);
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            words[c] = vkr_hook_value(words[c], push.first + i + c * VKR_WORKGROUP);
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            vkr_store(i + c * VKR_WORKGROUP, words[c]);
        i += VKR_CALLS * VKR_WORKGROUP;
    }
    for (; k < push.items && i < covered; k++) {
        vkr_store(i, vkr_hook_value(vkr_element(i), push.first + i));
        i += VKR_WORKGROUP;
    }
}

/* The same for single words, four elements at a time. The last ones are called singly. */
void vkr_write_fours(const uint begin, const uint covered)
{
    const uint end = min(covered, begin + VKR_WORKGROUP * push.items);
    uint u = begin / 4u + gl_LocalInvocationIndex;
    for (; 4u * u + 3u < end; u += VKR_WORKGROUP) {
        uvec4 words = uvec4(0u);
        if (VKR_WORDS != 0u)
            words = vkr_source_fours[push.source_base / 4u + u];
        [[unroll]] for (uint c = 0u; c < 4u; c++) {
            const uvec4 element = uvec4(VKR_WORDS != 0u ? vkr_widen(words[c]) : 0u, 0u, 0u, 0u);
            words[c] = vkr_hook_value(element, push.first + 4u * u + c).x;
        }
        vkr_fours[push.base / 4u + u] = words;
    }
    for (uint i = 4u * u; i < end; i++)
        vkr_store(i, vkr_hook_value(vkr_element(i), push.first + i));
}

/* One bit for each of 32 elements, which lie `stride` apart. Where there is no element, the
 * function is called for the last one again, so that no call waits for a comparison. */
uint vkr_ask(const uint first, const uint stride, const uint covered)
{
    uint word = 0u;
    for (uint b = 0u; b < 32u && covered > 0u; b += VKR_CALLS) {
        uvec4 elements[VKR_CALLS];
        bool is_set[VKR_CALLS];
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            elements[c] = vkr_element(min(first + (b + c) * stride, covered - 1u));
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++) {
            uint i = push.first + min(first + (b + c) * stride, covered - 1u);
            is_set[c] = vkr_hook_value(elements[c], i).x != 0u;
        }
        [[unroll]] for (uint c = 0u; c < VKR_CALLS; c++)
            word |= (is_set[c] && first + (b + c) * stride < covered ? 1u : 0u) << (b + c);
    }
    return word;
}

/* Whether the function keeps element i, which is the single word `element`; false at `end` and
 * after it. */
bool vkr_is_kept(const uint element, const uint i, const uint end)
{
    return vkr_hook_value(uvec4(element, 0u, 0u, 0u), push.first + min(i, end - 1u)).x != 0u &&
           i < end;
}

/* Bits of eight times four elements in a row, starting at `first` for the workgroup. The
 * invocations visit fours side by side, which is a row of these. The last elements of the dispatch,
 * which are fewer than four, are visited in the end, since some drivers of CPUs execute both sides
 * of branches. */
uint vkr_ask_fours(const uint first, const uint covered)
{
    const uint fours = push.count / 4u, end = min(covered, 4u * fours);
    uint u = first / 4u + gl_LocalInvocationIndex;
    uint column = 0u;
    for (uint b = 0u; b < 8u && end > 0u; b++) {
        const uvec4 words = vkr_source_fours[push.source_base / 4u + min(u, fours - 1u)];
        [[unroll]] for (uint c = 0u; c < 4u; c++)
            column |= (vkr_is_kept(vkr_widen(words[c]), 4u * u + c, end) ? 1u : 0u) << (4u * b + c);
        u += VKR_WORKGROUP;
    }
    for (uint i = 4u * fours; i < covered; i++) {
        const uint at = (i - first) / 4u; /* wraps around before `first` */
        if (at < 8u * VKR_WORKGROUP && at % VKR_WORKGROUP == gl_LocalInvocationIndex)
            column |= (vkr_is_kept(vkr_element(i).x, i, covered) ? 1u : 0u)
                      << (4u * (at / VKR_WORKGROUP) + i % 4u);
    }
    return column;
}

/* The word of this invocation, from such columns. All invocations must call it. */
uint vkr_word_of_fours(const uint column)
{
    vkr_columns[gl_LocalInvocationIndex] = column;
    barrier();
    const uint words_of_row = VKR_WORKGROUP / 8u;
    uint row = gl_LocalInvocationIndex / words_of_row;
    uint first = gl_LocalInvocationIndex % words_of_row * 8u;
    uint word = 0u;
    for (uint k = 0u; k < 8u; k++)
        word |= (vkr_columns[first + k] >> 4u * row & 15u) << 4u * k;
    return word;
}

/* The word of this invocation, of 32 elements for each, which start at `first`. */
uint vkr_word(const uint first, const uint covered)
{
    const uint lane = gl_LocalInvocationIndex;
    if ((VKR_FLAGS & VKR_FLAG_WIDE) != 0u) {
        uint column = vkr_ask_fours(first, covered);
        barrier(); /* the previous words are made */
        return vkr_word_of_fours(column);
    }
    if (VKR_ORDER == VKR_ORDER_CONTIGUOUS)
        return vkr_ask(first + lane * 32u, 1u, covered);
    uint column = vkr_ask(first + lane, VKR_WORKGROUP, covered);
    barrier();
    return vkr_word_of_columns(column);
}

/* Words of elements past the GPU's count are 0. */
void vkr_write_bits(const uint begin, const uint covered)
{
    for (uint k = 0u; k < push.items; k += 32u) {
        uint first = begin + k * VKR_WORKGROUP;
        uint word = vkr_word(first, covered);
        if (first + gl_LocalInvocationIndex * 32u < push.count)
            vkr_values[push.base + first / 32u + gl_LocalInvocationIndex] = word;
    }
}

/* Calls the function for the entries of the list. The host only knows their maximum, so they are
 * divided among the workgroups here. */
void vkr_send(const uint group, const uint covered)
{
    uint append = 0u;
    uint end = covered;
    if ((VKR_FLAGS & VKR_FLAG_APPEND) != 0u) {
        uint at = push.count_base + VKR_RECORD_APPEND - VKR_RECORD_KEPT;
        append = vkr_count[at];
        bool fits = vkr_count[at + 1u] == 0u && append < push.limit;
        uint room = fits ? push.limit - append : 0u;
        end = min(end, room > push.first ? room - push.first : 0u);
    }
    if (end == 0u)
        return;
    uint items = min((end - 1u) / (push.groups * VKR_WORKGROUP) + 1u, push.items);
    uint i = group * VKR_WORKGROUP * items + gl_LocalInvocationIndex;
    for (uint k = 0u; k < items && i < end; k++) {
        vkr_hook_store(vkr_element(i).x, append + push.first + i);
        i += VKR_WORKGROUP;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint begin = group * VKR_WORKGROUP * push.items;
    uint covered = vkr_covered();
    if (VKR_RESULT == VKR_CALL_SINK)
        vkr_send(group, covered);
    else if (VKR_RESULT == VKR_CALL_BITS)
        vkr_write_bits(begin, covered);
    else if ((VKR_FLAGS & VKR_FLAG_WIDE) != 0u)
        vkr_write_fours(begin, covered);
    else
        vkr_write_values(begin, covered);
}
