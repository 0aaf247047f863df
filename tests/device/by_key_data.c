/* SPDX-License-Identifier: MIT */
/* The data of reductions and scans by key, and their expected outputs. */
#include "by_key_request.h"

#include <stdlib.h>
#include <string.h>

#include "oracle_compact.h"
#include "oracle_scan.h"
#include "reduce_request.h"

static const VkrView *keys_of(const key_request *s)
{
    return &s->scan.segments.keys;
}

static uint32_t key_size(const key_request *s)
{
    return vkrTypeSize(s->key_type) * s->key_components;
}

/* ---- Data ---- */

/* The length of the next run: all kinds of distributions. */
static uint64_t draw_length(test_request *t, uint32_t way)
{
    const key_request *s = t->own;
    if (s->length != 0)
        return s->length;
    const uint64_t lengths[] = {1,
                                1 + test_below(t, 3),
                                1 + test_below(t, 40),
                                test_below(t, 20) == 0 ? 3000 : 1 + test_below(t, 4),
                                255 + test_below(t, 3),
                                UINT64_MAX};
    return lengths[way];
}

/* Fills keys with runs. The key of the next run differs in all bits, in some, or in one. */
static void fill_keys(test_request *t)
{
    const key_request *s = t->own;
    const uint32_t size = key_size(s), way = test_below(t, 6);
    unsigned char key[32];
    uint64_t left = 0;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)next_random(&t->random);
    for (uint64_t i = 0; i < s->capacity; i++, left--) {
        if (left == 0) {
            left = draw_length(t, way);
            key[test_below(t, size)] ^= (unsigned char)(1u << test_below(t, 8));
            if (test_below(t, 3) == 0)
                key[test_below(t, size)] = (unsigned char)next_random(&t->random);
            if (s->words && test_below(t, 4) == 0) {
                key[2] |= 0x80; /* of floats, a NaN */
                key[3] |= 0x7f;
            }
        }
        if (s->by_value)
            vary_floats(&t->random, s->key_type, s->key_components,
                        s->length == 0 && test_below(t, 8) == 0, key);
        memcpy(test_element(keys_of(s), i), key, size);
    }
}

void key_fill(test_request *t)
{
    const key_request *s = t->own;
    const distribution data =
        (s->ops & VKR_OP_PRODUCT) != 0 ? DATA_UNIT : (distribution)test_below(t, DATA_COUNT);
    if (!s->shared)
        test_fill_view(t, &s->scan.input, data, test_filled(t, &s->scan.gpuCount, s->capacity),
                       s->capacity);
    if (test_fills(t, keys_of(s)->buffer, keys_of(s)->offset))
        fill_keys(t);
}

/* ---- Expected outputs ---- */

static bool starts_run(const key_request *s, uint64_t i)
{
    return i == 0 || oracle_differs(s->key_type, s->key_components, s->by_value,
                                    test_element(keys_of(s), i), test_element(keys_of(s), i - 1));
}

static void expect_results(const test_request *t, uint64_t run, uint64_t first, uint64_t count)
{
    const key_request *s = t->own;
    const VkrReduceInfo *info = &s->reduce;
    const void *data = test_element(&info->input, first);
    const oracle_reduce_info oracle = {.data = data,
                                       .stride = info->input.stride,
                                       .data2 = data,
                                       .stride2 = info->input.stride,
                                       .count = count,
                                       .type = s->type,
                                       .components = s->components,
                                       .determinism = info->determinism};
    reduce_expect_results(t, info, &s->layout, &oracle, run);
}

/* The arguments of a dispatch: long ones have two dimensions where limits are small. */
static void expect_dispatch(const test_request *t, const VkrCountOutput *o, uint64_t stored)
{
    const uint32_t groups = (uint32_t)(stored + 63) / 64, words[3] = {groups, 1, 1};
    uint32_t actual[3];
    memcpy(actual, test_actual(o->buffer, o->offset), sizeof(actual));
    memcpy(test_bytes(o->buffer, o->offset), words, sizeof(words));
    if (limits_rows[t->limits].maxComputeWorkGroupCount != 0 && groups > SMALL_GROUPS &&
        actual[0] <= SMALL_GROUPS && actual[2] == 1 && (uint64_t)actual[0] * actual[1] >= groups)
        test_accept(o->buffer, o->offset, sizeof(actual));
}

static void expect_counts(const test_request *t, uint64_t count, uint64_t all)
{
    const key_request *s = t->own;
    const uint64_t room = key_room(s), stored = all < room ? all : room;
    for (uint32_t i = 0; i < s->reduce.segments.runs.countOutputCount; i++) {
        const VkrCountOutput *o = &s->counts[i];
        const uint64_t value = o->kind == VKR_COUNT_STORED     ? stored
                               : o->kind == VKR_COUNT_REJECTED ? count - all
                                                               : all;
        if (o->kind == VKR_COUNT_DISPATCH)
            expect_dispatch(t, o, stored);
        else
            memcpy(test_bytes(o->buffer, o->offset), &value, o->kind == VKR_COUNT_KEPT64 ? 8 : 4);
        rig.cases++;
    }
}

static void expect_reduction(const test_request *t, uint64_t count)
{
    const key_request *s = t->own;
    const VkrRuns *runs = &s->reduce.segments.runs;
    uint64_t run = 0;
    for (uint64_t i = 0, next; i < count; i = next, run++) {
        for (next = i + 1; next < count && !starts_run(s, next);)
            next++;
        const uint64_t length = next - i;
        if (run >= key_room(s))
            continue;
        expect_results(t, run, i, length);
        if (runs->uniqueKeys.buffer != VK_NULL_HANDLE)
            memcpy(test_element(&runs->uniqueKeys, run), test_element(keys_of(s), i), key_size(s));
        if (runs->lengths.buffer != VK_NULL_HANDLE)
            memcpy(test_element(&runs->lengths, run), &length, vkrTypeSize(s->length_type));
    }
    expect_counts(t, count, run);
}

static void expect_scan(const test_request *t, uint64_t count)
{
    const key_request *s = t->own;
    const VkrView *output = &s->scan.output;
    const uint32_t size = vkrTypeSize(s->result);
    oracle_value *values = malloc((count + 1) * sizeof(*values));
    unsigned char *heads = malloc(count + 1);
    assert_true(values != NULL && heads != NULL);
    for (uint64_t i = 0; i < count; i++)
        heads[i] = starts_run(s, i);
    const oracle_scan_info oracle = {.data = test_element(&s->scan.input, 0),
                                     .stride = s->scan.input.stride,
                                     .count = count,
                                     .type = s->type,
                                     .components = s->components,
                                     .op = s->scan.op,
                                     .flags = s->scan.flags,
                                     .determinism = s->scan.determinism,
                                     .segments = VKR_SEGMENTS_FLAGS,
                                     .flag_format = VKR_FLAGS_U8,
                                     .heads = heads};
    for (uint32_t k = 0; k < s->components; k++) {
        assert_true(oracle_scan(&oracle, k, s->result, values));
        for (uint64_t i = 0; i < count; i++)
            test_value(t, "element", &values[i], s->result, output->buffer,
                       output->offset + i * output->stride + k * size);
    }
    free(values);
    free(heads);
}

void key_expect(test_request *t)
{
    const key_request *s = t->own;
    const uint64_t count = test_counted(&s->scan.gpuCount, s->capacity);
    if (s->is_scan)
        expect_scan(t, count);
    else
        expect_reduction(t, count);
}
