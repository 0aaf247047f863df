/* SPDX-License-Identifier: MIT */
/* vkrCmdApply: functions, types, segments, counts, maps and limits, each with several sizes,
 * strides and kinds of data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_apply.h"
#include "oracle_histogram.h"
#include "oracle_map.h"

enum {
    AXIS_FUNCTION,
    AXIS_INPUT,
    AXIS_OUTPUT,
    AXIS_SEGMENTS,
    AXIS_COUNT,
    AXIS_WORKGROUP,
    AXIS_LAYOUT,
    AXIS_DATA,
    AXIS_LIMITS
};

enum { WHOLE, BESIDE, APART, OFFSETS, SEGMENT_WAYS };
enum { PACKED, STRIDED, IN_PLACE, LAYOUTS };

/* The last one is the second of two components, as a map makes it. */
static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_F16, VKR_TYPE_BF16, VKR_TYPE_F32};
#define OUTPUTS 3u
#define MAPPED 3u
static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t workgroups[] = {0, 64, 4};
static const VkrMap second = {.weights = {0, 1}};

typedef enum data_kind {
    DATA_OF_UNITS, /* from -4 to 4 */
    DATA_OF_BOTH,  /* from -90 to 90, so that most exponentials are 0 */
    DATA_OF_EQUAL,
    DATA_OF_ONE_SIGN,
    DATA_OF_GREAT, /* great ones cancel each other */
    DATA_OF_RANGES,
    DATA_OF_INTEGERS,
    DATA_OF_SPECIAL, /* some are infinite or NaN */
    DATA_OF_NOTHING, /* nearly all are -inf */
    DATA_KINDS
} data_kind;

typedef struct application {
    VkrApplyInfo info;
    VkrType type, stored;
    bool mapped, in_place;
    uint64_t count, length, pitch;
    uint32_t segments; /* by offsets; 0: none */
} application;

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const bool in_place = axes[AXIS_LAYOUT] == IN_PLACE;
    return a->types[types[axes[AXIS_INPUT]]] && a->types[types[axes[AXIS_OUTPUT]]] &&
           has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           workgroups[axes[AXIS_WORKGROUP]] <= a->workgroup &&
           (!in_place || (axes[AXIS_INPUT] == axes[AXIS_OUTPUT] && axes[AXIS_INPUT] != MAPPED));
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
}

/* ---- A request ---- */

static VkDeviceSize draw_stride(test_request *t, VkrType type, uint32_t components)
{
    const uint32_t more = t->axes[AXIS_LAYOUT] == STRIDED ? 1 + test_below(t, 2) : 0;
    return (VkDeviceSize)vkrTypeSize(type) * (components + more);
}

static void place(test_request *t)
{
    application *s = t->own;
    VkrApplyInfo *info = &s->info;
    const uint32_t components = s->mapped ? 2 : 1, size = vkrTypeSize(s->type);
    const VkDeviceSize stride = draw_stride(t, s->type, components);
    /* Often both views start at multiples of four elements. */
    const VkDeviceSize grain = test_below(t, 2) == 0 ? 16 : size;
    const bool gaps = s->segments != 0 || s->pitch != s->length;
    if (s->in_place)
        info->input = test_aligned_output(t, s->type, 1, stride, grain, s->count);
    else
        info->input = (s->mapped ? test_own_input : test_input)(t, s->type, components, stride,
                                                                grain, s->count);
    info->output = info->input;
    if (!s->in_place && !s->mapped && test_below(t, 2) == 0)
        test_texels(t, &info->input);
    if (!s->in_place)
        info->output = test_aligned_output(t, s->stored, 1, draw_stride(t, s->stored, 1),
                                           grain == 16 ? 16 : vkrTypeSize(s->stored), s->count);
    if (gaps)
        test_end_port(t, s->count * info->output.stride);
    if (s->mapped)
        info->input.map = &second;
    if (s->stored == s->type && test_below(t, 2) == 0)
        info->output.type = VKR_TYPE_UNDEFINED;
}

static void place_segments(test_request *t, VkrType count)
{
    application *s = t->own;
    VkrSegments *segments = &s->info.segments;
    if (s->segments != 0) {
        segments->kind = VKR_SEGMENTS_OFFSETS;
        segments->offsetType = count == VKR_TYPE_U64 ? VKR_TYPE_U64 : VKR_TYPE_U32;
        segments->offsets =
            test_room(t, 4, (VkDeviceSize)(s->segments + 1) * vkrTypeSize(segments->offsetType));
        segments->gpuCount = test_count(t, count, s->segments);
    } else if (s->length != s->count || s->pitch != s->length) {
        segments->kind = VKR_SEGMENTS_ROWS;
        segments->length = s->length;
        segments->pitch = s->pitch == s->length ? 0 : s->pitch;
    }
}

