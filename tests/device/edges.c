/* SPDX-License-Identifier: MIT */
/*
 * Small fixed requests with known answers, at the places where one wrong line of a kernel shows:
 * counts on the GPU around the host's, heads and tails of loads, workgroups of several subgroups on
 * every path, initial values, windows, and the ends of segments and outputs. Nothing is random, so
 * that what these requests notice does not depend on which rows other tests draw.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BUFFER_BYTES (1u << 20)
#define ELEMENTS 3001u
#define MANY 20011u        /* more than SMALL_RANGE holds */
#define SMALL_RANGE 65536u /* bytes */
#define POISON 0xcdcdcdcdu
#define UNTOUCHED 32u /* words behind results that are looked at */
#define EXCLUSIVE VKR_SCAN_EXCLUSIVE_BIT
#define REVERSE VKR_SCAN_REVERSE_BIT
#define OFFSET 4u /* of inputs: no alignment helps */

static harness h;
static harness_buffer input, output, extra;
static uint32_t expected[2 * MANY];
static const VkrLimits small_windows = {.maxStorageBufferRange = SMALL_RANGE};

/* ---- One recording ---- */

typedef struct work {
    VkrContext context;
    VkrRecorder recorder;
} work;

/* Shares of 64 bytes, so that few elements take many workgroups. */
static VkrTuning shares(uint32_t workgroup, VkrLoadOrder order, VkrLoadPath path)
{
    return (VkrTuning){.workgroupSize = workgroup,
                       .treeWorkgroupSize = 64,
                       .minBytes = 64,
                       .maxBytes = 64,
                       .maxGroups = 1,
                       .order = order,
                       .path = path,
                       .flight = 1,
                       .tileBytes = 64};
}

static work open_work(const VkrLimits *limits, const VkrTuning *tuning)
{
    const VkrRecorderInfo info = {.label = "edges"};
    work w;
    assert_true(harness_tuned_context(&h, limits, tuning, &w.context));
    assert_true(harness_check(&h, vkrCreateRecorder(w.context, &info, &w.recorder), "recorder"));
    assert_true(harness_check(&h, vkrBegin(w.recorder), "vkrBegin"));
    memset(output.data, 0xcd, BUFFER_BYTES);
    return w;
}

static void record(const work *w)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(w->recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
}

static void close_work(const work *w)
{
    vkrDestroyRecorder(w->recorder);
    vkrDestroyContext(w->context);
}

static void run(const work *w)
{
    record(w);
    assert_true(harness_submit(&h));
    close_work(w);
}

static VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count)
{
    return (VkrView){.buffer = buffer->buffer,
                     .offset = offset,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

static const uint32_t *input_words(void)
{
    return (const uint32_t *)((const char *)input.data + OFFSET);
}

/* Words of the output from `offset` on are those of `right`, and those behind them not written. */
static void expect(const char *what, VkDeviceSize offset, const uint32_t *right, uint32_t count)
{
    const uint32_t *words = (const uint32_t *)((const char *)output.data + offset);
    for (uint32_t i = 0; i < count + UNTOUCHED; i++) {
        const uint32_t wanted = i < count ? right[i] : POISON;
        if (words[i] != wanted)
            fail_msg("%s: word %u of %u is 0x%x, but should be 0x%x", what, i, count, words[i],
                     wanted);
    }
}

static VkrRung best_rung(void)
{
    VkrContext context;
    VkrContextProperties properties;
    assert_true(harness_context(&h, NULL, &context));
    vkrGetContextProperties(context, &properties);
    vkrDestroyContext(context);
    return properties.rung;
}

/* ---- Flat reductions ---- */

static uint32_t sum_of(uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += input_words()[i];
    return sum;
}

/* The GPU's count bounds the host's, and is bounded by it, in every window. */
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

static void sum_elements(VkrRung rung, VkrLoadOrder order, VkrReduceAlgorithm algorithm)
{
    const VkrTuning tuning = shares(64, order, VKR_LOAD_VEC4);
    const work w = open_work(&(VkrLimits){.rung = rung}, &tuning);
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
    for (int rung = (int)best_rung(); rung <= (int)VKR_RUNG_SHARED; rung++) {
        sum_elements((VkrRung)rung, VKR_LOAD_COALESCED, VKR_REDUCE_SINGLE);
        sum_elements((VkrRung)rung, VKR_LOAD_CONTIGUOUS, VKR_REDUCE_AUTO);
        sum_elements((VkrRung)rung, VKR_LOAD_COALESCED, VKR_REDUCE_SUBGROUP);
    }
}

/* ---- Floats ---- */

#define SOME 5u /* elements */
#define INF 0x7f800000u
#define NEGATIVE 0x80000000u
#define QUIET_NAN 0x7fc00000u
#define LOUD_NAN 0xff800001u
#define NONE_FOUND 0xffffffffu

/* Elements as bits; min, max, absmax, argmin and argmax. */
typedef struct key_row {
    VkrNan nan;
    uint32_t count;
    uint32_t elements[SOME];
    uint32_t results[5];
} key_row;
static const key_row keys[] = {
    {VKR_NAN_IGNORE, 4, {0, NEGATIVE, 0, NEGATIVE}, {NEGATIVE, 0, 0, 1, 0}},
    {VKR_NAN_IGNORE,
     5,
     {LOUD_NAN, 0x40400000, 0xc0400001, QUIET_NAN, 0x40400000},
     {0xc0400001, 0x40400000, 0x40400001, 2, 1}},
    {VKR_NAN_IGNORE,
     5,
     {1, INF, NEGATIVE | INF, 0x7f7fffff, NEGATIVE | INF},
     {NEGATIVE | INF, INF, INF, 2, 1}},
    {VKR_NAN_IGNORE,
     2,
     {LOUD_NAN, QUIET_NAN},
     {QUIET_NAN, QUIET_NAN, QUIET_NAN, NONE_FOUND, NONE_FOUND}},
    {VKR_NAN_IGNORE, 0, {0}, {INF, NEGATIVE | INF, 0, NONE_FOUND, NONE_FOUND}},
    {VKR_NAN_PROPAGATE,
     5,
     {NEGATIVE | INF, 5, LOUD_NAN, INF, QUIET_NAN},
     {QUIET_NAN, QUIET_NAN, QUIET_NAN, 2, 2}},
    {VKR_NAN_PROPAGATE, 3, {NEGATIVE | INF, 5, INF}, {NEGATIVE | INF, INF, INF, 0, 2}},
    {VKR_NAN_PROPAGATE, 0, {0}, {INF, NEGATIVE | INF, 0, NONE_FOUND, NONE_FOUND}},
};

/* Reduces a few floats. Returns where the results lie. */
static VkrReduceLayout reduce_floats(const uint32_t *elements, uint32_t count, VkrOpFlags ops,
                                     VkrNan nan, VkrDeterminism determinism)
{
    const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, VKR_LOAD_ELEMENT);
    const work w = open_work(NULL, &tuning);
    VkrReduceInfo info = {.ops = ops,
                          .input = view_of(&extra, 0, SOME),
                          .count = count,
                          .nan = nan,
                          .determinism = determinism};
    VkrReduceLayout layout;
    info.input.type = VKR_TYPE_F32;
    memcpy(extra.data, elements, count * sizeof(*elements));
    assert_true(harness_check(&h, vkrGetReduceLayout(w.context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    return layout;
}

/* -0 is less than +0, NaN is least or nothing, and of equal ones the first is the index. */
static void test_keys(void **state)
{
    (void)state;
    static const uint32_t bits[] = {0, 1, 8, 9, 10};
    const VkrOpFlags ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ABSMAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX;
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        const key_row *row = &keys[i];
        const VkrReduceLayout layout =
            reduce_floats(row->elements, row->count, ops, row->nan, VKR_DETERMINISM_NONE);
        for (size_t k = 0; k < ARRAY_SIZE(bits); k++) {
            uint32_t found;
            memcpy(&found, (const char *)output.data + layout.results[bits[k]].offset,
                   sizeof(found));
            if (found != row->results[k])
                fail_msg("row %zu: %s is 0x%x, but should be 0x%x", i,
                         vkrOpName((VkrOp)(1u << bits[k])), found, row->results[k]);
        }
    }
}

/* At level DEVICE no subnormal goes in, comes out of a sum or of a product; nor does the least
 * normal number, come out of a product; but an initial -0 is none. */
static void test_flush(void **state)
{
    (void)state;
    static const struct {
        VkrOp op;
        uint32_t elements[2];
        uint32_t result;
    } rows[] = {
        {VKR_OP_SUM, {0x00800000, 0x00000001}, 0x00800000},
        {VKR_OP_SUM, {0x00c00000, 0x80a00000}, 0},
        {VKR_OP_SUMSQ, {0x20000000, 0x20400000}, 0x01100000},
    };
    const uint32_t *result = output.data;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        (void)reduce_floats(rows[i].elements, 2, (VkrOpFlags)rows[i].op, VKR_NAN_IGNORE,
                            VKR_DETERMINISM_DEVICE);
        if (result[0] != rows[i].result)
            fail_msg("%s is 0x%x, but should be 0x%x", vkrOpName(rows[i].op), result[0],
                     rows[i].result);
    }
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const float first = -0.0f;
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .flags = EXCLUSIVE,
                        .input = view_of(&extra, 0, 1),
                        .output = view_of(&output, 0, 1),
                        .count = 1,
                        .determinism = VKR_DETERMINISM_DEVICE,
                        .initial = &first};
    info.input.type = info.output.type = VKR_TYPE_F32;
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdScan(w.recorder, &info), "vkrCmdScan"));
    run(&w);
    assert_int_equal(result[0], NEGATIVE);
}

