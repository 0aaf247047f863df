/* SPDX-License-Identifier: MIT */
/* The types of the results of reductions, in a table written by hand. */
#ifndef VKR_TESTS_TYPES_H
#define VKR_TESTS_TYPES_H

#include <stdbool.h>

#include "vkreduce/vkreduce.h"

#define TYPE_ROWS 21u

/* Element types with accumulators that they allow, and the types of the results. */
extern const struct type_row {
    VkrType element, accumulator, absolute, summed, summed_absolute, real;
} type_rows[TYPE_ROWS];

/* The operators that do not support an element type with an accumulator. */
static inline VkrOpFlags other_ops(VkrType element, VkrType accumulator)
{
    const bool floats = element >= VKR_TYPE_F16;
    const bool narrow = element != VKR_TYPE_F64 && accumulator != VKR_TYPE_F64;
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    return (floats ? bits : 0) | (floats && narrow ? 0 : (VkrOpFlags)VKR_OP_LOGSUMEXP);
}

/* The type of an operator's result for the elements of a row. */
VkrType result_type(const struct type_row *row, VkrOp op, bool wide_index);

#endif
