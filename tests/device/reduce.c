/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdReduce against the oracle: every operator with every type, all other choices, and
 * interactions between operations of one recording. VKR_TEST_WEIGHT limits the product of operators
 * and components of a row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_request.h"

static const tuning_row built_in;

/* ---- Types ---- */

static void test_types(void **state)
{
    (void)state;
    const VkrContext context = get_context(&rig.contexts, LIMITS_DEVICE, &built_in);
    for (int type = 1; type < VKR_TYPE_COUNT; type++) {
        assert_int_equal(vkrIsTypeSupported(context, (VkrType)type) != 0, rig.device.types[type]);
        if (!rig.device.types[type])
            printf("# left out: %s, which the device does not have\n", vkrTypeName((VkrType)type));
    }
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_UNDEFINED));
    assert_false(vkrIsTypeSupported(context, VKR_TYPE_COUNT));
}

/* ---- Pairwise ---- */

/* Every operator is in one of these sets. */
#define COVERING_SETS 9
#define COVERING_ROWS 92 /* enough for each of these sets with every type */
static const VkrOpFlags op_sets[COVERING_SETS] = {
    VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
    VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_COUNT,
    VKR_OP_PRODUCT | VKR_OP_NAN,
    VKR_OP_SUMSQ | VKR_OP_L2 | VKR_OP_DOT,
    VKR_OP_L1 | VKR_OP_ABSMAX | VKR_OP_ARGMAX,
    VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
    VKR_OP_VARIANCE | VKR_OP_COUNT,
    VKR_OP_STDDEV | VKR_OP_MEAN | VKR_OP_SUM,
    VKR_OP_LOGSUMEXP | VKR_OP_MAX,
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

/* Ways of loading that a row supports. If a profile requests another one, the library falls back to
 * one of these, or to loads by element. */
enum { OPEN_PACKS = 1, OPEN_U64 = 2, OPEN_TEXEL = 4 };

static uint32_t open_loads(const abilities *a, const reduce_row *row, limits_row limits)
{
    const bool dot = (row->ops & VKR_OP_DOT) != 0;
    if (row->determinism == VKR_DETERMINISM_DEVICE || row->consume ||
        row->algorithm == VKR_REDUCE_TREE || row->algorithm == VKR_REDUCE_RECURSIVE)
        return 0;
    if (row->components > 1 || !has_arithmetic(a, limits))
        return OPEN_PACKS;
    return OPEN_PACKS | (a->types[VKR_TYPE_U64] ? OPEN_U64 : 0) | (dot ? 0 : OPEN_TEXEL);
}

static reduce_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const bool consume = axes[AXIS_ALGORITHM] == FLAT_ALGORITHMS;
    return (reduce_row){
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
        .consume = consume,
    };
}

static bool supports_loads(const abilities *a, const reduce_row *row, const uint32_t axes[MAX_AXES])
{
    static const uint32_t needs[VKR_LOAD_PATH_COUNT] = {
        [VKR_LOAD_VEC4] = OPEN_PACKS, [VKR_LOAD_U64] = OPEN_U64, [VKR_LOAD_TEXEL] = OPEN_TEXEL};
    const uint32_t open = open_loads(a, row, (limits_row)axes[AXIS_LIMITS]);
    const uint32_t need = needs[axes[AXIS_LOADS]];
    return (open & need) == need && (open != 0 || axes[AXIS_ORDER] == VKR_LOAD_COALESCED);
}

static void context(test_request *t)
{
    reduce_request *q = t->own;
    const uint32_t *axes = t->axes;
    const reduce_row row = make_row(axes);
    const VkrLoadPath path = (VkrLoadPath)axes[AXIS_LOADS];
    t->limits = (limits_row)axes[AXIS_LIMITS];
    const uint32_t open = open_loads(&rig.device, &row, t->limits);
    const bool falls_back = open == 0 || path == VKR_LOAD_VEC4;
    t->tuning.geometry = workgroups[axes[AXIS_WORKGROUP]].geometry;
    t->tuning.order = open != 0 ? (VkrLoadOrder)axes[AXIS_ORDER] : VKR_LOAD_CONTIGUOUS;
    t->tuning.path = path;
    if (falls_back && (open & OPEN_TEXEL) == 0 && row.components % 2 != 0)
        t->tuning.path = VKR_LOAD_TEXEL;
    else if (falls_back && (open & OPEN_U64) == 0)
        t->tuning.path = VKR_LOAD_U64;
    if (q == NULL)
        return;
    q->row = row;
    q->row.packs = open != 0 && path != VKR_LOAD_ELEMENT;
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
static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const reduce_row row = make_row(axes);
    const bool canonical = row.determinism == VKR_DETERMINISM_DEVICE;
    if (!a->types[row.type] || !has_limits(a, (limits_row)axes[AXIS_LIMITS]) ||
        row.workgroup_size > a->workgroup || weight(&row) > a->weight)
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !a->types[row.accumulator])
        return false;
    if ((row.ops & ~operators_of(row.type, row.accumulator)) != 0)
        return false;
    if (canonical && row.workgroup_size != 0 && row.workgroup_size != VKR_TREE_WIDTH)
        return false;
    return supports_loads(a, &row, axes) && (!row.consume || supports_consume(&row));
}

