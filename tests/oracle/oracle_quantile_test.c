/* SPDX-License-Identifier: MIT */
/* Known answers for the reference of quantiles. */

#include "unit.h"

#include <math.h>

#include "oracle_quantile.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

TEST(test_shares)
{
    static const uint64_t counts[] = {0, 2, 0, 6, 0};
    static const double edges[] = {-1, 0, 1, 2, 4, 8};
    /* Half of eight elements is the second of six in bin 3: a third of the bin, rounded down to
     * 2^-32. */
    static const struct {
        double share, value;
    } rows[] = {{0, -1},
                {0.125, 0.5},
                {0.25, 1},
                {0.625, 3},
                {1, 4},
                {0.5, 2 + 2 * 0x55555555p-32},
                {0x1p-33, -1}, /* a tie: rounds to no element */
                {3 * 0x1p-33, 2 * 0x1p-32 * 4}};
    for (int is_f64 = 0; is_f64 < 2; is_f64++) {
        const oracle_quantile_info info = {COUNT(counts), counts, edges, is_f64 != 0};
        for (size_t i = 0; i < COUNT(rows); i++) {
            const double value = is_f64 != 0 ? rows[i].value : (double)(float)rows[i].value;
            assert_true(oracle_quantile(&info, rows[i].share) == value);
        }
    }
}

TEST(test_extremes)
{
    static const uint64_t none[] = {0, 0}, all[] = {UINT64_MAX - 1, 1}, one[] = {1, 0};
    static const double edges[] = {-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, HUGE_VAL};
    static const double least[] = {0, 0x1p-1074, 0x1p-1073};
    const oracle_quantile_info nothing = {2, none, edges, true}, wide = {2, all, edges, true};
    const oracle_quantile_info narrow = {2, one, least, true};
    assert_true(isnan(oracle_quantile(&nothing, 0.5)));
    assert_true(oracle_quantile(&wide, 0) == edges[0]);
    assert_true(oracle_quantile(&wide, 1) == edges[1]);
    assert_true(oracle_quantile(&narrow, 0.5) == 0); /* a tie, to even */
    assert_true(oracle_quantile(&narrow, 0.5 + 0x1p-32) == 0x1p-1074);
}

TEST(test_means)
{
    static const uint64_t counts[] = {4, 4, 0, 8};
    static const double edges[] = {0, 1, 3, 5, 9};
    const oracle_quantile_info info = {COUNT(counts), counts, edges, true};
    static const double whole[] = {0, 1}, middle[] = {0.125, 0.75}, empty[] = {0.5, 0.5 + 0x1p-40};
    assert_true(fabs(oracle_trimmed_mean(&info, whole) - (4 * 0.5 + 4 * 2 + 8 * 7) / 16) < 1e-12);
    assert_true(fabs(oracle_trimmed_mean(&info, middle) - (2 * 0.75 + 4 * 2 + 4 * 6) / 10) < 1e-12);
    assert_true(isnan(oracle_trimmed_mean(&info, empty)));
    assert_true(oracle_trimmed_mean_error(&info) == 9 * 0x1p-20);
}

TEST_MAIN("oracle_quantile", CASE(test_shares), CASE(test_extremes), CASE(test_means))
