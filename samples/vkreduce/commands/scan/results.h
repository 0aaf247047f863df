/* SPDX-License-Identifier: MIT */
/* The results of a scan, and functions that print and verify them. */
#ifndef RUNNER_SCAN_RESULTS_H
#define RUNNER_SCAN_RESULTS_H

#include "commands/scan/request.h"
#include "output/output.h"

typedef struct scan_results {
    output out;
    unsigned char total[VKR_MAX_COMPONENTS * 8]; /* a value of the result type per component */
} scan_results;

/* ---- print.c ---- */

void scan_print_json(const task *t, const scan_request *r, const scan_results *results);
void scan_print_text(const task *t, const scan_request *r, const scan_results *results);

/* ---- verify.c ---- */

/* Compares the output and the total with what the scalar reference makes of the input, which is
 * read again. */
int scan_verify(const scan_request *r, const scan_results *results, bool *differs);

#endif
