/* SPDX-License-Identifier: MIT */
/* The monoids of monoids.comp, and of modules beside it, on the CPU. */
#include "monoids.h"

#include <math.h>
#include <string.h>

/* Functions whose results are lists of words: of an element e, of states x and y, and of one
 * state. */
#define LOAD(name, ...)                                                                            \
    static void load_##name(const monoid_element *e, monoid_state *s)                              \
    {                                                                                              \
        *s = (monoid_state){{__VA_ARGS__}};                                                        \
    }
#define COMBINE(name, ...)                                                                         \
    static void combine_##name(const uint32_t *x, const uint32_t *y, monoid_state *s)              \
    {                                                                                              \
        *s = (monoid_state){{__VA_ARGS__}};                                                        \
    }
#define FINISH(name, ...)                                                                          \
    static void finish_##name(const uint32_t *x, monoid_state *s)                                  \
    {                                                                                              \
        *s = (monoid_state){{__VA_ARGS__}};                                                        \
    }

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

/* The lesser one of signed integers, whose last words are their most significant ones. */
static const uint32_t *lesser(const uint32_t *x, const uint32_t *y, uint32_t words)
{
    const int32_t a = (int32_t)x[words - 1], b = (int32_t)y[words - 1];
    return a < b || (a == b && x[0] < y[0]) ? x : y;
}

/* ---- Exact ones ---- */

LOAD(hash, 0x01000193u, e->x)
LOAD(plain, 0x01000193u, e->x ^ e->i)
LOAD(byte, 0x01000193u, e->x + e->i)
COMBINE(hash, x[0] * y[0], x[1] * y[0] + y[1])
FINISH(hash, x[1])

/* A product of matrices. */
LOAD(pairs, e->x, e->i, e->other, e->x >> 7)
COMBINE(pairs, x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
        x[2] * y[1] + x[3] * y[3])

static void combine_least(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    for (uint32_t k = 0; k < 4; k++)
        s->words[k] = x[k] < y[k] ? x[k] : y[k];
}

LOAD(wide, e->x, 1, e->i, 3, e->other, 5, 0, 1, e->x, e->x >> 1, e->x >> 2, e->x >> 3, e->x >> 4,
     e->x >> 5, e->x >> 6, e->x >> 7)

static void combine_wide(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 4 * 4 * 4; i++)
        s->words[i / 4] += x[i / 16 * 4 + i % 4] * y[i % 4 * 4 + i / 4 % 4];
}

LOAD(shear, word_of(1), word_of((float)(e->x & 3)), word_of(0), word_of(1))
COMBINE(shear, x[0], word_of(float_of(x[1]) + float_of(y[1])), x[2], x[3])
FINISH(shear, x[0], x[1])

LOAD(first, word_of((float)(e->x & 1023) - 100.0f), e->i)

static void combine_first(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    const float a = float_of(x[0]), b = float_of(y[0]);
    memcpy(s->words, b < a || (b == a && y[1] < x[1]) ? y : x, 8);
}

#define CORNER                                                                                     \
    word_of((float)(e->x & 0xffff)), word_of((float)(e->other & 0xffff)),                          \
        word_of((float)(int32_t)extended(e->x >> 16))
LOAD(box, CORNER, CORNER)

static void combine_box(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    for (uint32_t k = 0; k < 6; k++)
        s->words[k] = (k < 3) == (float_of(x[k]) < float_of(y[k])) ? x[k] : y[k];
}

FINISH(box, word_of(float_of(x[3]) - float_of(x[0])), word_of(float_of(x[4]) - float_of(x[1])),
       word_of(float_of(x[5]) - float_of(x[2])))

LOAD(top, e->x & 0xfff, e->i, 0, UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX)

static void combine_top(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    for (uint32_t k = 0; k < 8; k += 2) {
        const uint32_t **from = y[0] > x[0] || (y[0] == x[0] && y[1] < x[1]) ? &y : &x;
        memcpy(s->words + k, *from, 8);
        *from += 2;
    }
}

