/* SPDX-License-Identifier: MIT */
/* The types of the results of reductions, in a table written by hand. */
#ifndef VKR_TESTS_TYPES_H
#define VKR_TESTS_TYPES_H

#include <stdbool.h>

#include "vkreduce/vkreduce.h"

#define INTEGER_OPS (VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR)
#define TYPE_ROWS 21u

/* Element types with accumulators that they allow, and the types of the results. */
extern const struct type_row {
    VkrType element, accumulator, absolute, summed, summed_absolute, real;
} type_rows[TYPE_ROWS];

/* The type of an operator's result for the elements of a row. */
VkrType result_type(const struct type_row *row, VkrOp op, bool wide_index);

#endif
