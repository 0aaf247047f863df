/* SPDX-License-Identifier: MIT */
/* The monoids of monoids.comp, and of modules beside it, on the CPU. */
#include "monoids.h"

#include <math.h>
#include <string.h>

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* The lower 16 bits, with their sign. */
static uint32_t extended(uint32_t word)
{
    return (word & 0xffff) | ((word & 0x8000) != 0 ? 0xffff0000u : 0);
}

/* ---- Exact ones whose order matters ---- */

static void load_hash(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{0x01000193u, e->x}};
}

static void load_plain(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{0x01000193u, e->x ^ e->i}};
}

static void load_byte(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{0x01000193u, e->x + e->i}};
}

static void combine_hash(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    *s = (monoid_state){{a->words[0] * b->words[0], a->words[1] * b->words[0] + b->words[1]}};
}

static void identity_hash(monoid_state *s)
{
    *s = (monoid_state){{1}};
}

static void finish_hash(const monoid_state *s, monoid_state *result)
{
    *result = (monoid_state){{s->words[1]}};
}

/* The product of two n x n matrices, row by row. */
static void multiply(uint32_t n, const uint32_t *a, const uint32_t *b, uint32_t *product)
{
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++) {
            product[r * n + c] = 0;
            for (uint32_t k = 0; k < n; k++)
                product[r * n + c] += a[r * n + k] * b[k * n + c];
        }
}

static void load_pairs(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{e->x, e->i, e->other, e->x >> 7}};
}

static void combine_pairs(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    multiply(2, a->words, b->words, s->words);
}

static void identity_pairs(monoid_state *s)
{
    *s = (monoid_state){{1, 0, 0, 1}};
}

static void combine_least(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    for (uint32_t k = 0; k < 4; k++)
        s->words[k] = a->words[k] < b->words[k] ? a->words[k] : b->words[k];
}

