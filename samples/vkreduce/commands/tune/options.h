/* SPDX-License-Identifier: MIT */
/* The options and operands of the command tune. */
#ifndef RUNNER_TUNE_OPTIONS_H
#define RUNNER_TUNE_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"

typedef struct tune_options {
    device_options device;
    const char *output;
    uint32_t type; /* a VkrType */
    bool quick;
    bool json;
} tune_options;

extern const command tune_command;

/* Runs the command; `options` points to a tune_options. */
int tune_run(const operands *given, const void *options);

#endif
