/* SPDX-License-Identifier: MIT */
/* vkrCmdBounds: types, orders, outputs, counts, maps and limits, each with several sizes, strides
 * and kinds of data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_bounds.h"
#include "oracle_histogram.h"

enum { AXIS_TYPE, AXIS_FLAGS, AXIS_OUTPUTS, AXIS_COUNT, AXIS_VALUE_COUNT, AXIS_LIMITS, AXIS_MAPS };
enum { NO_MAP, MAPS_SORTED, MAPS_VALUES }; /* which are the second of two components */

#define NONE VKR_TYPE_COUNT
static const VkrType outputs[][2] = {
    {VKR_TYPE_UNDEFINED, NONE},   {NONE, VKR_TYPE_UNDEFINED},         {VKR_TYPE_U32, VKR_TYPE_U32},
    {VKR_TYPE_U64, VKR_TYPE_U64}, {VKR_TYPE_U64, VKR_TYPE_UNDEFINED}, {NONE, VKR_TYPE_U64},
};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

typedef enum data_kind {
    DATA_OF_BITS, /* all bits, so NaN of both signs, too */
    DATA_OF_FEW,  /* a few values, many times each */
    DATA_OF_ONE,
    DATA_NEAR, /* small integers */
    DATA_KINDS
} data_kind;

typedef struct search {
    VkrBoundsInfo info;
    data_kind kind;
    uint64_t few[6];
    uint64_t count, values; /* as far as the host knows */
} search;

static const VkrMap second = {.weights = {0, 1}};

static VkrType type_of(const test_request *t)
{
    return (VkrType)(t->axes[AXIS_TYPE] + 1);
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    return has_order(a, type) && has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           (axes[AXIS_MAPS] == NO_MAP || type == VKR_TYPE_F32);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
}

/* ---- Data ---- */

static uint64_t draw_bits(test_request *t)
{
    const VkrType type = type_of(t);
    const double special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1.0, -1.0};
    uint64_t bits = next_random(&t->random);
    if (is_float(type) && test_below(t, 4) == 0) {
        bits = 0;
        oracle_encode(type, special[test_below(t, ARRAY_SIZE(special))], &bits);
    }
    /* A map makes +0 of -0, and of what is smaller than all normal numbers. */
    if (t->axes[AXIS_MAPS] != NO_MAP && (bits & 0x7f800000u) == 0)
        bits = 0;
    if (is_float(type) && test_below(t, 8) == 0)
        bits = ~(uint64_t)0 << (test_below(t, 2) == 0 ? 3 : 0);
    return bits;
}

static void draw(test_request *t, void *at)
{
    const search *s = t->own;
    uint64_t bits = s->few[0];
    if (s->kind == DATA_OF_BITS)
        bits = draw_bits(t);
    else if (s->kind == DATA_OF_FEW)
        bits = s->few[test_below(t, ARRAY_SIZE(s->few))];
    else if (s->kind == DATA_NEAR)
        bits = test_below(t, 2000) + (uint64_t)-1000;
    if (s->kind == DATA_NEAR && is_float(type_of(t)))
        oracle_encode(type_of(t), (double)(int64_t)bits, at);
    else
        memcpy(at, &bits, vkrTypeSize(type_of(t))); /* little-endian */
}

static const test_request *sorting;

static int compare(const void *a, const void *b)
{
    return oracle_order(type_of(sorting), sorting->axes[AXIS_FLAGS], a, b);
}

/* The bytes of value i of a view: of two components, the second one's. */
static void *value_at(const VkrView *view, uint64_t i)
{
    return (char *)test_element(view, i) + (view->map != NULL ? vkrTypeSize(view->type) : 0);
}

static void fill_sorted(test_request *t)
{
    const search *s = t->own;
    const size_t size = vkrTypeSize(type_of(t));
    char *all = calloc(s->count + 1, size);
    assert_non_null(all);
    for (uint64_t i = 0; i < s->count; i++)
        draw(t, all + i * size);
    sorting = t;
    qsort(all, s->count, size, compare);
    for (uint64_t i = 0; i < s->count; i++)
        memcpy(value_at(&s->info.sorted, i), all + i * size, size);
    free(all);
}

/* Half of the values occur among the sorted elements. */
static void fill(test_request *t)
{
    const search *s = t->own;
    const VkrView *values = &s->info.values;
    fill_sorted(t);
    if (!test_fills(t, values->buffer, values->offset))
        return;
    for (uint64_t i = 0; i < s->values; i++) {
        if (s->count == 0 || test_below(t, 2) == 0)
            draw(t, value_at(values, i));
        else
            memcpy(value_at(values, i),
                   value_at(&s->info.sorted, test_below(t, (uint32_t)s->count)),
                   vkrTypeSize(type_of(t)));
    }
}

/* ---- A search ---- */

