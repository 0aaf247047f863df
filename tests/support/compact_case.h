/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of vkrCmdCompact with the oracle. */
#ifndef VKR_TESTS_COMPACT_CASE_H
#define VKR_TESTS_COMPACT_CASE_H

#include "arena.h"
#include "reduce_case.h"
#include "oracle_compact.h"

/* How elements are tested: a kind of predicate, and other choices that need another pipeline. */
typedef enum predicate_row {
    TEST_NONZERO,
    TEST_COMPARE, /* with one constant */
    TEST_RANGE,   /* with two */
    TEST_FINITE,
    TEST_NAN,
    TEST_BITS,
    TEST_FLAGS_U32,
    TEST_FLAGS_U8,
    TEST_FLAGS_BITS,
    TEST_UNIQUE,
    TEST_CONTINUED, /* unique, with an element before the first one */
    TEST_COUNT
} predicate_row;

/* Bits of compact_row::outputs. */
enum {
    OUT_KEPT = 1,
    OUT_KEPT_INDICES = 2,
    OUT_LENGTHS = 4,
    OUT_REJECTED = 8,
    OUT_REJECTED_INDICES = 16,
    OUT_VALUES = OUT_KEPT | OUT_REJECTED
};

#define MAX_PAYLOADS 7
#define PAYLOAD_SETS 7

/* A module with the function `keep`, which called_keeps describes. */
typedef struct called_code {
    const uint32_t *words;
    size_t size;
} called_code;

/* The choices that determine which pipelines are compiled. Counts, offsets, strides, capacities and
 * data vary within a row. */
typedef struct compact_row {
    VkrType type;
    uint32_t components;
    predicate_row predicate;
    bool negate;
    bool gpu_constants;
    uint32_t outputs;
    uint32_t payloads; /* index of payload_sets */
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    VkrType append;    /* UNDEFINED: none */
    VkrType indices;
    limits_row limits;
    tuning_row tuning;
    uint64_t only;             /* not 0: the only count used, whatever the size of its arrays */
    bool packed;               /* no array has gaps between its entries */
    bool runs;                 /* the kernel of runs of keys serves all cases with elements */
    const called_code *called; /* returns the flags, which are bits for the oracle; or NULL */
} compact_row;

enum { COMPACT_INPUT, COMPACT_ARGUMENTS, COMPACT_OUTPUT, COMPACT_SCRATCH, COMPACT_BUFFERS };

typedef struct compact_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena buffers[COMPACT_BUFFERS];
    bool thin; /* each row has only small or only large counts, for fewer pipelines */
    uint64_t oracle_cases, mismatches, rows, refused;
} compact_test;

bool open_compact_test(compact_test *t);
void close_compact_test(compact_test *t);

/* The description of a device with these limits, for the oracle. */
oracle_device oracle_of(compact_test *t, limits_row limits, oracle_image images[COMPACT_BUFFERS]);

/* Whether an algorithm has VkrStreamOptions; such algorithms do not store rejected elements. */
bool is_stream(VkrCompactAlgorithm algorithm);

/* Whether a predicate tests the flags, and not the elements. */
bool tests_flags(predicate_row predicate);

/* ---- compact_case.c ---- */

#define COMPACT_BYTES (16u << 20) /* of each buffer */
#define MAX_COUNT_OUTPUTS 4

/* One operation of a recording. */
typedef struct compact_case {
    VkrCompactInfo info; /* the pointers are set when the case is recorded */
    VkrPayload payloads[MAX_PAYLOADS];
    VkrCountOutput counts[MAX_COUNT_OUTPUTS];
    uint64_t most;  /* the host's count */
    uint64_t count; /* of this submission, like the next members */
    uint64_t append;
    oracle_counts expected;
} compact_case;

/* An array that belongs to a case. */
typedef struct region {
    const char *name;
    uint32_t owner; /* the case */
    int buffer;
    VkDeviceSize begin, size;
} region;

#define MAX_REGIONS (MAX_CASES * 28)

/* Further choices that need another pipeline; all cases of a row share them. */
typedef struct row_choices {
    uint32_t component;
    VkrCompare compare, compare2;
    bool strided_input, strided_outputs, strided_payloads;
    bool texels;
    bool aligned;   /* every array starts at an offset that suits the widest load */
    bool few, many; /* only small counts, or only large ones */
} row_choices;

typedef struct row_run {
    compact_test *t;
    const compact_row *row;
    row_choices chosen;
    compact_case cases[MAX_CASES];
    uint32_t case_count;
    region regions[MAX_REGIONS];
    uint32_t region_count;
    VkrRecorder recorder;
    VkrBufferRange scratch;
    oracle_image images[COMPACT_BUFFERS + 2];
    oracle_device device;
    VkrModule module; /* of the function that returns the flags */
    uint64_t mismatches;
    char text[400];
} row_run;

/* Returns true with probability 1 / one_in. */
bool flip(row_run *r, uint32_t one_in);

/* Reserves room for `size` bytes at a random multiple of `alignment`, guarded on both sides. */
VkDeviceSize place(row_run *r, const char *name, int buffer, VkDeviceSize alignment,
                   VkDeviceSize size);

void add_cases(row_run *r);

/* ---- compact_counts.c ---- */

/* Places the outputs of counts, often side by side. One of them often overwrites a count that is
 * read. */
void place_counts(row_run *r, compact_case *c);

/* ---- compact_run.c ---- */

/* Records many counts, offsets and strides of one row, submits them `submits` times with new data
 * each, and compares every byte of every buffer. */
void run_compact_row(compact_test *t, const compact_row *row, uint32_t submits);

/* Ends a recording of a recorder with these limits, and records it into h.cmd. */
void end_compact(compact_test *t, VkrRecorder recorder, limits_row limits, VkrBufferRange scratch);

/* ---- compact_known.c, compact_chain.c: tests of a compact_test ---- */

/* Compact a figure of a paper, and all short masks, with the algorithm and options of `how`. */
void run_figure(compact_test *t, VkrRecorder recorder, const VkrCompactInfo *how);
void run_masks(compact_test *t, VkrRecorder recorder, const VkrCompactInfo *how);

void test_figure(void **state);
void test_masks(void **state);
void test_chain(void **state);
void test_appended(void **state);

/* Begins, records and ends these compactions, submits them, and resets the recorder. */
void run_compactions(compact_test *t, VkrRecorder recorder, const VkrCompactInfo *infos,
                     uint32_t count);

#endif
