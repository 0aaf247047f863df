/* SPDX-License-Identifier: MIT */
/* vkrCmdTopK against a scalar selection: all choices, with sizes at which rows are cut in different
 * ways; and large selections. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_sort.h"

enum {
    AXIS_TYPE,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_FLAGS,
    AXIS_OUTPUTS,
    AXIS_PAYLOAD,
    AXIS_STRIDED,
    AXIS_APART
};

enum { GIVES_VALUES = 1, GIVES_INDICES = 2, GIVES_PAYLOADS = 4, GIVES_FOUND = 8 };

static const distribution kinds[] = {DATA_BITS,        DATA_NAN,    DATA_SOME_NAN, DATA_INFINITE,
                                     DATA_NAN_BUT_ONE, DATA_RANDOM, DATA_CONSTANT, DATA_ASCENDING,
                                     DATA_DESCENDING,  DATA_ZEROS,  DATA_UNIT};
#define FLOAT_KINDS 5u /* the first ones */
static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL};
static const uint32_t payload_sizes[] = {1, 4, 6, 16, 24};
static const uint32_t workgroups[] = {0, 64, 128};
static const uint32_t flags[] = {0, VKR_TOP_K_LEAST_BIT, VKR_TOP_K_UNSORTED_BIT,
                                 VKR_TOP_K_LEAST_BIT | VKR_TOP_K_UNSORTED_BIT |
                                     VKR_TOP_K_ANY_TIES_BIT};
static const uint32_t output_sets[] = {GIVES_VALUES | GIVES_INDICES,
                                       GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_INDICES | GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_INDICES,
                                       GIVES_FOUND};

typedef struct size {
    uint32_t count;
    uint32_t length; /* of rows; 0: none */
    uint32_t k;
    uint32_t gap; /* elements between rows */
} size;

/* Whole rows and parts, one entry and all of them. */
static const size sizes[] = {
    {0, 0, 3},         {1, 0, 1},           {3, 0, 5},     {257, 0, 1},      {1000, 0, 100},
    {4099, 0, 1950},   {16385, 0, 37},      {50021, 0, 1}, {70001, 0, 1500}, {40000, 0, 1900},
    {4097, 5, 2},      {1000, 64, 64},      {3001, 7, 9},  {100, 1, 1},      {5000, 300, 17},
    {60000, 20001, 9}, {90000, 44999, 1800}};

/* Many entries, many rows, and long rows. */
static const size large[] = {{400000, 0, 65536},   {65536, 0, 65536}, {1000000, 0, 100},
                             {400000, 100, 3},     {300000, 3, 2},    {500000, 100000, 50},
                             {600000, 5000, 1000}, {1048576, 0, 1},
                             {500000, 30000, 700, 11}};

typedef struct selection {
    VkrType type;
    uint32_t outputs, payload_size;
    bool strided;
    distribution data;
    size size;
    uint32_t rows, length, pitch;
    VkrTopKInfo info;
    VkrPayload payload;
} selection;

static VkrType unit_of(uint32_t payload)
{
    return payload % 4 == 0 ? VKR_TYPE_U32 : payload % 2 == 0 ? VKR_TYPE_U16 : VKR_TYPE_U8;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    return a->types[axes[AXIS_TYPE] + 1] && has_limits(a, limits[axes[AXIS_LIMITS]]) &&
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
    const uint64_t before = s->rows > 1 && s->size.k <= s->length ? s->rows - 1 : 0;
    const uint64_t left = s->size.count - before * s->pitch;
    const uint64_t last = left < s->length ? left : s->length;
    return before * s->size.k + (s->size.k < last ? s->size.k : last);
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
    info->gpuCount = test_count(t, count, s->size.count);
}

static void make_size(test_request *t, size z, VkrType count)
{
    selection *s = t->own;
    if (z.count > t->most)
        z.count = t->most;
    s->size = z;
    s->length = z.length == 0 ? z.count : z.length;
    s->pitch = s->length + z.gap;
    s->rows = z.length == 0 ? 1 : (z.count + s->pitch - 1) / s->pitch;
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
    size z = sizes[(t->layout + random_below(&t->structure, ARRAY_SIZE(sizes))) % ARRAY_SIZE(sizes)];
    if (t->axes[AXIS_APART] != 0 && z.length != 0)
        z.gap = 1 + test_below(t, test_below(t, 2) == 0 ? 4 : 2 * z.length);
    make_size(t, z, counts[t->axes[AXIS_GPU_COUNT]]);
}

