/* SPDX-License-Identifier: MIT */
/*
 * Histograms against the oracle: choices pairwise, and known cases (histogram_known.c). Each row
 * makes several histograms in one recording, with random sizes, offsets, strides, bounds and data.
 * VKR_TEST_BUDGET, VKR_TEST_ROWS and VKR_TEST_SEED are those of reduce.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "histogram_rows.h"

#define READ_BYTES (48u << 20)
#define RANGE_BYTES (1u << 16)
#define WRITTEN_BYTES (64u << 20)
#define FETCHED_BYTES (16u << 20)

histogram_test test;

/* ---- Rows ---- */

enum {
    AXIS_TYPE,
    AXIS_WEIGHTS,
    AXIS_COMPONENTS,
    AXIS_SOURCE,
    AXIS_CHOICE,
    AXIS_BINS,
    AXIS_FLAGS,
    AXIS_COUNT_TYPE,
    AXIS_GPU_COUNT,
    AXIS_MAP,
    AXIS_MASK,
    AXIS_ALGORITHM,
    AXIS_OUTPUTS,
    AXIS_LIMITS,
    AXIS_GEOMETRY,
    AXIS_ORDER
};

/* Values that rows use in turn, since they need not be paired with every other choice. */
static const uint32_t bin_counts[][3] = {
    {1, 2, 3}, {255, 256, 257}, {4096, 1000, 4095}, {65536, 65535, 65536}};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL, LIMITS_WIDE};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_WEIGHTS] = WEIGHT_CHOICES,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_SOURCE] = SOURCES,
    [AXIS_CHOICE] = BINS_CHOICES,
    [AXIS_BINS] = ARRAY_SIZE(bin_counts),
    [AXIS_FLAGS] = 4,
    [AXIS_COUNT_TYPE] = ARRAY_SIZE(count_types),
    [AXIS_GPU_COUNT] = ARRAY_SIZE(count_types),
    [AXIS_MAP] = 4,
    [AXIS_MASK] = MASK_CHOICES,
    [AXIS_ALGORITHM] = VKR_HISTOGRAM_ALGORITHM_COUNT,
    [AXIS_OUTPUTS] = 4,
    [AXIS_LIMITS] = ARRAY_SIZE(limits),
    [AXIS_GEOMETRY] = GEOMETRIES,
    [AXIS_ORDER] = VKR_LOAD_ORDER_COUNT,
};

static uint32_t turn_of(const uint32_t axes[MAX_AXES], uint32_t of)
{
    return (axes[AXIS_TYPE] + axes[AXIS_COMPONENTS] + axes[AXIS_FLAGS] + axes[AXIS_MASK]) % of;
}

static VkrType weight_type(const uint32_t axes[MAX_AXES])
{
    static const VkrType integers[] = {VKR_TYPE_U32, VKR_TYPE_U8,  VKR_TYPE_I32,
                                       VKR_TYPE_I16, VKR_TYPE_U16, VKR_TYPE_I8};
    static const VkrType floats[] = {VKR_TYPE_F32, VKR_TYPE_F16, VKR_TYPE_BF16};
    return axes[AXIS_WEIGHTS] == WEIGHTS_INTEGERS ? integers[turn_of(axes, ARRAY_SIZE(integers))]
           : axes[AXIS_WEIGHTS] == WEIGHTS_FLOATS ? floats[turn_of(axes, ARRAY_SIZE(floats))]
                                                  : VKR_TYPE_I32;
}

static histogram_row row_of(const uint32_t axes[MAX_AXES])
{
    return (histogram_row){
        .type = (VkrType)(axes[AXIS_TYPE] + 1),
        .components = axes[AXIS_COMPONENTS] + 1,
        .source = (source_choice)axes[AXIS_SOURCE],
        .choice = (bins_choice)axes[AXIS_CHOICE],
        .bins = bin_counts[axes[AXIS_BINS]][turn_of(axes, 3)],
        .flags = axes[AXIS_FLAGS],
        .count_type = count_types[axes[AXIS_COUNT_TYPE]],
        .gpu_count = count_types[axes[AXIS_GPU_COUNT]],
        .map = axes[AXIS_MAP],
        .mask = (mask_choice)axes[AXIS_MASK],
        .weights = (weight_choice)axes[AXIS_WEIGHTS],
        .weight_type = weight_type(axes),
        .algorithm = (VkrHistogramAlgorithm)axes[AXIS_ALGORITHM],
        .outputs = axes[AXIS_OUTPUTS],
        .limits = limits[axes[AXIS_LIMITS]],
        .tuning = {.geometry = axes[AXIS_GEOMETRY], .order = (VkrLoadOrder)axes[AXIS_ORDER]},
    };
}

