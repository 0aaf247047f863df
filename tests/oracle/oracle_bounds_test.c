/* SPDX-License-Identifier: MIT */
/* Known answers for the reference of searches; those for ascending numbers other than 0 are
 * numpy.searchsorted's. */

#include "unit.h"

#include <math.h>

#include "oracle_bounds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define DESCENDING VKR_BOUNDS_DESCENDING_BIT
#define NAN_FIRST VKR_BOUNDS_NAN_FIRST_BIT

static void check(const oracle_sorted *sorted, const void *value, uint64_t lower, uint64_t upper)
{
    assert_int_equal(oracle_lower_bound(sorted, value), lower);
    assert_int_equal(oracle_upper_bound(sorted, value), upper);
}

TEST(test_floats)
{
    static const float ascending[] = {-HUGE_VALF, -2, -0.0f, 0, 0, 1, 1, 1, HUGE_VALF, NAN, -NAN};
    static const float descending[] = {NAN, -NAN, HUGE_VALF, 1, 0, -0.0f, -0.0f, -2};
    static const struct {
        float value;
        uint64_t lower, upper;
    } rows[] = {{-HUGE_VALF, 0, 1}, {-3, 1, 1},   {-2, 1, 2},        {-0.0f, 2, 3}, {0, 3, 5},
                {1, 5, 8},          {1.5f, 8, 8}, {HUGE_VALF, 8, 9}, {NAN, 9, 11},  {-NAN, 9, 11}},
      turned[] = {{NAN, 0, 2}, {HUGE_VALF, 2, 3}, {2, 3, 3},         {1, 3, 4},
                  {0, 4, 5},   {-0.0f, 5, 7},     {-HUGE_VALF, 8, 8}};
    const oracle_sorted up = {ascending, 4, COUNT(ascending), VKR_TYPE_F32, 0};
    const oracle_sorted down = {descending, 4, COUNT(descending), VKR_TYPE_F32,
                                DESCENDING | NAN_FIRST};
    for (size_t i = 0; i < COUNT(rows); i++)
        check(&up, &rows[i].value, rows[i].lower, rows[i].upper);
    for (size_t i = 0; i < COUNT(turned); i++)
        check(&down, &turned[i].value, turned[i].lower, turned[i].upper);
}

TEST(test_integers)
{
    static const int8_t elements[] = {-128, -1, 0, 0, 5, 127}, values[] = {-128, -2, 0, 6, 127};
    static const uint64_t lower[] = {0, 1, 2, 5, 5}, upper[] = {1, 1, 4, 5, 6};
    static const uint16_t pairs[][2] = {{65535, 1}, {7, 2}, {7, 3}, {0, 4}};
    const uint16_t seven = 7;
    const oracle_sorted bytes = {elements, 1, COUNT(elements), VKR_TYPE_I8, 0};
    const oracle_sorted first = {pairs, 4, COUNT(pairs), VKR_TYPE_U16, DESCENDING};
    for (size_t i = 0; i < COUNT(values); i++)
        check(&bytes, &values[i], lower[i], upper[i]);
    check(&first, &seven, 1, 3);
    check(&(oracle_sorted){.type = VKR_TYPE_U16}, &seven, 0, 0);
}

TEST_MAIN("oracle_bounds", CASE(test_floats), CASE(test_integers))
