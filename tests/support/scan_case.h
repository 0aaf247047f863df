/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of vkrCmdScan with the oracle. */
#ifndef VKR_TESTS_SCAN_CASE_H
#define VKR_TESTS_SCAN_CASE_H

#include "reduce_case.h"
#include "oracle_scan.h"

/* How the start of each segment is given. */
typedef enum segments_row {
    SEGMENTS_NONE,
    SEGMENTS_U32,
    SEGMENTS_U8,
    SEGMENTS_BITS,
    SEGMENTS_ROWS,
    SEGMENTS_OFFSETS,
    SEGMENTS_OFFSETS64,
    SEGMENTS_COUNT
} segments_row;

typedef enum initial_row { INITIAL_NONE, INITIAL_HOST, INITIAL_GPU, INITIAL_COUNT } initial_row;

/* The choices that determine which pipelines are compiled. Counts, offsets, strides and data vary
 * within a row. */
typedef struct scan_row {
    VkrType type;
    VkrOp op;
    uint32_t flags;
    uint32_t components;
    VkrType accumulator;
    VkrNan nan;
    VkrDeterminism determinism;
    VkrScanAlgorithm algorithm;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    limits_row limits;
    segments_row segments;
    initial_row initial;
    bool in_place;
    tuning_row tuning;
} scan_row;

/* Whether the operator's float results depend on the order of evaluation. */
bool is_ordered(const scan_row *row);

/* A scan of the recording, which has at most `MAX_CASES`. */
typedef struct scan_case {
    uint64_t capacity; /* the host's count */
    uint64_t count;    /* of this submission */
    bool all;          /* the host's count is given as VKR_COUNT_ALL */
    bool writes_total;
    VkrView input, output;
    VkDeviceSize count_at, initial_at, total_at, heads_at;
    VkDeviceSize heads_size;
    uint64_t row_length;
    unsigned char initial[VKR_MAX_COMPONENTS * 8]; /* of this submission */
} scan_case;

enum {
    SCAN_INPUT,
    SCAN_OUTPUT,
    SCAN_COUNTS,
    SCAN_INITIAL,
    SCAN_TOTAL,
    SCAN_HEADS,
    SCAN_SCRATCH,
    SCAN_BUFFERS
};

typedef struct scan_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena buffers[SCAN_BUFFERS];
    oracle_value *values; /* of one component */
    bool thin;            /* each row has only small or only large counts, for fewer pipelines */
    /* A case is one component of one scan, or of its total. */
    uint64_t oracle_cases, values_compared, mismatches, unproven, rows, refused;
    uint64_t mismatches_before; /* count before this row */
} scan_test;

bool open_scan_test(scan_test *t);
void close_scan_test(scan_test *t);

/* Records scans with many counts, offsets and strides, submits them `submits` times, each time with
 * new data, and compares every value and every byte around the outputs. */
void run_scan_row(scan_test *t, const scan_row *row, uint32_t submits);

/* Records scans, each of which sees the results of those before it, and submits them once. */
void run_scans(scan_test *t, limits_row limits, const tuning_row *tuning, const VkrScanInfo *infos,
               uint32_t count);

#endif
