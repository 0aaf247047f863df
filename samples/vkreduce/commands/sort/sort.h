/* SPDX-License-Identifier: MIT */
/* The command sort: options.c has its options, sort.c its request, outputs and text; device.c
 * sorts, chunks.c in chunks, verify.c verifies. */
#ifndef RUNNER_SORT_H
#define RUNNER_SORT_H

#include "commands/job.h"
#include "commands/payload.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct sort_options {
    data_options data;
    const char *output;
    const char *indices;
    const char *segments;
    const char *axis;
    const char *bits;
    text_list payloads;
    bool descending;
    bool nan_first;
    bool by_value;
} sort_options;

extern const command sort_command;

/* The possible outputs; each is an array in device memory. */
typedef enum sort_output { SORT_VALUES, SORT_INDICES, SORT_OUTPUTS } sort_output;

typedef struct sort_request {
    const sort_options *opts;
    input in;
    segments segments;
    VkrSortInfo info; /* without data, count and outputs */
} sort_request;

typedef struct sort_results {
    output outs[SORT_OUTPUTS];
    payloads payloads;
} sort_results;

static inline VkrType sort_entry_type(const sort_request *r, sort_output k)
{
    return k == SORT_VALUES ? r->in.type : VKR_TYPE_U32;
}

static inline uint64_t sort_entry_size(const sort_request *r, sort_output k)
{
    return vkrTypeSize(sort_entry_type(r, k));
}

/* Runs the command; `options` points to a sort_options. */
int sort_run(const operands *given, const void *options);

/* Parses LO:HI, bits of an integer type. */
int sort_parse_bits(const char *text, const input *in, VkrSortInfo *info);

/* Sorts the input into the outputs that are open. */
int sort_execute(job *j);

/* The same in chunks (chunks.h). */
int sort_in_chunks(job *j);

/* Compares the outputs with what the scalar reference makes of the input, which is read again. */
int sort_verify(job *j);

#endif
