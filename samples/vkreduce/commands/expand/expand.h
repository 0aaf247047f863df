/* SPDX-License-Identifier: MIT */
/* The command expand: options.c has its options, expand.c its request, outputs and text; device.c
 * expands, verify.c verifies. */
#ifndef RUNNER_EXPAND_H
#define RUNNER_EXPAND_H

#include "commands/job.h"
#include "commands/payload.h"
#include "output/output.h"

typedef struct expand_options {
    data_options data;
    const char *output;
    const char *ranks;
    uint64_t capacity; /* outputs; 0: not given */
    text_list payloads;
} expand_options;

extern const command expand_command;

/* What the device writes: arrays of u32. */
typedef enum expand_output { EXPAND_SOURCES, EXPAND_RANKS, EXPAND_OUTPUTS } expand_output;

typedef struct expand_request {
    const expand_options *opts;
    input in;
    uint32_t *counts; /* owned; of all sources */
    uint64_t total;   /* outputs */
    uint64_t stored;  /* those for which there is room */
} expand_request;

typedef struct expand_results {
    output outs[EXPAND_OUTPUTS];
    payloads payloads;
} expand_results;

/* Runs the command; `options` points to an expand_options. */
int expand_run(const operands *given, const void *options);

/* Writes the outputs, which must be open. */
int expand_execute(job *j);

/* What an output has: the rank, or the source. */
uint32_t expand_number(bool ranks, uint32_t source, uint32_t rank);

/* Compares them with what the scalar reference makes of the counts. */
int expand_verify(job *j);

#endif
