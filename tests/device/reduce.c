/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdReduce against the oracle, on the driver that the environment selects: every operator with
 * every type, all other choices pairwise, and interactions between operations of one recording.
 *
 * For drivers that compile slowly, VKR_TEST_THIN gives each row only small or only large counts,
 * VKR_TEST_WEIGHT limits the product of operators and components of a row, and VKR_TEST_ROWS limits
 * the rows. VKR_TEST_BUDGET limits the time for the list of rows that drivers share
 * (support/turns.h). VKR_TEST_SEED varies everything.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

static reduce_test test;
static const tuning_row built_in;

/* ---- Types ---- */

static void test_types(void **state)
{
    (void)state;
    const VkrContext context = get_context(&test.contexts, LIMITS_DEVICE, &built_in);
    for (int type = 1; type < VKR_TYPE_COUNT; type++) {
        assert_int_equal(vkrIsTypeSupported(context, (VkrType)type) != 0, test.device.types[type]);
        if (!test.device.types[type])
            printf("# left out: %s, which the device does not have\n", vkrTypeName((VkrType)type));
    }
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_UNDEFINED));
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_COUNT));
}

/* ---- Pairwise ---- */

/* Every operator is in one of these sets. */
#define COVERING_SETS 8
#define COVERING_ROWS 88 /* enough for each of these sets with every type */
static const VkrOpFlags op_sets[COVERING_SETS] = {
    VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
    VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_COUNT,
    VKR_OP_PRODUCT | VKR_OP_NAN,
    VKR_OP_SUMSQ | VKR_OP_L2 | VKR_OP_DOT,
    VKR_OP_L1 | VKR_OP_ABSMAX | VKR_OP_ARGMAX,
    VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
    VKR_OP_VARIANCE | VKR_OP_COUNT,
    VKR_OP_STDDEV | VKR_OP_MEAN | VKR_OP_SUM,
};

/* One more set has a single operator, which depends on the number of components. Reductions in
 * place support only one operator. */
static const VkrOp single_ops[VKR_MAX_COMPONENTS] = {VKR_OP_SUM, VKR_OP_MAX, VKR_OP_MEAN,
                                                     VKR_OP_MAX};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {32, 4}, {128, 2}, {256, 1}};

enum {
    AXIS_TYPE,
    AXIS_OPS,
    AXIS_ALGORITHM, /* the value after the last algorithm: in place */
    AXIS_COMPONENTS,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* the accumulator is the lowest bit */
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_LOADS,
    AXIS_ORDER
};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_OPS] = COVERING_SETS + 1,
    [AXIS_ALGORITHM] = FLAT_ALGORITHMS + 1,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_DETERMINISM] = 3,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_NAN_AND_ACCUMULATOR] = 6,
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_GPU_COUNT] = 3,
    [AXIS_LOADS] = VKR_LOAD_PATH_COUNT,
    [AXIS_ORDER] = VKR_LOAD_ORDER_COUNT,
};

/* Ways of loading that a row supports. If a profile requests another one, the library falls back to
 * one of these, or to loads by element. */
enum { OPEN_PACKS = 1, OPEN_U64 = 2, OPEN_TEXEL = 4 };

static uint32_t open_loads(const abilities *a, const reduce_row *row)
{
    const bool dot = (row->ops & VKR_OP_DOT) != 0;
    if (row->determinism == VKR_DETERMINISM_DEVICE || row->consume ||
        row->algorithm == VKR_REDUCE_TREE || row->algorithm == VKR_REDUCE_RECURSIVE)
        return 0;
    if (row->components > 1 || !has_arithmetic(a, row->limits))
        return OPEN_PACKS;
    return OPEN_PACKS | (a->types[VKR_TYPE_U64] ? OPEN_U64 : 0) | (dot ? 0 : OPEN_TEXEL);
}

