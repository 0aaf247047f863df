/* SPDX-License-Identifier: MIT */
/* A selection on the device, compared with a scalar one. */
#ifndef VKR_TESTS_TOPK_CASE_H
#define VKR_TESTS_TOPK_CASE_H

#include "reduce_case.h"

enum { GIVES_VALUES = 1, GIVES_INDICES = 2, GIVES_PAYLOADS = 4, GIVES_FOUND = 8 };

/* The choices that determine which pipelines are compiled. */
typedef struct topk_row {
    VkrType type;
    limits_row limits;
    tuning_row tuning;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    uint32_t flags;    /* VkrTopKFlagBits */
    uint32_t outputs;
    uint32_t payload_size;
    distribution data;
    bool strided;
} topk_row;

/* One selection. */
typedef struct topk_size {
    uint32_t count;
    uint32_t length; /* of rows; 0: none */
    uint32_t k;
} topk_size;

enum { TOPK_INPUT, TOPK_SOURCE, TOPK_COUNT, TOPK_OUTPUT, TOPK_ARENAS };

typedef struct topk_test {
    harness h;
    abilities device;
    test_contexts contexts;
    uint64_t random;
    arena arenas[TOPK_ARENAS];
    uint64_t cases, mismatches, shown;
} topk_test;

bool open_topk_test(topk_test *t);
void close_topk_test(topk_test *t);

/* Draws data, runs a selection, and compares every byte of the outputs and around them. */
void run_topk(topk_test *t, const topk_row *row, const topk_size *size);

#endif
