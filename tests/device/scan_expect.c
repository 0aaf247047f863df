/* SPDX-License-Identifier: MIT */
/* The expected outputs of scans. */
#include "scan_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_histogram.h"
#include "oracle_scan.h"

static const void *initial_of(const scan_request *s)
{
    return s->initial == INITIAL_GPU
               ? test_bytes(s->info.gpuInitial.buffer, s->info.gpuInitial.offset)
               : s->info.initial;
}

static oracle_scan_info oracle_of(const scan_request *s)
{
    const VkrScanInfo *info = &s->info;
    const VkrSegments *segments = &info->segments;
    return (oracle_scan_info){
        .data = test_element(&info->input, 0),
        .stride = info->input.stride,
        .count = test_counted(&info->gpuCount, s->capacity),
        .type = s->type,
        .components = s->components,
        .op = info->op,
        .flags = info->flags,
        .accumulator = info->accumulator,
        .nan = info->nan,
        .determinism = info->determinism,
        .initial = initial_of(s),
        .segments = segments->kind,
        .flag_format = segments->flags.format,
        .heads = test_bytes(segments->flags.range.buffer, segments->flags.range.offset),
        .row_length = segments->length,
        .offsets = test_bytes(segments->offsets.buffer, segments->offsets.offset),
        .offset_type = segments->offsetType,
        .offset_count = segments->offsets.size / (segments->offsetType == VKR_TYPE_U64 ? 8 : 4),
    };
}

/* The index of the result that a scan leaves at a position. */
static uint64_t index_of(const scan_request *s, uint64_t position)
{
    const VkrSegments *segments = &s->info.segments;
    return s->starts != STARTS_APART
               ? position
               : position / segments->length * segments->pitch + position % segments->length;
}

/* Expects the results of one component of a scan, whose first element is number `first` and whose
 * next ones are `step` elements apart; its total and its initial value are number `place`. */
static void expect(test_request *t, const oracle_scan_info *oracle, uint32_t k, uint64_t first,
                   uint64_t step, oracle_value *values)
{
    const scan_request *s = t->own;
    const VkrView *output = &s->info.output;
    const VkrBufferRange *total = &s->info.total;
    const uint32_t size = vkrTypeSize(s->result);
    assert_true(oracle_scan(oracle, k, s->result, values));
    for (uint64_t i = 0; i < oracle->count; i++)
        test_value(t, "element", &values[i], s->result, output->buffer,
                   output->offset + (first + index_of(s, i) * step) * output->stride + k * size);
    if (s->total)
        test_value(t, "total", &values[oracle->count], s->result, total->buffer,
                   total->offset + (first * s->components + k) * size);
}

/* ---- What is left out ---- */

static bool is_kept(const scan_request *s, uint64_t i)
{
    const VkrFlagView *mask = &s->info.mask.flags;
    const unsigned char *at = test_bytes(mask->range.buffer, mask->range.offset);
    uint32_t word;
    if (mask->range.buffer == VK_NULL_HANDLE)
        return true;
    if (mask->format == VKR_FLAGS_BITS)
        return (at[i / 8] >> i % 8 & 1) != 0;
    if (mask->format == VKR_FLAGS_U8)
        return at[i] != 0;
    memcpy(&word, at + 4 * i, 4);
    return word != 0;
}

/* Writes what an element counts as that is left out. */
static void write_identity(const scan_request *s, unsigned char *at)
{
    const uint32_t size = vkrTypeSize(s->type);
    const bool is_min = s->info.op == VKR_OP_MIN, is_max = s->info.op == VKR_OP_MAX;
    const bool is_signed = s->type % 2 == 1;
    memset(at, s->info.op == VKR_OP_AND ? 0xff : 0, size);
    if (is_float(s->type) && (is_min || is_max))
        oracle_encode(s->type, is_min ? HUGE_VAL : -HUGE_VAL, at);
    else if (is_float(s->type) && s->info.op == VKR_OP_PRODUCT)
        oracle_encode(s->type, 1.0, at);
    else if (s->info.op == VKR_OP_PRODUCT)
        at[0] = 1;
    else if (is_min || is_max)
        memset(at, is_min ? 0xff : 0, size);
    if (!is_float(s->type) && is_signed && (is_min || is_max))
        at[size - 1] ^= 0x80;
}

