/* SPDX-License-Identifier: MIT */
/* Values of element types as numbers of the host. */
#ifndef RUNNER_VALUE_H
#define RUNNER_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include "types.h"

/* Whether the type is a float, and its value if so. */
bool value_as_float(VkrType type, const void *value, double *result);

/* The values of integers. */
uint64_t value_as_unsigned(VkrType type, const void *value);
int64_t value_as_signed(VkrType type, const void *value);

/* The double nearest to a value. */
double value_as_double(VkrType type, const void *value);

/* Whether a result of an arg operator says that there is no such element. */
bool is_no_index(VkrType type, const void *value);

#endif
