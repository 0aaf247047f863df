/* SPDX-License-Identifier: MIT */
/* What reductions, scans, compactions and histograms must have written: plain scalar code, for
 * elements of U32. */
#include <string.h>

#include "operations_data.h"
#include "operations_kinds.h"

/* ---- Reductions and scans ---- */

typedef struct state {
    uint32_t power, value;
} state;

static state with_element(state a, uint32_t element, uint32_t i)
{
    return (state){a.power * 0x01000193u, a.value * 0x01000193u + (element ^ i)};
}

static const char *check_segment(const VkrReduceLayout *layout, const operation_row *row,
                                 const uint32_t *source, const operation_span *s, const char *at)
{
    uint32_t sum = 0, min = UINT32_MAX, max = 0, argmax = UINT32_MAX;
    state hash = {1, 0};
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t value = source[s->first + i * s->step];
        sum += value;
        min = value < min ? value : min;
        argmax = i == 0 || value > max ? i : argmax;
        max = value > max ? value : max;
        hash = with_element(hash, value, s->first + i * s->step);
    }
    if (row->monoid)
        return operation_is_word(at, 0, hash.value) ? NULL : "a combined state";
    return !operation_is_word(at, vkrGetReduceResult(layout, VKR_OP_SUM)->offset, sum) ? "a sum"
           : !operation_is_word(at, vkrGetReduceResult(layout, VKR_OP_MIN)->offset, min)
               ? "a minimum"
           : !operation_is_word(at, vkrGetReduceResult(layout, VKR_OP_ARGMAX)->offset, argmax)
               ? "the index of a maximum"
               : NULL;
}

const char *operation_check_reduce(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const bool by_key = row->segments == VKR_SEGMENTS_KEYS;
    const uint32_t *keys = operation_other_words(data, OPERATION_KEYS_AT);
    const uint32_t *unique = operation_slot(r, data, 0), *lengths = operation_slot(r, data, 1);
    const char *results = operation_slot(r, data, by_key ? 3 : 0);
    const char *wrong = NULL;
    VkrMonoid monoid;
    VkrHook hook;
    VkrCountOutput count;
    VkrReduceLayout layout;
    const VkrReduceInfo info = operation_reduction(r, row, &monoid, &hook, &count);
    if (vkrGetReduceLayout(r->context, &info, &layout) != VKR_SUCCESS)
        return "the layout";
    operation_span s = {0};
    uint32_t index = 0;
    for (; !wrong && operation_next_segment(r, row, data, index, &s); index++) {
        wrong = check_segment(&layout, row, data->source, &s, results + index * layout.stride);
        if (by_key && !wrong)
            wrong = unique[index] != keys[s.first] ? "a unique key"
                    : lengths[index] != s.count    ? "a length"
                                                   : NULL;
    }
    const bool counts = by_key && !wrong && *(const uint32_t *)operation_slot(r, data, 2) != index;
    return counts ? "the number of runs" : wrong;
}

const char *operation_check_scan(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t *prefixes = operation_slot(r, data, 0), *totals = operation_slot(r, data, 1);
    const uint32_t *given = operation_other_words(data, OPERATION_INITIAL_AT);
    const uint32_t n = operation_counted(r, row, data);
    const uint32_t length = (uint32_t)operation_segments(r, row).length;
    const bool columns = row->segments == VKR_SEGMENTS_COLUMNS;
    const state initial = row->monoid ? (state){row->more ? given[0] : 1, row->more ? given[1] : 0}
                                      : (state){0, row->more ? given[0] : 0};
    state now = initial;
    for (uint32_t i = 0; i < n; i++) {
        if (operation_starts_at(r, row, data, i) || (columns && i < length))
            now = initial;
        else if (columns)
            now.value = prefixes[i - length];
        now = row->monoid ? with_element(now, data->source[i], i)
                          : (state){0, now.value + data->source[i]};
        if (prefixes[i] != now.value)
            return "a prefix";
    }
    if (row->monoid && row->more && (totals[0] != now.power || totals[1] != now.value))
        return "the last state";
    return row->more && !row->monoid && totals[0] != now.value ? "the total" : NULL;
}

