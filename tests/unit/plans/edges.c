/* SPDX-License-Identifier: MIT */
/*
 * Requests at the edges of what numbers can hold: 2^31 and 2^32 elements, limits of 64 KiB, and
 * fields near 2^64. A request that a header promises to support is never refused; others are
 * refused for a reason that the headers name, and before many steps are planned. What is collected
 * lies inside the buffers that it was given.
 */
#include <string.h>

#include "../../src/core/recorder.h"
#include "random.h"

#define FAR ((uint64_t)1 << 62)
#define MAX_STEPS 200000u  /* of a request: 131,072 dispatches, and what else there is */
#define MAX_REFUSED 32768u /* steps that a refused request has room for: 16,384, doubled */
#define RANDOM_REQUESTS 20000u

/* The numbers of a request; those that an operation does not have are ignored. */
typedef struct request {
    VkrType type;
    uint64_t count;
    uint64_t length; /* of rows; 0: one row */
    uint64_t offset, size, stride;
    uint64_t k;
} request;

static VkrView view_of(const request *r, char letter, VkrType type)
{
    return (VkrView){.buffer = BUFFER(letter), .offset = r->offset, .size = FAR, .type = type};
}

static VkrView input_of(const request *r)
{
    VkrView view = view_of(r, 'A', r->type);
    view.size = r->size;
    view.stride = r->stride;
    return view;
}

static VkrSegments rows_of(const request *r)
{
    return r->length != 0 ? (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = r->length}
                          : (VkrSegments){0};
}

/* ---- Operations, with default algorithms ---- */

