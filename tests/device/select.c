/* SPDX-License-Identifier: MIT */
/* vkrCmdSelect against a stable sort: all choices, with sizes at which rows are cut in different
 * ways; and large selections. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_sort.h"
#include "ragged.h"

enum {
    AXIS_TYPE,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_FLAGS,
    AXIS_OUTPUTS,
    AXIS_RANKS,
    AXIS_GIVEN,
    AXIS_STRIDED,
    AXIS_SEGMENTS
};

/* Where ranks are given; and rows that lie beside each other or apart, or segments by offsets. */
enum { BY_RANKS, BY_SHARES, BY_GPU_RANKS, RANK_WAYS };
enum { BESIDE, APART, OFFSETS, SEGMENT_WAYS };

enum { GIVES_VALUES = 1, GIVES_INDICES = 2 };

#define MAX_RANKS 40u

static const distribution kinds[] = {DATA_BITS,        DATA_NAN,    DATA_SOME_NAN, DATA_INFINITE,
                                     DATA_NAN_BUT_ONE, DATA_RANDOM, DATA_CONSTANT, DATA_ASCENDING,
                                     DATA_DESCENDING,  DATA_ZEROS,  DATA_UNIT};
#define FLOAT_KINDS 5u /* the first ones */
static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL, LIMITS_SMALL};
static const uint32_t workgroups[] = {0, 64, 128};
static const uint32_t output_sets[] = {GIVES_VALUES | GIVES_INDICES, GIVES_VALUES, GIVES_INDICES};

/* Maximum numbers of ranks: the room for one, two and more of them, and several batches. */
static const uint32_t most_ranks[] = {1, 2, 7, MAX_RANKS};

typedef struct size {
    uint32_t count;
    uint32_t length;   /* of rows; 0: none */
    uint32_t gap;      /* elements between rows */
    uint32_t segments; /* by offsets; 0: none */
} size;

#define ROWS(count, length, gap)                                                                   \
    {                                                                                              \
        count, length, gap, 0                                                                      \
    }
#define SPANS(count, segments)                                                                     \
    {                                                                                              \
        count, 0, 0, segments                                                                      \
    }

/* Whole rows and parts. */
static const size sizes[] = {
    ROWS(0, 0, 0),      ROWS(1, 0, 0),         ROWS(2, 0, 0),         ROWS(257, 0, 0),
    ROWS(4099, 0, 0),   ROWS(16385, 0, 0),     ROWS(50021, 0, 0),     ROWS(70001, 0, 0),
    ROWS(4097, 5, 0),   ROWS(1000, 64, 0),     ROWS(3001, 7, 0),      ROWS(100, 1, 0),
    ROWS(5000, 300, 0), ROWS(60000, 20001, 0), ROWS(90000, 44999, 0), ROWS(30000, 9000, 0)};

/* Many rows, and long rows, some of which lie apart; and by offsets: a giant segment among tiny
 * ones, few long ones, and some of each length. */
static const size large[] = {
    ROWS(600000, 0, 0),      ROWS(60000, 3, 0),     ROWS(100000, 100, 0), ROWS(1048576, 0, 0),
    ROWS(300000, 100000, 0), ROWS(100000, 5000, 0), ROWS(80000, 3, 2),    ROWS(100000, 100, 28),
    ROWS(350000, 100000, 7), ROWS(100000, 600, 41), SPANS(400000, 5000),  SPANS(300000, 6),
    SPANS(500000, 40),       SPANS(200000, 300)};

typedef struct selection {
    VkrType type;
    bool strided;
    bool even; /* segments by offsets have equal lengths */
    distribution data;
    size size;
    uint32_t rows, length, pitch;
    uint32_t ranks[MAX_RANKS];
    double shares[MAX_RANKS];
    VkrSelectInfo info;
} selection;

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    return has_order(a, (VkrType)(axes[AXIS_TYPE] + 1)) &&
           has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           workgroups[axes[AXIS_WORKGROUP]] <= a->workgroup &&
           (axes[AXIS_SEGMENTS] != OFFSETS || limits[axes[AXIS_LIMITS]] != LIMITS_SMALL);
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
}