static void make_size(test_request *t, uint64_t count, uint64_t length, uint64_t gap,
                      uint32_t segments)
{
    application *s = t->own;
    const VkrType number = counts[t->axes[AXIS_COUNT]];
    s->count = count < t->most ? count : t->most;
    s->length = length != 0 ? length : s->count;
    s->pitch = s->length + gap;
    s->segments = segments;
    s->info.label = "apply";
    s->info.count = s->count;
    s->info.function = (VkrApplyFunction)t->axes[AXIS_FUNCTION];
    s->info.workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]];
    place(t);
    place_segments(t, number);
    s->info.gpuCount = test_count(t, number, s->count);
}

static void choose_types(test_request *t)
{
    application *s = t->own;
    s->mapped = t->axes[AXIS_INPUT] == MAPPED;
    s->in_place = t->axes[AXIS_LAYOUT] == IN_PLACE;
    s->type = types[t->axes[AXIS_INPUT]];
    s->stored = types[t->axes[AXIS_OUTPUT]];
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 100, 1000, 4095, 4096, 4097, 8200, 20000};
    static const uint32_t lengths[] = {1,   2,   3,   8,    13,   31,   32,  64,
                                       100, 128, 129, 1000, 4093, 4096, 4097};
    const bool small = limits_rows[t->limits].maxStorageBufferRange != 0;
    const uint32_t way = t->axes[AXIS_SEGMENTS];
    const uint64_t count = test_size(t, sizes, ARRAY_SIZE(sizes), small ? 60000 : 20000);
    uint64_t length =
        way == BESIDE || way == APART ? test_size(t, lengths, ARRAY_SIZE(lengths), 9000) : 0;
    length = length == 0 && (way == BESIDE || way == APART) ? 5 : length;
    choose_types(t);
    make_size(t, count, length, way == APART ? 1 + test_below(t, 9) : 0,
              way == OFFSETS ? 1 + test_below(t, test_below(t, 2) == 0 ? 4 : 300) : 0);
}

/* More rows than a dispatch has workgroups on some drivers, and parts of one row and of several. */
static bool make_large(test_request *t, uint32_t number)
{
    static const struct {
        uint32_t count, length, segments;
    } rows[] = {
        {300000, 0, 0}, {200000, 3, 0}, {250000, 100000, 0}, {300000, 0, 3}, {90000, 0, 40000}};
    t->axes[AXIS_FUNCTION] = number % VKR_APPLY_FUNCTION_COUNT;
    choose_types(t);
    make_size(t, rows[number].count, rows[number].length, 0, rows[number].segments);
    return true;
}

/* ---- Data ---- */

static double unit(test_request *t)
{
    return (double)next_random(&t->random) / 0x1p63 - 1;
}

static double draw(test_request *t, data_kind kind, uint64_t i, double equal)
{
    static const double special[] = {HUGE_VAL, -HUGE_VAL, NAN};
    const double x = unit(t);
    switch (kind) {
    case DATA_OF_BOTH:
        return 90 * x;
    case DATA_OF_EQUAL:
        return equal;
    case DATA_OF_ONE_SIGN:
        return 1.001 + x;
    case DATA_OF_GREAT:
        return i % 4 == 0 ? 6e4 : i % 4 == 1 ? -6e4 : x;
    case DATA_OF_RANGES:
        return ldexp(x, (int)test_below(t, 60) - 30);
    case DATA_OF_INTEGERS:
        return floor(10 * x);
    case DATA_OF_SPECIAL:
        return test_below(t, 500) == 0 ? special[test_below(t, 3)] : 30 * x;
    case DATA_OF_NOTHING:
        return test_below(t, 100) == 0 ? x : -HUGE_VAL;
    default:
        return 4 * x;
    }
}

static void *value_at(const application *s, uint64_t i)
{
    return (char *)test_element(&s->info.input, i) + (s->mapped ? vkrTypeSize(s->type) : 0);
}

/* Offsets of tiny segments and of a giant one, of equal ones, of any, or of few that have all
 * elements; some end past the count. */
static void fill_offsets(test_request *t)
{
    const application *s = t->own;
    const VkrSegments *segments = &s->info.segments;
    const uint32_t size = vkrTypeSize(segments->offsetType), way = test_below(t, 4);
    const uint32_t giant = test_below(t, s->segments);
    const uint32_t even = (uint32_t)(s->count / s->segments) + 1;
    uint64_t at = test_below(t, 3) == 0 ? test_below(t, 50) : 0;
    for (uint32_t i = 0; i <= s->segments; i++) {
        memcpy(test_bytes(segments->offsets.buffer, segments->offsets.offset + size * i), &at,
               size);
        at += way == 0   ? (i == giant ? s->count / 2 : test_below(t, 30))
              : way == 1 ? even
              : way == 2 ? test_below(t, 2 * even)
                         : (i < s->segments / 5 ? 5 * even : 0);
        at = at > s->count && test_below(t, 8) != 0 ? s->count : at;
    }
}

