/* SPDX-License-Identifier: MIT */
/* A scan on the device. */
#ifndef RUNNER_SCAN_DEVICE_H
#define RUNNER_SCAN_DEVICE_H

#include "commands/scan/results.h"

/* Scans the input into results->out, which must be open, and finds the total. */
int scan_execute(task *t, const scan_request *r, scan_results *results);

#endif
