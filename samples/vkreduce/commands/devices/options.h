/* SPDX-License-Identifier: MIT */
/* What the command devices reads from the command line. */
#ifndef RUNNER_DEVICES_OPTIONS_H
#define RUNNER_DEVICES_OPTIONS_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"

typedef struct devices_options {
    device_options device;
    bool self_test;
    bool json;
} devices_options;

extern const command devices_command;

/* The work; `options` are devices_options. */
int devices_run(const operands *given, const void *options);

#endif
