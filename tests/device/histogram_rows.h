/* SPDX-License-Identifier: MIT */
/* Rows of histogram.c, and the random cases that are generated from a row. */
#ifndef VKR_TESTS_HISTOGRAM_ROWS_H
#define VKR_TESTS_HISTOGRAM_ROWS_H

#include "histogram_case.h"

typedef enum bins_choice {
    CHOICE_EVEN,
    CHOICE_LOG2,
    CHOICE_EDGES,
    CHOICE_INTEGERS,
    CHOICE_EVEN_GPU,
    CHOICE_LOG2_GPU,
    BINS_CHOICES
} bins_choice;

typedef enum source_choice { SOURCE_PACKED, SOURCE_STRIDED, SOURCE_IMAGE, SOURCES } source_choice;

typedef enum mask_choice {
    CHOICE_NO_MASK,
    CHOICE_U32,
    CHOICE_U8,
    CHOICE_BITS,
    CHOICE_MASK_IMAGE,
    MASK_CHOICES
} mask_choice;

/* Mapped weights are pairs of i32. */
typedef enum weight_choice {
    WEIGHTS_NONE,
    WEIGHTS_INTEGERS,
    WEIGHTS_FLOATS,
    WEIGHTS_IMAGE,
    WEIGHTS_MAPPED,
    WEIGHT_CHOICES
} weight_choice;

/* The choices that determine which pipelines are created, and some others. */
typedef struct histogram_row {
    VkrType type;
    uint32_t components;
    source_choice source;
    bins_choice choice;
    uint32_t bins;
    uint32_t flags;
    VkrType count_type;
    VkrType gpu_count; /* UNDEFINED: the host's */
    uint32_t map;      /* 0: none */
    mask_choice mask;
    weight_choice weights;
    VkrType weight_type; /* in a buffer */
    VkrHistogramAlgorithm algorithm;
    uint32_t outputs;
    limits_row limits;
    tuning_row tuning;
} histogram_row;

/* Generates and runs the cases of a row. */
void run_histogram_row(const histogram_row *row);

/* ---- histogram_bounds.c ---- */

/* Chooses the host's bounds according to the data's type. */
void choose_bounds(const histogram_row *row, histogram_case *c);

/* Writes n + 1 edges in ascending order. */
void fill_edges(VkrType type, uint32_t n, void *at);

#endif
