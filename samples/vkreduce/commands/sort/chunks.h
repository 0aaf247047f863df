/* SPDX-License-Identifier: MIT */
/*
 * A sort in chunks, for data that does not fit the device: each chunk is sorted on it, which gives
 * a run, and rounds of merges make one run of two until there is one. Between rounds all runs lie
 * in files. chunks.c has the chunks and the rounds, columns.c what lies in files.
 */
#ifndef RUNNER_SORT_CHUNKS_H
#define RUNNER_SORT_CHUNKS_H

#include "commands/sort/sort.h"
#include "device/pipe.h"
#include "oracle_sort.h"

#define MAX_COLUMNS (2 + MAX_TEXTS)
#define KEYS 0u /* the first column */

/* An array of the entries that keys, their indices, or a payload have. A round reads one of its two
 * files and writes the other one; the last round writes the first one, which is the output. */
typedef struct column {
    uint64_t size;        /* bytes of an entry */
    const payload *moved; /* NULL for keys and indices */
    output *wanted;       /* NULL: there is no output */
    output files[2];      /* temporary; the first one is not used where there is an output */
} column;

typedef struct chunks {
    task *task;
    const sort_request *request;
    sort_results *results;
    pipe pipe;
    uint64_t length; /* elements of a chunk */
    uint32_t rounds, round;
    uint32_t column_count;
    column columns[MAX_COLUMNS];
    uint64_t count_a, count_b; /* of a merge: the elements of the chunk that come from each run */
} chunks;

/* The order, also for the scalar reference. */
oracle_sort_info sort_order(const sort_request *r);

static inline bool is_index(const chunks *c, uint32_t k)
{
    return k != KEYS && c->columns[k].moved == NULL;
}

/* Lists the columns. */
int columns_list(chunks *c);

/* Creates the temporary files that so many rounds need. columns_close may follow a failure. */
int columns_open(chunks *c);
void columns_close(chunks *c);

/* The place of a column in a buffer that has entries of all columns for a chunk; and the bytes of
 * that buffer, if `k` is the number of columns. */
uint64_t column_offset(const chunks *c, uint32_t k);

/* Reads and writes entries of a column: what the current round reads, and what it writes. */
int column_read(const chunks *c, uint32_t k, uint64_t first, uint64_t count, void *data);
int column_write(const chunks *c, uint32_t k, uint64_t first, uint64_t count, const void *data);

#endif
