/* SPDX-License-Identifier: MIT */
/* What the commands that work on data have in common: task.c runs, times and prints, pipe.c takes
 * data through the device in chunks. */
#ifndef TASK_H
#define TASK_H

#include "runner.h"

typedef struct task {
    const options *opts;
    uint32_t words; /* operands before the inputs */
    gpu gpu;
    bool streamed; /* in so many chunks */
    uint64_t chunks;
    bool timed;
    double gpu_ms;
    bool differs; /* from the scalar reference */
} task;

/* Opens the device with its profile. task_close may follow a failed task_open. */
int task_open(task *t);
void task_close(task *t);

/* Executes as often as --repeat asks, and takes the median time. `once` gives milliseconds where
 * the task is timed. */
int task_execute(task *t, int (*once)(void *context, double *milliseconds), void *context);

/* How many executions that is. */
uint64_t count_executions(const options *opts);

/* Whether data in buffers of these sizes goes through the device in chunks: because it does not
 * fit, each or all together, or because the user wants it. */
bool task_is_streamed(const task *t, uint32_t count, const uint64_t *sizes);

/* Cuts so many elements into chunks: multiples of `unit`, as --chunk asks or as the memory has room
 * for. An element takes `element` bytes in each INPUT, and `all` bytes in all buffers. */
int task_cut(task *t, uint64_t count, uint64_t element, uint64_t all, uint64_t unit,
             uint64_t *chunk);

/* The JSON object up to the result; and what follows that. */
void task_print_json(const task *t, const char *command, const input *in, const char *algorithm);
void task_end_json(const task *t);

/* The member that names the outputs, by the options that ask for them. */
void task_print_outputs(const options *opts);

/* The same as lines of text, `label` and what is printed behind it. */
void task_print_text(const task *t);
void task_print_input(const input *in);
void task_end_text(const task *t, const char *algorithm);

/* ---- pipe.c ---- */

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
