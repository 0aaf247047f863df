/* SPDX-License-Identifier: MIT */
/* Command buffers that are recorded, submitted and timed. */
#ifndef RUNNER_SUBMIT_H
#define RUNNER_SUBMIT_H

#include "device/gpu.h"

int gpu_begin(const gpu *g);
int gpu_end(const gpu *g);

/* Submit what was recorded between gpu_begin and gpu_end; wait for it; both. */
int gpu_launch(const gpu *g);
int gpu_wait(const gpu *g);
int gpu_submit(const gpu *g);

/* Record the first timestamp, when all that was submitted before is done, and the second; read
 * their distance in milliseconds after a submit. */
void gpu_start_clock(const gpu *g);
void gpu_stop_clock(const gpu *g);
int gpu_read_clock(const gpu *g, double *milliseconds);

#endif
