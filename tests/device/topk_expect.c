/* SPDX-License-Identifier: MIT */
/* Selections: offsets of segments, and what a scalar selection finds. */
#include "topk_request.h"

#include <stdlib.h>
#include <string.h>

#include "oracle_sort.h"
#include "ragged.h"

void selection_fill_offsets(test_request *t)
{
    const selection *s = t->own;
    ragged_fill(t, &s->info.segments, s->rows, s->size.count, s->even);
    for (uint32_t i = 0; i < s->rows && s->wants; i++) {
        const uint32_t wanted = test_below(t, 8) == 0 ? UINT32_MAX : test_below(t, 2 * s->size.k);
        memcpy(test_bytes(s->info.wanted.buffer, s->info.wanted.offset + 4 * i), &wanted, 4);
    }
}

/* ---- Expected outputs ---- */

static const selection *sorted;

static int order_of(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* The order of sorts, in which NaN come last. */
static int compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const VkrView *input = &sorted->info.input;
    const oracle_sort_info order = {.type = sorted->type,
                                    .descending = (sorted->info.flags & VKR_TOP_K_LEAST_BIT) == 0,
                                    .by_value = (sorted->info.flags & VKR_TOP_K_BY_VALUE_BIT) != 0};
    const int is = oracle_compare_values(&order, test_element(input, i), test_element(input, k));
    return is != 0 ? is : order_of(i, k);
}

static int compare_numbers(const void *a, const void *b)
{
    return order_of(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* A row as far as it has elements. */
typedef struct extent {
    uint64_t first;
    uint32_t length, wanted;
} extent;

static extent extent_of(const selection *s, uint64_t elements, uint32_t row)
{
    const VkrTopKInfo *info = &s->info;
    extent e = {.first = (uint64_t)row * s->pitch, .wanted = s->size.k};
    if (s->size.columns != 0) {
        e.length = row < elements ? (uint32_t)((elements - row + s->step - 1) / s->step) : 0;
        return e;
    }
    uint64_t end = e.first + s->length;
    if (s->size.segments != 0) {
        e.first = ragged_offset(&info->segments, row);
        end = ragged_offset(&info->segments, row + 1);
    }
    if (s->wants)
        memcpy(&e.wanted, test_bytes(info->wanted.buffer, info->wanted.offset + 4 * row), 4);
    if (e.wanted > s->size.k)
        e.wanted = s->size.k;
    end = end < elements ? end : elements;
    e.length = e.first < end ? (uint32_t)(end - e.first) : 0;
    return e;
}

/* Finds the entries of a row, as indices of elements. Returns their number. */
static uint32_t find_entries(const selection *s, const extent *e, bool in_order, uint32_t *indices)
{
    const uint32_t found = e->length < e->wanted ? e->length : e->wanted;
    for (uint32_t i = 0; i < e->length; i++)
        indices[i] = (uint32_t)e->first + s->step * i;
    sorted = s;
    qsort(indices, e->length, sizeof *indices, compare);
    if (!in_order) /* the indices ascend */
        qsort(indices, found, sizeof *indices, compare_numbers);
    return found;
}

static void expect_entry(const selection *s, uint64_t position, uint32_t index, uint32_t element)
{
    const VkrTopKInfo *info = &s->info;
    if (info->values.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->values, position), test_element(&info->input, element),
               vkrTypeSize(s->type));
    if (info->indices.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->indices, position), &index, 4);
    if (info->payloadCount != 0)
        test_expect_payload(&s->payload, position, element);
}

static bool wrote(VkBuffer buffer, VkDeviceSize offset, uint32_t size)
{
    return buffer == VK_NULL_HANDLE ||
           memcmp(test_bytes(buffer, offset), test_actual(buffer, offset), size) == 0;
}

/* Whether the device has written the expected entry at a position. */
static bool wrote_entry(const selection *s, uint64_t position)
{
    const VkrView *values = &s->info.values, *indices = &s->info.indices;
    const VkrPayload *p = &s->payload;
    return wrote(values->buffer, values->offset + position * values->stride,
                 vkrTypeSize(s->type)) &&
           wrote(indices->buffer, indices->offset + position * indices->stride, 4) &&
           wrote(p->target.buffer, p->target.offset + position * p->targetStride, p->size);
}

/* Expects the entries of a row in the order that is asked for, or with ascending indices. Returns
 * whether the device has written them. */
static bool expect_row(const selection *s, uint32_t row, const extent *e, bool in_order,
                       uint32_t *indices)
{
    const uint32_t found = find_entries(s, e, in_order, indices);
    bool same = true;
    for (uint32_t i = 0; i < found; i++) {
        const uint64_t position =
            s->size.columns != 0 ? (uint64_t)i * s->rows + row : (uint64_t)row * s->size.k + i;
        expect_entry(s, position, (indices[i] - (uint32_t)e->first) / s->step, indices[i]);
        same = same && wrote_entry(s, position);
    }
    if (s->info.found.buffer != VK_NULL_HANDLE)
        memcpy(test_bytes(s->info.found.buffer, s->info.found.offset + 4 * row), &found, 4);
    rig.cases += found;
    return same;
}

/* Unsorted entries of a row are in one of two orders. */
void selection_expect(test_request *t)
{
    const selection *s = t->own;
    const bool unsorted = (s->info.flags & VKR_TOP_K_UNSORTED_BIT) != 0;
    const uint64_t elements = test_counted(&s->info.gpuCount, s->size.count);
    const uint64_t rows = test_counted(&s->info.segments.gpuCount, s->rows);
    uint32_t *indices = calloc((size_t)s->size.count + 1, sizeof *indices);
    assert_non_null(indices);
    for (uint32_t row = 0; row < rows; row++) {
        const extent e = extent_of(s, elements, row);
        if (!expect_row(s, row, &e, !unsorted, indices) && unsorted)
            (void)expect_row(s, row, &e, true, indices);
    }
    free(indices);
}
