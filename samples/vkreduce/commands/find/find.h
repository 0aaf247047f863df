/* SPDX-License-Identifier: MIT */
/* The command find: options.c has its options, find.c its request and text; device.c searches,
 * verify.c verifies. */
#ifndef RUNNER_FIND_H
#define RUNNER_FIND_H

#include "commands/job.h"

typedef struct find_options {
    data_options data;
    bool by_value;
} find_options;

extern const command find_command;

typedef struct find_request {
    const find_options *opts;
    input in, flags;
    VkrPredicate predicate;
} find_request;

#define NOT_FOUND UINT64_MAX

typedef struct find_results {
    uint64_t index; /* of the first element that passes, or NOT_FOUND */
} find_results;

/* Whether a chunk starts with the last element of the one before, with which UNIQUE compares its
 * own first element. */
static inline bool find_overlaps(const find_request *r, uint64_t first)
{
    return first > 0 && r->predicate.kind == VKR_PREDICATE_UNIQUE;
}

/* Runs the command; `options` points to a find_options. */
int find_run(const operands *given, const void *options);

/* Finds the first element that passes. */
int find_execute(job *j);

/* Compares it with that of the scalar reference, which reads the input again. */
int find_verify(job *j);

#endif
