/* SPDX-License-Identifier: MIT */
/* Calls for one array whose data go through the device in chunks, on two hosts that take turns. */
#ifndef VKR_TESTS_HOST_CHUNKS_H
#define VKR_TESTS_HOST_CHUNKS_H

#include "vkreduce/host.h"

#define HOST_CHUNKS 5u /* calls */

/* Makes a call and returns its result. What it gives is as expected, and arrays that are only read
 * keep their contents. */
VkrResult host_chunks_run_once(VkrHost host, uint32_t call, uint32_t count, VkDeviceSize chunkSize);

/* Makes it once more if it fails, and then it must not, unless the device is lost. Returns the
 * first result. */
VkrResult host_chunks_run(VkrHost host, uint32_t call, uint32_t count, VkDeviceSize chunkSize);

/* So many words are three chunks of that size; and there can be so many. */
#define HOST_CHUNKS_COUNT 20000u
#define HOST_CHUNKS_SIZE ((VkDeviceSize)32768)
#define HOST_CHUNKS_MOST 2500000u

#endif