/* ---- Scans ---- */

#define ROW 37u
#define FIRST 1000003u /* the initial value */

typedef struct scan_row {
    const char *name;
    VkrScanAlgorithm algorithm;
    uint32_t flags;
    VkrSegmentKind segments;
    uint32_t workgroup;
    VkrLoadOrder order;
    VkrLoadPath path;
    bool shared; /* without subgroups */
    uint32_t count;
    uint32_t gpu_count; /* 0: the host's alone */
} scan_row;

#define SCAN(name, algorithm, flags, segments, workgroup, order, path, ...)                        \
    {                                                                                              \
        name, VKR_SCAN_##algorithm, flags, VKR_SEGMENTS_##segments, workgroup, VKR_LOAD_##order,   \
            VKR_LOAD_##path, __VA_ARGS__                                                           \
    }
static const scan_row scans[] = {
    SCAN("scan: forward", REDUCE_THEN_SCAN, 0, NONE, 32, CONTIGUOUS, VEC4, false, ELEMENTS, 0),
    SCAN("scan: rows", REDUCE_THEN_SCAN, EXCLUSIVE, ROWS, 32, COALESCED, VEC4, false, ELEMENTS, 0),
    SCAN("scan: flags, reversed", REDUCE_THEN_SCAN, EXCLUSIVE | REVERSE, FLAGS, 32, CONTIGUOUS,
         ELEMENT, false, ELEMENTS, 0),
    SCAN("scan: offsets, shared", REDUCE_THEN_SCAN, 0, OFFSETS, 64, CONTIGUOUS, VEC4, true,
         ELEMENTS, 0),
    SCAN("scan: windows, shared", REDUCE_THEN_SCAN, REVERSE, NONE, 32, COALESCED, VEC4, true, MANY,
         0),
    SCAN("scan: windows, reversed", REDUCE_THEN_SCAN, REVERSE, NONE, 64, CONTIGUOUS, VEC4, false,
         MANY, 17001),
    SCAN("scan: windows, counted", REDUCE_THEN_SCAN, 0, NONE, 32, COALESCED, VEC4, false, MANY, 5),
    SCAN("tiles: rows", SINGLE_PASS, EXCLUSIVE, ROWS, 32, CONTIGUOUS, VEC4, false, ELEMENTS, 0),
    SCAN("tiles: shared, reversed", SINGLE_PASS, REVERSE, NONE, 32, COALESCED, VEC4, true, ELEMENTS,
         0),
    SCAN("tiles: flags", SINGLE_PASS, 0, FLAGS, 8, CONTIGUOUS, ELEMENT, false, MANY, 0),
    SCAN("passes: doubling", HILLIS_STEELE, EXCLUSIVE, ROWS, 32, COALESCED, ELEMENT, false,
         ELEMENTS, 2003),
    SCAN("passes: tree", BLELLOCH, REVERSE, FLAGS, 32, COALESCED, ELEMENT, false, ELEMENTS, 0),
};

