/* SPDX-License-Identifier: MIT */
/* Scans: every way to compute prefixes, with segments, windows and an initial value. */
#include <math.h>
#include <string.h>

#include "edges.h"

static uint32_t expected[MANY];

#define EXCLUSIVE VKR_SCAN_EXCLUSIVE_BIT
#define REVERSE VKR_SCAN_REVERSE_BIT
#define ROW 37u
#define FIRST 1000003u /* the initial value */
#define WHOLE 3072u    /* elements of six workgroups; starting at OFFSET they need a seventh */

typedef struct scan_row {
    const char *name;
    VkrScanAlgorithm algorithm;
    uint32_t flags;
    VkrSegmentKind segments;
    uint32_t workgroup;
    VkrLoadOrder order;
    VkrLoadPath path;
    bool shared; /* in shared memory, without subgroup operations */
    uint32_t count;
    uint32_t gpu_count; /* 0: only the host's */
    uint32_t flight;    /* of the 4 loads of a tile (0: 1); if not 0, results are unaligned */
    VkrOp op;
    uint32_t apart; /* distance of the starts of segments; 0: usually 31 */
} scan_row;

#define SCAN_OF(op, apart, ahead, name, algorithm, flags, segments, workgroup, order, path, ...)   \
    {                                                                                              \
        name, VKR_SCAN_##algorithm, flags, VKR_SEGMENTS_##segments, workgroup, VKR_LOAD_##order,   \
            VKR_LOAD_##path, __VA_ARGS__, ahead, VKR_OP_##op, apart                                \
    }
#define SCAN_AHEAD(ahead, ...) SCAN_OF(SUM, 0, ahead, __VA_ARGS__)
#define SCAN(...) SCAN_AHEAD(0, __VA_ARGS__)
static const scan_row scans[] = {
    SCAN("scan: forward", REDUCE_THEN_SCAN, 0, NONE, 32, CONTIGUOUS, VEC4, false, WHOLE, 0),
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
    /* Totals of shares, of which only what follows the last start counts. */
    SCAN_OF(SUM, 1531, 4, "scan: sparse", REDUCE_THEN_SCAN, 0, OFFSETS, 8, COALESCED, VEC4, false,
            MANY, 0),
    SCAN_OF(MAX, 1531, 4, "scan: sparse, reversed", REDUCE_THEN_SCAN, EXCLUSIVE | REVERSE, OFFSETS,
            32, COALESCED, VEC4, true, MANY, 17001),
    SCAN_OF(SUM, 6, 4, "scan: flags, coalesced", REDUCE_THEN_SCAN, 0, FLAGS, 32, COALESCED, VEC4,
            false, ELEMENTS, 0),
    SCAN_OF(SUM, 0, 4, "scan: flags, coalesced, reversed", REDUCE_THEN_SCAN, REVERSE, FLAGS, 32,
            COALESCED, VEC4, false, ELEMENTS, 2995),
    SCAN_OF(SUM, 0, 4, "scan: rows, reversed", REDUCE_THEN_SCAN, REVERSE, ROWS, 32, COALESCED, VEC4,
            false, MANY, 0),
    SCAN("tiles: rows", SINGLE_PASS, EXCLUSIVE, ROWS, 32, CONTIGUOUS, VEC4, false, ELEMENTS, 0),
    SCAN("tiles: shared, reversed", SINGLE_PASS, REVERSE, NONE, 32, COALESCED, VEC4, true, ELEMENTS,
         0),
    SCAN_AHEAD(4, "tiles: in registers", SINGLE_PASS, 0, NONE, 32, COALESCED, VEC4, false, ELEMENTS,
               0),
    SCAN_AHEAD(4, "tiles: in registers, reversed", SINGLE_PASS, EXCLUSIVE | REVERSE, NONE, 8,
               COALESCED, VEC4, false, ELEMENTS, 2995),
    /* Segments within a tile, and such that reach over several. Operators with an inverse, and
     * without. */
    SCAN_AHEAD(4, "tiles: in registers, rows", SINGLE_PASS, EXCLUSIVE | REVERSE, ROWS, 8, COALESCED,
               VEC4, false, ELEMENTS, 2995),
    SCAN_AHEAD(4, "tiles: in registers, flags", SINGLE_PASS, EXCLUSIVE, FLAGS, 32, COALESCED, VEC4,
               false, ELEMENTS, 0),
    SCAN_OF(SUM, 1531, 4, "tiles: in registers, sparse", SINGLE_PASS, 0, OFFSETS, 8, COALESCED,
            VEC4, false, MANY, 0),
    SCAN_OF(MAX, 1531, 4, "tiles: in registers, sparse maxima", SINGLE_PASS, EXCLUSIVE, OFFSETS, 8,
            COALESCED, VEC4, false, MANY, 0),
    SCAN_OF(MAX, 0, 4, "tiles: in registers, maxima", SINGLE_PASS, REVERSE, FLAGS, 32, COALESCED,
            VEC4, false, ELEMENTS, 0),
    SCAN_AHEAD(1, "tiles: batches", SINGLE_PASS, 0, NONE, 32, COALESCED, VEC4, false, ELEMENTS, 0),
    SCAN("tiles: flags", SINGLE_PASS, 0, FLAGS, 8, CONTIGUOUS, ELEMENT, false, MANY, 0),
    SCAN("passes: doubling", HILLIS_STEELE, EXCLUSIVE, ROWS, 32, COALESCED, ELEMENT, false,
         ELEMENTS, 2003),
    SCAN("passes: tree", BLELLOCH, REVERSE, FLAGS, 32, COALESCED, ELEMENT, false, ELEMENTS, 0),
};

