/* SPDX-License-Identifier: MIT */
/* Converts values of element types to numbers of the host. */
#ifndef RUNNER_VALUE_H
#define RUNNER_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include "types.h"

static inline bool is_float(VkrType type)
{
    return type >= VKR_TYPE_F16;
}

static inline bool is_signed(VkrType type)
{
    return !is_float(type) && type % 2 == 1;
}

/* Returns whether the type is a float, and sets *result if so. */
bool value_as_float(VkrType type, const void *value, double *result);

/* Return the values of integers. */
uint64_t value_as_unsigned(VkrType type, const void *value);
int64_t value_as_signed(VkrType type, const void *value);

/* The double nearest to a value. */
double value_as_double(VkrType type, const void *value);

/* The bits of a float type's infinity. */
uint64_t value_infinity(VkrType type);

/* The bits of the least or the greatest value of a type. */
uint64_t value_extreme(VkrType type, bool greatest);

/* A number that grows as values do in the order of sorts (vkreduce/sort.h), where NaN is last. */
uint64_t value_order(VkrType type, const void *value, bool descending, bool by_value);

/* Whether a component of two elements differs: its bits, or by value the number. */
bool values_differ(VkrType type, uint32_t components, bool by_value, const void *a, const void *b);

/* Whether a result of an arg operator means that no element was found. */
bool is_no_index(VkrType type, const void *value);

#endif
