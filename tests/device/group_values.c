/* SPDX-License-Identifier: MIT */
/* Values of each type, and how operators combine them. */
#include "group_model.h"

#include <math.h>
#include <string.h>

const char *const op_names[OPS] = {"digits", "sum", "product", "min",    "max",
                                   "and",    "or",  "xor",     "argmin", "argmax"};

const value_type types[TYPES] = {
    {"i32", 4, false, true},     {"u32", 4, false, false}, {"f32", 4, true, true},
    {"i64", 8, false, true},     {"u64", 8, false, false}, {"f64", 8, true, true},
    {"digits", 8, false, false},
};
const value_type *const digits = &types[6];

bool is_arg(op_id op)
{
    return op == ARGMIN || op == ARGMAX;
}

value value_of(const value_type *t, uint64_t bits, uint32_t index)
{
    return (value){t->bytes == 4 ? (uint32_t)bits : bits, index};
}

static double number_of(const value_type *t, value v)
{
    const uint32_t low = (uint32_t)v.bits;
    float narrow;
    double wide;
    memcpy(&narrow, &low, sizeof(narrow));
    memcpy(&wide, &v.bits, sizeof(wide));
    return t->bytes == 4 ? (double)narrow : wide;
}

static value of_number(const value_type *t, double number)
{
    const float rounded = (float)number;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &rounded, sizeof(low));
    memcpy(&bits, &number, sizeof(bits));
    return (value){t->bytes == 4 ? low : bits, 0};
}

static int64_t signed_of(const value_type *t, value v)
{
    return t->bytes == 4 ? (int32_t)(uint32_t)v.bits : (int64_t)v.bits;
}

bool is_nan(const value_type *t, value v)
{
    return t->is_float && isnan(number_of(t, v));
}

/* Whether a comes before b. Neither is NaN. */
static bool is_less(const value_type *t, value a, value b)
{
    if (t->is_float) {
        const double x = number_of(t, a), y = number_of(t, b);
        return x < y || (x == y && signbit(x) && !signbit(y));
    }
    return t->is_signed ? signed_of(t, a) < signed_of(t, b) : a.bits < b.bits;
}

static bool is_better(const value_type *t, op_id op, value a, value b)
{
    if (is_nan(t, a) || is_nan(t, b))
        return !is_nan(t, a);
    return op == MIN || op == ARGMIN ? is_less(t, a, b) : is_less(t, b, a);
}

/* The better of two values; of equal ones, the one with the smaller index. */
static value better_of(const value_type *t, op_id op, value a, value b)
{
    if (is_nan(t, a) && is_nan(t, b))
        return a;
    if (is_better(t, op, b, a) || (!is_better(t, op, a, b) && b.index < a.index))
        return b;
    return a;
}

static value combine_floats(const value_type *t, op_id op, value a, value b)
{
    const double x = number_of(t, a), y = number_of(t, b);
    if (t->bytes == 8)
        return of_number(t, op == SUM ? x + y : x * y);
    const float narrow = op == SUM ? (float)x + (float)y : (float)x * (float)y;
    return of_number(t, (double)narrow);
}

/* Concatenates two numerals, each given as its number and the base raised to its length. */
static value append_digits(value a, value b)
{
    const uint32_t number = (uint32_t)a.bits, power = (uint32_t)(a.bits >> 32);
    const uint32_t number_b = (uint32_t)b.bits, power_b = (uint32_t)(b.bits >> 32);
    return (value){(uint64_t)(power * power_b) << 32 | (number * power_b + number_b), 0};
}

value combine(const value_type *t, op_id op, value a, value b)
{
    if (t->is_float && (op == SUM || op == PRODUCT))
        return combine_floats(t, op, a, b);
    switch (op) {
    case DIGITS:
        return append_digits(a, b);
    case SUM:
        return value_of(t, a.bits + b.bits, 0);
    case PRODUCT:
        return value_of(t, a.bits * b.bits, 0);
    case AND:
        return value_of(t, a.bits & b.bits, 0);
    case OR:
        return value_of(t, a.bits | b.bits, 0);
    case XOR:
        return value_of(t, a.bits ^ b.bits, 0);
    default:
        return better_of(t, op, a, b);
    }
}

