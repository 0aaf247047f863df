/* SPDX-License-Identifier: MIT */
/* The command compact: options.c has its options, predicate.c parses PREDICATE, compact.c has the
 * request, outputs and text; device.c computes, verify.c verifies. */
#ifndef RUNNER_COMPACT_H
#define RUNNER_COMPACT_H

#include "commands/job.h"
#include "functions/functions.h"
#include "output/output.h"

typedef struct compact_options {
    data_options data;
    const char *output;
    const char *indices;
    const char *rejected;
    const char *rejected_indices;
    const char *run_lengths;
    const char *predicate;
    bool by_value;
    uint64_t capacity; /* elements; 0: not given */
    uint64_t block;    /* elements; 0: not given */
    uint32_t block_scan;
    uint32_t search;
    uint32_t concatenation;
} compact_options;

extern const command compact_command;

/* PREDICATE. */
extern const topic predicate_topic;

/* The possible outputs; each is an array in device memory. */
typedef enum compact_output {
    OUT_KEPT,
    OUT_INDICES,
    OUT_LENGTHS,
    OUT_REJECTED,
    OUT_REJECTED_INDICES,
    COMPACT_OUTPUTS
} compact_output;

typedef struct compact_request {
    const compact_options *opts;
    input in, flags;
    functions functions; /* of --predicate */
    VkrCompactInfo info; /* the part that all chunks share */
    VkrType index;
} compact_request;

/* The counts of all data, or of one chunk. */
typedef struct compact_counts {
    uint64_t kept;
    uint64_t rejected;
} compact_counts;

typedef struct compact_results {
    output outs[COMPACT_OUTPUTS];
    compact_counts counts; /* of all chunks stored so far */
    unsigned char *flags;  /* owned; what a function returned for each element, for --verify */
} compact_results;

/* Whether an output holds rejected elements; the type and the components of its entries. */
static inline bool is_rejected(compact_output k)
{
    return k == OUT_REJECTED || k == OUT_REJECTED_INDICES;
}

static inline bool is_values(compact_output k)
{
    return k == OUT_KEPT || k == OUT_REJECTED;
}

static inline VkrType entry_type(const compact_request *r, compact_output k)
{
    return is_values(k) ? r->in.type : r->index;
}

static inline uint32_t entry_components(const compact_request *r, compact_output k)
{
    return is_values(k) ? r->in.components : 1;
}

static inline uint64_t entry_size(const compact_request *r, compact_output k)
{
    return (uint64_t)vkrTypeSize(entry_type(r, k)) * entry_components(r, k);
}

/* How many of `entries` entries, starting at a position, fit an output. */
static inline uint64_t compact_room(const compact_request *r, compact_output k, uint64_t position,
                                    uint64_t entries)
{
    uint64_t capacity = !is_rejected(k) && r->opts->capacity != 0 ? r->opts->capacity : UINT64_MAX;
    return least(entries, position < capacity ? capacity - position : 0);
}

/* The number of entries of an output, given the counts. */
static inline uint64_t entry_count(const compact_counts *counts, compact_output k)
{
    return is_rejected(k) ? counts->rejected : counts->kept;
}

/* Whether a chunk continues the one before: UNIQUE compares its first element with the last one
 * of that chunk. */
static inline bool goes_on(const compact_request *r, uint64_t first)
{
    return first > 0 && r->info.predicate.kind == VKR_PREDICATE_UNIQUE;
}

/* Runs the command; `options` points to a compact_options. */
int compact_run(const operands *given, const void *options);

/* The words that are a PREDICATE. */
#define PREDICATE_WORDS 4u
const char *predicate_word(uint32_t index);

/* *flags becomes the name of a file with flags, or NULL. */
/* Lets unique compare floats by value; other predicates refuse --by-value. */
int predicate_by_value(VkrPredicate *p);
int predicate_parse(const char *text, const input *in, VkrPredicate *p, const char **flags);

/* Compacts the input into the outputs that are open, and counts the entries. */
int compact_execute(job *j);

/* Compares the outputs and the counts with what the scalar reference makes of the input, which is
 * read again. */
int compact_verify(job *j);

#endif