static VkrResult call_reduce(const request *r)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = input_of(r),
                                .count = r->count,
                                .output = {BUFFER('O'), 0, FAR},
                                .segments = rows_of(r)};
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_tiles(const request *r)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = input_of(r),
                                .count = r->count,
                                .output = {BUFFER('O'), 0, FAR},
                                .segments = {.kind = VKR_SEGMENTS_TILES,
                                             .length = r->length != 0 ? r->length : 1,
                                             .tileWidth = 4,
                                             .tileHeight = 4}};
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_scan(const request *r)
{
    VkrScanInfo info = {
        .op = VKR_OP_MAX, .input = input_of(r), .count = r->count, .segments = rows_of(r)};
    info.output = view_of(r, 'O', r->type);
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult call_compact(const request *r)
{
    const VkrCompactInfo info = {.input = input_of(r),
                                 .count = r->count,
                                 .kept = view_of(r, 'O', r->type),
                                 .keptIndices = view_of(r, 'I', VKR_TYPE_U64)};
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrPayload payload_of_words(void)
{
    return (VkrPayload){
        .size = 4, .source = {BUFFER('S'), 0, FAR}, .target = {BUFFER('T'), 0, FAR}};
}

static VkrResult call_compact_payload(const request *r)
{
    const VkrPayload payload = payload_of_words();
    const VkrCompactInfo info = {
        .input = input_of(r), .count = r->count, .payloadCount = 1, .payloads = &payload};
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult call_histogram(const request *r)
{
    const VkrHistogramInfo info = {.input = input_of(r),
                                   .count = r->count,
                                   .bins = {.count = 100, .high.value = 100},
                                   .counts = {BUFFER('O'), 0, FAR}};
    return vkrCmdHistogram(fixture.recorder, &info);
}

static VkrResult call_sort(const request *r)
{
    const VkrPayload payload = payload_of_words();
    const VkrSortInfo info = {.keys = input_of(r),
                              .count = r->count,
                              .segments = rows_of(r),
                              .sorted = view_of(r, 'O', r->type),
                              .payloadCount = 1,
                              .payloads = &payload};
    return vkrCmdSort(fixture.recorder, &info);
}

static VkrResult call_bin(const request *r)
{
    const VkrBinInfo info = {
        .keys = input_of(r), .count = r->count, .binCount = 200, .counts = {BUFFER('O'), 0, FAR}};
    return vkrCmdBin(fixture.recorder, &info);
}

static VkrResult call_topk(const request *r)
{
    const VkrPayload payload = payload_of_words();
    const VkrTopKInfo info = {.input = input_of(r),
                              .count = r->count,
                              .k = (uint32_t)r->k,
                              .segments = rows_of(r),
                              .values = view_of(r, 'O', r->type),
                              .payloadCount = 1,
                              .payloads = &payload};
    return vkrCmdTopK(fixture.recorder, &info);
}

static VkrResult call_expand(const request *r)
{
    const VkrExpandInfo info = {.counts = view_of(r, 'C', VKR_TYPE_U32),
                                .count = r->count,
                                .capacity = r->count + 1,
                                .sources = view_of(r, 'O', VKR_TYPE_U32),
                                .ranks = view_of(r, 'I', VKR_TYPE_U32)};
    return vkrCmdExpand(fixture.recorder, &info);
}

static VkrResult call_merge(const request *r)
{
    const VkrMergeInfo info = {.a = {input_of(r), r->count - r->count / 2, {0}},
                               .b = {view_of(r, 'V', r->type), r->count / 2, {0}},
                               .merged = view_of(r, 'O', r->type)};
    return vkrCmdMerge(fixture.recorder, &info);
}

/* Elements of other types are mapped. */
static VkrResult call_apply(const request *r)
{
    static const VkrMap map = {.weights = {1}};
    VkrApplyInfo info = {.input = input_of(r),
                         .count = r->count,
                         .segments = rows_of(r),
                         .output = view_of(r, 'O', VKR_TYPE_F32)};
    const bool is_long = vkrTypeSize(r->type) == 8;
    if (is_long)
        info.input.type = VKR_TYPE_F32;
    if (r->type != VKR_TYPE_F32 && !is_long)
        info.input.map = &map;
    return vkrCmdApply(fixture.recorder, &info);
}

static VkrResult call_select(const request *r)
{
    static const uint32_t ranks[] = {0, 100, 50};
    const VkrSelectInfo info = {.input = input_of(r),
                                .count = r->count,
                                .rankCount = ARRAY_SIZE(ranks),
                                .ranks = ranks,
                                .segments = rows_of(r),
                                .values = view_of(r, 'O', r->type),
                                .indices = view_of(r, 'I', VKR_TYPE_U32)};
    return vkrCmdSelect(fixture.recorder, &info);
}

static VkrResult call_bounds(const request *r)
{
    VkrBoundsInfo info = {.sorted = input_of(r),
                          .count = r->count,
                          .values = view_of(r, 'V', r->type),
                          .valueCount = 1000,
                          .lower = view_of(r, 'O', VKR_TYPE_U64)};
    return vkrCmdBounds(fixture.recorder, &info);
}

static VkrResult call_find(const request *r)
{
    const VkrFindInfo info = {
        .input = input_of(r), .count = r->count, .index = {BUFFER('O'), 0, 8}};
    return vkrCmdFind(fixture.recorder, &info);
}

/* `below` is the count below which a device with the limits that Vulkan guarantees supports every
 * request without strides. */
static const struct operation {
    const char *name;
    VkrResult (*call)(const request *r);
    uint64_t below;
} operations[] = {
#define ROW(name, below)                                                                           \
    {                                                                                              \
#name, call_##name, below                                                                  \
    }
    ROW(reduce, (uint64_t)1 << 37),
    ROW(tiles, (uint64_t)1 << 32),
    ROW(scan, (uint64_t)1 << 37),
    ROW(compact, ((uint64_t)1 << 32) + 2),
    ROW(compact_payload, (uint64_t)1 << 33),
    ROW(histogram, (uint64_t)1 << 37),
    ROW(sort, (uint64_t)1 << 32),
    ROW(bin, (uint64_t)1 << 32),
    ROW(topk, (uint64_t)1 << 32),
    ROW(expand, (uint64_t)1 << 31),
    ROW(merge, (uint64_t)1 << 32),
    ROW(apply, (uint64_t)1 << 32),
    ROW(select, (uint64_t)1 << 32),
    ROW(bounds, (uint64_t)1 << 37),
    ROW(find, (uint64_t)1 << 37),
};

/* ---- What is collected ---- */

/* Checks that each use lies in the bytes of its view, which are all that the offset leaves. */
static void check_uses(const char *name, const request *r)
{
    static VkrUse uses[64];
    uint32_t count = ARRAY_SIZE(uses);
    VkrContextProperties device;
    vkrGetContextProperties(fixture.context, &device);
    if (vkrGetUses(fixture.recorder, &count, uses) != VKR_SUCCESS)
        fail_msg("%s: %s", name, fixture.sentence);
    for (uint32_t i = 0; i < count && i < ARRAY_SIZE(uses); i++) {
        const bool input = uses[i].buffer == BUFFER('A');
        const uint64_t offset = strchr("SOT", (int)(uintptr_t)uses[i].buffer) ? 0 : r->offset;
        const uint64_t start = offset / device.granule * device.granule;
        const uint64_t end = input ? r->offset + r->size : offset + FAR + r->offset;
        if (uses[i].offset < start || uses[i].offset > end || uses[i].size > end - uses[i].offset)
            fail_msg("%s: a use of %llu bytes at %llu of '%c'", name,
                     (unsigned long long)uses[i].size, (unsigned long long)uses[i].offset,
                     (int)(uintptr_t)uses[i].buffer);
    }
}

/* Collects a request, and gives the recorder back without it. Checks what every request has: a
 * sentence where it is refused, and few steps. */
static VkrResult collect(const struct operation *o, const request *r)
{
    const uint32_t room = fixture.recorder->step_capacity;
    fixture.sentence[0] = '\0';
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    const VkrResult result = o->call(r);
    const uint32_t steps = fixture.recorder->now.steps;
    const uint32_t limit = result == VKR_SUCCESS ? MAX_STEPS : MAX_REFUSED;
    if (result == VKR_SUCCESS && steps < 1000)
        check_uses(o->name, r);
    if (steps > limit || (result != VKR_SUCCESS && fixture.recorder->step_capacity > limit &&
                          fixture.recorder->step_capacity > room))
        fail_msg("%s of %llu: %u steps, and room for %u: %s", o->name, (unsigned long long)r->count,
                 steps, fixture.recorder->step_capacity, fixture.sentence);
    assert_true((result == VKR_SUCCESS) == (fixture.sentence[0] == '\0'));
    return result;
}

static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_U32, VKR_TYPE_U64};

/* Whether a promise covers a request: eight bytes of a key take eight passes over the square of the
 * number of windows. */
static bool is_promised(const struct operation *o, const request *r)
{
    const bool sorts = o->call == call_sort;
    const bool divides = o->call == call_reduce || o->call == call_tiles;
    return r->count < o->below && (!divides || r->length == 0 || r->count % r->length == 0) &&
           (!sorts || r->type != VKR_TYPE_U64 || r->count < 2100000000u) &&
           (o->call != call_bin || r->type != VKR_TYPE_U64);
}

/* ---- Devices with the limits that Vulkan guarantees ---- */

static void try_counts(const uint64_t *counts, size_t number, uint64_t length)
{
    for (size_t o = 0; o < ARRAY_SIZE(operations); o++)
        for (size_t t = 0; t < ARRAY_SIZE(types); t++)
            for (size_t c = 0; c < number; c++) {
                const request r = {.type = types[t],
                                   .count = counts[c],
                                   .length = length,
                                   .size = counts[c] * vkrTypeSize(types[t]),
                                   .k = 100};
                if (collect(&operations[o], &r) != VKR_SUCCESS && is_promised(&operations[o], &r))
                    fail_msg("%s", fixture.sentence);
            }
}

TEST(test_guaranteed)
{
    static const uint64_t counts[] = {
        INT32_MAX,  (uint64_t)INT32_MAX + 1,  (uint64_t)INT32_MAX + 2, 2304000001u,
        UINT32_MAX, (uint64_t)UINT32_MAX + 1, (uint64_t)UINT32_MAX + 2};
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.built_in = true, .cpu = cpu != 0});
        try_counts(counts, ARRAY_SIZE(counts), 0);
        trace_close();
    }
}

