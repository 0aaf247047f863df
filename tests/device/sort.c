/* SPDX-License-Identifier: MIT */
/* vkrCmdSort against the oracle, bit for bit: rows of choices, whose data have many equal keys,
 * NaN, or digits in common; short rows; and keys in several windows. */
#include <string.h>

#include "sort_request.h"

/* Many elements have the same key, some none, which is NaN. */
const VkrMap sort_map = {.weights = {0.25f}, .bias = 1.0f, .function = VKR_MAP_SQRT};

/* What determines the pipelines. Data do not: each row runs with several kinds of them. */
enum {
    AXIS_TYPE,
    AXIS_PAYLOADS,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_ALGORITHM,
    AXIS_ORDER, /* descending, NaN first, by value */
    AXIS_BITS,  /* all of the key, some, or all of what a map makes of it */
    AXIS_SEGMENTS,
    AXIS_COUNT,
    AXIS_KEYS,
    AXIS_INDICES,
    AXIS_STRIDED,
    AXIS_GPU_COUNT,
    AXIS_THEN /* keys after the first ones */
};

enum { ALL_BITS, SOME_BITS, MAPPED };
enum { NO_SEGMENTS, SHORT_ROWS, ROWS, OFFSETS, APART, COLUMNS, SEGMENT_WAYS };
enum { UP_TO_300, TILES, THOUSANDS, MANY };
enum { NO_KEYS, SORTED_KEYS, KEYS_IN_PLACE };
enum { NO_PAYLOAD, ONE_WORD, WORD_IN_PLACE, NO_WORDS, SEVERAL_WORDS, SEVERAL };

static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED, LIMITS_SHUFFLE, LIMITS_SMALL,
                                    LIMITS_SHARED_SMALL};
static const uint32_t workgroups[][2] = {{0, 0}, {1, 4}, {8, 16}, {32, 64}, {128, 128}};
static const VkrSortAlgorithm algorithms[] = {VKR_SORT_AUTO, VKR_SORT_THREE_PASS, VKR_SORT_BITONIC,
                                              VKR_SORT_ONESWEEP};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const uint32_t payloads = axes[AXIS_PAYLOADS], keys = axes[AXIS_KEYS];
    const bool has_units = a->types[VKR_TYPE_U8] && a->types[VKR_TYPE_U16];
    if (axes[AXIS_BITS] == SOME_BITS && is_float(type))
        return false;
    if (axes[AXIS_BITS] == MAPPED && (vkrTypeSize(type) > 4 || keys == KEYS_IN_PLACE))
        return false;
    if (keys == NO_KEYS && axes[AXIS_INDICES] == 0 && payloads == NO_PAYLOAD)
        return false;
    return has_order(a, type) && has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           workgroups[axes[AXIS_WORKGROUP]][1] <= a->workgroup &&
           ((payloads != NO_WORDS && payloads != SEVERAL) || has_units);
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
}

/* ---- Placing ---- */

static VkDeviceSize stride_of(const sort_request *s, VkrType type, uint32_t i)
{
    return (VkDeviceSize)vkrTypeSize(type) * (1 + s->gaps[i]);
}

static void place_segments(test_request *t)
{
    sort_request *s = t->own;
    VkrSegments *segments = &s->info.segments;
    const bool wide = test_below(t, 2) != 0;
    if (s->row != 0)
        *segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = s->row, .pitch = s->pitch};
    if (s->columns != 0)
        *segments = (VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = s->columns};
    if (s->offset_count != 0)
        *segments = (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                                  .offsets = test_room(t, 4, s->offset_count * (wide ? 8 : 4)),
                                  .offsetType = wide ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED};
}

/* A place of an output. Where rows lie apart, a later request reads none of it. */
static VkrView place_output(test_request *t, VkrType type, uint32_t i)
{
    const sort_request *s = t->own;
    const VkrView view = test_output(t, type, 1, stride_of(s, type, i), s->count);
    if (s->pitch > s->row)
        test_end_port(t, s->count * view.stride);
    return view;
}

