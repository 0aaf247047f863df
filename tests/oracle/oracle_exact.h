/* SPDX-License-Identifier: MIT */
/* Exact numbers over the whole range of floats, and logarithms by the rule of histogram.h. */
#ifndef VKR_TESTS_ORACLE_EXACT_H
#define VKR_TESTS_ORACLE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 u128;

#define EXACT_UNIT 1152
#define EXACT_WORDS 70

/* A number in units of 2^-EXACT_UNIT, in two's complement. */
typedef struct exact {
    uint32_t words[EXACT_WORDS]; /* least significant first */
} exact;

void exact_add(exact *sum, const exact *a);
void exact_scale(exact *a, uint32_t by);
void exact_negate(exact *a);

/* magnitude x 2^exponent, negated if negative. */
exact exact_make(u128 magnitude, int exponent, bool negative);
exact exact_of_double(double value);
exact exact_of_halves(wide halves);

/* The float, f64 or f32, that is nearest to number / divisor, ties to even. */
double exact_nearest(const exact *number, uint32_t divisor, bool is_f64);

/* a / by, rounded down. */
int64_t exact_floor(wide a, int64_t by);

#define EXACT_FRACTION 48 /* fraction bits of logarithms */

/* The logarithm of magnitude x 2^exponent, in units of 2^-48. At most 64 bits of magnitude affect
 * it. */
int64_t exact_log2(u128 magnitude, int exponent);

/* 2^q divided by its integral power of two, in units of 2^-62. */
uint64_t exact_power(int64_t q);

#endif