/* ---- Small limits ---- */

/* With descriptors of 64 KiB the counts of digits limit sorts, to some 380,000 keys of 8 bytes. */
TEST(test_small)
{
    static const uint64_t counts[] = {16383, 16384, 114240, 114241, 300000};
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){
            .built_in = true, .cpu = cpu != 0, .limits.maxStorageBufferRange = 65536});
        try_counts(counts, ARRAY_SIZE(counts), 0);
        try_counts(counts, ARRAY_SIZE(counts), 7);
        trace_close();
    }
}

/* Keys that lie far apart: a workgroup's share of them must fit a descriptor too. */
TEST(test_strides)
{
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.built_in = true, .cpu = cpu != 0});
        const request r = {.type = VKR_TYPE_U32,
                           .count = 100000,
                           .size = 100000 * (uint64_t)65536,
                           .stride = 65536,
                           .k = 10};
        for (size_t o = 0; o < ARRAY_SIZE(operations); o++)
            if (operations[o].call != call_tiles && collect(&operations[o], &r) != VKR_SUCCESS)
                fail_msg("%s", fixture.sentence);
        trace_close();
    }
}

/* ---- Too much ---- */

/* Requests for which a plan would have millions of dispatches. */
TEST(test_too_much)
{
    static const struct {
        const char *name;
        request request;
    } rows[] = {
        {"compact", {.count = (uint64_t)1 << 37}},
        {"compact_payload", {.count = (uint64_t)1 << 37}},
        {"topk", {.count = UINT32_MAX, .length = 1, .k = VKR_MAX_TOP_K}},
        {"sort", {.count = UINT32_MAX, .stride = 4096}},
        {"topk", {.count = UINT32_MAX, .stride = 65536, .k = 1}},
        {"scan", {.count = UINT32_MAX, .stride = 65536}},
    };
    trace_open(&(trace_device){.built_in = true});
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        for (size_t o = 0; o < ARRAY_SIZE(operations); o++) {
            request r = rows[i].request;
            r.type = VKR_TYPE_U32;
            r.size = r.count * (r.stride != 0 ? r.stride : 4);
            if (strcmp(operations[o].name, rows[i].name) == 0 &&
                collect(&operations[o], &r) != VKR_ERROR_UNSUPPORTED)
                fail_msg("row %zu, %s, is not refused, or as if it were wrong: %s", i, rows[i].name,
                         fixture.sentence);
        }
    trace_close();
}