/* Whether a segment starts with element i, as memory has them. */
static bool starts_segment(const scan_row *row, uint32_t i)
{
    if (row->segments == VKR_SEGMENTS_ROWS)
        return i % ROW == 0;
    return row->segments != VKR_SEGMENTS_NONE && i % 97 % 31 == 5;
}

/* Flags or offsets of these segments, and what finds them. */
static VkrSegments segments_of(const scan_row *row)
{
    uint32_t *words = (uint32_t *)extra.data + 64;
    uint32_t starts = 0;
    VkrSegments segments = {.kind = row->segments};
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->segments == VKR_SEGMENTS_FLAGS)
            words[i] = starts_segment(row, i) ? i + 1 : 0;
        else if (starts_segment(row, i))
            words[starts++] = i;
    }
    if (row->segments == VKR_SEGMENTS_ROWS)
        segments.length = ROW;
    if (row->segments == VKR_SEGMENTS_FLAGS)
        segments.flags = (VkrFlagView){.format = VKR_FLAGS_U32,
                                       .range = {extra.buffer, 256, 4 * (VkDeviceSize)row->count}};
    if (row->segments == VKR_SEGMENTS_OFFSETS)
        segments.offsets = (VkrBufferRange){extra.buffer, 256, 4 * (VkDeviceSize)starts};
    return segments;
}

/* Writes the expected results. Returns the total. */
static uint32_t expect_scan(const scan_row *row, uint32_t count)
{
    const bool reverse = (row->flags & REVERSE) != 0;
    uint32_t sum = FIRST;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = reverse ? count - 1 - k : k;
        if (k > 0 && starts_segment(row, reverse ? i + 1 : i))
            sum = FIRST;
        expected[i] = sum;
        sum += input_words()[i];
        if ((row->flags & EXCLUSIVE) == 0)
            expected[i] = sum;
    }
    return sum;
}

static void test_scan(void **state)
{
    const scan_row *row = *state;
    const VkrTuning tuning = shares(row->workgroup, row->order, row->path);
    const bool windows = row->count == MANY && row->algorithm == VKR_SCAN_REDUCE_THEN_SCAN;
    const VkrLimits limits = {.rung = row->shared ? VKR_RUNG_SHARED : 0,
                              .maxStorageBufferRange = windows ? SMALL_RANGE : 0};
    const uint32_t first = FIRST;
    const uint32_t count = row->gpu_count != 0 ? row->gpu_count : row->count;
    const uint32_t total = expect_scan(row, count);
    memcpy(extra.data, &count, sizeof(count));
    const VkrScanInfo info = {
        .op = VKR_OP_SUM,
        .flags = row->flags,
        .input = view_of(&input, OFFSET, row->count),
        .output = view_of(&output, 256, row->count),
        .count = VKR_COUNT_ALL,
        .gpuCount = {row->gpu_count != 0 ? extra.buffer : VK_NULL_HANDLE, 0, 0},
        .algorithm = row->algorithm,
        .initial = &first,
        .total = {output.buffer, 0, 4},
        .segments = segments_of(row),
    };
    const work w = open_work(&limits, &tuning);
    assert_true(harness_check(&h, vkrCmdScan(w.recorder, &info), "vkrCmdScan"));
    run(&w);
    expect(row->name, 256, expected, count);
    expect(row->name, 0, &total, 1);
}

/* A NaN before the first element is a value of which no other is left: the minimum so far is NaN,
 * and not that of nothing, infinity. */
static void test_initial_nan(void **state)
{
    (void)state;
    static const VkrScanAlgorithm algorithms[] = {VKR_SCAN_REDUCE_THEN_SCAN, VKR_SCAN_SINGLE_PASS};
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const float first = NAN;
    float *values = (float *)extra.data + 64;
    const float *results = output.data;
    for (uint32_t i = 0; i < ELEMENTS; i++)
        values[i] = (float)(ELEMENTS - i);
    for (size_t i = 0; i < ARRAY_SIZE(algorithms); i++) {
        VkrScanInfo info = {.op = VKR_OP_MIN,
                            .flags = EXCLUSIVE,
                            .input = view_of(&extra, 256, ELEMENTS),
                            .output = view_of(&output, 0, ELEMENTS),
                            .count = VKR_COUNT_ALL,
                            .algorithm = algorithms[i],
                            .initial = &first};
        info.input.type = info.output.type = VKR_TYPE_F32;
        const work w = open_work(NULL, &tuning);
        assert_true(harness_check(&h, vkrCmdScan(w.recorder, &info), "vkrCmdScan"));
        run(&w);
        assert_true(isnan(results[0]));
        for (uint32_t k = 1; k < ELEMENTS; k++)
            assert_true(results[k] == values[k - 1]);
    }
}

