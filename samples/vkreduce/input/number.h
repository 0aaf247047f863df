/* SPDX-License-Identifier: MIT */
/* Numbers on the command line. */
#ifndef RUNNER_NUMBER_H
#define RUNNER_NUMBER_H

#include <stdbool.h>
#include "types.h"

/* Parses a text that is a whole decimal number from `min` to `max`, in digits and nothing else. */
bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* Does the same for a count, which may have a fraction and an exponent, such as 1e6 or 2.5e3, and
 * for a size, which may also end in KiB, MiB or GiB. The value is exact, and must be whole. */
bool parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *number);
bool parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* Parses a value of a type: whole numbers for integers, in their range. `what` begins the error
 * message. */
int parse_constant(const char *what, const char *text, VkrType type, VkrConstant *constant);
void constant_bits(VkrType type, VkrConstant constant, void *value);

#endif
