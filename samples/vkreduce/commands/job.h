/* SPDX-License-Identifier: MIT */
/* One run of a command on data, in stages: command line, request, device, results, output. */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include "command_line/command.h"
#include "device/task.h"
#include "input/input.h"

#define MAX_OUTPUTS 5u

/* The options of all commands on data, with which their own structs start. */
typedef struct data_options {
    input_options input;
    task_options task;
    uint32_t algorithm;
    bool json;
} data_options;

/* A file that a command may write, and the option that names it. */
typedef struct named_output {
    const char *option;
    const char *name; /* NULL: not requested */
} named_output;

typedef struct job {
    const command *command;
    const operands *given;
    const data_options *opts;
    void *request; /* of the command's own types */
    void *results;
    const input *inputs; /* those of the request */
    uint32_t input_count;
    named_output outputs[MAX_OUTPUTS];
    task task;
} job;

typedef int job_stage(job *j);

/* The stages, in their order. */
typedef struct job_stages {
    job_stage *open;                  /* reads operands, options and inputs; needs no device */
    job_stage *prepare;               /* completes the request for the device; creates outputs */
    job_stage *execute;               /* computes the results */
    job_stage *verify;                /* sets task.differs; only with --verify */
    job_stage *finish;                /* completes the outputs; optional */
    void (*print_json)(const job *j); /* the value of "result" */
    void (*print_text)(const job *j); /* the lines between those on the inputs and on the time */
    void (*close)(job *j);            /* may follow a failure of any stage */
} job_stages;

int job_run(job *j, const job_stages *stages);

/* Checks that no two outputs have the same name, and that at most one of them, or --json, writes to
 * the standard output. */
int check_outputs(const named_output *outputs, uint32_t count, bool json);

/* Prints the member of a JSON object that names the outputs. */
void print_outputs(const named_output *outputs, uint32_t count);

#endif
