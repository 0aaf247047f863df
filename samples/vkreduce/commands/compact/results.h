/* SPDX-License-Identifier: MIT */
/* The results of a compaction, and functions that print and verify them. */
#ifndef RUNNER_COMPACT_RESULTS_H
#define RUNNER_COMPACT_RESULTS_H

#include "commands/compact/request.h"
#include "output/output.h"

/* The counts of all data, or of one chunk. */
typedef struct compact_counts {
    uint64_t kept;
    uint64_t rejected;
} compact_counts;

typedef struct compact_results {
    output outs[COMPACT_OUTPUTS];
    compact_counts counts; /* of all chunks stored so far */
} compact_results;

/* ---- print.c ---- */

void compact_print_json(const task *t, const compact_request *r, const compact_results *results);
void compact_print_text(const task *t, const compact_request *r, const compact_results *results);

/* ---- verify.c ---- */

/* Compares the outputs and the counts with what the scalar reference makes of the input, which is
 * read again. */
int compact_verify(const compact_request *r, const compact_results *results, bool *differs);

#endif
