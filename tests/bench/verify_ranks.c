/* SPDX-License-Identifier: MIT */
/* The references for elements by rank, for expansions and for merges. */
#include <math.h>
#include "ordered.h"

/* ---- Elements by rank ---- */

/* An element has rank r if r elements come before it; of values alone, if r is among the positions
 * that a sort gives its equals. */
static bool verify_entry(const ordered_check *c, uint64_t start, uint64_t end, uint64_t at,
                         uint64_t wanted)
{
    const uint64_t bits = ordered_load(c->parts[PART_FIRST], 4, at);
    const uint64_t rank = ordered_rank(c->of, bits);
    const uint64_t index =
        c->of->indices ? start + ordered_load(c->parts[PART_SECOND], 4, at) : end;
    uint64_t less = 0, equal = 0, before = 0;
    if (c->of->indices && (index >= end || ordered_load(c->data, 4, index) != bits))
        return ordered_differs(c, "index", at, (double)index, (double)wanted);
    for (uint64_t i = start; i < end; i++) {
        const uint64_t other = ordered_rank(c->of, ordered_load(c->data, 4, i));
        less += other < rank;
        equal += other == rank;
        before += other == rank && i < index;
    }
    if (c->of->indices ? less + before == wanted : less <= wanted && wanted < less + equal)
        return true;
    return ordered_differs(c, "the rank of entry", at, (double)(less + before), (double)wanted);
}

bool ordered_verify_select(const ordered_check *c)
{
    uint64_t at = 0, end;
    bool good = true;
    for (uint64_t start = 0; good && start < c->n; start = end) {
        end = ordered_row_end(c, start);
        for (uint32_t i = 0; good && i < c->of->k; i++, at++) {
            /* A share is rounded up to a multiple of 2^-31. */
            const uint64_t share = (uint64_t)ceil(ldexp(ordered_share(c->of, i), 31));
            good = verify_entry(c, start, end, at, share * (end - start - 1) >> 31);
        }
    }
    return good;
}

/* ---- Expansions ---- */

static bool verify_output(const ordered_check *c, ordered_part part, const char *what, uint64_t i,
                          uint64_t expected)
{
    if (ordered_part_size(c->row->arm, c->n, part) == 0)
        return true;
    const uint64_t found = ordered_load(c->parts[part], 4, i);
    return found == expected || ordered_differs(c, what, i, (double)found, (double)expected);
}

bool ordered_verify_expansion(const ordered_check *c)
{
    const uint64_t room = c->of->most * c->n;
    uint64_t total = 0;
    for (uint64_t i = 0; i < c->n; i++) {
        const uint64_t count = ordered_load(c->data, 4, i);
        for (uint64_t r = 0; r < count && total + r < room; r++)
            if (!verify_output(c, PART_FIRST, "source", total + r, i) ||
                !verify_output(c, PART_SECOND, "rank", total + r, r))
                return false;
        total += count;
    }
    return verify_output(c, PART_COUNT, "count", 0, total);
}

/* ---- Merges ---- */

bool ordered_verify_merge(const ordered_check *c)
{
    const void *second = c->bench->ordered->sets[c->of->needles].host;
    const uint64_t of_second = c->n / 5, of_first = c->n - of_second;
    for (uint64_t i = 0, k = 0; i + k < c->n;) {
        const uint64_t a = i < of_first ? ordered_load(c->data, 4, i) : UINT64_MAX;
        const uint64_t b = k < of_second ? ordered_load(second, 4, k) : UINT64_MAX;
        if (!verify_output(c, PART_FIRST, "merged element", i + k, b < a ? b : a))
            return false;
        *(b < a ? &k : &i) += 1;
    }
    return true;
}
