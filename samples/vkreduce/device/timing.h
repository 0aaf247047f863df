/* SPDX-License-Identifier: MIT */
/* --timing: how long each operation takes on the device. */
#ifndef RUNNER_TIMING_H
#define RUNNER_TIMING_H

#include <stdbool.h>
#include <stdio.h>
#include "types.h"
#include "vkreduce/host.h"

/* All operations of an execution that have the same function and label: those of several chunks,
 * for example. */
typedef struct timing_row {
    char *function;
    char *label;    /* NULL: none */
    uint64_t count; /* in one execution */
    double *times;  /* milliseconds in each execution */
} timing_row;

typedef struct timing {
    bool wanted;      /* and the device has timestamps */
    timing_row *rows; /* in the order in which they first came */
    uint32_t count;
    uint64_t executions, execution; /* their number, and the current one */
} timing;

/* Adds the operations of a host's last submission to the current execution. */
int timing_add(timing *t, VkrHost host);

/* Print medians over all executions but the first `untimed` ones, which need not add up: as lines
 * of text, with the speed at which `bytes` are read unless they are 0; and as a member of a JSON
 * object, which is null without timestamps. */
void timing_print(const timing *t, uint64_t untimed, uint64_t bytes, FILE *file);
void timing_print_json(const timing *t, uint64_t untimed);

void timing_close(timing *t);

#endif
