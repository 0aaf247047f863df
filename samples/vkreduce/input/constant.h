/* SPDX-License-Identifier: MIT */
/* Numbers on the command line, as values of an element type. */
#ifndef RUNNER_CONSTANT_H
#define RUNNER_CONSTANT_H

#include "types.h"

/* Parses a value of a type: whole numbers for integers, in their range. `what` begins the error
 * message. */
int parse_constant(const char *what, const char *text, VkrType type, VkrConstant *constant);
void constant_bits(VkrType type, VkrConstant constant, void *value);

#endif
