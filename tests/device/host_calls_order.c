/* SPDX-License-Identifier: MIT */
/* Sorts, selections and searches of arrays. */
#include "host_calls.h"

#include "oracle_bounds.h"
#include "oracle_sort.h"

static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I16, VKR_TYPE_U64, VKR_TYPE_UNDEFINED};

/* Elements whose rows have so many, 0: all. */
static oracle_sort_info in_rows(const call_case *c, const void *data, bool descending, uint64_t row)
{
    return (oracle_sort_info){.data = data,
                              .stride = vkrTypeSize(c->type),
                              .type = c->type,
                              .count = c->count,
                              .descending = descending,
                              .row = row};
}

/* The indices of elements in their order, those of a segment counted from its start. */
static uint32_t *order_of(const oracle_sort_info *info)
{
    uint32_t *indices = malloc((info->count + 1) * sizeof *indices);
    assert_non_null(indices);
    assert_true(oracle_sort(info, indices));
    return indices;
}

/* ---- Sorts ---- */

/* Of at least this many elements, so that the segments differ. */
static const uint64_t offsets[] = {0, 30, 30, 400, 776, 5000, 99999};

static uint64_t least_divisor(uint64_t count)
{
    uint64_t divisor = 2;
    while (divisor < count && count % divisor != 0)
        divisor++;
    return divisor < count ? divisor : 1;
}

