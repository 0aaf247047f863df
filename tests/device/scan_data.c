/* SPDX-License-Identifier: MIT */
/* The places of scans, their data, and their expected outputs. */
#include "scan_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_histogram.h"
#include "oracle_scan.h"

#define LOAD 32u /* size of the widest load in bytes */

/* ---- Placing ---- */

/* A view at any distance from a multiple of the widest load, sometimes with an incomplete last
 * element or with more elements than the count. */
static VkrView place_view(test_request *t, bool written, VkrType type, bool packed, bool whole)
{
    const scan_request *s = t->own;
    const uint32_t size = vkrTypeSize(type), element = size * s->components;
    const VkDeviceSize stride = element + (packed ? 0 : size * (1 + test_below(t, 5)));
    const uint64_t more = whole ? 0 : test_below(t, 3), elements = s->capacity + more;
    VkrView view = (written ? test_aligned_output : test_input)(t, type, s->components, stride,
                                                                s->aligned ? LOAD : size, elements);
    if (written)
        test_end_port(t, more * stride);
    view.size += test_below(t, size);
    return view;
}

static VkrSegments place_starts(test_request *t, uint64_t w)
{
    const scan_request *s = t->own;
    const uint64_t n = s->capacity;
    const uint64_t lengths[] = {1,    2, 3, w, w + 1, 64, 255, 256, 257, 1000, (uint64_t)1 << 40,
                                n + 1};
    const uint64_t entries[] = {1, 3, 17, n / 7 + 1, n / 2 + 2, n < 500 ? 2 * n + 1 : 70};
    const uint64_t length = lengths[test_below(t, ARRAY_SIZE(lengths))];
    const uint64_t count = entries[test_below(t, ARRAY_SIZE(entries))];
    VkrSegments segments = {.kind = VKR_SEGMENTS_FLAGS};
    switch (s->starts) {
    case STARTS_U32:
        segments.flags.format = VKR_FLAGS_U32;
        segments.flags.range = test_room(t, 4, 4 * n);
        break;
    case STARTS_U8:
        segments.flags.format = VKR_FLAGS_U8;
        segments.flags.range = test_room(t, 1, n);
        break;
    case STARTS_BITS:
        segments.flags.format = VKR_FLAGS_BITS;
        segments.flags.range = test_room(t, 4, (n + 31) / 32 * 4);
        break;
    case STARTS_ROWS:
        segments.kind = VKR_SEGMENTS_ROWS;
        segments.length = s->row != 0 ? s->row : length;
        break;
    case STARTS_OFFSETS:
        segments.kind = VKR_SEGMENTS_OFFSETS;
        segments.offsets = test_room(t, 4, 4 * count);
        break;
    case STARTS_OFFSETS64:
        segments.kind = VKR_SEGMENTS_OFFSETS;
        segments.offsets = test_room(t, 8, 8 * count);
        segments.offsetType = VKR_TYPE_U64;
        break;
    case STARTS_COLUMNS:
        segments.kind = VKR_SEGMENTS_COLUMNS;
        segments.length = s->row;
        break;
    default:
        segments.kind = VKR_SEGMENTS_NONE;
    }
    return segments;
}

static VkrFlagView place_mask(test_request *t)
{
    const scan_request *s = t->own;
    const uint64_t n = s->capacity;
    switch (s->left_out) {
    case LEFT_OUT_BITS:
    case LEFT_OUT_BITS_AND_NAN:
        return (VkrFlagView){.format = VKR_FLAGS_BITS, .range = test_room(t, 4, (n + 31) / 32 * 4)};
    case LEFT_OUT_U32:
        return (VkrFlagView){.format = VKR_FLAGS_U32, .range = test_room(t, 4, 4 * n)};
    case LEFT_OUT_U8:
        return (VkrFlagView){.format = VKR_FLAGS_U8, .range = test_room(t, 1, n)};
    default:
        return (VkrFlagView){0};
    }
}

/* Draws the number of columns, which divides the capacity. Multiples of 16 let rows consist of
 * whole loads. */
static void draw_columns(test_request *t, uint64_t w)
{
    scan_request *s = t->own;
    const uint64_t n = s->capacity, rows = 1 + (uint64_t)test_below(t, 300);
    const uint64_t lengths[] = {1, 2, 3, 5, 16, 32, 64, 208, w, w + 1, n / 2, n / rows, n};
    if (s->row == 0)
        s->row = lengths[test_below(t, ARRAY_SIZE(lengths))];
    s->row = s->row == 0 ? 1 : s->row;
    s->capacity -= n % s->row;
}

/* The initial values and the totals of a scan: one for each column. */
static uint64_t places_of(const scan_request *s)
{
    return s->starts == STARTS_COLUMNS ? s->row : 1;
}

static void place_initial(test_request *t)
{
    scan_request *s = t->own;
    const VkDeviceSize size = (VkDeviceSize)vkrTypeSize(s->result) * s->components;
    const uint64_t places = places_of(s);
    if (s->initial == INITIAL_HOST) {
        scan_draw_initial(t, s->first);
        s->info.initial = s->first;
    } else if (s->initial == INITIAL_GPU) {
        const VkrView view =
            test_input(t, s->result, s->components, size, vkrTypeSize(s->result), places);
        s->info.gpuInitial = (VkrBufferRange){view.buffer, view.offset, places * size};
    }
}

