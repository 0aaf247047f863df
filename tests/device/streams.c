/* SPDX-License-Identifier: MIT */
/*
 * Stream reduction as of 2007 (the algorithms of vkrCmdCompact starting at VKR_COMPACT_HORN)
 * against the oracle, on the driver that the environment selects: all choices pairwise, a figure,
 * all short masks, and more blocks than the maximum number of workgroups in one dimension.
 * streams_facts.c tests what happens inside a block.
 *
 * VKR_TEST_THIN, VKR_TEST_ROWS, VKR_TEST_BUDGET, VKR_TEST_SUBMITS and VKR_TEST_SEED are as in
 * tests/device/reduce.c, VKR_TEST_LONGEST as in tests/device/scan.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compact_case.h"

static compact_test test;

/* ---- Pairwise ---- */

enum {
    AXIS_ALGORITHM,
    AXIS_BLOCK,
    AXIS_BLOCK_SCAN,
    AXIS_SEARCH,
    AXIS_CONCATENATION,
    AXIS_TYPE,
    AXIS_COMPONENTS,
    AXIS_PREDICATE,
    AXIS_OUTPUTS,
    AXIS_PAYLOADS,
    AXIS_INDICES,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_COUNTS, /* the GPU's count and the append position */
    AXIS_NEGATE,
    AXIS_LOADS,
};

static const uint32_t output_sets[] = {
    OUT_KEPT,
    OUT_KEPT | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES,
    OUT_KEPT | OUT_LENGTHS,
    OUT_LENGTHS,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS,
    0,
};

static const uint32_t payloads[] = {0, 1, 3}; /* no array moves with rejected elements */
static const uint32_t blocks[] = {0, 8, 16, 32, 128, 256, 512, 1024}; /* 0: 64 */

/* Types of each size and kind, tests of each kind, and limits that select kernels without subgroup
 * operations. compact.c tests all choices, with the same code for elements. */
static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_U8,  VKR_TYPE_F16,
                                VKR_TYPE_I64, VKR_TYPE_F64, VKR_TYPE_BF16};
static const struct {
    predicate_row predicate;
    bool gpu_constants;
} predicates[] = {
    {TEST_NONZERO, false},    {TEST_COMPARE, false}, {TEST_COMPARE, true},
    {TEST_FINITE, false},     {TEST_NAN, false},     {TEST_BITS, false},
    {TEST_FLAGS_BITS, false}, {TEST_UNIQUE, false},  {TEST_CONTINUED, false},
};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL, LIMITS_WIDE};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 0}, {0, 1}, {0, 3}, {8, 4}, {128, 2}, {256, 1}};

/* The types of the GPU's count and of the append position. */
static const VkrType counts[][2] = {
    {VKR_TYPE_UNDEFINED, VKR_TYPE_UNDEFINED},
    {VKR_TYPE_U32, VKR_TYPE_UNDEFINED},
    {VKR_TYPE_UNDEFINED, VKR_TYPE_U32},
    {VKR_TYPE_U64, VKR_TYPE_U32},
    {VKR_TYPE_U32, VKR_TYPE_U64},
};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_ALGORITHM] = VKR_COMPACT_ALGORITHM_COUNT - VKR_COMPACT_HORN,
    [AXIS_BLOCK] = ARRAY_SIZE(blocks),
    [AXIS_BLOCK_SCAN] = VKR_BLOCK_SCAN_COUNT,
    [AXIS_SEARCH] = VKR_STREAM_SEARCH_COUNT,
    [AXIS_CONCATENATION] = VKR_CONCATENATION_COUNT,
    [AXIS_TYPE] = ARRAY_SIZE(types),
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_PREDICATE] = ARRAY_SIZE(predicates),
    [AXIS_OUTPUTS] = ARRAY_SIZE(output_sets),
    [AXIS_PAYLOADS] = ARRAY_SIZE(payloads),
    [AXIS_INDICES] = 3,
    [AXIS_LIMITS] = ARRAY_SIZE(limits),
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_COUNTS] = ARRAY_SIZE(counts),
    [AXIS_NEGATE] = 2,
    [AXIS_LOADS] = VKR_LOAD_PATH_COUNT,
};

