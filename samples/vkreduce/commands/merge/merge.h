/* SPDX-License-Identifier: MIT */
/* The command merge: options.c has its options, merge.c its request, outputs and text; order.c
 * checks that both sequences are in order, device.c merges, verify.c verifies. */
#ifndef RUNNER_MERGE_H
#define RUNNER_MERGE_H

#include "commands/job.h"
#include "commands/payload.h"
#include "output/output.h"

struct oracle_sort_info; /* oracle_sort.h */

typedef struct merge_options {
    data_options data;
    const char *output;
    const char *indices;
    text_list payloads;
    bool descending;
    bool nan_first;
    bool by_value;
} merge_options;

extern const command merge_command;

typedef enum merge_output { MERGE_KEYS, MERGE_INDICES, MERGE_OUTPUTS } merge_output;

enum { MERGE_A, MERGE_B, MERGE_INPUTS };

typedef struct merge_request {
    const merge_options *opts;
    input in[MERGE_INPUTS];
    uint64_t count; /* of both */
} merge_request;

typedef struct merge_results {
    output outs[MERGE_OUTPUTS];
    payloads payloads;
} merge_results;

/* Runs the command; `options` points to a merge_options. */
int merge_run(const operands *given, const void *options);

/* The type of an output's entries. */
VkrType merge_entry_type(const merge_request *r, merge_output k);

/* The order of one of the inputs, for the scalar reference. */
struct oracle_sort_info merge_order(const merge_request *r, uint32_t side);

/* Fails unless both inputs are in order. */
int merge_check_order(const merge_request *r);

/* Writes the outputs, which must be open. */
int merge_execute(job *j);

/* Compares them with what the scalar reference makes of the inputs, which are read again. */
int merge_verify(job *j);

#endif