/* ---- Compactions ---- */

static bool is_kept(const operation_row *row, const operation_data *data, uint32_t i)
{
    const uint8_t *flags = (const uint8_t *)data->others + OPERATION_FLAGS_AT;
    if (row->detail == VKR_PREDICATE_FLAGS)
        return flags[i] != 0;
    if (row->detail == VKR_PREDICATE_UNIQUE)
        return i == 0 || data->source[i] != data->source[i - 1];
    return data->source[i] != 0;
}

static const char *check_kept(const operation_run *r, const operation_row *row,
                              const operation_data *data, uint32_t k, uint32_t i)
{
    const uint32_t *values = operation_slot(r, data, 0), *indices = operation_slot(r, data, 1);
    const uint32_t *lengths = operation_slot(r, data, 2), *payload = operation_slot(r, data, 6);
    const uint32_t *labels = operation_other_words(data, OPERATION_LABELS_AT);
    const uint32_t n = operation_counted(r, row, data);
    uint32_t next = i + 1;
    while (next < n && !is_kept(row, data, next))
        next++;
    if (values[k] != data->source[i])
        return "a kept element";
    if (row->detail == VKR_PREDICATE_UNIQUE && lengths[k] != next - i)
        return "the length of a run";
    if (row->more && indices[k] != i)
        return "the index of a kept element";
    return row->more && row->algorithm != VKR_COMPACT_SINGLE_PASS && payload[k] != labels[i]
               ? "a payload"
               : NULL;
}

const char *operation_check_expand(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const uint32_t *sources = operation_slot(r, data, 0), *ranks = operation_slot(r, data, 1);
    uint32_t output = 0;
    for (uint32_t i = 0; i < operation_counted(r, row, data); i++)
        for (uint32_t k = 0; k < data->source[i] && output < r->count; k++, output++)
            if (sources[output] != i || ranks[output] != k)
                return "the source or the rank of an output";
    return NULL;
}

const char *operation_check_compact(const operation_run *r, const operation_row *row,
                                    const operation_data *data)
{
    const uint32_t *rejected = operation_slot(r, data, 3),
                   *rejected_indices = operation_slot(r, data, 4);
    const char *counts = operation_slot(r, data, 5);
    uint32_t kept = 0, others = 0;
    for (uint32_t i = 0; i < operation_counted(r, row, data); i++) {
        const bool keeps = is_kept(row, data, i);
        const char *wrong = keeps ? check_kept(r, row, data, kept, i) : NULL;
        if (!keeps && row->more &&
            (rejected[others] != data->source[i] || rejected_indices[others] != i))
            wrong = "a rejected element";
        if (wrong)
            return wrong;
        kept += keeps;
        others += !keeps;
    }
    return !row->more ? NULL
           : !operation_is_word(counts, 256 * VKR_COUNT_KEPT, kept * 64)
               ? "the number of kept elements"
           : !operation_is_word(counts, 256 * VKR_COUNT_STORED, kept * 64)
               ? "the number of stored elements"
           : !operation_is_word(counts, 256 * VKR_COUNT_REJECTED, others * 64)
               ? "the number of rejected elements"
               : NULL;
}

/* ---- Histograms ---- */

const char *operation_check_histogram(const operation_run *r, const operation_row *row,
                                      const operation_data *data)
{
    uint32_t counts[OPERATION_BINS] = {0};
    for (uint32_t i = 0; i < operation_counted(r, row, data); i++)
        counts[data->source[i]]++;
    return memcmp(operation_slot(r, data, 0), counts, sizeof counts) == 0 ? NULL : "a count";
}

const char *operation_check_quantile(const operation_run *r, const operation_row *row,
                                     const operation_data *data)
{
    const uint64_t *cumulative = operation_slot(r, data, 1);
    uint64_t sum = 0;
    (void)row;
    const uint32_t bins = r->count < OPERATION_BINS ? 1 : OPERATION_BINS;
    for (uint32_t k = 0; k < bins; k++)
        if (cumulative[k] != (sum += data->source[k]))
            return "a cumulative count";
    return NULL;
}
