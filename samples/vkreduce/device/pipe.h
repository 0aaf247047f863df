/* SPDX-License-Identifier: MIT */
/* Data that goes through the device in chunks. */
#ifndef RUNNER_PIPE_H
#define RUNNER_PIPE_H

#include "device/buffer.h"
#include "device/task.h"

#define PIPE_SLOTS 2u
#define PIPE_BUFFERS 8u

/* A buffer of the device, and one of the host's where it cannot see that. */
typedef struct pipe_buffer {
    gpu_buffer device;
    gpu_buffer host;
    VkDeviceSize used; /* bytes of this chunk */
} pipe_buffer;

typedef struct pipe_slot {
    gpu lane;
    bool busy;
    uint64_t chunk; /* its number */
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
    void *context;                /* of the functions */
    uint64_t sizes[PIPE_BUFFERS]; /* bytes; 0: not used */
    bool downloads[PIPE_BUFFERS]; /* filled by the device, not the host */
    /* Fills the buffers that the host fills, and says how much of each is used. */
    int (*load)(void *context, pipe_slot *slot);
    /* Collects the operations on a chunk, right after its load. */
    VkrResult (*collect)(void *context, pipe_slot *slot);
    /* Takes what has come out; optional. Chunks come in their order. */
    int (*store)(void *context, pipe_slot *slot);
    bool loaded; /* a single chunk is, and recorded */
    pipe_slot slots[PIPE_SLOTS];
} pipe;

/* Makes as many slots as task->chunks need. pipe_close may follow a failed pipe_open. */
int pipe_open(pipe *p);
void pipe_close(pipe *p);

/* One execution over all chunks, for task_execute. Nothing is in flight when it returns. A single
 * chunk is loaded once. */
int pipe_pass(void *pipe, double *milliseconds);

/* How often the data is loaded. */
uint64_t pipe_loads(const pipe *p);

/* Where the host finds a buffer. */
void *pipe_map(const pipe_slot *slot, uint32_t buffer);

/* As the library's inputs: elements as input_load left them. */
VkrView pipe_view(const pipe_slot *slot, uint32_t buffer, const input *in, uint64_t count);

#endif
