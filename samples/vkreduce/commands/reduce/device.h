/* SPDX-License-Identifier: MIT */
/* What device.c and whole.c, which reduces all data at once, share. */
#ifndef RUNNER_REDUCE_DEVICE_H
#define RUNNER_REDUCE_DEVICE_H

#include "commands/reduce/reduce.h"
#include "device/pipe.h"

typedef struct reduction {
    task *task;
    reduce_request *request;
    reduce_results *results;
    VkrReduceInfo info; /* the info of the request, with what all chunks share */
    VkrHostMemory data[INPUTS], segment_count; /* of all data at once */
    VkrHostMemory offsets;                     /* or keys */
    VkrCountOutput run_count;                  /* of keys */
    grouping groups;                           /* of --by */
    VkrHostMemory partials;                    /* of pieces */
    pipe pipe;
} reduction;

/* Computes the layout of the results; creates the buffer for them, too. */
int reduce_find_layout(reduction *d);
int reduce_create_output(reduction *d);

/* ---- whole.c ---- */

/* What is uploaded. */
const input *reduce_stored_input(const reduction *d, uint32_t i);

/* The elements of an input. Their buffer may be empty if only sizes matter. */
VkrView reduce_whole_view(const reduction *d, uint32_t i);

int reduce_run_whole(reduction *d);

#endif