/* ---- Compactions ---- */

#define ROOM 333u  /* of the kept, which are more */
#define ALREADY 9u /* the position to append at */
#define FIRST_INDEX 0xffffff00u
#define SCALE 7u
enum { KEPT_AT = 256, INDICES_AT = 4096, REJECTED_AT = 16384, PAYLOAD_AT = 65536 };

/* Runs of equal elements that end anywhere in loads and shares. */
static uint32_t run_value(uint32_t i)
{
    return i % 16 < 5 ? i / 16 * 16 : i % 16 < 7 ? i / 16 * 16 + 5 : i / 8 * 8;
}

typedef struct unique_row {
    const char *name;
    VkrCompactAlgorithm algorithm;
    VkrLoadOrder order;
} unique_row;
static const unique_row uniques[] = {
    {"unique: contiguous", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_CONTIGUOUS},
    {"unique: coalesced", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_COALESCED},
    {"unique: tiles", VKR_COMPACT_SINGLE_PASS, VKR_LOAD_CONTIGUOUS},
};

static void test_unique(void **state)
{
    const unique_row *row = *state;
    const VkrTuning tuning = shares(32, row->order, VKR_LOAD_VEC4);
    const bool moves = row->algorithm == VKR_COMPACT_SCAN_SCATTER;
    uint32_t *words = (uint32_t *)extra.data + 64 + OFFSET / 4;
    const uint32_t already = ALREADY;
    memcpy(extra.data, &already, sizeof(already));
    for (uint32_t i = 0; i < ELEMENTS; i++)
        words[i] = run_value(i);
    const VkrCountOutput counts[] = {{VKR_COUNT_KEPT, output.buffer, 0, 1},
                                     {VKR_COUNT_STORED, output.buffer, 4, 1},
                                     {VKR_COUNT_DISPATCH, output.buffer, 8, SCALE},
                                     {VKR_COUNT_REJECTED64, output.buffer, 20, SCALE}};
    const VkrPayload payload = {.size = 4,
                                .source = {input.buffer, OFFSET, 4 * ELEMENTS},
                                .target = {output.buffer, PAYLOAD_AT, 4 * ELEMENTS}};
    VkrCompactInfo info = {.input = view_of(&extra, 256 + OFFSET, ELEMENTS),
                           .count = VKR_COUNT_ALL,
                           .predicate = {.kind = VKR_PREDICATE_UNIQUE},
                           .algorithm = row->algorithm,
                           .kept = view_of(&output, KEPT_AT, ROOM + UNTOUCHED),
                           .keptIndices = view_of(&output, INDICES_AT, 2 * (ROOM + UNTOUCHED)),
                           .capacity = ROOM,
                           .append = {extra.buffer, 0, 0},
                           .rejectedIndices = view_of(&output, REJECTED_AT, 2 * ELEMENTS),
                           .firstIndex = FIRST_INDEX,
                           .payloadCount = moves,
                           .payloads = &payload,
                           .countOutputCount = ARRAY_SIZE(counts),
                           .countOutputs = counts};
    info.keptIndices.type = info.rejectedIndices.type = VKR_TYPE_U64;
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);

    static uint32_t kept[ROOM], indices[2 * ROOM], rejected[2 * ELEMENTS], moved[ELEMENTS];
    uint32_t found = ALREADY, others = 0;
    memset(kept, 0xcd, sizeof(kept));
    memset(indices, 0xcd, sizeof(indices));
    memset(moved, 0xcd, sizeof(moved));
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        const uint64_t index = (uint64_t)FIRST_INDEX + i;
        if (i > 0 && words[i] == words[i - 1]) {
            memcpy(&rejected[2 * others++], &index, sizeof(index));
            continue;
        }
        if (found < ROOM) {
            kept[found] = words[i];
            memcpy(&indices[2 * found], &index, sizeof(index));
        }
        if (moves && found < ROOM)
            moved[found] = input_words()[i];
        found++;
    }
    assert_true(found > ROOM && ROOM % SCALE != 0);
    const uint32_t numbers[] = {found, ROOM, ROOM / SCALE + 1, 1, 1, others * SCALE, 0};
    expect("counts", 0, numbers, ARRAY_SIZE(numbers));
    expect("kept", KEPT_AT, kept, ROOM);
    expect("indices of kept", INDICES_AT, indices, 2 * ROOM);
    expect("indices of rejected", REJECTED_AT, rejected, 2 * others);
    expect("payload", PAYLOAD_AT, moved, ELEMENTS);
}