static VkrOpFlags seen[VKR_TYPE_COUNT];

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    const reduce_row *row = &((const reduce_request *)t->own)->row;
    seen[row->type] |= row->ops;
    return reduce_record(recorder, t);
}

/* Rows of drivers that compile slowly have only small or only large counts. */
static bool has_layout(uint64_t seed, uint32_t layout, bool thin)
{
    if (!thin)
        return layout < REDUCE_EDGES;
    return seed % 2 == 0 ? layout >= REDUCE_EDGES && layout < REDUCE_EDGES + REDUCE_SMALL
                         : layout >= REDUCE_EDGES + REDUCE_SMALL;
}

static bool enough(uint32_t rows)
{
    printf("# dispatches that load texels: %llu\n", (unsigned long long)texel_bindings());
    if (rows < COVERING_ROWS) {
        printf("# too few rows for every operator with every type\n");
        return true;
    }
    for (int type = 1; type < VKR_TYPE_COUNT; type++)
        if (rig.device.types[type] && seen[type] != operators_of((VkrType)type, 0))
            return false;
    return texel_bindings() > 0;
}

static bool make_all_operators(test_request *t, uint32_t number)
{
    reduce_request *q = t->own;
    const VkrType type = number % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_F32;
    t->layout = number / 2;
    q->row = (reduce_row){.type = type,
                          .ops = operators_of(type, 0),
                          .components = 1,
                          .gpu_count = number % 2 == 0 ? VKR_TYPE_UNDEFINED : VKR_TYPE_U32};
    reduce_place(t);
    return true;
}

/* ---- Operations that meet ---- */

static void run_infos(limits_row limits, const tuning_row *tuning, const VkrReduceInfo *infos,
                      uint32_t count)
{
    const VkrEndInfo end = {.commandBuffer = rig.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkrRecorder recorder = get_recorder(&rig.contexts, limits, tuning);
    assert_true(harness_check(&rig.h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < count; i++)
        assert_true(harness_check(&rig.h, vkrCmdReduce(recorder, &infos[i]), "vkrCmdReduce"));
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&rig.h) && harness_check(&rig.h, vkrEnd(recorder, &end), "vkrEnd") &&
                harness_end(&rig.h) && harness_submit(&rig.h));
    assert_true(harness_check(&rig.h, vkrReset(recorder), "vkrReset"));
}

#define CHAIN 30000u

static uint64_t words_state;

