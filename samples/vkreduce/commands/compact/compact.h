/* SPDX-License-Identifier: MIT */
/* The parts of the command compact: predicate.c reads what to keep, compact.c runs it,
 * verify_compact.c compares. */
#ifndef RUNNER_COMPACT_H
#define RUNNER_COMPACT_H

#include "commands/compact/options.h"
#include "device/pipe.h"
#include "output/output.h"

/* What can be written, with an array of each in the device's memory. */
typedef enum compact_output {
    OUT_KEPT,
    OUT_INDICES,
    OUT_LENGTHS,
    OUT_REJECTED,
    OUT_REJECTED_INDICES,
    COMPACT_OUTPUTS
} compact_output;

/* The counts of the whole, or of a chunk. */
typedef struct compact_counts {
    uint64_t kept;
    uint64_t rejected;
} compact_counts;

typedef struct compact_job {
    const compact_options *opts;
    task task;
    input in, flags;
    output outs[COMPACT_OUTPUTS];
    VkrCompactInfo info; /* what all chunks have in common */
    VkrType index;
    uint64_t chunk; /* elements */
    gpu_buffer count;
    pipe pipe;
    uint64_t first, loaded; /* of the chunk that was loaded last */
    compact_counts counts;  /* of all chunks that are stored */
    uint64_t last_length;   /* of the last kept element, so far */
    bool stored;            /* the outputs are written */
} compact_job;

/* Whether an output is of rejected elements; the type and components of its entries. */
static inline bool is_rejected(compact_output k)
{
    return k == OUT_REJECTED || k == OUT_REJECTED_INDICES;
}

static inline bool is_values(compact_output k)
{
    return k == OUT_KEPT || k == OUT_REJECTED;
}

static inline VkrType entry_type(const compact_job *j, compact_output k)
{
    return is_values(k) ? j->in.type : j->index;
}

static inline uint64_t entry_size(const compact_job *j, compact_output k)
{
    return (uint64_t)vkrTypeSize(entry_type(j, k)) * (is_values(k) ? j->in.components : 1);
}

/* The number of entries from a position on for which an output has room. */
static inline uint64_t compact_room(const compact_job *j, compact_output k, uint64_t position,
                                    uint64_t entries)
{
    uint64_t capacity = !is_rejected(k) && j->opts->capacity != 0 ? j->opts->capacity : UINT64_MAX;
    uint64_t room = position < capacity ? capacity - position : 0;
    return entries < room ? entries : room;
}

/* A chunk of UNIQUE is compared with the element before it. */
static inline bool goes_on(const compact_job *j, uint64_t first)
{
    return first > 0 && j->info.predicate.kind == VKR_PREDICATE_UNIQUE;
}

/* ---- predicate.c ---- */

/* *flags becomes the name of a file with flags, or NULL. */
int predicate_parse(const char *text, const input *in, VkrPredicate *p, const char **flags);

/* ---- verify_compact.c ---- */

/* Compares the outputs and the counts with the input, which is read once more. */
int verify_compact(compact_job *j);

#endif
