/* SPDX-License-Identifier: MIT */
/* A list of rows that together contain every pair of values of two axes. */
#include <string.h>

#include "reduce_case.h"

#define PROBES 5000  /* random rows tried for a pair; one of them is valid if any row is */
#define EFFORT 24000 /* random rows, valid or not, from which one row of the list is chosen */
#define SEEDS 8      /* uncovered pairs from which these rows start */
#define URGENT 100   /* the weight of a pair that should come first */

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

bool pairs_next(pairs *p, uint32_t row[MAX_AXES])
{
    uint32_t candidate[MAX_AXES], best = 0;
    if (p->covered == p->possible)
        return false;
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
