/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of counting sorts, worked out by hand from bin.h. */
#include "unit.h"

#include <string.h>

#include "oracle_bin.h"

#define MOST 8

static void expect(const oracle_bin_info *info, const uint32_t *counts, const uint32_t *offsets,
                   const uint32_t *indices)
{
    uint32_t c[MOST], o[MOST + 1], i[MOST];
    assert_true(info->count <= MOST && info->bins <= MOST);
    oracle_bin(info, c, o, i);
    assert_memory_equal(c, counts, info->bins * 4);
    assert_memory_equal(o, offsets, (info->bins + 1) * 4);
    if (o[info->bins] != 0)
        assert_memory_equal(i, indices, o[info->bins] * 4);
}

#define LIST(...) ((const uint32_t[]){__VA_ARGS__})

TEST(test_words)
{
    const uint32_t keys[] = {2, 0, 2, 0xffffffff, 1, 2, 3, 0};
    oracle_bin_info info = {.keys = keys, .stride = 4, .key_size = 4, .count = 8, .bins = 3};
    expect(&info, LIST(2, 1, 3), LIST(0, 2, 3, 6), LIST(1, 7, 4, 0, 2, 5));
    info.bins = 1;
    expect(&info, LIST(2), LIST(0, 2), LIST(1, 7));
    info.bins = 5;
    expect(&info, LIST(2, 1, 3, 1, 0), LIST(0, 2, 3, 6, 7, 7), LIST(1, 7, 4, 0, 2, 5, 6));
    info.count = 0;
    expect(&info, LIST(0, 0, 0, 0, 0), LIST(0, 0, 0, 0, 0, 0), NULL);
}

TEST(test_small_keys)
{
    const uint8_t bytes[] = {1, 9, 0, 9, 1, 9};
    const uint16_t halves[] = {256, 1, 1};
    const oracle_bin_info apart = {
        .keys = bytes, .stride = 2, .key_size = 1, .count = 3, .bins = 2};
    const oracle_bin_info two = {.keys = halves, .stride = 2, .key_size = 2, .count = 3, .bins = 2};
    expect(&apart, LIST(1, 2), LIST(0, 1, 3), LIST(1, 0, 2));
    expect(&two, LIST(0, 2), LIST(0, 0, 2), LIST(1, 2));
}

TEST_MAIN("oracle_bin_test", CASE(test_words), CASE(test_small_keys))
