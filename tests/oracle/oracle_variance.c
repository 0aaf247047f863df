/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of variance and standard deviation. For n elements with the sum s and the
 * sum of squares q, the variance is (n q - s^2) / (n d), where d is n or, for a sample, n - 1.
 * Everything is exact until one rounding at the end: the integers are wide enough for the squares
 * of all floats.
 */
#include <float.h>

#include "oracle_parts.h"

#define WORDS VARIANCE_WORDS
#define SUM_UNIT 1088    /* sums are in units of 2^-1088 */
#define SQUARE_UNIT 2176 /* sums of squares in units of 2^-2176 */
#define LONG_WORDS (WORDS + 4)

/* ---- Multi-word integers, least significant word first ---- */

typedef struct number {
    uint32_t words[LONG_WORDS];
} number;

/* Adds value * 2^(32 at), or subtracts it. */
static void add_words(uint32_t *to, uint32_t words, u128 value, uint32_t at, bool negative)
{
    uint64_t carry = negative ? 1 : 0;
    for (uint32_t i = at; i < words; i++) {
        const uint32_t word = i - at < 4 ? (uint32_t)(value >> 32 * (i - at)) : 0;
        carry += (uint64_t)to[i] + (negative ? ~word : word);
        to[i] = (uint32_t)carry;
        carry >>= 32;
        if (i - at >= 4 && carry == (negative ? 1 : 0)) /* no further word changes */
            break;
    }
}

/* Adds significand * 2^exponent to a number in units of 2^-unit, or subtracts it. */
static void add_scaled(uint32_t *to, uint32_t words, u128 significand, int exponent, int unit,
                       bool negative)
{
    const int bit = exponent + unit;
    const uint32_t shift = (uint32_t)bit % 32, at = (uint32_t)bit / 32;
    const u128 low = significand & ~(uint64_t)0, high = significand >> 64;
    add_words(to, words, low << shift, at, negative);
    if (high != 0)
        add_words(to, words, high << shift, at + 2, negative);
}

