/* SPDX-License-Identifier: MIT */
/* vkrCmdExpand: outputs, payloads, counts, room and limits, each with several sizes, strides and
 * kinds of counts. */
#include <string.h>

#include "engine.h"
#include "oracle_compact.h"

enum { AXIS_OUTPUTS, AXIS_PAYLOADS, AXIS_COUNT, AXIS_COUNTED, AXIS_ROOM, AXIS_DATA, AXIS_LIMITS };

enum { SOURCES = 1, RANKS = 2 }; /* bits of AXIS_OUTPUTS */

#define PAYLOADS 2u
#define COUNTED 2u
static const uint32_t payload_sets[][PAYLOADS] = {{0}, {4}, {12, 2}, {16, 1}, {64}};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

typedef struct counted {
    VkrCountKind kind;
    uint32_t scale;
} counted;
static const counted counted_sets[][COUNTED] = {
    {{VKR_COUNT_KIND_COUNT, 0}},
    {{VKR_COUNT_KEPT, 0}, {VKR_COUNT_STORED, 3}},
    {{VKR_COUNT_REJECTED, 0}, {VKR_COUNT_DISPATCH, 64}},
    {{VKR_COUNT_KEPT64, 5}, {VKR_COUNT_STORED64, 0}},
    {{VKR_COUNT_REJECTED64, 2}, {VKR_COUNT_KEPT, 7}},
};

/* Room for all outputs, for about half of them, and for few. */
enum { ROOM_FOR_ALL, ROOM_FOR_HALF, ROOM_FOR_FEW, ROOMS };

typedef enum data_kind {
    DATA_OF_FEW,   /* 0 to 7 */
    DATA_OF_BITS,  /* 0 or 1 */
    DATA_OF_NONE,  /* one source alone has outputs */
    DATA_OF_GIANT, /* one has most of them */
    DATA_OF_ANY,   /* so many that their number passes 2^32, by halves of it or by any numbers */
    DATA_KINDS
} data_kind;

typedef struct expansion {
    VkrExpandInfo info;
    VkrPayload payloads[PAYLOADS];
    VkrCountOutput counts[COUNTED];
    uint64_t count, room;
    uint64_t chosen; /* the source that differs from others */
} expansion;

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const uint32_t *sizes = payload_sets[axes[AXIS_PAYLOADS]];
    for (uint32_t i = 0; i < PAYLOADS; i++)
        if ((sizes[i] % 2 != 0 && !a->types[VKR_TYPE_U8]) ||
            (sizes[i] % 4 == 2 && !a->types[VKR_TYPE_U16]))
            return false;
    const bool stores = axes[AXIS_OUTPUTS] != 0 || sizes[0] != 0;
    return has_limits(a, (limits_row)axes[AXIS_LIMITS]) && (stores || axes[AXIS_COUNTED] != 0);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
}

/* ---- An expansion ---- */

/* Outputs have entries for more than the capacity, if there is one. */
static VkrView place_output(test_request *t, uint32_t bit)
{
    const expansion *s = t->own;
    const VkDeviceSize stride = 4 * (VkDeviceSize)(1 + test_below(t, 3));
    const uint64_t more = s->info.capacity != 0 ? test_below(t, 5) : 0;
    if ((t->axes[AXIS_OUTPUTS] & bit) == 0)
        return (VkrView){0};
    VkrView view = test_output(t, VKR_TYPE_U32, 1, stride, s->room + more);
    test_end_port(t, more * stride);
    view.type = test_below(t, 2) == 0 ? VKR_TYPE_UNDEFINED : VKR_TYPE_U32;
    return view;
}

/* A payload has entries for sources, and for outputs. */
static VkrPayload place_payload(test_request *t, uint32_t size)
{
    const expansion *s = t->own;
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    VkrPayload p = {.size = size,
                    .sourceStride = size + (VkDeviceSize)test_below(t, 2) * unit,
                    .targetStride = size + (VkDeviceSize)test_below(t, 2) * unit};
    const uint32_t alignment = size % 16 == 0 && test_below(t, 2) == 0 ? 16 : unit;
    p.source = test_read(t, alignment, s->count * p.sourceStride + size);
    p.target = test_written(t, alignment, (s->room - 1) * p.targetStride + size);
    return p;
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 2, 31, 511, 512, 513, 8191, 8192, 8193};
    const bool small = limits_rows[t->limits].maxStorageBufferRange != 0;
    const uint32_t *payload = payload_sets[t->axes[AXIS_PAYLOADS]];
    expansion *s = t->own;
    VkrExpandInfo *info = &s->info;
    const VkDeviceSize stride = 4 * (VkDeviceSize)(1 + test_below(t, 3));
    s->count = test_size(t, sizes, ARRAY_SIZE(sizes), small ? 60000 : 20000);
    s->chosen = s->count != 0 ? test_below(t, (uint32_t)s->count) : 0;
    s->room = t->axes[AXIS_ROOM] == ROOM_FOR_ALL    ? 4 * s->count + 5000
              : t->axes[AXIS_ROOM] == ROOM_FOR_HALF ? 1 + 3 * s->count / 2
                                                    : 1 + test_below(t, 100);
    info->label = "expand";
    info->counts = test_input(t, VKR_TYPE_U32, 1, stride, 4, s->count);
    info->count = s->count != 0 && test_below(t, 2) == 0 ? VKR_COUNT_ALL : s->count;
    info->gpuCount = test_count(t, count_types[t->axes[AXIS_COUNT]], s->count);
    const bool stores = t->axes[AXIS_OUTPUTS] != 0 || payload[0] != 0;
    info->capacity = !stores || test_below(t, 2) == 0 ? s->room : 0;
    info->sources = place_output(t, SOURCES);
    info->ranks = place_output(t, RANKS);
    for (; info->payloadCount < PAYLOADS && payload[info->payloadCount] != 0; info->payloadCount++)
        s->payloads[info->payloadCount] = place_payload(t, payload[info->payloadCount]);
    info->payloads = s->payloads;
    const counted *row = counted_sets[t->axes[AXIS_COUNTED]];
    for (uint32_t i = 0; i < COUNTED && row[i].kind != VKR_COUNT_KIND_COUNT; i++) {
        const VkDeviceSize size = row[i].kind == VKR_COUNT_DISPATCH ? 12
                                  : row[i].kind >= VKR_COUNT_KEPT64 ? 8
                                                                    : 4;
        const VkrBufferRange at = test_written(t, 4, size);
        s->counts[info->countOutputCount++] =
            (VkrCountOutput){row[i].kind, at.buffer, at.offset, row[i].scale};
    }
    info->countOutputs = s->counts;
}

