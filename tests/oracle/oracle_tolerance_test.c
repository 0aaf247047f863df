/* SPDX-License-Identifier: MIT */
/* Which results the scalar reference accepts of floats, below level DEVICE. */
#include "unit.h"

#include <math.h>

#include "oracle.h"

#define F32 VKR_TYPE_F32
#define F64 VKR_TYPE_F64
#define F16 VKR_TYPE_F16
#define BF16 VKR_TYPE_BF16

static oracle_value loose(const void *data, VkrType type, uint64_t count, VkrOp op, VkrType result)
{
    const size_t size = type == F32 ? 4 : 2;
    const oracle_reduce_info info = {.data = data,
                                     .stride = size,
                                     .data2 = data,
                                     .stride2 = size,
                                     .count = count,
                                     .type = type,
                                     .accumulator = result,
                                     .components = 1};
    oracle_value value;
    oracle_reduce(&info, op, 0, result, &value);
    return value;
}

static bool takes(const oracle_value *value, float actual)
{
    return oracle_accepts(value, F32, &actual);
}

static bool takes_f64(const oracle_value *value, double actual)
{
    return oracle_accepts(value, F64, &actual);
}

TEST(test_tolerance)
{
    const float exact[] = {3, -5, 4096, 2, -0.0f}, rough[] = {0.1f, 0.2f, 0.3f};
    oracle_value value = loose(exact, F32, 5, VKR_OP_SUM, F32);
    assert_true(takes(&value, 4096) && !takes(&value, nextafterf(4096, 0)));
    value = loose(exact + 4, F32, 1, VKR_OP_SUM, F32);
    assert_true(takes(&value, 0.0f) && takes(&value, -0.0f) && !takes(&value, 0x1p-126f));
    value = loose(rough, F32, 3, VKR_OP_SUM, F32);
    assert_true(takes(&value, 0.6f) && takes(&value, nextafterf(0.6f, 1)));
    assert_true(!takes(&value, 0.5999f) && !takes(&value, 0.6001f) && !takes(&value, NAN));
    value = loose(rough, F32, 3, VKR_OP_L2, F32);
    assert_true(takes(&value, 0.37416574f) && !takes(&value, 0.3742f));
    value = loose(rough, F32, 3, VKR_OP_PRODUCT, F32);
    assert_true(takes(&value, 0.006f) && !takes(&value, 0.00600001f));

    const float infinite[] = {1, INFINITY, 2}, both[] = {INFINITY, -INFINITY},
                zero[] = {0, INFINITY};
    value = loose(infinite, F32, 3, VKR_OP_SUM, F32);
    assert_true(takes(&value, INFINITY) && !takes(&value, 3) && !takes(&value, NAN));
    value = loose(both, F32, 2, VKR_OP_SUM, F32);
    assert_true(oracle_proves(&value) && takes(&value, NAN) && !takes(&value, INFINITY));
    value = loose(zero, F32, 2, VKR_OP_PRODUCT, F32);
    assert_true(takes(&value, NAN) && !takes(&value, 0));

    const float huge[] = {3e38f, 3e38f, -3e38f}, squares[] = {1e30f};
    value = loose(huge, F32, 3, VKR_OP_SUM, F32);
    assert_false(oracle_proves(&value));
    value = loose(huge, F32, 3, VKR_OP_L1, F32);
    assert_true(takes(&value, INFINITY) && !takes(&value, 3e38f));
    value = loose(squares, F32, 1, VKR_OP_SUMSQ, F32);
    assert_true(takes(&value, INFINITY) && !takes(&value, 1e30f));
    value = loose(squares, F32, 1, VKR_OP_L2, F32);
    assert_true(takes(&value, 1e30f) && !takes(&value, INFINITY) && !takes(&value, 1.0001e30f));
    value = loose(huge, F32, 3, VKR_OP_L2, F32);
    assert_true(takes(&value, INFINITY) && !takes(&value, 3e38f));
    value = loose(huge, F32, 3, VKR_OP_STDDEV, F32);
    assert_true(takes(&value, 2.828427e38f) && !takes(&value, INFINITY));
    value = loose(huge, F32, 3, VKR_OP_VARIANCE, F32);
    assert_true(takes(&value, INFINITY) && !takes(&value, 3e38f) && !takes(&value, NAN));
    const float powers[] = {2, -4, 0.5f, 1};
    value = loose(powers, F32, 4, VKR_OP_PRODUCT, F32);
    assert_true(takes(&value, -4) && !takes(&value, nextafterf(-4, 0)));
}

/* Devices may treat a subnormal element as 0, however wide the accumulator is. */
TEST(test_subnormal_elements)
{
    const uint16_t half[] = {1}, factors[] = {0x0040, 0x4000, 0x7f80}; /* 2^-127, 2, infinity */
    oracle_value value = loose(half, F16, 1, VKR_OP_SUM, F32);
    assert_true(takes(&value, 0x1p-24f) && takes(&value, 0));
    value = loose(factors, BF16, 2, VKR_OP_PRODUCT, F64);
    assert_true(oracle_proves(&value) && takes_f64(&value, 0x1p-126) && takes_f64(&value, 0));
    assert_false(takes_f64(&value, 0x1.8p-125));
    value = loose(factors, BF16, 3, VKR_OP_PRODUCT, F64);
    assert_false(oracle_proves(&value));
}

TEST_MAIN("oracle_tolerance_test", CASE(test_tolerance), CASE(test_subnormal_elements))
