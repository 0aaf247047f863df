/* SPDX-License-Identifier: MIT */
/* The command bin: options.c has its options, bin.c its request, outputs and text; device.c counts
 * and lists, verify.c verifies. */
#ifndef RUNNER_BIN_H
#define RUNNER_BIN_H

#include "commands/job.h"
#include "output/output.h"

typedef struct bin_options {
    data_options data;
    uint64_t bins;
    const char *counts;
    const char *offsets;
    const char *indices;
} bin_options;

extern const command bin_command;

/* What the device writes: arrays of u32, of which the first two are always wanted. */
typedef enum bin_output { BIN_COUNTS, BIN_OFFSETS, BIN_INDICES, BIN_OUTPUTS } bin_output;

typedef struct bin_request {
    const bin_options *opts;
    input in;
    uint32_t bins;
} bin_request;

typedef struct bin_results {
    output outs[BIN_OUTPUTS];
    uint32_t *values[BIN_OUTPUTS]; /* owned */
} bin_results;

/* The number of elements that are in bins. */
static inline uint32_t bin_total(const bin_request *r, const bin_results *results)
{
    return results->values[BIN_OFFSETS][r->bins];
}

/* The number of entries that an output has at most. */
static inline uint64_t bin_entries(const bin_request *r, bin_output k)
{
    return k == BIN_INDICES ? r->in.count : r->bins + (k == BIN_OFFSETS);
}

/* Runs the command; `options` points to a bin_options. */
int bin_run(const operands *given, const void *options);

/* Computes all outputs that are wanted. */
int bin_execute(job *j);

/* Compares them with what the scalar reference makes of the input, which is read again. */
int bin_verify(job *j);

#endif
