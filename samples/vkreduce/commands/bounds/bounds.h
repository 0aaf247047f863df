/* SPDX-License-Identifier: MIT */
/* The command bounds: options.c has its options, bounds.c its request, output and text; device.c
 * searches, verify.c verifies. */
#ifndef RUNNER_BOUNDS_H
#define RUNNER_BOUNDS_H

#include "commands/job.h"
#include "output/output.h"

typedef struct bounds_options {
    data_options data;
    const char *output;
    bool descending;
    bool nan_first;
    bool by_value;
} bounds_options;

extern const command bounds_command;

enum { BOUNDS_SORTED, BOUNDS_VALUES, BOUNDS_INPUTS };

typedef struct bounds_request {
    const bounds_options *opts;
    input in[BOUNDS_INPUTS];
    bool upper;
    VkrType position;
    VkrBoundsInfo info; /* without data, counts and output */
} bounds_request;

typedef struct bounds_results {
    output out;
} bounds_results;

/* Runs the command; `options` points to a bounds_options. */
int bounds_run(const operands *given, const void *options);

/* Parses lower or upper. */
int bounds_parse_side(const char *text, bool *upper);

/* Finds the positions of all values, and writes them to the output, which must be open. */
int bounds_execute(job *j);

/* Compares the output with what the scalar reference makes of the inputs, which are read again. */
int bounds_verify(job *j);

#endif
