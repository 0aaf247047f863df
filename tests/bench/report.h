/* SPDX-License-Identifier: MIT */
/* Tables on standard output, and rows as JSON. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>
#include "state.h"

/* The device and the number of runs, with a note. */
void report_head(const bench *b, const char *note);

/* The rows of one size, as a table and as JSON. */
void report_size(const bench *b, const row *rows);
void report_json(FILE *file, const bench *b, const row *rows);

/* The ratios of all arms at all sizes. */
void report_ratios(const bench *b);

/* All rows of --windows, and their ratios by load. */
void report_windows(const bench *b);

/* All rows of --images, of --histograms and of --ordered. */
void report_images(const bench *b);
void report_histograms(const bench *b);
void report_ordered(const bench *b);

#endif
