/* SPDX-License-Identifier: MIT */
/* Reductions: counts on the GPU, many subgroups, signed integers, ends of segments. */
#include <string.h>

#include "edges.h"

static const VkrLimits small_windows = {.maxStorageBufferRange = SMALL_RANGE};

static uint32_t expected[MANY];

/* ---- Flat reductions ---- */

static uint32_t sum_of(uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += input_words()[i];
    return sum;
}

/* The smaller of the GPU's count and the host's applies in every window. */
static void count_elements(const VkrLimits *limits, VkrType type)
{
    static const uint64_t counts[] = {0,
                                      1,
                                      9000,
                                      MANY - 1,
                                      MANY,
                                      MANY + 1,
                                      UINT32_MAX,
                                      UINT64_C(1) << 32,
                                      (UINT64_C(1) << 32) + 7};
    const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, VKR_LOAD_VEC4);
    const work w = open_work(limits, &tuning);
    VkrReduceInfo info = {.ops = VKR_OP_SUM | VKR_OP_COUNT,
                          .input = view_of(&input, OFFSET, MANY),
                          .count = VKR_COUNT_ALL,
                          .gpuCount = {extra.buffer, 0, type}};
    VkrReduceLayout layout;
    assert_true(harness_check(&h, vkrGetReduceLayout(w.context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    record(&w);
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        if (type == VKR_TYPE_U32 && counts[i] > UINT32_MAX)
            continue;
        const uint64_t count = counts[i] < MANY ? counts[i] : MANY;
        const uint32_t sum = sum_of((uint32_t)count);
        const char *results = output.data;
        memcpy(extra.data, &counts[i], sizeof(counts[i]));
        assert_true(harness_submit(&h));
        assert_memory_equal(results + layout.results[2].offset, &sum, sizeof(sum));
        assert_memory_equal(results + layout.results[14].offset, &count, sizeof(count));
    }
    close_work(&w);
}

static void test_counts(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        count_elements(small ? &small_windows : NULL, VKR_TYPE_U32);
        count_elements(small ? &small_windows : NULL, VKR_TYPE_U64);
    }
}

static void sum_elements(VkrGroupPath group_path, VkrLoadOrder order, VkrReduceAlgorithm algorithm)
{
    const VkrTuning tuning = shares(64, order, VKR_LOAD_VEC4);
    const work w = open_work(&(VkrLimits){.groupPath = group_path}, &tuning);
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = view_of(&input, OFFSET, MANY),
                                .count = VKR_COUNT_ALL,
                                .output = {output.buffer, 0, 4},
                                .algorithm = algorithm};
    const uint32_t sum = sum_of(MANY);
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    expect(vkrReduceAlgorithmName(algorithm), 0, &sum, 1);
}

/* Workgroups of many subgroups, with heads and tails. */
static void test_sums(void **state)
{
    (void)state;
    for (int group_path = (int)best_group_path(); group_path <= (int)VKR_GROUP_PATH_SHARED;
         group_path++) {
        sum_elements((VkrGroupPath)group_path, VKR_LOAD_COALESCED, VKR_REDUCE_SINGLE);
        sum_elements((VkrGroupPath)group_path, VKR_LOAD_CONTIGUOUS, VKR_REDUCE_AUTO);
        sum_elements((VkrGroupPath)group_path, VKR_LOAD_COALESCED, VKR_REDUCE_SUBGROUP);
    }
}

