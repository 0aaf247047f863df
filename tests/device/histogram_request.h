/* SPDX-License-Identifier: MIT */
/* What a request of histograms has of its own. */
#ifndef VKR_TESTS_HISTOGRAM_REQUEST_H
#define VKR_TESTS_HISTOGRAM_REQUEST_H

#include "engine.h"
#include "oracle_histogram.h"

typedef enum bins_choice {
    CHOICE_EVEN,
    CHOICE_LOG2,
    CHOICE_EDGES,
    CHOICE_INTEGERS,
    CHOICE_EVEN_GPU,
    CHOICE_LOG2_GPU,
    BINS_CHOICES
} bins_choice;

/* What the data are made for. */
typedef enum data_choice {
    DATA_DRAWN,
    DATA_AT_EDGES,      /* every edge, and the numbers next to it */
    DATA_AT_EQUAL,      /* equal bounds of the GPU, and up to two steps from each edge */
    DATA_FULL_COUNTS,   /* counts that carry */
    DATA_UNSORTED_EDGES /* some of which are NaN: counts are not specified */
} data_choice;

typedef struct histogram_request {
    bins_choice choice;
    data_choice data;
    uint64_t capacity, count; /* elements of the view, and those of the host's count */
    uint32_t width, height, layers;
    VkrMap map, weight_map;
    test_texture input, weights, mask;
    uint32_t pieces;     /* histograms of parts of the input that add up to one; 0: a whole one */
    VkrReduceInfo range; /* that computes the range before */
    VkrHistogramInfo info;
} histogram_request;

#define WITH_OUTSIDE 1u
#define WITH_EDGES 2u

/* The type and the number of components of the elements as bins see them. */
VkrType histogram_type(const histogram_request *h);
uint32_t histogram_components(const histogram_request *h);

/* Where an element of a view lies, whose stride may be 0. */
void *histogram_element(const VkrView *view, uint64_t index);

/* ---- histogram.c ---- */

/* Places the outputs: counts, and those that `outputs` selects. */
void histogram_place_outputs(test_request *t, uint32_t outputs);

/* ---- histogram_data.c ---- */

/* Chooses the host's bounds according to the data's type. */
void histogram_choose_bounds(test_request *t);

/* The bins of a component. */
oracle_bins *histogram_bins(const histogram_request *h, uint32_t component);
void histogram_fill(test_request *t);

/* ---- histogram_results.c ---- */

void histogram_expect(test_request *t);
void histogram_print(const test_request *t);

/* ---- histogram_known.c ---- */

bool histogram_make_neighbours(test_request *t, uint32_t number);
bool histogram_make_equal(test_request *t, uint32_t number);
bool histogram_make_pieces(test_request *t, uint32_t number);
bool histogram_make_large(test_request *t, uint32_t number);
bool histogram_make_groups(test_request *t, uint32_t number);
bool histogram_make_unsorted(test_request *t, uint32_t number);
void histogram_test_refused(void **state);

#endif
