/* SPDX-License-Identifier: MIT */
/* Calls for one array whose data go through the device in chunks, on two hosts that take turns. */
#ifndef VKR_TESTS_HOST_CHUNKS_H
#define VKR_TESTS_HOST_CHUNKS_H

#include "vkreduce/host.h"

/* Makes the calls up to the first that fails, and returns its result. Results are as expected, and
 * so are those of a call that is made once more after it has failed, unless the host has failed
 * with it. Arrays that are only read keep their contents. */
VkrResult host_chunks_run(VkrHost host);

#endif
