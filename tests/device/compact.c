/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdCompact against the oracle, on the driver that the environment selects: every predicate
 * with every type, all other choices pairwise; a figure of a paper and all short masks; and
 * interactions between operations of one command buffer.
 *
 * VKR_TEST_THIN, VKR_TEST_ROWS, VKR_TEST_BUDGET, VKR_TEST_SUBMITS and VKR_TEST_SEED are as in
 * tests/device/reduce.c, VKR_TEST_LONGEST as in tests/device/scan.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compact_called.h"

static compact_test test;

/* ---- Pairwise ---- */

enum {
    AXIS_TYPE,
    AXIS_PREDICATE,
    AXIS_OUTPUTS,
    AXIS_ALGORITHM,
    AXIS_COMPONENTS,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_PAYLOADS,
    AXIS_GPU_COUNT,
    AXIS_APPEND,
    AXIS_INDICES,
    AXIS_NEGATE_AND_CONSTANTS, /* two bits */
    AXIS_LOADS,
    AXIS_ORDER
};

static const uint32_t output_sets[] = {
    OUT_KEPT,
    OUT_KEPT | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES,
    OUT_KEPT | OUT_REJECTED,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED | OUT_REJECTED_INDICES,
    OUT_REJECTED | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES | OUT_REJECTED_INDICES,
    OUT_KEPT | OUT_LENGTHS,
    OUT_LENGTHS,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS | OUT_REJECTED | OUT_REJECTED_INDICES,
    0,
};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {32, 4}, {128, 2}, {256, 1}};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_PREDICATE] = TEST_COUNT,
    [AXIS_OUTPUTS] = ARRAY_SIZE(output_sets),
    [AXIS_ALGORITHM] = VKR_COMPACT_SINGLE_PASS + 1, /* streams.c tests the others */
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_PAYLOADS] = PAYLOAD_SETS,
    [AXIS_GPU_COUNT] = 3,
    [AXIS_APPEND] = 3,
    [AXIS_INDICES] = 3,
    [AXIS_NEGATE_AND_CONSTANTS] = 4,
    [AXIS_LOADS] = VKR_LOAD_PATH_COUNT,
    [AXIS_ORDER] = VKR_LOAD_ORDER_COUNT,
};

static compact_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    return (compact_row){
        .type = (VkrType)(axes[AXIS_TYPE] + 1),
        .components = axes[AXIS_COMPONENTS] + 1,
        .predicate = (predicate_row)axes[AXIS_PREDICATE],
        .negate = (axes[AXIS_NEGATE_AND_CONSTANTS] & 1) != 0,
        .gpu_constants = (axes[AXIS_NEGATE_AND_CONSTANTS] & 2) != 0,
        .outputs = output_sets[axes[AXIS_OUTPUTS]],
        .payloads = axes[AXIS_PAYLOADS],
        .algorithm = (VkrCompactAlgorithm)axes[AXIS_ALGORITHM],
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .append = counts[axes[AXIS_APPEND]],
        .indices = counts[axes[AXIS_INDICES]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .tuning = {workgroups[axes[AXIS_WORKGROUP]].geometry, (VkrLoadOrder)axes[AXIS_ORDER],
                   (VkrLoadPath)axes[AXIS_LOADS]},
    };
}

/* Whether an output has indices; only then is their type a choice. */
static bool has_indices(const compact_row *row)
{
    return (row->outputs & (OUT_KEPT_INDICES | OUT_LENGTHS | OUT_REJECTED_INDICES)) != 0;
}

