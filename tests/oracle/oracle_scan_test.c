/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of scans, worked out by hand from scan.h. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_scan.h"

#define MOST 32

/* Scans u32 and compares every value and the total with `expected`. */
static void expect_words(const oracle_scan_info *wanted, const uint32_t *data, uint64_t count,
                         const uint32_t *expected)
{
    oracle_scan_info info = *wanted;
    oracle_value values[MOST];
    info.data = data;
    info.stride = 4;
    info.count = count;
    info.type = VKR_TYPE_U32;
    info.components = 1;
    assert_true(oracle_scan(&info, 0, VKR_TYPE_U32, values));
    for (uint64_t i = 0; i <= count; i++) {
        uint32_t word;
        memcpy(&word, values[i].bytes, sizeof(word));
        assert_int_equal(word, expected[i]);
        assert_true(values[i].tolerance == 0);
    }
}

#define WORDS(...) ((const uint32_t[]){__VA_ARGS__})
#define EXCLUSIVE VKR_SCAN_EXCLUSIVE_BIT
#define REVERSE VKR_SCAN_REVERSE_BIT

TEST(test_directions)
{
    const uint32_t data[] = {3, 1, 7, 0, 4}, start = 100;
    oracle_scan_info info = {.op = VKR_OP_SUM};
    expect_words(&info, data, 5, WORDS(3, 4, 11, 11, 15, 15));
    info.flags = EXCLUSIVE;
    expect_words(&info, data, 5, WORDS(0, 3, 4, 11, 11, 15));
    info.flags = REVERSE;
    expect_words(&info, data, 5, WORDS(15, 12, 11, 4, 4, 15));
    info.flags = REVERSE | EXCLUSIVE;
    expect_words(&info, data, 5, WORDS(12, 11, 4, 4, 0, 15));
    info.initial = &start;
    expect_words(&info, data, 5, WORDS(112, 111, 104, 104, 100, 115));
    expect_words(&info, data, 0, WORDS(100));
    info = (oracle_scan_info){.op = VKR_OP_MIN, .flags = EXCLUSIVE};
    expect_words(&info, data, 3, WORDS(UINT32_MAX, 3, 1, 1));
    info.op = VKR_OP_MAX;
    expect_words(&info, data, 3, WORDS(0, 3, 3, 7));
    info.op = VKR_OP_PRODUCT;
    expect_words(&info, data, 5, WORDS(1, 3, 3, 21, 0, 0));
    info.op = VKR_OP_AND;
    expect_words(&info, data, 3, WORDS(UINT32_MAX, 3, 1, 1));
    info.op = VKR_OP_XOR;
    expect_words(&info, data, 3, WORDS(0, 3, 2, 5));
    info.op = VKR_OP_OR;
    expect_words(&info, data, 0, WORDS(0));
}

TEST(test_segments)
{
    const uint32_t data[] = {1, 2, 3, 4, 5, 6, 7}, start = 10;
    const uint32_t words[] = {0, 0, 9, 0, 1, 0, 0};
    const uint8_t bytes[] = {0, 0, 255, 0, 1, 0, 0};
    const uint32_t bits = 1u << 2 | 1u << 4;
    oracle_scan_info info = {.op = VKR_OP_SUM, .segments = VKR_SEGMENTS_FLAGS, .heads = words};
    expect_words(&info, data, 7, WORDS(1, 3, 3, 7, 5, 11, 18, 18));
    info.flags = EXCLUSIVE;
    expect_words(&info, data, 7, WORDS(0, 1, 0, 3, 0, 5, 11, 18));
    info.initial = &start;
    expect_words(&info, data, 7, WORDS(10, 11, 10, 13, 10, 15, 21, 28));
    info.initial = NULL;
    info.flags = REVERSE;
    info.heads = bytes;
    info.flag_format = VKR_FLAGS_U8;
    expect_words(&info, data, 7, WORDS(3, 2, 7, 4, 18, 13, 7, 3));
    info.flags = REVERSE | EXCLUSIVE;
    info.heads = &bits;
    info.flag_format = VKR_FLAGS_BITS;
    expect_words(&info, data, 7, WORDS(2, 0, 4, 0, 13, 7, 0, 3));
    info = (oracle_scan_info){.op = VKR_OP_SUM, .segments = VKR_SEGMENTS_ROWS, .row_length = 3};
    expect_words(&info, data, 7, WORDS(1, 3, 6, 4, 9, 15, 7, 7));
    info.flags = REVERSE;
    expect_words(&info, data, 7, WORDS(6, 5, 3, 15, 11, 6, 7, 6));
    /* Empty segments, one that starts at the end, and one that starts after it. */
    const uint32_t offsets[] = {2, 2, 4, 7, 9};
    const uint64_t wide[] = {2, 2, 4, 7, (uint64_t)1 << 32};
    info = (oracle_scan_info){
        .op = VKR_OP_SUM, .segments = VKR_SEGMENTS_OFFSETS, .offsets = offsets, .offset_count = 5};
    expect_words(&info, data, 7, WORDS(1, 3, 3, 7, 5, 11, 18, 18));
    info.offsets = wide;
    info.offset_type = VKR_TYPE_U64;
    expect_words(&info, data, 7, WORDS(1, 3, 3, 7, 5, 11, 18, 18));
    expect_words(&info, data, 0, WORDS(0));
}

