/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of vkrCmdHistogram with the oracle. */
#ifndef VKR_TESTS_HISTOGRAM_CASE_H
#define VKR_TESTS_HISTOGRAM_CASE_H

#include "images.h"
#include "oracle_histogram.h"
#include "oracle_map.h"
#include "reduce_case.h"

#define HISTOGRAM_CASES 8

enum { ARENA_READ, ARENA_RANGE, ARENA_WRITTEN, ARENAS };

/* An image of a case: the part that is read, and the offsets of its texels and of their fetched
 * values. */
typedef struct case_image {
    test_image image;
    VkrImage part;
    VkDeviceSize texels; /* in ARENA_READ */
    VkDeviceSize values; /* in the buffer of fetched values */
} case_image;

typedef struct histogram_case {
    VkrHistogramInfo info;
    VkrMap map, weight_map;
    case_image input, weights, mask;
    uint32_t width, height, layers;
    uint64_t capacity, count; /* elements of the view, and those that count */
    bool reduces;             /* a reduction in the same recording computes the range */
    VkDeviceSize range;       /* the reduction's results, in ARENA_RANGE */
} histogram_case;

typedef struct histogram_test {
    harness h;
    abilities device;
    uint64_t random;
    test_contexts contexts;
    arena arenas[ARENAS];
    harness_buffer fetched;
    VkDeviceSize fetched_used;
    fetcher fetch;
    uint64_t oracle_cases, mismatches, shown;
    uint64_t reported; /* mismatches for which a test has already failed */
    char text[200];    /* describes the current case */
} histogram_test;

extern histogram_test test;

/* ---- histogram_run.c ---- */

/* Empties the arenas; then cases can be placed. */
void start_cases(void);

/* The type and the number of components of the elements as bins see them. */
VkrType seen_type(const histogram_case *c);
uint32_t seen_components(const histogram_case *c);

/* The size of an edge of EDGES in bytes. */
uint32_t edge_size(VkrType seen);

/* Places the outputs: counts, and those that `outputs` selects. */
#define WITH_OUTSIDE 1u
#define WITH_EDGES 2u
void place_outputs(histogram_case *c, uint32_t outputs);

/* The bins of a component. If a reduction computes the range, it must have run. */
oracle_bins *make_bins(const histogram_case *c, uint32_t component);

/* Records all cases one after the other, runs them, and compares all outputs and all bytes that
 * must stay unchanged. Frees their images. */
void run_cases(limits_row limits, const tuning_row *tuning, histogram_case *cases, uint32_t count);

/* Records and runs operations on the contents of the arenas, and compares nothing. */
void record_infos(limits_row limits, const VkrHistogramInfo *infos, uint32_t count);

/* Fails if there were mismatches since the last call. */
void assert_right(void);

/* Places a buffer of `count` elements, or bytes, in ARENA_READ. The bytes can be written after
 * arena_poison. */
void place_input(histogram_case *c, VkrType type, uint32_t components, uint64_t count);
void *read_at(VkDeviceSize offset);

/* ---- histogram_known.c ---- */

void test_neighbours(void **state);
void test_equal_bounds(void **state);
void test_pieces(void **state);
void test_large_counts(void **state);
void test_groups(void **state);
void test_unsorted(void **state);
void test_refused(void **state);

#endif
