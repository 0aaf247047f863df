/* SPDX-License-Identifier: MIT */
/* vkrCmdMerge: types, orders, outputs, payloads, counts, workgroups and limits, each with several
 * sizes, strides and kinds of data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_histogram.h"
#include "oracle_sort.h"

enum {
    AXIS_TYPE,
    AXIS_FLAGS,
    AXIS_OUTPUTS,
    AXIS_PAYLOADS,
    AXIS_COUNTS, /* a count of the GPU for one sequence, and for the other one */
    AXIS_WORKGROUP,
    AXIS_DATA,
    AXIS_LIMITS,
    AXIS_MAP
};

enum { MERGED = 1, INDICES = 2 };      /* bits of AXIS_OUTPUTS */
enum { NO_MAP, MAPS_A, MAPS_B, MAPS }; /* which is the second of two components */
enum { SIDE_A, SIDE_B, SIDES };

#define PAYLOADS 3u
static const uint32_t payload_sets[][PAYLOADS] = {{0}, {4}, {12, 2}, {16, 1}, {64}, {4, 8, 4}};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t workgroups[][2] = {{0, 0}, {1, 2}, {8, 16}, {64, 128}};

typedef enum data_kind {
    DATA_OF_BITS, /* all bits, so NaN of both signs, too */
    DATA_OF_FEW,  /* a few values, many times each */
    DATA_OF_ONE,
    DATA_NEAR,  /* small integers */
    DATA_APART, /* all of one sequence come before all of the other one */
    DATA_KINDS
} data_kind;

typedef struct merge {
    VkrMergeInfo info;
    VkrMergePayload payloads[PAYLOADS];
    uint64_t few[6];
    uint64_t counts[SIDES], all; /* as far as the host knows */
} merge;

static const VkrMap second = {.weights = {0, 1}};

static VkrType type_of(const test_request *t)
{
    return (VkrType)(t->axes[AXIS_TYPE] + 1);
}

static const VkrMergeInput *side_of(const merge *s, uint32_t side)
{
    return side == SIDE_A ? &s->info.a : &s->info.b;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const uint32_t *sizes = payload_sets[axes[AXIS_PAYLOADS]];
    for (uint32_t i = 0; i < PAYLOADS; i++)
        if ((sizes[i] % 2 != 0 && !a->types[VKR_TYPE_U8]) ||
            (sizes[i] % 4 == 2 && !a->types[VKR_TYPE_U16]))
            return false;
    if (axes[AXIS_OUTPUTS] == 0 && sizes[0] == 0)
        return false;
    if (axes[AXIS_MAP] != NO_MAP && (type != VKR_TYPE_F32 || axes[AXIS_DATA] < DATA_NEAR))
        return false;
    return has_order(a, type) && has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           workgroups[axes[AXIS_WORKGROUP]][1] <= a->workgroup;
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
    if (is_float(type) && test_below(t, 8) == 0)
        bits = ~(uint64_t)0 << (test_below(t, 2) == 0 ? 3 : 0);
    return bits;
}

static void draw(test_request *t, uint32_t side, void *at)
{
    const merge *s = t->own;
    const VkrType type = type_of(t);
    const uint32_t kind = t->axes[AXIS_DATA];
    uint64_t bits = s->few[0];
    if (kind == DATA_OF_BITS)
        bits = draw_bits(t);
    else if (kind == DATA_OF_FEW)
        bits = s->few[test_below(t, ARRAY_SIZE(s->few))];
    else if (kind == DATA_NEAR)
        bits = test_below(t, 2000) + (uint64_t)-1000;
    else if (kind == DATA_APART)
        bits = test_below(t, 50) + (side == s->few[0] % 2 ? 64 : 1);
    if (kind >= DATA_NEAR && is_float(type))
        oracle_encode(type, (double)(int64_t)bits, at);
    else
        memcpy(at, &bits, vkrTypeSize(type)); /* little-endian */
}

static oracle_sort_info order_of(const test_request *t)
{
    const uint32_t flags = t->axes[AXIS_FLAGS];
    return (oracle_sort_info){.type = type_of(t),
                              .descending = (flags & VKR_MERGE_DESCENDING_BIT) != 0,
                              .nan_first = (flags & VKR_MERGE_NAN_FIRST_BIT) != 0,
                              .by_value = (flags & VKR_MERGE_BY_VALUE_BIT) != 0};
}

static oracle_sort_info sorting;

static int compare(const void *a, const void *b)
{
    return oracle_compare_values(&sorting, a, b);
}

/* The bytes of element i of a view: of two components, the second one's. */
static void *value_at(const VkrView *view, uint64_t i)
{
    return (char *)test_element(view, i) + (view->map != NULL ? vkrTypeSize(view->type) : 0);
}

