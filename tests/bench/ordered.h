/* SPDX-License-Identifier: MIT */
/* --ordered: sorts, merges, selections, searches, expansions, and reductions and scans by key.
 * ordered_cases.c lists them and lays out their outputs, ordered.c has their data,
 * ordered_collect.c hands them to the library, verify_ordered.c, verify_by_key.c and
 * verify_ranks.c verify them. */
#ifndef BENCH_ORDERED_H
#define BENCH_ORDERED_H

#include <stdio.h>
#include "state.h"

/* The number of values that are searched for. */
#define NEEDLES (UINT64_C(1) << 20)
/* The first element that is at least this is searched for. */
#define ORDERED_WANTED 0xc0000000u

typedef enum ordered_work {
    ORDERED_SORT,
    ORDERED_TOP_K,
    ORDERED_SCAN, /* plain, or by key if the case has keys */
    ORDERED_RUN_LENGTHS,
    ORDERED_REDUCE, /* by key */
    ORDERED_BOUNDS,
    ORDERED_FIND,
    ORDERED_SELECT, /* of shares */
    ORDERED_EXPAND,
    ORDERED_MERGE /* four fifths of the elements with a fifth */
} ordered_work;

/* What arms read. */
typedef enum ordered_data {
    ORDERED_NOTHING,
    ORDERED_FLOATS, /* the benchmark's f32, and their bits */
    ORDERED_WORDS,  /* random bits: 8 bytes for each element */
    ORDERED_ASCENDING,
    ORDERED_EQUAL,
    ORDERED_TWO, /* two values in random order */
    /* Ascending u32 in runs of this average length: */
    ORDERED_RUNS_1,
    ORDERED_RUNS_4,
    ORDERED_RUNS_1000,
    /* Numbers of outputs: random ones up to this one, or this one for some sources. */
    ORDERED_COUNTS_2,
    ORDERED_COUNTS_7,
    ORDERED_COUNTS_1024,
    ORDERED_COUNTING, /* word i is i */
    ORDERED_DATA
} ordered_data;

typedef struct ordered_case {
    const char *op;
    ordered_work work;
    VkrType type;      /* of the elements of `data` */
    ordered_data data; /* what is sorted, selected from, scanned, reduced or searched */
    uint32_t row;      /* elements of a segment; 0: there is one segment */
    /* Sorts: */
    uint32_t algorithms; /* bits 1 << VkrSortAlgorithm; all others have bit 0 only */
    bool sorted;         /* the keys are an output */
    bool descending;
    bool in_place;
    uint32_t end_bit; /* 0: all bits are compared */
    uint32_t payload; /* bytes of an entry; 0: none */
    bool indices;     /* of sorts and selections; ranks of expansions */
    uint32_t k;       /* of selections: entries of a segment */
    uint32_t most;    /* of expansions: outputs that are stored, for each source */
    ordered_data keys;
    VkrOpFlags ops;
    ordered_data needles; /* of searches; of merges the second sequence */
    const char *against;  /* the op that `ratio` compares with; NULL: none */
} ordered_case;

extern const ordered_case ordered_cases[];
extern const uint32_t ordered_case_count;

static inline const ordered_case *ordered_case_of(const arm *a)
{
    return &ordered_cases[a->ordered.of];
}

/* Outputs of an arm, which lie one after the other in `copy`. */
typedef enum ordered_part {
    PART_FIRST,  /* sorted keys, values, sums of a scan, keys of runs, bounds, an index, sources */
    PART_SECOND, /* indices, payload, results of a reduction, lengths of runs, or ranks */
    PART_COUNT,  /* the number of runs or outputs */
    ORDERED_PARTS
} ordered_part;

/* The bytes of an output; 0: the arm lacks it. */
VkDeviceSize ordered_part_size(const arm *a, uint64_t n, ordered_part part);

/* Where an output starts in `copy`; of ORDERED_PARTS, where all of them end. */
VkDeviceSize ordered_part_start(const arm *a, uint64_t n, ordered_part part);

/* The i-th share of a selection by shares, which ascend. */
double ordered_share(const ordered_case *of, uint32_t i);

/* The bytes that an arm reads from its inputs at least once. */
uint64_t ordered_bytes_read(const arm *a, uint64_t n);

/* The number of segments, the last of which may be shorter. */
static inline uint64_t ordered_rows(const ordered_case *of, uint64_t n)
{
    return of->row == 0 ? 1 : (n + of->row - 1) / of->row;
}

typedef struct ordered_set {
    VkrHostMemory buffer;
    void *host;
    uint64_t size; /* bytes */
} ordered_set;

struct ordered {
    uint64_t max; /* elements */
    ordered_set sets[ORDERED_DATA];
    uint64_t starts[MAX_SIZES + 1]; /* ORDERED_ASCENDING: the first element of each size, and of
                                     * the values that are searched for */
};

/* ---- ordered_arms.c ---- */

/* Measures these operations instead of all other arms. */
int ordered_measure(bench *b, FILE *json);

/* ---- ordered_collect.c ---- */

VkrResult ordered_collect(const bench *b, const arm *a, uint64_t n);

/* ---- ordered.c ---- */

/* ordered_close may follow a failure. The arms must exist. */
int ordered_create(bench *b);
void ordered_close(bench *b);

/* Where the data of an arm of size `size` start, in bytes. ORDERED_ASCENDING has its own elements
 * for each size; size MAX_SIZES is that of the values that are searched for. */
uint64_t ordered_start(const bench *b, ordered_data data, uint32_t size);

/* ---- verify_ordered.c ---- */

/* Compares the outputs of an arm, which are in `copied`. */
void ordered_verify(const bench *b, row *r);

/* The state of a comparison. */
typedef struct ordered_check {
    const bench *bench;
    const row *row;
    const ordered_case *of;
    uint64_t n;
    const unsigned char *data, *parts[ORDERED_PARTS];
} ordered_check;

/* Reports that entry i of an output is wrong; returns false. */
bool ordered_differs(const ordered_check *c, const char *what, uint64_t i, double found,
                     double expected);

/* Element i of a size, as bits. */
uint64_t ordered_load(const void *bytes, uint32_t size, uint64_t i);

/* A number that is smaller for elements that come first. There is no NaN. */
uint64_t ordered_rank(const ordered_case *of, uint64_t bits);

/* Where the segment that starts with an element ends. */
uint64_t ordered_row_end(const ordered_check *c, uint64_t start);

/* ---- verify_ranks.c ---- */

bool ordered_verify_select(const ordered_check *c);
bool ordered_verify_merge(const ordered_check *c);
bool ordered_verify_expansion(const ordered_check *c);

/* ---- verify_by_key.c ---- */

bool ordered_verify_scan(const ordered_check *c);
bool ordered_verify_runs(const ordered_check *c);

#endif
