/* SPDX-License-Identifier: MIT */
/* What each row must have written: plain scalar code, for elements of U32. */
#include <string.h>

#include "operations.h"

static const uint32_t *other_words(const operation_data *data, size_t offset)
{
    return (const uint32_t *)(const void *)((const char *)data->others + offset);
}

static const void *slot_of(const operation_run *r, const operation_data *data, uint32_t slot)
{
    return (const char *)data->target + slot * r->slot;
}

/* The number of elements, after the count of the GPU. */
static uint32_t counted(const operation_run *r, const operation_row *row,
                        const operation_data *data)
{
    const uint32_t count = other_words(data, OPERATION_COUNT_AT)[0];
    return row->more && count < r->count ? count : r->count;
}

/* ---- Data ---- */

static uint32_t random_word(uint32_t seed, uint32_t i)
{
    uint32_t word = (i + 1) * 2654435761u + seed * 40503u;
    word = (word ^ word >> 15) * 2246822519u;
    return word ^ word >> 13;
}

void operation_fill(const operation_run *r, uint32_t seed, uint32_t *source, void *others)
{
    const operation_data data = {.others = others};
    uint32_t *offsets = (uint32_t *)(uintptr_t)other_words(&data, OPERATION_OFFSETS_AT);
    uint32_t *labels = (uint32_t *)(uintptr_t)other_words(&data, OPERATION_LABELS_AT);
    uint32_t *keys = (uint32_t *)(uintptr_t)other_words(&data, OPERATION_KEYS_AT);
    uint8_t *flags = (uint8_t *)others + OPERATION_FLAGS_AT;
    const uint32_t offset_count = r->count < 1000 ? 2 : 1000;
    const uint32_t count = r->count - r->count / 8 * (seed % 3);
    const uint32_t initial[] = {random_word(seed, 7) | 1, random_word(seed, 8)};
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t word = random_word(seed, i);
        source[i] = word % 50;
        labels[i] = ~word;
        flags[i] = word >> 9 & 7 ? 0 : 1 + (i & 63);
        keys[i] = i == 0 ? seed % 3 : keys[i - 1] + (word >> 17 & 3 ? 0 : 1);
    }
    for (uint32_t k = 0; k < offset_count; k++)
        offsets[k] = (uint32_t)((uint64_t)r->count * (k & ~3u) / (offset_count - 1));
    offsets[offset_count - 1] = r->count;
    memcpy((char *)others + OPERATION_COUNT_AT, &count, sizeof count);
    memcpy((char *)others + OPERATION_INITIAL_AT, initial, sizeof initial);
}

/* ---- Segments ---- */

typedef struct span {
    uint32_t first, step, count;
} span;

static uint32_t end_of_run(const uint32_t *keys, uint32_t first, uint32_t count)
{
    uint32_t i = first + 1;
    while (i < count && keys[i] == keys[first])
        i++;
    return i;
}

/* The segment of a reduction that comes after another one; the first one comes after {0}. */
static bool next_segment(const operation_run *r, const operation_row *row,
                         const operation_data *data, uint32_t index, span *s)
{
    const VkrSegments segments = operation_segments(r, row);
    const uint32_t length = (uint32_t)segments.length, n = counted(r, row, data);
    const uint32_t *offsets = other_words(data, OPERATION_OFFSETS_AT);
    switch (row->segments) {
    case VKR_SEGMENTS_ROWS:
        *s = (span){index * length, 1, length};
        return index < n / length;
    case VKR_SEGMENTS_COLUMNS:
        *s = (span){index, length, n / length};
        return index < length;
    case VKR_SEGMENTS_WINDOWS:
        *s = (span){index, 1, length};
        return index + length <= n;
    case VKR_SEGMENTS_OFFSETS:
        if (index + 1 >= segments.offsets.size / 4)
            return false;
        *s = (span){offsets[index], 1, offsets[index + 1] - offsets[index]};
        return true;
    case VKR_SEGMENTS_KEYS:
        *s = (span){s->first + s->count, 1, 0};
        if (s->first >= n)
            return false;
        s->count = end_of_run(other_words(data, OPERATION_KEYS_AT), s->first, n) - s->first;
        return true;
    default:
        *s = (span){0, 1, n};
        return index == 0;
    }
}