LOAD(mixed, (e->x & 4095) == 9, e->x, e->x >> 8 | (e->x >> 31 ? 0xff000000u : 0), e->other)
LOAD(shorts, (e->i & 4095) == 9, extended(e->x), extended(e->x), extended(e->x >> 16))
COMBINE(mixed, x[0] | y[0], *lesser(x + 1, y + 1, 1), x[2] + y[2], x[3] + y[3])
#define SIGNED(k) (x[0] != 0 ? 0 - x[k] : x[k])
FINISH(mixed, SIGNED(1), SIGNED(2), SIGNED(3))

#define LOW (e->x << 20 | e->other) /* an integer of 64 bits, and it times 4096 */
LOAD(long, LOW, e->x >> 12, 1, LOW << 12, e->x >> 12 << 12 | LOW >> 20)
COMBINE(long, x[0] + y[0], x[1] + y[1] + (x[0] + y[0] < x[0]), x[2] + y[2],
        lesser(x + 3, y + 3, 2)[0], lesser(x + 3, y + 3, 2)[1])

LOAD(short, extended(e->x), e->x >> 16, e->x & 0xffff, e->i & 0xffff)
COMBINE(short, extended(x[0] + y[0]), x[1] > y[1] ? x[1] : y[1], x[2] ^ y[2], x[3] ^ y[3])

/* ---- Floats that are rounded: states hold doubles, in pairs of words ---- */

