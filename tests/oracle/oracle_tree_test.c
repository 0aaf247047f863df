/* SPDX-License-Identifier: MIT */
/* The scalar reference of sliding windows at level DEVICE: known answers, and the tree of reduce.h
 * from its root down. */
#include "unit.h"

#include <string.h>

#include "oracle.h"

#define COUNT 300u

static float elements[COUNT];

static float ask(const float *data, uint64_t first, uint64_t count, VkrOp op)
{
    const oracle_reduce_info info = {.data = data,
                                     .stride = 4,
                                     .count = count,
                                     .type = VKR_TYPE_F32,
                                     .components = 1,
                                     .determinism = VKR_DETERMINISM_DEVICE,
                                     .window = true,
                                     .first = first};
    oracle_value value;
    float result;
    oracle_reduce(&info, op, 0, VKR_TYPE_F32, &value);
    assert_true(value.tolerance == 0);
    memcpy(&result, value.bytes, sizeof(result));
    return result;
}

/* Element 2 k is added to element 2 k + 1 first. */
TEST(test_known)
{
    const float x[] = {1, 0x1p24f, -0x1p24f, 1};
    const float zeros[] = {-0.0f, -0.0f};
    uint32_t bits;
    assert_true(ask(x, 0, 3, VKR_OP_SUM) == 0);
    assert_true(ask(x, 1, 3, VKR_OP_SUM) == 1);
    assert_true(ask(x, 2, 3, VKR_OP_SUM) == 0);
    assert_true(ask(x, 0, 4, VKR_OP_SUM) == -0x1p24f + 1 + 0x1p24f);
    assert_true(ask(x, 3, 4, VKR_OP_SUM) == 2);
    assert_true(ask(x, 7, 1, VKR_OP_SUM) == 1);
    assert_true(ask(x, 7, 4, VKR_OP_PRODUCT) == -0x1p48f);
    assert_true(ask(x, 5, 0, VKR_OP_SUM) == 0 && ask(x, 5, 0, VKR_OP_PRODUCT) == 1);
    const float sum = ask(zeros, 0, 2, VKR_OP_SUM);
    memcpy(&bits, &sum, sizeof(bits));
    assert_int_equal(bits, 0);
}

/* The value of a node of 2^level elements in the window of elements first .. end - 1. */
static float value_of(uint32_t level, uint64_t node, uint64_t first, uint64_t end)
{
    if (level == 0)
        return node >= first && node < end ? elements[node] : 0;
    return value_of(level - 1, 2 * node, first, end) +
           value_of(level - 1, 2 * node + 1, first, end);
}

TEST(test_all_windows)
{
    uint32_t random = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        elements[i] = (float)(int32_t)random * (i % 3 == 0 ? 0x1p-20f : 0x1p-40f);
    }
    for (uint32_t length = 1; length < 80; length++)
        for (uint32_t first = 0; first + length <= COUNT; first += 1 + first % 5)
            assert_true(ask(elements + first, first, length, VKR_OP_SUM) ==
                        value_of(9, 0, first, first + length));
}

/* A shift by a multiple of a power of two that is not less than the length changes nothing. */
TEST(test_period)
{
    for (uint32_t length = 1; length <= 64; length += 9)
        for (uint32_t first = 0; first < 64; first += 7) {
            const float sum = ask(elements, first, length, VKR_OP_SUM);
            const float variance = ask(elements, first, length, VKR_OP_VARIANCE);
            const uint64_t far = first + ((uint64_t)5 << 40) + 192;
            assert_true(sum == ask(elements, far, length, VKR_OP_SUM));
            assert_true(variance == ask(elements, far, length, VKR_OP_VARIANCE));
        }
}

TEST_MAIN("oracle_tree_test", CASE(test_known), CASE(test_all_windows), CASE(test_period))