static bool is_nan(VkrType type, const unsigned char *at)
{
    const uint32_t size = vkrTypeSize(type);
    uint64_t infinity = 0, bits = 0;
    oracle_encode(type, HUGE_VAL, &infinity);
    memcpy(&bits, at, size);
    return (bits & ~(UINT64_C(1) << (8 * size - 1))) > infinity;
}

/* A copy of the elements as they count, without gaps; the caller frees it. */
static unsigned char *replace_left_out(const scan_request *s, oracle_scan_info *oracle)
{
    const uint32_t size = vkrTypeSize(s->type), element = size * s->components;
    unsigned char *copy = malloc((size_t)oracle->count * element + 1);
    const bool skips = s->info.nan == VKR_NAN_SKIP && scan_is_ordered(s->type, s->info.op);
    assert_non_null(copy);
    for (uint64_t i = 0; i < oracle->count; i++)
        for (uint32_t k = 0; k < s->components; k++) {
            unsigned char *to = copy + i * element + k * size;
            memcpy(to, (const char *)test_element(&s->info.input, i) + k * size, size);
            if (!is_kept(s, i) || (skips && is_nan(s->type, to)))
                write_identity(s, to);
        }
    oracle->data = copy;
    oracle->stride = element;
    oracle->nan = s->info.nan == VKR_NAN_SKIP ? VKR_NAN_IGNORE : s->info.nan;
    return copy;
}

/* Copies the elements of rows that lie apart, so that they lie beside each other; the caller frees
 * them. */
static unsigned char *bring_rows(const scan_request *s, oracle_scan_info *oracle)
{
    const VkrSegments *segments = &s->info.segments;
    const size_t element = (size_t)vkrTypeSize(s->type) * s->components;
    const uint64_t rows = oracle->count / segments->pitch, rest = oracle->count % segments->pitch;
    const uint64_t length = segments->length;
    const uint64_t count = rows * length + (rest < length ? rest : length);
    unsigned char *copy = malloc((size_t)count * element + 1);
    assert_non_null(copy);
    for (uint64_t i = 0; i < count; i++)
        memcpy(copy + i * element,
               (const unsigned char *)oracle->data + index_of(s, i) * oracle->stride, element);
    oracle->data = copy;
    oracle->stride = element;
    oracle->count = count;
    return copy;
}

/* Each column is a whole, whose elements are a row apart. */
void scan_expect(test_request *t)
{
    const scan_request *s = t->own;
    const bool columns = s->starts == STARTS_COLUMNS;
    oracle_scan_info whole = oracle_of(s);
    unsigned char *copy = s->left_out != LEFT_OUT_NONE ? replace_left_out(s, &whole) : NULL;
    unsigned char *beside = s->starts == STARTS_APART ? bring_rows(s, &whole) : NULL;
    const uint64_t step = columns ? s->row : 1;
    oracle_value *values = malloc((whole.count / step + 2) * sizeof(*values));
    assert_non_null(values);
    for (uint64_t c = 0; c < step; c++) {
        oracle_scan_info oracle = whole;
        if (columns) {
            oracle.segments = VKR_SEGMENTS_NONE;
            oracle.data = (const unsigned char *)whole.data + c * whole.stride;
            oracle.stride = step * whole.stride;
            oracle.count = whole.count > c ? (whole.count - c - 1) / step + 1 : 0;
            if (s->initial == INITIAL_GPU)
                oracle.initial = (const unsigned char *)whole.initial +
                                 c * s->components * vkrTypeSize(s->result);
        }
        for (uint32_t k = 0; k < s->components; k++)
            expect(t, &oracle, k, c, step, values);
    }
    free(values);
    free(beside);
    free(copy);
}