static void choose_tuning(const abilities *a, reduce_row *row, VkrLoadPath path, VkrLoadOrder order)
{
    const uint32_t open = open_loads(a, row);
    const bool falls_back = open == 0 || path == VKR_LOAD_VEC4;
    row->packs = open != 0 && path != VKR_LOAD_ELEMENT;
    row->tuning.order = open != 0 ? order : VKR_LOAD_CONTIGUOUS;
    row->tuning.path = path;
    if (falls_back && (open & OPEN_TEXEL) == 0 && row->components % 2 != 0)
        row->tuning.path = VKR_LOAD_TEXEL;
    else if (falls_back && (open & OPEN_U64) == 0)
        row->tuning.path = VKR_LOAD_U64;
}

static bool supports_loads(const abilities *a, const reduce_row *row, VkrLoadPath path,
                           VkrLoadOrder order)
{
    static const uint32_t needs[VKR_LOAD_PATH_COUNT] = {
        [VKR_LOAD_VEC4] = OPEN_PACKS, [VKR_LOAD_U64] = OPEN_U64, [VKR_LOAD_TEXEL] = OPEN_TEXEL};
    const uint32_t open = open_loads(a, row);
    return (open & needs[path]) == needs[path] && (open != 0 || order == VKR_LOAD_COALESCED);
}

static reduce_row make_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const bool consume = axes[AXIS_ALGORITHM] == FLAT_ALGORITHMS;
    reduce_row row = {
        .type = type,
        .ops = axes[AXIS_OPS] < COVERING_SETS ? op_sets[axes[AXIS_OPS]]
                                              : (VkrOpFlags)single_ops[axes[AXIS_COMPONENTS]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .accumulator =
            axes[AXIS_NAN_AND_ACCUMULATOR] % 2 != 0 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED,
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .sample = axes[AXIS_COMPONENTS] % 2 != 0,
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = consume ? VKR_REDUCE_RECURSIVE : (VkrReduceAlgorithm)axes[AXIS_ALGORITHM],
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .consume = consume,
        .tuning.geometry = workgroups[axes[AXIS_WORKGROUP]].geometry,
    };
    choose_tuning(a, &row, (VkrLoadPath)axes[AXIS_LOADS], (VkrLoadOrder)axes[AXIS_ORDER]);
    return row;
}

static VkrOpFlags operators_of(VkrType type)
{
    const VkrOpFlags all = ((VkrOpFlags)1 << VKR_OP_BITS) - 1;
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    return is_float(type) ? all & ~bits : all;
}

/* The number of results of a row, with which the time to compile grows. */
static uint32_t weight(const reduce_row *row)
{
    uint32_t operators = 0;
    for (VkrOpFlags left = row->ops; left != 0; left &= left - 1)
        operators++;
    return operators * row->components;
}

static bool supports_consume(const reduce_row *row)
{
    const VkrOpFlags one = VKR_OP_SUM | VKR_OP_MAX | VKR_OP_MEAN;
    if ((row->ops & (row->ops - 1)) != 0 || (row->ops & one) == 0 || row->nan == VKR_NAN_SKIP)
        return false;
    return row->ops == VKR_OP_MAX ||
           (expected_type(row->type, row->accumulator, (VkrOp)row->ops) == row->type);
}

