/* SPDX-License-Identifier: MIT */
/* The command apply: options.c has its options, apply.c its request, output and text; device.c
 * computes, verify.c verifies. */
#ifndef RUNNER_APPLY_H
#define RUNNER_APPLY_H

#include "commands/job.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct apply_options {
    data_options data;
    const char *output;
    const char *segments;
    const char *axis;
} apply_options;

extern const command apply_command;

typedef struct apply_request {
    const apply_options *opts;
    VkrApplyFunction function;
    input in;
    segments segments;
} apply_request;

typedef struct apply_results {
    output out;
} apply_results;

/* Parses the name of a function. */
int apply_parse_function(const char *text, VkrApplyFunction *function);

/* Runs the command; `options` points to an apply_options. */
int apply_run(const operands *given, const void *options);

/* Computes the output. */
int apply_execute(job *j);

/* Compares it with what the scalar reference makes of the input, which is read again. */
int apply_verify(job *j);

#endif
