/* SPDX-License-Identifier: MIT */
/* vkrCmdTopK against a scalar selection: all choices, with sizes at which rows are cut in different
 * ways; and large selections. */
#include <stdlib.h>
#include <string.h>

#include "topk_request.h"

enum {
    AXIS_TYPE,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_FLAGS,
    AXIS_OUTPUTS,
    AXIS_PAYLOAD,
    AXIS_STRIDED,
    AXIS_SEGMENTS
};

/* Rows, columns, or by offsets. */
enum { BESIDE, APART, COLUMNS, OFFSETS, OFFSETS_WANTED, SEGMENT_WAYS };

static const distribution kinds[] = {DATA_BITS,        DATA_NAN,    DATA_SOME_NAN, DATA_INFINITE,
                                     DATA_NAN_BUT_ONE, DATA_RANDOM, DATA_CONSTANT, DATA_ASCENDING,
                                     DATA_DESCENDING,  DATA_ZEROS,  DATA_UNIT};
#define FLOAT_KINDS 5u /* the first ones */
static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL};
static const uint32_t payload_sizes[] = {1, 4, 6, 16, 24};
static const uint32_t workgroups[] = {0, 64, 128};
static const uint32_t flags[] = {0,
                                 VKR_TOP_K_LEAST_BIT,
                                 VKR_TOP_K_UNSORTED_BIT,
                                 VKR_TOP_K_LEAST_BIT | VKR_TOP_K_UNSORTED_BIT |
                                     VKR_TOP_K_ANY_TIES_BIT,
                                 VKR_TOP_K_BY_VALUE_BIT,
                                 VKR_TOP_K_BY_VALUE_BIT | VKR_TOP_K_LEAST_BIT};
static const uint32_t output_sets[] = {GIVES_VALUES | GIVES_INDICES,
                                       GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_INDICES | GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_INDICES,
                                       GIVES_FOUND};

#define ROWS(count, length, k)                                                                     \
    {                                                                                              \
        count, length, k, 0, 0, 0                                                                  \
    }

/* Whole rows and parts, one entry and all of them. */
static const selection_size sizes[] = {ROWS(0, 0, 3),
                                       ROWS(1, 0, 1),
                                       ROWS(3, 0, 5),
                                       ROWS(257, 0, 1),
                                       ROWS(1000, 0, 100),
                                       ROWS(4099, 0, 1950),
                                       ROWS(16385, 0, 37),
                                       ROWS(50021, 0, 1),
                                       ROWS(70001, 0, 1500),
                                       ROWS(40000, 0, 1900),
                                       ROWS(4097, 5, 2),
                                       ROWS(1000, 64, 64),
                                       ROWS(3001, 7, 9),
                                       ROWS(100, 1, 1),
                                       ROWS(5000, 300, 17),
                                       ROWS(60000, 20001, 9),
                                       ROWS(90000, 44999, 1800),
                                       ROWS(4001, 3, 2),
                                       ROWS(777, 2, 1)};

/* Many entries, many rows, and long rows. */
static const selection_size large[] = {ROWS(400000, 0, 65536),
                                       ROWS(65536, 0, 65536),
                                       ROWS(1000000, 0, 100),
                                       ROWS(400000, 100, 3),
                                       ROWS(300000, 3, 2),
                                       ROWS(500000, 100000, 50),
                                       ROWS(600000, 5000, 1000),
                                       ROWS(1048576, 0, 1),
                                       {500000, 30000, 700, 11, 0, 0},
                                       /* A giant segment among tiny ones, and few long ones. */
                                       {400000, 0, 5, 0, 5000, 0},
                                       {300000, 0, 1500, 0, 6, 0},
                                       /* Few columns, and many. */
                                       {400000, 0, 3, 0, 0, 4},
                                       {400000, 0, 3, 0, 0, 20000},
                                       {300000, 0, 1500, 0, 0, 30}};

static VkrType unit_of(uint32_t payload)
{
    return payload % 4 == 0 ? VKR_TYPE_U32 : payload % 2 == 0 ? VKR_TYPE_U16 : VKR_TYPE_U8;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    return has_order(a, (VkrType)(axes[AXIS_TYPE] + 1)) &&
           has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           workgroups[axes[AXIS_WORKGROUP]] <= a->workgroup &&
           ((output_sets[axes[AXIS_OUTPUTS]] & GIVES_PAYLOADS) == 0 ||
            a->types[unit_of(payload_sizes[axes[AXIS_PAYLOAD]])]);
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
}

/* ---- A request ---- */

static VkDeviceSize stride_of(const selection *s, VkrType type)
{
    return (s->strided ? 3 : 1) * (VkDeviceSize)vkrTypeSize(type);
}

/* The first entries, all of which are written; with more than a row has, there are gaps. */
static uint64_t whole_entries(const selection *s)
{
    if (s->size.segments != 0)
        return 0;
    if (s->size.columns != 0)
        return (uint64_t)s->rows * (s->size.k < s->length ? s->size.k : s->length);
    const uint64_t before = s->rows > 1 && s->size.k <= s->length ? s->rows - 1 : 0;
    const uint64_t left = s->size.count - before * s->pitch;
    const uint64_t last = left < s->length ? left : s->length;
    return before * s->size.k + (s->size.k < last ? s->size.k : last);
}

