/* SPDX-License-Identifier: MIT */
/* The references for sorts, selections and searches. They prove from the definition of a result
 * that it is right, in one pass over the elements. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ordered.h"
#include "status.h"

bool ordered_differs(const ordered_check *c, const char *what, uint64_t i, double found,
                     double expected)
{
    (void)fail(STATUS_DIFFERENCE,
               "%s, %" PRIu64 " elements: %s %" PRIu64
               " is %.17g; the scalar reference gives %.17g",
               c->row->arm->name, c->n, what, i, found, expected);
    return false;
}

/* Reports an entry that is out of order; returns false. */
static bool is_misplaced(const ordered_check *c, const char *what, uint64_t i)
{
    (void)fail(STATUS_DIFFERENCE,
               "%s, %" PRIu64 " elements: %s %" PRIu64
               " comes too early or is none of the elements; the scalar reference gives another "
               "order",
               c->row->arm->name, c->n, what, i);
    return false;
}

/* ---- Elements ---- */

uint64_t ordered_load(const void *bytes, uint32_t size, uint64_t i)
{
    const unsigned char *at = (const unsigned char *)bytes + i * size;
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (size) {
    case 8:
        memcpy(&wide, at, sizeof wide);
        return wide;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    default:
        return *at;
    }
}

uint64_t ordered_rank(const ordered_case *of, uint64_t bits)
{
    if (of->type == VKR_TYPE_F32)
        bits ^= (bits >> 31) != 0 ? 0xffffffffu : 0x80000000u;
    else if (of->type == VKR_TYPE_I32)
        bits ^= 0x80000000u;
    if (of->end_bit != 0)
        bits &= (UINT64_C(1) << of->end_bit) - 1;
    return of->descending || of->work == ORDERED_TOP_K ? ~bits : bits;
}

