/* SPDX-License-Identifier: MIT */
/* The options and operands of the command scan. */
#ifndef RUNNER_SCAN_OPTIONS_H
#define RUNNER_SCAN_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"
#include "input/input.h"

typedef struct scan_options {
    input_options input;
    task_options task;
    const char *output;
    const char *segments;
    const char *initial;
    uint32_t algorithm;
    uint32_t determinism;
    uint32_t nan;
    uint32_t accumulator;
    bool exclusive;
    bool reverse;
    bool json;
} scan_options;

extern const command scan_command;

/* Runs the command; `options` points to a scan_options. */
int scan_run(const operands *given, const void *options);

#endif
