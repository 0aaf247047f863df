/* SPDX-License-Identifier: MIT */
/* Sorts of arrays by several keys. */
#include "host_calls.h"

#include <stddef.h>

#include "oracle_sort.h"

/* Two keys of one array, each of which has few values, so that later keys decide. */
typedef struct record {
    uint32_t first;
    int32_t second;
} record;

/* The keys of a case: two of each record, and then a packed one of the case's type. */
static oracle_sort_info by_keys(const call_case *c, const record *records, const void *last,
                                oracle_sort_info later[2])
{
    later[1] = (oracle_sort_info){
        .data = last, .stride = vkrTypeSize(c->type), .type = c->type, .count = c->count};
    later[0] = (oracle_sort_info){.data = &records->second,
                                  .stride = sizeof *records,
                                  .type = VKR_TYPE_I32,
                                  .count = c->count,
                                  .descending = true,
                                  .then = &later[1]};
    return (oracle_sort_info){.data = records,
                              .stride = sizeof *records,
                              .type = VKR_TYPE_U32,
                              .count = c->count,
                              .then = &later[0]};
}

static void keys_case(const call_case *c, uint64_t row, bool in_place)
{
    const uint32_t size = vkrTypeSize(c->type);
    record *records = take(c->count * sizeof *records), *copy = take(c->count * sizeof *records);
    unsigned char *last = take(c->count * size);
    uint32_t *indices = take(c->count * 4), *sorted = take(c->count * 4);
    fill(VKR_TYPE_U32, records, c->count * 2);
    fill(c->type, last, c->count);
    for (uint64_t i = 0; i < c->count; i++) {
        records[i].first %= 3;
        records[i].second = records[i].second % 4;
    }
    memcpy(copy, records, c->count * sizeof *records);
    /* A sort in place cannot read its records twice. */
    const record *seconds = in_place ? copy : records;
    const VkrSortKey then[] = {
        {.flags = VKR_SORT_DESCENDING_BIT,
         .keys = {.type = VKR_TYPE_I32,
                  .stride = sizeof *records,
                  .offset = offsetof(record, second)}},
        {.keys = {.type = c->type}},
    };
    const VkrHostSortInfo info = {
        .sort = {.keys = {.type = VKR_TYPE_U32, .stride = sizeof *records},
                 .count = c->count,
                 .thenCount = ARRAY_SIZE(then),
                 .then = then,
                 .segments = {.kind = row != 0 ? VKR_SEGMENTS_ROWS : VKR_SEGMENTS_NONE,
                              .length = row},
                 .sorted = {.stride = in_place ? sizeof *records : 0}},
        .keys = records,
        .then = {seconds, last},
        .sorted = in_place ? (void *)records : sorted,
        .indices = indices};
    if (vkrHostSort(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    oracle_sort_info later[2], by = by_keys(c, copy, last, later);
    by.row = row;
    uint32_t *order = malloc((c->count + 1) * sizeof *order);
    assert_non_null(order);
    assert_true(oracle_sort(&by, order));
    assert_same(c, "indices", indices, order, c->count * 4);
    for (uint64_t i = 0; i < c->count; i++) {
        const uint64_t from = order[i] + oracle_segment_start(&by, i);
        const uint32_t found = in_place ? records[i].first : sorted[i];
        assert_int_equal(found, copy[from].first);
        assert_int_equal(records[i].second, copy[i].second);
    }
    void *const all[] = {records, copy, last, indices, sorted};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
    free(order);
}

static void keys_all(const call_case *c)
{
    if (c->chunk != 0) /* sorts have none */
        return;
    keys_case(c, 0, false);
    keys_case(c, 100, false);
    keys_case(c, 0, true);
}

EXTERN_TEST(test_sort_keys)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I16, VKR_TYPE_U64, VKR_TYPE_UNDEFINED};
    each_case(types, keys_all);
}
