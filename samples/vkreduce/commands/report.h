/* SPDX-License-Identifier: MIT */
/* What commands that work on data print alike. */
#ifndef RUNNER_REPORT_H
#define RUNNER_REPORT_H

#include "device/task.h"
#include "input/input.h"

/* A file that a command may write, and the option that names it. */
typedef struct named_output {
    const char *option;
    const char *name; /* NULL: it is not asked for */
} named_output;

/* The members of the JSON object up to the result. */
void report_start_json(const task *t, const char *command, const input *in, const char *algorithm);

/* The members after the result, and the end of the object. */
void report_end_json(const task *t, const input *inputs, uint32_t input_count,
                     const named_output *outputs, uint32_t output_count);

/* The member that names the outputs. */
void report_outputs(const named_output *outputs, uint32_t count);

/* The same as lines of text, each a label and what it stands for. */
void report_device(const task *t);
void report_input(const input *in);
void report_end(const task *t, const char *algorithm);

#endif
