/* SPDX-License-Identifier: MIT */
/* Compactions and histograms of arrays. */
#include "host_calls.h"

#include "oracle_histogram.h"

/* ---- Compactions ---- */

enum { POSITIVE, UNIQUE, BY_BITS, PREDICATES };

/* Whether an element is kept. Elements are signed words, or their sign is that of a float. */
static bool keeps(uint32_t predicate, const uint32_t *data, const uint32_t *bits, uint64_t i)
{
    if (predicate == UNIQUE)
        return i == 0 || data[i] != data[i - 1];
    if (predicate == BY_BITS)
        return (bits[i / 32] >> i % 32 & 1) != 0;
    return data[i] >> 31 == 0 && data[i] != 0;
}

static VkrPredicate predicate_of(uint32_t predicate)
{
    static const VkrPredicate all[] = {
        [POSITIVE] = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_GREATER},
        [UNIQUE] = {.kind = VKR_PREDICATE_UNIQUE},
        [BY_BITS] = {.kind = VKR_PREDICATE_FLAGS, .flags = {.format = VKR_FLAGS_BITS}}};
    return all[predicate];
}

typedef struct sides {
    uint32_t *values[2];
    uint64_t *indices[2];
    uint64_t counts[2];
} sides;

static void take_sides(sides *s, uint64_t count)
{
    for (uint32_t k = 0; k < 2; k++) {
        s->values[k] = take(4 * count);
        s->indices[k] = take(8 * count);
        s->counts[k] = 0;
    }
}

static void drop_sides(const sides *s)
{
    for (uint32_t k = 0; k < 2; k++) {
        drop(s->values[k]);
        drop(s->indices[k]);
    }
}

static void compact_case(const call_case *c, uint32_t predicate, uint64_t capacity)
{
    const uint64_t words = (c->count + 31) / 32;
    const uint64_t room = capacity != 0 && capacity < c->count ? capacity : c->count;
    uint32_t *data = take(4 * c->count), *bits = take(4 * words);
    sides actual, expected;
    take_sides(&actual, c->count);
    take_sides(&expected, c->count);
    fill(c->type, data, c->count);
    fill(VKR_TYPE_U32, bits, words);
    for (uint64_t i = 1; i < c->count; i++) /* runs of equal elements */
        data[i] = i % 5 < 2 ? data[i - 1] : data[i];
    for (uint64_t i = 0; i < c->count; i++) {
        const uint32_t side = keeps(predicate, data, bits, i) ? 0 : 1;
        const uint64_t at = expected.counts[side]++;
        expected.values[side][at] = data[i];
        expected.indices[side][at] = i + 7;
    }
    const VkrHostCompactInfo info = {.compact = {.input = {.type = c->type},
                                                 .count = c->count,
                                                 .predicate = predicate_of(predicate),
                                                 .keptIndices = {.type = VKR_TYPE_U64},
                                                 .rejectedIndices = {.type = VKR_TYPE_U64},
                                                 .capacity = capacity,
                                                 .firstIndex = 7},
                                     .input = data,
                                     .flags = bits,
                                     .kept = actual.values[0],
                                     .keptIndices = actual.indices[0],
                                     .rejected = actual.values[1],
                                     .rejectedIndices = actual.indices[1],
                                     .keptCount = &actual.counts[0],
                                     .rejectedCount = &actual.counts[1],
                                     .chunkSize = c->chunk};
    if (vkrHostCompact(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    for (uint32_t k = 0; k < 2; k++) {
        const uint64_t all = expected.counts[k], stored = k == 0 && room < all ? room : all;
        assert_int_equal(actual.counts[k], all);
        assert_same(c, "values", actual.values[k], expected.values[k], 4 * stored);
        assert_same(c, "indices", actual.indices[k], expected.indices[k], 8 * stored);
        if (k == 0 && room < c->count) /* past the capacity */
            assert_int_equal(((unsigned char *)actual.values[0])[4 * room], 0xa5);
    }
    drop(data);
    drop(bits);
    drop_sides(&actual);
    drop_sides(&expected);
}

static void compact_all(const call_case *c)
{
    for (uint32_t predicate = 0; predicate < PREDICATES; predicate++) {
        compact_case(c, predicate, 0);
        compact_case(c, predicate, 100);
    }
}

EXTERN_TEST(test_compact)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I32, VKR_TYPE_UNDEFINED};
    each_case(types, compact_all);
}

