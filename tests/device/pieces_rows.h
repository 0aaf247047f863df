/* SPDX-License-Identifier: MIT */
/* Inputs that are cut into pieces, and the contexts of the cuts. */
#ifndef VKR_TESTS_PIECES_ROWS_H
#define VKR_TESTS_PIECES_ROWS_H

#include "reduce_case.h"

enum { DEVICE, SMALL, WIDE, SHARED, TEXELS, ELEMENT, LARGE, CONTEXTS };

typedef struct piece_row {
    VkrType type;
    VkrOpFlags ops;
    uint32_t components;
    int context;
    VkrDeterminism determinism;
    VkrNan nan;
    bool sample; /* VKR_REDUCE_SAMPLE_BIT */
    VkrType accumulator;
    bool packed; /* no strides: a block must fit a window */
} piece_row;

#define PIECE_ROWS 26
extern const piece_row rows[PIECE_ROWS];

VkrContext open_context(harness *h, int which);

#endif
