/* SPDX-License-Identifier: MIT */
/* What requests of compactions have of their own, those of compact.c and of streams.c. */
#ifndef VKR_TESTS_COMPACT_REQUEST_H
#define VKR_TESTS_COMPACT_REQUEST_H

#include "engine.h"
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
    TEST_UNIQUE_VALUES, /* of floats, by value */
    TEST_CONTINUED,     /* unique, with an element before the first one */
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

#define COMPACT_PAYLOADS 7u
#define COMPACT_PAYLOAD_SETS 7u
#define COMPACT_COUNTS 4u

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
    uint32_t payloads; /* the number of a set */
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    VkrType append;    /* UNDEFINED: none */
    VkrType indices;
    limits_row limits;
    tuning_row tuning;
    uint64_t only;             /* not 0: the only count, whatever the size of its arrays */
    bool packed;               /* no array has gaps between its entries */
    bool runs;                 /* the kernel of runs of keys serves all requests with elements */
    const called_code *called; /* returns the flags, which are bits for the oracle; or NULL */
} compact_row;

typedef struct compact_request {
    compact_row row;
    /* Further choices that need another pipeline. */
    bool strided_input, strided_outputs, strided_payloads;
    bool texels;
    bool aligned; /* every array starts at an offset that suits the widest load */
    VkrCompactInfo info;
    VkrPayload payloads[COMPACT_PAYLOADS];
    VkrCountOutput counts[COMPACT_COUNTS];
    uint64_t most;       /* elements, as far as the host knows */
    uint32_t room;       /* how the sizes of kept outputs are drawn */
    uint64_t least_room; /* of a kept output */
    struct {
        VkDeviceSize step, size; /* of an entry; 0: it is no kept output */
    } entries[TEST_PORTS];
    VkrHook hook;
} compact_request;

/* Whether a predicate tests the flags, and not the elements. */
bool tests_flags(predicate_row predicate);

/* The kind that a predicate has in the interface. */
VkrPredicateKind kind_of_test(predicate_row predicate);

/* Whether an algorithm has VkrStreamOptions; such algorithms do not store rejected elements. */
bool is_stream(VkrCompactAlgorithm algorithm);

/* Sets the context of a row. */
void compact_context(test_request *t, const compact_row *row);

/* Draws and places a request of a row with this number of elements, or with fewer of them. */
void compact_make(test_request *t, const compact_row *row, uint64_t count);

/* The alignment of an array of units, and a stride of entries; 0: without gaps. */
VkDeviceSize compact_alignment(const compact_request *s, uint32_t unit);
VkDeviceSize compact_stride(test_request *t, bool strided, uint32_t unit, uint32_t entry);

/* ---- compact_outputs.c ---- */

void compact_place_outputs(test_request *t);

/* The total size of all arrays per element, in bytes. */
uint64_t compact_weigh(const compact_row *row, VkDeviceSize stride);

/* ---- compact_data.c ---- */

void compact_fill(test_request *t);

/* ---- compact_run.c ---- */

VkDeviceSize compact_count_size(VkrCountKind kind);
VkrResult compact_record(VkrRecorder recorder, const test_request *t);
bool compact_may_refuse(const test_request *t);
bool compact_must_refuse(const test_request *t);
void compact_expect(test_request *t);
void compact_print(const test_request *t);

/* ---- compact_known.c: with the algorithm and options of `how` ---- */

/* Compact a figure of a paper, and all short masks. */
void run_figure(VkrRecorder recorder, const VkrCompactInfo *how);
void run_masks(VkrRecorder recorder, const VkrCompactInfo *how);

void test_figure(void **state);
void test_masks(void **state);

/* ---- compact_chain.c ---- */

void test_chain(void **state);
void test_appended(void **state);

#endif
