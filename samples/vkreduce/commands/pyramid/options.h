/* SPDX-License-Identifier: MIT */
/* The options and operands of the command pyramid. */
#ifndef RUNNER_PYRAMID_OPTIONS_H
#define RUNNER_PYRAMID_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"

typedef struct pyramid_options {
    task_options task;
    const char *output;
    uint32_t algorithm;
    bool json;
} pyramid_options;

extern const command pyramid_command;

/* Runs the command; `options` points to a pyramid_options. */
int pyramid_run(const operands *given, const void *options);

#endif
