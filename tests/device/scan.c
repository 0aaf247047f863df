/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdScan against the oracle, on the driver that the environment selects: every operator with
 * every type, all other choices pairwise, interactions between scans of one recording, and
 * refusals.
 *
 * For drivers that compile slowly, VKR_TEST_THIN gives each row only small or only large counts,
 * VKR_TEST_COMPONENTS limits the components of a row, VKR_TEST_ROWS the number of rows, and
 * VKR_TEST_LONGEST the length of masks. VKR_TEST_BUDGET limits the time for the list of rows that
 * drivers share (support/turns.h). VKR_TEST_SEED varies everything.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_known.h"

scan_test test;
static const tuning_row built_in;

static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                            VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};

static bool is_bitwise(VkrOp op)
{
    return op == VKR_OP_AND || op == VKR_OP_OR || op == VKR_OP_XOR;
}

/* ---- Types ---- */

static void test_types(void **state)
{
    (void)state;
    const VkrContext context = get_context(&test.contexts, LIMITS_DEVICE, &built_in);
    for (int t = 1; t < VKR_TYPE_COUNT; t++) {
        for (uint32_t i = 0; i < 2 * ARRAY_SIZE(ops); i++) {
            const VkrType type = (VkrType)t;
            const VkrType wide = i % 2 != 0 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED;
            const VkrScanInfo info = {
                .op = ops[i / 2], .input = {.type = type}, .accumulator = wide};
            VkrType result = VKR_TYPE_UNDEFINED;
            const bool has = test.device.types[type] && (wide == 0 || test.device.types[wide]);
            const bool wrong = is_float(type) && is_bitwise(info.op);
            if (!has && wrong)
                assert_int_not_equal(vkrGetScanType(context, &info, &result), VKR_SUCCESS);
            else if (!has)
                assert_int_equal(vkrGetScanType(context, &info, &result), VKR_ERROR_UNSUPPORTED);
            else if (wrong)
                assert_int_equal(vkrGetScanType(context, &info, &result),
                                 VKR_ERROR_INVALID_ARGUMENT);
            else if (harness_check(&test.h, vkrGetScanType(context, &info, &result),
                                   "vkrGetScanType"))
                assert_int_equal(result, expected_type(type, wide, info.op));
            else
                fail();
        }
    }
}

/* ---- Pairwise ---- */

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {32, 4}, {128, 2}, {256, 1}};

enum {
    AXIS_TYPE,
    AXIS_OP,
    AXIS_ALGORITHM,
    AXIS_SEGMENTS,
    AXIS_DIRECTION,
    AXIS_COMPONENTS,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* two bits */
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_INITIAL,
    AXIS_IN_PLACE,
    AXIS_LOADS,
    AXIS_ORDER
};

#define COVERING_ROWS 77 /* enough for every operator with every type */

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_OP] = ARRAY_SIZE(ops),
    [AXIS_ALGORITHM] = VKR_SCAN_ALGORITHM_COUNT,
    [AXIS_SEGMENTS] = SEGMENTS_COUNT,
    [AXIS_DIRECTION] = 4,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_DETERMINISM] = 3,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_NAN_AND_ACCUMULATOR] = 4,
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_GPU_COUNT] = 3,
    [AXIS_INITIAL] = INITIAL_COUNT,
    [AXIS_IN_PLACE] = 2,
    [AXIS_LOADS] = VKR_LOAD_PATH_COUNT,
    [AXIS_ORDER] = VKR_LOAD_ORDER_COUNT,
};

static scan_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    return (scan_row){
        .type = type,
        .op = ops[axes[AXIS_OP]],
        .flags = axes[AXIS_DIRECTION],
        .components = axes[AXIS_COMPONENTS] + 1,
        .accumulator =
            axes[AXIS_NAN_AND_ACCUMULATOR] & 2 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED,
        .nan = axes[AXIS_NAN_AND_ACCUMULATOR] & 1 ? VKR_NAN_PROPAGATE : VKR_NAN_IGNORE,
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = (VkrScanAlgorithm)axes[AXIS_ALGORITHM],
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .segments = (segments_row)axes[AXIS_SEGMENTS],
        .initial = (initial_row)axes[AXIS_INITIAL],
        .in_place = axes[AXIS_IN_PLACE] != 0,
        .tuning = {.geometry = workgroups[axes[AXIS_WORKGROUP]].geometry,
                   .order = (VkrLoadOrder)axes[AXIS_ORDER],
                   .path = (VkrLoadPath)axes[AXIS_LOADS]},
    };
}

