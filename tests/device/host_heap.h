/* SPDX-License-Identifier: MIT */
/* Allocation callbacks that count the blocks that live, and one of whose allocations can fail. */
#ifndef VKR_TESTS_HOST_HEAP_H
#define VKR_TESTS_HOST_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

#define HOST_HEAP_NEVER UINT32_MAX

typedef struct host_heap {
    uint32_t fails_at; /* the number of the allocation that fails, counted from 0 */
    uint32_t blocks;   /* that live */
    uint32_t allocations;
    bool failed;
} host_heap;

extern host_heap heap;
/* Their pUserData is &heap. */
extern const VkAllocationCallbacks heap_callbacks;

#endif
