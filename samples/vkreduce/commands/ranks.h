/* SPDX-License-Identifier: MIT */
/* The order of elements on the host, for --verify of commands that put elements in order. */
#ifndef RUNNER_RANKS_H
#define RUNNER_RANKS_H

#include "input/input.h"

/* Elements of one value each, and how they are compared. */
typedef struct ranking {
    const unsigned char *data;
    uint64_t stride;
    VkrType type;
    uint32_t flags;              /* VkrSortFlagBits */
    uint32_t begin_bit, end_bit; /* the bits that are compared; both 0: all */
} ranking;

/* Writes the indices of `count` elements, starting at `first`, in the order of the elements; equal
 * elements keep theirs. */
int rank_elements(const ranking *r, uint64_t first, uint64_t count, uint64_t *indices);

#endif
