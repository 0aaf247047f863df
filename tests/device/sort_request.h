/* SPDX-License-Identifier: MIT */
/* What a request of sorts has of its own. */
#ifndef VKR_TESTS_SORT_REQUEST_H
#define VKR_TESTS_SORT_REQUEST_H

#include "engine.h"

#define SORT_PAYLOADS 3u
#define SORT_OFFSETS 40u

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

typedef struct sort_request {
    VkrType type;
    uint64_t count; /* as far as the host knows */
    sort_data data;
    bool mapped; /* the keys are what sort_map makes of the elements */
    bool keys, in_place, indices, payload_in_place;
    uint32_t gaps[3]; /* elements between those of keys, sorted keys and indices */
    uint32_t payload_count, sizes[SORT_PAYLOADS], payload_gap;
    VkrType gpu_count;
    uint64_t row;     /* elements; 0: there are no rows */
    uint64_t pitch;   /* elements from one row to the next */
    uint64_t columns; /* 0: none */
    uint32_t offset_count;
    uint64_t offsets[SORT_OFFSETS];
    VkrSortInfo info;
    VkrPayload payloads[SORT_PAYLOADS];
    VkrSortKey then[VKR_MAX_SORT_THEN];
} sort_request;

extern const VkrMap sort_map;

/* Places all that has been drawn. */
void sort_place(test_request *t);

/* ---- sort_fixed.c ---- */

#define SORT_SHORT 32u
#define SORT_KEYS 16u
#define SORT_WINDOWS 11u
#define SORT_APART 16u
#define SORT_COLUMNS 20u
bool sort_make_short(test_request *t, uint32_t number);
bool sort_make_keys(test_request *t, uint32_t number);
bool sort_make_windows(test_request *t, uint32_t number);
bool sort_make_apart(test_request *t, uint32_t number);
bool sort_make_columns(test_request *t, uint32_t number);

/* ---- sort_data.c ---- */

/* Draws and places the keys after the first ones. */
void sort_place_then(test_request *t);

void sort_fill(test_request *t);
void sort_expect(test_request *t);

#endif