void sort_place(test_request *t)
{
    sort_request *s = t->own;
    VkrSortInfo *info = &s->info;
    const VkrType key = s->mapped ? VKR_TYPE_F32 : s->type;
    info->count = s->count;
    info->payloadCount = s->payload_count;
    info->payloads = s->payloads;
    if (s->in_place)
        info->keys = info->sorted = place_output(t, s->type, 0);
    else
        info->keys =
            test_input(t, s->type, 1, stride_of(s, s->type, 0), vkrTypeSize(s->type), s->count);
    if (s->keys && !s->in_place)
        info->sorted = place_output(t, key, 1);
    info->keys.map = s->mapped ? &sort_map : NULL;
    if (s->indices)
        info->indices = place_output(t, VKR_TYPE_U32, 2);
    for (uint32_t i = 0; i < s->payload_count; i++) {
        s->payloads[i] =
            test_payload(t, s->sizes[i], s->payload_gap, s->payload_in_place, 16, s->count);
        if (s->pitch > s->row)
            test_end_port(t, s->count * s->payloads[i].targetStride);
    }
    info->gpuCount = test_count(t, s->gpu_count, s->count);
    sort_place_then(t);
    place_segments(t);
}

/* ---- Rows ---- */

static bool one_in(test_request *t, uint32_t n)
{
    return random_below(&t->structure, n) == 0;
}

static uint32_t below(test_request *t, uint32_t n)
{
    return random_below(&t->structure, n);
}

/* The elements of a tile of some geometries, and numbers around it; and other numbers. */
static uint32_t draw_count(test_request *t)
{
    static const uint32_t tiles[] = {96, 192, 384, 768, 1536, 3072};
    const uint32_t tile = tiles[below(t, ARRAY_SIZE(tiles))];
    switch (t->axes[AXIS_COUNT]) {
    case UP_TO_300:
        return one_in(t, 8) ? below(t, 4) : below(t, 300);
    case TILES:
        return (1 + below(t, 2)) * tile - 1 + below(t, 3);
    case THOUSANDS:
        return below(t, 20000);
    default:
        return 100000 + below(t, 100000);
    }
}

static void draw_bits(test_request *t)
{
    sort_request *s = t->own;
    const uint32_t bits = 8 * vkrTypeSize(s->type);
    s->mapped = t->axes[AXIS_BITS] == MAPPED;
    if (t->axes[AXIS_BITS] != SOME_BITS)
        return;
    s->info.beginBit = below(t, bits);
    s->info.endBit = s->info.beginBit + 1 + below(t, bits - s->info.beginBit);
}

static void draw_segments(test_request *t)
{
    sort_request *s = t->own;
    const uint32_t kind = t->axes[AXIS_SEGMENTS], count = (uint32_t)s->count;
    uint64_t at = 0;
    if (kind == SHORT_ROWS || kind == ROWS || kind == APART) {
        const bool is_short = kind == SHORT_ROWS || (kind == APART && one_in(t, 2));
        s->row = 1 + below(t, is_short ? 300 : count + 100);
        if (s->count / s->row > 2000)
            s->row = s->count / 2000;
        if (kind == APART)
            s->pitch = s->row + below(t, one_in(t, 2) ? 5 : 200);
    } else if (kind == COLUMNS) {
        s->columns = 1 + below(t, 70);
        s->count = count < 20000 ? count : 20000; /* in few pairs of windows */
        s->count -= s->count % s->columns;
    } else if (kind == OFFSETS) {
        s->offset_count = 1 + below(t, SORT_OFFSETS);
        for (uint32_t i = 0; i < s->offset_count; i++) {
            s->offsets[i] = at;
            at += one_in(t, 4) ? 0 : below(t, count / 8 + 3);
        }
    }
}

static uint32_t draw_payload(test_request *t)
{
    static const uint32_t parts[] = {1, 2, 3, 6}, words[] = {8, 12, 16, 20, 32, 64};
    uint32_t kind = t->axes[AXIS_PAYLOADS];
    if (kind == SEVERAL)
        kind = ONE_WORD + below(t, SEVERAL - ONE_WORD);
    return kind == NO_WORDS        ? parts[below(t, ARRAY_SIZE(parts))]
           : kind == SEVERAL_WORDS ? words[below(t, ARRAY_SIZE(words))]
                                   : 4;
}