/* Whether the header allows a row on this device, and the row does not repeat another one. */
static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const compact_row row = make_row(axes);
    const bool compares = row.predicate == TEST_COMPARE || row.predicate == TEST_RANGE;
    if (!a->types[row.type] || !has_limits(a, row.limits) || row.workgroup_size > a->workgroup)
        return false;
    if (row.predicate == TEST_FLAGS_U8 && !a->types[VKR_TYPE_U8])
        return false;
    if (row.indices != VKR_TYPE_UNDEFINED && !has_indices(&row))
        return false;
    if (row.gpu_constants && !compares)
        return false;
    if (row.tuning.geometry == 0 &&
        (row.tuning.path != VKR_LOAD_ELEMENT || row.tuning.order != VKR_LOAD_COALESCED))
        return false;
    /* A refused output would hide the other choices of the row. */
    return row.algorithm != VKR_COMPACT_SINGLE_PASS ||
           (row.payloads == 0 && (row.outputs & OUT_LENGTHS) == 0 &&
            !(tests_flags(row.predicate) && (row.outputs & OUT_VALUES) != 0));
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 6) * (harness_full() ? 8 : 1);
    const uint64_t before = test.mismatches;
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "compact", axis_sizes, 0, valid_row, &test.device);
    rows_add_triples(&list,
                     1u << AXIS_TYPE | 1u << AXIS_PREDICATE | 1u << AXIS_OUTPUTS |
                         1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS | 1u << AXIS_ORDER,
                     &test.contexts);
    while (rows_next(&list, axes)) {
        const compact_row row = make_row(axes);
        run_compact_row(&test, &row, submits);
    }
    printf("# rows: %u, cases refused: %" PRIu64 "\n", list.rows, test.refused);
    assert_int_equal(test.mismatches, before);
    assert_int_equal(limit_violations(), 0);
}

/* All outputs and payloads at once, if all of them are supported: this needs many pipelines. */
static void test_everything(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    if (test.thin)
        return;
    const compact_row rows[] = {
        {.type = VKR_TYPE_F32,
         .components = 1,
         .predicate = TEST_RANGE,
         .outputs = 31,
         .payloads = PAYLOAD_SETS - 1,
         .gpu_count = VKR_TYPE_U32,
         .append = VKR_TYPE_U32},
        {.type = VKR_TYPE_U32,
         .components = 3,
         .predicate = TEST_UNIQUE,
         .outputs = 31,
         .payloads = PAYLOAD_SETS - 1,
         .limits = LIMITS_SMALL},
        {.type = VKR_TYPE_F32,
         .components = 1,
         .predicate = TEST_COMPARE,
         .outputs = 27,
         .algorithm = VKR_COMPACT_SINGLE_PASS,
         .append = VKR_TYPE_U32},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        run_compact_row(&test, &rows[i], 3);
    assert_int_equal(test.mismatches, before);
}

/* Flags of every format with values of every size. Flags that are as wide as the values select
 * other kernels than narrower ones, and packed values of one word have a path of their own; tiles
 * in registers test flags that lie beside the values. */
static void test_flag_values(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    static const predicate_row flags[] = {TEST_FLAGS_U32, TEST_FLAGS_U8, TEST_FLAGS_BITS};
    static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_F16, VKR_TYPE_F32, VKR_TYPE_F64};
    static const uint32_t outputs[] = {OUT_KEPT, OUT_REJECTED, OUT_KEPT | OUT_REJECTED,
                                       OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED_INDICES};
    static const tuning_row tiles = {
        .geometry = 4, .order = VKR_LOAD_COALESCED, .path = VKR_LOAD_VEC4};
    const size_t rows = ARRAY_SIZE(flags) * ARRAY_SIZE(types) * ARRAY_SIZE(outputs);
    for (size_t k = 0; k < 2 * rows; k++) {
        const size_t i = k / 2;
        const compact_row row = {.predicate = flags[i % ARRAY_SIZE(flags)],
                                 .tuning = k % 2 != 0 ? tiles : (tuning_row){0},
                                 .outputs = outputs[i / ARRAY_SIZE(flags) % ARRAY_SIZE(outputs)],
                                 .type = types[i / ARRAY_SIZE(flags) / ARRAY_SIZE(outputs)],
                                 .components = 1 + (i % 7 == 6),
                                 .packed = true};
        if (test.device.types[row.type] &&
            (row.predicate == TEST_FLAGS_U32 || test.device.types[VKR_TYPE_U8]))
            run_compact_row(&test, &row, 1);
    }
    assert_int_equal(test.mismatches, before);
}

/* Tiles in registers of elements of each size, by contexts whose drawn policies stage them in
 * shared memory; the policies of CPUs, by which edges_elements.c runs, do not. */