/* Whether a segment of a scan or a sort starts at an element. */
static bool starts_at(const operation_run *r, const operation_row *row, const operation_data *data,
                      uint32_t i)
{
    const VkrSegments segments = operation_segments(r, row);
    const uint8_t *flags = (const uint8_t *)data->others + OPERATION_FLAGS_AT;
    const uint32_t *keys = other_words(data, OPERATION_KEYS_AT);
    const uint32_t *offsets = other_words(data, OPERATION_OFFSETS_AT);
    uint32_t k = 0;
    switch (row->segments) {
    case VKR_SEGMENTS_FLAGS:
        return i == 0 || (row->detail == VKR_FLAGS_BITS ? flags[i / 8] >> i % 8 & 1 : flags[i]);
    case VKR_SEGMENTS_ROWS:
        return i % segments.length == 0;
    case VKR_SEGMENTS_OFFSETS:
        while (k < segments.offsets.size / 4 && offsets[k] < i)
            k++;
        return i == 0 || (k < segments.offsets.size / 4 && offsets[k] == i);
    case VKR_SEGMENTS_KEYS:
        return i == 0 || keys[i] != keys[i - 1];
    default:
        return i == 0;
    }
}

/* ---- Reductions and scans ---- */

typedef struct state {
    uint32_t power, value;
} state;

static state with_element(state a, uint32_t element, uint32_t i)
{
    return (state){a.power * 0x01000193u, a.value * 0x01000193u + (element ^ i)};
}

static bool is_word(const char *at, VkDeviceSize offset, uint32_t right)
{
    return memcmp(at + offset, &right, sizeof right) == 0;
}

static const char *check_segment(const VkrReduceLayout *layout, const operation_row *row,
                                 const uint32_t *source, const span *s, const char *at)
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
        return is_word(at, 0, hash.value) ? NULL : "a combined state";
    return !is_word(at, vkrGetReduceResult(layout, VKR_OP_SUM)->offset, sum)   ? "a sum"
           : !is_word(at, vkrGetReduceResult(layout, VKR_OP_MIN)->offset, min) ? "a minimum"
           : !is_word(at, vkrGetReduceResult(layout, VKR_OP_ARGMAX)->offset, argmax)
               ? "the index of a maximum"
               : NULL;
}

const char *operation_check_reduce(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const bool by_key = row->segments == VKR_SEGMENTS_KEYS;
    const uint32_t *keys = other_words(data, OPERATION_KEYS_AT);
    const uint32_t *unique = slot_of(r, data, 0), *lengths = slot_of(r, data, 1);
    const char *results = slot_of(r, data, by_key ? 3 : 0);
    const char *wrong = NULL;
    VkrMonoid monoid;
    VkrHook hook;
    VkrCountOutput count;
    VkrReduceLayout layout;
    const VkrReduceInfo info = operation_reduction(r, row, &monoid, &hook, &count);
    if (vkrGetReduceLayout(r->context, &info, &layout) != VKR_SUCCESS)
        return "the layout";
    span s = {0};
    uint32_t index = 0;
    for (; !wrong && next_segment(r, row, data, index, &s); index++) {
        wrong = check_segment(&layout, row, data->source, &s, results + index * layout.stride);
        if (by_key && !wrong)
            wrong = unique[index] != keys[s.first] ? "a unique key"
                    : lengths[index] != s.count    ? "a length"
                                                   : NULL;
    }
    const bool counts = by_key && !wrong && *(const uint32_t *)slot_of(r, data, 2) != index;
    return counts ? "the number of runs" : wrong;
}

const char *operation_check_scan(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t *prefixes = slot_of(r, data, 0), *totals = slot_of(r, data, 1);
    const uint32_t *given = other_words(data, OPERATION_INITIAL_AT);
    const uint32_t n = counted(r, row, data);
    const state initial = row->monoid ? (state){row->more ? given[0] : 1, row->more ? given[1] : 0}
                                      : (state){0, row->more ? given[0] : 0};
    state now = initial;
    for (uint32_t i = 0; i < n; i++) {
        if (starts_at(r, row, data, i))
            now = initial;
        now = row->monoid ? with_element(now, data->source[i], i)
                          : (state){0, now.value + data->source[i]};
        if (prefixes[i] != now.value)
            return "a prefix";
    }
    if (row->monoid && row->more && (totals[0] != now.power || totals[1] != now.value))
        return "the last state";
    return row->more && !row->monoid && totals[0] != now.value ? "the total" : NULL;
}

/* ---- Compactions and searches ---- */

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
    const uint32_t *values = slot_of(r, data, 0), *indices = slot_of(r, data, 1);
    const uint32_t *lengths = slot_of(r, data, 2), *payload = slot_of(r, data, 6);
    const uint32_t *labels = other_words(data, OPERATION_LABELS_AT);
    const uint32_t n = counted(r, row, data);
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

