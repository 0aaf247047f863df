/* SPDX-License-Identifier: MIT */
/* Numbers on the command line. */
#ifndef RUNNER_NUMBER_H
#define RUNNER_NUMBER_H

#include <stdbool.h>
#include "types.h"

/* Parses a text that is a whole decimal number from `min` to `max`, and nothing else. */
bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* Parses a value of a type: whole numbers for integers, in their range. `what` begins the error
 * message. */
int parse_constant(const char *what, const char *text, VkrType type, VkrConstant *constant);
void constant_bits(VkrType type, VkrConstant constant, void *value);

#endif
