/* SPDX-License-Identifier: MIT */
/* What kernels' modules declare that they touch, against what steps declare. */
#ifndef VKR_TESTS_ACCESS_H
#define VKR_TESTS_ACCESS_H

#include <stdint.h>

#include "vkreduce/vkreduce.h"

/* Looks at what a recorder has collected, before vkrEnd. Returns the first rule that a step breaks,
 * in words, or NULL:
 *  - a binding that a module touches is memory of which the step declares at least that access;
 *  - or it is a place of the recorder's own, which no other step has;
 *  - descriptors of the recording's own memory, and within an operation all, do not meet where
 *    there is no barrier between two steps and one of them writes. */
const char *access_violation(VkrRecorder recorder);

/* The same once each of some faults is planted into a recording of two reductions, one after the
 * other: 1 + the number of the first that is not found, or 0. */
uint32_t access_plant(VkrRecorder recorder, VkBuffer input);

#endif
