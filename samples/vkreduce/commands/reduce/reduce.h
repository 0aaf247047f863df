/* SPDX-License-Identifier: MIT */
/* The parts of the command reduce: reduce.c asks and prints, stream.c and stream_segments.c take
 * what does not fit the device, verify.c and verify_segments.c compare. */
#ifndef RUNNER_REDUCE_H
#define RUNNER_REDUCE_H

#include "commands/reduce/options.h"
#include "device/buffer.h"
#include "input/segments.h"
#include "oracle.h"

#define INPUTS 2

/* One run of the command. */
typedef struct job {
    const reduce_options *opts;
    task task;
    VkrOpFlags ops;
    uint32_t order[VKR_OP_BITS]; /* bits of the operators as the user named them */
    uint32_t op_count;
    uint32_t input_count;
    input in[INPUTS];        /* as operators see them .. */
    input stored[INPUTS];    /* .. and where that is not the same, as they are stored */
    VkrImage images[INPUTS]; /* --as-image */
    VkrMap map;              /* --map */
    segments segments;
    gpu_buffer output;
    void *gathered;      /* owned: results that came out in chunks */
    const char *results; /* in one of the two */
    VkrReduceInfo info;  /* inputs and count are filled in by whole and streamed reductions */
    VkrReduceLayout layout;
} job;

/* Lays the results out and creates the output buffer, once the info is complete except for the
 * buffer. */
int prepare_output(job *j);

static inline const void *value_of(const job *j, uint64_t segment, uint32_t bit, uint32_t component)
{
    const VkrReduceResult *result = &j->layout.results[bit];
    return j->results + segment * j->layout.stride + result->offset +
           component * vkrTypeSize(result->type);
}

/* ---- stream.c ---- */

/* Whether the data does not fit the device as a whole, or the user wants it in chunks. */
bool is_streamed(const job *j);

/* Reduces in chunks: while the device reduces one, the host reads the next. */
int reduce_streamed(job *j);

/* ---- stream_segments.c ---- */

/* The same for rows and windows: every chunk gives results. */
int reduce_segments_streamed(job *j);

/* ---- verify.c ---- */

/* Reads the inputs once more, since the copy on the device is not trusted, and compares. */
int verify(job *j);

/* The request for the reference, without the data and the count. */
oracle_reduce_info reference_info(const job *j);

/* Compares a result with the reference, and reports the first difference. */
void compare_value(job *j, const oracle_value *value, uint64_t segment, uint32_t bit,
                   uint32_t component);

/* ---- verify_segments.c ---- */

int verify_segments(job *j);

#endif
