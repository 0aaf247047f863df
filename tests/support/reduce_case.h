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
#include "turns.h"

/* The number of algorithms for buffers without segments. */
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
    DATA_UNIT,     /* mostly +-1, rarely other values: products stay in range */
    DATA_CONSTANT,
    DATA_EXTREME,  /* a constant; integers: sums exceed 64 bits, and sums of squares 128 */
    DATA_OPPOSITE, /* large integers that nearly cancel */
    DATA_TIE,      /* integers whose mean lies halfway between two floats, or nearly so */
    DATA_ASCENDING,
    DATA_DESCENDING,
    DATA_ZEROS, /* both signs */
    DATA_EXTREMES,
    DATA_BITS, /* all bits, so NaN, infinities and subnormals too */
    DATA_NAN,
    DATA_SOME_NAN,
    DATA_INFINITE,
    DATA_SUBNORMAL,
    DATA_ONE_NAN,     /* close to the first or last element */
    DATA_NAN_BUT_ONE, /* the same; the one number is an extreme value */
    DATA_COUNT,
    DATA_POISON = DATA_COUNT /* changes every result: for memory that must not be read */
} distribution;

/* Writes `count` elements of `components` values, `stride` bytes apart. */
/* Replaces floats of an element by others of the same value, where there are any: zeros and NaN. If
 * `special`, some of its components become zeros and NaN. */
void vary_floats(uint64_t *state, VkrType type, uint32_t components, bool special, void *element);

void fill_data(uint64_t *state, distribution data, VkrType type, uint32_t components, void *at,
               size_t stride, uint64_t count);

/* Writes poison immediately before the view, and after the last element that counts, up to some
 * bytes past the view. */
void surround(uint64_t *state, VkrType type, uint32_t components, void *at, size_t stride,
              uint64_t count, uint64_t capacity);

/* Writes a count for the GPU, sometimes larger than the host's and sometimes larger than 32 bits.
 * Returns it, clamped to the host's count. */
uint64_t choose_count(uint64_t *state, VkrType type, uint64_t capacity, void *at);

bool is_float(VkrType type);

/* The operators that reductions of elements of a type support, with an accumulator. */
VkrOpFlags operators_of(VkrType type, VkrType accumulator);

/* The accumulator type other than the default; VKR_TYPE_UNDEFINED if there is none. */
VkrType wide_accumulator(VkrType type);

/* The result type according to vkreduce.h, for counts below 2^32. */
VkrType expected_type(VkrType type, VkrType accumulator, VkrOp op);

/* ---- reduce_pairs.c ---- */

#define MAX_AXES 16
#define AXIS_VALUES 24
#define MAX_TRIPLE_AXES 7
#define MAX_TRIPLE_SETS 35 /* of three such axes */

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
    /* The axes of which triples are listed too; how many these are; and for each three axes, in
     * ascending order, each triple of values. */
    uint32_t triple_axes[MAX_TRIPLE_AXES], triple_count;
    uint32_t triples;
    unsigned char triple[MAX_TRIPLE_SETS][AXIS_VALUES * AXIS_VALUES * AXIS_VALUES];
} pairs;

/* Begins a list of rows. A size of 0 ends the axes. */
void pairs_begin(pairs *p, const uint32_t sizes[MAX_AXES], uint32_t urgent, uint64_t seed,
                 pairs_valid valid, const abilities *able);

/* Adds every triple of values of three of these axes, given as bits, to the list. The rows of
 * triples come after those of pairs that are not covered. */
void pairs_add_triples(pairs *p, uint32_t axes);

/* Chooses the next row: of many valid rows, the one that covers the most new pairs, or triples.
 * Returns false when all of valid rows are covered. */
bool pairs_next(pairs *p, uint32_t row[MAX_AXES]);

/* ---- reduce_rows.c ---- */

/* A list of rows: those that have all pairs, or those that have all triples of some axes. */
typedef struct row_lane {
    pairs p;
    turn_list turns;
    uint32_t triple_axes; /* 0: the rows have all pairs */
    uint32_t at;          /* number of the next row in the list */
    uint32_t most, rows;
} row_lane;

/* The rows that a program runs on its device: all pairs that the device supports, up to
 * VKR_TEST_ROWS rows; or, where there is a budget (turns.h), the next rows of lists that the
 * drivers of one kind share. */
typedef struct row_list {
    const char *operation;
    abilities device;
    const uint32_t *sizes;
    uint32_t urgent;
    pairs_valid valid;
    row_lane lanes[2], *current; /* that of the row that runs */
    uint32_t rows;
    test_contexts *contexts; /* of full runs */
} row_list;

/* The drivers that share a list: those of one kind, such as lvp22 of lvp22-8, which VKR_TEST_DRIVER
 * names. Drivers that compile slowly (VKR_TEST_SLOW) have a list of their own. */
void rows_name_sharers(char sharers[32]);

void rows_begin(row_list *l, const char *operation, const uint32_t sizes[MAX_AXES], uint32_t urgent,
                pairs_valid valid, const abilities *device);

/* Adds rows with every triple of values of these axes, given as bits: those that choose a kernel,
 * since what a kernel does wrong can depend on three of them. They get half of the budget; without
 * one, only full runs have them. These rows are many, and contexts keep their pipelines: in full
 * runs the contexts are closed after some rows. */
void rows_add_triples(row_list *l, uint32_t axes, test_contexts *contexts);

/* Chooses the next row, and prints it for tests/summary.py, which adds up the pairs. */
bool rows_next(row_list *l, uint32_t row[MAX_AXES]);

/* Whether the budget is spent, so that no more of the row should run. */
bool rows_spent(const row_list *l);

/* ---- reduce_limits.c ---- */

/* The loader function of contexts whose commands are checked against their lowered limits. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limits_proc(VkInstance instance, const char *name);
void watch_limits(const VkrLimits *limits);
void watch_storage_images(uint32_t most); /* maximum of a dispatch */
uint64_t limit_violations(void);

/* The numbers of dispatches that loaded texels from a buffer, and from an image. */
uint64_t texel_bindings(void);
uint64_t image_bindings(void);

/* The number of different pipelines created since the last call. Two pipelines are the same if
 * their code and constants are equal. */
uint32_t count_pipelines(void);

/* ---- reduce_case.c ---- */

typedef struct reduce_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    bool thin; /* each row has only small or only large counts, for fewer pipelines */
    uint64_t oracle_cases, mismatches, unproven, rows, refused;
    uint64_t mismatches_before; /* count before this row */
} reduce_test;

/* Compares one value and counts it; describes the first few wrong values of the row. */
void compare_value(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual);

/* Does the same with an index, where `info` contains only the elements that a mask keeps; `numbers`
 * has the index of each of them among all elements. */
void compare_index(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual, const uint64_t *numbers);

#endif
