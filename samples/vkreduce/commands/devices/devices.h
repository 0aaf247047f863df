/* SPDX-License-Identifier: MIT */
/* The command devices. */
#ifndef RUNNER_DEVICES_H
#define RUNNER_DEVICES_H

#include <stdbool.h>
#include "command_line/command.h"
#include "device/task.h"

typedef struct devices_options {
    device_options device;
    bool self_test;
    bool json;
} devices_options;

extern const command devices_command;

/* Runs the command; `options` points to a devices_options. */
int devices_run(const operands *given, const void *options);

#endif
