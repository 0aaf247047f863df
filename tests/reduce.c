/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdReduce against the oracle, on the driver that the environment chooses: every operator with
 * every type, all other choices pairwise, and how operations of one recording meet. VKR_TEST_ROWS
 * bounds the rows of the pairwise part for drivers that compile slowly, VKR_TEST_SEED varies them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce.h"

static reduce_test test;

/* ---- Types ---- */

static bool expect_type(VkrType type)
{
    const VkPhysicalDeviceFeatures *features = &test.h.requirements.features.features;
    switch (type) {
    case VKR_TYPE_I8:
    case VKR_TYPE_U8:
        return test.h.requirements.storage8.storageBuffer8BitAccess;
    case VKR_TYPE_I16:
    case VKR_TYPE_U16:
    case VKR_TYPE_F16:
        return test.h.requirements.storage16.storageBuffer16BitAccess;
    case VKR_TYPE_I64:
    case VKR_TYPE_U64:
        return features->shaderInt64;
    case VKR_TYPE_F64:
        return features->shaderInt64 && features->shaderFloat64;
    default:
        return true;
    }
}

static void test_types(void **state)
{
    (void)state;
    const VkrContext context = get_context(&test, LIMITS_DEVICE);
    for (int type = 1; type < VKR_TYPE_COUNT; type++) {
        assert_int_equal(vkrIsTypeSupported(context, (VkrType)type) != 0,
                         expect_type((VkrType)type));
        if (!expect_type((VkrType)type))
            printf("# left out: %s, which the device does not have\n", vkrTypeName((VkrType)type));
    }
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_UNDEFINED));
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_COUNT));
}

/* ---- Pairwise ---- */

/* Every operator is in one of them. */
static const VkrOpFlags op_sets[] = {
    VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
    VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_COUNT,
    VKR_OP_PRODUCT | VKR_OP_NAN,
    VKR_OP_SUMSQ | VKR_OP_L2 | VKR_OP_DOT,
    VKR_OP_L1 | VKR_OP_ABSMAX | VKR_OP_ARGMAX,
    VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
    VKR_OP_SUM,
    VKR_OP_MAX,
    VKR_OP_MEAN,
};

enum {
    AXIS_TYPE,
    AXIS_OPS,
    AXIS_ALGORITHM, /* one past the last: in place */
    AXIS_COMPONENTS,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* two bits */
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT
};

static const uint32_t axis_sizes[AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_OPS] = ARRAY_SIZE(op_sets),
    [AXIS_ALGORITHM] = VKR_REDUCE_ALGORITHM_COUNT + 1,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_DETERMINISM] = 3,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_NAN_AND_ACCUMULATOR] = 4,
    [AXIS_WORKGROUP] = 4,
    [AXIS_GPU_COUNT] = 3,
};

static reduce_row make_row(const uint32_t axes[AXES])
{
    static const uint32_t workgroups[] = {0, 32, 128, 256};
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const bool consume = axes[AXIS_ALGORITHM] == VKR_REDUCE_ALGORITHM_COUNT;
    return (reduce_row){
        .type = type,
        .ops = op_sets[axes[AXIS_OPS]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .accumulator =
            axes[AXIS_NAN_AND_ACCUMULATOR] & 2 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED,
        .nan = axes[AXIS_NAN_AND_ACCUMULATOR] & 1 ? VKR_NAN_PROPAGATE : VKR_NAN_IGNORE,
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = consume ? VKR_REDUCE_RECURSIVE : (VkrReduceAlgorithm)axes[AXIS_ALGORITHM],
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]],
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .consume = consume,
    };
}

static bool takes_consume(const reduce_row *row)
{
    const VkrOpFlags one = VKR_OP_SUM | VKR_OP_MAX | VKR_OP_MEAN;
    if ((row->ops & (row->ops - 1)) != 0 || (row->ops & one) == 0)
        return false;
    return row->ops == VKR_OP_MAX ||
           (expected_type(row->type, row->accumulator, (VkrOp)row->ops) == row->type);
}

/* What the header allows to ask for on this device. */
static bool valid_row(const uint32_t axes[AXES])
{
    const reduce_row row = make_row(axes);
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    const bool canonical = row.determinism == VKR_DETERMINISM_DEVICE;
    if (!expect_type(row.type) || !has_limits(&test, row.limits))
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !expect_type(row.accumulator))
        return false;
    if (is_float(row.type) && (row.ops & bits) != 0)
        return false;
    if (canonical && row.workgroup_size != 0 && row.workgroup_size != VKR_TREE_WIDTH)
        return false;
    return !row.consume || takes_consume(&row);
}

static uint32_t environment(const char *name, uint32_t otherwise)
{
    const char *value = getenv(name);
    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t most = harness_full() ? 100000 : environment("VKR_TEST_ROWS", 100000);
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 4) * (harness_full() ? 4 : 1);
    const uint64_t before = test.mismatches;
    uint32_t axes[AXES];
    static pairs p;
    pairs_begin(&p, axis_sizes, environment("VKR_TEST_SEED", 1), valid_row);
    for (uint32_t i = 0; i < most && pairs_next(&p, valid_row, axes); i++) {
        const reduce_row row = make_row(axes);
        get_context(&test, row.limits);
        run_row(&test, &row, submits);
    }
    printf("# rows: %" PRIu64 ", refused: %" PRIu64 ", pairs: %u of %u\n", test.rows, test.refused,
           p.covered, p.possible);
    assert_int_equal(test.mismatches, before);
    assert_true(test.oracle_cases > 0);
}

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    return open_reduce_test(&test) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    close_reduce_test(&test);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_pairs),
    };
    const int status = harness_open(&test.h);
    if (status != 0)
        return status;
    const int failed = cmocka_run_group_tests_name("reduce", tests, open_all, close_all);
    harness_close(&test.h);
    return failed != 0;
}