static void test_tiles(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_WIDE, LIMITS_SMALL};
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_U64, VKR_TYPE_U16};
    static const uint32_t outputs[] = {
        OUT_KEPT, OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED | OUT_REJECTED_INDICES,
        OUT_REJECTED | OUT_KEPT_INDICES, OUT_KEPT | OUT_REJECTED};
    uint32_t most = 0;
    for (size_t i = 0; i < ARRAY_SIZE(types) * ARRAY_SIZE(outputs); i += test.thin ? 3 : 1) {
        const compact_row row = {.type = types[i % ARRAY_SIZE(types)],
                                 .components = 1 + (i % 5 == 4),
                                 .predicate = i % 7 == 5 ? TEST_UNIQUE : TEST_COMPARE,
                                 .outputs = outputs[i / ARRAY_SIZE(types)],
                                 .algorithm = VKR_COMPACT_SINGLE_PASS,
                                 .append = i % 3 == 2 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                                 .limits = limits[i * 2 / 3 % ARRAY_SIZE(limits)],
                                 .tuning = {.geometry = 4,
                                            .order = VKR_LOAD_COALESCED,
                                            .path = i % 2 == 0 ? VKR_LOAD_VEC4 : VKR_LOAD_U64}};
        VkrPolicy policy;
        assert_int_equal(vkrGetPolicy(get_context(&test.contexts, row.limits, &row.tuning),
                                      VKR_POLICY_COMPACT, &policy),
                         VKR_SUCCESS);
        most = policy.values[0] > most ? policy.values[0] : most;
        if (test.device.types[row.type])
            run_compact_row(&test, &row, harness_full() ? 8 : 3);
    }
    assert_int_equal(test.mismatches, before);
    assert_int_equal(most, 16); /* which bytes need */
}

/* Run lengths of words, by tiles in registers of 256 invocations with 8 elements each. */
static void test_pairs_of_runs(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    static const VkrType words[] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_I32};
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    if (!has_arithmetic(&test.device, LIMITS_DEVICE) || test.device.workgroup < 256)
        return;
    for (size_t i = 0; i < (test.thin ? 3 : 9); i++) {
        const compact_row row = {.type = words[i % ARRAY_SIZE(words)],
                                 .components = 1,
                                 .predicate = TEST_UNIQUE,
                                 .outputs = i % 4 == 3 ? OUT_LENGTHS : OUT_KEPT | OUT_LENGTHS,
                                 .gpu_count = counts[(i + i / 3) % ARRAY_SIZE(counts)],
                                 .indices = i % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                                 .packed = true,
                                 .runs = true,
                                 .tuning = {.geometry = 4, .path = VKR_LOAD_VEC4}};
        run_compact_row(&test, &row, harness_full() ? 16 : 6);
    }
    assert_int_equal(test.mismatches, before);
}

/* Outputs that single-pass does not write are refused. */
static void test_refused(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches, refused = test.refused;
    const compact_row rows[] = {
        {.type = VKR_TYPE_F32, .components = 1, .outputs = OUT_KEPT, .payloads = 1},
        {.type = VKR_TYPE_F32, .components = 1, .outputs = OUT_KEPT | OUT_LENGTHS},
        {.type = VKR_TYPE_F32, .components = 1, .outputs = OUT_KEPT, .predicate = TEST_FLAGS_BITS},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        compact_row row = rows[i];
        row.algorithm = VKR_COMPACT_SINGLE_PASS;
        run_compact_row(&test, &row, 1);
    }
    assert_int_equal(test.mismatches, before);
    assert_true(test.refused > refused + ARRAY_SIZE(rows));
}

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.thin = environment("VKR_TEST_THIN", 0) != 0 && !harness_full();
    test.device = device_abilities(&test.h);
    return open_compact_test(&test) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", test.oracle_cases,
           test.mismatches);
    printf("# pipelines: %u\n", count_pipelines());
    close_compact_test(&test);
    return 0;
}

HARNESS_MAIN(test.h, "compact", open_all, close_all, cmocka_unit_test_prestate(test_figure, &test),
             cmocka_unit_test_prestate(test_masks, &test),
             cmocka_unit_test_prestate(test_chain, &test),
             cmocka_unit_test_prestate(test_appended, &test),
             cmocka_unit_test_prestate(test_called, &test), cmocka_unit_test(test_everything),
             cmocka_unit_test(test_flag_values), cmocka_unit_test(test_tiles),
             cmocka_unit_test(test_pairs_of_runs), cmocka_unit_test(test_refused),
             cmocka_unit_test(test_pairs))
