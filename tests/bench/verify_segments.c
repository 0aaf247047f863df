/* SPDX-License-Identifier: MIT */
/* The reference for sums of segments, in plain loops. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "segments.h"
#include "status.h"
#include "oracle.h"

/* A total of values as u32, which wraps, and as f32: values are multiples of 2^-24, so that sums in
 * double precision, and differences of such sums, are exact. */
typedef struct total {
    double value;
    uint32_t word;
} total;

static float value_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void take(total *t, uint32_t word)
{
    t->value += (double)value_of(word);
    t->word += word;
}

static void give(total *t, uint32_t word)
{
    t->value -= (double)value_of(word);
    t->word -= word;
}

typedef struct sums {
    const arm *arm;
    uint64_t n;
    const uint32_t *x, *found;
    const uint32_t *offsets;
    uint64_t count;
} sums;

/* Whether a sum is right: it may be off by the bound of reduce.h. */
static bool is_sum(const sums *s, uint64_t i, const total *t, uint64_t length)
{
    const double bound = t->value * oracle_roundings(length) * 0x1p-24;
    const bool words = s->arm->type == VKR_TYPE_U32;
    const double found = words ? s->found[i] : (double)value_of(s->found[i]);
    if (words ? s->found[i] == t->word : fabs(found - t->value) <= bound)
        return true;
    (void)fail(STATUS_DIFFERENCE,
               "%s, %" PRIu64 " elements: sum %" PRIu64 " of %" PRIu64
               " is %.9g; the scalar reference gives %.9g",
               s->arm->name, s->n, i, s->count, found, words ? t->word : t->value);
    return false;
}

static bool has_segments(const sums *s)
{
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t length = s->arm->info.segments.length;
        const uint64_t start = s->offsets != NULL ? s->offsets[i] : i * length;
        const uint64_t end = s->offsets != NULL ? s->offsets[i + 1] : start + length;
        total t = {0.0, 0};
        for (uint64_t e = start; e < end; e++)
            take(&t, s->x[e]);
        if (!is_sum(s, i, &t, end - start))
            return false;
    }
    return true;
}

static bool has_windows(const sums *s)
{
    const uint64_t length = s->arm->info.segments.length;
    total t = {0.0, 0};
    for (uint64_t e = 0; e < s->n; e++) {
        take(&t, s->x[e]);
        if (e + 1 < length)
            continue;
        if (!is_sum(s, e + 1 - length, &t, length))
            return false;
        give(&t, s->x[e + 1 - length]);
    }
    return true;
}

static bool has_columns(const sums *s)
{
    total *totals = calloc((size_t)s->count, sizeof *totals);
    bool good = totals != NULL || fail(STATUS_VULKAN, "out of memory") == STATUS_DONE;
    for (uint64_t start = 0; good && start < s->n; start += s->count)
        for (uint64_t i = 0; i < s->count; i++)
            take(&totals[i], s->x[start + i]);
    for (uint64_t i = 0; good && i < s->count; i++)
        good = is_sum(s, i, &totals[i], s->n / s->count);
    free(totals);
    return good;
}

bool segment_sums_verify(const bench *b, const arm *a, uint64_t n)
{
    const VkrSegmentKind kind = a->info.segments.kind;
    const sums s = {.arm = a,
                    .n = n,
                    .x = (const void *)b->host,
                    .found = b->copied.data,
                    .offsets = kind == VKR_SEGMENTS_OFFSETS ? b->segments->host_offsets : NULL,
                    .count = segment_sums_count(a, n)};
    return kind == VKR_SEGMENTS_WINDOWS   ? has_windows(&s)
           : kind == VKR_SEGMENTS_COLUMNS ? has_columns(&s)
                                          : has_segments(&s);
}
