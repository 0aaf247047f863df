/* SPDX-License-Identifier: MIT */
/* Requests of counting sorts for tests, and their data. */
#ifndef VKR_TESTS_BIN_CASE_H
#define VKR_TESTS_BIN_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contexts.h"
#include "reduce_case.h"

#define BIN_PAYLOADS 3u
#define BIN_MOST 1000003u /* elements */

/* Outputs beside payloads. */
enum { BIN_COUNTS = 1, BIN_OFFSETS = 2, BIN_INDICES = 4 };

typedef enum bin_data {
    BIN_WITHIN, /* all keys in bins */
    BIN_MIXED,  /* some in none: next to the last bin, and anywhere */
    BIN_ONE,    /* all in the last bin */
    BIN_NONE,   /* none in a bin */
    BIN_FEW,    /* neighbouring bins, in descending order, and the end of the type */
    BIN_DATA_COUNT
} bin_data;

typedef struct bin_row {
    uint64_t seed;
    VkrType type;
    uint32_t bins;
    bin_data data;
    bool all;          /* the count is VKR_COUNT_ALL */
    VkrType gpu_count; /* UNDEFINED: none */
    uint32_t workgroup;
    limits_row limits;
    uint32_t outputs;
    uint32_t payload_count, payloads[BIN_PAYLOADS]; /* bytes of an entry */
    bool strided;
} bin_row;

/* The list of rows. */
void bin_rows_begin(row_list *list, const abilities *device);
bool bin_rows_next(row_list *list, bin_row *row);

void bin_describe(const bin_row *row);

/* Writes the keys of a request. */
void bin_fill(const bin_row *row, uint32_t count, uint64_t *random, void *keys, uint64_t stride);

#endif
