/* SPDX-License-Identifier: MIT */
/* Values as text. */
#ifndef RUNNER_TEXT_H
#define RUNNER_TEXT_H

#include <stddef.h>
#include "types.h"

/* Formats a value; floats get `digits` significant digits. -0 keeps a decimal point, without which
 * a parser would lose its sign. */
void format_value(char *text, size_t size, VkrType type, const void *value, int digits);

/* Formats a value for display, in at most 32 characters. */
void text_value(char *text, size_t size, VkrType type, const void *value);

#endif
