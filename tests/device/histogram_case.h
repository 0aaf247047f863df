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

/* An image of a case: the part that is read, and where its texels and what they are lie. */
typedef struct case_image {
    test_image image;
    VkrImage part;
    VkDeviceSize texels; /* in ARENA_READ */
    VkDeviceSize values; /* in the buffer of what was fetched */
} case_image;

typedef struct histogram_case {
    VkrHistogramInfo info;
    VkrMap map, weight_map;
    case_image input, weights, mask;
    uint32_t width, height, layers;
    uint64_t capacity, count; /* elements of the view, and those that count */
    bool reduces;             /* the range is made by a reduction of the same recording */
    VkDeviceSize range;       /* its results, in ARENA_RANGE */
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
    uint64_t reported; /* mismatches that have failed a test */
    char text[200];    /* describes what runs */
} histogram_test;

extern histogram_test test;

/* ---- histogram_run.c ---- */

/* Empties the arenas: cases can be placed then. */
void start_cases(void);

/* Has the type of elements as bins see them, and their number of components. */
VkrType seen_type(const histogram_case *c);
uint32_t seen_components(const histogram_case *c);

/* The bytes of an edge of EDGES. */
uint32_t edge_size(VkrType seen);

/* Fills in where the outputs go: counts, and what `outputs` asks for. */
#define WITH_OUTSIDE 1u
#define WITH_EDGES 2u
void place_outputs(histogram_case *c, uint32_t outputs);

/* The bins of a component. A range that a reduction makes must have been made. */
oracle_bins *make_bins(const histogram_case *c, uint32_t component);

/* Records all cases one behind the other, runs them, and compares all that they write, and all that
 * they must not write. Frees their images. */
void run_cases(limits_row limits, const tuning_row *tuning, histogram_case *cases, uint32_t count);

/* Records and runs operations on what the arenas hold, and compares nothing. */
void record_infos(limits_row limits, const VkrHistogramInfo *infos, uint32_t count);

/* Fails where there were mismatches since the last call. */
void assert_right(void);

/* Places a buffer of so many elements, or bytes, in ARENA_READ. The bytes can be written after
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
