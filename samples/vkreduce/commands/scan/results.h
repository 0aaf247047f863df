/* SPDX-License-Identifier: MIT */
/* What a scan gives, how it is printed, and how it is compared with the scalar reference. */
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

/* Compares the output and the total with the input, which is read once more. */
int scan_verify(const scan_request *r, const scan_results *results, bool *differs);

#endif
