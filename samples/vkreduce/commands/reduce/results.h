/* SPDX-License-Identifier: MIT */
/* The results of a reduction, and functions that print and verify them. */
#ifndef RUNNER_REDUCE_RESULTS_H
#define RUNNER_REDUCE_RESULTS_H

#include "commands/reduce/request.h"
#include "device/buffer.h"

typedef struct reduce_results {
    VkrReduceLayout layout;
    gpu_buffer output;
    void *gathered;     /* owned; results collected from chunks */
    const char *values; /* in one of the two */
} reduce_results;

static inline const void *reduce_value(const reduce_results *r, uint64_t segment, uint32_t bit,
                                       uint32_t component)
{
    const VkrReduceResult *result = &r->layout.results[bit];
    return r->values + segment * r->layout.stride + result->offset +
           component * vkrTypeSize(result->type);
}

/* ---- print.c ---- */

void reduce_print_json(const task *t, const reduce_request *r, const reduce_results *results);
void reduce_print_text(const task *t, const reduce_request *r, const reduce_results *results);

/* ---- verify.c, verify_segments.c ---- */

/* Read the inputs again, since the copy on the device is not trusted, and compare the results; the
 * second does so segment by segment. */
int reduce_verify(const reduce_request *r, const reduce_results *results, bool *differs);
int reduce_verify_segments(const reduce_request *r, const reduce_results *results, bool *differs);

#endif
