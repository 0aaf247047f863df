/* SPDX-License-Identifier: MIT */
/* State of one row of reductions while it runs. */
#ifndef VKR_TESTS_REDUCE_RUN_H
#define VKR_TESTS_REDUCE_RUN_H

#include "reduce_case.h"

#define BUFFER_BYTES (8u << 20)
#define SHOWN 3 /* maximum number of mismatches of a row that are printed */

typedef struct row_run {
    reduce_test *t;
    const reduce_row *row;
    VkrReduceLayout layout;
    reduce_case cases[MAX_CASES];
    uint32_t case_count;
    VkrRecorder recorder;
    bool meets_packs; /* all cases load packs, so that they share a pipeline */
    VkrBufferRange scratch;
    char text[320];
} row_run;

void reduce_describe_row(const reduce_row *row, char *text, size_t size);
void reduce_add_cases(row_run *r);
uint32_t reduce_afford(row_run *r, uint32_t submits);
VkrReduceInfo reduce_case_info(const row_run *r, const reduce_case *c);
void reduce_check_layout(row_run *r);

#endif