/* ---- A request ---- */

/* Draws ranks, some of which are equal, the last one of a row, or past it. */
static void draw_ranks(test_request *t, selection *s, uint32_t count, uint32_t given)
{
    static const double certain[] = {0.0, 0.25, 0.5, 0.7, 1.0};
    const uint32_t length = s->size.segments != 0 ? s->size.count / s->size.segments : s->length;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t choice = test_below(t, 8);
        const uint32_t bound = length + (choice == 0 ? 2 : 0);
        s->ranks[i] = choice == 1 && i > 0 ? s->ranks[i - 1]
                      : choice == 2        ? length - (length != 0 ? 1 : 0)
                                           : test_below(t, bound + (bound == 0 ? 1 : 0));
        s->shares[i] =
            choice < 5 ? certain[choice] : (double)test_below(t, 1u << 30) / (double)(1u << 30);
    }
    s->info.rankCount = count;
    s->info.ranks = given == BY_RANKS ? s->ranks : NULL;
    s->info.shares = given == BY_SHARES ? s->shares : NULL;
    if (given == BY_GPU_RANKS)
        s->info.gpuRanks = test_room(t, 4, 4 * (VkDeviceSize)count);
}

static bool is_found(const selection *s, uint64_t rank, uint64_t length, uint64_t *position)
{
    const VkrSelectInfo *info = &s->info;
    *position = s->ranks[rank];
    if (info->shares != NULL && length != 0) {
        const uint64_t units = (uint64_t)ceil(ldexp(info->shares[rank], 31));
        *position = units * (length - 1) >> 31;
    }
    return *position < length;
}

/* The entries after the last one that is written, as far as the host knows. */
static uint64_t unwritten(const selection *s)
{
    uint64_t unused = 0, position;
    if (s->size.segments != 0)
        return (uint64_t)s->rows * s->info.rankCount;
    for (uint32_t row = s->rows; row-- > 0;) {
        const uint64_t left = s->size.count - (uint64_t)row * s->pitch;
        for (uint32_t i = s->info.rankCount; i-- > 0; unused++)
            if (is_found(s, i, left < s->length ? left : s->length, &position))
                return unused;
    }
    return unused;
}

static VkDeviceSize stride_of(const selection *s, VkrType type)
{
    return (s->strided ? 3 : 1) * (VkDeviceSize)vkrTypeSize(type);
}

static VkrView place_output(test_request *t, const selection *s, VkrType type)
{
    const uint64_t entries = (uint64_t)s->rows * s->info.rankCount;
    const VkrView view = test_output(t, type, 1, stride_of(s, type), entries);
    test_end_port(t, unwritten(s) * view.stride);
    return view;
}

/* The GPU may know of fewer segments, for which nothing is written. */
static void place_offsets(test_request *t)
{
    selection *s = t->own;
    VkrSegments *segments = &s->info.segments;
    const VkrType count = counts[t->axes[AXIS_GPU_COUNT]];
    segments->kind = VKR_SEGMENTS_OFFSETS;
    segments->offsetType = count == VKR_TYPE_U64 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    segments->offsets =
        test_room(t, 4, (s->rows + 1) * (VkDeviceSize)vkrTypeSize(segments->offsetType));
    segments->gpuCount = test_count(t, count, s->rows);
}