/* Whether a segment starts at element i in memory. */
static bool starts_segment(const scan_row *row, uint32_t i)
{
    if (row->segments == VKR_SEGMENTS_ROWS)
        return i % ROW == 0;
    if (row->apart != 0)
        return i % row->apart == 5;
    return row->segments != VKR_SEGMENTS_NONE && i % 97 % 31 == 5;
}

/* Writes the flags or offsets of the segments, and returns their description. */
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

static uint32_t combine(VkrOp op, uint32_t a, uint32_t b)
{
    if (op == VKR_OP_MAX)
        return a > b ? a : b;
    return a + b;
}

/* Writes the expected results. Returns the total. */
static uint32_t expect_scan(const scan_row *row, uint32_t count)
{
    const bool reverse = (row->flags & REVERSE) != 0;
    uint32_t value = FIRST;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = reverse ? count - 1 - k : k;
        if (k > 0 && starts_segment(row, reverse ? i + 1 : i))
            value = FIRST;
        expected[i] = value;
        value = combine(row->op, value, input_words()[i]);
        if ((row->flags & EXCLUSIVE) == 0)
            expected[i] = value;
    }
    return value;
}

static void test_scan(void **state)
{
    const scan_row *row = *state;
    VkrTuning tuning = shares(row->workgroup, row->order, row->path);
    tuning.flight = row->flight != 0 ? row->flight : 1;
    const uint32_t at = row->flight != 0 ? 256 + OFFSET : 256;
    const bool windows = row->count == MANY && row->algorithm == VKR_SCAN_REDUCE_THEN_SCAN;
    const VkrLimits limits = {.groupPath = row->shared ? VKR_GROUP_PATH_SHARED : 0,
                              .maxStorageBufferRange = windows ? SMALL_RANGE : 0};
    const uint32_t first = FIRST;
    const uint32_t count = row->gpu_count != 0 ? row->gpu_count : row->count;
    const uint32_t total = expect_scan(row, count);
    memcpy(extra.data, &count, sizeof(count));
    const VkrScanInfo info = {
        .op = row->op,
        .flags = row->flags,
        .input = view_of(&input, OFFSET, row->count),
        .output = view_of(&output, at, row->count),
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
    expect(row->name, at, expected, count);
    expect(row->name, 0, &total, 1);
}

/* An initial NaN is a value, and the only one before the first element: the minimum there is NaN,
 * not infinity, which would be the minimum of no elements. */
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

/* Writes the minimum or maximum of no element, unless an element before it was a number or NaN. */
static void expect_extremes(const VkrScanInfo *info, uint32_t at, uint32_t numbers)
{
    const float nothing = info->op == VKR_OP_MIN ? INFINITY : -INFINITY;
    const float *values = (const float *)extra.data + 64, *results = output.data;
    float first = info->initial != NULL ? *(const float *)info->initial : nothing;
    bool is_empty = info->initial == NULL;
    for (uint32_t k = 0; k < ELEMENTS; k++) {
        const uint32_t i = (info->flags & REVERSE) != 0 ? ELEMENTS - 1 - k : k;
        const float before = first;
        if (is_empty || isnan(first))
            first = values[i];
        else if (!isnan(values[i]))
            first = info->op == VKR_OP_MIN ? fminf(first, values[i]) : fmaxf(first, values[i]);
        is_empty = false;
        const float value = (info->flags & EXCLUSIVE) != 0 ? before : first;
        if (isnan(value) != isnan(results[i]) || (!isnan(value) && value != results[i]))
            fail_msg("%s %u, numbers from %u to %u: result %u is %g, not %g", vkrOpName(info->op),
                     info->flags, at, at + numbers, i, (double)results[i], (double)value);
    }
}

/* A prefix of NaN alone is NaN, and only one of no element is an infinity. */
static void test_only_nan(void **state)
{
    (void)state;
    static const VkrScanAlgorithm algorithms[] = {VKR_SCAN_REDUCE_THEN_SCAN, VKR_SCAN_SINGLE_PASS};
    static const uint32_t first_numbers[] = {ELEMENTS, ELEMENTS / 2, 1}; /* NaN before these */
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const float initial = 3;
    float *values = (float *)extra.data + 64;
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t numbers = first_numbers[i % 3];
        VkrScanInfo info = {.op = i % 2 == 0 ? VKR_OP_MIN : VKR_OP_MAX,
                            .flags = i / 2 % 4,
                            .input = view_of(&extra, 256, ELEMENTS),
                            .output = view_of(&output, 0, ELEMENTS),
                            .count = VKR_COUNT_ALL,
                            .algorithm = algorithms[i / 8 % 2],
                            .initial = i % 5 == 4 ? &initial : NULL};
        for (uint32_t k = 0; k < ELEMENTS; k++)
            values[k] = k < numbers ? NAN : (float)(k % 7);
        info.input.type = info.output.type = VKR_TYPE_F32;
        const work w = open_work(NULL, &tuning);
        assert_true(harness_check(&h, vkrCmdScan(w.recorder, &info), "vkrCmdScan"));
        run(&w);
        expect_extremes(&info, numbers, ELEMENTS - numbers);
    }
}

