/* SPDX-License-Identifier: MIT */
/* The table of sorts in a single pass over memory for each digit (cards/sort.h). sort.glsl is
 * included before. */
#ifndef VKR_SWEEP_GLSL
#define VKR_SWEEP_GLSL

/* The word of value 0. */
uint vkr_bases_at(const uint row, const uint digit)
{
    return push.table_base + VKR_SWEEP_DIGITS_AT + (row * push.digits + digit) * VKR_SORT_RADIX;
}

uint vkr_states_at(const uint turn, const uint row, const uint tile)
{
    return vkr_bases_at(push.rows, 0u) +
           ((turn * push.rows + row) * push.groups + tile) * VKR_SORT_RADIX;
}

#endif