static void make_size(test_request *t, size z, uint32_t ranks, uint32_t outputs)
{
    selection *s = t->own;
    VkrSelectInfo *info = &s->info;
    if (z.count > t->most)
        z.count = t->most;
    s->size = z;
    s->length = z.length == 0 || z.length > z.count ? z.count : z.length;
    s->pitch = s->length + z.gap;
    s->rows = z.segments != 0 ? z.segments
              : z.length == 0 ? 1
              : z.count == 0  ? 0
                              : (z.count + s->pitch - 1) / s->pitch;
    info->label = "select";
    info->count = z.count;
    draw_ranks(t, s, ranks, t->axes[AXIS_GIVEN]);
    if (z.length != 0)
        info->segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS,
                                       .length = z.length,
                                       .pitch = z.gap == 0 ? 0 : z.length + z.gap};
    info->input = test_input(t, s->type, 1, stride_of(s, s->type), vkrTypeSize(s->type), z.count);
    if ((outputs & GIVES_VALUES) != 0)
        info->values = place_output(t, s, s->type);
    if ((outputs & GIVES_INDICES) != 0)
        info->indices = place_output(t, s, VKR_TYPE_U32);
    info->gpuCount = test_count(t, counts[t->axes[AXIS_GPU_COUNT]], z.count);
    if (z.segments != 0)
        place_offsets(t);
}

static void make(test_request *t)
{
    selection *s = t->own;
    const uint32_t most = most_ranks[t->axes[AXIS_RANKS]];
    s->type = (VkrType)(t->axes[AXIS_TYPE] + 1);
    s->strided = t->axes[AXIS_STRIDED] != 0;
    s->info.flags = t->axes[AXIS_FLAGS];
    s->info.workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]];
    const uint32_t first = is_float(s->type) ? 0 : FLOAT_KINDS;
    s->data = kinds[first + test_below(t, ARRAY_SIZE(kinds) - first)];
    const uint32_t chosen = t->layout + random_below(&t->structure, ARRAY_SIZE(sizes));
    size z = sizes[chosen % ARRAY_SIZE(sizes)];
    if (t->axes[AXIS_SEGMENTS] == OFFSETS)
        z = (size)SPANS(z.count, 1 + test_below(t, test_below(t, 3) == 0 ? 4 : 400));
    if (t->axes[AXIS_SEGMENTS] == APART && z.length != 0)
        z.gap = 1 + test_below(t, test_below(t, 2) == 0 ? 4 : 2 * z.length);
    make_size(t, z, most - test_below(t, most / 2 + 1), output_sets[t->axes[AXIS_OUTPUTS]]);
}

static bool make_large(test_request *t, uint32_t number)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U8, VKR_TYPE_I64};
    selection *s = t->own;
    s->type = types[number % ARRAY_SIZE(types)];
    s->info.flags = number % 2 == 0 ? 0 : VKR_SELECT_DESCENDING_BIT;
    s->data = number < 3 ? DATA_RANDOM : DATA_SOME_NAN;
    if (!is_float(s->type))
        s->data = DATA_RANDOM;
    t->axes[AXIS_GIVEN] = number % RANK_WAYS;
    if (has_order(&rig.device, s->type))
        make_size(t, large[number], number % 2 == 0 ? 3 : 17, GIVES_VALUES | GIVES_INDICES);
    return has_order(&rig.device, s->type);
}

/* Segments of equal elements, of which a workgroup goes over several: of each element by each of
 * many digits, and for each rank. */
static bool make_equal(test_request *t, uint32_t number)
{
    static const uint32_t lengths[] = {2000, 8000, 1000, 16000};
    selection *s = t->own;
    s->type = number % 2 == 0 ? VKR_TYPE_U64 : VKR_TYPE_F16;
    s->data = DATA_CONSTANT;
    s->even = s->strided = true;
    t->axes[AXIS_GIVEN] = number % RANK_WAYS;
    if (has_order(&rig.device, s->type))
        make_size(t, (size)SPANS(64 * lengths[number % 4], 64), number < 4 ? 17 : 1, GIVES_INDICES);
    return has_order(&rig.device, s->type);
}

static void fill(test_request *t)
{
    const selection *s = t->own;
    const VkrView *input = &s->info.input;
    const VkrBufferRange *ranks = &s->info.gpuRanks;
    if (ranks->buffer != VK_NULL_HANDLE)
        memcpy(test_bytes(ranks->buffer, ranks->offset), s->ranks, 4 * s->info.rankCount);
    if (s->size.segments != 0)
        ragged_fill(t, &s->info.segments, s->rows, s->size.count, s->even);
    if (test_fills(t, input->buffer, input->offset))
        fill_data(&t->random, s->data, s->type, 1, test_element(input, 0), (size_t)input->stride,
                  s->size.count);
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdSelect(recorder, &((const selection *)t->own)->info);
}

