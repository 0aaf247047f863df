/* SPDX-License-Identifier: MIT */
/* State of one row of reductions or scans by key while it runs. */
#ifndef VKR_TESTS_BY_KEY_RUN_H
#define VKR_TESTS_BY_KEY_RUN_H

#include "by_key.h"

typedef struct key_run {
    key_test *t;
    const key_row *row;
    key_case cases[MAX_KEY_CASES];
    uint32_t case_count;
    uint64_t length; /* of each run; 0: drawn */
    uint32_t phase;  /* where packed words start in a pack */
    VkrType result;  /* of a scan */
    uint64_t shown;
} key_run;

/* Counts a mismatch, and prints the first few of a row. */
void report_key(key_run *r, const key_case *c, const char *what, uint64_t at);

VkrReduceInfo key_reduce_info(const key_run *r, const key_case *c);
VkrScanInfo key_scan_info(const key_run *r, const key_case *c);
void add_key_case(key_run *r, uint64_t count);

/* The number of runs for which a case has room. */
uint64_t stored_runs(const key_case *c);

/* An element of a view, in what its buffer must hold; and a key. */
unsigned char *at_element(const key_run *r, int buffer, const VkrView *view, uint64_t i);
const unsigned char *key_at(const key_run *r, const key_case *c, uint64_t i);
uint32_t key_size(const key_case *c);
bool starts_run(const key_run *r, const key_case *c, uint64_t i);

/* Draws new data for a case. */
void fill_key_case(key_run *r, key_case *c);

/* Compare all that a case wrote. */
void verify_key_reduction(key_run *r, const key_case *c);
void verify_key_scan(key_run *r, const key_case *c);

#endif
