/* SPDX-License-Identifier: MIT */
/* The libraries' messages, in terms of the command line, and statuses of calls. */
#ifndef RUNNER_SENTENCE_H
#define RUNNER_SENTENCE_H

#include <stddef.h>
#include "types.h"

/* Rewrites a message of the library, which names functions, fields and constants: fields that an
 * option sets become that option, and constants its words. */
void sentence_of_options(const char *message, char *text, size_t size);

/* Prints a sentence if a call of Vulkan failed. */
int gpu_check(VkResult result, const char *call);

/* The status of a call of the libraries, which have printed their own sentence, unless it repeats
 * an earlier error. The second never prints. */
int gpu_status(VkrResult result);
int gpu_result_status(VkrResult result);

#endif
