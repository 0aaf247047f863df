/* SPDX-License-Identifier: MIT */
/* Timing, and the usual rows: every arm at every size. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "state.h"

#define STALE 0xa5a5a5a5u /* what results must overwrite */

double now_ns(void);

/* The median; sorts the values. */
double median(double *values, uint64_t count);

/* Times the recorded arms of the rows in turns. */
int measure_turns(bench *b, row *rows);

/* Runs an arm once more, over stale values, and copies `copy` to `copied`. */
int measure_again(const bench *b, const arm *a, VkDeviceSize size);

/* Measures the rows of one size. */
int measure_size(bench *b, uint32_t size);

/* ---- ratios.c ---- */

/* Computes the ratios of all measured rows of a size. */
void compare_rows(const bench *b, row *rows);

/* ---- verify.c ---- */

/* Compares the results of the arms at one size in the readback buffer. */
void verify_rows(const bench *b, row *rows);

#endif