/* The GPU may know of fewer segments, for which nothing is written. */
static void place_offsets(test_request *t, VkrType count)
{
    selection *s = t->own;
    VkrSegments *segments = &s->info.segments;
    const VkrType type = count == VKR_TYPE_U64 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    const VkDeviceSize rows = s->rows;
    if ((s->outputs & GIVES_FOUND) != 0)
        test_end_port(t, 4 * rows);
    segments->kind = VKR_SEGMENTS_OFFSETS;
    segments->offsetType = type;
    segments->offsets = test_room(t, 4, (rows + 1) * vkrTypeSize(type));
    segments->gpuCount = test_count(t, count, rows);
    if (s->wants)
        s->info.wanted = test_room(t, 4, 4 * rows);
}

static void place(test_request *t, VkrType count)
{
    selection *s = t->own;
    VkrTopKInfo *info = &s->info;
    const uint64_t entries = (uint64_t)s->rows * s->size.k, gaps = entries - whole_entries(s);
    info->input =
        test_input(t, s->type, 1, stride_of(s, s->type), vkrTypeSize(s->type), s->size.count);
    if ((s->outputs & GIVES_VALUES) != 0) {
        info->values = test_output(t, s->type, 1, stride_of(s, s->type), entries);
        test_end_port(t, gaps * info->values.stride);
    }
    if ((s->outputs & GIVES_INDICES) != 0) {
        info->indices = test_output(t, VKR_TYPE_U32, 1, stride_of(s, VKR_TYPE_U32), entries);
        test_end_port(t, gaps * info->indices.stride);
    }
    if ((s->outputs & GIVES_PAYLOADS) != 0) {
        const uint64_t most = entries > s->size.count ? entries : s->size.count;
        s->payload = test_payload(t, s->payload_size, s->strided ? 2 : 0, false, 0, most);
        test_end_port(t, (most - entries + gaps) * s->payload.targetStride);
        info->payloadCount = 1;
        info->payloads = &s->payload;
    }
    if ((s->outputs & GIVES_FOUND) != 0)
        info->found = test_written(t, 4, 4 * (VkDeviceSize)s->rows);
    if (s->size.segments != 0)
        place_offsets(t, count);
    info->gpuCount = test_count(t, count, s->size.count);
}

static void make_size(test_request *t, selection_size z, VkrType count)
{
    selection *s = t->own;
    if (z.count > t->most)
        z.count = t->most;
    if (z.columns != 0)
        z.count -= z.count % z.columns;
    s->size = z;
    s->length = z.length == 0 ? z.count : z.length;
    s->pitch = s->length + z.gap;
    s->step = 1;
    s->rows = z.segments != 0 ? z.segments
              : z.length == 0 ? 1
                              : (z.count + s->pitch - 1) / s->pitch;
    if (z.columns != 0) {
        s->rows = s->step = z.columns;
        s->length = z.count / z.columns;
        s->pitch = 1;
        s->info.segments = (VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = z.columns};
    }
    s->info.label = "topk";
    s->info.count = z.count;
    s->info.k = z.k;
    if (z.length != 0)
        s->info.segments = (VkrSegments){
            .kind = VKR_SEGMENTS_ROWS, .length = z.length, .pitch = z.gap == 0 ? 0 : s->pitch};
    place(t, count);
}

static void make(test_request *t)
{
    selection *s = t->own;
    s->type = (VkrType)(t->axes[AXIS_TYPE] + 1);
    s->outputs = output_sets[t->axes[AXIS_OUTPUTS]];
    s->payload_size = payload_sizes[t->axes[AXIS_PAYLOAD]];
    s->strided = t->axes[AXIS_STRIDED] != 0;
    s->info.flags = flags[t->axes[AXIS_FLAGS]];
    s->info.workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]];
    const uint32_t first = is_float(s->type) ? 0 : FLOAT_KINDS;
    s->data = kinds[first + test_below(t, ARRAY_SIZE(kinds) - first)];
    selection_size z =
        sizes[(t->layout + random_below(&t->structure, ARRAY_SIZE(sizes))) % ARRAY_SIZE(sizes)];
    const uint32_t way = t->axes[AXIS_SEGMENTS], most = 20000 / z.k;
    if (way == APART && z.length != 0)
        z.gap = 1 + test_below(t, test_below(t, 2) == 0 ? 4 : 2 * z.length);
    if (way >= OFFSETS)
        z = (selection_size){.count = z.count,
                             .k = z.k,
                             .segments = 1 + test_below(t, test_below(t, 3) == 0 ? 4
                                                           : most < 400          ? most + 1
                                                                                 : 400)};
    if (way == COLUMNS)
        z = (selection_size){
            .count = z.count, .k = z.k, .columns = 1 + test_below(t, most < 200 ? most + 1 : 200)};
    s->wants = way == OFFSETS_WANTED;
    /* What is found of columns needs the host's number. */
    const bool known = way == COLUMNS && (s->outputs & GIVES_FOUND) != 0;
    make_size(t, z, known ? VKR_TYPE_UNDEFINED : counts[t->axes[AXIS_GPU_COUNT]]);
}

