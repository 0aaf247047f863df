/* SPDX-License-Identifier: MIT */
/* Compares what the modules of kernels can access with what the steps of a recording declare. */
#ifndef VKR_TESTS_ACCESS_H
#define VKR_TESTS_ACCESS_H

#include <stdint.h>

#include "vkreduce/vkreduce.h"

/* Checks what a recorder has collected, before vkrEnd. Returns a sentence about the first rule that
 * a step breaks, or NULL:
 *  - a step has the bindings of its module, and something is bound to each of them;
 *  - if the module can access a buffer, the step declares at least that access to the bytes that
 *    are bound, or they are a place of the recorder's own that no other step has;
 *  - two steps without a barrier between them do not access the same bytes if one of them writes.
 *    This holds for descriptors of the recording's own memory, and within an operation for all. */
const char *access_violation(VkrRecorder recorder);

/* Plants several faults into a recording of two reductions, one fault at a time, and checks it as
 * above. Returns 1 + the index of the first fault that is not found, or 0. */
uint32_t access_plant(VkrRecorder recorder, VkBuffer input);

#endif