static void fill(test_request *t)
{
    const application *s = t->own;
    const data_kind kind = (data_kind)t->axes[AXIS_DATA];
    const double equal = 3 * unit(t);
    if (s->segments != 0)
        fill_offsets(t);
    if (!test_fills(t, s->info.input.buffer, s->info.input.offset))
        return;
    for (uint64_t i = 0; i < s->count; i++)
        oracle_encode(s->type, draw(t, kind, i, equal), value_at(s, i));
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdApply(recorder, &((const application *)t->own)->info);
}

/* ---- What is expected ---- */

static void expect_segment(const test_request *t, uint64_t first, uint64_t count)
{
    const application *s = t->own;
    VkrView output = s->info.output;
    oracle_output *outputs = malloc(count * sizeof *outputs);
    float *x = malloc(count * sizeof *x);
    assert_true(outputs != NULL && x != NULL);
    output.type = s->stored;
    for (uint64_t i = 0; i < count; i++) {
        x[i] = (float)oracle_double(s->type, value_at(s, first + i));
        x[i] = fabsf(x[i]) < 0x1p-126f ? 0.0f : x[i];
    }
    oracle_apply(s->info.function, count, x, outputs);
    for (uint64_t i = 0; i < count; i++) {
        const VkDeviceSize at = output.offset + (first + i) * output.stride;
        const void *actual = test_actual(output.buffer, at);
        rig.cases += outputs[i].tolerance != HUGE_VAL;
        rig.unproven += outputs[i].tolerance == HUGE_VAL;
        if (oracle_accepts_output(&outputs[i], s->stored, actual)) {
            test_accept(output.buffer, at, vkrTypeSize(s->stored));
            continue;
        }
        oracle_encode(s->stored, outputs[i].value, test_bytes(output.buffer, at));
        if (memcmp(test_bytes(output.buffer, at), actual, vkrTypeSize(s->stored)) == 0)
            memset(test_bytes(output.buffer, at), 0x5a, vkrTypeSize(s->stored));
        if (rig.says == 0)
            continue;
        rig.says--;
        printf("# apply, element %u of %u, %.9g: %.9g, but should be %.9g within %g\n", (unsigned)i,
               (unsigned)count, (double)x[i], oracle_double(s->stored, actual), outputs[i].value,
               outputs[i].tolerance);
    }
    free(outputs);
    free(x);
}

static uint64_t offset_at(const VkrSegments *segments, uint64_t i)
{
    const uint32_t size = vkrTypeSize(segments->offsetType);
    uint64_t value = 0;
    memcpy(&value, test_bytes(segments->offsets.buffer, segments->offsets.offset + i * size), size);
    return value;
}

static void expect(test_request *t)
{
    const application *s = t->own;
    const VkrSegments *segments = &s->info.segments;
    const uint64_t all = test_counted(&s->info.gpuCount, s->count);
    const uint64_t rows = s->segments != 0 ? test_counted(&segments->gpuCount, s->segments)
                          : s->count != 0  ? (s->count + s->pitch - 1) / s->pitch
                                           : 0;
    for (uint64_t row = 0; row < rows; row++) {
        const bool by_offsets = s->segments != 0;
        const uint64_t first = by_offsets ? offset_at(segments, row) : row * s->pitch;
        uint64_t end = by_offsets ? offset_at(segments, row + 1) : first + s->length;
        end = end < all ? end : all;
        if (first < end)
            expect_segment(t, first, end - first);
    }
}

static void print(const test_request *t)
{
    const VkrApplyInfo *info = &((const application *)t->own)->info;
    test_print_number("function", info->function);
    test_print_view("input", &info->input);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_segments(&info->segments);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_view("output", &info->output);
}

const test_operation test_apply = {
    .name = "apply",
    .call = "vkrCmdApply",
    .axes = {[AXIS_FUNCTION] = {"function", VKR_APPLY_FUNCTION_COUNT},
             [AXIS_INPUT] = {"input", ARRAY_SIZE(types)},
             [AXIS_OUTPUT] = {"output", OUTPUTS},
             [AXIS_SEGMENTS] = {"segments", SEGMENT_WAYS},
             [AXIS_COUNT] = {"count", ARRAY_SIZE(counts)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_LAYOUT] = {"places", LAYOUTS},
             [AXIS_DATA] = {"data", DATA_KINDS},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT}},
    .triples = 1u << AXIS_FUNCTION | 1u << AXIS_INPUT | 1u << AXIS_OUTPUT | 1u << AXIS_SEGMENTS |
               1u << AXIS_LAYOUT | 1u << AXIS_LIMITS,
    .layouts = 8,
    .thin = 4,
    .size = sizeof(application),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .print = print,
    .fixed = {{"test_large", 5, make_large, 0, 0}},
};