/* Signed integers are compared by value, not by their bits. */
static void test_signed(void **state)
{
    (void)state;
    static const int32_t values[] = {3, -5, 7, INT32_MIN, -1, 0};
    static const struct {
        uint32_t op; /* bit number of the operator */
        int32_t result;
    } rows[] = {{0, INT32_MIN}, {1, 7}, {9, 3}, {10, 2}};
    const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, VKR_LOAD_ELEMENT);
    const work w = open_work(NULL, &tuning);
    VkrReduceInfo info = {.ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX,
                          .input = view_of(&extra, 0, ARRAY_SIZE(values)),
                          .count = VKR_COUNT_ALL};
    VkrReduceLayout layout;
    info.input.type = VKR_TYPE_I32;
    memcpy(extra.data, values, sizeof(values));
    assert_true(harness_check(&h, vkrGetReduceLayout(w.context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        assert_memory_equal((const char *)output.data + layout.results[rows[i].op].offset,
                            &rows[i].result, sizeof(rows[i].result));
}

/* ---- Segments ---- */

static uint32_t result_of(VkrOp op, const uint32_t *words, uint32_t count)
{
    uint32_t sum = 0, least = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += words[i];
        least = words[i] < words[least] ? i : least;
    }
    return op == VKR_OP_SUM ? sum : least;
}

#define ROW 37u

static void reduce_segments(VkrSegmentKind kind, uint32_t length, VkrOp op,
                            VkrReduceAlgorithm algorithm, const VkrLimits *limits)
{
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const uint32_t all = limits == NULL ? ELEMENTS : MANY;
    const bool rows = kind == VKR_SEGMENTS_ROWS;
    const uint32_t segments = rows ? all / length : all - length + 1;
    const VkrReduceInfo info = {
        .ops = (VkrOpFlags)op,
        .input = view_of(&input, OFFSET, rows ? segments * length : all),
        .count = VKR_COUNT_ALL,
        .output = {output.buffer, 0, 4 * (VkDeviceSize)segments},
        .algorithm = algorithm,
        .segments = {.kind = kind, .length = length},
    };
    const work w = open_work(limits, &tuning);
    for (uint32_t s = 0; s < segments; s++)
        expected[s] = result_of(op, input_words() + s * (rows ? length : 1), length);
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    expect(vkrReduceAlgorithmName(algorithm), 0, expected, segments);
}

/* Segments by offsets; the GPU's count cuts one of them and makes those after it empty. */
static void test_offsets(void **state)
{
    (void)state;
    enum { LENGTH = 7, SEGMENTS = ELEMENTS / LENGTH, COVERED = 1003 };
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    uint32_t *words = extra.data;
    words[0] = COVERED;
    for (uint32_t s = 0; s <= SEGMENTS; s++)
        words[64 + s] = LENGTH * s;
    const VkrReduceInfo info = {
        .ops = VKR_OP_SUM,
        .input = view_of(&input, OFFSET, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .gpuCount = {extra.buffer, 0, 0},
        .output = {output.buffer, 0, 4 * SEGMENTS},
        .segments = {.kind = VKR_SEGMENTS_OFFSETS,
                     .offsets = {extra.buffer, 256, 4 * (SEGMENTS + 1)}},
    };
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        const uint32_t first = LENGTH * s < COVERED ? LENGTH * s : COVERED;
        const uint32_t end = LENGTH * (s + 1) < COVERED ? LENGTH * (s + 1) : COVERED;
        expected[s] = result_of(VKR_OP_SUM, input_words() + first, end - first);
    }
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    expect("offsets", 0, expected, SEGMENTS);
}

/* Sums or counts of columns in several dispatches, each of which reduces a part of every column,
 * optionally with a count on the GPU. */
static void reduce_columns(VkrOp op, bool counted)
{
    enum { COLUMNS = ROW, ALL = MANY / COLUMNS * COLUMNS };
    static const uint32_t counts[] = {ALL, 16001, 5, 0};
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const work w = open_work(&small_windows, &tuning);
    const uint32_t words = op == VKR_OP_COUNT ? 2 : 1;
    const VkrReduceInfo info = {
        .ops = (VkrOpFlags)op,
        .input = view_of(&input, OFFSET, ALL),
        .count = VKR_COUNT_ALL,
        .gpuCount = {counted ? extra.buffer : VK_NULL_HANDLE, 0, 0},
        .output = {output.buffer, 0, 4 * (VkDeviceSize)words * COLUMNS},
        .segments = {.kind = VKR_SEGMENTS_COLUMNS, .length = COLUMNS},
    };
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    record(&w);
    for (size_t i = 0; i < (counted ? ARRAY_SIZE(counts) : 1); i++) {
        memcpy(extra.data, &counts[i], sizeof(counts[i]));
        memset(expected, 0, sizeof(expected));
        for (uint32_t k = 0; k < counts[i]; k++)
            expected[k % COLUMNS * words] += op == VKR_OP_COUNT ? 1 : input_words()[k];
        assert_true(harness_submit(&h));
        expect(vkrOpName(op), 0, expected, words * COLUMNS);
    }
    close_work(&w);
}

static void test_columns(void **state)
{
    (void)state;
    reduce_columns(VKR_OP_SUM, false);
    reduce_columns(VKR_OP_SUM, true);
    reduce_columns(VKR_OP_COUNT, true);
}

static void test_segments(void **state)
{
    (void)state;
    for (int algorithm = VKR_REDUCE_LANES; algorithm <= VKR_REDUCE_SPLIT; algorithm++)
        if (algorithm != VKR_REDUCE_MERGE || best_group_path() != VKR_GROUP_PATH_SHARED)
            reduce_segments(VKR_SEGMENTS_ROWS, algorithm < VKR_REDUCE_SPLIT ? ROW : 1499,
                            VKR_OP_SUM, (VkrReduceAlgorithm)algorithm, NULL);
    reduce_segments(VKR_SEGMENTS_WINDOWS, 100, VKR_OP_ARGMIN, VKR_REDUCE_AUTO, NULL);
    reduce_segments(VKR_SEGMENTS_WINDOWS, 100, VKR_OP_ARGMIN, VKR_REDUCE_AUTO, &small_windows);
}

/* Rows of whole units at an aligned address. Each invocation of a team loads several units of a row
 * if the row has more units than the team has invocations. A team that is planned larger than a
 * subgroup shrinks to the subgroup's size, so that its invocations load more units. */
static void merge_rows(uint32_t workgroup, uint32_t length, VkrOp op)
{
    VkrTuning tuning = shares(workgroup, VKR_LOAD_COALESCED, VKR_LOAD_VEC4);
    tuning.flight = 4;
    const work w = open_work(NULL, &tuning);
    const uint32_t segments = ELEMENTS / length;
    const VkrReduceInfo info = {.ops = (VkrOpFlags)op,
                                .input = view_of(&input, 0, segments * length),
                                .count = VKR_COUNT_ALL,
                                .output = {output.buffer, 0, 4 * (VkDeviceSize)segments},
                                .algorithm = VKR_REDUCE_MERGE,
                                .segments = {.kind = VKR_SEGMENTS_ROWS, .length = length}};
    for (uint32_t s = 0; s < segments; s++)
        expected[s] = result_of(op, (const uint32_t *)input.data + s * length, length);
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    expect("merge", 0, expected, segments);
}

static void test_merges(void **state)
{
    (void)state;
    if (best_group_path() == VKR_GROUP_PATH_SHARED)
        return;
    for (uint32_t length = 8; length <= 256; length *= 2) {
        merge_rows(8, length, VKR_OP_ARGMIN);
        for (uint32_t workgroup = 8; workgroup <= 64; workgroup *= 2)
            merge_rows(workgroup, length, VKR_OP_SUM);
    }
}

size_t reduce_edges(struct CMUnitTest *tests)
{
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_sums),
        cmocka_unit_test(test_signed),  cmocka_unit_test(test_segments),
        cmocka_unit_test(test_offsets), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_merges),
    };
    memcpy(tests, fixed, sizeof(fixed));
    return ARRAY_SIZE(fixed);
}