/* Sorts a row, and expects the elements at the positions that are asked for. */
static void expect_row(const selection *s, uint32_t row, uint64_t first, uint64_t length,
                       uint32_t *indices)
{
    const VkrSelectInfo *info = &s->info;
    const oracle_sort_info sort = {.data = test_element(&info->input, first),
                                   .stride = info->input.stride,
                                   .type = s->type,
                                   .count = length,
                                   .descending = (info->flags & VKR_SELECT_DESCENDING_BIT) != 0,
                                   .nan_first = (info->flags & VKR_SELECT_NAN_FIRST_BIT) != 0};
    assert_true(oracle_sort(&sort, indices));
    for (uint32_t i = 0; i < info->rankCount; i++) {
        const uint64_t entry = (uint64_t)row * info->rankCount + i;
        uint64_t position;
        if (!is_found(s, i, length, &position))
            continue;
        if (info->values.buffer != VK_NULL_HANDLE)
            memcpy(test_element(&info->values, entry),
                   test_element(&info->input, first + indices[position]), vkrTypeSize(s->type));
        if (info->indices.buffer != VK_NULL_HANDLE)
            memcpy(test_element(&info->indices, entry), &indices[position], 4);
        rig.cases++;
    }
}

static void expect(test_request *t)
{
    const selection *s = t->own;
    const VkrSegments *segments = &s->info.segments;
    const uint64_t count = test_counted(&s->info.gpuCount, s->size.count);
    const uint64_t rows = test_counted(&segments->gpuCount, s->rows);
    uint32_t *indices = calloc((size_t)s->size.count + 1, sizeof *indices);
    assert_non_null(indices);
    for (uint32_t row = 0; row < rows; row++) {
        const bool by_offsets = s->size.segments != 0;
        const uint64_t first = by_offsets ? ragged_offset(segments, row) : (uint64_t)row * s->pitch;
        const uint64_t end = by_offsets ? ragged_offset(segments, row + 1) : first + s->length;
        const uint64_t last = end < count ? end : count;
        if (first < last)
            expect_row(s, row, first, last - first, indices);
    }
    free(indices);
}

static void print(const test_request *t)
{
    const VkrSelectInfo *info = &((const selection *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_view("input", &info->input);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_segments(&info->segments);
    test_print_number("rankCount", info->rankCount);
    for (uint32_t i = 0; i < info->rankCount; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "ranks[%u]", i);
        if (info->ranks != NULL)
            test_print_number(name, info->ranks[i]);
        (void)snprintf(name, sizeof name, "shares[%u] 2^31", i);
        if (info->shares != NULL)
            test_print_number(name, (uint64_t)ceil(ldexp(info->shares[i], 31)));
    }
    test_print_range("gpuRanks", &info->gpuRanks);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_view("values", &info->values);
    test_print_view("indices", &info->indices);
}

const test_operation test_select = {
    .name = "select",
    .call = "vkrCmdSelect",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_GPU_COUNT] = {"count", ARRAY_SIZE(counts)},
             [AXIS_FLAGS] = {"flags", 4},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(output_sets)},
             [AXIS_RANKS] = {"ranks", ARRAY_SIZE(most_ranks)},
             [AXIS_GIVEN] = {"given", RANK_WAYS},
             [AXIS_STRIDED] = {"strided", 2},
             [AXIS_SEGMENTS] = {"segments", SEGMENT_WAYS}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_LIMITS | 1u << AXIS_WORKGROUP | 1u << AXIS_GPU_COUNT |
               1u << AXIS_OUTPUTS | 1u << AXIS_RANKS,
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
    .fixed = {{"test_large", ARRAY_SIZE(large), make_large, 0, 0},
              {"test_equal", 8, make_equal, 0, 0}},
};
