/* SPDX-License-Identifier: MIT */
/* The parameters of a compaction. */
#ifndef RUNNER_COMPACT_REQUEST_H
#define RUNNER_COMPACT_REQUEST_H

#include "commands/compact/options.h"

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
    VkrCompactInfo info; /* the part that all chunks share */
    VkrType index;
} compact_request;

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

static inline uint64_t entry_size(const compact_request *r, compact_output k)
{
    return (uint64_t)vkrTypeSize(entry_type(r, k)) * (is_values(k) ? r->in.components : 1);
}

/* How many of `entries` entries, starting at a position, fit an output. */
static inline uint64_t compact_room(const compact_request *r, compact_output k, uint64_t position,
                                    uint64_t entries)
{
    uint64_t capacity = !is_rejected(k) && r->opts->capacity != 0 ? r->opts->capacity : UINT64_MAX;
    uint64_t room = position < capacity ? capacity - position : 0;
    return entries < room ? entries : room;
}

/* Whether a chunk continues the one before: UNIQUE compares its first element with the last one
 * there. */
static inline bool goes_on(const compact_request *r, uint64_t first)
{
    return first > 0 && r->info.predicate.kind == VKR_PREDICATE_UNIQUE;
}

/* Reads the input and the predicate. compact_request_close may follow a failure. */
int compact_request_open(compact_request *r, const operands *given, const compact_options *opts);
void compact_request_close(compact_request *r);

/* ---- predicate.c ---- */

/* *flags becomes the name of a file with flags, or NULL. */
int predicate_parse(const char *text, const input *in, VkrPredicate *p, const char **flags);

#endif