const char *operation_check_compact(const operation_run *r, const operation_row *row,
                                    const operation_data *data)
{
    const uint32_t *rejected = slot_of(r, data, 3), *rejected_indices = slot_of(r, data, 4);
    const char *counts = slot_of(r, data, 5);
    uint32_t kept = 0, others = 0;
    for (uint32_t i = 0; i < counted(r, row, data); i++) {
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
    return !row->more                                            ? NULL
           : !is_word(counts, 256 * VKR_COUNT_KEPT, kept * 64)   ? "the number of kept elements"
           : !is_word(counts, 256 * VKR_COUNT_STORED, kept * 64) ? "the number of stored elements"
           : !is_word(counts, 256 * VKR_COUNT_REJECTED, others * 64)
               ? "the number of rejected elements"
               : NULL;
}

const char *operation_check_find(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t n = counted(r, row, data);
    uint32_t i = 0;
    while (i < n && data->source[i] != 0)
        i++;
    return is_word(slot_of(r, data, 0), 0, i < n ? i : UINT32_MAX) ? NULL : "the first index";
}

const char *operation_check_bounds(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const uint32_t *keys = other_words(data, OPERATION_KEYS_AT);
    const uint32_t *lower = slot_of(r, data, 0), *upper = slot_of(r, data, 1);
    const uint32_t n = counted(r, row, data);
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t value = data->source[i];
        uint32_t below = 0;
        while (below < n && keys[below] < value)
            below++;
        uint32_t above = below;
        while (above < n && keys[above] == value)
            above++;
        if (lower[i] != below || upper[i] != above)
            return lower[i] != below ? "a lower bound" : "an upper bound";
    }
    return NULL;
}

const char *operation_check_histogram(const operation_run *r, const operation_row *row,
                                      const operation_data *data)
{
    uint32_t counts[OPERATION_BINS] = {0};
    for (uint32_t i = 0; i < counted(r, row, data); i++)
        counts[data->source[i]]++;
    return memcmp(slot_of(r, data, 0), counts, sizeof counts) == 0 ? NULL : "a count";
}

const char *operation_check_quantile(const operation_run *r, const operation_row *row,
                                     const operation_data *data)
{
    const uint64_t *cumulative = slot_of(r, data, 1);
    uint64_t sum = 0;
    (void)row;
    const uint32_t bins = r->count < OPERATION_BINS ? 1 : OPERATION_BINS;
    for (uint32_t k = 0; k < bins; k++)
        if (cumulative[k] != (sum += data->source[k]))
            return "a cumulative count";
    return NULL;
}

/* ---- Sorts and selections ---- */

/* Indices of elements are in a stable order if each pair of neighbours is. Then no index is there
 * twice, so that as many indices as there are elements are all of them. */
static bool is_in_order(const uint32_t *values, uint32_t a, uint32_t b, bool descending)
{
    const bool before = descending ? values[a] > values[b] : values[a] < values[b];
    return before || (values[a] == values[b] && a < b);
}

static const char *check_ordered(const operation_run *r, const operation_row *row,
                                 const operation_data *data, const span *s, uint32_t position,
                                 bool descending)
{
    const uint32_t *values = slot_of(r, data, 0), *indices = slot_of(r, data, 1);
    const uint32_t *payload = slot_of(r, data, 6);
    const uint32_t *labels = other_words(data, OPERATION_LABELS_AT);
    const uint32_t *elements = data->source + s->first;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t index = indices[position + i];
        if (index >= s->step ||
            (i > 0 && !is_in_order(elements, indices[position + i - 1], index, descending)))
            return "the order of indices";
        if (values[position + i] != elements[index])
            return "an ordered element";
        if (row->more && payload[position + i] != labels[s->first + index])
            return "a payload";
    }
    return NULL;
}

const char *operation_check_sort(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t n = counted(r, row, data);
    const char *wrong = NULL;
    for (uint32_t first = 0, end; first < n && !wrong; first = end) {
        end = first + 1;
        while (end < n && !starts_at(r, row, data, end))
            end++;
        const span s = {first, end - first, end - first};
        wrong = check_ordered(r, row, data, &s, first, false);
    }
    return wrong;
}

const char *operation_check_topk(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t *indices = slot_of(r, data, 1), *found = slot_of(r, data, 2);
    const char *wrong = NULL;
    span s = {0};
    for (uint32_t k = 0; !wrong && next_segment(r, row, data, k, &s); k++) {
        const uint32_t right = s.count < OPERATION_TOP ? s.count : OPERATION_TOP;
        const span entries = {s.first, s.count, right};
        uint32_t before = 0;
        wrong = found[k] != right ? "the number of entries"
                                  : check_ordered(r, row, data, &entries, k * OPERATION_TOP, true);
        for (uint32_t i = 0; i < s.count && !wrong; i++)
            before += is_in_order(data->source + s.first, i, indices[k * OPERATION_TOP + right - 1],
                                  true);
        if (!wrong && before != right - 1)
            wrong = "the least entry";
    }
    return wrong;
}
