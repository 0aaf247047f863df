/* SPDX-License-Identifier: MIT */
/* The internals of a recorder, for recorder.c, operation.c, places.c, scratch.c, uses.c and
 * describe.c. */
#ifndef VKR_RECORDER_H
#define VKR_RECORDER_H

#include "context.h"
#include "operation.h"

/* A buffer of memory. It never moves; recordings use its bytes one after the other, and `used`
 * counts them until vkrReset. */
typedef struct vkr_chunk {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceSize used;
    uint8_t *data; /* mapped memory, for uniforms and tickets */
    bool unclosed; /* a recording without a closing barrier had some of these tickets */
} vkr_chunk;

/* Kinds of chunks. Unused bindings point into those of scratch. */
typedef enum vkr_storage {
    VKR_STORAGE_SCRATCH,
    VKR_STORAGE_UNIFORMS,
    VKR_STORAGE_TICKETS, /* zero before the first execution of a recording */
    VKR_STORAGE_COUNT
} vkr_storage;

typedef struct vkr_chunks {
    vkr_chunk *chunks;
    uint32_t count;
} vkr_chunks;

/* Descriptor sets of one layout, from all pools in one array. The first `used` ones belong to
 * recordings that ended since vkrReset. */
typedef struct vkr_sets {
    VkDescriptorPool *pools;
    uint32_t pool_count;
    VkDescriptorSet *sets;
    uint32_t count;
    uint32_t used;
    uint32_t needed; /* set by vkr_reserve_sets */
} vkr_sets;

/* The amount of collected data. A failed operation is rolled back to the last mark. */
typedef struct vkr_mark {
    uint32_t steps;
    uint32_t operations;
    size_t text;
    VkDeviceSize counters; /* bytes, as are scratch and unused: multiples of the granule */
    VkDeviceSize scratch;
    VkDeviceSize unused; /* one granule for each step with unused bindings */
    VkDeviceSize uniforms;
    bool fills; /* there are counters that must be zero before each execution */
} vkr_mark;

struct VkrRecorder_T {
    VkrContext context;
    char *label; /* NULL for none */

    bool collecting;
    VkrResult error; /* the sticky error of the recording */
    vkr_mark now;
    vkr_mark mark; /* `now` after the last complete operation */
    vkr_step *steps;
    uint32_t step_capacity;
    vkr_operation *operations; /* the one after the last complete operation adds steps */
    uint32_t operation_capacity;
    char *text; /* their labels */
    size_t text_capacity;

    uint8_t *uniforms; /* of the steps */
    size_t uniform_capacity;

    VkDeviceSize chunk_size;
    vkr_chunks storage[VKR_STORAGE_COUNT];

    vkr_sets *sets; /* by the index of their layout */
    uint32_t set_list_count;

    /* Host memory for use during one call, such as vkrEnd (vkr_reserve_memory). */
    void *memory;
    size_t memory_size;
    uint64_t work; /* elementary steps of all recordings so far: tests check how it grows */
};

/* The memory that a recording uses besides the buffers of its operations. */
typedef struct vkr_places {
    VkrBufferRange scratch; /* the caller's, the recorder's own, or none */
    vkr_chunk *chunk;       /* the chunk with the recorder's own part, or NULL */
    VkDeviceSize own;       /* bytes of the chunk that the recording uses */
    VkDeviceSize unused;    /* the offset in the chunk to which the first unused binding points */
    vkr_chunk *uniforms;    /* the chunk with the uniforms, or NULL */
    VkDeviceSize first_uniform;
    vkr_chunk *tickets; /* the chunk with the counters, or NULL: they are at the start of scratch */
    VkDeviceSize first_ticket;
    bool opened; /* a barrier at the start orders the recording after earlier uses of its tickets */
    bool closed; /* the barrier at the end orders it before later ones */
} vkr_places;

static inline VkDeviceSize vkr_align_up(VkDeviceSize size, VkDeviceSize granule)
{
    return (size + granule - 1) / granule * granule;
}

static inline VkDeviceSize vkr_granule(const struct VkrRecorder_T *recorder)
{
    return recorder->context->caps.granule;
}

/* Checks the device, the state and the sticky error, in every call between vkrBegin and vkrEnd. */
VkrResult vkr_check_collecting(VkrRecorder recorder, const char *call);

/*
 * Find or allocate memory and, unless descriptors are pushed, sets for all steps, whose layouts are
 * known. The memory and sets stay free until the recording claims them by adding to `used`: until
 * then another call for the same size finds the same memory and allocates nothing.
 */
VkrResult vkr_reserve_storage(VkrRecorder recorder, vkr_storage storage, VkDeviceSize size,
                              VkDeviceSize chunk_size, vkr_chunk **chunk);
VkrResult vkr_reserve_sets(VkrRecorder recorder);

/* Makes `memory` at least `size` bytes large; its contents are lost. */
VkrResult vkr_reserve_memory(VkrRecorder recorder, const char *call, uint64_t size);

void vkr_destroy_storage(VkrRecorder recorder);

/* ---- places.c ---- */

VkDeviceSize vkr_total_scratch(const struct VkrRecorder_T *recorder);

/* Whether the counters are tickets, so that no fill is needed. */
bool vkr_has_tickets(const struct VkrRecorder_T *recorder);

/* Reserve memory: vkr_reserve_places for any vkrEnd, and vkr_acquire_places for this one. */
VkrResult vkr_reserve_places(VkrRecorder recorder);
VkrResult vkr_acquire_places(VkrRecorder recorder, const VkrEndInfo *info, vkr_places *places);

/* Claims the acquired memory: writes uniforms, and replaces stand-ins for buffers in all steps. */
void vkr_claim_places(VkrRecorder recorder, const vkr_places *places);

#endif
