/* SPDX-License-Identifier: MIT */
/* Requests of sorts for tests, and their data. */
#ifndef VKR_TESTS_SORT_CASE_H
#define VKR_TESTS_SORT_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reduce_case.h"

#define SORT_PAYLOADS 3u
#define SORT_OFFSETS 40u
#define SORT_MOST 200000u /* elements */

typedef enum sort_data {
    SORT_RANDOM,
    SORT_SORTED,
    SORT_REVERSED,
    SORT_EQUAL,
    SORT_TWO,     /* two values */
    SORT_ONE_BIT, /* all bits but one are the same */
    SORT_LOW,     /* only low bits differ */
    SORT_HIGH,    /* only high bits differ */
    SORT_SPECIAL, /* NaN with different payloads, infinities, zeros */
    SORT_DATA_COUNT
} sort_data;

typedef struct sort_row {
    uint64_t seed;
    VkrType type;
    uint64_t count;
    sort_data data;
    bool mapped; /* the keys are what sort_map makes of the elements */
    bool descending, nan_first;
    uint32_t begin, end;
    uint64_t row;
    uint32_t offset_count;
    bool offsets64;
    uint64_t offsets[SORT_OFFSETS];
    bool gpu_count, gpu_count64;
    uint64_t gpu_value;
    VkrSortAlgorithm algorithm;
    uint32_t workgroup;
    limits_row limits;
    uint32_t key_stride, sorted_stride, index_stride; /* in elements */
    bool keys, in_place, indices;
    uint32_t payload_count, payloads[SORT_PAYLOADS]; /* bytes of an entry */
    uint32_t payload_gap;                            /* units between entries */
    bool payload_in_place;
} sort_row;

extern const VkrMap sort_map;

/* The list of requests: rows of choices that together have every pair of them. */
void sort_rows_begin(row_list *list, const abilities *device, test_contexts *contexts);
bool sort_rows_next(row_list *list, sort_row *row);

/* Leaves a request so few elements that devices of small limits must run it. */
void sort_limit(sort_row *row);

/* A request that takes several descriptors for its keys, and is supported all the same. */
#define SORT_WINDOWS 10u
void sort_choose_windows(uint32_t i, sort_row *row);

/* A request of short rows, which a workgroup sorts together. */
#define SORT_SHORT 32u
void sort_choose_short(uint32_t i, sort_row *row);

/* Writes the keys of a request. */
void sort_fill(const sort_row *row, void *keys, uint64_t stride);

#endif
