/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_NUMBER_H
#define RUNNER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Parses a text that is a whole decimal number from `min` to `max`, and nothing else. */
bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

#endif