/* Whether the header allows a row on this device. */
static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const reduce_row row = make_row(a, axes);
    const bool canonical = row.determinism == VKR_DETERMINISM_DEVICE;
    if (!a->types[row.type] || !has_limits(a, row.limits) || row.workgroup_size > a->workgroup ||
        weight(&row) > a->weight)
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !a->types[row.accumulator])
        return false;
    if ((row.ops & ~operators_of(row.type)) != 0)
        return false;
    if (canonical && row.workgroup_size != 0 && row.workgroup_size != VKR_TREE_WIDTH)
        return false;
    if (!supports_loads(a, &row, (VkrLoadPath)axes[AXIS_LOADS], (VkrLoadOrder)axes[AXIS_ORDER]))
        return false;
    return !row.consume || supports_consume(&row);
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 6) * (harness_full() ? 8 : 1);
    const uint64_t before = test.mismatches;
    uint32_t axes[MAX_AXES];
    VkrOpFlags seen[VKR_TYPE_COUNT] = {0};
    static row_list list;
    rows_begin(&list, "reduce", axis_sizes, COVERING_SETS, valid_row, &test.device);
    while (rows_next(&list, axes)) {
        const reduce_row row = make_row(&test.device, axes);
        run_row(&test, &row, submits);
        seen[row.type] |= row.ops;
    }
    printf("# rows: %u, refused as they should be: %" PRIu64 "\n", list.rows, test.refused);
    assert_int_equal(test.mismatches, before);
    printf("# dispatches that load texels: %" PRIu64 "\n", texel_bindings());
    assert_int_equal(limit_violations(), 0);
    assert_true(list.rows < COVERING_ROWS || texel_bindings() > 0);
    if (list.rows < COVERING_ROWS)
        printf("# too few rows for every operator with every type\n");
    for (int type = 1; type < VKR_TYPE_COUNT && list.rows >= COVERING_ROWS; type++)
        if (test.device.types[type])
            assert_int_equal(seen[type], operators_of((VkrType)type));
}

/* ---- Many operators, and operations that meet ---- */

static void test_all_operators(void **state)
{
    (void)state;
    const uint64_t before = test.mismatches;
    const reduce_row words = {
        .type = VKR_TYPE_U32, .ops = operators_of(VKR_TYPE_U32), .components = 1};
    const reduce_row floats = {.type = VKR_TYPE_F32,
                               .ops = operators_of(VKR_TYPE_F32),
                               .components = 1,
                               .gpu_count = VKR_TYPE_U32};
    run_row(&test, &words, 2);
    run_row(&test, &floats, 2);
    assert_int_equal(test.mismatches, before);
}

#define CHAIN 30000u

