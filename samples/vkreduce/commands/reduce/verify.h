/* SPDX-License-Identifier: MIT */
/* The code shared by both comparisons with the scalar reference. */
#ifndef RUNNER_REDUCE_VERIFY_H
#define RUNNER_REDUCE_VERIFY_H

#include "commands/reduce/reduce.h"
#include "oracle.h"

typedef struct reduce_verification {
    const reduce_request *request;
    const reduce_results *results;
    bool differs;
} reduce_verification;

/* The request for the reference, without the data and the count. */
oracle_reduce_info reduce_reference(const reduce_request *r);

/* Compares a result with the reference, and reports the first difference. */
void reduce_compare(reduce_verification *v, const oracle_value *value, uint64_t segment,
                    uint32_t bit, uint32_t component);

#endif
