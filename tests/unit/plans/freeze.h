/* SPDX-License-Identifier: MIT */
/* One line for each recording, with a hash of what its requests became. Two builds of the library
 * that print the same lines record the same. */
#ifndef VKR_TESTS_FREEZE_H
#define VKR_TESTS_FREEZE_H

#include "vkreduce/vkreduce.h"

/* Writes a line with a hash of all steps that a recorder has collected, before vkrEnd, to the file
 * that the environment variable VKR_TEST_FREEZE names; without that variable it does nothing.
 * VKR_TEST_FREEZE_SHOW is the number of a recording whose steps are written too, or "all". Programs
 * that are linked with --wrap=vkrEnd and end.c call this for every recording. */
void freeze_steps(VkrRecorder recorder);

/* Writes a line for the sentence of a request that was refused. */
void freeze_refusal(const char *sentence);

#endif