static bool make_large(test_request *t, uint32_t number)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_I64};
    selection *s = t->own;
    s->type = types[number % ARRAY_SIZE(types)];
    s->outputs = GIVES_VALUES | GIVES_INDICES | GIVES_FOUND;
    s->info.flags = number % 2 == 0 ? 0 : VKR_TOP_K_LEAST_BIT;
    s->data = DATA_RANDOM;
    if (rig.device.types[s->type])
        make_size(t, large[number], VKR_TYPE_UNDEFINED);
    return rig.device.types[s->type];
}

static void fill(test_request *t)
{
    const selection *s = t->own;
    const VkrView *input = &s->info.input;
    if (test_fills(t, input->buffer, input->offset))
        fill_data(&t->random, s->data, s->type, 1, test_element(input, 0), (size_t)input->stride,
                  s->size.count);
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdTopK(recorder, &((const selection *)t->own)->info);
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
                                    .descending = (sorted->info.flags & VKR_TOP_K_LEAST_BIT) == 0};
    const int is = oracle_compare_values(&order, test_element(input, i), test_element(input, k));
    return is != 0 ? is : order_of(i, k);
}

static int compare_numbers(const void *a, const void *b)
{
    return order_of(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Finds the entries of a row, as indices of elements. Returns their number. */
static uint32_t find_entries(const selection *s, uint64_t elements, uint32_t row, bool in_order,
                             uint32_t *indices)
{
    const uint64_t first = (uint64_t)row * s->pitch;
    const uint64_t left = first < elements ? elements - first : 0;
    const uint32_t length = (uint32_t)(left < s->length ? left : s->length);
    const uint32_t found = length < s->size.k ? length : s->size.k;
    for (uint32_t i = 0; i < length; i++)
        indices[i] = (uint32_t)first + i;
    sorted = s;
    qsort(indices, length, sizeof *indices, compare);
    if (!in_order) /* the indices ascend */
        qsort(indices, found, sizeof *indices, compare_numbers);
    return found;
}

static void expect_entry(const selection *s, uint64_t position, uint32_t row, uint32_t element)
{
    const VkrTopKInfo *info = &s->info;
    const uint32_t index = element - row * s->pitch;
    if (info->values.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->values, position), test_element(&info->input, element),
               vkrTypeSize(s->type));
    if (info->indices.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->indices, position), &index, 4);
    if (info->payloadCount != 0)
        test_expect_payload(&s->payload, position, element);
}

/* Expects entries in the order that is asked for, or with ascending indices. */
static void expect_all(const selection *s, bool in_order)
{
    const uint64_t elements = test_counted(&s->info.gpuCount, s->size.count);
    uint32_t *indices = calloc((size_t)s->length + 1, sizeof *indices);
    assert_non_null(indices);
    for (uint32_t row = 0; row < s->rows; row++) {
        const uint32_t found = find_entries(s, elements, row, in_order, indices);
        for (uint32_t i = 0; i < found; i++)
            expect_entry(s, (uint64_t)row * s->size.k + i, row, indices[i]);
        if (s->info.found.buffer != VK_NULL_HANDLE)
            memcpy(test_bytes(s->info.found.buffer, s->info.found.offset + 4 * row), &found, 4);
        rig.cases += found;
    }
    free(indices);
}

/* Unsorted outputs are in one of two orders. */
static void expect(test_request *t)
{
    const selection *s = t->own;
    const bool unsorted = (s->info.flags & VKR_TOP_K_UNSORTED_BIT) != 0;
    expect_all(s, !unsorted);
    if (unsorted && !test_wrote(t))
        expect_all(s, true);
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
             [AXIS_APART] = {"apart", 2}},
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
    .expect = expect,
    .print = print,
    .fixed = {{"test_large", ARRAY_SIZE(large), make_large, 0, 0}},
};
