/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of vkrCmdReduce with the oracle. */
#ifndef VKR_TESTS_REDUCE_CASE_H
#define VKR_TESTS_REDUCE_CASE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "arena.h"
#include "contexts.h"
#include "harness.h"
#include "oracle.h"

/* The number of algorithms that take no segments, and buffers. */
#define FLAT_ALGORITHMS VKR_REDUCE_LANES

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ---- reduce_data.c ---- */

/* splitmix64 (Steele, Lea, Flood 2014). */
uint64_t next_random(uint64_t *state);

/* A uniform random number below `bound`. */
uint32_t random_below(uint64_t *state, uint32_t bound);

typedef enum distribution {
    DATA_RANDOM,   /* moderate magnitudes; integers: all bits */
    DATA_INTEGRAL, /* small integers: float sums are exact in any order */
    DATA_UNIT,     /* mostly +-1 and few other values: products stay in range */
    DATA_CONSTANT,
    DATA_EXTREME,  /* a constant; integers: sums pass 64 bits, and those of squares 128 */
    DATA_OPPOSITE, /* great integers that nearly cancel */
    DATA_TIE,      /* integers whose mean lies between two floats, or a little beside that */
    DATA_ASCENDING,
    DATA_DESCENDING,
    DATA_ZEROS, /* both signs */
    DATA_EXTREMES,
    DATA_BITS, /* all bits, so NaN, infinities and subnormals too */
    DATA_NAN,
    DATA_SOME_NAN,
    DATA_INFINITE,
    DATA_SUBNORMAL,
    DATA_ONE_NAN,     /* close to an end */
    DATA_NAN_BUT_ONE, /* close to an end; the one is an extreme */
    DATA_COUNT,
    DATA_POISON = DATA_COUNT /* changes every result: for places that must not be read */
} distribution;

/* Writes `count` elements of `components` values, `stride` bytes apart. */
void fill_data(uint64_t *state, distribution data, VkrType type, uint32_t components, void *at,
               size_t stride, uint64_t count);

/* Writes poison right before the view, and from the last element that counts to behind the view. */
void surround(uint64_t *state, VkrType type, uint32_t components, void *at, size_t stride,
              uint64_t count, uint64_t capacity);

/* Writes a count for the GPU: sometimes more than the host's, sometimes past 32 bits. Returns it,
 * clamped to the host's. */
uint64_t choose_count(uint64_t *state, VkrType type, uint64_t capacity, void *at);

bool is_float(VkrType type);

/* The accumulator that is not the default one; VKR_TYPE_UNDEFINED where there is none. */
VkrType wide_accumulator(VkrType type);

/* The result type that vkreduce.h states, for counts below 2^32. */
VkrType expected_type(VkrType type, VkrType accumulator, VkrOp op);

/* ---- reduce_pairs.c ---- */

#define MAX_AXES 16
#define AXIS_VALUES 16

/* Whether a combination is valid on a device with these abilities. */
typedef bool (*pairs_valid)(const abilities *a, const uint32_t row[MAX_AXES]);

typedef struct pairs {
    uint32_t axes;
    uint32_t sizes[MAX_AXES];
    uint32_t urgent; /* pairs of axis 0 with the first values of axis 1 come first */
    pairs_valid valid;
    const abilities *able;
    uint64_t state;
    uint32_t covered, possible;
    unsigned char pair[MAX_AXES * AXIS_VALUES][MAX_AXES * AXIS_VALUES]; /* see reduce_pairs.c */
} pairs;

/* Begins a list of rows. A size of 0 ends the axes. */
void pairs_begin(pairs *p, const uint32_t sizes[MAX_AXES], uint32_t urgent, uint64_t seed,
                 pairs_valid valid, const abilities *able);

/* The next row: the best of many valid ones that cover a pair not yet covered. False when all pairs
 * that valid rows can have are covered. */
bool pairs_next(pairs *p, uint32_t row[MAX_AXES]);

/* ---- reduce_rows.c ---- */

/* The rows that a program runs on its device: either pairs of what the device can do, up to
 * VKR_TEST_ROWS of them; or, with VKR_TEST_SHARES, a part of one list for all devices. */
typedef struct row_list {
    const char *operation;
    abilities device;
    pairs p;
    bool shared;
    struct {
        uint32_t begin, end, of;
        uint32_t count; /* rows of the list so far */
    } shares[2];        /* of rows that every driver can do, and of others */
    uint32_t most, rows;
} row_list;

void rows_begin(row_list *l, const char *operation, const uint32_t sizes[MAX_AXES], uint32_t urgent,
                pairs_valid valid, const abilities *device);

/* The next row of the list. Prints it, and when none is left prints what is covered, which
 * tests/summary.py adds up. */
bool rows_next(row_list *l, uint32_t row[MAX_AXES]);

/* ---- reduce_limits.c ---- */

/* The loader function of contexts whose commands are checked against the limits watched. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limits_proc(VkInstance instance, const char *name);
void watch_limits(const VkrLimits *limits);
void watch_storage_images(uint32_t most); /* of a dispatch */
uint64_t limit_violations(void);

/* The number of dispatches that loaded texels of a buffer, and of an image. */
uint64_t texel_bindings(void);
uint64_t image_bindings(void);

/* The number of different pipelines that were created since the last call. Two are the same if
 * their code and constants are. */
uint32_t count_pipelines(void);

/* ---- reduce_case.c ---- */

/* The choices that determine which pipelines are compiled. Counts, offsets, strides and data vary
 * within a row. */
typedef struct reduce_row {
    VkrType type;
    VkrOpFlags ops;
    uint32_t components;
    VkrType accumulator;
    VkrNan nan;
    bool sample; /* VKR_REDUCE_SAMPLE_BIT */
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    limits_row limits;
    bool consume;
    tuning_row tuning;
    bool packs; /* loads by 16 bytes where the views allow it */
} reduce_row;

#define MAX_CASES 32

/* One reduction of a recording. */
typedef struct reduce_case {
    uint64_t capacity; /* the host's count */
    uint64_t count;    /* of this submission: what the GPU's count makes of it */
    bool all;          /* the host's count is given as VKR_COUNT_ALL */
    VkDeviceSize offset[2], stride[2], size[2];
    VkrTexels texels;
    VkDeviceSize count_offset;
    VkDeviceSize output;
} reduce_case;

enum { BUFFER_INPUT, BUFFER_INPUT2, BUFFER_COUNTS, BUFFER_OUTPUT, BUFFER_SCRATCH, BUFFER_COUNT };

typedef struct reduce_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena buffers[BUFFER_COUNT];
    bool thin; /* each row has only small or only large counts, for fewer pipelines */
    uint64_t oracle_cases, mismatches, unproven, rows, refused;
    uint64_t mismatches_before; /* this row */
} reduce_test;

bool open_reduce_test(reduce_test *t);
void close_reduce_test(reduce_test *t);

/* Records many counts, offsets and strides of one row, submits them `submits` times, each time with
 * new data, and compares every value and every byte around the outputs. */
void run_row(reduce_test *t, const reduce_row *row, uint32_t submits);

/* Records up to MAX_CASES operations that see each other's results, and submits them once. */
void run_infos(reduce_test *t, limits_row limits, const tuning_row *tuning,
               const VkrReduceInfo *infos, uint32_t count);

/* Compares one value: counts it, and describes the row's first few that are wrong. */
void compare_value(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual);

/* The same of an index, where `info` has only the elements that a mask keeps: `numbers` says which
 * ones of all these are. */
void compare_index(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual, const uint64_t *numbers);

#endif
