/* SPDX-License-Identifier: MIT */
/*
 * Reductions of segments against the oracle: all choices pairwise, sizes that need several
 * dispatches, and a million segments at once.
 *
 * VKR_TEST_ROWS limits the rows, VKR_TEST_BUDGET the time for the list that drivers share
 * (support/turns.h), VKR_TEST_SUBMITS is the number of submissions per row, VKR_TEST_SHAPES limits
 * the sizes, and VKR_TEST_SEED varies everything.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segments_case.h"

#define BUFFER_BYTES (8u << 20)
#define MANY 1000000u

static segment_test test;

enum {
    AXIS_KIND,
    AXIS_ALGORITHM, /* auto, and the algorithms of segments */
    AXIS_OPS,
    AXIS_TYPE,
    AXIS_COMPONENTS,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* the accumulator is the lowest bit */
    AXIS_GPU_COUNT,
    AXIS_LOADS,
};

static const VkrSegmentKind kinds[] = {VKR_SEGMENTS_ROWS, VKR_SEGMENTS_OFFSETS,
                                       VKR_SEGMENTS_COLUMNS, VKR_SEGMENTS_WINDOWS};
static const VkrOpFlags op_sets[] = {
    VKR_OP_SUM,
    VKR_OP_MIN | VKR_OP_ARGMAX,
    VKR_OP_MAX | VKR_OP_COUNT,
    VKR_OP_MEAN | VKR_OP_ARGMIN,
    VKR_OP_L2 | VKR_OP_L1,
    VKR_OP_PRODUCT | VKR_OP_ABSMAX,
    VKR_OP_SUMSQ | VKR_OP_NAN,
    VKR_OP_DOT | VKR_OP_MIN,
    VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
    VKR_OP_VARIANCE | VKR_OP_MAX,
    VKR_OP_STDDEV | VKR_OP_COUNT,
};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_KIND] = ARRAY_SIZE(kinds),
    [AXIS_ALGORITHM] = VKR_REDUCE_SPLIT - VKR_REDUCE_LANES + 2,
    [AXIS_OPS] = ARRAY_SIZE(op_sets),
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_DETERMINISM] = 3,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_NAN_AND_ACCUMULATOR] = 6,
    [AXIS_GPU_COUNT] = 3,
    [AXIS_LOADS] = VKR_LOAD_PATH_COUNT,
};

static segment_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const uint32_t algorithm = axes[AXIS_ALGORITHM];
    return (segment_row){
        .type = type,
        .ops = op_sets[axes[AXIS_OPS]],
        .kind = kinds[axes[AXIS_KIND]],
        .algorithm = algorithm == 0 ? VKR_REDUCE_AUTO
                                    : (VkrReduceAlgorithm)(VKR_REDUCE_LANES + algorithm - 1),
        .components = axes[AXIS_COMPONENTS] + 1,
        .accumulator =
            axes[AXIS_NAN_AND_ACCUMULATOR] % 2 != 0 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED,
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .sample = axes[AXIS_COMPONENTS] % 2 != 0,
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .offset_type = axes[AXIS_COMPONENTS] % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_U64,
        .tuning = {.geometry = axes[AXIS_LOADS] == 0 ? 0 : 1 + axes[AXIS_COMPONENTS],
                   .path = (VkrLoadPath)axes[AXIS_LOADS],
                   .order = (VkrLoadOrder)(axes[AXIS_GPU_COUNT] % 2)},
    };
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const segment_row row = make_row(axes);
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    if (!a->types[row.type] || !has_limits(a, row.limits))
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !a->types[row.accumulator])
        return false;
    if (is_float(row.type) && (row.ops & bits) != 0)
        return false;
    return row.algorithm != VKR_REDUCE_MERGE ||
           (has_shuffles(a, row.limits) && row.determinism != VKR_DETERMINISM_DEVICE);
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = harness_full() ? 12 : environment("VKR_TEST_SUBMITS", 3);
    const uint64_t before = test.mismatches;
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "segments", axis_sizes, VKR_REDUCE_SPLIT + 1, valid_row, &test.device);
    rows_add_triples(&list,
                     1u << AXIS_KIND | 1u << AXIS_ALGORITHM | 1u << AXIS_OPS | 1u << AXIS_TYPE |
                         1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS,
                     &test.contexts);
    test.thin = list.lanes[0].turns.limited;
    while (rows_next(&list, axes)) {
        const segment_row row = make_row(axes);
        run_segment_row(&test, &row, 12, submits);
    }
    test.thin = false;
    printf("# rows: %u, served: %" PRIu64 ", refused: %" PRIu64 "\n", list.rows, test.served,
           test.refused);
    assert_int_equal(test.mismatches, before);
    assert_int_equal(limit_violations(), 0);
    /* If there are few rows, a device or a forced algorithm may refuse all of them. */
    assert_true(test.rows < 10 || test.refused < test.served / 2);
}

/* ---- Sizes that need several dispatches ---- */

/* Runs some of the given sizes, and stops at the first one with a mismatch. VKR_TEST_SHAPES=n
 * selects one in n of all, by the seed, for drivers that compile slowly. */