static void multiply(number *to, const uint32_t *a, uint32_t a_words, const uint32_t *b,
                     uint32_t b_words)
{
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < a_words; i++) {
        uint64_t carry = 0;
        if (a[i] == 0)
            continue;
        for (uint32_t k = 0; i + k < LONG_WORDS && (k < b_words || carry != 0); k++) {
            carry += to->words[i + k] + (k < b_words ? (uint64_t)a[i] * b[k] : 0);
            to->words[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

static void subtract(number *a, const number *b)
{
    uint64_t carry = 1;
    for (uint32_t i = 0; i < LONG_WORDS; i++) {
        carry += (uint64_t)a->words[i] + (uint32_t)~b->words[i];
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static uint32_t words_of(const number *a)
{
    uint32_t words = LONG_WORDS;
    while (words > 0 && a->words[words - 1] == 0)
        words--;
    return words;
}

/* Divides and rounds down. Returns whether there is a remainder. */
static bool divide(number *a, uint64_t by)
{
    u128 rest = 0;
    for (uint32_t i = words_of(a); i-- > 0;) {
        rest = rest << 32 | a->words[i];
        a->words[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return rest != 0;
}

/* Removes zero words at the low end, but keeps at least 10 words. Returns the exponent of the
 * resulting unit, relative to the previous one. a is not 0. */
static int normalise(number *a)
{
    const uint32_t filled = words_of(a);
    uint32_t low = 0;
    while (a->words[low] == 0)
        low++;
    const uint32_t words = filled - low, room = words < 10 ? 10 - words : 0;
    memmove(a->words + room, a->words + low, words * sizeof *a->words);
    memset(a->words, 0, room * sizeof *a->words);
    memset(a->words + room + words, 0, (LONG_WORDS - room - words) * sizeof *a->words);
    return 32 * ((int)low - (int)room);
}

/* ---- The method ---- */

static void start_variance(oracle_fold *fold)
{
    memset(&fold->state.variance, 0, sizeof fold->state.variance);
}

static void add_to_variance(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const VkrType type = fold->info.type;
    const type_row *t = &oracle_types[type];
    variance *v = &fold->state.variance;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t significand = magnitude_of(t, x[i]);
        bool negative = t->kind == KIND_SIGNED && (int64_t)x[i] < 0;
        int exponent = 0;
        if (t->kind == KIND_FLOAT) {
            const double value = to_double(type, x[i]);
            v->special |= !isfinite(value);
            if (!isfinite(value))
                continue;
            significand = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
            exponent -= 53;
            negative = value < 0;
            if (significand == 0)
                continue;
            while (exponent < -1074) { /* a subnormal's last bits are 0 */
                significand >>= 1;
                exponent++;
            }
        }
        add_scaled(v->sum, WORDS, significand, exponent, SUM_UNIT, negative);
        add_scaled(v->squares, WORDS, (u128)significand * significand, 2 * exponent, SQUARE_UNIT,
                   false);
    }
}

/* n q - s^2, in units of 2^-SQUARE_UNIT. */
static number exact_deviations(const variance *v, uint64_t n)
{
    const uint32_t count[2] = {(uint32_t)n, (uint32_t)(n >> 32)};
    number sum = {{0}}, square, all;
    const bool negative = v->sum[WORDS - 1] >> 31 != 0;
    memcpy(sum.words, v->sum, sizeof v->sum);
    if (negative) {
        const number zero = {{0}};
        number minus = zero;
        memset(sum.words + WORDS, 0xff, (LONG_WORDS - WORDS) * sizeof *sum.words);
        subtract(&minus, &sum);
        sum = minus;
    }
    multiply(&square, sum.words, words_of(&sum), sum.words, words_of(&sum));
    multiply(&all, count, 2, v->squares, WORDS);
    subtract(&all, &square);
    return all;
}

/* value * 2^exponent; slightly more if sticky. */
typedef struct quotient {
    u128 value;
    bool sticky;
    int exponent;
} quotient;

static bool bit_of(const number *a, uint32_t bit)
{
    return (a->words[bit / 32] >> bit % 32 & 1) != 0;
}

/* The first 120 bits of above / (n d). */
static quotient divide_exactly(number *above, uint64_t n, uint64_t d)
{
    quotient q = {0, false, -SQUARE_UNIT};
    if (words_of(above) == 0)
        return q;
    q.exponent += normalise(above);
    q.sticky = divide(above, n);
    q.sticky |= divide(above, d);
    uint32_t top = 32 * words_of(above);
    while (!bit_of(above, top - 1))
        top--;
    const uint32_t first = top > 120 ? top - 120 : 0;
    for (uint32_t bit = top; bit-- > first;)
        q.value = q.value << 1 | bit_of(above, bit);
    for (uint32_t bit = first; bit-- > 0 && !q.sticky;)
        q.sticky = bit_of(above, bit);
    q.exponent += (int)first;
    return q;
}

static void finish_variance(oracle_fold *fold, oracle_value *value)
{
    const VkrType type = fold->result;
    const variance *v = &fold->state.variance;
    const uint64_t n = fold->count, d = fold->info.sample && n > 0 ? n - 1 : n;
    const bool is_float = oracle_types[fold->info.type].kind == KIND_FLOAT;
    const bool is_root = fold->op == VKR_OP_STDDEV;
    const bool narrow = fold->info.type != VKR_TYPE_F64 && fold->info.accumulator != VKR_TYPE_F64;
    const double smallest = narrow ? FLT_MIN : DBL_MIN, greatest = narrow ? FLT_MAX : DBL_MAX;
    if (d == 0 || v->special) {
        set_bits(value, nan_bits(&oracle_types[type]), 0);
        return;
    }
    number above = exact_deviations(v, n);
    const quotient q = divide_exactly(&above, n, d);
    const uint64_t bits = is_root ? oracle_round_root(type, q.value, q.sticky, q.exponent)
                                  : oracle_round_bits(type, false, q.value, q.sticky, q.exponent);
    if (!is_float) {
        set_bits(value, bits, 0);
        return;
    }
    /* Results below the smallest normal number become 0, and so may subnormal elements. */
    const long double square = ldexpl((long double)q.value, q.exponent);
    const long double exact = is_root ? sqrtl(square) : square, unit = narrow ? 0x1p-23L : 0x1p-52L;
    const long double bound = 4 * unit * exact + (exact > 0 ? 3 * (long double)smallest : 0);
    if (exact - bound > greatest * (1 + unit))
        set_bits(value, bits, 0);
    else
        set_bits(value, bits, exact + bound >= greatest ? INFINITY : (double)bound);
}

const method oracle_variance = {start_variance, add_to_variance, finish_variance};