/* Sums of these hashes differ, except by chance, where collections of elements do. */
static uint64_t hash_of(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

uint64_t ordered_row_end(const ordered_check *c, uint64_t start)
{
    const uint64_t left = c->n - start;
    return c->of->row != 0 && c->of->row < left ? start + c->of->row : c->n;
}

/* ---- Sorts ---- */

/* Finds the index of the element at position i of a segment; returns false if an entry of the
 * payload is none. Entry i of the payload has words that count from its first one. */
static bool find_index(const ordered_check *c, uint64_t start, uint64_t i, uint64_t *index)
{
    const uint64_t words = c->of->indices ? 1 : c->of->payload / 4,
                   first = ordered_load(c->parts[PART_SECOND], 4, words * i);
    bool good = first % words == 0;
    *index = c->of->indices ? start + first : first / words;
    for (uint64_t k = 1; k < words; k++)
        good &= ordered_load(c->parts[PART_SECOND], 4, words * i + k) == first + k;
    return good;
}

/* Elements whose ranks and, where these are equal, indices ascend are all different: n of them are
 * all elements, in the order of a stable sort. */
static bool verify_by_index(const ordered_check *c, uint64_t start, uint64_t end)
{
    const uint32_t size = vkrTypeSize(c->of->type);
    uint64_t last_rank = 0, last_index = 0, index;
    for (uint64_t i = start; i < end; i++) {
        if (!find_index(c, start, i, &index) || index < start || index >= end)
            return is_misplaced(c, "index or payload", i);
        const uint64_t bits = ordered_load(c->data, size, index), rank = ordered_rank(c->of, bits);
        if (c->of->sorted && ordered_load(c->parts[PART_FIRST], size, i) != bits)
            return ordered_differs(c, "key", i, (double)ordered_load(c->parts[PART_FIRST], size, i),
                                   (double)bits);
        if (i > start && (rank < last_rank || (rank == last_rank && index <= last_index)))
            return is_misplaced(c, "index or payload", i);
        last_rank = rank;
        last_index = index;
    }
    return true;
}

/* Keys that ascend and have the right sum of hashes. */
static bool verify_by_sum(const ordered_check *c, uint64_t start, uint64_t end)
{
    const uint32_t size = vkrTypeSize(c->of->type);
    uint64_t last = 0, found = 0, expected = 0;
    for (uint64_t i = start; i < end; i++) {
        const uint64_t bits = ordered_load(c->parts[PART_FIRST], size, i),
                       rank = ordered_rank(c->of, bits);
        if (i > start && rank < last)
            return is_misplaced(c, "key", i);
        last = rank;
        found += hash_of(bits);
        expected += hash_of(ordered_load(c->data, size, i));
    }
    return found == expected || is_misplaced(c, "a key up to", end - 1);
}

#define DIGITS 65536u

/* Counts the elements of each digit, and looks for each element where a stable sort puts it. */
static bool verify_by_digit(const ordered_check *c)
{
    const uint32_t size = vkrTypeSize(c->of->type);
    uint64_t *places = calloc(DIGITS + 1, sizeof *places);
    bool good = places != NULL || fail(STATUS_VULKAN, "out of memory") == STATUS_DONE;
    for (uint64_t i = 0; good && i < c->n; i++)
        places[ordered_rank(c->of, ordered_load(c->data, size, i)) + 1]++;
    for (uint32_t digit = 0; good && digit < DIGITS; digit++)
        places[digit + 1] += places[digit];
    for (uint64_t i = 0; good && i < c->n; i++) {
        const uint64_t bits = ordered_load(c->data, size, i),
                       place = places[ordered_rank(c->of, bits)]++,
                       found = ordered_load(c->parts[PART_FIRST], size, place);
        if (found != bits)
            good = ordered_differs(c, "key", place, (double)found, (double)bits);
    }
    free(places);
    return good;
}

static bool verify_sort(const ordered_check *c)
{
    if (c->of->end_bit != 0)
        return verify_by_digit(c);
    bool good = true;
    for (uint64_t start = 0; good && start < c->n; start = ordered_row_end(c, start))
        good = (c->of->indices || c->of->payload != 0 ? verify_by_index : verify_by_sum)(
            c, start, ordered_row_end(c, start));
    return good;
}

/* ---- Selections ---- */

/* The entries of one segment. */
typedef struct selection {
    uint64_t start, end; /* elements */
    uint64_t at, count;  /* entries */
} selection;

/* Entries that ascend, where as many elements come before or at the last one. */
static bool select_by_index(const ordered_check *c, const selection *s)
{
    uint64_t last_rank = 0, last_index = 0, before = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t index = s->start + ordered_load(c->parts[PART_SECOND], 4, s->at + i);
        if (index >= s->end)
            return is_misplaced(c, "index", s->at + i);
        const uint64_t bits = ordered_load(c->data, 4, index), rank = ordered_rank(c->of, bits);
        if (ordered_load(c->parts[PART_FIRST], 4, s->at + i) != bits)
            return ordered_differs(c, "value", s->at + i,
                                   (double)ordered_load(c->parts[PART_FIRST], 4, s->at + i),
                                   (double)bits);
        if (i > 0 && (rank < last_rank || (rank == last_rank && index <= last_index)))
            return is_misplaced(c, "index", s->at + i);
        last_rank = rank;
        last_index = index;
    }
    for (uint64_t i = s->start; i < s->end; i++) {
        const uint64_t rank = ordered_rank(c->of, ordered_load(c->data, 4, i));
        before += rank < last_rank || (rank == last_rank && i <= last_index);
    }
    return before == s->count || is_misplaced(c, "the last index,", s->at + s->count - 1);
}

/* Entries that ascend, of which those before the last value are all such elements. */
static bool select_by_sum(const ordered_check *c, const selection *s)
{
    const uint64_t last =
        ordered_rank(c->of, ordered_load(c->parts[PART_FIRST], 4, s->at + s->count - 1));
    uint64_t found = 0, expected = 0, less = 0, equal = 0, last_rank = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t bits = ordered_load(c->parts[PART_FIRST], 4, s->at + i),
                       rank = ordered_rank(c->of, bits);
        if (i > 0 && rank < last_rank)
            return is_misplaced(c, "value", s->at + i);
        last_rank = rank;
        found += rank < last ? hash_of(bits) : 0;
    }
    for (uint64_t i = s->start; i < s->end; i++) {
        const uint64_t bits = ordered_load(c->data, 4, i), rank = ordered_rank(c->of, bits);
        expected += rank < last ? hash_of(bits) : 0;
        less += rank < last;
        equal += rank == last;
    }
    const bool good = found == expected && less < s->count && less + equal >= s->count;
    return good || is_misplaced(c, "a value up to", s->at + s->count - 1);
}