static void draw_outputs(test_request *t)
{
    sort_request *s = t->own;
    const uint32_t payloads = t->axes[AXIS_PAYLOADS];
    const bool strided = t->axes[AXIS_STRIDED] != 0;
    s->keys = t->axes[AXIS_KEYS] != NO_KEYS;
    s->in_place = t->axes[AXIS_KEYS] == KEYS_IN_PLACE;
    s->indices = t->axes[AXIS_INDICES] != 0;
    s->payload_count = payloads == SEVERAL      ? 2 + below(t, SORT_PAYLOADS - 1)
                       : payloads != NO_PAYLOAD ? 1
                                                : 0;
    for (uint32_t i = 0; i < s->payload_count; i++)
        s->sizes[i] = draw_payload(t);
    s->payload_in_place = payloads == WORD_IN_PLACE;
    s->payload_gap = strided ? 1 + below(t, 3) : 0;
    for (uint32_t i = 0; i < 3; i++)
        s->gaps[i] = strided && one_in(t, 2) ? 1 + below(t, 3) : 0;
}

static void make(test_request *t)
{
    sort_request *s = t->own;
    const uint32_t kind = below(t, SORT_DATA_COUNT) + t->layout * (t->layout + 1) / 2;
    s->type = (VkrType)(t->axes[AXIS_TYPE] + 1);
    s->data = (sort_data)(kind % SORT_DATA_COUNT);
    s->info.algorithm = algorithms[t->axes[AXIS_ALGORITHM]];
    s->info.flags = t->axes[AXIS_ORDER];
    s->info.workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]][below(t, 2)];
    s->info.thenCount = t->axes[AXIS_THEN] == 2 ? 2 + below(t, 2) : t->axes[AXIS_THEN];
    s->count = draw_count(t);
    s->count = s->count < t->most ? s->count : t->most;
    draw_bits(t);
    draw_segments(t);
    draw_outputs(t);
    s->gpu_count = gpu_counts[t->axes[AXIS_GPU_COUNT]];
    sort_place(t);
}

/* ---- The operation ---- */

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdSort(recorder, &((const sort_request *)t->own)->info);
}

static void print(const test_request *t)
{
    const VkrSortInfo *info = &((const sort_request *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_number("algorithm", info->algorithm);
    test_print_view("keys", &info->keys);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_segments(&info->segments);
    test_print_number("beginBit", info->beginBit);
    test_print_number("endBit", info->endBit);
    test_print_number("workgroupSize", info->workgroupSize);
    for (uint32_t i = 0; i < info->thenCount; i++) {
        test_print_number("then.flags", info->then[i].flags);
        test_print_view("then.keys", &info->then[i].keys);
        test_print_number("then.beginBit", info->then[i].beginBit);
        test_print_number("then.endBit", info->then[i].endBit);
    }
    test_print_view("sorted", &info->sorted);
    test_print_view("indices", &info->indices);
    test_print_payloads(info->payloadCount, info->payloads);
}

const test_operation test_sort = {
    .name = "sort",
    .call = "vkrCmdSort",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_PAYLOADS] = {"payloads", 6},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_ALGORITHM] = {"algorithm", ARRAY_SIZE(algorithms)},
             [AXIS_ORDER] = {"order", 8},
             [AXIS_BITS] = {"bits", 3},
             [AXIS_SEGMENTS] = {"segments", SEGMENT_WAYS},
             [AXIS_COUNT] = {"count", 4},
             [AXIS_KEYS] = {"keys", 3},
             [AXIS_INDICES] = {"indices", 2},
             [AXIS_STRIDED] = {"strided", 2},
             [AXIS_GPU_COUNT] = {"gpu-count", ARRAY_SIZE(gpu_counts)},
             [AXIS_THEN] = {"then", 3}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_PAYLOADS | 1u << AXIS_ALGORITHM | 1u << AXIS_ORDER |
               1u << AXIS_SEGMENTS | 1u << AXIS_KEYS | 1u << AXIS_GPU_COUNT,
    .layouts = 3,
    .together = 1, /* payloads of many elements are large */
    .size = sizeof(sort_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = sort_fill,
    .record = record,
    .expect = sort_expect,
    .print = print,
    .fixed = {{"test_short_rows", SORT_SHORT, sort_make_short, 0, 0},
              {"test_keys", SORT_KEYS, sort_make_keys, 0, 0},
              {"test_windows", SORT_WINDOWS, sort_make_windows, 0, 0},
              {"test_apart", SORT_APART, sort_make_apart, 0, 0},
              {"test_columns", SORT_COLUMNS, sort_make_columns, 0, 0}},
};
