/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_JSON_H
#define RUNNER_JSON_H

#include <stdio.h>
#include "types.h"

void json_string(FILE *out, const char *text);

/* Prints one value of a type. Floats are written with 17 significant digits, so that a parser gets
 * the exact value; floats that are not finite are written as strings. */
void json_value(FILE *out, VkrType type, const void *value);

/* Prints one value, or an array of several values that are `stride` bytes apart. */
void json_values(FILE *out, VkrType type, const void *values, size_t stride, uint32_t count);

#endif