/* What one word of the mask says, with a last unit that is not whole: kept words in queues. */
static void test_bits(void **state)
{
    (void)state;
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const work w = open_work(NULL, &tuning);
    const VkrCompactInfo info = {
        .input = view_of(&input, OFFSET, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_BITS, .compare = VKR_COMPARE_EQUAL, .mask = 4},
        .algorithm = VKR_COMPACT_SINGLE_PASS,
        .kept = view_of(&output, KEPT_AT, ELEMENTS),
        .rejectedIndices = view_of(&output, PAYLOAD_AT, ELEMENTS)};
    static uint32_t kept[ELEMENTS], rejected[ELEMENTS];
    uint32_t found = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        if ((input_words()[i] & 4) == 0)
            kept[found++] = input_words()[i];
        else
            rejected[i - found] = i;
    }
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    expect("kept", KEPT_AT, kept, found);
    expect("indices of rejected", PAYLOAD_AT, rejected, ELEMENTS - found);
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

/* Segments by offsets of which the GPU's count cuts one, and leaves those behind without elements. */
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

static void test_segments(void **state)
{
    (void)state;
    for (int algorithm = VKR_REDUCE_LANES; algorithm <= VKR_REDUCE_SPLIT; algorithm++)
        if (algorithm != VKR_REDUCE_MERGE || best_rung() != VKR_RUNG_SHARED)
            reduce_segments(VKR_SEGMENTS_ROWS, algorithm < VKR_REDUCE_SPLIT ? ROW : 1499,
                            VKR_OP_SUM, (VkrReduceAlgorithm)algorithm, NULL);
    reduce_segments(VKR_SEGMENTS_WINDOWS, 100, VKR_OP_ARGMIN, VKR_REDUCE_AUTO, NULL);
    reduce_segments(VKR_SEGMENTS_WINDOWS, 100, VKR_OP_ARGMIN, VKR_REDUCE_AUTO, &small_windows);
}

static int open_all(void **state)
{
    (void)state;
    if (!harness_create_buffer(&h, BUFFER_BYTES, &input) ||
        !harness_create_buffer(&h, BUFFER_BYTES, &output) ||
        !harness_create_buffer(&h, BUFFER_BYTES, &extra))
        return -1;
    uint32_t *words = input.data;
    for (uint32_t i = 0; i < BUFFER_BYTES / 4; i++)
        words[i] = (i + 1) * 2654435769u >> 7;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &extra);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[8 + ARRAY_SIZE(scans) + ARRAY_SIZE(uniques)] = {
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_sums),
        cmocka_unit_test(test_keys),        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_initial_nan), cmocka_unit_test(test_bits),
        cmocka_unit_test(test_segments),    cmocka_unit_test(test_offsets)};
    struct CMUnitTest *next = tests + 8;
    for (size_t i = 0; i < ARRAY_SIZE(scans); i++)
        *next++ =
            (struct CMUnitTest){scans[i].name, test_scan, NULL, NULL, (void *)(uintptr_t)&scans[i]};
    for (size_t i = 0; i < ARRAY_SIZE(uniques); i++)
        *next++ = (struct CMUnitTest){uniques[i].name, test_unique, NULL, NULL,
                                      (void *)(uintptr_t)&uniques[i]};
    const int status = harness_open(&h);
    if (status != 0)
        return status;
    const int failed = cmocka_run_group_tests_name("edges", tests, open_all, close_all);
    harness_close(&h);
    return failed != 0;
}
