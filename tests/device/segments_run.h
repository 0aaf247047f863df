/* SPDX-License-Identifier: MIT */
/* State of one row of segments while it runs. */
#ifndef VKR_TESTS_SEGMENTS_RUN_H
#define VKR_TESTS_SEGMENTS_RUN_H

#include "segments_case.h"

#define MAX_SEGMENT_CASES 24
#define CASE_ELEMENTS 12000u

typedef struct segment_case {
    uint64_t capacity; /* the host's count */
    uint64_t count;    /* of this submission */
    uint64_t segments; /* the host's count of segments */
    uint64_t written;  /* of this submission */
    uint64_t length;
    VkDeviceSize offset[2], stride[2], size[2];
    VkrTexels texels;
    VkDeviceSize count_at, segments_at, offsets_at, output;
    VkrReduceLayout layout;
} segment_case;

typedef struct row_run {
    segment_test *t;
    const segment_row *row;
    segment_case cases[MAX_SEGMENT_CASES];
    uint32_t case_count;
    /* In a thin row all cases have one of two lengths and load in the same way. */
    uint64_t lengths[2];
    bool packed, aligned;
    char text[320];
} row_run;

uint64_t segments_choose_length(uint64_t *random);
VkrReduceInfo segments_case_info(const row_run *r, const segment_case *c);
void segments_add_case(row_run *r);

#endif
