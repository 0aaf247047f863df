/* SPDX-License-Identifier: MIT */
/* The data of sorts, and their expected outputs. */
#include "sort_request.h"

#include <stdlib.h>
#include <string.h>

#include "oracle_map.h"
#include "oracle_sort.h"

/* ---- Keys after the first ones ---- */

void sort_place_then(test_request *t)
{
    sort_request *s = t->own;
    s->info.then = s->then;
    for (uint32_t i = 0; i < s->info.thenCount; i++) {
        VkrType type = VKR_TYPE_UNDEFINED;
        while (type == VKR_TYPE_UNDEFINED || !has_order(&rig.device, type))
            type = (VkrType)(1 + test_below(t, VKR_TYPE_COUNT - 1));
        VkrSortKey *key = &s->then[i];
        const uint32_t size = vkrTypeSize(type);
        key->flags = test_below(t, 8);
        key->keys =
            test_own_input(t, type, 1, (VkDeviceSize)size * (1 + test_below(t, 3)), size, s->count);
        if (!is_float(type) && test_below(t, 2) == 0)
            key->endBit = (key->beginBit = test_below(t, 8 * size - 1)) + 1;
    }
}

/* ---- Data ---- */

static uint64_t special_of(uint64_t *state, uint32_t bits)
{
    const uint64_t mask = UINT64_MAX >> (64 - bits), sign = mask ^ mask >> 1;
    const uint64_t random = next_random(state) & mask;
    switch (random_below(state, 5)) {
    case 0:
        return (random & sign) | ((mask >> 1) - (random & 7)); /* NaN */
    case 1:
        return random & sign; /* zeros */
    case 2:                   /* infinities, and what is next to them, of each float's fraction */
        return (random & sign) |
               (((mask >> 1) & ~((UINT64_C(1) << (bits == 64   ? 52
                                                  : bits == 32 ? 23
                                                  : bits == 16 ? (random & 2 ? 10 : 7)
                                                               : 3)) -
                                 1)) +
                (random >> 3 & 1));
    case 3:
        return random & 7;
    default:
        return random;
    }
}

static uint64_t key_of(const sort_request *s, uint64_t *state, uint64_t i,
                       const uint64_t constant[2])
{
    const uint32_t bits = 8 * vkrTypeSize(s->type);
    const uint64_t random = next_random(state);
    switch (s->data) {
    case SORT_SORTED:
        return constant[0] + i;
    case SORT_REVERSED:
        return constant[0] - i;
    case SORT_EQUAL:
        return constant[0];
    case SORT_TWO:
        return constant[random >> 40 & 1];
    case SORT_ONE_BIT:
        return constant[0] ^ (random >> 40 & 1) << (constant[1] >> 8) % bits;
    case SORT_LOW:
        return constant[0] ^ (random & 7);
    case SORT_HIGH:
        return constant[0] ^ (random & 7) << (bits - 4);
    case SORT_SPECIAL:
        return special_of(state, bits);
    default:
        return random;
    }
}

/* Few different keys, so that the next ones decide. */
static void fill_then(test_request *t, const VkrView *keys)
{
    const sort_request *s = t->own;
    const uint32_t bits = 8 * vkrTypeSize(keys->type);
    uint64_t few[5];
    for (uint32_t i = 0; i < ARRAY_SIZE(few); i++)
        few[i] = test_below(t, 2) == 0 ? special_of(&t->random, bits) : next_random(&t->random);
    for (uint64_t i = 0; i < s->count; i++)
        memcpy(test_element(keys, i), &few[test_below(t, ARRAY_SIZE(few))],
               vkrTypeSize(keys->type));
}

void sort_fill(test_request *t)
{
    const sort_request *s = t->own;
    const VkrView *keys = &s->info.keys;
    const VkrSegments *segments = &s->info.segments;
    const uint64_t constant[2] = {next_random(&t->random), next_random(&t->random)};
    const uint32_t size = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    for (uint64_t i = 0; i < s->offset_count; i++)
        memcpy(test_bytes(segments->offsets.buffer, segments->offsets.offset + i * size),
               &s->offsets[i], size);
    for (uint32_t i = 0; i < s->info.thenCount; i++)
        fill_then(t, &s->then[i].keys);
    if (!test_fills(t, keys->buffer, keys->offset))
        return;
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t key = key_of(s, &t->random, i, constant);
        memcpy(test_element(keys, i), &key, vkrTypeSize(s->type));
    }
}

