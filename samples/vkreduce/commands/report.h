/* SPDX-License-Identifier: MIT */
/* The output that all commands on data share. */
#ifndef RUNNER_REPORT_H
#define RUNNER_REPORT_H

#include "device/task.h"
#include "input/input.h"

/* A file that a command may write, and the option that names it. */
typedef struct named_output {
    const char *option;
    const char *name; /* NULL: not requested */
} named_output;

/* Prints the members of the JSON object up to the result. */
void report_start_json(const task *t, const char *command, const input *in, const char *algorithm);

/* Prints the members after the result, and the end of the object. */
void report_end_json(const task *t, const input *inputs, uint32_t input_count,
                     const named_output *outputs, uint32_t output_count);

/* Prints the member that names the outputs. */
void report_outputs(const named_output *outputs, uint32_t count);

/* Print the same as lines of text, each a label and a value. */
void report_device(const task *t);
void report_input(const input *in);
void report_end(const task *t, const char *algorithm);

#endif
