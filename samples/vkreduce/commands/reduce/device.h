/* SPDX-License-Identifier: MIT */
/* A reduction on the device: of all data at once, in chunks, or in chunks of whole segments. */
#ifndef RUNNER_REDUCE_DEVICE_H
#define RUNNER_REDUCE_DEVICE_H

#include "commands/reduce/request.h"
#include "commands/reduce/results.h"

typedef struct reduction {
    task *task;
    const reduce_request *request;
    reduce_results *results;
    VkrReduceInfo info; /* the info of the request, with data and results */
} reduction;

/* Executes the request. reduce_results_close may follow a failure. */
int reduce_execute(task *t, const reduce_request *r, reduce_results *results);
void reduce_results_close(const gpu *g, reduce_results *results);

/* Computes the layout of the results and creates their buffer; the info must be complete except for
 * that buffer. */
int reduce_prepare_output(reduction *j);

/* ---- The ways: whole.c, stream.c, stream_segments.c ---- */

/* Computes the number of segments and the layout of their results. */
int reduce_lay_out_segments(reduction *j);

int reduce_whole(reduction *j);

/* Reduces in chunks: while the device reduces one, the host reads the next. */
int reduce_streamed(reduction *j);

/* Does the same for rows and windows, where every chunk yields results. */
int reduce_segments_streamed(reduction *j);

#endif
