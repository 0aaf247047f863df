/* SPDX-License-Identifier: MIT */
/* A list of rows that together contain every pair of values of two axes, and every triple of values
 * of three of some axes. */
#include <string.h>

#include "reduce_case.h"

#define PROBES 5000  /* random rows tried for a pair; one of them is valid if any row is */
#define EFFORT 24000 /* random rows, valid or not, from which one row of the list is chosen */
#define SEEDS 8      /* uncovered pairs from which these rows start */
#define URGENT 100   /* the weight of a pair that should come first */
#define TRIPLE_PROBES (harness_full() ? 20000u : 2000u)
#define TRIPLE_EFFORT 800 /* as EFFORT, for a row of triples, from one uncovered triple */

enum { IMPOSSIBLE, UNCOVERED, COVERED };

/* A pair: two axes and their values. */
typedef struct place {
    uint32_t a, b, value_a, value_b;
} place;

static unsigned char *pair_at(pairs *p, place at)
{
    return &p->pair[at.a * AXIS_VALUES + at.value_a][at.b * AXIS_VALUES + at.value_b];
}

static bool next_place(const pairs *p, place *at)
{
    if (++at->value_b < p->sizes[at->b])
        return true;
    at->value_b = 0;
    if (++at->value_a < p->sizes[at->a])
        return true;
    at->value_a = 0;
    if (++at->b < p->axes)
        return true;
    at->b = ++at->a + 1;
    return at->b < p->axes;
}

/* Searches for a valid row that has the pair and otherwise random values. Makes at most `*probes`
 * tries and subtracts them from it. */
static bool row_with(pairs *p, place at, uint32_t *probes, uint32_t row[MAX_AXES])
{
    for (; *probes > 0; --*probes) {
        for (uint32_t axis = 0; axis < p->axes; axis++)
            row[axis] = random_below(&p->state, p->sizes[axis]);
        row[at.a] = at.value_a;
        row[at.b] = at.value_b;
        if (p->valid(p->able, row))
            return true;
    }
    return false;
}

/* The weight of the row's uncovered pairs; with `cover`, their number, and marks them as
 * covered. */
static uint32_t worth(pairs *p, const uint32_t row[MAX_AXES], bool cover)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < p->axes; a++) {
        for (uint32_t b = a + 1; b < p->axes; b++) {
            unsigned char *pair = pair_at(p, (place){a, b, row[a], row[b]});
            if (*pair == UNCOVERED)
                count += !cover && a == 0 && b == 1 && row[b] < p->urgent ? URGENT : 1;
            if (cover)
                *pair = COVERED;
        }
    }
    return count;
}

void pairs_begin(pairs *p, const uint32_t sizes[MAX_AXES], uint32_t urgent, uint64_t seed,
                 pairs_valid valid, const abilities *able)
{
    uint32_t row[MAX_AXES] = {0};
    place at = {.b = 1};
    *p = (pairs){.urgent = urgent, .state = seed, .valid = valid, .able = able};
    while (p->axes < MAX_AXES && sizes[p->axes] != 0) {
        p->sizes[p->axes] = sizes[p->axes];
        p->axes++;
    }
    do {
        uint32_t probes = PROBES;
        if (row_with(p, at, &probes, row)) {
            *pair_at(p, at) = UNCOVERED;
            p->possible++;
        }
    } while (next_place(p, &at));
}

/* A random uncovered pair; pairs that should come first are preferred while any are left. */
static place choose_uncovered(pairs *p)
{
    place at = {.b = 1}, chosen = at;
    uint32_t count = 0;
    bool urgent = false;
    do {
        if (*pair_at(p, at) != UNCOVERED)
            continue;
        const bool first = at.a == 0 && at.b == 1 && at.value_b < p->urgent;
        if (first && !urgent)
            count = 0;
        urgent |= first;
        if (first == urgent && random_below(&p->state, ++count) == 0)
            chosen = at;
    } while (next_place(p, &at));
    return chosen;
}

/* ---- Triples ---- */

/* Three axes, by their places in `triple_axes`, the number of these three, and their values. */
typedef struct triple {
    uint32_t at[3], set, values[3];
} triple;

static const triple first_triple = {.at = {0, 1, 2}};

static uint32_t axis_of(const pairs *p, const triple *t, uint32_t i)
{
    return p->triple_axes[t->at[i]];
}