static VkrReduceInfo word_sum(VkDeviceSize offset, VkDeviceSize output)
{
    return (VkrReduceInfo){
        .ops = VKR_OP_SUM,
        .input = {.buffer = rig.given.buffer.buffer,
                  .offset = offset,
                  .size = 4 * CHAIN,
                  .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .output = {rig.given.buffer.buffer, output, 4},
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
    uint32_t *words = rig.given.buffer.data;
    const VkDeviceSize first = 4, second = first + 4 * CHAIN + 4, third = second + 4 * CHAIN;
    const VkDeviceSize count_at = third + 4 * CHAIN + 4, inside = third + 4 * 777;
    for (int limits = 0; limits <= LIMITS_SMALL; limits++) {
        memset(words, 0, count_at + 8);
        for (uint32_t i = 0; i < 20011; i++)
            words[1 + i] = 1;
        for (uint32_t i = 0; i < 2 * CHAIN; i++)
            words[second / 4 + i] = (uint32_t)next_random(&words_state);
        VkrReduceInfo infos[3] = {word_sum(first, count_at), word_sum(second, inside),
                                  word_sum(third, inside)};
        infos[1].gpuCount = (VkrGpuCount){rig.given.buffer.buffer, count_at, 0};
        const uint32_t partial = sum_words(words + second / 4, 20011);
        words[inside / 4] = partial;
        const uint32_t total = sum_words(words + third / 4, CHAIN);
        words[inside / 4] = 0xdeadbeef;
        run_infos((limits_row)limits, &built_in, infos, 3);
        assert_int_equal(words[count_at / 4], 20011);
        assert_int_equal(words[inside / 4], total);
        rig.cases += 2;
    }
}

/* Independent operations of one recording, each larger than a workgroup's share. */
static void test_side_by_side(void **state)
{
    (void)state;
    VkrReduceInfo infos[8];
    uint32_t *words = rig.given.buffer.data, expected[8];
    VkrReduceLayout layout;
    const VkrReduceInfo any = word_sum(0, 0);
    assert_true(harness_check(
        &rig.h,
        vkrGetReduceLayout(get_context(&rig.contexts, LIMITS_DEVICE, &built_in), &any, &layout),
        "vkrGetReduceLayout"));
    for (uint32_t i = 0; i < 8 * CHAIN; i++)
        words[i] = (uint32_t)next_random(&words_state);
    for (uint32_t k = 0; k < 8; k++) {
        infos[k] = word_sum(4 * (VkDeviceSize)k * CHAIN, 0);
        infos[k].algorithm = (VkrReduceAlgorithm)(k % FLAT_ALGORITHMS);
        infos[k].output = (VkrBufferRange){rig.written.buffer.buffer, k * layout.spacing, 4};
        expected[k] = sum_words(words + k * CHAIN, CHAIN);
    }
    run_infos(LIMITS_DEVICE, &built_in, infos, 8);
    for (uint32_t k = 0; k < 8; k++)
        assert_memory_equal((char *)rig.written.buffer.data + k * layout.spacing, &expected[k], 4);
    rig.cases += 8;
}

/* Two inputs at every distance from a multiple of the widest load, which is used only if the two
 * distances are equal. */
static void test_dot_phases(void **state)
{
    (void)state;
    const tuning_row wide = {.geometry = 1, .path = VKR_LOAD_U64};
    const uint32_t *words = rig.given.buffer.data;
    VkrReduceInfo infos[8];
    VkrReduceLayout layout;
    const VkrReduceInfo any = word_sum(0, 0);
    assert_true(harness_check(
        &rig.h, vkrGetReduceLayout(get_context(&rig.contexts, LIMITS_DEVICE, &wide), &any, &layout),
        "vkrGetReduceLayout"));
    fill_data(&words_state, DATA_RANDOM, VKR_TYPE_U32, 1, rig.given.buffer.data, 4, CHAIN + 8);
    for (uint32_t b = 0; b < 8; b++) {
        for (uint32_t a = 0; a < 8; a++) {
            infos[a] = word_sum(4 * (VkDeviceSize)a, 0);
            infos[a].ops = VKR_OP_DOT;
            infos[a].input2 = infos[a].input;
            infos[a].input2.offset = 4 * (VkDeviceSize)b;
            infos[a].output = (VkrBufferRange){rig.written.buffer.buffer, a * layout.spacing, 4};
        }
        run_infos(LIMITS_DEVICE, &wide, infos, 8);
        for (uint32_t a = 0; a < 8; a++) {
            uint32_t expected = 0;
            for (uint32_t i = 0; i < CHAIN; i++)
                expected += words[a + i] * words[b + i];
            assert_memory_equal((char *)rig.written.buffer.data + a * layout.spacing, &expected, 4);
        }
    }
    rig.cases += 64;
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(test_types), cmocka_unit_test(test_chain), cmocka_unit_test(test_side_by_side),
    cmocka_unit_test(test_dot_phases)};

const test_operation test_reduce = {
    .name = "reduce",
    .call = "vkrCmdReduce",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_OPS] = {"ops", COVERING_SETS + 1},
             [AXIS_ALGORITHM] = {"algorithm", FLAT_ALGORITHMS + 1},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_DETERMINISM] = {"determinism", 3},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_NAN_AND_ACCUMULATOR] = {"nan", 6},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_GPU_COUNT] = {"count", 3},
             [AXIS_LOADS] = {"loads", VKR_LOAD_PATH_COUNT},
             [AXIS_ORDER] = {"order", VKR_LOAD_ORDER_COUNT}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_OPS | 1u << AXIS_ALGORITHM | 1u << AXIS_COMPONENTS |
               1u << AXIS_DETERMINISM | 1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS,
    .urgent = COVERING_SETS,
    .layouts = REDUCE_LAYOUTS,
    .has_layout = has_layout,
    .size = sizeof(reduce_request),
    .valid = valid,
    .context = context,
    .make = reduce_place,
    .fill = reduce_fill,
    .record = record,
    .expect = reduce_expect,
    .may_refuse = reduce_may_refuse,
    .must_refuse = reduce_must_refuse,
    .enough = enough,
    .print = reduce_print,
    .fixed = {{"test_all_operators", 2 * REDUCE_EDGES, make_all_operators, 0, 0}},
    .others = others,
    .other_count = ARRAY_SIZE(others),
};
