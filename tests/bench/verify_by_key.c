/* SPDX-License-Identifier: MIT */
/* The references for scans, run lengths and reductions by key, in plain loops. */
#include <math.h>
#include <string.h>
#include "ordered.h"
#include "oracle.h"

/* The result of one operator so far, as f32 or u32. Floats are multiples of 2^-24, so their sums in
 * double precision are exact. */
typedef struct total {
    double value;
    uint32_t word;
} total;

static uint32_t word_at(const unsigned char *bytes, uint64_t i)
{
    uint32_t word;
    memcpy(&word, bytes + 4 * i, sizeof word);
    return word;
}

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void combine(total *t, VkrOp op, uint32_t word, bool is_first)
{
    const double value = (double)float_of(word);
    if (op == VKR_OP_SUM) {
        t->value = is_first ? value : t->value + value;
        t->word = is_first ? word : t->word + word;
    } else if (is_first || (op == VKR_OP_MIN ? value < t->value : value > t->value)) {
        t->value = value;
    }
}

/* Whether a word is the total of `count` elements. */
static bool is_total(const ordered_check *c, const total *t, VkrOp op, uint64_t count,
                     uint32_t word)
{
    const double bound = op == VKR_OP_SUM ? t->value * oracle_roundings(count) * 0x1p-24 : 0.0;
    return c->of->type == VKR_TYPE_U32 ? word == t->word
                                       : fabs((double)float_of(word) - t->value) <= bound;
}

static bool wrong(const ordered_check *c, const char *what, uint64_t i, uint32_t word,
                  const total *t)
{
    const bool words = c->of->type == VKR_TYPE_U32;
    return ordered_differs(c, what, i, words ? (double)word : (double)float_of(word),
                           words ? (double)t->word : t->value);
}

/* The keys, or NULL: they are all equal. */
static const unsigned char *keys_of(const ordered_check *c)
{
    if (c->of->work == ORDERED_RUN_LENGTHS)
        return c->data;
    return c->bench->ordered->sets[c->of->keys].host;
}

bool ordered_verify_scan(const ordered_check *c)
{
    const unsigned char *keys = keys_of(c);
    total t = {0};
    uint64_t count = 0;
    for (uint64_t i = 0; i < c->n; i++) {
        if (i > 0 && keys != NULL && word_at(keys, i) != word_at(keys, i - 1))
            count = 0;
        combine(&t, VKR_OP_SUM, word_at(c->data, i), count == 0);
        const uint32_t found = word_at(c->parts[PART_FIRST], i);
        if (!is_total(c, &t, VKR_OP_SUM, ++count, found))
            return wrong(c, "sum", i, found, &t);
    }
    return true;
}

/* Compares what was written for a run of elements. */
static bool verify_run(const ordered_check *c, uint64_t run, uint64_t start, uint64_t end)
{
    const uint32_t key = word_at(keys_of(c), start), found_key = word_at(c->parts[PART_FIRST], run);
    if (key != found_key)
        return ordered_differs(c, "key", run, (double)found_key, (double)key);
    if (c->of->work == ORDERED_RUN_LENGTHS) {
        const uint32_t length = word_at(c->parts[PART_SECOND], run);
        return length == end - start ||
               ordered_differs(c, "length", run, (double)length, (double)(end - start));
    }
    uint64_t stride = ordered_part_size(c->row->arm, 1, PART_SECOND) / 4, at = run * stride;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrOp op = (VkrOp)(1u << bit);
        total t = {0};
        if ((c->of->ops & op) == 0)
            continue;
        for (uint64_t i = start; i < end; i++)
            combine(&t, op, word_at(c->data, i), i == start);
        const uint32_t found = word_at(c->parts[PART_SECOND], at++);
        if (!is_total(c, &t, op, end - start, found))
            return wrong(c, "result", run, found, &t);
    }
    return true;
}

bool ordered_verify_runs(const ordered_check *c)
{
    const unsigned char *keys = keys_of(c);
    uint64_t run = 0, start = 0;
    for (uint64_t i = 1; i <= c->n; i++) {
        if (i < c->n && word_at(keys, i) == word_at(keys, i - 1))
            continue;
        if (!verify_run(c, run++, start, i))
            return false;
        start = i;
    }
    const uint32_t found = word_at(c->parts[PART_COUNT], 0);
    return found == run || ordered_differs(c, "count", 0, (double)found, (double)run);
}
