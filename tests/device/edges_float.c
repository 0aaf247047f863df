/* SPDX-License-Identifier: MIT */
/* Reductions of floats: the order of their keys, NaN, and flushing at level DEVICE. */
#include <string.h>

#include "edges.h"

#define SOME 5u /* elements */
#define INF 0x7f800000u
#define NEGATIVE 0x80000000u
#define QUIET_NAN 0x7fc00000u
#define LOUD_NAN 0xff800001u
#define LARGE 0x71800000u /* 2^100 */
#define NONE_FOUND 0xffffffffu

/* The bits of elements and of their min, max, absmax, argmin and argmax. */
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
     4,
     {0x40400000, 0x3f800000, QUIET_NAN, 0x40000000},
     {0x3f800000, 0x40400000, 0x40400000, 1, 0}},
    {VKR_NAN_IGNORE,
     4,
     {0xc0400000, 0xbf800000, LOUD_NAN, 0xc0000000},
     {0xc0400000, 0xbf800000, 0x40400000, 0, 1}},
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

/* Reduces a few floats; DOT multiplies them by LARGE. Returns the layout of the results. */
static VkrReduceLayout reduce_floats(const uint32_t *elements, uint32_t count, VkrOpFlags ops,
                                     VkrNan nan, VkrDeterminism determinism, VkrLoadPath path)
{
    const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, path);
    const work w = open_work(NULL, &tuning);
    VkrReduceInfo info = {.ops = ops,
                          .input = view_of(&extra, 0, SOME),
                          .input2 = view_of(&extra, 64, SOME),
                          .count = count,
                          .nan = nan,
                          .determinism = determinism};
    VkrReduceLayout layout;
    info.input.type = info.input2.type = VKR_TYPE_F32;
    memcpy(extra.data, elements, count * sizeof(*elements));
    for (uint32_t i = 0; i < SOME; i++)
        ((uint32_t *)extra.data)[16 + i] = LARGE;
    assert_true(harness_check(&h, vkrGetReduceLayout(w.context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    return layout;
}

/* -0 is less than +0, NaN is ignored or propagated, and of equal values the first one's index is
 * returned. */
static void check_keys(VkrLoadPath path)
{
    static const uint32_t bits[] = {0, 1, 8, 9, 10};
    const VkrOpFlags ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ABSMAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX;
    for (size_t i = 0; i < 2 * ARRAY_SIZE(keys); i++) {
        const key_row *row = &keys[i / 2];
        const VkrOpFlags asked = i % 2 == 0 ? ops : VKR_OP_MIN | VKR_OP_MAX;
        const VkrReduceLayout layout =
            reduce_floats(row->elements, row->count, asked, row->nan, VKR_DETERMINISM_NONE, path);
        for (size_t k = 0; k < ARRAY_SIZE(bits); k++) {
            uint32_t found;
            memcpy(&found, (const char *)output.data + layout.results[bits[k]].offset,
                   sizeof(found));
            if ((asked >> bits[k] & 1) != 0 && found != row->results[k])
                fail_msg("row %zu, loads by %s: %s is 0x%x, but should be 0x%x", i / 2,
                         vkrLoadPathName(path), vkrOpName((VkrOp)(1u << bits[k])), found,
                         row->results[k]);
        }
    }
}

static void test_keys(void **state)
{
    (void)state;
    check_keys(VKR_LOAD_ELEMENT);
    check_keys(VKR_LOAD_VEC4);
}

/* Of equal values, within an invocation too, the first one's index is returned. */
static void check_ties(VkrLoadPath path)
{
    const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, path);
    const work w = open_work(NULL, &tuning);
    const uint32_t right[] = {1, 0};
    float *elements = extra.data;
    for (uint32_t i = 0; i < ELEMENTS; i++)
        elements[i] = i % 7 == 1 ? -1.0f : 1.0f;
    VkrReduceInfo info = {.ops = VKR_OP_ARGMIN | VKR_OP_ARGMAX,
                          .input = view_of(&extra, 0, ELEMENTS),
                          .count = VKR_COUNT_ALL,
                          .output = {output.buffer, 0, sizeof(right)}};
    info.input.type = VKR_TYPE_F32;
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    expect(vkrLoadPathName(path), 0, right, ARRAY_SIZE(right));
}

static void test_ties(void **state)
{
    (void)state;
    check_ties(VKR_LOAD_ELEMENT);
    check_ties(VKR_LOAD_VEC4);
}

/* Level DEVICE flushes subnormal elements, sums and products, and also a product equal to the
 * smallest normal number. It does not flush an initial -0. */
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
        {VKR_OP_DOT, {0x007fffff, 0x00800000}, 0x32800000},
        {VKR_OP_SUMSQ, {0x20000000, 0x20400000}, 0x01100000},
    };
    const uint32_t *result = output.data;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        (void)reduce_floats(rows[i].elements, 2, (VkrOpFlags)rows[i].op, VKR_NAN_IGNORE,
                            VKR_DETERMINISM_DEVICE, VKR_LOAD_ELEMENT);
        if (result[0] != rows[i].result)
            fail_msg("%s is 0x%x, but should be 0x%x", vkrOpName(rows[i].op), result[0],
                     rows[i].result);
    }
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const float first = -0.0f;
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .flags = VKR_SCAN_EXCLUSIVE_BIT,
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

