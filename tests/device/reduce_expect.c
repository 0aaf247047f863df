/* SPDX-License-Identifier: MIT */
/* The data of reductions, of all elements or of segments, and what comes of them. */
#include "reduce_request.h"

#include <string.h>

/* ---- Data and results ---- */

/* Products of arbitrary values overflow, and few distributions distinguish keys of NaN from
 * others. */
static distribution choose_data(test_request *t, VkrOpFlags ops)
{
    const VkrOpFlags keys = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ABSMAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX;
    if ((ops & VKR_OP_PRODUCT) != 0 && test_below(t, 4) != 0)
        return DATA_UNIT;
    if ((ops & keys) != 0 && test_below(t, 4) == 0)
        return test_below(t, 4) == 0 ? DATA_ONE_NAN : DATA_NAN_BUT_ONE;
    return (distribution)test_below(t, DATA_COUNT);
}

void reduce_fill(test_request *t)
{
    const reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    const distribution data = choose_data(t, row->ops);
    const VkrView *views[] = {&q->info.input, &q->info.input2};
    const uint64_t count = test_filled(t, &q->info.gpuCount, q->capacity);
    for (uint32_t i = 0; i < (row->ops & VKR_OP_DOT ? 2u : 1u); i++)
        test_fill_view(t, views[i], data, count, q->capacity);
}

/* A reduction in place also stores its result as element 0, and may leave anything in the other
 * elements below the host's count. */
static void expect_consumed(const reduce_request *q, uint64_t count)
{
    const VkrView *input = &q->info.input;
    const uint32_t bytes = vkrTypeSize(q->row.type) * q->row.components;
    for (uint64_t i = 0; i < q->capacity; i++)
        test_accept(input->buffer, input->offset + i * input->stride, bytes);
    if (count > 0)
        memcpy(test_element(input, 0), test_bytes(q->info.output.buffer, q->info.output.offset),
               bytes);
}

void reduce_expect_results(const test_request *t, const VkrReduceInfo *info,
                           const VkrReduceLayout *layout, const oracle_reduce_info *oracle,
                           uint64_t segment)
{
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &layout->results[bit];
        const VkrOp op = (VkrOp)(1u << bit);
        const VkDeviceSize at = info->output.offset + segment * layout->stride + result->offset;
        for (uint32_t i = 0; i < oracle->components && (info->ops & op) != 0; i++) {
            oracle_value value;
            oracle_reduce(oracle, op, i, result->type, &value);
            test_value(t, vkrOpName(op), &value, result->type, info->output.buffer,
                       at + i * vkrTypeSize(result->type));
        }
    }
}

oracle_reduce_info reduce_oracle(const test_request *t, uint64_t first)
{
    const reduce_request *q = t->own;
    const VkrReduceInfo *info = &q->info;
    return (oracle_reduce_info){
        .data = test_element(&info->input, first),
        .stride = info->input.stride,
        .data2 = info->input2.buffer ? test_element(&info->input2, first) : NULL,
        .stride2 = info->input2.stride,
        .count = test_counted(&info->gpuCount, q->capacity),
        .type = q->row.type,
        .components = q->row.components,
        .accumulator = q->row.accumulator,
        .nan = q->row.nan,
        .determinism = q->row.determinism,
        .sample = q->row.sample,
        .first = first,
    };
}

void reduce_expect(test_request *t)
{
    const reduce_request *q = t->own;
    const oracle_reduce_info oracle = reduce_oracle(t, 0);
    reduce_expect_results(t, &q->info, &q->layout, &oracle, 0);
    if (q->row.consume)
        expect_consumed(q, oracle.count);
}

/* ---- Segments ---- */

static uint64_t offset_at(const VkrSegments *segments, uint64_t i)
{
    const uint32_t size = vkrTypeSize(segments->offsetType);
    uint64_t value = 0;
    memcpy(&value, test_bytes(segments->offsets.buffer, segments->offsets.offset + i * size), size);
    return value;
}

/* Draws offsets of segments that are all empty, of equal length, tiny except for some and a giant
 * one, often empty, or of random length; some end past the elements. */
void segments_fill(test_request *t)
{
    const reduce_request *q = t->own;
    const VkrSegments *s = &q->info.segments;
    const uint32_t count = (uint32_t)q->layout.segments, size = vkrTypeSize(s->offsetType);
    const uint32_t way = count < SEGMENTS_MANY ? test_below(t, 5) : 2;
    const uint32_t giant = count == 0 ? 0 : test_below(t, count);
    const uint32_t even = (uint32_t)(q->capacity / (count + 1) + 1);
    uint64_t at = test_below(t, 2) == 0 ? 0 : test_below(t, 50);
    reduce_fill(t);
    for (uint32_t i = 0; i <= count && s->kind == VKR_SEGMENTS_OFFSETS; i++) {
        memcpy(test_bytes(s->offsets.buffer, s->offsets.offset + (VkDeviceSize)i * size), &at,
               size);
        const uint64_t tiny = test_below(t, 1000) == 0 ? 1000 : test_below(t, 4);
        const uint64_t lengths[] = {0, even, i == giant ? q->capacity / 2 : tiny,
                                    test_below(t, 3) == 0 ? test_below(t, 700) : 0,
                                    test_below(t, 2 * even)};
        at += lengths[way];
        if (at > q->capacity && test_below(t, 8) != 0)
            at = q->capacity;
    }
}

/* Of a segment, the elements that are below the count. */
static void expect_segment(const test_request *t, uint64_t number)
{
    const reduce_request *q = t->own;
    const VkrSegments *s = &q->info.segments;
    const bool offsets = s->kind == VKR_SEGMENTS_OFFSETS, strided = s->kind == VKR_SEGMENTS_COLUMNS;
    const uint64_t pitch = s->pitch != 0 ? s->pitch : s->length;
    const uint64_t first = offsets                        ? offset_at(s, number)
                           : s->kind == VKR_SEGMENTS_ROWS ? number * pitch
                                                          : number;
    const uint64_t last = offsets ? offset_at(s, number + 1) : first + s->length;
    const uint64_t count = test_counted(&q->info.gpuCount, q->capacity);
    const uint64_t end = strided || last > count ? count : last, step = strided ? s->length : 1;
    oracle_reduce_info oracle = reduce_oracle(t, first < end ? first : 0);
    oracle.stride *= step;
    oracle.stride2 *= step;
    oracle.count = first < end ? (end - first + step - 1) / step : 0;
    oracle.window = s->kind == VKR_SEGMENTS_WINDOWS;
    reduce_expect_results(t, &q->info, &q->layout, &oracle, number);
}

void segments_expect(test_request *t)
{
    const reduce_request *q = t->own;
    const uint64_t count = test_counted(&q->info.segments.gpuCount, q->layout.segments);
    for (uint64_t i = 0; i < count; i++)
        expect_segment(t, i);
}
