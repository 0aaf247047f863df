/* SPDX-License-Identifier: MIT */
/* The options and operands of the command histogram. */
#ifndef RUNNER_HISTOGRAM_OPTIONS_H
#define RUNNER_HISTOGRAM_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"
#include "device/texels.h"
#include "input/input.h"

typedef struct histogram_options {
    input_options input;
    task_options task;
    texel_options texels;
    const char *output;
    const char *plot;
    const char *range;
    const char *edges;
    const char *quantiles;
    uint64_t bins; /* 0: not given */
    uint32_t algorithm;
    bool log2;
    bool closed;
    bool json;
} histogram_options;

extern const command histogram_command;

/* Runs the command; `options` points to a histogram_options. */
int histogram_run(const operands *given, const void *options);

#endif
