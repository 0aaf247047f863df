/* SPDX-License-Identifier: MIT */
/*
 * The operations of the library, in small requests, as one table. The tests of the library as a
 * whole iterate over it: recordings that are submitted again, pairs of operations under the
 * validation layer, failing Vulkan calls, lost devices, threads and minimum-spec devices. So a new
 * operation needs a row, a function that collects it and one that checks its outputs, and no change
 * of these tests.
 */
#ifndef VKR_TESTS_OPERATIONS_H
#define VKR_TESTS_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <volk.h>
#include "vkreduce/vkreduce.h"

#define OPERATION_SLOTS 8u             /* outputs of an operation */
#define OPERATION_OTHERS (1536u << 10) /* bytes of `others` */
#define OPERATION_MOST 100000u         /* elements */

/* Where other inputs than the elements lie: offsets in bytes in `others`. */
#define OPERATION_OFFSETS_AT 0u
#define OPERATION_FLAGS_AT (64u << 10)
#define OPERATION_COUNT_AT (192u << 10)
#define OPERATION_INITIAL_AT (193u << 10)
#define OPERATION_LABELS_AT (256u << 10)
#define OPERATION_KEYS_AT (704u << 10) /* in ascending order */

/* Limits that contexts need for commands of mesh tasks, which compactions write. */
#define OPERATION_LIMITS                                                                           \
    .maxTaskWorkGroupCount = {65535, 65535, 1}, .maxTaskWorkGroupTotalCount = 1u << 22

/* What an operation is recorded with. */
typedef struct operation_run {
    VkrContext context;
    VkrRecorder recorder;
    VkrModule module; /* of operation_code; NULL: rows with functions cannot run */
    VkrType type;     /* of the elements */
    uint32_t count;   /* elements: 1 to OPERATION_MOST, below 16 or a multiple of 8 */
    VkDeviceSize
        slot;        /* distance in bytes between outputs; at least the elements' size, and 2 KiB */
    VkBuffer source; /* the elements */
    VkBuffer others;
    VkBuffer target; /* OPERATION_SLOTS slots */
} operation_run;

/* The host's view of the buffers. */
typedef struct operation_data {
    const uint32_t *source;
    const void *others;
    const void *target;
} operation_data;

struct operation_row;

typedef struct operation_kind {
    const char *call; /* the function of the library */
    VkrResult (*collect)(const operation_run *, const struct operation_row *);
    /* Returns what is wrong with the outputs, or NULL. */
    const char *(*check)(const operation_run *, const struct operation_row *,
                         const operation_data *);
} operation_kind;

typedef struct operation_row {
    const char *name;
    const operation_kind *kind;
    uint32_t algorithm; /* the operation's */
    VkrSegmentKind segments;
    uint32_t detail; /* a flag format, a predicate, or 1: many short segments; fewer by offsets */
    VkrDeterminism determinism;
    bool more;   /* with a count of the GPU, and other optional inputs and outputs */
    bool monoid; /* combines by functions */
    bool bytes;  /* reads bytes, which needs VKR_FEATURE_STORAGE_8BIT */
    bool first;  /* the first row of its operation: tests that are slow run only these */
} operation_row;

extern const operation_row operation_rows[];
extern const uint32_t operation_row_count;

/* SPIR-V with the functions of the rows that have any. */
extern const uint32_t operation_code[];
extern const size_t operation_code_size; /* bytes */

/* Whether the context of a run has what a row needs. */
bool operation_serves(const operation_run *run, const operation_row *row);

/* Writes the elements, which are u32, and everything else that operations read. */
void operation_fill(const operation_run *run, uint32_t seed, uint32_t *source, void *others);

/* Infos that need the layout of their results. */
VkrReduceInfo operation_reduction(const operation_run *run, const operation_row *row,
                                  VkrMonoid *monoid, VkrHook *hook, VkrCountOutput *count);

/* Segments of a row: few long ones, or many short ones. */
VkrSegments operation_segments(const operation_run *run, const operation_row *row);

#define OPERATION_BINS 64u
#define OPERATION_TOP 9u
#define OPERATION_RANKS 3u
#define OPERATION_KEY_BINS 32u /* bins of a counting sort: some elements are in none */
extern const uint32_t operation_ranks[OPERATION_RANKS];

#endif