static uint32_t word_of(const oracle_value *value)
{
    uint32_t word;
    memcpy(&word, value->bytes, sizeof(word));
    return word;
}

#define NOT_A_NUMBER 0x7fc00000u
#define PLUS_INFINITY 0x7f800000u

/* Ignored NaN elements appear only if there is nothing else; a propagated NaN remains. */
TEST(test_nan)
{
    const uint32_t data[] = {0xffc00001, 0x40000000, 0x7f800001, 0x3f800000}, start = 0x7fffffff;
    oracle_scan_info info = {.data = data,
                             .stride = 4,
                             .count = 4,
                             .type = VKR_TYPE_F32,
                             .components = 1,
                             .op = VKR_OP_MIN,
                             .flags = EXCLUSIVE};
    oracle_value values[5];
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, values));
    assert_int_equal(word_of(&values[0]), PLUS_INFINITY);
    assert_int_equal(word_of(&values[1]), NOT_A_NUMBER);
    assert_int_equal(word_of(&values[2]), 0x40000000);
    assert_int_equal(word_of(&values[3]), 0x40000000);
    assert_int_equal(word_of(&values[4]), 0x3f800000);
    info.initial = &start;
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, values));
    assert_int_equal(word_of(&values[0]), NOT_A_NUMBER);
    assert_int_equal(word_of(&values[2]), 0x40000000);
    info.initial = NULL;
    info.nan = VKR_NAN_PROPAGATE;
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, values));
    assert_int_equal(word_of(&values[0]), PLUS_INFINITY);
    for (int i = 1; i <= 4; i++)
        assert_int_equal(word_of(&values[i]), NOT_A_NUMBER);
}

/* The second component of strided elements, summed in a wider type. */
TEST(test_components)
{
    const int8_t data[] = {0, -100, 9, 0, -100, 9, 0, 7, 9};
    const int64_t starts[] = {0, -5}, expected[] = {-105, -205, -198, -198};
    const oracle_scan_info info = {.data = data,
                                   .stride = 3,
                                   .count = 3,
                                   .type = VKR_TYPE_I8,
                                   .components = 2,
                                   .op = VKR_OP_SUM,
                                   .accumulator = VKR_TYPE_I64,
                                   .initial = starts};
    oracle_value values[4];
    assert_true(oracle_scan(&info, 1, VKR_TYPE_I64, values));
    for (int i = 0; i < 4; i++)
        assert_true(oracle_accepts(&values[i], VKR_TYPE_I64, &expected[i]) &&
                    values[i].tolerance == 0);
}

TEST(test_tolerance)
{
    const float data[] = {0.1f, 0.2f, 0.3f, 1e30f, 3e38f, 3e38f}, start = 0.7f;
    oracle_scan_info info = {.data = data,
                             .stride = 4,
                             .count = 6,
                             .type = VKR_TYPE_F32,
                             .components = 1,
                             .op = VKR_OP_SUM,
                             .initial = &start};
    oracle_value values[7];
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, values));
    assert_true(oracle_accepts(&values[2], VKR_TYPE_F32, &(float){1.3f}));
    assert_false(oracle_accepts(&values[2], VKR_TYPE_F32, &(float){1.30001f}));
    assert_true(oracle_proves(&values[3]) && !oracle_proves(&values[5]));
    info.op = VKR_OP_PRODUCT;
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, values));
    assert_true(oracle_accepts(&values[2], VKR_TYPE_F32, &(float){0.0042f}));
    assert_false(oracle_accepts(&values[2], VKR_TYPE_F32, &(float){0.00420001f}));
}

/* ---- Level DEVICE ---- */

#define LARGE (2 * VKR_SCAN_BLOCK + 2)
static float large[LARGE];
static oracle_value prefixes[LARGE + 1];

static void scan_large(uint64_t count, oracle_scan_info info)
{
    info.data = large;
    info.stride = 4;
    info.count = count;
    info.type = VKR_TYPE_F32;
    info.components = 1;
    info.op = info.op != 0 ? info.op : VKR_OP_SUM;
    info.determinism = VKR_DETERMINISM_DEVICE;
    assert_true(oracle_scan(&info, 0, VKR_TYPE_F32, prefixes));
}

