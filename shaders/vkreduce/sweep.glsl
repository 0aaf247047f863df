/* SPDX-License-Identifier: MIT */
/* The table of sorts in a single pass over each digit (cards/sort.h). sort.glsl is included
 * before. */
#ifndef VKR_SWEEP_GLSL
#define VKR_SWEEP_GLSL

/* The word of digit 0. */
uint vkr_bases_at(const uint row, const uint pass)
{
    return push.table_base + VKR_SWEEP_PASSES_AT + (row * push.passes + pass) * VKR_SORT_DIGITS;
}

uint vkr_states_at(const uint turn, const uint row, const uint tile)
{
    return vkr_bases_at(push.rows, 0u) +
           ((turn * push.rows + row) * push.groups + tile) * VKR_SORT_DIGITS;
}

#endif
