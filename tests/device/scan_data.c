/* SPDX-License-Identifier: MIT */
/* The places of scans, and their data. */
#include "scan_request.h"

#include <stdlib.h>
#include <string.h>

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
        test_end_port(t, (s->starts == STARTS_APART ? elements : more) * stride);
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
    const uint64_t gaps[] = {0, 1, 3, w, 300, n};
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
    case STARTS_APART:
        segments.kind = VKR_SEGMENTS_ROWS;
        segments.length = s->row != 0 ? s->row : length;
        segments.pitch = segments.length + gaps[test_below(t, ARRAY_SIZE(gaps))];
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
