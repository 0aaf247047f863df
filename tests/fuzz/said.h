/* SPDX-License-Identifier: MIT */
/* For targets that use parts of the program `vkreduce`. */
#ifndef VKR_TESTS_FUZZ_SAID_H
#define VKR_TESTS_FUZZ_SAID_H

#include <stdbool.h>
#include "fuzz.h"
#include "status.h"

/* Forgets what was said. */
void said_nothing(void);

/* Checks that a function that can fail kept to its contract: one sentence and a status for bad
 * usage, bad input or a lack of memory, or no sentence and STATUS_DONE. Returns whether it
 * succeeded. */
bool said_right(int status);

/* The only sentence since said_nothing. */
const char *said(void);

#endif
