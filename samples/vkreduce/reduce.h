/* SPDX-License-Identifier: MIT */
/* The parts of the command reduce: reduce.c asks and prints, stream.c takes what does not fit the
 * device, verify.c compares. */
#ifndef REDUCE_H
#define REDUCE_H

#include "runner.h"

#define INPUTS 2

/* One run of the command. */
typedef struct job {
    const options *opts;
    VkrOpFlags ops;
    uint32_t order[VKR_OP_BITS]; /* bits of the operators as the user named them */
    uint32_t op_count;
    uint32_t input_count;
    input in[INPUTS];
    gpu gpu;
    gpu_buffer output;
    VkrReduceInfo info; /* inputs and count are filled in by whole and streamed reductions */
    VkrReduceLayout layout;
    uint64_t chunks; /* 0: not streamed */
    bool timed;
    double gpu_ms;
    bool differs;
} job;

/* Lays the results out and makes the output buffer, once the info is complete but for it. */
int prepare_output(job *j);

/* Executes as often as --repeat asks, and takes the median time. `once` gives milliseconds where
 * the job is timed. */
int execute(job *j, int (*once)(void *context, double *milliseconds), void *context);

/* How many executions that is. */
uint64_t count_executions(const options *opts);

static inline const void *value_of(const job *j, uint32_t bit, uint32_t component)
{
    const VkrReduceResult *result = &j->layout.results[bit];
    return (const char *)j->output.map + result->offset + component * vkrTypeSize(result->type);
}

/* ---- stream.c ---- */

/* Whether the data does not fit the device as a whole, or the user wants it in chunks. */
bool is_streamed(const job *j);

/* The whole reduction in chunks: while the device reduces one, the host reads the next. */
int reduce_streamed(job *j);

/* ---- verify.c ---- */

/* Reads the inputs once more, since what the device was given is not trusted, and compares. */
int verify(job *j);

#endif