/* Outputs that a descriptor does not reach. */
static bool make_windows(test_request *t, uint32_t number)
{
    t->axes[AXIS_OUTPUTS] = SOURCES | RANKS;
    t->axes[AXIS_DATA] = number;
    t->axes[AXIS_LIMITS] = t->limits = LIMITS_SMALL;
    make(t);
    return true;
}

static void fill(test_request *t)
{
    const expansion *s = t->own;
    const VkrView *view = &s->info.counts;
    if (!test_fills(t, view->buffer, view->offset))
        return;
    const bool halves = s->chosen % 2 == 0;
    for (uint64_t i = 0; i < s->count; i++) {
        const bool chosen = i == s->chosen;
        const uint32_t kind = t->axes[AXIS_DATA];
        const uint32_t count = kind == DATA_OF_FEW    ? test_below(t, 8)
                               : kind == DATA_OF_BITS ? test_below(t, 2)
                               : kind == DATA_OF_NONE ? (chosen ? 77 : 0)
                               : kind == DATA_OF_ANY
                                   ? (halves ? 1u << 31 : (uint32_t)next_random(&t->random))
                               : chosen ? 100000
                                        : test_below(t, 3);
        memcpy(test_element(view, i), &count, 4);
    }
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdExpand(recorder, &((const expansion *)t->own)->info);
}

/* ---- What is expected ---- */

static void expect_output(const expansion *s, uint64_t p, uint32_t source, uint32_t rank)
{
    const VkrExpandInfo *info = &s->info;
    if (info->sources.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->sources, p), &source, 4);
    if (info->ranks.buffer != VK_NULL_HANDLE)
        memcpy(test_element(&info->ranks, p), &rank, 4);
    for (uint32_t i = 0; i < info->payloadCount; i++)
        test_expect_payload(&info->payloads[i], p, source);
}

static void expect_counts(const test_request *t, const oracle_counts *counts)
{
    const expansion *s = t->own;
    const uint32_t lowered = limits_rows[t->limits].maxComputeWorkGroupCount;
    const oracle_image written = {rig.written.buffer.buffer, rig.written.shadow};
    const oracle_device device = {
        .images = &written,
        .image_count = 1,
        .max_groups = lowered != 0 ? lowered : rig.h.properties.limits.maxComputeWorkGroupCount[0]};
    oracle_put_counts(&device, s->info.countOutputCount, s->counts, counts);
}

static void expect(test_request *t)
{
    const expansion *s = t->own;
    const VkrExpandInfo *info = &s->info;
    const uint64_t count = test_counted(&info->gpuCount, s->count);
    uint64_t all = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t outputs;
        memcpy(&outputs, test_element(&info->counts, i), 4);
        for (uint32_t r = 0; r < outputs && all + r < s->room; r++)
            expect_output(s, all + r, (uint32_t)i, r);
        all += outputs;
    }
    const uint64_t stored = all < s->room ? all : s->room;
    rig.cases += stored;
    expect_counts(t, &(oracle_counts){.kept = all, .stored = stored, .rejected = all - stored});
}

static void print(const test_request *t)
{
    const VkrExpandInfo *info = &((const expansion *)t->own)->info;
    test_print_view("counts", &info->counts);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_number("capacity", info->capacity);
    test_print_view("sources", &info->sources);
    test_print_view("ranks", &info->ranks);
    test_print_payloads(info->payloadCount, info->payloads);
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        test_print_number("countOutputs.kind", info->countOutputs[i].kind);
        test_print_number("countOutputs.scale", info->countOutputs[i].scale);
    }
}

const test_operation test_expand = {
    .name = "expand",
    .call = "vkrCmdExpand",
    .axes = {[AXIS_OUTPUTS] = {"outputs", 4},
             [AXIS_PAYLOADS] = {"payloads", ARRAY_SIZE(payload_sets)},
             [AXIS_COUNT] = {"count", ARRAY_SIZE(count_types)},
             [AXIS_COUNTED] = {"counted", ARRAY_SIZE(counted_sets)},
             [AXIS_ROOM] = {"room", ROOMS},
             [AXIS_DATA] = {"data", DATA_KINDS},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT}},
    .triples = 1u << AXIS_OUTPUTS | 1u << AXIS_PAYLOADS | 1u << AXIS_DATA | 1u << AXIS_LIMITS,
    .layouts = 6,
    .size = sizeof(expansion),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .print = print,
    .fixed = {{"test_windows", DATA_KINDS, make_windows, 4, 0}},
};
