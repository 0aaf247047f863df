/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of sorts, worked out by hand from sort.h. */
#include "unit.h"

#include <string.h>

#include "oracle_sort.h"

#define MOST 16

static void expect(const oracle_sort_info *info, const uint32_t *expected)
{
    uint32_t indices[MOST];
    assert_true(info->count <= MOST && oracle_sort(info, indices));
    for (uint64_t i = 0; i < info->count; i++)
        assert_int_equal(indices[i], expected[i]);
}

#define LIST(...) ((const uint32_t[]){__VA_ARGS__})

TEST(test_integers)
{
    const uint32_t words[] = {5, 0xffffffff, 5, 0, 0x80000000};
    const int8_t bytes[] = {1, -1, 127, -128, 1};
    oracle_sort_info info = {.data = words, .stride = 4, .type = VKR_TYPE_U32, .count = 5};
    expect(&info, LIST(3, 0, 2, 4, 1));
    info.type = VKR_TYPE_I32;
    expect(&info, LIST(4, 1, 3, 0, 2));
    info.descending = true;
    expect(&info, LIST(0, 2, 3, 1, 4));
    info = (oracle_sort_info){.data = bytes, .stride = 1, .type = VKR_TYPE_I8, .count = 5};
    expect(&info, LIST(3, 1, 0, 4, 2));
}

/* Elements of the first sequence come before equal ones of the second. */
TEST(test_merge)
{
    const uint32_t first[] = {1, 5, 5, 9}, second[] = {0, 5, 7};
    const uint32_t expected[] = {4, 0, 1, 2, 5, 6, 3};
    const oracle_sort_info a = {.data = first, .stride = 4, .type = VKR_TYPE_U32, .count = 4};
    const oracle_sort_info b = {.data = second, .stride = 4, .type = VKR_TYPE_U32, .count = 3};
    uint32_t order[7];
    oracle_merge(&a, &b, order);
    assert_memory_equal(order, expected, sizeof expected);
}

TEST(test_bits)
{
    const uint32_t words[] = {0x12, 0x21, 0x11, 0xf0000022};
    oracle_sort_info info = {
        .data = words, .stride = 4, .type = VKR_TYPE_U32, .count = 4, .begin = 4, .end = 8};
    expect(&info, LIST(0, 2, 1, 3));
    info.begin = 28;
    info.end = 32;
    expect(&info, LIST(0, 1, 2, 3));
    info.type = VKR_TYPE_I32; /* the sign is inverted */
    expect(&info, LIST(3, 0, 1, 2));
}

TEST(test_floats)
{
    /* NaN, 1, -0, 0, -NaN, -infinity, infinity */
    const uint32_t words[] = {0x7fc00001, 0x3f800000, 0x80000000, 0,
                              0xffc00000, 0xff800000, 0x7f800000};
    oracle_sort_info info = {.data = words, .stride = 4, .type = VKR_TYPE_F32, .count = 7};
    expect(&info, LIST(5, 2, 3, 1, 6, 0, 4));
    info.descending = true;
    expect(&info, LIST(6, 1, 3, 2, 5, 4, 0));
    info.nan_first = true;
    expect(&info, LIST(4, 0, 6, 1, 3, 2, 5));
    info.descending = false;
    expect(&info, LIST(0, 4, 5, 2, 3, 1, 6));
}

/* NaN are ordered by their bits: without the sign smaller ones come first, then with it greater
 * ones; equal ones meet, and keep their order. */
TEST(test_nan)
{
    const uint32_t words[] = {0xffc00000, 0x7fc00000, 0xffffffff, 0x3f800000, 0x7fc00001,
                              0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0xffc00000};
    const uint16_t halves[] = {0xfe00, 0x7c01, 0x3c00, 0x7e00, 0xfe00, 0x7c01};
    oracle_sort_info info = {.data = words, .stride = 4, .type = VKR_TYPE_F32, .count = 10};
    expect(&info, LIST(3, 7, 1, 5, 4, 2, 0, 6, 9, 8));
    info.nan_first = true;
    expect(&info, LIST(7, 1, 5, 4, 2, 0, 6, 9, 8, 3));
    info.descending = true;
    expect(&info, LIST(8, 0, 6, 9, 2, 4, 1, 5, 7, 3));
    info.nan_equal = true;
    expect(&info, LIST(0, 1, 2, 4, 5, 6, 7, 8, 9, 3));
    info = (oracle_sort_info){.data = halves, .stride = 2, .type = VKR_TYPE_F16, .count = 6};
    expect(&info, LIST(2, 1, 5, 3, 0, 4));
    info.type = VKR_TYPE_BF16; /* 0x7c01 is a number, 0x7e00 too */
    expect(&info, LIST(0, 4, 2, 1, 5, 3));
}

TEST(test_segments)
{
    const uint32_t words[] = {9, 8, 7, 6, 5, 4, 3};
    const uint64_t offsets[] = {0, 2, 2, 6, 40};
    oracle_sort_info info = {
        .data = words, .stride = 4, .type = VKR_TYPE_U32, .count = 7, .row = 3};
    expect(&info, LIST(2, 1, 0, 2, 1, 0, 0));
    assert_int_equal(oracle_segment_start(&info, 5), 3);
    info.row = 0;
    info.offsets = offsets;
    info.offset_count = 5;
    expect(&info, LIST(1, 0, 3, 2, 1, 0, 0));
    assert_int_equal(oracle_segment_start(&info, 5), 2);
    assert_int_equal(oracle_segment_start(&info, 6), 6);
}

TEST_MAIN("oracle_sort_test", CASE(test_integers), CASE(test_merge), CASE(test_bits),
          CASE(test_floats), CASE(test_nan), CASE(test_segments))