void scan_place(test_request *t, uint64_t count, uint64_t w)
{
    scan_request *s = t->own;
    VkrScanInfo *info = &s->info;
    const bool all = test_below(t, 2) == 0;
    s->capacity = count < t->most ? count : t->most;
    if (s->starts == STARTS_COLUMNS)
        draw_columns(t, w);
    info->label = "scan";
    info->input = place_view(t, s->in_place, s->type, s->packed, all);
    info->output = info->input;
    if (s->texels)
        test_texels(t, &info->input);
    if (!s->in_place)
        info->output = place_view(t, true, s->result, s->packed_output, false);
    if (test_below(t, 2) == 0) {
        info->output.type = VKR_TYPE_UNDEFINED;
        info->output.components = 0;
    }
    info->count = all && info->input.size > 0 ? VKR_COUNT_ALL : s->capacity;
    info->gpuCount = test_count(t, s->gpu_count, s->capacity);
    info->segments = place_starts(t, w);
    info->mask.flags = place_mask(t);
    place_initial(t);
    if (s->total)
        info->total =
            test_written(t, vkrTypeSize(s->result),
                         (VkDeviceSize)vkrTypeSize(s->result) * s->components * places_of(s));
}

/* ---- Data ---- */

/* Products of arbitrary values overflow, few distributions distinguish keys of NaN from others, and
 * sums of small integers are exact. */
static distribution draw_data(test_request *t)
{
    const scan_request *s = t->own;
    const VkrOp op = s->info.op;
    if (!s->any_data)
        return DATA_RANDOM;
    if (op == VKR_OP_PRODUCT && test_below(t, 4) != 0)
        return DATA_UNIT;
    if (op == VKR_OP_SUM && test_below(t, 3) == 0)
        return DATA_INTEGRAL;
    if ((op == VKR_OP_MIN || op == VKR_OP_MAX) && test_below(t, 4) == 0)
        return test_below(t, 4) == 0 ? DATA_ONE_NAN : DATA_NAN_BUT_ONE;
    return (distribution)test_below(t, DATA_COUNT);
}

void scan_draw_initial(test_request *t, void *at)
{
    const scan_request *s = t->own;
    const distribution any = (distribution)test_below(t, DATA_COUNT);
    const distribution data = test_below(t, 4) == 0          ? any
                              : s->info.op == VKR_OP_PRODUCT ? DATA_UNIT
                                                             : DATA_INTEGRAL;
    const size_t size = (size_t)vkrTypeSize(s->result) * s->components;
    fill_data(&t->random, data, s->result, s->components, at, size, 1);
}

static int compare_offsets(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Offsets ascend, with repeats, and some are at or past the count. */
static void fill_offsets(test_request *t, uint64_t count)
{
    const VkrSegments *segments = &((const scan_request *)t->own)->info.segments;
    const uint32_t size = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    const uint64_t entries = segments->offsets.size / size;
    const uint32_t span = (uint32_t)(count + count / 8 + 2);
    uint64_t *offsets = malloc(entries * sizeof(*offsets));
    assert_non_null(offsets);
    for (uint64_t k = 0; k < entries; k++)
        offsets[k] = test_below(t, span);
    qsort(offsets, entries, sizeof(*offsets), compare_offsets);
    if (size == 8 && test_below(t, 4) == 0)
        offsets[entries - 1] = (uint64_t)1 << 32;
    for (uint64_t k = 0; k < entries; k++) /* little-endian */
        memcpy(test_bytes(segments->offsets.buffer, segments->offsets.offset + k * size),
               &offsets[k], size);
    free(offsets);
}

/* Sets flags with a random density; the bytes are already random. */
static void fill_flags(test_request *t, const VkrFlagView *flags)
{
    static const uint32_t sparse[] = {1, 2, 3, 20, 300, 5000, UINT32_MAX};
    const scan_request *s = t->own;
    unsigned char *at = test_bytes(flags->range.buffer, flags->range.offset);
    const uint32_t one_in = sparse[test_below(t, ARRAY_SIZE(sparse))];
    const uint64_t size = flags->format == VKR_FLAGS_U32 ? 4 : 1;
    for (uint64_t i = 0; i < s->capacity; i++) {
        const bool starts = test_below(t, one_in) == 0;
        if (flags->format == VKR_FLAGS_BITS)
            at[i / 8] = (unsigned char)((at[i / 8] & ~(1u << i % 8)) | (uint32_t)starts << i % 8);
        else if (!starts)
            memset(at + i * size, 0, size);
        else /* any value except 0 */
            at[i * size + test_below(t, (uint32_t)size)] |= 1u << test_below(t, 8);
    }
}

void scan_fill(test_request *t)
{
    scan_request *s = t->own;
    const VkrBufferRange *initial = &s->info.gpuInitial;
    const uint64_t count = test_filled(t, &s->info.gpuCount, s->capacity);
    test_fill_view(t, &s->info.input, draw_data(t), count, s->capacity);
    if (s->info.segments.kind == VKR_SEGMENTS_OFFSETS)
        fill_offsets(t, count);
    else if (s->info.segments.kind == VKR_SEGMENTS_FLAGS)
        fill_flags(t, &s->info.segments.flags);
    if (s->info.mask.flags.range.buffer != VK_NULL_HANDLE)
        fill_flags(t, &s->info.mask.flags);
    const uint32_t size = s->components * vkrTypeSize(s->result);
    if (s->initial == INITIAL_GPU && test_fills(t, initial->buffer, initial->offset))
        for (uint64_t at = 0; at < initial->size; at += size)
            scan_draw_initial(t, test_bytes(initial->buffer, initial->offset + at));
}

/* ---- Expected outputs ---- */

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
                   output->offset + (first + i * step) * output->stride + k * size);
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

/* Each column is a whole, whose elements are a row apart. */
void scan_expect(test_request *t)
{
    const scan_request *s = t->own;
    const bool columns = s->starts == STARTS_COLUMNS;
    oracle_scan_info whole = oracle_of(s);
    unsigned char *copy = s->left_out != LEFT_OUT_NONE ? replace_left_out(s, &whole) : NULL;
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
    free(copy);
}
