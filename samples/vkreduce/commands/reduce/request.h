/* SPDX-License-Identifier: MIT */
/* The parameters of a reduction: inputs, operators, segments. */
#ifndef RUNNER_REDUCE_REQUEST_H
#define RUNNER_REDUCE_REQUEST_H

#include "commands/reduce/options.h"
#include "input/segments.h"

#define INPUTS 2

typedef struct reduce_request {
    const reduce_options *opts;
    VkrOpFlags ops;
    uint32_t order[VKR_OP_BITS]; /* bits of the operators, in the order given by the user */
    uint32_t op_count;
    uint32_t input_count;
    input in[INPUTS];        /* as the operators read them .. */
    input stored[INPUTS];    /* .. and as they are stored, if that differs */
    VkrImage images[INPUTS]; /* --as-image: the images themselves are set later */
    VkrMap map;              /* --map */
    segments segments;
    VkrReduceInfo info; /* without data, count and results */
} reduce_request;

/* Reads operators, inputs and segments. reduce_request_close may follow a failure. */
int reduce_request_open(reduce_request *r, const operands *given, const reduce_options *opts);
void reduce_request_close(reduce_request *r);

/* Completes the request for an open device. */
int reduce_request_complete(reduce_request *r, const task *t);

/* The input as it is stored, which is what is uploaded. */
static inline const input *reduce_stored(const reduce_request *r, uint32_t i)
{
    return r->stored[i].name != NULL ? &r->stored[i] : &r->in[i];
}

#endif
