/* SPDX-License-Identifier: MIT */
#include "oracle_sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- The order ---- */

/* Bytes of a type. */
static uint32_t size_of(VkrType type)
{
    static const uint8_t sizes[VKR_TYPE_COUNT] = {
        [VKR_TYPE_I8] = 1,  [VKR_TYPE_U8] = 1,  [VKR_TYPE_I16] = 2, [VKR_TYPE_U16] = 2,
        [VKR_TYPE_I32] = 4, [VKR_TYPE_U32] = 4, [VKR_TYPE_I64] = 8, [VKR_TYPE_U64] = 8,
        [VKR_TYPE_F16] = 2, [VKR_TYPE_F32] = 4, [VKR_TYPE_F64] = 8, [VKR_TYPE_BF16] = 2};
    return sizes[type];
}

/* Bits of the fraction of a float; 0 for an integer. */
static uint32_t fraction_of(VkrType type)
{
    return type == VKR_TYPE_F16    ? 10
           : type == VKR_TYPE_BF16 ? 7
           : type == VKR_TYPE_F32  ? 23
           : type == VKR_TYPE_F64  ? 52
                                   : 0;
}

static bool is_signed(VkrType type)
{
    return type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 ||
           type == VKR_TYPE_I64;
}

static uint64_t load(VkrType type, const void *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, size_of(type)); /* little-endian */
    return bits;
}

/* The part of an integer that is compared. */
static uint64_t part_of(const oracle_sort_info *info, uint64_t bits)
{
    const uint32_t size = 8 * size_of(info->type);
    const uint32_t end = info->end == 0 ? size : info->end;
    if (is_signed(info->type))
        bits ^= UINT64_C(1) << (size - 1);
    bits >>= info->begin;
    return bits & (UINT64_MAX >> (64 - (end - info->begin)));
}

/* A float without its sign, whether it is NaN, and a number that orders floats. */
static uint64_t magnitude_of(VkrType type, uint64_t bits)
{
    return bits & ((UINT64_C(1) << (8 * size_of(type) - 1)) - 1);
}

static bool is_nan(VkrType type, uint64_t bits)
{
    const uint64_t unit = UINT64_C(1) << fraction_of(type);
    const uint64_t infinity = magnitude_of(type, UINT64_MAX) / unit * unit;
    return magnitude_of(type, bits) > infinity;
}

static int64_t rank_of(VkrType type, uint64_t bits)
{
    const int64_t magnitude = (int64_t)magnitude_of(type, bits);
    return (uint64_t)magnitude != bits ? -magnitude - 1 : magnitude;
}

/* NaN without the sign come first, with smaller bits first; then those with it, with greater bits
 * first. */
static int compare_nan(VkrType type, uint64_t x, uint64_t y)
{
    const bool x_has_sign = x != magnitude_of(type, x), y_has_sign = y != magnitude_of(type, y);
    if (x_has_sign != y_has_sign)
        return x_has_sign - y_has_sign;
    return (x_has_sign ? -1 : 1) * ((x > y) - (x < y));
}

int oracle_compare_values(const oracle_sort_info *info, const void *a, const void *b)
{
    const uint64_t x = load(info->type, a), y = load(info->type, b);
    const int turn = info->descending ? -1 : 1;
    if (fraction_of(info->type) == 0) {
        const uint64_t left = part_of(info, x), right = part_of(info, y);
        return turn * ((left > right) - (left < right));
    }
    const bool x_is_nan = is_nan(info->type, x), y_is_nan = is_nan(info->type, y);
    if (x_is_nan != y_is_nan || (x_is_nan && (info->nan_equal || info->by_value)))
        return (info->nan_first ? -1 : 1) * (x_is_nan - y_is_nan);
    if (x_is_nan)
        return turn * compare_nan(info->type, x, y);
    if (info->by_value && magnitude_of(info->type, x) == 0 && magnitude_of(info->type, y) == 0)
        return 0;
    const int64_t left = rank_of(info->type, x), right = rank_of(info->type, y);
    return turn * ((left > right) - (left < right));
}

int oracle_compare(const oracle_sort_info *info, uint64_t a, uint64_t b)
{
    const char *data = info->data;
    const int order = oracle_compare_values(info, data + a * info->stride, data + b * info->stride);
    return order != 0 || info->then == NULL ? order : oracle_compare(info->then, a, b);
}

/* ---- Merging ---- */

static uint64_t step_of(const oracle_sort_info *info)
{
    return info->columns != 0 ? info->columns : 1;
}