/* Those past the GPU's count are in no order. */
static void fill_side(test_request *t, uint32_t side)
{
    const merge *s = t->own;
    const VkrMergeInput *input = side_of(s, side);
    const size_t size = vkrTypeSize(type_of(t));
    const uint64_t count = s->counts[side];
    char *all = calloc(count + 1, size);
    assert_non_null(all);
    for (uint64_t i = 0; i < count; i++)
        draw(t, side, all + i * size);
    sorting = order_of(t);
    qsort(all, test_filled(t, &input->gpuCount, count), size, compare);
    for (uint64_t i = 0; i < count; i++)
        memcpy(value_at(&input->keys, i), all + i * size, size);
    free(all);
}

static void fill(test_request *t)
{
    for (uint32_t side = 0; side < SIDES; side++)
        fill_side(t, side);
}

/* ---- A merge ---- */

static VkDeviceSize draw_stride(test_request *t, VkrType type, uint32_t components)
{
    const uint32_t more = test_below(t, 2) == 0 ? 0 : test_below(t, 3);
    return (VkDeviceSize)vkrTypeSize(type) * (components + more);
}

/* Sorted data are not what an earlier request wrote. */
static VkrMergeInput place_side(test_request *t, uint32_t side, VkrType counted)
{
    const merge *s = t->own;
    const VkrType type = type_of(t);
    const bool mapped = t->axes[AXIS_MAP] == (side == SIDE_A ? MAPS_A : MAPS_B);
    const uint32_t components = mapped ? 2 : 1;
    const uint64_t count = s->counts[side];
    VkrMergeInput input = {.keys =
                               test_own_input(t, type, components, draw_stride(t, type, components),
                                              vkrTypeSize(type), count),
                           .count = count != 0 && test_below(t, 2) == 0 ? VKR_COUNT_ALL : count};
    input.keys.map = mapped ? &second : NULL;
    input.gpuCount = test_count(t, counted, count);
    return input;
}

static VkrView place_output(test_request *t, uint32_t bit, VkrType type)
{
    const merge *s = t->own;
    if ((t->axes[AXIS_OUTPUTS] & bit) == 0)
        return (VkrView){0};
    VkrView view = test_output(t, type, 1, draw_stride(t, type, 1), s->all);
    if (test_below(t, 2) == 0)
        view.type = VKR_TYPE_UNDEFINED;
    return view;
}

static VkrMergePayload place_payload(test_request *t, uint32_t size)
{
    const merge *s = t->own;
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    const uint32_t alignment = size % 16 == 0 && test_below(t, 2) == 0 ? 16 : unit;
    const VkDeviceSize a = test_below(t, 2) * unit, b = test_below(t, 2) * unit,
                       target = size + test_below(t, 2) * unit;
    return (VkrMergePayload){
        .size = size,
        .a = test_read(t, alignment, s->counts[SIDE_A] * (size + a) + size),
        .aStride = a != 0 ? size + a : 0,
        .b = test_read(t, alignment, s->counts[SIDE_B] * (size + b) + size),
        .bStride = b != 0 ? size + b : 0,
        .target = test_written(t, alignment, s->all != 0 ? (s->all - 1) * target + size : 0),
        .targetStride = target};
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 2, 15, 31, 120, 1023, 1024, 1025, 1920, 8191, 8193};
    const bool small = limits_rows[t->limits].maxStorageBufferRange != 0;
    const uint32_t *payload = payload_sets[t->axes[AXIS_PAYLOADS]];
    const uint32_t counts = t->axes[AXIS_COUNTS];
    merge *s = t->own;
    VkrMergeInfo *info = &s->info;
    for (uint32_t i = 0; i < ARRAY_SIZE(s->few); i++)
        s->few[i] = draw_bits(t);
    for (uint32_t side = 0; side < SIDES; side++) {
        s->counts[side] = test_size(t, sizes, ARRAY_SIZE(sizes), small ? 20000 : 12000);
        s->all += s->counts[side];
    }
    info->label = "merge";
    info->flags = t->axes[AXIS_FLAGS];
    info->workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]][test_below(t, 2)];
    info->a = place_side(t, SIDE_A, count_types[counts % ARRAY_SIZE(count_types)]);
    info->b = place_side(t, SIDE_B, count_types[counts / ARRAY_SIZE(count_types)]);
    info->merged = place_output(t, MERGED, type_of(t));
    info->indices = place_output(t, INDICES, VKR_TYPE_U32);
    for (; info->payloadCount < PAYLOADS && payload[info->payloadCount] != 0; info->payloadCount++)
        s->payloads[info->payloadCount] = place_payload(t, payload[info->payloadCount]);
    info->payloads = s->payloads;
}

/* Sequences and outputs that a descriptor does not reach, with a payload that moves with them. */
static bool make_windows(test_request *t, uint32_t number)
{
    t->axes[AXIS_TYPE] = VKR_TYPE_U32 - 1;
    t->axes[AXIS_OUTPUTS] = number % 2 == 0 ? MERGED : MERGED | INDICES;
    t->axes[AXIS_PAYLOADS] = 1;
    t->axes[AXIS_COUNTS] = number;
    t->axes[AXIS_WORKGROUP] = number % 2 == 0 ? 0 : 3;
    t->axes[AXIS_DATA] = number;
    t->axes[AXIS_LIMITS] = t->limits = LIMITS_SMALL;
    make(t);
    return true;
}