/* Rows whose length is not a power of two, reduced by the tree of level DEVICE. */
static void test_rows(void **state)
{
    (void)state;
    enum { LENGTH = 5, ROWS = 70 };
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_ELEMENT);
    float *elements = extra.data;
    float sums[ROWS] = {0};
    for (uint32_t i = 0; i < LENGTH * ROWS + 1; i++)
        elements[i] = (float)(i * i);
    for (uint32_t i = 0; i < LENGTH * ROWS; i++)
        sums[i / LENGTH] += elements[i];
    VkrReduceInfo info = {.ops = VKR_OP_SUM,
                          .input = view_of(&extra, 0, LENGTH * ROWS),
                          .count = VKR_COUNT_ALL,
                          .output = {output.buffer, 0, sizeof(sums)},
                          .determinism = VKR_DETERMINISM_DEVICE,
                          .segments = {.kind = VKR_SEGMENTS_ROWS, .length = LENGTH}};
    info.input.type = VKR_TYPE_F32;
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    assert_memory_equal(output.data, sums, sizeof(sums));
}

#define NAN_FROM 500u
#define NAN_TO 800u
#define COVERED 2000u /* the GPU's count */

/* An element of the input; some are NaN. */
static uint32_t element_of_windows(uint32_t i)
{
    const float value = (float)(input_words()[i] >> 10);
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return i >= NAN_FROM && i < NAN_TO ? LOUD_NAN : bits;
}

/* Windows that contain only NaN have no index, and neither do windows after the GPU's count. */
static void test_windows(void **state)
{
    (void)state;
    enum { LENGTH = 100 };
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const work w = open_work(NULL, &tuning);
    VkrReduceInfo info = {.ops = VKR_OP_MIN | VKR_OP_ARGMIN,
                          .input = view_of(&extra, 256, ELEMENTS),
                          .count = VKR_COUNT_ALL,
                          .gpuCount = {extra.buffer, 0, 0},
                          .segments = {.kind = VKR_SEGMENTS_WINDOWS, .length = LENGTH}};
    VkrReduceLayout layout;
    uint32_t *words = extra.data;
    info.input.type = VKR_TYPE_F32;
    words[0] = COVERED;
    for (uint32_t i = 0; i < ELEMENTS; i++)
        words[64 + i] = element_of_windows(i);
    assert_true(harness_check(&h, vkrGetReduceLayout(w.context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
    run(&w);
    for (uint32_t s = 0; s < layout.segments; s++) {
        /* The bits of non-negative floats have the order of the floats. */
        uint32_t right[] = {s < COVERED ? QUIET_NAN : INF, NONE_FOUND}, found[2];
        for (uint32_t i = s; i < s + LENGTH && i < COVERED; i++) {
            const uint32_t bits = words[64 + i];
            if (bits <= INF && (right[1] == NONE_FOUND || bits < right[0])) {
                right[0] = bits;
                right[1] = i - s;
            }
        }
        const char *results = (const char *)output.data + s * layout.stride;
        memcpy(&found[0], results + layout.results[0].offset, sizeof(found[0]));
        memcpy(&found[1], results + layout.results[9].offset, sizeof(found[1]));
        if (memcmp(found, right, sizeof(right)) != 0)
            fail_msg("window %u: min and argmin are 0x%x and %u, but should be 0x%x and %u", s,
                     found[0], found[1], right[0], right[1]);
    }
}

/* A pair with a NaN, on either side, is no part of a dot product that skips NaN. */
static void test_dot(void **state)
{
    (void)state;
    const VkrLoadPath paths[] = {VKR_LOAD_ELEMENT, VKR_LOAD_VEC4};
    uint32_t *words = extra.data;
    float sum = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        const float a = (float)(i % 7), b = (float)(i % 5); /* so that sums are exact */
        memcpy(&words[i], &a, sizeof(a));
        memcpy(&words[ELEMENTS + i], &b, sizeof(b));
        if (i % 11 == 3)
            words[i] = LOUD_NAN;
        if (i % 13 == 5)
            words[ELEMENTS + i] = QUIET_NAN;
        if (i % 11 != 3 && i % 13 != 5)
            sum += a * b;
    }
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        const VkrTuning tuning = shares(32, VKR_LOAD_COALESCED, paths[i]);
        VkrReduceInfo info = {.ops = VKR_OP_DOT,
                              .input = view_of(&extra, 0, ELEMENTS),
                              .input2 = view_of(&extra, sizeof(float) * ELEMENTS, ELEMENTS),
                              .count = ELEMENTS,
                              .nan = VKR_NAN_SKIP,
                              .output = {output.buffer, 0, sizeof(sum)}};
        info.input.type = info.input2.type = VKR_TYPE_F32;
        const work w = open_work(NULL, &tuning);
        assert_true(harness_check(&h, vkrCmdReduce(w.recorder, &info), "vkrCmdReduce"));
        run(&w);
        assert_memory_equal(output.data, &sum, sizeof(sum));
    }
}

size_t float_edges(struct CMUnitTest *tests)
{
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_keys), cmocka_unit_test(test_ties),    cmocka_unit_test(test_flush),
        cmocka_unit_test(test_rows), cmocka_unit_test(test_windows), cmocka_unit_test(test_dot),
    };
    memcpy(tests, fixed, sizeof(fixed));
    return ARRAY_SIZE(fixed);
}