/* Merges the sorted runs from[first .. middle] and from[middle .. end], of elements after
 * `start`. */
static void merge(const oracle_sort_info *info, uint64_t start, const uint32_t *from, uint32_t *to,
                  uint64_t first, uint64_t middle, uint64_t end)
{
    const uint64_t step = step_of(info);
    uint64_t left = first, right = middle;
    for (uint64_t i = first; i < end; i++) {
        const bool takes_left =
            left < middle && (right == end || oracle_compare(info, start + step * from[left],
                                                             start + step * from[right]) <= 0);
        to[i] = takes_left ? from[left++] : from[right++];
    }
}

void oracle_merge(const oracle_sort_info *a, const oracle_sort_info *b, uint32_t *order)
{
    const char *const of_a = a->data, *const of_b = b->data;
    uint64_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        const bool takes_a =
            i < a->count && (k == b->count || oracle_compare_values(a, of_a + i * a->stride,
                                                                    of_b + k * b->stride) <= 0);
        order[i + k] = (uint32_t)(takes_a ? i : a->count + k);
        i += takes_a;
        k += !takes_a;
    }
}

/* Sorts the indices of the elements of one segment. */
static void sort_segment(const oracle_sort_info *info, uint64_t start, uint64_t count,
                         uint32_t *indices, uint32_t *other)
{
    uint32_t *from = indices, *to = other;
    for (uint64_t i = 0; i < count; i++)
        indices[i] = (uint32_t)i;
    for (uint64_t run = 1; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            const uint64_t middle = first + run < count ? first + run : count;
            const uint64_t end = first + 2 * run < count ? first + 2 * run : count;
            merge(info, start, from, to, first, middle, end);
        }
        uint32_t *const swapped = from;
        from = to;
        to = swapped;
    }
    if (from != indices)
        memcpy(indices, from, count * sizeof *indices);
}

/* ---- Segments ---- */

static uint64_t pitch_of(const oracle_sort_info *info)
{
    return info->pitch != 0 ? info->pitch : info->row;
}

bool oracle_lies_between(const oracle_sort_info *info, uint64_t i)
{
    return info->row != 0 && i % pitch_of(info) >= info->row;
}

uint64_t oracle_segment_start(const oracle_sort_info *info, uint64_t i)
{
    uint64_t start = 0;
    if (info->row != 0)
        return i - i % pitch_of(info) + (oracle_lies_between(info, i) ? info->row : 0);
    for (uint64_t k = 0; k < info->offset_count; k++)
        if (info->offsets[k] <= i)
            start = info->offsets[k];
    return start;
}

/* The end of the segment that starts at an element. */
static uint64_t end_of(const oracle_sort_info *info, uint64_t start)
{
    uint64_t end = info->count;
    if (info->row != 0) {
        const uint64_t length =
            oracle_lies_between(info, start) ? pitch_of(info) - info->row : info->row;
        return end - start > length ? start + length : end;
    }
    for (uint64_t k = info->offset_count; k > 0; k--)
        if (info->offsets[k - 1] > start && info->offsets[k - 1] < end)
            end = info->offsets[k - 1];
    return end;
}

uint64_t oracle_sorted_from(const oracle_sort_info *info, uint64_t i, uint32_t index)
{
    return info->columns != 0 ? i % info->columns + info->columns * index
                              : oracle_segment_start(info, i) + index;
}

static bool sort_columns(const oracle_sort_info *info, uint32_t *indices, uint32_t *other)
{
    uint32_t *const column = malloc((info->count + 1) * sizeof *column);
    if (column == NULL)
        return false;
    for (uint64_t c = 0; c < info->columns && c < info->count; c++) {
        const uint64_t length = (info->count - c + info->columns - 1) / info->columns;
        sort_segment(info, c, length, column, other);
        for (uint64_t i = 0; i < length; i++)
            indices[i * info->columns + c] = column[i];
    }
    free(column);
    return true;
}

bool oracle_sort(const oracle_sort_info *info, uint32_t *indices)
{
    uint32_t *other = malloc((info->count + 1) * sizeof *other);
    if (other == NULL)
        return false;
    if (info->columns != 0) {
        const bool sorted = sort_columns(info, indices, other);
        free(other);
        return sorted;
    }
    for (uint64_t start = 0; start < info->count;) {
        const uint64_t end = end_of(info, start);
        sort_segment(info, start, end - start, indices + start, other);
        start = end;
    }
    free(other);
    return true;
}