/* Whether the counts fit into shared memory: for each component three more than the bins, or 256 if
 * elements are bytes. */
static bool fits_shared(const histogram_row *row)
{
    const uint32_t size = row->map != 0 ? 4 : vkrTypeSize(row->type);
    const uint32_t components = row->map != 0 ? 1 : row->components;
    const uint32_t slots = size == 1 ? 256 : row->bins + 3;
    return (uint64_t)slots * components * (row->weights != WEIGHTS_NONE ? 8 : 4) <= 32768 - 64;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const histogram_row row = row_of(axes);
    const uint32_t size = vkrTypeSize(row.type);
    const bool small = row.limits == LIMITS_SMALL || row.limits == LIMITS_SHARED_SMALL;
    const uint64_t counts =
        (uint64_t)row.bins * (row.map != 0 ? 1 : row.components) * vkrTypeSize(VKR_TYPE_U64);
    return a->types[row.type] && (row.weights == WEIGHTS_NONE || a->types[row.weight_type]) &&
           (row.mask != CHOICE_U8 || a->types[VKR_TYPE_U8]) && has_limits(a, row.limits) &&
           (row.source != SOURCE_IMAGE || row.type == VKR_TYPE_F32 || row.type == VKR_TYPE_U32 ||
            row.type == VKR_TYPE_I32) &&
           (row.choice != CHOICE_INTEGERS || (row.map == 0 && !is_float(row.type))) &&
           (row.map == 0 || size <= 4) && (!small || counts <= SMALL_RANGE / 2) &&
           (row.algorithm == VKR_HISTOGRAM_AUTO || row.algorithm == VKR_HISTOGRAM_GLOBAL ||
            fits_shared(&row));
}

static void test_pairs(void **state)
{
    (void)state;
    static row_list list;
    uint32_t axes[MAX_AXES];
    rows_begin(&list, "histogram", axis_sizes, 0, valid_row, &test.device);
    rows_add_triples(&list,
                     1u << AXIS_TYPE | 1u << AXIS_WEIGHTS | 1u << AXIS_SOURCE | 1u << AXIS_CHOICE |
                         1u << AXIS_GPU_COUNT | 1u << AXIS_MASK | 1u << AXIS_ALGORITHM,
                     &test.contexts);
    while (rows_next(&list, axes)) {
        const histogram_row row = row_of(axes);
        run_histogram_row(&row);
    }
    assert_right();
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.device = device_abilities(&test.h);
    test.h.loader = limits_proc;
    test.contexts.h = &test.h;
    return open_arena(&test.h, "what is read", READ_BYTES, &test.arenas[ARENA_READ]) &&
                   open_arena(&test.h, "ranges", RANGE_BYTES, &test.arenas[ARENA_RANGE]) &&
                   open_arena(&test.h, "what is written", WRITTEN_BYTES,
                              &test.arenas[ARENA_WRITTEN]) &&
                   harness_create_buffer(&test.h, FETCHED_BYTES, &test.fetched) &&
                   fetcher_open(&test.h, &test.fetch)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", test.oracle_cases,
           test.mismatches);
    printf("# pipelines: %u\n", count_pipelines());
    close_contexts(&test.contexts);
    fetcher_close(&test.h, &test.fetch);
    harness_destroy_buffer(&test.h, &test.fetched);
    for (uint32_t i = 0; i < ARENAS; i++)
        close_arena(&test.h, &test.arenas[i]);
    return 0;
}

HARNESS_MAIN(test.h, "histogram", open_all, close_all, cmocka_unit_test(test_pairs),
             cmocka_unit_test(test_neighbours), cmocka_unit_test(test_equal_bounds),
             cmocka_unit_test(test_pieces), cmocka_unit_test(test_large_counts),
             cmocka_unit_test(test_groups), cmocka_unit_test(test_unsorted),
             cmocka_unit_test(test_refused))