static double real(const uint32_t *words, uint32_t number)
{
    double value;
    memcpy(&value, words + 2 * number, sizeof value);
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

static void combine_welford(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    const double n = real(x, 0) + real(y, 0), d = real(y, 1) - real(x, 1);
    if (n == 0.0)
        memcpy(s, x, sizeof *s);
    else
        set_reals(s, n, real(x, 1) + d * real(y, 0) / n,
                  real(x, 2) + real(y, 2) + d * d * real(x, 0) * real(y, 0) / n);
}

static void finish_welford(const uint32_t *x, monoid_state *s)
{
    set_reals(s, real(x, 1), real(x, 2) / fmax(real(x, 0), 1), 0);
}

static void load_log_sum(const monoid_element *e, monoid_state *s)
{
    set_reals(s, (e->x & 0xffff) / 2048.0, 1, 0);
}

static void combine_log_sum(const uint32_t *x, const uint32_t *y, monoid_state *s)
{
    const double most = fmax(real(x, 0), real(y, 0));
    set_reals(s, most, real(x, 1) * exp(real(x, 0) - most) + real(y, 1) * exp(real(y, 0) - most),
              0);
}

static void finish_log_sum(const uint32_t *x, monoid_state *s)
{
    set_reals(s, real(x, 0) + log(fmax(real(x, 1), 1e-30)), 0, 0);
}

/* ---- All of them ---- */

enum { ANY = MONOID_ANY, OTHERS = MONOID_OTHERS, MOVES = MONOID_MOVES, ROUNDS = MONOID_ROUNDS };
#define FUNCTIONS(load, combine) load_##load, combine_##combine
#define NO_ELEMENT VKR_TYPE_UNDEFINED, 0
#define WORD VKR_TYPE_U32, 1
#define NONE UINT32_MAX
#define ONE 0x3f800000u /* floats: 1; 1e9 and -1e9; infinity; and -1e30 */
#define FAR 0x4e6e6b28u
#define NEAR 0xce6e6b28u
#define INFINITE 0x7f800000u
#define VERY_LOW 0xf149f2cau

#define IDENTITY(...)                                                                              \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Name, base, words, finished words, bits, module, elements, functions, and the identity. */
const monoid_row monoid_rows[MONOIDS + 1] = {
    {"hash", "hash", 2, 1, ANY, 0, NO_ELEMENT, FUNCTIONS(hash, hash), finish_hash, IDENTITY(1)},
    {"pairs", "pairs", 4, 0, ANY | OTHERS, 0, NO_ELEMENT, FUNCTIONS(pairs, pairs), NULL,
     IDENTITY(1, 0, 0, 1)},
    {"pairs", "least", 4, 0, ANY | OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(pairs, least), NULL,
     IDENTITY(NONE, NONE, NONE, NONE)},
    {"first", "first", 2, 0, MOVES, 0, NO_ELEMENT, FUNCTIONS(first, first), NULL,
     IDENTITY(INFINITE, NONE)},
    {"plain", "hash", 2, 1, ANY, 0, WORD, FUNCTIONS(plain, hash), finish_hash, IDENTITY(1)},
    {"box", "box", 6, 3, OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(box, box), finish_box,
     IDENTITY(FAR, FAR, FAR, NEAR, NEAR, NEAR)},
    {"wide", "wide", 16, 0, ANY | OTHERS, 0, NO_ELEMENT, FUNCTIONS(wide, wide), NULL,
     IDENTITY(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)},
    {"byte", "hash", 2, 1, ANY, 0, VKR_TYPE_U8, 1, FUNCTIONS(byte, hash), finish_hash, IDENTITY(1)},
    {"top", "top", 8, 0, MOVES, 0, NO_ELEMENT, FUNCTIONS(top, top), NULL,
     IDENTITY(0, NONE, 0, NONE, 0, NONE, 0, NONE)},
    {"mixed", "mixed", 4, 3, OTHERS | MOVES, 0, NO_ELEMENT, FUNCTIONS(mixed, mixed), finish_mixed,
     IDENTITY(0, INT32_MAX)},
    {"shear", "shear", 4, 2, 0, 0, NO_ELEMENT, FUNCTIONS(shear, shear), finish_shear,
     IDENTITY(ONE, 0, 0, ONE)},
    {"shorts", "mixed", 4, 3, MOVES, 0, VKR_TYPE_I16, 2, FUNCTIONS(shorts, mixed), finish_mixed,
     IDENTITY(0, INT32_MAX)},
    {"welford", "welford", 3, 2, MOVES | ROUNDS, 0, NO_ELEMENT, FUNCTIONS(welford, welford),
     finish_welford, IDENTITY(0)},
    {"log_sum", "log_sum", 2, 1, MOVES | ROUNDS, 0, NO_ELEMENT, FUNCTIONS(log_sum, log_sum),
     finish_log_sum, IDENTITY(VERY_LOW)},
    {"long", "long", 5, 0, ANY | OTHERS, MODULE_INT64, NO_ELEMENT, FUNCTIONS(long, long), NULL,
     IDENTITY(0, 0, 0, NONE, INT32_MAX)},
    {"each", "each", 2, 0, ANY, MODULE_INT64, WORD, FUNCTIONS(plain, hash), NULL, IDENTITY(1)},
    {"", "", 2, 0, ANY, MODULE_EXPORT, WORD, FUNCTIONS(plain, hash), NULL, IDENTITY(1)},
    {"", "", 4, 0, 0, MODULE_SHORT, WORD, FUNCTIONS(short, short), NULL, IDENTITY(0)},
    {"", "", 2, 0, ANY, MODULE_IMAGE, NO_ELEMENT, FUNCTIONS(hash, hash), NULL, IDENTITY(1)}};

void monoid_add(const monoid_row *row, monoid_state *state, const monoid_state *next)
{
    const monoid_state before = *state;
    row->combine(before.words, next->words, state);
}

void monoid_read(const monoid_row *row, const void *words, monoid_state *state)
{
    float reals[MONOID_WORDS];
    const bool rounds = (row->bits & ROUNDS) != 0;
    memcpy(rounds ? (void *)reals : state->words, words, 4 * row->words);
    if (rounds)
        set_reals(state, (double)reals[0], (double)reals[1],
                  row->words > 2 ? (double)reals[2] : 0.0);
}

oracle_value monoid_word(const monoid_row *row, const monoid_state *state, uint32_t k)
{
    oracle_value value = {.tolerance = 0};
    const bool rounds = (row->bits & ROUNDS) != 0;
    const uint32_t word = rounds ? word_of((float)real(state->words, k)) : state->words[k];
    if (rounds)
        value.tolerance = 1e-4 * fabs(real(state->words, k)) + 1e-6;
    memcpy(value.bytes, &word, sizeof word);
    return value;
}