static float prefix(uint64_t i)
{
    float value;
    memcpy(&value, prefixes[i].bytes, sizeof(value));
    return value;
}

/* 1e8 + 4 rounds to 1e8, but 1e8 + 8 does not: the results show the order of additions. */
TEST(test_runs)
{
    memset(large, 0, sizeof(large));
    large[0] = 1e8f;
    large[1] = large[2] = 4;
    large[256] = large[257] = 4;
    scan_large(600, (oracle_scan_info){0});
    assert_true(prefix(2) == 1e8f);           /* added one after the other */
    assert_true(prefix(257) == 1e8f);         /* added to the prefix of its run */
    assert_true(prefix(512) == 100000008.0f); /* the run's total, summed from zero */
    assert_true(prefix(600) == 100000008.0f); /* the block's total, run by run */
}

TEST(test_blocks)
{
    const float start = 1e8f;
    memset(large, 0, sizeof(large));
    large[0] = large[256] = 4;
    large[VKR_SCAN_BLOCK + 1] = large[VKR_SCAN_BLOCK + 256] = 4;
    scan_large(LARGE, (oracle_scan_info){.initial = &start});
    assert_true(prefix(300) == 1e8f);                    /* 1e8 + 4 + 4, run by run */
    assert_true(prefix(VKR_SCAN_BLOCK - 1) == 1e8f);     /* likewise */
    assert_true(prefix(VKR_SCAN_BLOCK) == 100000008.0f); /* the block's total: 8, then 4 */
    assert_true(prefix(2 * VKR_SCAN_BLOCK) == 100000016.0f);
    assert_true(prefix(LARGE) == 100000016.0f);
    /* When the scan is cut at a block, the second piece continues from the total of the first. */
    scan_large(VKR_SCAN_BLOCK, (oracle_scan_info){.initial = &start});
    assert_true(prefix(VKR_SCAN_BLOCK) == 100000008.0f);
}

TEST(test_reversed_runs)
{
    memset(large, 0, sizeof(large));
    large[599] = 1e8f;
    large[343] = large[342] = 4; /* in the second run, counted from the end */
    scan_large(600, (oracle_scan_info){.flags = REVERSE});
    assert_true(prefix(342) == 1e8f);
    assert_true(prefix(0) == 100000008.0f);
}

/* The scan restarts at element 200 with the initial value: everything before it is dropped, but the
 * end of its run is not. */
TEST(test_segmented_runs)
{
    const float start = 1e8f;
    const uint32_t offset = 200;
    memset(large, 0, sizeof(large));
    large[0] = 3;
    large[200] = large[201] = 4;
    large[256] = 8;
    scan_large(600, (oracle_scan_info){.initial = &start,
                                       .segments = VKR_SEGMENTS_OFFSETS,
                                       .offsets = &offset,
                                       .offset_count = 1});
    assert_true(prefix(0) == 1e8f && prefix(201) == 1e8f && prefix(255) == 1e8f);
    assert_true(prefix(256) == 100000008.0f && prefix(600) == 100000008.0f);
}

TEST(test_flushing)
{
    const float tiny = 0x1p-127f, one = 1;
    memset(large, 0, sizeof(large));
    large[0] = 0x1.8p-126f;
    large[1] = -0x1p-126f; /* the sum is subnormal */
    large[2] = 0x1p-127f;
    large[3] = 0x1p-126f;
    scan_large(4, (oracle_scan_info){.initial = &tiny});
    assert_true(prefix(0) == 0x1.8p-126f && prefix(1) == 0 && prefix(2) == 0);
    assert_true(prefix(3) == 0x1p-126f && prefix(4) == 0x1p-126f);
    scan_large(0, (oracle_scan_info){.initial = &tiny});
    assert_true(prefix(0) == 0);
    scan_large(1, (oracle_scan_info){.initial = &one, .op = VKR_OP_PRODUCT});
    assert_true(prefix(0) == 0x1.8p-126f);
    large[0] = 0x1p-126f; /* after a multiplication the smallest normal number is flushed */
    scan_large(1, (oracle_scan_info){.initial = &one, .op = VKR_OP_PRODUCT});
    assert_true(prefix(0) == 0);
}

TEST_MAIN("oracle_scan_test", CASE(test_directions), CASE(test_segments), CASE(test_nan),
          CASE(test_components), CASE(test_tolerance), CASE(test_runs), CASE(test_blocks),
          CASE(test_reversed_runs), CASE(test_segmented_runs), CASE(test_flushing))