/* The bits of a float as a result. */
static uint32_t result_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return isnan(value) ? 0x7fc00000u : bits;
}

/* Submits a scan of ones, in which the given numbers replace the elements starting at `at` in scan
 * order. */
static void sum_with(uint32_t flags, uint32_t at, const uint32_t *others, uint32_t count)
{
    uint32_t *bits = (uint32_t *)extra.data + 64;
    float sum = 0;
    for (uint32_t k = 0; k < WHOLE; k++) {
        const uint32_t i = flags & REVERSE ? WHOLE - 1 - k : k;
        float value = 1;
        if (k >= at && k < at + count)
            memcpy(&value, &others[k - at], sizeof(value));
        memcpy(&bits[i], &value, sizeof(value));
        expected[i] = result_bits(sum);
        sum += value;
        if ((flags & EXCLUSIVE) == 0)
            expected[i] = result_bits(sum);
    }
    assert_true(harness_submit(&h));
}

/* Each NaN result is the canonical NaN. With numbers this large, the order of additions decides
 * whether a result is NaN. */
static void sum_too_great(uint32_t flags, uint32_t at)
{
    static const uint32_t others[] = {0x7f7fffffu, 0x7f7fffffu, 0xff800000u};
    const uint32_t *words = (const uint32_t *)output.data + 64;
    sum_with(flags, at, others, ARRAY_SIZE(others));
    for (uint32_t i = 0; i < WHOLE; i++)
        assert_true((words[i] & 0x7fffffffu) <= 0x7f800000u || words[i] == 0x7fc00000u);
}

/* Any NaN among the sums is the canonical one, whatever its origin, in each unit of a chunk. */
static void sum_nan(VkrScanAlgorithm algorithm, uint32_t flags)
{
    static const uint32_t pairs[][2] = {{0xffc12345u, 0x3f800000u},  /* a NaN */
                                        {0x3f800000u, 0x7f800001u},  /* a signaling NaN */
                                        {0x7f800000u, 0xff800000u},  /* infinities apart */
                                        {0x7f7fffffu, 0x7f7fffffu}}; /* a sum that overflows */
    VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, VKR_LOAD_VEC4);
    tuning.flight = 4;
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .flags = flags,
                        .input = view_of(&extra, 256, WHOLE),
                        .output = view_of(&output, 256, WHOLE),
                        .count = VKR_COUNT_ALL,
                        .algorithm = algorithm,
                        .determinism = VKR_DETERMINISM_NONE};
    info.input.type = info.output.type = VKR_TYPE_F32;
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdScan(w.recorder, &info), "vkrCmdScan"));
    record(&w);
    for (uint32_t at = 960; at < 1000; at++) {
        for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
            sum_with(flags, at, pairs[i], 2);
            expect("sums with NaN", 256, expected, WHOLE);
        }
        sum_too_great(flags, at);
    }
    close_work(&w);
}

static void test_nan(void **state)
{
    (void)state;
    for (uint32_t flags = 0; flags <= (EXCLUSIVE | REVERSE); flags++) {
        sum_nan(VKR_SCAN_REDUCE_THEN_SCAN, flags);
        sum_nan(VKR_SCAN_SINGLE_PASS, flags);
    }
}

size_t scan_edges(struct CMUnitTest *tests)
{
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_initial_nan),
        cmocka_unit_test(test_only_nan),
        cmocka_unit_test(test_nan),
    };
    memcpy(tests, fixed, sizeof(fixed));
    for (size_t i = 0; i < ARRAY_SIZE(scans); i++)
        tests[ARRAY_SIZE(fixed) + i] =
            (struct CMUnitTest){scans[i].name, test_scan, NULL, NULL, (void *)(uintptr_t)&scans[i]};
    return ARRAY_SIZE(fixed) + ARRAY_SIZE(scans);
}
