/* SPDX-License-Identifier: MIT */
/* Command buffers that are recorded, submitted and timed. */
#ifndef RUNNER_SUBMIT_H
#define RUNNER_SUBMIT_H

#include "device/gpu.h"

int gpu_begin(const gpu *g);
int gpu_end(const gpu *g);

/* Submit the commands recorded between gpu_begin and gpu_end; wait for them; do both. */
int gpu_launch(const gpu *g);
int gpu_wait(const gpu *g);
int gpu_submit(const gpu *g);

/* Ends the commands, submits them, and waits. */
int gpu_finish(const gpu *g);

/* Record the first timestamp, once all earlier commands are done, and the second; after a
 * submission, read the time between them in milliseconds. */
void gpu_start_clock(const gpu *g);
void gpu_stop_clock(const gpu *g);
int gpu_read_clock(const gpu *g, double *milliseconds);

#endif