/* ---- Any numbers ---- */

static uint64_t any_number(uint64_t *seed)
{
    const uint64_t edge = ONE_OF(seed, 0, (uint64_t)1 << random_below(seed, 64), 100000,
                                 (uint64_t)1 << 31, (uint64_t)1 << 32, UINT64_MAX);
    return edge + random_below(seed, 5) - 2;
}

TEST(test_numbers)
{
    uint64_t seed = 58;
    trace_open(&(trace_device){.built_in = true, .cpu = true});
    for (uint32_t i = 0; i < RANDOM_REQUESTS / trace_step(); i++) {
        const struct operation *o = &operations[random_below(&seed, ARRAY_SIZE(operations))];
        const request r = {.type = types[random_below(&seed, ARRAY_SIZE(types))],
                           .count = random_below(&seed, 4) ? any_number(&seed) : VKR_COUNT_ALL,
                           .length = random_below(&seed, 2) * any_number(&seed),
                           .offset = random_below(&seed, 2) * any_number(&seed),
                           .size = any_number(&seed),
                           .stride = random_below(&seed, 2) * any_number(&seed),
                           .k = any_number(&seed)};
        (void)collect(o, &r);
    }
    trace_close();
}

TEST_MAIN("plans_edges", CASE(test_guaranteed), CASE(test_small), CASE(test_strides),
          CASE(test_too_much), CASE(test_numbers))
