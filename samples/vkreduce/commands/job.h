/* SPDX-License-Identifier: MIT */
/* One run of a command on data, in stages: command line, request, device, results, output. */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include "command_line/command.h"
#include "device/task.h"
#include "input/input.h"

#define MAX_OUTPUTS 10u
#define MAX_BESIDE 3u

/* The options of all commands on data, with which their own structs start. */
typedef struct data_options {
    input_options input;
    task_options task;
    uint32_t algorithm;
    bool json;
    bool progress;
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
    const input *beside[MAX_BESIDE]; /* other files, which ranks must see too, or NULL */
    named_output outputs[MAX_OUTPUTS];
    task task;
    /* Whether ranks (ranks.h) share the request; NULL: never. The stages up to `execute` are then
     * those of every rank, the others those of rank 0. */
    bool (*shares)(const struct job *j);
    struct rank_times *times; /* owned; of each rank, if they share the data */
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

/* ---- shared.c: jobs whose data ranks share ---- */

/* Checks that all ranks see the same inputs, and sets task.shared. *absent becomes whether this
 * rank has nothing to do. */
int job_meet(int status, job *j, bool *absent);

/* Says what float sums of several ranks need for the bits of one process. */
void job_note_sums(void);

/* Finds what each rank spent, and prints it as a member of the JSON object. */
int job_gather_times(int status, job *j);
void job_print_times(const job *j);

/* Checks that no two outputs have the same name, and that at most one of them, or --json, writes to
 * the standard output. */
int check_outputs(const named_output *outputs, uint32_t count, bool json);

/* Prints the member of a JSON object that names the outputs. */
void print_outputs(const named_output *outputs, uint32_t count);

#endif
