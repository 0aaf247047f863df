/* SPDX-License-Identifier: MIT */
/* A compaction on the device. */
#ifndef RUNNER_COMPACT_DEVICE_H
#define RUNNER_COMPACT_DEVICE_H

#include "commands/compact/results.h"

/* Compacts the input into the open ones of results->outs, and counts the entries. */
int compact_execute(task *t, const compact_request *r, compact_results *results);

#endif
