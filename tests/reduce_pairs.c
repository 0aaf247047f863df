/* SPDX-License-Identifier: MIT */
/* Rows that between them hold every pair of values of two axes. */
#include <string.h>

#include "reduce.h"

#define PROBES 20000 /* random rows that show which pairs are possible */
#define TRIALS 2000  /* candidates for one row */
#define URGENT 100   /* what a pair counts that is to come first */

static void random_row(pairs *p, uint32_t row[MAX_AXES], pairs_valid valid)
{
    do {
        for (uint32_t axis = 0; axis < p->axes; axis++)
            row[axis] = random_below(&p->state, p->sizes[axis]);
    } while (!valid(row));
}

/* The worth of the row's pairs that were not yet seen; or marks them, and gives their number. */
static uint32_t worth(pairs *p, const uint32_t row[MAX_AXES], bool mark)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < p->axes; a++) {
        for (uint32_t b = a + 1; b < p->axes; b++) {
            unsigned char *seen = &p->seen[a * AXIS_VALUES + row[a]][b * AXIS_VALUES + row[b]];
            if (*seen == 0)
                count += !mark && a == 0 && b == 1 && row[b] < p->urgent ? URGENT : 1;
            if (mark)
                *seen = 1;
        }
    }
    return count;
}

void pairs_begin(pairs *p, const uint32_t sizes[MAX_AXES], uint32_t urgent, uint64_t seed,
                 pairs_valid valid)
{
    uint32_t row[MAX_AXES] = {0};
    *p = (pairs){.urgent = urgent, .state = seed};
    while (p->axes < MAX_AXES && sizes[p->axes] != 0) {
        p->sizes[p->axes] = sizes[p->axes];
        p->axes++;
    }
    for (int i = 0; i < PROBES; i++) {
        random_row(p, row, valid);
        p->possible += worth(p, row, true);
    }
    memset(p->seen, 0, sizeof(p->seen));
}

/* A row with a pair not yet covered, found by chance among valid ones. */
static bool find_uncovered(pairs *p, pairs_valid valid, uint32_t row[MAX_AXES])
{
    for (int i = 0; i < PROBES; i++) {
        random_row(p, row, valid);
        if (worth(p, row, false) > 0)
            return true;
    }
    return false;
}

bool pairs_next(pairs *p, pairs_valid valid, uint32_t row[MAX_AXES])
{
    uint32_t candidate[MAX_AXES] = {0}, best = 0;
    if (p->covered >= p->possible || !find_uncovered(p, valid, row))
        return false;
    best = worth(p, row, false);
    for (int i = 0; i < TRIALS; i++) {
        random_row(p, candidate, valid);
        const uint32_t gain = worth(p, candidate, false);
        if (gain > best) {
            best = gain;
            memcpy(row, candidate, sizeof(candidate));
        }
    }
    p->covered += worth(p, row, true);
    return true;
}