/* ---- Expected outputs ---- */

/* What is in place moves by a copy. */
static void move(const oracle_sort_info *oracle, const uint32_t *order, const void *source,
                 VkDeviceSize source_stride, void *target, VkDeviceSize target_stride, size_t size)
{
    char *copy = malloc((size_t)oracle->count * size + 1);
    assert_non_null(copy);
    for (uint64_t i = 0; i < oracle->count; i++) {
        const uint64_t from = oracle_sorted_from(oracle, i, order[i]);
        memcpy(copy + (size_t)i * size, (const char *)source + (size_t)(from * source_stride),
               size);
    }
    for (uint64_t i = 0; i < oracle->count; i++)
        if (!oracle_lies_between(oracle, i))
            memcpy((char *)target + (size_t)(i * target_stride), copy + (size_t)i * size, size);
    free(copy);
}

static void move_all(const sort_request *s, const oracle_sort_info *oracle, const uint32_t *order)
{
    const VkrSortInfo *info = &s->info;
    for (uint32_t i = 0; i < s->payload_count; i++) {
        const VkrPayload *p = &s->payloads[i];
        move(oracle, order, test_bytes(p->source.buffer, p->source.offset), p->sourceStride,
             test_bytes(p->target.buffer, p->target.offset), p->targetStride, p->size);
    }
    if (s->keys)
        move(oracle, order, oracle->data, oracle->stride, test_element(&info->sorted, 0),
             info->sorted.stride, vkrTypeSize(oracle->type));
    for (uint64_t i = 0; i < oracle->count && s->indices; i++)
        if (!oracle_lies_between(oracle, i))
            memcpy(test_element(&info->indices, i), &order[i], 4);
}

void sort_expect(test_request *t)
{
    const sort_request *s = t->own;
    const VkrSortInfo *info = &s->info;
    const uint64_t count = test_counted(&info->gpuCount, s->count);
    uint32_t *order = malloc((count + 1) * sizeof *order);
    uint32_t *mapped = malloc((count + 1) * sizeof *mapped);
    assert_non_null(order);
    assert_non_null(mapped);
    for (uint64_t i = 0; i < count && s->mapped; i++)
        mapped[i] = oracle_map(&sort_map, s->type, 1, test_element(&info->keys, i));
    oracle_sort_info oracle = {.data =
                                   s->mapped ? (const void *)mapped : test_element(&info->keys, 0),
                               .stride = s->mapped ? sizeof *mapped : info->keys.stride,
                               .type = s->mapped ? VKR_TYPE_F32 : s->type,
                               .count = count,
                               .descending = (info->flags & VKR_SORT_DESCENDING_BIT) != 0,
                               .nan_first = (info->flags & VKR_SORT_NAN_FIRST_BIT) != 0,
                               .by_value = (info->flags & VKR_SORT_BY_VALUE_BIT) != 0,
                               .begin = info->beginBit,
                               .end = info->endBit,
                               .row = s->row,
                               .pitch = s->pitch,
                               .columns = s->columns,
                               .offsets = s->offsets,
                               .offset_count = s->offset_count};
    oracle_sort_info then[VKR_MAX_SORT_THEN];
    for (uint32_t i = info->thenCount; i > 0; i--) {
        const VkrSortKey *key = &info->then[i - 1];
        then[i - 1] = (oracle_sort_info){.data = test_element(&key->keys, 0),
                                         .stride = key->keys.stride,
                                         .type = key->keys.type,
                                         .descending = (key->flags & VKR_SORT_DESCENDING_BIT) != 0,
                                         .nan_first = (key->flags & VKR_SORT_NAN_FIRST_BIT) != 0,
                                         .by_value = (key->flags & VKR_SORT_BY_VALUE_BIT) != 0,
                                         .begin = key->beginBit,
                                         .end = key->endBit,
                                         .then = i < info->thenCount ? &then[i] : NULL};
    }
    oracle.then = info->thenCount != 0 ? &then[0] : NULL;
    assert_true(oracle_sort(&oracle, order));
    move_all(s, &oracle, order);
    rig.cases += count;
    free(order);
    free(mapped);
}
