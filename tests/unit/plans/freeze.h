/* SPDX-License-Identifier: MIT */
/* What requests become, as one line for each recording: two builds of the library that print the
 * same lines do the same. */
#ifndef VKR_TESTS_FREEZE_H
#define VKR_TESTS_FREEZE_H

#include "vkreduce/vkreduce.h"

/* Writes a line with a hash of all steps of a recording that has not ended to the file that the
 * environment variable VKR_TEST_FREEZE names, or nothing where there is none. The steps themselves
 * are written for the recording whose number VKR_TEST_FREEZE_SHOW is, or for all. Suites that are
 * linked with --wrap=vkrEnd and end.c do this for every recording. */
void freeze_steps(VkrRecorder recorder);

/* Writes a line for the sentence of a request that was refused. */
void freeze_refusal(const char *sentence);

#endif
