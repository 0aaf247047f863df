/* SPDX-License-Identifier: MIT */
/* A GPU that has little to do lowers its clock, so a short run that follows a pause takes two to
 * three times as long as in an application that keeps the GPU busy. So a kernel of a few
 * milliseconds runs before each timed run, and nothing (the arm `empty`) is timed right after it,
 * which takes as much longer as the clock is lower. */
#ifndef BENCH_BUSY_H
#define BENCH_BUSY_H

#include "kernel.h"
#include "state.h"

#define MAX_BUSY 20u    /* ms */
#define DEFAULT_BUSY 2u /* ms, on devices that are not CPUs */

struct busy {
    kernel_layout layout;
    VkDescriptorSet set;
    VkPipeline pipeline;
    VkrHostMemory result; /* never written */
    VkrHost work;         /* the kernel */
    VkrHost nothing;      /* two timestamps with nothing between them */
    double least_ns;      /* minimum of the times of `nothing`, each a median of some runs */
};

/* Chooses the time that --busy does not give, and prepares what it needs. busy_close may follow a
 * failure. */
int busy_open(bench *b);
void busy_close(bench *b);

/* Keeps the device busy, and waits. */
int busy_run(const bench *b);

/* Reads how long nothing takes now; 0: unknown. */
int busy_read_empty(const bench *b, double *ns);

/* Whether rows are refused at all: not without the kernel, and not on CPUs, where the time between
 * two timestamps says nothing about the clock. */
bool busy_judges(const bench *b);

/* Notes a median of the times of nothing (0: unknown), and tells whether the clock was low while
 * nothing took that long, compared with the least median so far. */
void busy_note_empty(const bench *b, double ns);
bool busy_clock_low(const bench *b, double ns);

#endif
