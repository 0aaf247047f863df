/* SPDX-License-Identifier: MIT */
/* Reductions and scans by key: rows, and the cases of a row. */
#ifndef VKR_TESTS_BY_KEY_H
#define VKR_TESTS_BY_KEY_H

#include "reduce_case.h"

#include "oracle_scan.h"

#define MAX_KEY_CASES 12u
#define MAX_RUN_COUNTS 5u

typedef struct key_row {
    bool scan;
    VkrType key_type;
    uint32_t key_components;
    bool shared; /* the keys are the input */
    VkrType type;
    uint32_t components;
    VkrOpFlags ops; /* of a reduction; a scan has the lowest one */
    uint32_t flags; /* VkrScanFlagBits */
    VkrDeterminism determinism;
    VkrType gpu_count; /* UNDEFINED: the host's */
    limits_row limits;
    uint32_t outputs; /* 0: only results; else what is written about runs */
    VkrType length_type;
    tuning_row tuning;
    bool words; /* elements and keys are words in packs, so that one kernel serves the row */
    bool over;  /* except that a scan overwrites the keys */
} key_row;

typedef struct key_case {
    uint64_t capacity, count; /* the host's count, and that of this submission */
    uint64_t room;            /* VkrRuns::capacity */
    uint64_t runs;            /* of this submission */
    VkrView input, keys, output, unique, lengths;
    VkDeviceSize count_at, results_at, counts_at;
    VkrReduceLayout layout;
    VkrCountOutput counts[MAX_RUN_COUNTS];
    uint32_t number_of_counts;
} key_case;

enum {
    KEYS_INPUT,
    KEYS_KEYS,
    KEYS_COUNTS,
    KEYS_RESULTS,
    KEYS_UNIQUE,
    KEYS_LENGTHS,
    KEYS_WRITTEN, /* counts */
    KEYS_BUFFERS
};

typedef struct key_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena buffers[KEYS_BUFFERS];
    uint64_t oracle_cases, mismatches, unproven, refused, served;
} key_test;

/* Runs cases of a row, and compares everything that they write. */
void run_key_row(key_test *t, const key_row *row, uint32_t submits);

/* Runs one case of `count` elements, whose runs have `length` elements, or any number if that is
 * 0. */
void run_key_length(key_test *t, const key_row *row, uint64_t count, uint64_t length);

#endif
