/* SPDX-License-Identifier: MIT */
/* Merges of arrays. */
#include "host_calls.h"

#include "oracle_sort.h"

static oracle_sort_info by_order(const call_case *c, const void *data, bool descending)
{
    return (oracle_sort_info){.data = data,
                              .stride = vkrTypeSize(c->type),
                              .type = c->type,
                              .count = c->count,
                              .descending = descending};
}

/* What is in order of `count` elements from `first`. */
static void put_in_order(const call_case *c, unsigned char *data, uint64_t count, bool descending)
{
    const uint32_t size = vkrTypeSize(c->type);
    const call_case own = {.count = count, .type = c->type};
    unsigned char *raw = take(count * size);
    fill(c->type, raw, count);
    const oracle_sort_info by = by_order(&own, raw, descending);
    uint32_t *order = malloc((by.count + 1) * sizeof *order);
    assert_non_null(order);
    assert_true(oracle_sort(&by, order));
    for (uint64_t i = 0; i < count; i++)
        memcpy(data + i * size, raw + (size_t)order[i] * size, size);
    free(order);
    drop(raw);
}

/* Of all elements so many are those of b. A merge is what a sort of both makes of them. */
static void merge_case(const call_case *c, uint64_t of_b, bool descending)
{
    const uint32_t size = vkrTypeSize(c->type), entry = descending ? 12 : 4;
    const uint64_t of_a = c->count - of_b;
    unsigned char *keys = take(c->count * size), *load = take(c->count * entry);
    unsigned char *merged = take(c->count * size), *moved = take(c->count * entry);
    uint32_t *indices = take(c->count * 4);
    put_in_order(c, keys, of_a, descending);
    put_in_order(c, keys + of_a * size, of_b, descending);
    fill(VKR_TYPE_U8, load, c->count * entry);
    const VkrMergeInput a = {.keys = {.type = c->type}, .count = of_a};
    const VkrMergeInput b = {.keys = {.type = c->type}, .count = of_b};
    const VkrHostMergeInfo info = {
        .merge = {.flags = descending ? VKR_MERGE_DESCENDING_BIT : 0, .a = a, .b = b},
        .a = keys,
        .b = of_b != 0 ? keys + of_a * size : NULL,
        .merged = merged,
        .indices = descending ? indices : NULL,
        .payloadA = load,
        .payloadB = load + of_a * entry,
        .payloadMerged = moved,
        .payloadSize = entry};
    if (vkrHostMerge(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    const oracle_sort_info by = by_order(c, keys, descending);
    uint32_t *order = malloc((by.count + 1) * sizeof *order);
    assert_non_null(order);
    assert_true(oracle_sort(&by, order));
    for (uint64_t i = 0; i < c->count; i++) {
        assert_same(c, "merged", merged + i * size, keys + (size_t)order[i] * size, size);
        assert_same(c, "payload", moved + i * entry, load + (size_t)order[i] * entry, entry);
    }
    if (info.indices != NULL)
        assert_same(c, "indices", indices, order, c->count * 4);
    void *const all[] = {keys, load, merged, moved, indices};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
    free(order);
}

static void merge_all(const call_case *c)
{
    if (c->chunk != 0) /* merges have none */
        return;
    merge_case(c, c->count / 3, false);
    merge_case(c, c->count - c->count / 5, true);
    merge_case(c, 0, false);
}

EXTERN_TEST(test_merge)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I16, VKR_TYPE_U64, VKR_TYPE_UNDEFINED};
    each_case(types, merge_all);
}