/* Sequences by value, of zeros, NaN and few numbers, that a workgroup merges, or an invocation. */
static bool make_values(test_request *t, uint32_t number)
{
    static const VkrType floats[] = {VKR_TYPE_F16, VKR_TYPE_F32, VKR_TYPE_F64};
    merge *s = t->own;
    const VkrType type = floats[number % ARRAY_SIZE(floats)];
    t->axes[AXIS_TYPE] = type - 1;
    t->axes[AXIS_FLAGS] = VKR_MERGE_BY_VALUE_BIT;
    t->axes[AXIS_OUTPUTS] = MERGED | INDICES;
    t->axes[AXIS_WORKGROUP] = number < ARRAY_SIZE(floats) ? 3 : 1;
    t->axes[AXIS_DATA] = DATA_OF_FEW;
    if (!has_order(&rig.device, type) || rig.device.workgroup < workgroups[3][1])
        return false;
    make(t);
    s->few[0] = 0;
    s->few[1] = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    s->few[2] = UINT64_MAX;
    s->few[3] = UINT64_MAX >> 3;
    return true;
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdMerge(recorder, &((const merge *)t->own)->info);
}

/* ---- What is expected ---- */

static void expect_output(const merge *s, uint64_t to, uint32_t side, uint64_t from)
{
    const VkrMergeInfo *info = &s->info;
    const VkrMergeInput *input = side_of(s, side);
    const uint32_t index = (uint32_t)(side == SIDE_A ? from : s->counts[SIDE_A] + from);
    if (info->merged.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->merged, to), value_at(&input->keys, from),
               vkrTypeSize(input->keys.type));
    if (info->indices.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->indices, to), &index, 4);
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        const VkrMergePayload *p = &info->payloads[i];
        const VkDeviceSize stride = side == SIDE_A ? p->aStride : p->bStride;
        const VkrPayload payload = {.size = p->size,
                                    .source = side == SIDE_A ? p->a : p->b,
                                    .sourceStride = stride != 0 ? stride : p->size,
                                    .target = p->target,
                                    .targetStride = p->targetStride};
        test_expect_payload(&payload, to, from);
    }
}

static oracle_sort_info sorted_of(const test_request *t, uint32_t side)
{
    const merge *s = t->own;
    const VkrMergeInput *input = side_of(s, side);
    oracle_sort_info sorted = order_of(t);
    sorted.count = test_counted(&input->gpuCount, s->counts[side]);
    sorted.stride = input->keys.stride;
    sorted.data = value_at(&input->keys, 0);
    return sorted;
}

static void expect(test_request *t)
{
    const merge *s = t->own;
    const oracle_sort_info a = sorted_of(t, SIDE_A), b = sorted_of(t, SIDE_B);
    uint32_t *order = calloc(a.count + b.count + 1, sizeof *order);
    assert_non_null(order);
    oracle_merge(&a, &b, order);
    for (uint64_t i = 0; i < a.count + b.count; i++)
        expect_output(s, i, order[i] < a.count ? SIDE_A : SIDE_B,
                      order[i] < a.count ? order[i] : order[i] - a.count);
    rig.cases += a.count + b.count;
    free(order);
}

static void print(const test_request *t)
{
    const VkrMergeInfo *info = &((const merge *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_view("a.keys", &info->a.keys);
    test_print_number("a.count", info->a.count);
    test_print_count("a.gpuCount", &info->a.gpuCount);
    test_print_view("b.keys", &info->b.keys);
    test_print_number("b.count", info->b.count);
    test_print_count("b.gpuCount", &info->b.gpuCount);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_view("merged", &info->merged);
    test_print_view("indices", &info->indices);
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        test_print_number("payloads.size", info->payloads[i].size);
        test_print_number("payloads.aStride", info->payloads[i].aStride);
        test_print_number("payloads.bStride", info->payloads[i].bStride);
        test_print_number("payloads.targetStride", info->payloads[i].targetStride);
    }
}

const test_operation test_merge = {
    .name = "merge",
    .call = "vkrCmdMerge",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_FLAGS] = {"flags", 8},
             [AXIS_OUTPUTS] = {"outputs", 4},
             [AXIS_PAYLOADS] = {"payloads", ARRAY_SIZE(payload_sets)},
             [AXIS_COUNTS] = {"counts", ARRAY_SIZE(count_types) * ARRAY_SIZE(count_types)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_DATA] = {"data", DATA_KINDS},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_MAP] = {"map", MAPS}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_FLAGS | 1u << AXIS_OUTPUTS | 1u << AXIS_WORKGROUP |
               1u << AXIS_DATA,
    .layouts = 5,
    .size = sizeof(merge),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .print = print,
    .fixed = {{"test_windows", DATA_KINDS, make_windows, 2, 0},
              {"test_values", 6, make_values, 0, 0}},
};
