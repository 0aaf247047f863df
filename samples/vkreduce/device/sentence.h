/* SPDX-License-Identifier: MIT */
/* The library's messages, in terms of the command line. */
#ifndef RUNNER_SENTENCE_H
#define RUNNER_SENTENCE_H

#include <stddef.h>

/* Rewrites a message of the library, which names functions, fields and constants: fields that an
 * option sets become that option, and constants its words. */
void sentence_of_options(const char *message, char *text, size_t size);

#endif