static VkDeviceSize draw_stride(test_request *t, VkrType type, uint32_t components)
{
    return (VkDeviceSize)vkrTypeSize(type) * (components + test_below(t, 3));
}

/* Sorted data are not what an earlier request wrote, and neither are those with a map, which may
 * make another value of a subnormal one. */
static VkrView place_input(test_request *t, bool is_sorted, bool mapped, uint64_t count)
{
    const VkrType type = type_of(t);
    const uint32_t components = mapped ? 2 : 1;
    VkrView view = (is_sorted || mapped ? test_own_input : test_input)(
        t, type, components, draw_stride(t, type, components), vkrTypeSize(type), count);
    view.map = mapped ? &second : NULL;
    return view;
}

/* The default type is that of 32 bits, unless all indices have 64. */
static VkrType stored_type(const test_request *t, VkrType type)
{
    return type != VKR_TYPE_UNDEFINED    ? type
           : has_wide_indices(t->limits) ? VKR_TYPE_U64
                                         : VKR_TYPE_U32;
}

static VkrView place_output(test_request *t, VkrType type, uint64_t count)
{
    if (type == NONE)
        return (VkrView){0};
    const VkrType stored = stored_type(t, type);
    VkrView view = test_output(t, stored, 1, draw_stride(t, stored, 1), count);
    view.type = type;
    return view;
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 5, 64, 255, 256, 257, 1023};
    const bool small = limits_rows[t->limits].maxStorageBufferRange != 0;
    const VkrType *output = outputs[t->axes[AXIS_OUTPUTS]];
    search *s = t->own;
    VkrBoundsInfo *info = &s->info;
    s->kind = (data_kind)test_below(t, DATA_KINDS);
    for (uint32_t i = 0; i < ARRAY_SIZE(s->few); i++)
        s->few[i] = draw_bits(t);
    s->count = test_size(t, sizes, ARRAY_SIZE(sizes), small ? 150000 : 3000);
    s->values = test_size(t, sizes, ARRAY_SIZE(sizes), small ? 30000 : 3000);
    info->label = "bounds";
    info->flags = t->axes[AXIS_FLAGS];
    info->sorted = place_input(t, true, t->axes[AXIS_MAPS] == MAPS_SORTED, s->count);
    info->count = s->count != 0 && test_below(t, 2) == 0 ? VKR_COUNT_ALL : s->count;
    info->values = place_input(t, false, t->axes[AXIS_MAPS] == MAPS_VALUES, s->values);
    info->valueCount = s->values;
    info->lower = place_output(t, output[0], s->values);
    info->upper = place_output(t, output[1], s->values);
    info->gpuCount = test_count(t, count_types[t->axes[AXIS_COUNT]], s->count);
    info->gpuValueCount = test_count(t, count_types[t->axes[AXIS_VALUE_COUNT]], s->values);
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdBounds(recorder, &((const search *)t->own)->info);
}

static void expect_bound(const test_request *t, const VkrView *view, uint64_t i, uint64_t bound)
{
    memcpy(test_element(view, i), &bound, vkrTypeSize(stored_type(t, view->type)));
}

static void expect(test_request *t)
{
    const search *s = t->own;
    const VkrBoundsInfo *info = &s->info;
    const uint64_t values = test_counted(&info->gpuValueCount, s->values);
    const oracle_sorted sorted = {value_at(&info->sorted, 0), info->sorted.stride,
                                  test_counted(&info->gpuCount, s->count), type_of(t),
                                  t->axes[AXIS_FLAGS]};
    rig.cases += values;
    for (uint64_t i = 0; i < values; i++) {
        const void *value = value_at(&info->values, i);
        if (info->lower.buffer != VK_NULL_HANDLE)
            expect_bound(t, &info->lower, i, oracle_lower_bound(&sorted, value));
        if (info->upper.buffer != VK_NULL_HANDLE)
            expect_bound(t, &info->upper, i, oracle_upper_bound(&sorted, value));
    }
}

static void print(const test_request *t)
{
    const VkrBoundsInfo *info = &((const search *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_view("sorted", &info->sorted);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_view("values", &info->values);
    test_print_number("valueCount", info->valueCount);
    test_print_count("gpuValueCount", &info->gpuValueCount);
    test_print_view("lower", &info->lower);
    test_print_view("upper", &info->upper);
}

const test_operation test_bounds = {
    .name = "bounds",
    .call = "vkrCmdBounds",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_FLAGS] = {"flags", 8},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(outputs)},
             [AXIS_COUNT] = {"count", ARRAY_SIZE(count_types)},
             [AXIS_VALUE_COUNT] = {"value-count", ARRAY_SIZE(count_types)},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_MAPS] = {"maps", 3}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_FLAGS | 1u << AXIS_OUTPUTS | 1u << AXIS_COUNT |
               1u << AXIS_LIMITS | 1u << AXIS_MAPS,
    .layouts = 8,
    .size = sizeof(search),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .print = print,
};
