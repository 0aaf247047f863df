/* SPDX-License-Identifier: MIT */
/* What searches, sorts and selections must have written: plain scalar code, for elements of U32. */
#include <string.h>

#include "operations_data.h"
#include "operations_kinds.h"

/* ---- Searches ---- */

const char *operation_check_find(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t n = operation_counted(r, row, data);
    uint32_t i = 0;
    while (i < n && data->source[i] != 0)
        i++;
    return operation_is_word(operation_slot(r, data, 0), 0, i < n ? i : UINT32_MAX)
               ? NULL
               : "the first index";
}

const char *operation_check_bounds(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const uint32_t *keys = operation_other_words(data, OPERATION_KEYS_AT);
    const uint32_t *lower = operation_slot(r, data, 0), *upper = operation_slot(r, data, 1);
    const uint32_t n = operation_counted(r, row, data);
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

/* Keys at even positions are those of the first sequence, which come first where they are equal. */
const char *operation_check_merge(const operation_run *r, const operation_row *row,
                                  const operation_data *data)
{
    const uint32_t *keys = operation_other_words(data, OPERATION_KEYS_AT);
    const uint32_t *merged = operation_slot(r, data, 0), *indices = operation_slot(r, data, 1);
    const uint32_t evens = (r->count + 1) / 2, counted = operation_counted(r, row, data);
    const uint32_t a = counted < evens ? counted : evens, b = r->count / 2;
    for (uint32_t i = 0, even = 0, odd = 0; even < a || odd < b; i++) {
        const bool is_odd = even == a || (odd < b && keys[2 * odd + 1] < keys[2 * even]);
        if (merged[i] != keys[is_odd ? 2 * odd + 1 : 2 * even])
            return "a merged key";
        if (indices[i] != (is_odd ? evens + odd : even))
            return "the index of a merged key";
        *(is_odd ? &odd : &even) += 1;
    }
    return NULL;
}

/* Elements between the least and the greatest one. */
const char *operation_check_apply(const operation_run *r, const operation_row *row,
                                  const operation_data *data)
{
    const uint32_t n = operation_counted(r, row, data), *slot = operation_slot(r, data, 0);
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        least = data->source[i] < least ? data->source[i] : least;
        most = data->source[i] > most ? data->source[i] : most;
    }
    for (uint32_t i = 0; i < n && least < most; i++) {
        float is;
        memcpy(&is, &slot[i], sizeof is);
        const double wanted = (double)(data->source[i] - least) / (double)(most - least);
        if (!((double)is >= wanted - 1e-5 && (double)is <= wanted + 1e-5))
            return "a rescaled element";
    }
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
                                 const operation_data *data, const operation_span *s,
                                 uint32_t position, bool descending)
{
    const uint32_t *values = operation_slot(r, data, 0), *indices = operation_slot(r, data, 1);
    const uint32_t *payload = operation_slot(r, data, 6);
    const uint32_t *labels = operation_other_words(data, OPERATION_LABELS_AT);
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
    const uint32_t n = operation_counted(r, row, data);
    const char *wrong = NULL;
    for (uint32_t first = 0, end; first < n && !wrong; first = end) {
        end = first + 1;
        while (end < n && !operation_starts_at(r, row, data, end))
            end++;
        const operation_span s = {first, end - first, end - first};
        wrong = check_ordered(r, row, data, &s, first, false);
    }
    return wrong;
}

const char *operation_check_topk(const operation_run *r, const operation_row *row,
                                 const operation_data *data)
{
    const uint32_t *indices = operation_slot(r, data, 1), *found = operation_slot(r, data, 2);
    const char *wrong = NULL;
    operation_span s = {0};
    for (uint32_t k = 0; !wrong && operation_next_segment(r, row, data, k, &s); k++) {
        const uint32_t right = s.count < OPERATION_TOP ? s.count : OPERATION_TOP;
        const operation_span entries = {s.first, s.count, right};
        uint32_t before = 0;
        wrong = found[k] != right ? "the number of entries"
                                  : check_ordered(r, row, data, &entries, k * OPERATION_TOP, true);
        for (uint32_t i = 0; i < s.count && !wrong; i++)
            before += is_in_order(data->source + s.first, i, indices[k * OPERATION_TOP + right - 1],
                                  true);
        if (!wrong && right != 0 && before != right - 1)
            wrong = "the least entry";
    }
    return wrong;
}

const uint32_t operation_ranks[OPERATION_RANKS] = {7, 0, 3};

const char *operation_check_select(const operation_run *r, const operation_row *row,
                                   const operation_data *data)
{
    const uint32_t *values = operation_slot(r, data, 0), *indices = operation_slot(r, data, 1);
    operation_span s = {0};
    for (uint32_t k = 0; operation_next_segment(r, row, data, k, &s); k++)
        for (uint32_t i = 0; i < OPERATION_RANKS && operation_ranks[i] < s.count; i++) {
            const uint32_t *elements = data->source + s.first, entry = k * OPERATION_RANKS + i;
            uint32_t before = 0;
            if (indices[entry] >= s.count)
                return "the index of an element of a rank";
            for (uint32_t e = 0; e < s.count; e++)
                before += e != indices[entry] && is_in_order(elements, e, indices[entry], false);
            if (before != operation_ranks[i])
                return "the rank of an element";
            if (values[entry] != elements[indices[entry]])
                return "an element of a rank";
        }
    return NULL;
}

/* ---- Bins ---- */

static const char *check_binned(const operation_run *r, const operation_row *row,
                                const operation_data *data, uint32_t position, uint32_t i)
{
    const uint32_t *indices = operation_slot(r, data, 2), *payload = operation_slot(r, data, 6);
    const uint32_t *labels = operation_other_words(data, OPERATION_LABELS_AT);
    if (!row->more)
        return NULL;
    return indices[position] != i           ? "an index in a bin"
           : payload[position] != labels[i] ? "a payload"
                                            : NULL;
}

const char *operation_check_bin(const operation_run *r, const operation_row *row,
                                const operation_data *data)
{
    const uint32_t *counts = operation_slot(r, data, 0), *offsets = operation_slot(r, data, 1);
    const uint32_t n = operation_counted(r, row, data);
    const char *wrong = NULL;
    uint32_t listed = 0;
    for (uint32_t bin = 0; bin < OPERATION_KEY_BINS && !wrong; bin++) {
        const uint32_t first = listed;
        for (uint32_t i = 0; i < n && !wrong; i++)
            if (data->source[i] == bin)
                wrong = check_binned(r, row, data, listed++, i);
        if (!wrong && (counts[bin] != listed - first || offsets[bin] != first))
            wrong = counts[bin] != listed - first ? "the count of a bin" : "the offset of a bin";
    }
    return wrong || offsets[OPERATION_KEY_BINS] == listed ? wrong : "the number of binned elements";
}