/* Whether the row's algorithm supports the row, according to the header. */
bool serves(const scan_row *row)
{
    const bool any = row->algorithm == VKR_SCAN_AUTO || row->algorithm == VKR_SCAN_REDUCE_THEN_SCAN;
    if (row->in_place && !any)
        return false;
    return any || !is_ordered(row) || row->determinism != VKR_DETERMINISM_DEVICE;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const scan_row row = make_row(axes);
    if (!a->types[row.type] || !has_limits(a, row.limits) || row.workgroup_size > a->workgroup)
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !a->types[row.accumulator])
        return false;
    if (is_float(row.type) && is_bitwise(row.op))
        return false;
    if (row.segments == SEGMENTS_U8 && !a->types[VKR_TYPE_U8])
        return false;
    if (row.in_place && expected_type(row.type, row.accumulator, row.op) != row.type)
        return false;
    return row.components <= a->components && serves(&row);
}

/* The tiles that kernels of subgroup arithmetic hold in registers: a type of each class of them,
 * with operators for which Metal has subgroup scans, and with others. */
static void test_tiles(void **state)
{
    (void)state;
    static const struct {
        VkrType type;
        VkrOp op;
        VkrScanAlgorithm algorithm;
    } rows[] = {
        {VKR_TYPE_U32, VKR_OP_SUM, VKR_SCAN_REDUCE_THEN_SCAN},
        {VKR_TYPE_I32, VKR_OP_MAX, VKR_SCAN_REDUCE_THEN_SCAN},
        {VKR_TYPE_I32, VKR_OP_MIN, VKR_SCAN_SINGLE_PASS},
        {VKR_TYPE_F32, VKR_OP_MIN, VKR_SCAN_REDUCE_THEN_SCAN},
        {VKR_TYPE_U16, VKR_OP_XOR, VKR_SCAN_REDUCE_THEN_SCAN},
        {VKR_TYPE_F16, VKR_OP_MAX, VKR_SCAN_SINGLE_PASS},
        {VKR_TYPE_U8, VKR_OP_AND, VKR_SCAN_REDUCE_THEN_SCAN},
    };
    const uint64_t before = test.mismatches;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const scan_row row = {
            .type = rows[i].type,
            .op = rows[i].op,
            .components = 1,
            .algorithm = VKR_SCAN_REDUCE_THEN_SCAN,
            .tuning = {.geometry = 1, .order = VKR_LOAD_COALESCED, .path = VKR_LOAD_VEC4}};
        if (test.device.types[row.type])
            run_scan_row(&test, &row, 2);
    }
    assert_int_equal(test.mismatches, before);
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 6) * (harness_full() ? 8 : 1);
    const uint64_t before = test.mismatches;
    uint32_t axes[MAX_AXES];
    bool seen[VKR_TYPE_COUNT][ARRAY_SIZE(ops)] = {{false}};
    static row_list list;
    rows_begin(&list, "scan", axis_sizes, ARRAY_SIZE(ops), valid_row, &test.device);
    rows_add_triples(&list,
                     1u << AXIS_TYPE | 1u << AXIS_OP | 1u << AXIS_ALGORITHM | 1u << AXIS_SEGMENTS |
                         1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS | 1u << AXIS_ORDER,
                     &test.contexts);
    while (rows_next(&list, axes)) {
        const scan_row row = make_row(axes);
        run_scan_row(&test, &row, submits);
        seen[row.type][axes[AXIS_OP]] = true;
    }
    printf("# rows: %u, refused as they may be: %" PRIu64 "\n", list.rows, test.refused);
    printf("# dispatches that load texels: %" PRIu64 "\n", texel_bindings());
    assert_int_equal(test.mismatches, before);
    assert_int_equal(limit_violations(), 0);
    assert_true(list.rows < COVERING_ROWS || texel_bindings() > 0);
    if (list.rows < COVERING_ROWS)
        printf("# too few rows for every operator with every type\n");
    for (int type = 1; type < VKR_TYPE_COUNT && list.rows >= COVERING_ROWS; type++)
        for (uint32_t i = 0; i < ARRAY_SIZE(ops) && test.device.types[type]; i++)
            assert_true(seen[type][i] || (is_float((VkrType)type) && is_bitwise(ops[i])));
}

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.thin = environment("VKR_TEST_THIN", 0) != 0 && !harness_full();
    test.device = device_abilities(&test.h);
    return open_scan_test(&test) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", test.oracle_cases,
           test.mismatches);
    printf("# values compared: %" PRIu64 ", not decidable: %" PRIu64 "\n", test.values_compared,
           test.unproven);
    printf("# pipelines: %u\n", count_pipelines());
    close_scan_test(&test);
    return 0;
}

HARNESS_MAIN(test.h, "scan", open_all, close_all, cmocka_unit_test(test_types),
             cmocka_unit_test(test_chain), cmocka_unit_test(test_side_by_side),
             cmocka_unit_test(test_pieces), cmocka_unit_test(test_levels),
             cmocka_unit_test(test_figure), cmocka_unit_test(test_masks),
             cmocka_unit_test(test_refusals), cmocka_unit_test(test_tiles),
             cmocka_unit_test(test_pairs))