/* ---- Expansions ---- */

/* Outputs are stored as far as there is room; 0: they are only counted. */
static void expand_case(const call_case *c, uint64_t room, uint32_t entry)
{
    uint32_t *counts = take(4 * c->count);
    uint32_t *sources = take(4 * room), *ranks = take(4 * room);
    unsigned char *load = take(entry * c->count), *moved = take(entry * room);
    uint64_t total = 0, actual = 0;
    fill(VKR_TYPE_U32, counts, c->count);
    fill(VKR_TYPE_U8, load, entry * c->count);
    for (uint64_t i = 0; i < c->count; i++)
        counts[i] = counts[i] % 5 < 3 ? 0 : counts[i] % 7;
    const VkrHostExpandInfo info = {.expand = {.count = c->count, .capacity = room},
                                    .counts = counts,
                                    .sources = room != 0 ? sources : NULL,
                                    .ranks = room != 0 ? ranks : NULL,
                                    .payload = room != 0 && entry != 0 ? load : NULL,
                                    .payloadExpanded = room != 0 && entry != 0 ? moved : NULL,
                                    .payloadSize = entry,
                                    .outputCount = &actual};
    if (vkrHostExpand(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    for (uint64_t i = 0; i < c->count; i++)
        for (uint32_t r = 0; r < counts[i]; r++, total++) {
            if (total >= room)
                continue;
            assert_int_equal(sources[total], i);
            assert_int_equal(ranks[total], r);
            assert_same(c, "payload", moved + total * entry, load + i * entry, entry);
        }
    assert_int_equal(actual, total);
    void *const all[] = {counts, sources, ranks, load, moved};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
}

static void expand_all(const call_case *c)
{
    if (c->chunk != 0) /* expansions have none */
        return;
    expand_case(c, 7 * c->count + 3, 12);
    expand_case(c, c->count / 2 + 1, 0);
    expand_case(c, 0, 0);
}

EXTERN_TEST(test_expand)
{
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_UNDEFINED};
    each_case(types, expand_all);
}

/* ---- Histograms ---- */

#define BINS 20u

typedef struct counted {
    VkrBinKind kind;
    bool closed, accumulates, weighted, masked;
    const VkrMap *map;
} counted;

static const VkrMap a_map = {.weights = {2}, .bias = 7, .function = VKR_MAP_SQRT};

static const counted histograms[] = {
    {.kind = VKR_BINS_EVEN},
    {.kind = VKR_BINS_EVEN, .accumulates = true, .masked = true},
    {.kind = VKR_BINS_EDGES, .closed = true, .weighted = true},
    {.kind = VKR_BINS_LOG2, .closed = true, .masked = true},
    {.kind = VKR_BINS_LOG2, .map = &a_map},
    {.kind = VKR_BINS_EDGES, .map = &a_map, .accumulates = true},
    {.kind = VKR_BINS_INTEGERS, .weighted = true},
};

/* Of u64: BINS counts, and three outside. The edges are compared. */
static void count_elements(const counted *h, const call_case *c, VkrType type, const void *values,
                           const VkrHostHistogramInfo *info, uint64_t *counts, uint64_t *outside)
{
    const oracle_bins_info from = {.kind = h->kind,
                                   .count = BINS,
                                   .closed = h->closed,
                                   .type = type,
                                   .low = info->histogram.bins.low,
                                   .high = info->histogram.bins.high,
                                   .edges = info->edges};
    oracle_bins *bins = oracle_bins_make(&from);
    assert_non_null(bins);
    for (uint64_t i = 0; i < c->count; i++) {
        const uint32_t bin = oracle_bins_find(bins, (const char *)values + i * vkrTypeSize(type));
        const uint64_t weight = h->weighted ? ((const uint32_t *)info->weights)[i] : 1;
        if (!h->masked || ((const uint32_t *)info->mask)[i] != 0)
            *(bin < BINS ? &counts[bin] : &outside[bin - BINS]) += weight;
    }
    for (uint32_t i = 0; i <= BINS; i++)
        assert_true(((const float *)info->edgesOutput)[i] == (float)oracle_bins_edge(bins, i));
    oracle_bins_free(bins);
}

static void histogram_case(const call_case *c, const counted *h)
{
    const VkrType type = h->map != NULL ? VKR_TYPE_F32 : c->type; /* of what is counted */
    const uint32_t size = vkrTypeSize(type);
    unsigned char *data = take(c->count * vkrTypeSize(c->type));
    unsigned char *edges = take((size_t)(BINS + 1) * size);
    uint32_t *weights = take(c->count * 4), *mask = take(c->count * 4);
    uint64_t *counts = take((size_t)BINS * 8), *outside = take((size_t)3 * 8);
    uint64_t expected[BINS] = {0}, beside[3] = {0};
    float *written = take((size_t)(BINS + 1) * 4);
    fill(c->type, data, c->count);
    fill(VKR_TYPE_U32, weights, c->count);
    for (uint64_t i = 0; i < c->count; i++)
        mask[i] = i % 3 == 0;
    for (uint32_t i = 0; i <= BINS; i++) {
        const uint32_t edge = 100 + 50 * i;
        if (type == VKR_TYPE_F32)
            oracle_encode(type, edge, edges + (size_t)i * size);
        else
            memcpy(edges + (size_t)i * size, &edge, size); /* little-endian */
    }
    for (uint32_t i = 0; i < BINS; i++)
        counts[i] = expected[i] = h->accumulates ? 1000 + i : 0xa5a5;
    for (uint32_t i = 0; i < 3; i++)
        outside[i] = beside[i] = h->accumulates ? 5 : 0xa5a5;
    if (!h->accumulates) {
        memset(expected, 0, sizeof expected);
        memset(beside, 0, sizeof beside);
    }
    const bool even = h->kind == VKR_BINS_EVEN || h->kind == VKR_BINS_LOG2;
    const VkrHostHistogramInfo info = {
        .histogram = {.input = {.type = c->type, .map = h->map},
                      .count = c->count,
                      .mask = {.flags = {.format = VKR_FLAGS_U32}},
                      .bins = {.kind = h->kind,
                               .count = BINS,
                               .low = {h->kind == VKR_BINS_LOG2 ? 3 : 0, 0},
                               .high = {even ? 1000 : 0, 0}},
                      .weights = {.type = h->weighted ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED},
                      .countType = VKR_TYPE_U64,
                      .flags = (h->closed ? VKR_HISTOGRAM_CLOSED_BIT : 0) |
                               (h->accumulates ? VKR_HISTOGRAM_ACCUMULATE_BIT : 0)},
        .input = data,
        .mask = h->masked ? mask : NULL,
        .weights = h->weighted ? weights : NULL,
        .edges = h->kind == VKR_BINS_EDGES ? edges : NULL,
        .counts = counts,
        .outside = outside,
        .edgesOutput = written,
        .chunkSize = c->chunk};
    if (vkrHostHistogram(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    void *mapped = NULL;
    if (h->map != NULL)
        mapped = take_mapped(h->map, c->type, 1, data, vkrTypeSize(c->type), c->count);
    count_elements(h, c, type, mapped != NULL ? mapped : data, &info, expected, beside);
    assert_same(c, "counts", counts, expected, sizeof expected);
    assert_same(c, "outside", outside, beside, sizeof beside);
    void *const all[] = {data, edges, weights, mask, counts, outside, written, mapped};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
}

static void histogram_all(const call_case *c)
{
    for (size_t i = 0; i < ARRAY_SIZE(histograms); i++)
        if (histograms[i].kind != VKR_BINS_INTEGERS || c->type != VKR_TYPE_F32)
            histogram_case(c, &histograms[i]);
}

EXTERN_TEST(test_histogram)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I16, VKR_TYPE_UNDEFINED};
    each_case(types, histogram_all);
}
