/* SPDX-License-Identifier: MIT */
/* Code shared by the commands on data: executions on a device, and sizes of chunks. */
#ifndef RUNNER_TASK_H
#define RUNNER_TASK_H

#include <stdbool.h>
#include "device/gpu.h"
#include "device/timing.h"

typedef struct task_options {
    device_options device;
    uint64_t repeat; /* 0: not given */
    uint64_t chunk;  /* bytes; 0: not given */
    bool count_on_gpu;
    bool staging;
    bool verify;
    bool plan;
    bool timing;
} task_options;

typedef struct task {
    const task_options *opts;
    gpu gpu;
    bool shared;   /* true: this rank has a share (ranks.h) of the data */
    bool streamed; /* true: in `chunks` chunks */
    uint64_t chunks;
    bool timed;
    double gpu_ms;  /* of one execution; of all pipes, if several follow each other */
    double seconds; /* of all executions, on the device */
    uint64_t bytes; /* that an execution loads; 0: unknown */
    timing timing;
    bool differs;    /* a result differs from the scalar reference */
    bool unverified; /* --verify had nothing to compare with */
} task;

/* Opens the device with its profile. task_close may follow a failed task_open. */
int task_open(task *t);
void task_close(task *t);

/* Executes as often as --repeat asks, and computes the median time. `once` sets *milliseconds if
 * the task is timed. */
int task_execute(task *t, int (*once)(void *context, double *milliseconds), void *context);

/* The median of some times, which it sorts. */
double task_median(double *times, size_t count);

/* The number of those executions, and how many of them, the first ones, are not timed. */
uint64_t count_executions(const task_options *opts);
uint64_t count_untimed(const task_options *opts);

/* Whether data in buffers of these sizes goes through the device in chunks: because it does not
 * fit, each or all together, or because the user wants it. */
bool task_is_streamed(const task *t, uint32_t count, const uint64_t *sizes);

/* Cuts `count` elements into chunks of a multiple of `unit`, whose size --chunk gives or the memory
 * limits. An element needs `element` bytes in each INPUT, and `all` bytes in all buffers. */
int task_cut(task *t, uint64_t count, uint64_t element, uint64_t all, uint64_t unit,
             uint64_t *chunk);

#endif
