/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of mean and l2 of integers whose sums exceed 64 and 128
 * bits; they must never wrap. */
#include "unit.h"

#include <string.h>

#include "oracle.h"

#define MEAN VKR_OP_MEAN
#define L2 VKR_OP_L2
#define I32 VKR_TYPE_I32
#define I64 VKR_TYPE_I64
#define U32 VKR_TYPE_U32
#define U64 VKR_TYPE_U64

/* The result, a double for 64-bit elements and otherwise a float. */
static double ask(const void *data, VkrType type, uint64_t count, VkrOp op)
{
    const bool wide = type == I64 || type == U64;
    const oracle_reduce_info info = {
        .data = data, .stride = wide ? 8 : 4, .count = count, .type = type, .components = 1};
    oracle_value value;
    double f64;
    float f32;
    oracle_reduce(&info, op, 0, wide ? VKR_TYPE_F64 : VKR_TYPE_F32, &value);
    assert_true(value.tolerance == 0);
    memcpy(&f64, value.bytes, sizeof(f64));
    memcpy(&f32, value.bytes, sizeof(f32));
    return wide ? f64 : (double)f32;
}

#define EXPECT(data, type, count, op, result) assert_true(ask(data, type, count, op) == (result))

static const uint64_t top = (uint64_t)1 << 63;

TEST(test_sums)
{
    const uint64_t quarters[] = {top / 2, top / 2, top / 2, top / 2};
    const uint64_t least[] = {top, top, top, top, UINT64_MAX};
    const uint64_t ones[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const uint64_t cancel[] = {top - 1, top, top - 1, top};
    EXPECT(quarters, U64, 4, MEAN, 0x1p62);
    EXPECT(quarters, I64, 4, MEAN, 0x1p62);
    EXPECT(least, I64, 4, MEAN, -0x1p63);
    EXPECT(least, I64, 5, MEAN, -0x1p65 / 5);
    EXPECT(least, U64, 4, MEAN, 0x1p63);
    EXPECT(ones, U64, 3, MEAN, 0x1p64);
    EXPECT(ones, I64, 4, MEAN, -1);
    EXPECT(cancel, I64, 4, MEAN, -0.5);
    EXPECT(cancel, I64, 3, MEAN, 0x1p63 / 3);
}

TEST(test_squares)
{
    const uint64_t quarters[] = {top / 2, top / 2, top / 2, top / 2};
    const uint64_t least[] = {top, top, top, top};
    const uint64_t ones[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const int32_t narrow[] = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, -1};
    EXPECT(quarters, I64, 4, L2, 0x1p63);
    EXPECT(least, I64, 4, L2, 0x1p64);
    EXPECT(least, U64, 4, L2, 0x1p64);
    EXPECT(ones, U64, 1, L2, 0x1p64);
    EXPECT(ones, U64, 4, L2, 0x1p65);
    EXPECT(ones, I64, 4, L2, 2);
    EXPECT(narrow, I32, 4, L2, 0x1p32);
    EXPECT(narrow, I32, 5, L2, 0x1p32);
    EXPECT(narrow, U32, 4, L2, 0x1p32);
    EXPECT(narrow, U32, 4, MEAN, 0x1p31);
}

/* 2^20 squares of 2^64 - 1 have 148 bits. */
TEST(test_portions)
{
    static uint64_t data[4096];
    const oracle_reduce_info info = {.stride = 8, .type = U64, .components = 1};
    oracle_fold *fold = oracle_begin(&info, L2, 0, VKR_TYPE_F64);
    oracle_value value;
    double result;
    assert_non_null(fold);
    memset(data, 0xff, sizeof(data));
    for (size_t i = 0; i < 256; i++)
        oracle_add(fold, data, NULL, 4096);
    oracle_end(fold, &value);
    memcpy(&result, value.bytes, sizeof(result));
    assert_true(result == 0x1p74);
}

/* Means and roots that lie halfway between two doubles, and slightly to one side. */
TEST(test_ties)
{
    const uint64_t between = top / 2 + 512, odd = (((uint64_t)1 << 53) + 1) << 10;
    const uint64_t root[] = {odd, 1}, even[] = {odd, 0, 0, 0};
    uint64_t tie[] = {between, between, between, between};
    EXPECT(tie, U64, 4, MEAN, 0x1p62);
    tie[3]++;
    EXPECT(tie, U64, 4, MEAN, 0x1.0000000000001p62);
    tie[3] -= 2;
    EXPECT(tie, U64, 4, MEAN, 0x1p62);
    EXPECT(even, U64, 4, L2, 0x1p63);
    EXPECT(root, U64, 1, L2, 0x1p63);
    EXPECT(root, U64, 2, L2, 0x1.0000000000001p63);
}

TEST_MAIN("oracle_long_test", CASE(test_sums), CASE(test_squares), CASE(test_portions),
          CASE(test_ties))