static VkrReduceInfo word_sum(VkDeviceSize offset, VkDeviceSize output)
{
    return (VkrReduceInfo){
        .ops = VKR_OP_SUM,
        .input = {.buffer = test.buffers[BUFFER_INPUT].buffer.buffer,
                  .offset = offset,
                  .size = 4 * CHAIN,
                  .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .output = {test.buffers[BUFFER_INPUT].buffer.buffer, output, 4},
    };
}

static uint32_t sum_words(const uint32_t *words, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* One recording of three reductions. The first result is the count of the second reduction. The
 * second result lies in the middle of the third reduction's input, and the third result replaces
 * it. */
static void test_chain(void **state)
{
    (void)state;
    uint32_t *words = test.buffers[BUFFER_INPUT].buffer.data;
    const VkDeviceSize first = 4, second = first + 4 * CHAIN + 4, third = second + 4 * CHAIN;
    const VkDeviceSize count_at = third + 4 * CHAIN + 4, inside = third + 4 * 777;
    for (int limits = 0; limits <= LIMITS_SMALL; limits++) {
        memset(words, 0, count_at + 8);
        for (uint32_t i = 0; i < 20011; i++)
            words[1 + i] = 1;
        for (uint32_t i = 0; i < 2 * CHAIN; i++)
            words[second / 4 + i] = (uint32_t)next_random(&test.random);
        VkrReduceInfo infos[3] = {word_sum(first, count_at), word_sum(second, inside),
                                  word_sum(third, inside)};
        infos[1].gpuCount = (VkrGpuCount){test.buffers[BUFFER_INPUT].buffer.buffer, count_at, 0};
        const uint32_t partial = sum_words(words + second / 4, 20011);
        words[inside / 4] = partial;
        const uint32_t total = sum_words(words + third / 4, CHAIN);
        words[inside / 4] = 0xdeadbeef;
        run_infos(&test, (limits_row)limits, &built_in, infos, 3);
        assert_int_equal(words[count_at / 4], 20011);
        assert_int_equal(words[inside / 4], total);
        test.oracle_cases += 2;
    }
}

/* Independent operations of one recording, each larger than a workgroup's share. */
static void test_side_by_side(void **state)
{
    (void)state;
    VkrReduceInfo infos[8];
    uint32_t *words = test.buffers[BUFFER_INPUT].buffer.data, expected[8];
    VkrReduceLayout layout;
    const VkrReduceInfo any = word_sum(0, 0);
    assert_true(harness_check(
        &test.h,
        vkrGetReduceLayout(get_context(&test.contexts, LIMITS_DEVICE, &built_in), &any, &layout),
        "vkrGetReduceLayout"));
    for (uint32_t i = 0; i < 8 * CHAIN; i++)
        words[i] = (uint32_t)next_random(&test.random);
    for (uint32_t k = 0; k < 8; k++) {
        infos[k] = word_sum(4 * (VkDeviceSize)k * CHAIN, 0);
        infos[k].algorithm = (VkrReduceAlgorithm)(k % FLAT_ALGORITHMS);
        infos[k].output =
            (VkrBufferRange){test.buffers[BUFFER_OUTPUT].buffer.buffer, k * layout.spacing, 4};
        expected[k] = sum_words(words + k * CHAIN, CHAIN);
    }
    run_infos(&test, LIMITS_DEVICE, &built_in, infos, 8);
    for (uint32_t k = 0; k < 8; k++)
        assert_memory_equal((char *)test.buffers[BUFFER_OUTPUT].buffer.data + k * layout.spacing,
                            &expected[k], 4);
    test.oracle_cases += 8;
}

/* Two inputs at every distance from a multiple of the widest load, which is used only if the two
 * distances are equal. */
static void test_dot_phases(void **state)
{
    (void)state;
    const tuning_row wide = {.geometry = 1, .path = VKR_LOAD_U64};
    const uint32_t *words = test.buffers[BUFFER_INPUT].buffer.data;
    VkrReduceInfo infos[8];
    VkrReduceLayout layout;
    const VkrReduceInfo any = word_sum(0, 0);
    assert_true(harness_check(
        &test.h,
        vkrGetReduceLayout(get_context(&test.contexts, LIMITS_DEVICE, &wide), &any, &layout),
        "vkrGetReduceLayout"));
    fill_data(&test.random, DATA_RANDOM, VKR_TYPE_U32, 1, test.buffers[BUFFER_INPUT].buffer.data, 4,
              CHAIN + 8);
    for (uint32_t b = 0; b < 8; b++) {
        for (uint32_t a = 0; a < 8; a++) {
            infos[a] = word_sum(4 * (VkDeviceSize)a, 0);
            infos[a].ops = VKR_OP_DOT;
            infos[a].input2 = infos[a].input;
            infos[a].input2.offset = 4 * (VkDeviceSize)b;
            infos[a].output =
                (VkrBufferRange){test.buffers[BUFFER_OUTPUT].buffer.buffer, a * layout.spacing, 4};
        }
        run_infos(&test, LIMITS_DEVICE, &wide, infos, 8);
        for (uint32_t a = 0; a < 8; a++) {
            uint32_t expected = 0;
            for (uint32_t i = 0; i < CHAIN; i++)
                expected += words[a + i] * words[b + i];
            assert_memory_equal(
                (char *)test.buffers[BUFFER_OUTPUT].buffer.data + a * layout.spacing, &expected, 4);
        }
    }
    test.oracle_cases += 64;
}

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.thin = environment("VKR_TEST_THIN", 0) != 0 && !harness_full();
    test.device = device_abilities(&test.h);
    return open_reduce_test(&test) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    printf("# pipelines: %u\n", count_pipelines());
    close_reduce_test(&test);
    return 0;
}

HARNESS_MAIN(test.h, "reduce", open_all, close_all, cmocka_unit_test(test_types),
             cmocka_unit_test(test_chain), cmocka_unit_test(test_side_by_side),
             cmocka_unit_test(test_all_operators), cmocka_unit_test(test_dot_phases),
             cmocka_unit_test(test_pairs))