/* Rows start `pitch` elements apart; 0: they lie beside each other. */
static void sort_case(const call_case *c, bool in_place, VkrSegmentKind kind, uint64_t pitch)
{
    const bool by_offsets = kind == VKR_SEGMENTS_OFFSETS;
    const uint64_t columns = kind == VKR_SEGMENTS_COLUMNS ? least_divisor(c->count) : 0;
    const uint64_t row = kind == VKR_SEGMENTS_ROWS ? 100 : 0;
    const uint32_t size = vkrTypeSize(c->type);
    const uint32_t entry = row != 0 ? 12 : 8;
    unsigned char *keys = take(c->count * size), *copy = take(c->count * size);
    unsigned char *sorted = take(c->count * size), *expected = take(c->count * size);
    unsigned char *load = take(c->count * entry), *moved = take(c->count * entry);
    unsigned char *moves = take(c->count * entry);
    uint32_t *indices = take(c->count * 4), *places = take(c->count * 4);
    fill(c->type, keys, c->count);
    fill(VKR_TYPE_U8, load, c->count * entry);
    memcpy(copy, keys, c->count * size);
    const VkrHostSortInfo info = {
        .sort = {.flags = in_place ? VKR_SORT_DESCENDING_BIT : 0,
                 .keys = {.type = c->type},
                 .count = c->count,
                 .segments = {.kind = kind,
                              .length = columns ? columns : row,
                              .pitch = pitch,
                              .offsetType = by_offsets ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED}},
        .keys = keys,
        .segments = {.offsets = offsets, .offsetCount = ARRAY_SIZE(offsets)},
        .sorted = in_place ? keys : sorted,
        .indices = indices,
        .payload = load,
        .payloadSorted = moved,
        .payloadSize = entry};
    if (vkrHostSort(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    oracle_sort_info by = in_rows(c, copy, in_place, row);
    if (by_offsets) {
        by.offsets = offsets;
        by.offset_count = ARRAY_SIZE(offsets);
    }
    by.pitch = pitch;
    by.columns = columns;
    uint32_t *order = order_of(&by);
    if (in_place)
        memcpy(expected, copy, c->count * size);
    for (uint64_t i = 0; i < c->count; i++) {
        const uint64_t from = oracle_sorted_from(&by, i, order[i]);
        if (oracle_lies_between(&by, i))
            continue;
        memcpy(expected + i * size, copy + from * size, size);
        memcpy(moves + i * entry, load + from * entry, entry);
        places[i] = order[i];
    }
    assert_same(c, "sorted", info.sorted, expected, c->count * size);
    assert_same(c, "indices", indices, places, c->count * 4);
    assert_same(c, "payload", moved, moves, c->count * entry);
    if (!in_place)
        assert_same(c, "keys", keys, copy, c->count * size);
    void *const all[] = {keys, copy, sorted, expected, load, moved, moves, indices, places};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
    free(order);
}

static void sort_all(const call_case *c)
{
    if (c->chunk != 0) /* sorts have none */
        return;
    sort_case(c, false, VKR_SEGMENTS_NONE, 0);
    sort_case(c, true, VKR_SEGMENTS_NONE, 0);
    sort_case(c, false, VKR_SEGMENTS_ROWS, 0);
    sort_case(c, false, VKR_SEGMENTS_ROWS, 107);
    sort_case(c, true, VKR_SEGMENTS_ROWS, 101);
    sort_case(c, true, VKR_SEGMENTS_OFFSETS, 0);
    sort_case(c, false, VKR_SEGMENTS_COLUMNS, 0);
    sort_case(c, true, VKR_SEGMENTS_COLUMNS, 0);
}

EXTERN_TEST(test_sort)
{
    each_case(types, sort_all);
}

/* ---- Selections ---- */

#define K 5u

static void topk_case(const call_case *c, uint64_t row, uint64_t columns)
{
    const uint32_t size = vkrTypeSize(c->type);
    const uint64_t length = columns != 0 ? c->count / columns : row != 0 ? row : c->count;
    const uint64_t rows = columns != 0 ? columns : row != 0 ? (c->count + row - 1) / row : 1;
    unsigned char *data = take(c->count * size), *values = take(rows * K * size);
    unsigned char *expected = take(rows * K * size);
    uint32_t *indices = take(rows * K * 4), *expected_indices = take(rows * K * 4);
    uint32_t *found = take(rows * 4);
    fill(c->type, data, c->count);
    const VkrHostTopKInfo info = {.topK = {.input = {.type = c->type},
                                           .count = c->count,
                                           .k = K,
                                           .segments = {.kind = columns != 0 ? VKR_SEGMENTS_COLUMNS
                                                                : row != 0   ? VKR_SEGMENTS_ROWS
                                                                             : VKR_SEGMENTS_NONE,
                                                        .length = columns + row}},
                                  .input = data,
                                  .values = values,
                                  .indices = indices,
                                  .found = found};
    if (vkrHostTopK(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    oracle_sort_info by = in_rows(c, data, true, row);
    by.columns = columns;
    uint32_t *order = order_of(&by);
    const uint64_t step = columns != 0 ? columns : 1;
    for (uint64_t r = 0; r < rows; r++) {
        const uint64_t first = columns != 0 ? r : r * length, left = c->count - first;
        const uint64_t own = columns != 0 || left > length ? length : left, few = own < K ? own : K;
        assert_int_equal(found[r], few);
        for (uint64_t i = 0; i < few; i++) {
            const uint32_t index = order[first + i * step];
            const uint64_t at = columns != 0 ? first + i * step : r * K + i;
            expected_indices[at] = index;
            memcpy(expected + at * size, data + (first + index * step) * size, size);
        }
    }
    assert_same(c, "values", values, expected, rows * K * size);
    assert_same(c, "indices", indices, expected_indices, rows * K * 4);
    void *const all[] = {data, values, expected, indices, expected_indices, found};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
    free(order);
}

/* What each segment by offsets wants; the last of them end past the elements. */
static const uint32_t wanted[] = {2, K, 9, 0, 3, 1};

static void topk_offsets_case(const call_case *c, bool wants)
{
    enum { SEGMENTS = ARRAY_SIZE(offsets) - 1 };
    const uint32_t size = vkrTypeSize(c->type);
    unsigned char *data = take(c->count * size), *values = take((size_t)SEGMENTS * K * size);
    uint32_t *indices = take((size_t)SEGMENTS * K * 4), *found = take((size_t)SEGMENTS * 4);
    fill(c->type, data, c->count);
    const VkrHostTopKInfo info = {
        .topK = {.flags = VKR_TOP_K_LEAST_BIT,
                 .input = {.type = c->type},
                 .count = c->count,
                 .k = K,
                 .segments = {.kind = VKR_SEGMENTS_OFFSETS, .offsetType = VKR_TYPE_U64}},
        .input = data,
        .segments = {.offsets = offsets, .offsetCount = ARRAY_SIZE(offsets)},
        .wanted = wants ? wanted : NULL,
        .values = values,
        .indices = indices,
        .found = found};
    if (vkrHostTopK(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        const uint64_t first = offsets[s] < c->count ? offsets[s] : c->count;
        const uint64_t end = offsets[s + 1] < c->count ? offsets[s + 1] : c->count;
        const uint64_t most = wants && wanted[s] < K ? wanted[s] : K;
        const call_case own = {.count = end - first, .type = c->type};
        const oracle_sort_info by = in_rows(&own, data + first * size, false, 0);
        uint32_t *order = order_of(&by);
        assert_int_equal(found[s], end - first < most ? end - first : most);
        for (uint32_t i = 0; i < K; i++) {
            const size_t at = (size_t)s * K + i;
            const bool is_found = i < found[s];
            assert_int_equal(indices[at], is_found ? order[i] : 0xa5a5a5a5);
            if (is_found)
                assert_same(c, "values", values + at * size, data + (first + order[i]) * size,
                            size);
            for (uint32_t b = 0; b < size && !is_found; b++)
                assert_int_equal(values[at * size + b], 0xa5);
        }
        free(order);
    }
    void *const all[] = {data, values, indices, found};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
}

static void topk_all(const call_case *c)
{
    if (c->chunk != 0) /* selections have none */
        return;
    topk_case(c, 0, 0);
    topk_case(c, 50, 0);
    topk_case(c, 0, least_divisor(c->count));
    if (c->type != VKR_TYPE_F32) /* what the arrays have does not depend on the type */
        return;
    topk_offsets_case(c, false);
    topk_offsets_case(c, true);
}

EXTERN_TEST(test_topk)
{
    each_case(types, topk_all);
}

static const uint32_t ranks[] = {40, 0, 17, 40};
static const double shares[] = {0.5, 1, 0, 0.25};

#define RANKS ARRAY_SIZE(ranks)

#define BY_OFFSETS UINT64_MAX

/* Of all elements, or of rows of `row`, or of segments by offsets. */
static void select_case(const call_case *c, uint64_t row, bool by_shares)
{
    const uint32_t size = vkrTypeSize(c->type);
    const bool by_offsets = row == BY_OFFSETS;
    const uint64_t length = row != 0 ? row : c->count;
    const uint64_t rows = by_offsets ? ARRAY_SIZE(offsets) - 1
                          : row != 0 ? (c->count + row - 1) / row
                                     : 1;
    unsigned char *data = take(c->count * size), *values = take(rows * RANKS * size);
    uint32_t *indices = take(rows * RANKS * 4);
    fill(c->type, data, c->count);
    const VkrHostSelectInfo info = {
        .select = {.input = {.type = c->type},
                   .count = c->count,
                   .rankCount = RANKS,
                   .ranks = by_shares ? NULL : ranks,
                   .shares = by_shares ? shares : NULL,
                   .segments = {.kind = by_offsets ? VKR_SEGMENTS_OFFSETS
                                        : row != 0 ? VKR_SEGMENTS_ROWS
                                                   : VKR_SEGMENTS_NONE,
                                .length = by_offsets ? 0 : row,
                                .offsetType = by_offsets ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED}},
        .input = data,
        .segments = {.offsets = by_offsets ? offsets : NULL,
                     .offsetCount = by_offsets ? ARRAY_SIZE(offsets) : 0},
        .values = values,
        .indices = indices};
    if (vkrHostSelect(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    for (uint64_t r = 0; r < rows; r++) {
        uint64_t first = by_offsets ? offsets[r] : r * length;
        uint64_t end = by_offsets ? offsets[r + 1] : first + length;
        first = first < c->count ? first : c->count;
        end = end < c->count ? end : c->count;
        const call_case own = {.count = end - first, .type = c->type};
        const unsigned char *start = data + first * size;
        const oracle_sort_info by = in_rows(&own, start, false, 0);
        uint32_t *order = order_of(&by);
        for (uint32_t i = 0; i < RANKS; i++) {
            const uint64_t rank = !by_shares ? ranks[i]
                                  : own.count == 0
                                      ? 0
                                      : (uint64_t)(shares[i] * (double)(own.count - 1));
            const uint64_t at = r * RANKS + i;
            const bool is_found = rank < own.count;
            assert_int_equal(indices[at], is_found ? order[rank] : 0xa5a5a5a5);
            if (is_found)
                assert_same(c, "values", values + at * size, start + (size_t)order[rank] * size,
                            size);
        }
        free(order);
    }
    void *const all[] = {data, values, indices};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
}

static void select_all(const call_case *c)
{
    if (c->chunk != 0) /* selections have none */
        return;
    select_case(c, 0, false);
    select_case(c, 0, true);
    select_case(c, 50, false); /* the last row is shorter */
    select_case(c, 50, true);
    select_case(c, BY_OFFSETS, false);
    select_case(c, BY_OFFSETS, true);
}

EXTERN_TEST(test_select)
{
    each_case(types, select_all);
}

/* ---- Searches ---- */

/* The counts are those of values; there are so many sorted elements. */
#define SORTED 3000u

static void bounds_case(const call_case *c, VkrType result)
{
    const uint32_t size = vkrTypeSize(c->type), wide = vkrTypeSize(result);
    const uint32_t stride = result == VKR_TYPE_U64 ? 16 : 0, step = stride != 0 ? stride : wide;
    unsigned char *raw = take((size_t)SORTED * size), *sorted = take((size_t)SORTED * size);
    unsigned char *values = take(c->count * size);
    unsigned char *lower = take(c->count * step), *upper = take(c->count * wide);
    const call_case elements = {.count = SORTED, .type = c->type};
    fill(c->type, raw, SORTED);
    const oracle_sort_info by = in_rows(&elements, raw, false, 0);
    uint32_t *order = order_of(&by);
    for (uint32_t i = 0; i < SORTED; i++)
        memcpy(sorted + (size_t)i * size, raw + (size_t)order[i] * size, size);
    for (uint64_t i = 0; i < c->count; i += 2) /* every second value is an element */
        memcpy(values + i * size, raw + i % SORTED * size, size);
    for (uint64_t i = 1; i < c->count; i += 2)
        fill(c->type, values + i * size, 1);
    const VkrHostBoundsInfo info = {.bounds = {.sorted = {.type = c->type},
                                               .count = SORTED,
                                               .values = {.type = c->type},
                                               .valueCount = c->count,
                                               .lower = {.type = result, .stride = stride},
                                               .upper = {.type = result}},
                                    .sorted = sorted,
                                    .values = values,
                                    .lower = lower,
                                    .upper = result == VKR_TYPE_U32 ? upper : NULL,
                                    .chunkSize = c->chunk};
    if (vkrHostBounds(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    const oracle_sorted from = {sorted, size, SORTED, c->type, 0};
    for (uint64_t i = 0; i < c->count; i++) {
        const uint64_t low = oracle_lower_bound(&from, values + i * size);
        const uint64_t high = oracle_upper_bound(&from, values + i * size);
        assert_same(c, "lower", lower + i * step, &low, wide); /* little-endian */
        for (uint32_t k = wide; k < step; k++)
            assert_int_equal(lower[i * step + k], 0xa5);
        if (info.upper != NULL)
            assert_same(c, "upper", upper + i * wide, &high, wide);
    }
    void *const all[] = {raw, sorted, values, lower, upper};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
    free(order);
}

static void bounds_all(const call_case *c)
{
    bounds_case(c, VKR_TYPE_U32);
    bounds_case(c, VKR_TYPE_U64);
}

EXTERN_TEST(test_bounds)
{
    each_case(types, bounds_all);
}