static bool verify_top_k(const ordered_check *c)
{
    bool good = true;
    selection s = {0};
    for (; good && s.start < c->n; s.start = s.end, s.at += c->of->k) {
        s.end = ordered_row_end(c, s.start);
        s.count = s.end - s.start < c->of->k ? s.end - s.start : c->of->k;
        good = (c->of->indices ? select_by_index : select_by_sum)(c, &s);
    }
    return good;
}

/* ---- Searches ---- */

/* The number of elements that are less than a value. */
static uint64_t bound_of(const ordered_check *c, uint64_t value)
{
    uint64_t low = 0, high = c->n;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ordered_load(c->data, 4, middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool verify_bounds(const ordered_check *c)
{
    const ordered_data from = c->of->needles;
    const unsigned char *values = (const unsigned char *)c->bench->ordered->sets[from].host +
                                  ordered_start(c->bench, from, MAX_SIZES);
    for (uint64_t i = 0; i < NEEDLES; i++) {
        const uint64_t expected = bound_of(c, ordered_load(values, 4, i)),
                       found = ordered_load(c->parts[PART_FIRST], 4, i);
        if (found != expected)
            return ordered_differs(c, "bound", i, (double)found, (double)expected);
    }
    return true;
}

static bool verify_find(const ordered_check *c)
{
    const uint64_t bound = bound_of(c, ORDERED_WANTED), none = UINT32_MAX,
                   expected = bound < c->n ? bound : none,
                   found = ordered_load(c->parts[PART_FIRST], 4, 0);
    return found == expected || ordered_differs(c, "index", 0, (double)found, (double)expected);
}

/* ---- All ---- */

/* The bytes of outputs that were written: of arms that count runs or outputs, those of them. */
static double written_of(const ordered_check *c)
{
    const ordered_part counted = PART_COUNT;
    const arm *a = c->row->arm;
    double first = (double)ordered_part_size(a, c->n, PART_FIRST),
           second = (double)ordered_part_size(a, c->n, PART_SECOND);
    if (ordered_part_size(a, c->n, counted) == 0)
        return first + second;
    const double room = (double)c->n * (c->of->work == ORDERED_EXPAND ? c->of->most : 1);
    const double share = fmin((double)ordered_load(c->parts[counted], 4, 0) / room, 1.0);
    return (first + second) * share + (double)ordered_part_size(a, c->n, counted);
}

void ordered_verify(const bench *b, row *r)
{
    static bool (*const verifiers[])(const ordered_check *c) = {
        [ORDERED_SORT] = verify_sort,
        [ORDERED_TOP_K] = verify_top_k,
        [ORDERED_SCAN] = ordered_verify_scan,
        [ORDERED_RUN_LENGTHS] = ordered_verify_runs,
        [ORDERED_REDUCE] = ordered_verify_runs,
        [ORDERED_BOUNDS] = verify_bounds,
        [ORDERED_FIND] = verify_find,
        [ORDERED_SELECT] = ordered_verify_select,
        [ORDERED_EXPAND] = ordered_verify_expansion,
        [ORDERED_MERGE] = ordered_verify_merge,
    };
    const ordered_case *of = ordered_case_of(r->arm);
    ordered_check c = {.bench = b, .row = r, .of = of, .n = r->n};
    c.data = (const unsigned char *)b->ordered->sets[of->data].host +
             ordered_start(b, of->data, r->arm->ordered.size);
    for (uint32_t k = 0; k < ORDERED_PARTS; k++)
        c.parts[k] = (const unsigned char *)b->copied.data +
                     ordered_part_start(r->arm, r->n, (ordered_part)k);
    r->verdict = verifiers[of->work](&c) ? VERDICT_YES : VERDICT_NO;
    r->bytes = (double)ordered_bytes_read(r->arm, r->n) + written_of(&c);
}
