/* SPDX-License-Identifier: MIT */
/* Data that goes through the device in chunks. */
#ifndef RUNNER_PIPE_H
#define RUNNER_PIPE_H

#include "device/gpu.h"
#include "device/task.h"

#define PIPE_SLOTS 2u
#define PIPE_BUFFERS 8u

/* A buffer on the device, and a host buffer if the host cannot access the former. */
typedef struct pipe_buffer {
    VkrHostMemory device;
    VkrHostMemory host;
    VkDeviceSize used; /* bytes of this chunk */
} pipe_buffer;

typedef struct pipe_slot {
    VkrHost host;
    bool busy;
    uint64_t chunk;        /* the number of the chunk */
    uint64_t first, count; /* its items; those of all ranks are counted together */
    VkrRecorder recorder;  /* the host's */
    pipe_buffer buffers[PIPE_BUFFERS];
} pipe_slot;

/*
 * Chunks of items that go through the device in slots that take turns:
 *
 *     host     load 0 | load 1    | store 0, load 2 | ..
 *     device          | execute 0 | execute 1       | ..
 *
 * A single chunk is loaded and recorded once, however often it is executed.
 */
typedef struct pipe {
    task *task;
    void *context; /* passed to the functions */
    /* Fills the buffers that the host fills, and sets `used` in all buffers; optional. */
    int (*load)(void *context, pipe_slot *slot);
    /* Collects the operations on a chunk, right after its load. */
    VkrResult (*collect)(void *context, pipe_slot *slot);
    /* Reads the results of a chunk; optional. Chunks come in order, and only once. */
    int (*store)(void *context, pipe_slot *slot);
    /* Uploads to buffers outside the pipe once the operations are accepted; optional. */
    int (*upload)(void *context);
    uint64_t origin;              /* the first item: that of a rank's share; otherwise 0 */
    uint64_t count;               /* items, such as elements or segments */
    uint64_t chunk;               /* items in a chunk; the last chunk may have fewer */
    uint64_t elements;            /* of all items, for the count on the GPU; 0: an item is one */
    uint32_t passes, pass;        /* over all chunks in an execution, and the current one */
    uint64_t sizes[PIPE_BUFFERS]; /* bytes; 0: not used */
    bool downloads[PIPE_BUFFERS]; /* true: the device fills the buffer; false: the host does */
    bool has_number;              /* a count on the GPU is at most the number that the host gives */
    VkrHostMemory counted;        /* --count-on-gpu: the number of elements */
    bool loaded, stored;
    pipe_slot slots[PIPE_SLOTS];
} pipe;

/* Sets a pipe to a single chunk of `count` items. Returns false if it must be cut into several: see
 * task_is_streamed and task_cut. */
bool pipe_fits(pipe *p, uint64_t count, uint32_t size_count, const uint64_t *sizes);

/* Sets the items of a pipe: those of the share of this rank, cut at multiples of `unit`, if ranks
 * share the data; otherwise all of them. */
void pipe_share(pipe *p, uint64_t items, uint64_t unit);

/* Makes as many slots as task->chunks need, and executes all chunks as often as --repeat asks. A
 * progress bar counts the `bytes` that one pass loads. pipe_close must follow. */
int pipe_run(pipe *p, const char *what, uint64_t bytes);
void pipe_close(pipe *p);

/* Create and destroy a buffer; `downloads` as above. */
int pipe_buffer_open(const task *t, pipe_buffer *b, VkDeviceSize size, bool downloads);
void pipe_buffer_close(const task *t, pipe_buffer *b);

/* The host's pointer to a buffer. */
void *pipe_map(const pipe_slot *slot, uint32_t buffer);

/* A view for the library of the elements that input_load stored in a buffer. */
VkrView pipe_view(const pipe_slot *slot, uint32_t buffer, const input *in, uint64_t count);

/* With --count-on-gpu, describes the buffer that holds the number of elements, and replaces a count
 * that is not 0 by VKR_COUNT_ALL, unless has_number is set; otherwise changes nothing. */
VkrGpuCount pipe_count(const pipe *p, uint64_t *count);

#endif
