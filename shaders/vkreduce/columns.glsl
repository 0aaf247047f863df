/* SPDX-License-Identifier: MIT */
/*
 * Words of bits, one for each invocation of a workgroup whose size is a multiple of 32. Where loads
 * are contiguous, an invocation visits the 32 elements of its word. Otherwise the invocations visit
 * a row of elements side by side: then each holds a column of bits, while a word is a part of a
 * row.
 */
#ifndef VKR_COLUMNS_GLSL
#define VKR_COLUMNS_GLSL

shared uint vkr_columns[VKR_WORKGROUP];

/* The word of this invocation, from its column. All invocations must call it. */
uint vkr_word_of_columns(const uint column)
{
    vkr_columns[gl_LocalInvocationIndex] = column;
    barrier();
    const uint words_of_row = VKR_WORKGROUP / 32u;
    uint row = gl_LocalInvocationIndex / words_of_row;
    uint first = gl_LocalInvocationIndex % words_of_row * 32u;
    uint word = 0u;
    for (uint b = 0u; b < 32u; b++)
        word |= (vkr_columns[first + b] >> row & 1u) << b;
    return word;
}

#endif
