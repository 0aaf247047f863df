/* SPDX-License-Identifier: MIT */
#include "oracle_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers of any magnitude: two's complement, in units of 2^-EXACT_UNIT ---- */

#define UNIT EXACT_UNIT
#define WORDS EXACT_WORDS

void exact_add(exact *sum, const exact *a)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)sum->words[i] + a->words[i];
        sum->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void exact_scale(exact *a, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)a->words[i] * by;
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void exact_negate(exact *a)
{
    const exact one = {{1}};
    for (int i = 0; i < WORDS; i++)
        a->words[i] = ~a->words[i];
    exact_add(a, &one);
}

static bool is_negative(const exact *a)
{
    return a->words[WORDS - 1] >> 31 != 0;
}

exact exact_make(u128 magnitude, int exponent, bool negative)
{
    exact a = {{0}};
    const int at = exponent + UNIT;
    for (int bit = 0; bit < 128; bit++)
        if ((magnitude >> bit & 1) != 0)
            a.words[(at + bit) / 32] |= 1u << (at + bit) % 32;
    if (negative)
        exact_negate(&a);
    return a;
}

exact exact_of_double(double value)
{
    int exponent;
    const double part = frexp(fabs(value), &exponent);
    /* Subnormal numbers end in zeros, so none of their bits lie below the unit. */
    return exact_make((u128)(uint64_t)ldexp(part, 53), exponent - 53, value < 0);
}

exact exact_of_halves(wide halves)
{
    return exact_make((u128)(halves < 0 ? -halves : halves), -1, halves < 0);
}

/* Divides a number; the quotient has at least three significant words. Its bit 0, which is below
 * all bits that are used, is set if the division leaves a remainder. Returns the position of the
 * top bit, or -1 if the number is 0. */
static int divide(exact *a, uint32_t divisor)
{
    uint64_t rest = 0;
    int top = -1, i = WORDS - 1;
    for (; i >= 0 && (top < 0 || i > top / 32 - 4); i--) {
        if (top < 0 && rest == 0 && a->words[i] == 0)
            continue;
        rest = rest << 32 | a->words[i];
        a->words[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
        for (int bit = 31; top < 0 && a->words[i] != 0 && bit >= 0; bit--)
            if ((a->words[i] >> bit & 1) != 0)
                top = 32 * i + bit;
    }
    for (; i >= 0; i--) {
        rest |= a->words[i];
        a->words[i] = 0;
    }
    a->words[0] |= rest != 0 ? 1 : 0;
    return top;
}

/* The bits starting at bit `last`, of which there are up to 53. */
static uint64_t bits_from(const exact *a, int last)
{
    uint64_t bits = 0;
    for (int i = 2; i >= 0; i--) {
        const int word = last / 32 + i, shift = 32 * i - last % 32;
        if (word < WORDS && shift < 64)
            bits |= shift >= 0 ? (uint64_t)a->words[word] << shift : a->words[word] >> -shift;
    }
    return bits;
}

double exact_nearest(const exact *number, uint32_t divisor, bool is_f64)
{
    exact a = *number;
    const bool negative = is_negative(&a);
    if (negative)
        exact_negate(&a);
    const int top = divide(&a, divisor);
    const int lowest = UNIT - (is_f64 ? 1074 : 149), wanted = top - (is_f64 ? 52 : 23);
    const int last = wanted > lowest ? wanted : lowest, below = last - 1;
    if (top < 0)
        return 0;
    uint64_t kept = bits_from(&a, last);
    const bool half = (a.words[below / 32] >> below % 32 & 1) != 0;
    bool more = (a.words[below / 32] & ((1u << below % 32) - 1)) != 0;
    for (int i = below / 32 - 1; i >= 0 && !more; i--)
        more = a.words[i] != 0;
    if (half && (more || kept % 2 != 0))
        kept++;
    const double value = ldexp((double)kept, last - UNIT);
    const double magnitude = !is_f64 && value >= 0x1p128 ? (double)INFINITY : value;
    return negative ? -magnitude : magnitude;
}

/* ---- LOG2: the rule of histogram.h ---- */

#define FRACTION EXACT_FRACTION

int64_t exact_log2(u128 magnitude, int exponent)
{
    int top = 127;
    while ((magnitude >> top & 1) == 0)
        top--;
    int64_t result = exponent + top;
    /* m is in units of 2^-63, since an integer has up to 64 bits; each square is in units of
     * 2^-62. */
    u128 m = top > 63 ? magnitude >> (top - 63) : magnitude << (63 - top);
    for (int i = 0; i < FRACTION; i++) {
        m = m * m >> (i == 0 ? 64 : 62);
        const bool bit = m >> 63 != 0;
        m >>= bit ? 1 : 0;
        result = 2 * result + (bit ? 1 : 0);
    }
    return result;
}

/* The square root of x 2^160, rounded down: bit by bit. */
static void root(uint32_t x[6])
{
    uint32_t result[6] = {0};
    for (int bit = 191; bit >= 0; bit--) {
        uint32_t square[12] = {0}, of[12] = {0};
        result[bit / 32] |= 1u << bit % 32;
        for (int i = 0; i < 6; i++) {
            uint64_t carry = 0;
            of[i + 5] = x[i];
            for (int k = 0; k < 6; k++) {
                carry += (uint64_t)result[i] * result[k] + square[i + k];
                square[i + k] = (uint32_t)carry;
                carry >>= 32;
            }
            square[i + 6] = (uint32_t)carry;
        }
        int i = 11;
        while (i > 0 && square[i] == of[i])
            i--;
        if (square[i] > of[i])
            result[bit / 32] &= ~(1u << bit % 32);
    }
    memcpy(x, result, sizeof result);
}

/* Factor i is 2^(2^-i), rounded down to a multiple of 2^-62. It is computed from roots with 160
 * fraction bits, the last few of which may be wrong. */
static const uint64_t *factors(void)
{
    static uint64_t table[FRACTION + 1];
    uint32_t x[6] = {[5] = 2};
    for (int i = 1; table[FRACTION] == 0 && i <= FRACTION; i++) {
        root(x);
        if (x[1] == UINT32_MAX && x[2] == UINT32_MAX)
            abort();
        table[i] = (uint64_t)x[5] << 62 | (uint64_t)x[4] << 30 | x[3] >> 2;
    }
    return table;
}

uint64_t exact_power(int64_t q)
{
    const uint64_t *factor = factors();
    const uint64_t bits = (uint64_t)q & ((UINT64_C(1) << FRACTION) - 1);
    u128 product = (u128)1 << 62;
    for (int i = 1; i <= FRACTION; i++)
        if ((bits >> (FRACTION - i) & 1) != 0)
            product = product * factor[i] >> 62;
    return (uint64_t)product;
}

int64_t exact_floor(wide a, int64_t by)
{
    const wide quotient = a / by;
    return (int64_t)(quotient - (a % by != 0 && a < 0 ? 1 : 0));
}
