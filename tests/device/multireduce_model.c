/* SPDX-License-Identifier: MIT */
/* A model of W lanes that each hold several values. */
#include <string.h>

#include "multireduce_model.h"

static value add_floats(value a, value b)
{
    float x, y;
    memcpy(&x, a.words, sizeof(x));
    memcpy(&y, b.words, sizeof(y));
    x += y;
    memcpy(a.words, &x, sizeof(x));
    return a;
}

/* Concatenates two numerals, each given as its number and the base raised to its length. */
static value append_digits(value a, value b)
{
    return (value){{a.words[0] * b.words[1] + b.words[0], a.words[1] * b.words[1]}};
}

const value_kind kinds[KINDS] = {{"float", 1, false, add_floats},
                                 {"digits", 2, true, append_digits}};

static uint32_t random_word(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

value random_value(const value_kind *k, uint32_t *state)
{
    const float f = (float)random_word(state) / 65536.0f - 100.0f;
    value v = {{random_word(state) % 10, 2 * (random_word(state) % 1000) + 3}};
    if (!k->ordered)
        memcpy(v.words, &f, sizeof(f));
    return v;
}

/* ---- The model: the values of the lanes ---- */

static value in_order(const lanes *m, uint32_t lane, uint32_t mask, value own, value other)
{
    return m->kind->ordered && (lane & mask) != 0 ? m->kind->combine(other, own)
                                                  : m->kind->combine(own, other);
}

/* How a round combines a lane's own value with the other one: own first, own last, or in the order
 * of the lanes. */
typedef enum ordering { OWN_FIRST, OWN_LAST, AS_THEY_LIE } ordering;

static void round_of(lanes *m, uint32_t i, uint32_t mask, ordering order)
{
    value before[MAX_LANES];
    for (uint32_t lane = 0; lane < m->w; lane++)
        before[lane] = m->v[lane][i];
    for (uint32_t lane = 0; lane < m->w; lane++) {
        const value own = before[lane];
        const value other = before[lane ^ mask];
        m->v[lane][i] = order == OWN_FIRST  ? m->kind->combine(own, other)
                        : order == OWN_LAST ? m->kind->combine(other, own)
                                            : in_order(m, lane, mask, own, other);
    }
}

static void merge(lanes *m, uint32_t mask, uint32_t i, uint32_t j)
{
    round_of(m, i, mask, OWN_FIRST);
    round_of(m, j, mask, OWN_LAST);
    for (uint32_t lane = 0; lane < m->w; lane++)
        if ((lane & mask) != 0)
            m->v[lane][i] = m->v[lane][j];
}

/* Each half of the lanes keeps one of two values and passes on the other; also through shared
 * memory. */
static void exchange(lanes *m, uint32_t mask, uint32_t i, uint32_t j)
{
    value given[MAX_LANES];
    for (uint32_t lane = 0; lane < m->w; lane++) {
        const bool upper = (lane & mask) != 0;
        given[lane] = m->v[lane][upper ? i : j];
        m->v[lane][i] = m->v[lane][upper ? j : i];
    }
    for (uint32_t lane = 0; lane < m->w; lane++)
        m->v[lane][i] = in_order(m, lane, mask, m->v[lane][i], given[lane ^ mask]);
}

static void tree(lanes *m, void (*pair)(lanes *m, uint32_t mask, uint32_t i, uint32_t j))
{
    uint32_t mask = 1;
    for (; mask < m->k; mask *= 2)
        for (uint32_t i = 0; i < m->k; i += 2 * mask)
            pair(m, mask, i, i + mask);
    for (; mask < m->w; mask *= 2)
        round_of(m, 0, mask, AS_THEY_LIE);
}

static void naive(lanes *m)
{
    for (uint32_t mask = 1; mask < m->w; mask *= 2)
        for (uint32_t i = 0; i < m->k; i++)
            round_of(m, i, mask, AS_THEY_LIE);
}

/* Takes one value at a time, with one register for each of `merges` levels, and one for the
 * results. */
static void online(lanes *m, uint32_t merges)
{
    value r[MAX_LANES][8];
    memset(r, 0, sizeof(r));
    for (uint32_t i = 0; i < m->k; i++) {
        uint32_t level = 0;
        for (; 1u << level < m->w; level++) {
            const uint32_t mask = 1u << level;
            const bool odd = (i & mask) != 0;
            round_of(m, i, mask, mask >= m->k ? AS_THEY_LIE : odd ? OWN_LAST : OWN_FIRST);
            if (level >= merges)
                continue;
            for (uint32_t lane = 0; lane < m->w; lane++) {
                if (odd && (lane & mask) == 0)
                    m->v[lane][i] = r[lane][level];
                else if (!odd)
                    r[lane][level] = m->v[lane][i];
            }
            if (!odd)
                break;
        }
        for (uint32_t lane = 0; 1u << level >= m->w && lane < m->w; lane++)
            if ((lane & (m->k - 1)) >> merges == i >> merges)
                r[lane][merges] = m->v[lane][i];
    }
    for (uint32_t lane = 0; lane < m->w; lane++)
        m->v[lane][0] = r[lane][merges];
}

static uint32_t log2_of(uint32_t n)
{
    uint32_t l = 0;
    while (1u << l < n)
        l++;
    return l;
}

/* One level fewer with a register than there are levels. */
static uint32_t fewer(uint32_t k)
{
    return log2_of(k) - 1;
}

void run_model(lanes *m, form_id form)
{
    static lanes second;
    switch (form) {
    case NAIVE:
        naive(m);
        return;
    case DOUBLED:
        second = *m;
        for (uint32_t lane = 0; lane < m->w; lane++)
            for (uint32_t i = 0; i < m->k; i++)
                second.v[lane][i] = m->v[lane][m->k - 1 - i];
        tree(m, merge);
        tree(&second, merge);
        for (uint32_t lane = 0; lane < m->w; lane++)
            m->v[lane][1] = second.v[lane][0];
        return;
    case ONLINE:
        online(m, log2_of(m->k));
        return;
    case FEWER:
        online(m, fewer(m->k));
        return;
    case MERGE:
        tree(m, merge);
        return;
    default:
        tree(m, exchange);
    }
}
