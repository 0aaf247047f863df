/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of histograms, worked out by hand from histogram.h. */
#include "unit.h"

#include <float.h>
#include <math.h>

#include "oracle_histogram.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t bin_of_float(const oracle_bins *b, float x)
{
    return oracle_bins_find(b, &x);
}

static uint32_t bin_of_int(const oracle_bins *b, int32_t x)
{
    return oracle_bins_find(b, &x);
}

/* Like edges, C literals are the floats nearest to decimal numbers. */
TEST(test_even_floats)
{
    static const float tenths[] = {0.0f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f,
                                   0.6f, 0.7f, 0.8f, 0.9f, 1.0f};
    static const double exact[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
    oracle_bins_info info = {.kind = VKR_BINS_EVEN, .count = 10, .type = VKR_TYPE_F32};
    info.high.value = 1;
    oracle_bins *b = oracle_bins_make(&info);
    for (uint32_t k = 0; k <= 10; k++)
        assert_true(oracle_bins_edge(b, k) == (double)tenths[k]);
    for (uint32_t k = 1; k < 10; k++) {
        assert_int_equal(bin_of_float(b, tenths[k]), k);
        assert_int_equal(bin_of_float(b, nextafterf(tenths[k], 0)), k - 1);
    }
    assert_int_equal(bin_of_float(b, -0.0f), 0);
    assert_int_equal(bin_of_float(b, -FLT_TRUE_MIN), 10);
    assert_int_equal(bin_of_float(b, 1.0f), 11);
    assert_int_equal(bin_of_float(b, INFINITY), 11);
    assert_int_equal(bin_of_float(b, -INFINITY), 10);
    assert_int_equal(bin_of_float(b, NAN), 12);
    oracle_bins_free(b);
    info.closed = true;
    b = oracle_bins_make(&info);
    assert_int_equal(bin_of_float(b, 1.0f), 9);
    assert_int_equal(bin_of_float(b, nextafterf(1.0f, 2)), 11);
    oracle_bins_free(b);
    info.type = VKR_TYPE_F64;
    b = oracle_bins_make(&info);
    for (uint32_t k = 0; k <= 10; k++)
        assert_true(oracle_bins_edge(b, k) == exact[k]);
    oracle_bins_free(b);
}

/* The sums and quotients of these values use every bit that a float can have. */
TEST(test_extreme_floats)
{
    oracle_bins_info info = {.kind = VKR_BINS_EVEN, .count = 2, .type = VKR_TYPE_F64};
    info.low.value = -DBL_MAX;
    info.high.value = DBL_MAX;
    oracle_bins *b = oracle_bins_make(&info);
    assert_true(oracle_bins_edge(b, 0) == -DBL_MAX && oracle_bins_edge(b, 1) == 0 &&
                oracle_bins_edge(b, 2) == DBL_MAX);
    oracle_bins_free(b);
    /* Halves of the unit of subnormal numbers round to even: 0, 1/2, 1, 3/2, 2, 5/2, 3. */
    static const int units[] = {0, 0, 1, 2, 2, 2, 3};
    info.count = 6;
    info.low.value = 0;
    info.high.value = 3 * DBL_TRUE_MIN;
    b = oracle_bins_make(&info);
    for (uint32_t k = 0; k <= 6; k++)
        assert_true(oracle_bins_edge(b, k) == units[k] * DBL_TRUE_MIN);
    oracle_bins_free(b);
    /* Bounds of f32 elements are f64: 1 + 2^-24 is a tie, and a slightly larger number is not. */
    info = (oracle_bins_info){.kind = VKR_BINS_EVEN, .count = 1, .type = VKR_TYPE_F32};
    info.low.value = 1 + 0x1p-24;
    info.high.value = 1 + 0x1p-24 + 0x1p-52;
    b = oracle_bins_make(&info);
    assert_true(oracle_bins_edge(b, 0) == 1 && oracle_bins_edge(b, 1) == 1 + 0x1p-23);
    oracle_bins_free(b);
}

TEST(test_integers)
{
    /* -3 to 4 in 3 bins: edges -3, -2/3, 5/3, 4. */
    oracle_bins_info info = {.kind = VKR_BINS_EVEN, .count = 3, .type = VKR_TYPE_I32};
    info.low = (VkrBound){-2, -1};
    info.high = (VkrBound){0, 4};
    static const uint32_t bins[] = {3, 0, 0, 0, 1, 1, 2, 2, 4};
    oracle_bins *b = oracle_bins_make(&info);
    for (int32_t x = -4; x <= 4; x++)
        assert_int_equal(bin_of_int(b, x), bins[x + 4]);
    assert_true(oracle_bins_edge(b, 1) == (double)(-2.0f / 3.0f));
    oracle_bins_free(b);
    /* All of u64, in two bins. */
    const uint64_t values[] = {0, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    info = (oracle_bins_info){.kind = VKR_BINS_EVEN, .count = 2, .type = VKR_TYPE_U64};
    info.high.value = 0x1p64;
    b = oracle_bins_make(&info);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(oracle_bins_find(b, &values[i]), i / 2);
    oracle_bins_free(b);
    info.high.integer = -1;
    b = oracle_bins_make(&info);
    assert_int_equal(oracle_bins_find(b, &values[1]), 0);
    assert_int_equal(oracle_bins_find(b, &values[3]), 3);
    oracle_bins_free(b);
    info = (oracle_bins_info){.kind = VKR_BINS_INTEGERS, .count = 4, .type = VKR_TYPE_I32};
    info.low.integer = -2;
    b = oracle_bins_make(&info);
    for (int32_t x = -2; x < 2; x++)
        assert_int_equal(bin_of_int(b, x), x + 2);
    assert_int_equal(bin_of_int(b, -3), 4);
    assert_int_equal(bin_of_int(b, 2), 5);
    oracle_bins_free(b);
}

TEST(test_edges)
{
    static const float edges[] = {-INFINITY, -0.0f, 1.0f, 1.0f, 1.0f, INFINITY, INFINITY};
    oracle_bins_info info = {.kind = VKR_BINS_EDGES, .count = 6, .type = VKR_TYPE_F32};
    info.edges = edges;
    oracle_bins *b = oracle_bins_make(&info);
    assert_int_equal(bin_of_float(b, -INFINITY), 0);
    assert_int_equal(bin_of_float(b, 0.0f), 1);
    assert_int_equal(bin_of_float(b, 1.0f), 4);
    assert_int_equal(bin_of_float(b, INFINITY), 7);
    oracle_bins_free(b);
    info.closed = true;
    b = oracle_bins_make(&info);
    assert_int_equal(bin_of_float(b, INFINITY), 5);
    oracle_bins_free(b);
}

TEST(test_logarithms)
{
    static const float roots[] = {0.25f,       0.35355339f, 0.5f,        0.70710678f, 1.0f,
                                  1.41421356f, 2.0f,        2.82842712f, 4.0f};
    oracle_bins_info info = {.kind = VKR_BINS_LOG2, .count = 8, .type = VKR_TYPE_F32};
    info.low.value = 0.25;
    info.high.value = 4;
    oracle_bins *b = oracle_bins_make(&info);
    for (uint32_t k = 0; k <= 8; k++)
        assert_true(oracle_bins_edge(b, k) == (double)roots[k]);
    oracle_bins_free(b);
    /* 3 to 48 in 4 bins: 3, 6, 12, 24, 48. The inner edges are off by less than 2^-40. */
    info = (oracle_bins_info){.kind = VKR_BINS_LOG2, .count = 4, .type = VKR_TYPE_F64};
    info.low.value = 3;
    info.high.value = 48;
    b = oracle_bins_make(&info);
    for (int k = 0; k <= 4; k++) {
        const double error = oracle_bins_edge(b, (uint32_t)k) / ldexp(3, k) - 1;
        assert_true(fabs(error) < 0x1p-40 && (error == 0) == (k == 0 || k == 4));
    }
    oracle_bins_free(b);
    /* Integers: roots of two, rounded up. */
    static const double up[] = {1, 2, 2, 3, 4, 6, 8};
    info = (oracle_bins_info){.kind = VKR_BINS_LOG2, .count = 6, .type = VKR_TYPE_I32};
    info.low.integer = 1;
    info.high.integer = 8;
    b = oracle_bins_make(&info);
    for (uint32_t k = 0; k <= 6; k++)
        assert_true(oracle_bins_edge(b, k) == up[k]);
    assert_int_equal(bin_of_int(b, 2), 2);
    assert_int_equal(bin_of_int(b, 5), 4);
    oracle_bins_free(b);
}

/* The bins if the range on the GPU is a single value, and if it is empty. */
TEST(test_ranges)
{
    static const float five = 5, nan = NAN, smallest = FLT_TRUE_MIN, greatest = FLT_MAX;
    static const int32_t seven = 7, least = INT32_MIN, most = INT32_MAX;
    oracle_bins_info info = {.kind = VKR_BINS_EVEN, .count = 2, .type = VKR_TYPE_F32};
    info.gpu_low = info.gpu_high = &five;
    oracle_bins *b = oracle_bins_make(&info);
    assert_true(oracle_bins_edge(b, 0) == 4.5 && oracle_bins_edge(b, 2) == 5.5);
    assert_int_equal(bin_of_float(b, 5), 1);
    assert_int_equal(bin_of_float(b, 5.5f), 1);
    oracle_bins_free(b);
    info.gpu_low = &nan;
    b = oracle_bins_make(&info);
    assert_true(isnan(oracle_bins_edge(b, 1)));
    assert_int_equal(bin_of_float(b, -INFINITY), 3);
    assert_int_equal(bin_of_float(b, NAN), 4);
    oracle_bins_free(b);
    /* Half of one bound rounds to 0, and the double of the other to infinity. */
    info.kind = VKR_BINS_LOG2;
    for (uint32_t i = 0; i < 2; i++) {
        info.gpu_low = info.gpu_high = i == 0 ? &smallest : &greatest;
        b = oracle_bins_make(&info);
        assert_true(isnan(oracle_bins_edge(b, 0)));
        assert_int_equal(bin_of_float(b, 5), 3);
        oracle_bins_free(b);
    }
    /* 6.5 to 7.5. */
    static const uint32_t near_seven[] = {2, 1, 3};
    info = (oracle_bins_info){.kind = VKR_BINS_EVEN, .count = 2, .type = VKR_TYPE_I32};
    info.gpu_low = info.gpu_high = &seven;
    b = oracle_bins_make(&info);
    for (int32_t x = 6; x <= 8; x++)
        assert_int_equal(bin_of_int(b, x), near_seven[x - 6]);
    oracle_bins_free(b);
    info.kind = VKR_BINS_LOG2;
    b = oracle_bins_make(&info);
    assert_true(oracle_bins_edge(b, 0) == 4 && oracle_bins_edge(b, 2) == 14);
    assert_int_equal(bin_of_int(b, 3), 2);
    assert_int_equal(bin_of_int(b, 4), 0);
    assert_int_equal(bin_of_int(b, 14), 1);
    oracle_bins_free(b);
    /* The minimum and the maximum of no elements. */
    info.gpu_low = &most;
    info.gpu_high = &least;
    b = oracle_bins_make(&info);
    assert_int_equal(bin_of_int(b, 0), 3);
    oracle_bins_free(b);
}

TEST(test_weights)
{
    static const struct {
        float weight;
        uint32_t fraction;
        int64_t expected;
    } rows[] = {{0.5f, 0, 0},
                {1.5f, 0, 2},
                {2.5f, 0, 2},
                {-0.75f, 0, -1},
                {0.75f, 2, 3},
                {INFINITY, 0, INT32_MAX - 127},
                {NAN, 3, 0},
                {-INFINITY, 0, INT32_MIN},
                {FLT_MAX, 31, INT32_MAX - 127},
                {-1.0f, 31, INT32_MIN},
                {FLT_TRUE_MIN, 31, 0},
                {0x1p-31f, 31, 1}};
    static const uint16_t halves[] = {1, 0x3c00, 0xfbff, 0x7c00};
    static const int64_t of_halves[] = {128, INT32_MAX - 127, INT32_MIN, INT32_MAX - 127};
    static const int8_t byte = -1;
    static const uint32_t word = UINT32_MAX;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(oracle_weight(VKR_TYPE_F32, rows[i].fraction, &rows[i].weight),
                         rows[i].expected);
    for (size_t i = 0; i < COUNT(halves); i++)
        assert_int_equal(oracle_weight(VKR_TYPE_F16, 31, &halves[i]), of_halves[i]);
    assert_int_equal(oracle_weight(VKR_TYPE_I8, 0, &byte), UINT64_MAX);
    assert_int_equal(oracle_weight(VKR_TYPE_U32, 0, &word), UINT32_MAX);
}

TEST(test_encoding)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const uint16_t given = (uint16_t)bits;
        uint16_t encoded;
        const double number = oracle_double(VKR_TYPE_F16, &given);
        oracle_encode(VKR_TYPE_F16, number, &encoded);
        assert_true(isnan(number) ? (encoded & 0x7fff) == 0x7e00 : encoded == given);
    }
    static const double numbers[] = {1 + 0x1p-11, 1 + 3 * 0x1p-11, 65519, 65520, 0x1p-25};
    static const uint16_t expected[] = {0x3c00, 0x3c02, 0x7bff, 0x7c00, 0};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        uint16_t encoded;
        oracle_encode(VKR_TYPE_F16, numbers[i], &encoded);
        assert_int_equal(encoded, expected[i]);
    }
}

TEST_MAIN("oracle_histogram", CASE(test_even_floats), CASE(test_extreme_floats),
          CASE(test_integers), CASE(test_edges), CASE(test_logarithms), CASE(test_ranges),
          CASE(test_weights), CASE(test_encoding))