value identity_of(const value_type *t, op_id op)
{
    const bool is_max = op == MAX || op == ARGMAX;
    const uint64_t sign = t->bytes == 4 ? 0x80000000u : 0x8000000000000000u;
    switch (op) {
    case DIGITS:
        return (value){(uint64_t)1 << 32, 0};
    case PRODUCT:
        return t->is_float ? of_number(t, 1) : value_of(t, 1, 0);
    case AND:
        return value_of(t, ~(uint64_t)0, 0);
    case SUM:
    case OR:
    case XOR:
        return value_of(t, 0, 0);
    default:
        break;
    }
    value v = value_of(t, is_max ? 0 : ~(uint64_t)0, 0);
    if (t->is_float)
        v = of_number(t, is_max ? -INFINITY : INFINITY);
    else if (t->is_signed)
        v.bits ^= sign;
    v.index = is_arg(op) ? UINT32_MAX : 0;
    return v;
}

/* ---- Input ---- */

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static uint64_t random_bits(void)
{
    const uint64_t high = random_below(1u << 31), low = random_below(1u << 31);
    return high << 33 ^ low;
}

/* Any kind of number, for minima and maxima. */
static value random_number(const value_type *t, bool only_nan)
{
    static const double numbers[] = {0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, 1e30, -1e-30};
    const uint64_t sign = t->bytes == 4 ? 0x80000000u : 0x8000000000000000u;
    const uint64_t infinity = t->bytes == 4 ? 0x7f800000u : 0x7ff0000000000000u;
    const uint32_t kind = only_nan ? 0 : random_below(12);
    const uint64_t signs = random_below(2) ? sign : 0;
    if (kind < 2)
        return (value){signs | infinity | (1u + random_below(1000)), 0};
    if (kind < 4)
        return (value){signs | (1u + random_below(1000)), 0}; /* subnormal */
    return of_number(t, numbers[kind - 4]);
}

/* Numbers whose sums and products do not depend on the order. */
static value exact_number(const value_type *t, op_id op, uint32_t i)
{
    static const double factors[] = {1, -2, -1, 0.5, -1, 0.25, 1, -4};
    if (op == PRODUCT)
        return of_number(t, factors[i % ARRAY_SIZE(factors)]);
    return of_number(t, (double)random_below(2001) - 1000.0);
}

/* A number such that every order of additions rounds differently. */
static value inexact_number(const value_type *t)
{
    const double number = (double)random_bits() / 18446744073709551616.0;
    return of_number(t, 0.5 + number);
}

/* One of few different values, so that equal ones occur and their indices decide. */
static value few(const value_type *t, uint64_t bits)
{
    return value_of(t, bits % 5 - (t->is_signed ? 2 : 0), 0);
}

value input_of(const value_type *t, op_id op, uint32_t group, uint32_t i, bool ordered)
{
    value v;
    if (t == digits)
        return (value){(uint64_t)(2 * random_below(1000) + 3) << 32 | random_below(10), 0};
    if (ordered)
        return inexact_number(t);
    if (t->is_float && (op == SUM || op == PRODUCT))
        return exact_number(t, op, i);
    if (t->is_float)
        v = random_number(t, group == 1 || (group == 2 && i < MAX_SIZE / 16));
    else if (is_arg(op))
        v = few(t, random_bits() >> 8);
    else
        v = value_of(t, op == PRODUCT ? random_bits() | 1u : random_bits(), 0);
    /* Indices descend, so that among equal values the index decides, not the position. */
    v.index = is_arg(op) ? 5000u - i : 0;
    return v;
}
