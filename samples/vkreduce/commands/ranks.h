/* SPDX-License-Identifier: MIT */
/* The scalar reference of commands that put elements in order. */
#ifndef RUNNER_RANKS_H
#define RUNNER_RANKS_H

#include "input/input.h"

/* An element: a number that is less if it comes earlier, and its index. */
typedef struct rank {
    uint64_t order, index;
} rank;

/* How elements are compared: all bits, unless end_bit is not 0. */
typedef struct ordering {
    VkrType type;
    bool descending;
    uint32_t begin_bit, end_bit;
} ordering;

/* Loads elements with one value each; `data` receives their values without gaps, unless it is
 * NULL, and `ranks` their orders and indices. */
int ranks_load(const input *in, const ordering *o, uint64_t first, uint64_t count,
               unsigned char *data, rank *ranks);

/* Sorts by the order, and equal elements by their index. */
void ranks_sort(rank *ranks, uint64_t count);

#endif
