/* SPDX-License-Identifier: MIT */
/* What a compaction gives, how it is printed, and how it is compared with the scalar reference. */
#ifndef RUNNER_COMPACT_RESULTS_H
#define RUNNER_COMPACT_RESULTS_H

#include "commands/compact/request.h"
#include "output/output.h"

/* The counts of the whole, or of a chunk. */
typedef struct compact_counts {
    uint64_t kept;
    uint64_t rejected;
} compact_counts;

typedef struct compact_results {
    output outs[COMPACT_OUTPUTS];
    compact_counts counts; /* of all chunks that are stored */
} compact_results;

/* ---- print.c ---- */

void compact_print_json(const task *t, const compact_request *r, const compact_results *results);
void compact_print_text(const task *t, const compact_request *r, const compact_results *results);

/* ---- verify.c ---- */

/* Compares the outputs and the counts with the input, which is read once more. */
int compact_verify(const compact_request *r, const compact_results *results, bool *differs);

#endif