static bool make_large(test_request *t, uint32_t number)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_I64};
    selection *s = t->own;
    s->type = types[number % ARRAY_SIZE(types)];
    s->outputs = GIVES_VALUES | GIVES_INDICES | GIVES_FOUND;
    s->info.flags = number % 2 == 0 ? 0 : VKR_TOP_K_LEAST_BIT;
    s->data = DATA_RANDOM;
    if (has_order(&rig.device, s->type))
        make_size(t, large[number], VKR_TYPE_UNDEFINED);
    return has_order(&rig.device, s->type);
}

/* By value, of rows that are ranked, of few and of many elements that are sorted, and of segments
 * between offsets: zeros and NaN. */
static bool make_values(test_request *t, uint32_t number)
{
    static const VkrType floats[] = {VKR_TYPE_F16, VKR_TYPE_F32, VKR_TYPE_F64};
    static const selection_size few[] = {
        ROWS(1000, 64, 20), ROWS(16385, 0, 37), ROWS(20000, 0, 1950), {9000, 0, 5, 0, 40, 0}};
    selection *s = t->own;
    s->type = floats[number % ARRAY_SIZE(floats)];
    s->outputs = GIVES_VALUES | GIVES_INDICES | GIVES_FOUND;
    s->info.flags = VKR_TOP_K_BY_VALUE_BIT | (number % 2 == 0 ? 0u : VKR_TOP_K_LEAST_BIT);
    s->data = DATA_ZEROS;
    if (has_order(&rig.device, s->type))
        make_size(t, few[number / ARRAY_SIZE(floats)], VKR_TYPE_UNDEFINED);
    return has_order(&rig.device, s->type);
}

/* Segments of equal elements, of which a workgroup goes over several: of each element by each of
 * many digits. */
static bool make_equal(test_request *t, uint32_t number)
{
    static const uint32_t lengths[] = {8000, 2000, 16000};
    selection *s = t->own;
    s->type = number % 2 == 0 ? VKR_TYPE_U64 : VKR_TYPE_I16;
    s->outputs = GIVES_INDICES;
    s->data = DATA_CONSTANT;
    s->even = true;
    s->strided = number % 2 == 0;
    if (has_order(&rig.device, s->type))
        make_size(t, (selection_size){64 * lengths[number % 3], 0, 1999, 0, 64, 0},
                  VKR_TYPE_UNDEFINED);
    return has_order(&rig.device, s->type);
}

static void fill(test_request *t)
{
    const selection *s = t->own;
    if (s->size.segments != 0)
        selection_fill_offsets(t);
    const VkrView *input = &s->info.input;
    if (test_fills(t, input->buffer, input->offset))
        fill_data(&t->random, s->data, s->type, 1, test_element(input, 0), (size_t)input->stride,
                  s->size.count);
    for (uint32_t i = 0; i < s->size.count && s->data == DATA_ZEROS && is_float(s->type) &&
                         test_fills(t, input->buffer, input->offset);
         i++)
        vary_floats(&t->random, s->type, 1, test_below(t, 8) == 0, test_element(input, i));
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdTopK(recorder, &((const selection *)t->own)->info);
}

static void print(const test_request *t)
{
    const VkrTopKInfo *info = &((const selection *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_view("input", &info->input);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_segments(&info->segments);
    test_print_number("k", info->k);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_view("values", &info->values);
    test_print_view("indices", &info->indices);
    test_print_payloads(info->payloadCount, info->payloads);
    test_print_range("found", &info->found);
    test_print_range("wanted", &info->wanted);
}

const test_operation test_topk = {
    .name = "topk",
    .call = "vkrCmdTopK",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_GPU_COUNT] = {"count", ARRAY_SIZE(counts)},
             [AXIS_FLAGS] = {"flags", ARRAY_SIZE(flags)},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(output_sets)},
             [AXIS_PAYLOAD] = {"payload", ARRAY_SIZE(payload_sizes)},
             [AXIS_STRIDED] = {"strided", 2},
             [AXIS_SEGMENTS] = {"segments", SEGMENT_WAYS}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_LIMITS | 1u << AXIS_WORKGROUP | 1u << AXIS_GPU_COUNT |
               1u << AXIS_FLAGS | 1u << AXIS_OUTPUTS | 1u << AXIS_PAYLOAD,
    .layouts = ARRAY_SIZE(sizes),
    .thin = 4,
    .size = sizeof(selection),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = selection_expect,
    .print = print,
    .fixed = {{"test_large", ARRAY_SIZE(large), make_large, 0, 0},
              {"test_values", 12, make_values, 0, 0},
              {"test_equal", 6, make_equal, 0, 0}},
};
