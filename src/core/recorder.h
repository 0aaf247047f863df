/* SPDX-License-Identifier: MIT */
/* A recorder from inside: recorder.c, scratch.c and uses.c. */
#ifndef VKR_RECORDER_H
#define VKR_RECORDER_H

#include "context.h"
#include "operation.h"

/* A piece of scratch memory; it never moves, and `used` grows until vkrReset. */
typedef struct vkr_chunk {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceSize used;
} vkr_chunk;

/* How much has been collected: what a failed operation is rolled back to. */
typedef struct vkr_mark {
    uint32_t steps;
    size_t text;
    VkDeviceSize counters; /* bytes, multiples of the granule */
    VkDeviceSize scratch;
    VkDeviceSize unused; /* places of unused bindings, a granule for each step that has some */
} vkr_mark;

struct VkrRecorder_T {
    VkrContext context;
    char *label; /* NULL for none */

    bool collecting;
    VkrResult error;  /* sticky */
    const char *call; /* the operation that adds steps */
    vkr_mark now;
    vkr_mark mark; /* end of the last whole operation */
    vkr_step *steps;
    uint32_t step_capacity;
    char *text; /* the labels of the steps */
    size_t text_capacity;

    VkDeviceSize chunk_size;
    vkr_chunk *chunks;
    uint32_t chunk_count;

    /* Sets of all pools in one array; the first sets_used belong to earlier recordings. */
    VkDescriptorPool *pools;
    uint32_t pool_count;
    VkDescriptorSet *sets;
    uint32_t set_count;
    uint32_t sets_used;

    /* Host memory for one call at a time, such as vkrEnd: vkr_reserve_memory. */
    void *memory;
    size_t memory_size;
    uint64_t work; /* comparisons and the like since its creation: tests look at how they grow */
};

/* The device, the state and the sticky error, for every call between vkrBegin and vkrEnd. */
VkrResult vkr_check_collecting(VkrRecorder recorder, const char *call);

/*
 * Finds or allocates room that is free until the recording takes it by adding to `used` and
 * `sets_used`. Asked again for as much, they find the same room and allocate nothing.
 */
VkrResult vkr_reserve_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize chunk_size,
                              vkr_chunk **chunk);
VkrResult vkr_reserve_sets(VkrRecorder recorder, uint32_t count);

/* Makes `memory` at least so large; what it held is lost. */
VkrResult vkr_reserve_memory(VkrRecorder recorder, const char *call, uint64_t size);

void vkr_destroy_storage(VkrRecorder recorder);

#endif