static unsigned char *triple_at(pairs *p, const triple *t)
{
    return &p->triple[t->set]
                     [(t->values[0] * AXIS_VALUES + t->values[1]) * AXIS_VALUES + t->values[2]];
}

/* Goes on to the next three axes. */
static bool next_axes(const pairs *p, triple *t)
{
    t->set++;
    for (uint32_t i = 3; i-- > 0;) {
        if (++t->at[i] < p->triple_count - (2 - i)) {
            for (uint32_t k = i + 1; k < 3; k++)
                t->at[k] = t->at[k - 1] + 1;
            return true;
        }
    }
    return false;
}

static bool next_triple(const pairs *p, triple *t)
{
    for (uint32_t i = 3; i-- > 0;) {
        if (++t->values[i] < p->sizes[axis_of(p, t, i)])
            return true;
        t->values[i] = 0;
    }
    return next_axes(p, t);
}

/* As row_with. */
static bool row_with_triple(pairs *p, const triple *t, uint32_t *probes, uint32_t row[MAX_AXES])
{
    for (; *probes > 0; --*probes) {
        for (uint32_t axis = 0; axis < p->axes; axis++)
            row[axis] = random_below(&p->state, p->sizes[axis]);
        for (uint32_t i = 0; i < 3; i++)
            row[axis_of(p, t, i)] = t->values[i];
        if (p->valid(p->able, row))
            return true;
    }
    return false;
}

/* The number of the row's uncovered triples; with `cover`, marks them as covered. */
static uint32_t worth_of_triples(pairs *p, const uint32_t row[MAX_AXES], bool cover)
{
    uint32_t count = 0;
    triple t = first_triple;
    do {
        for (uint32_t i = 0; i < 3; i++)
            t.values[i] = row[axis_of(p, &t, i)];
        unsigned char *found = triple_at(p, &t);
        count += *found == UNCOVERED;
        if (cover)
            *found = COVERED;
    } while (next_axes(p, &t));
    return count;
}

void pairs_add_triples(pairs *p, uint32_t axes)
{
    uint32_t row[MAX_AXES];
    triple t = first_triple;
    for (uint32_t axis = 0; axis < p->axes; axis++)
        if ((axes >> axis & 1) != 0 && p->triple_count < MAX_TRIPLE_AXES)
            p->triple_axes[p->triple_count++] = axis;
    do {
        uint32_t probes = TRIPLE_PROBES;
        if (row_with_triple(p, &t, &probes, row)) {
            *triple_at(p, &t) = UNCOVERED;
            p->triples++;
        }
    } while (next_triple(p, &t));
}

static triple choose_uncovered_triple(pairs *p)
{
    triple t = first_triple, chosen = t;
    uint32_t count = 0;
    do {
        if (*triple_at(p, &t) == UNCOVERED && random_below(&p->state, ++count) == 0)
            chosen = t;
    } while (next_triple(p, &t));
    return chosen;
}

static bool next_row_of_triples(pairs *p, uint32_t row[MAX_AXES])
{
    uint32_t candidate[MAX_AXES] = {0}, best = 0;
    while (p->triples != 0 && best == 0) {
        const triple t = choose_uncovered_triple(p);
        uint32_t probes = TRIPLE_EFFORT;
        for (; row_with_triple(p, &t, &probes, candidate); --probes) {
            const uint32_t gain = worth_of_triples(p, candidate, false);
            if (gain > best) {
                best = gain;
                memcpy(row, candidate, sizeof(candidate));
            }
        }
    }
    p->triples -= best != 0 ? worth_of_triples(p, row, true) : 0;
    return best != 0;
}

bool pairs_next(pairs *p, uint32_t row[MAX_AXES])
{
    uint32_t candidate[MAX_AXES] = {0}, best = 0;
    if (p->covered == p->possible)
        return next_row_of_triples(p, row);
    while (best == 0) {
        for (int i = 0; i < SEEDS; i++) {
            const place at = choose_uncovered(p);
            uint32_t probes = EFFORT / SEEDS;
            for (; row_with(p, at, &probes, candidate); --probes) {
                const uint32_t gain = worth(p, candidate, false);
                if (gain > best) {
                    best = gain;
                    memcpy(row, candidate, sizeof(candidate));
                }
            }
        }
    }
    p->covered += worth(p, row, true);
    return true;
}
