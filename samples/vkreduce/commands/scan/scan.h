/* SPDX-License-Identifier: MIT */
/* The command scan: options.c has its options, scan.c its request, outputs and text; device.c
 * computes, prefix.c finds where the share of a rank starts, verify.c verifies. */
#ifndef RUNNER_SCAN_H
#define RUNNER_SCAN_H

#include "commands/grouping.h"
#include "commands/job.h"
#include "functions/functions.h"
#include "input/segments.h"
#include "input/value.h"
#include "output/output.h"

typedef struct scan_options {
    data_options data;
    const char *output;
    const char *operator_file;
    const char *segments;
    const char *axis;
    const char *by;
    const char *runs;
    bool by_value;
    const char *initial;
    const char *mask;
    uint32_t determinism;
    uint32_t nan;
    uint32_t accumulator;
    bool exclusive;
    bool reverse;
} scan_options;

extern const command scan_command;

/* The operators that have scans, in the order of --help. */
#define SCAN_OPS 7u
VkrOp scan_op(uint32_t index);

typedef struct scan_request {
    const scan_options *opts;
    input in;
    input mask;          /* one value for each element, if the option is given */
    functions functions; /* of --operator */
    VkrMonoid monoid;
    segments segments;
    VkrScanInfo info; /* the part that all chunks share */
    VkrType result;
    unsigned char initial[VKR_MAX_COMPONENTS * 8];
} scan_request;

#define MAX_TOTAL (4 * MAX_STATE) /* bytes */

typedef struct scan_results {
    output out;
    /* A value of the result type per component; or the state of an operator. */
    unsigned char total[MAX_TOTAL];
} scan_results;

static inline bool scan_has_operator(const scan_request *r)
{
    return r->opts->operator_file != NULL;
}

/* Whether results depend on the order in which elements are combined. */
static inline bool scan_adds_floats(const scan_request *r)
{
    return is_float(r->in.type) && (r->info.op == VKR_OP_SUM || r->info.op == VKR_OP_PRODUCT);
}

/* The size in bytes of an element's results. */
static inline uint64_t scan_result_size(const scan_request *r)
{
    return scan_has_operator(r) ? r->functions.results.count * sizeof(uint32_t)
                                : (uint64_t)vkrTypeSize(r->result) * r->in.components;
}

/* The size in bytes of the total. */
static inline uint64_t scan_total_size(const scan_request *r)
{
    return scan_has_operator(r) ? r->functions.state.count * sizeof(uint32_t) : scan_result_size(r);
}

/* The position in memory of the first of `count` elements that the scan reaches after `done`
 * others. */
static inline uint64_t scan_first(const scan_request *r, uint64_t done, uint64_t count)
{
    return (r->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? r->in.count - done - count : done;
}

/* Runs the command; `options` points to a scan_options. */
int scan_run(const operands *given, const void *options);

/* Scans the input into the output, which must be open, and finds the total. */
int scan_execute(job *j);

/* Makes the initial value that of this rank's share: elements counted in the order of the scan. */
int scan_find_prefix(job *j);

/* Compares the output and the total with what the scalar reference makes of the input, which is
 * read again. */
int scan_verify(job *j);

/* ---- left_out.c ---- */

/* Opens the file of --mask, for the elements of the input. */
int scan_open_mask(scan_request *r);

/* Loads a word for each element, which is 0 if the mask leaves it out. */
int scan_load_mask(const scan_request *r, uint64_t first, uint64_t count, uint32_t *words);

/* Puts the identity in place of what is left out, in elements that were loaded. */
int scan_leave_out(const scan_request *r, uint64_t first, uint64_t count, unsigned char *data);

/* ---- operator.c: the same for --operator ---- */

/* Checks that options are left out that an operator does not have. */
int scan_check_operator(const scan_options *opts);
void scan_print_operator_json(const scan_request *r, const scan_results *results);
void scan_print_operator_text(const scan_request *r, const scan_results *results);
int scan_finish_operator(const scan_request *r, scan_results *results);

/* Computes some of the results by reductions, and compares. */
int scan_verify_operator(job *j);

#endif