static void identity_least(monoid_state *s)
{
    *s = (monoid_state){{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
}

static void load_wide(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{e->x, 1, e->i, 3, e->other, 5, 0, 1}};
    for (uint32_t k = 0; k < 8; k++)
        s->words[8 + k] = e->x >> k;
}

static void combine_wide(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    multiply(4, a->words, b->words, s->words);
}

static void identity_wide(monoid_state *s)
{
    *s = (monoid_state){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static void load_shear(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{word_of(1), word_of((float)(e->x & 3)), word_of(0), word_of(1)}};
}

static void combine_shear(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    *s = *a;
    s->words[1] = word_of(float_of(a->words[1]) + float_of(b->words[1]));
}

static void identity_shear(monoid_state *s)
{
    *s = (monoid_state){{word_of(1), 0, 0, word_of(1)}};
}

static void finish_shear(const monoid_state *s, monoid_state *result)
{
    *result = (monoid_state){{s->words[0], s->words[1]}};
}

/* ---- Exact ones whose order does not matter ---- */

static void load_first(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{word_of((float)(e->x & 1023) - 100.0f), e->i}};
}

static void combine_first(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const float x = float_of(a->words[0]), y = float_of(b->words[0]);
    *s = y < x || (y == x && b->words[1] < a->words[1]) ? *b : *a;
}

static void identity_first(monoid_state *s)
{
    *s = (monoid_state){{0x7f800000u, UINT32_MAX}};
}

static void load_box(const monoid_element *e, monoid_state *s)
{
    const float z = (float)(int32_t)extended(e->x >> 16);
    const uint32_t corner[] = {word_of((float)(e->x & 0xffff)), word_of((float)(e->other & 0xffff)),
                               word_of(z)};
    memcpy(s->words, corner, sizeof corner);
    memcpy(s->words + 3, corner, sizeof corner);
}

static void combine_box(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    for (uint32_t k = 0; k < 6; k++) {
        const float x = float_of(a->words[k]), y = float_of(b->words[k]);
        s->words[k] = word_of((k < 3) == (x < y) ? x : y);
    }
}

static void identity_box(monoid_state *s)
{
    for (uint32_t k = 0; k < 6; k++)
        s->words[k] = word_of(k < 3 ? 1e9f : -1e9f);
}

static void finish_box(const monoid_state *s, monoid_state *result)
{
    for (uint32_t k = 0; k < 3; k++)
        result->words[k] = word_of(float_of(s->words[3 + k]) - float_of(s->words[k]));
}

static void identity_top(monoid_state *s)
{
    for (uint32_t k = 0; k < 8; k++)
        s->words[k] = k % 2 ? UINT32_MAX : 0;
}

static void load_top(const monoid_element *e, monoid_state *s)
{
    identity_top(s);
    s->words[0] = e->x & 0xfff;
    s->words[1] = e->i;
}

static void combine_top(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const uint32_t *x = a->words, *y = b->words;
    for (uint32_t k = 0; k < 8; k += 2) {
        const uint32_t **from = y[0] > x[0] || (y[0] == x[0] && y[1] < x[1]) ? &y : &x;
        s->words[k] = (*from)[0];
        s->words[k + 1] = (*from)[1];
        *from += 2;
    }
}

static void load_mixed(const monoid_element *e, monoid_state *s)
{
    const uint32_t w = e->x, shifted = w >> 8 | (w >> 31 ? 0xff000000u : 0);
    *s = (monoid_state){{(w & 4095) == 9, w, shifted, e->other}};
}

static void load_shorts(const monoid_element *e, monoid_state *s)
{
    const uint32_t low = extended(e->x);
    *s = (monoid_state){{(e->i & 4095) == 9, low, low, extended(e->x >> 16)}};
}

static void combine_mixed(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const uint32_t *x = a->words, *y = b->words;
    const uint32_t least = (int32_t)x[1] < (int32_t)y[1] ? x[1] : y[1];
    *s = (monoid_state){{x[0] | y[0], least, x[2] + y[2], x[3] + y[3]}};
}

static void identity_mixed(monoid_state *s)
{
    *s = (monoid_state){{0, 0x7fffffff}};
}

static void finish_mixed(const monoid_state *s, monoid_state *result)
{
    for (uint32_t k = 0; k < 3; k++)
        result->words[k] = s->words[0] ? 0 - s->words[1 + k] : s->words[1 + k];
}

static uint64_t get64(const monoid_state *s, uint32_t word)
{
    return s->words[word] | (uint64_t)s->words[word + 1] << 32;
}

static void set64(monoid_state *s, uint32_t word, uint64_t value)
{
    s->words[word] = (uint32_t)value;
    s->words[word + 1] = (uint32_t)(value >> 32);
}

static void load_long(const monoid_element *e, monoid_state *s)
{
    const uint64_t w = (uint64_t)e->x << 20 | e->other;
    s->words[2] = 1;
    set64(s, 0, w);
    set64(s, 3, w << 12);
}

static void combine_long(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const uint64_t sum = get64(a, 0) + get64(b, 0);
    const uint64_t x = get64(a, 3), y = get64(b, 3);
    s->words[2] = a->words[2] + b->words[2];
    set64(s, 0, sum);
    set64(s, 3, (int64_t)x < (int64_t)y ? x : y);
}

static void identity_long(monoid_state *s)
{
    *s = (monoid_state){{0, 0, 0, UINT32_MAX, 0x7fffffff}};
}

/* ---- Floats that are rounded: states hold doubles, in pairs of words ---- */

static double real(const monoid_state *s, uint32_t number)
{
    double value;
    memcpy(&value, s->words + 2 * number, sizeof value);
    return value;
}

static void set_reals(monoid_state *s, double a, double b, double c)
{
    const double all[] = {a, b, c};
    memcpy(s->words, all, sizeof all);
}

static void load_welford(const monoid_element *e, monoid_state *s)
{
    set_reals(s, 1, (e->x & 0xffff) / 1024.0, 0);
}

static void combine_welford(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const double n = real(a, 0) + real(b, 0), d = real(b, 1) - real(a, 1);
    if (n == 0.0)
        *s = *a;
    else
        set_reals(s, n, real(a, 1) + d * real(b, 0) / n,
                  real(a, 2) + real(b, 2) + d * d * real(a, 0) * real(b, 0) / n);
}

static void identity_welford(monoid_state *s)
{
    set_reals(s, 0, 0, 0);
}

static void finish_welford(const monoid_state *s, monoid_state *result)
{
    set_reals(result, real(s, 1), real(s, 2) / fmax(real(s, 0), 1), 0);
}

static void load_log_sum(const monoid_element *e, monoid_state *s)
{
    set_reals(s, (e->x & 0xffff) / 2048.0, 1, 0);
}

static void combine_log_sum(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const double most = fmax(real(a, 0), real(b, 0));
    set_reals(s, most, real(a, 1) * exp(real(a, 0) - most) + real(b, 1) * exp(real(b, 0) - most),
              0);
}

static void identity_log_sum(monoid_state *s)
{
    set_reals(s, (double)-1e30f, 0, 0);
}

static void finish_log_sum(const monoid_state *s, monoid_state *result)
{
    set_reals(result, real(s, 0) + log(fmax(real(s, 1), 1e-30)), 0, 0);
}

/* ---- Integers of 16 bits, whose words are extended ---- */

static void load_short(const monoid_element *e, monoid_state *s)
{
    *s = (monoid_state){{extended(e->x), e->x >> 16, e->x & 0xffff, e->i & 0xffff}};
}

static void combine_short(const monoid_state *a, const monoid_state *b, monoid_state *s)
{
    const uint32_t *x = a->words, *y = b->words;
    *s = (monoid_state){
        {extended(x[0] + y[0]), x[1] > y[1] ? x[1] : y[1], x[2] ^ y[2], x[3] ^ y[3]}};
}

static void identity_short(monoid_state *s)
{
    *s = (monoid_state){{0}};
}

/* ---- All of them ---- */

enum { ANY = MONOID_ANY, OTHERS = MONOID_OTHERS, MOVES = MONOID_MOVES, ROUNDS = MONOID_ROUNDS };
#define FUNCTIONS(load, name) load_##load, combine_##name, identity_##name
#define NO_ELEMENT VKR_TYPE_UNDEFINED, 0
#define WORD VKR_TYPE_U32, 1

/* Name, base, words, finished words, bits, module, elements, and functions. */
const monoid_row monoid_rows[MONOIDS + 1] = {
    {"hash", "hash", 2, 1, ANY, 0, NO_ELEMENT, FUNCTIONS(hash, hash), finish_hash},
    {"pairs", "pairs", 4, 0, ANY | OTHERS, 0, NO_ELEMENT, FUNCTIONS(pairs, pairs), NULL},
    {"pairs", "least", 4, 0, ANY | OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(pairs, least), NULL},
    {"first", "first", 2, 0, MOVES, 0, NO_ELEMENT, FUNCTIONS(first, first), NULL},
    {"plain", "hash", 2, 1, ANY, 0, WORD, FUNCTIONS(plain, hash), finish_hash},
    {"box", "box", 6, 3, OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(box, box), finish_box},
    {"wide", "wide", 16, 0, ANY | OTHERS, 0, NO_ELEMENT, FUNCTIONS(wide, wide), NULL},
    {"byte", "hash", 2, 1, ANY, 0, VKR_TYPE_U8, 1, FUNCTIONS(byte, hash), finish_hash},
    {"top", "top", 8, 0, MOVES, 0, NO_ELEMENT, FUNCTIONS(top, top), NULL},
    {"mixed", "mixed", 4, 3, OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(mixed, mixed), finish_mixed},
    {"shear", "shear", 4, 2, 0, 0, NO_ELEMENT, FUNCTIONS(shear, shear), finish_shear},
    {"shorts", "mixed", 4, 3, MOVES, 0, VKR_TYPE_I16, 2, FUNCTIONS(shorts, mixed), finish_mixed},
    {"welford", "welford", 3, 2, MOVES | ROUNDS, 0, NO_ELEMENT, FUNCTIONS(welford, welford),
     finish_welford},
    {"log_sum", "log_sum", 2, 1, MOVES | ROUNDS, 0, NO_ELEMENT, FUNCTIONS(log_sum, log_sum),
     finish_log_sum},
    {"long", "long", 5, 0, ANY | OTHERS, MODULE_INT64, NO_ELEMENT, FUNCTIONS(long, long), NULL},
    {"each", "each", 2, 0, ANY, MODULE_INT64, WORD, FUNCTIONS(plain, hash), NULL},
    {"", "", 2, 0, ANY, MODULE_EXPORT, WORD, FUNCTIONS(plain, hash), NULL},
    {"", "", 4, 0, 0, MODULE_SHORT, WORD, FUNCTIONS(short, short), NULL},
    {"", "", 2, 0, ANY, MODULE_IMAGE, NO_ELEMENT, FUNCTIONS(hash, hash), NULL}};

void monoid_add(const monoid_row *row, monoid_state *state, const monoid_state *next)
{
    const monoid_state before = *state;
    row->combine(&before, next, state);
}

void monoid_read(const monoid_row *row, const void *words, monoid_state *state)
{
    float reals[3] = {0};
    memcpy((row->bits & ROUNDS) != 0 ? (void *)reals : state->words, words, 4 * row->words);
    if ((row->bits & ROUNDS) != 0)
        set_reals(state, (double)reals[0], (double)reals[1], (double)reals[2]);
}

oracle_value monoid_word(const monoid_row *row, const monoid_state *state, uint32_t k)
{
    oracle_value value = {.tolerance = 0};
    const bool rounds = (row->bits & ROUNDS) != 0;
    const uint32_t word = rounds ? word_of((float)real(state, k)) : state->words[k];
    if (rounds)
        value.tolerance = 1e-4 * fabs(real(state, k)) + 1e-6;
    memcpy(value.bytes, &word, sizeof word);
    return value;
}