static compact_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType indices[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    return (compact_row){
        .type = types[axes[AXIS_TYPE]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .predicate = predicates[axes[AXIS_PREDICATE]].predicate,
        .gpu_constants = predicates[axes[AXIS_PREDICATE]].gpu_constants,
        .negate = axes[AXIS_NEGATE] != 0,
        .outputs = output_sets[axes[AXIS_OUTPUTS]],
        .payloads = payloads[axes[AXIS_PAYLOADS]],
        .algorithm = (VkrCompactAlgorithm)(VKR_COMPACT_HORN + (int)axes[AXIS_ALGORITHM]),
        .stream = {.block = blocks[axes[AXIS_BLOCK]],
                   .blockScan = (VkrBlockScan)axes[AXIS_BLOCK_SCAN],
                   .search = (VkrStreamSearch)axes[AXIS_SEARCH],
                   .concatenation = (VkrConcatenation)axes[AXIS_CONCATENATION]},
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_COUNTS]][0],
        .append = counts[axes[AXIS_COUNTS]][1],
        .indices = indices[axes[AXIS_INDICES]],
        .limits = limits[axes[AXIS_LIMITS]],
        .tuning = {workgroups[axes[AXIS_WORKGROUP]].geometry, VKR_LOAD_COALESCED,
                   (VkrLoadPath)axes[AXIS_LOADS]},
    };
}

/* Whether the row's algorithm supports its options. */
static bool has_options(const compact_row *row)
{
    const VkrStreamOptions *o = &row->stream;
    const bool in_blocks =
        row->algorithm == VKR_COMPACT_ROGER || row->algorithm == VKR_COMPACT_ROGER_SEQUENTIAL;
    if (!in_blocks && (o->block != 0 || o->concatenation != VKR_CONCATENATION_SEGMENTS))
        return false;
    if (row->algorithm != VKR_COMPACT_ROGER && o->blockScan != VKR_BLOCK_SCAN_HILLIS_STEELE)
        return false;
    return row->algorithm != VKR_COMPACT_ROGER_SEQUENTIAL || o->search == VKR_STREAM_SEARCH_DEFAULT;
}

/* Whether the header allows a row on this device, and the row does not repeat another one. */
static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const compact_row row = make_row(axes);
    if (!has_options(&row) || !a->types[row.type] || !has_limits(a, row.limits) ||
        row.workgroup_size > a->workgroup)
        return false;
    if (row.indices != VKR_TYPE_UNDEFINED && (row.outputs & (OUT_KEPT_INDICES | OUT_LENGTHS)) == 0)
        return false;
    return row.tuning.geometry != 0 || row.tuning.path == VKR_LOAD_ELEMENT;
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 3) * (harness_full() ? 4 : 1);
    const uint64_t before = test.mismatches;
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "streams", axis_sizes, ARRAY_SIZE(blocks), valid_row, &test.device);
    while (rows_next(&list, axes)) {
        const compact_row row = make_row(axes);
        run_compact_row(&test, &row, submits);
    }
    printf("# rows: %u, cases refused: %" PRIu64 "\n", list.rows, test.refused);
    assert_int_equal(test.mismatches, before);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(test.h.validation_messages, 0);
}

/* ---- Known answers ---- */

/* Each algorithm, and each kind of each of its options. */
static const VkrCompactInfo kinds[] = {
    {.algorithm = VKR_COMPACT_HORN},
    {.algorithm = VKR_COMPACT_HORN, .stream = {.search = VKR_STREAM_SEARCH_WHILE}},
    {.algorithm = VKR_COMPACT_BLELLOCH_GATHER},
    {.algorithm = VKR_COMPACT_ROGER, .stream = {.block = 16}},
    {.algorithm = VKR_COMPACT_ROGER,
     .stream = {.block = 8,
                .blockScan = VKR_BLOCK_SCAN_BLELLOCH,
                .search = VKR_STREAM_SEARCH_FOR,
                .concatenation = VKR_CONCATENATION_ELEMENTS}},
    {.algorithm = VKR_COMPACT_ROGER, .stream = {.block = 32, .blockScan = VKR_BLOCK_SCAN_HYBRID}},
    {.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL, .stream = {.block = 8}},
};

static VkrRecorder recorder_of_device(void)
{
    const tuning_row built_in = {0};
    return get_recorder(&test.contexts, LIMITS_DEVICE, &built_in);
}

static void test_streams_figure(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        run_figure(&test, recorder_of_device(), &kinds[i]);
}

static void test_streams_masks(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        run_masks(&test, recorder_of_device(), &kinds[i]);
    assert_int_equal(test.mismatches, before);
}

/* More than 65,535 blocks, the minimum of maxComputeWorkGroupCount. */
static void test_many_blocks(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        compact_row row = {.type = VKR_TYPE_U32,
                           .components = 1,
                           .predicate = TEST_FLAGS_BITS,
                           .outputs = OUT_KEPT_INDICES,
                           .algorithm = kinds[i].algorithm,
                           .stream = kinds[i].stream,
                           .only = 8 * 65536 + 8 * i + 3};
        if (row.stream.block != 0)
            row.stream.block = 8;
        run_compact_row(&test, &row, 2);
    }
    assert_int_equal(test.mismatches, before);
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

HARNESS_MAIN(test.h, "streams", open_all, close_all, cmocka_unit_test(test_streams_figure),
             cmocka_unit_test(test_streams_masks), cmocka_unit_test(test_many_blocks),
             cmocka_unit_test(test_pairs))
