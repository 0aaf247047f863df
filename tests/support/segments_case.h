/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of reductions of segments with the oracle. */
#ifndef VKR_TESTS_SEGMENTS_CASE_H
#define VKR_TESTS_SEGMENTS_CASE_H

#include "reduce_case.h"

/* The choices that mostly determine which pipelines are compiled. Lengths and numbers of segments
 * vary within a row. */
typedef struct segment_row {
    VkrType type;
    VkrOpFlags ops;
    VkrSegmentKind kind;
    VkrReduceAlgorithm algorithm;
    uint32_t components;
    VkrType accumulator;
    VkrNan nan;
    bool sample; /* VKR_REDUCE_SAMPLE_BIT */
    VkrDeterminism determinism;
    limits_row limits;
    VkrType gpu_count; /* UNDEFINED: the host's; of elements and, by offsets, of segments */
    VkrType offset_type;
    tuning_row tuning;
    /* 0: random. A request with a given size must succeed. */
    uint64_t length, capacity;
    bool packed; /* inputs have no gaps and are aligned for whole loads; otherwise random */
} segment_row;

enum { SEGMENTS_INPUT, SEGMENTS_INPUT2, SEGMENTS_COUNTS, SEGMENTS_OUTPUT, SEGMENTS_BUFFERS };

typedef struct segment_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena buffers[SEGMENTS_BUFFERS];
    bool thin; /* each row has two lengths and one way of loading, for fewer pipelines */
    uint64_t oracle_cases, mismatches, unproven, rows, refused, served;
    uint64_t mismatches_before; /* count before this row */
} segment_test;

/* Records reductions with several numbers and lengths of segments, submits them `submits` times,
 * each time with new data, and compares every value and every byte around the outputs. */
void run_segment_row(segment_test *t, const segment_row *row, uint32_t cases, uint32_t submits);

/* ---- Given sizes (segments_shapes.c) ---- */

typedef enum segment_shapes {
    SHAPES_LARGE,      /* need several dispatches */
    SHAPES_COLUMNS,    /* columns of which one invocation reduces several */
    SHAPES_NEIGHBOURS, /* the same of other segments */
    SHAPES_TREES,      /* windows at level device */
    SHAPES_KINDS
} segment_shapes;

/* The index of the first size of a kind, or the number of all for SHAPES_KINDS. */
uint32_t segments_first_shape(segment_shapes kind);

/* Runs one of the sizes, if the device supports its type and limits. */
void segments_run_shape(segment_test *t, uint32_t i);

#endif
