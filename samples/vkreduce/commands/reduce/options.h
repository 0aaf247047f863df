/* SPDX-License-Identifier: MIT */
/* The options and operands of the command reduce. */
#ifndef RUNNER_REDUCE_OPTIONS_H
#define RUNNER_REDUCE_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"
#include "device/texels.h"
#include "input/input.h"

typedef struct reduce_options {
    input_options input;
    task_options task;
    texel_options texels;
    const char *segments;
    const char *tiles;
    uint32_t algorithm;
    uint32_t determinism;
    uint32_t nan;
    uint32_t accumulator;
    bool sample;
    bool json;
} reduce_options;

extern const command reduce_command;

/* Runs the command; `options` points to a reduce_options. */
int reduce_run(const operands *given, const void *options);

#endif
