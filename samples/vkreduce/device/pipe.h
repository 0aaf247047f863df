/* SPDX-License-Identifier: MIT */
/* Data that goes through the device in chunks. */
#ifndef RUNNER_PIPE_H
#define RUNNER_PIPE_H

#include "device/buffer.h"
#include "device/task.h"

#define PIPE_SLOTS 2u
#define PIPE_BUFFERS 8u

/* A buffer on the device, and a host buffer if the host cannot access the former. */
typedef struct pipe_buffer {
    gpu_buffer device;
    gpu_buffer host;
    VkDeviceSize used; /* bytes of this chunk */
} pipe_buffer;

typedef struct pipe_slot {
    gpu lane;
    bool busy;
    uint64_t chunk; /* the number of the chunk */
    VkrRecorder recorder;
    pipe_buffer buffers[PIPE_BUFFERS];
} pipe_slot;

/*
 * Chunks that go through the device in slots that take turns:
 *
 *     host     load 0 | load 1    | store 0, load 2 | ..
 *     device          | execute 0 | execute 1       | ..
 */
typedef struct pipe {
    task *task;
    void *context;                /* passed to the functions */
    uint64_t sizes[PIPE_BUFFERS]; /* bytes; 0: not used */
    bool downloads[PIPE_BUFFERS]; /* true: the device fills the buffer; false: the host does */
    /* Fills the buffers that the host fills, and sets `used` in all buffers. */
    int (*load)(void *context, pipe_slot *slot);
    /* Collects the operations on a chunk, right after its load. */
    VkrResult (*collect)(void *context, pipe_slot *slot);
    /* Reads the results of a chunk; optional. Chunks come in order. */
    int (*store)(void *context, pipe_slot *slot);
    bool loaded; /* a single chunk is loaded and recorded */
    pipe_slot slots[PIPE_SLOTS];
} pipe;

/* Makes as many slots as task->chunks need. pipe_close may follow a failed pipe_open. */
int pipe_open(pipe *p);
void pipe_close(pipe *p);

/* One execution over all chunks, for task_execute. Nothing is in flight when it returns. A single
 * chunk is loaded once. */
int pipe_pass(void *pipe, double *milliseconds);

/* The number of times that the data is loaded. */
uint64_t pipe_loads(const pipe *p);

/* The host's pointer to a buffer. */
void *pipe_map(const pipe_slot *slot, uint32_t buffer);

/* A view for the library of the elements that input_load stored in a buffer. */
VkrView pipe_view(const pipe_slot *slot, uint32_t buffer, const input *in, uint64_t count);

#endif