static void run_shapes(segment_shapes first)
{
    const uint64_t before = test.mismatches;
    const uint32_t step = harness_full() ? 1 : environment("VKR_TEST_SHAPES", 1);
    const uint32_t chosen = environment("VKR_TEST_SEED", 1) % step;
    for (uint32_t i = segments_first_shape(first); i < segments_first_shape(first + 1); i++) {
        if (i % step == chosen)
            segments_run_shape(&test, i);
        assert_int_equal(test.mismatches, before);
    }
    assert_int_equal(limit_violations(), 0);
}

static void test_shapes(void **state)
{
    (void)state;
    run_shapes(SHAPES_LARGE);
}

static void test_columns(void **state)
{
    (void)state;
    run_shapes(SHAPES_COLUMNS);
}

static void test_neighbours(void **state)
{
    (void)state;
    run_shapes(SHAPES_NEIGHBOURS);
}

static void test_trees(void **state)
{
    (void)state;
    run_shapes(SHAPES_TREES);
}

/* ---- A million segments ---- */

typedef struct million {
    harness_buffer data, offsets, output;
} million;

static bool open_million(million *m)
{
    return harness_create_buffer(&test.h, 16 * MANY, &m->data) &&
           harness_create_buffer(&test.h, 4 * (MANY + 1), &m->offsets) &&
           harness_create_buffer(&test.h, 4 * MANY, &m->output);
}

static void close_million(million *m)
{
    harness_destroy_buffer(&test.h, &m->data);
    harness_destroy_buffer(&test.h, &m->offsets);
    harness_destroy_buffer(&test.h, &m->output);
}

static void run_million(const million *m, VkrSegments segments, uint64_t count)
{
    const tuning_row built_in = {0};
    const VkrRecorder recorder = get_recorder(&test.contexts, LIMITS_DEVICE, &built_in);
    const VkrReduceInfo info = {
        .ops = VKR_OP_SUM,
        .input = {.buffer = m->data.buffer, .size = 4 * count, .type = VKR_TYPE_U32},
        .count = count,
        .output = {m->output.buffer, 0, 4 * MANY},
        .segments = segments,
    };
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    memset(m->output.data, 0xee, 4 * MANY);
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    assert_true(harness_begin(&test.h));
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    assert_true(harness_check(&test.h, vkrReset(recorder), "vkrReset"));
}

static void check_million(const million *m)
{
    const uint32_t *data = m->data.data, *offsets = m->offsets.data, *output = m->output.data;
    uint32_t wrong = 0;
    for (uint32_t s = 0; s < MANY; s++) {
        uint32_t sum = 0;
        for (uint32_t i = offsets[s]; i < offsets[s + 1]; i++)
            sum += data[i];
        if (sum != output[s] && wrong++ < 3)
            printf("# segment %u, %u elements: %u, but should be %u\n", s,
                   offsets[s + 1] - offsets[s], output[s], sum);
    }
    assert_int_equal(wrong, 0);
    test.oracle_cases += MANY;
}

/* Rows of 3 elements; then segments by offsets: most are empty or tiny, some are longer, and one
 * has a million elements. */
static void test_million(void **state)
{
    (void)state;
    million m;
    assert_true(open_million(&m));
    uint32_t *data = m.data.data, *offsets = m.offsets.data;
    for (uint32_t i = 0; i < 4 * MANY; i++)
        data[i] = (uint32_t)next_random(&test.random);
    for (uint32_t s = 0; s <= MANY; s++)
        offsets[s] = 3 * s;
    run_million(&m, (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 3}, 3 * MANY);
    check_million(&m);
    for (uint32_t s = 0; s < MANY; s++) {
        const uint32_t length = s == 777777       ? MANY
                                : s % 1000 == 999 ? 500 + random_below(&test.random, 500)
                                                  : random_below(&test.random, 4);
        offsets[s + 1] = offsets[s] + length < 4 * MANY ? offsets[s] + length : 4 * MANY;
    }
    run_million(&m,
                (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                              .offsets = {m.offsets.buffer, 0, 4 * (MANY + 1)}},
                4 * MANY);
    check_million(&m);
    close_million(&m);
}

static int open_all(void **state)
{
    (void)state;
    static const char *const names[] = {"input", "input2", "counts", "output"};
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.h.loader = limits_proc;
    test.contexts.h = &test.h;
    test.device = device_abilities(&test.h);
    for (int i = 0; i < SEGMENTS_BUFFERS; i++)
        if (!open_arena(&test.h, names[i], BUFFER_BYTES, &test.buffers[i]))
            return -1;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    printf("# pipelines: %u\n", count_pipelines());
    close_contexts(&test.contexts);
    for (int i = 0; i < SEGMENTS_BUFFERS; i++)
        close_arena(&test.h, &test.buffers[i]);
    return 0;
}

HARNESS_MAIN(test.h, "segments", open_all, close_all, cmocka_unit_test(test_shapes),
             cmocka_unit_test(test_columns), cmocka_unit_test(test_neighbours),
             cmocka_unit_test(test_trees), cmocka_unit_test(test_million),
             cmocka_unit_test(test_pairs))
