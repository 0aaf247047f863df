/* SPDX-License-Identifier: MIT */
/* The options and operands of the command compact. */
#ifndef RUNNER_COMPACT_OPTIONS_H
#define RUNNER_COMPACT_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"
#include "input/input.h"

typedef struct compact_options {
    input_options input;
    task_options task;
    const char *output;
    const char *indices;
    const char *rejected;
    const char *rejected_indices;
    const char *run_lengths;
    uint64_t capacity; /* elements; 0: not given */
    uint64_t block;    /* elements; 0: not given */
    uint32_t algorithm;
    uint32_t block_scan;
    uint32_t search;
    uint32_t concatenation;
    bool json;
} compact_options;

extern const command compact_command;

/* Runs the command; `options` points to a compact_options. */
int compact_run(const operands *given, const void *options);

#endif
