/* SPDX-License-Identifier: MIT */
/* The command select: options.c has its options, ranks.c parses ranks and quantiles, select.c has
 * its request, outputs and text; device.c selects, verify.c verifies. */
#ifndef RUNNER_SELECT_H
#define RUNNER_SELECT_H

#include "commands/job.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct select_options {
    data_options data;
    const char *ranks;
    const char *quantiles;
    const char *output;
    const char *indices;
    const char *segments;
    const char *axis;
    bool descending;
    bool nan_first;
} select_options;

extern const command select_command;

/* The numbers of --ranks or --quantiles. */
typedef struct select_ranks {
    uint32_t count;
    bool are_shares;
    uint32_t ranks[VKR_MAX_SELECT_RANKS];
    double shares[VKR_MAX_SELECT_RANKS];
} select_ranks;

typedef struct select_request {
    const select_options *opts;
    input in;
    segments segments;
    uint64_t rows;    /* segments; 1 if none are asked for */
    uint64_t row;     /* elements of the longest one; of rows only the last may have fewer */
    uint64_t pitch;   /* elements from the start of one row to that of the next */
    uint64_t *starts; /* by offsets: where segments start, and where the last one ends */
    select_ranks ranks;
} select_request;

typedef struct select_results {
    unsigned char *values; /* of all ranks of a row, then of the next row */
    uint32_t *indices;
    output outs[2]; /* of these */
} select_results;

static inline uint64_t select_entries(const select_request *r)
{
    return r->rows * r->ranks.count;
}

/* The element with which a row starts, the number of its elements, and the rank among them that a
 * number stands for. */
static inline uint64_t select_first(const select_request *r, uint64_t row)
{
    return r->starts != NULL ? r->starts[row] : row * r->pitch;
}

static inline uint64_t select_length(const select_request *r, uint64_t row)
{
    const uint64_t first = select_first(r, row);
    return r->starts != NULL ? r->starts[row + 1] - first : least(r->row, r->in.count - first);
}

uint64_t select_rank(const select_ranks *ranks, uint32_t i, uint64_t length);

/* Parses what --ranks or --quantiles names, one of which must be given. */
int select_parse(const char *ranks, const char *quantiles, select_ranks *out);

/* Runs the command; `options` points to a select_options. */
int select_run(const operands *given, const void *options);

/* Finds the elements. */
int select_execute(job *j);

/* Compares the results with a scalar sort of the input, which is read again. */
int select_verify(job *j);

#endif
