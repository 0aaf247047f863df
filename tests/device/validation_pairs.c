/* SPDX-License-Identifier: MIT */
/*
 * Every operation followed by every other one, on the same input and on the other one's results, in
 * one recording and in two consecutive ones, with barriers that only do what recorder.h requires.
 * Command buffers are recorded and not submitted: the layer checks recordings, and executing them
 * would take time.
 */
#include <string.h>

#include "validation.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define MOST 100000u
#define SLOT (1u << 20) /* distance in bytes between outputs of an operation */
#define SLOTS 8u
#define OFFSETS_AT 0u /* in OTHERS */
#define FLAGS_AT (64u << 10)
#define COUNT_AT (192u << 10)
#define INITIAL_AT (193u << 10)
#define LABELS_AT (256u << 10)

#define CHAINED 1000u

static const uint32_t sizes[] = {1, 32, CHAINED, MOST};

/* INPUT and OTHERS are read; each of the two operations writes its own outputs. */
enum { INPUT, OTHERS, FIRST, SECOND, PAIR_BUFFERS };
static harness_buffer pair[PAIR_BUFFERS];

/* A recorded operation; its source is the input or the first operation's results. */
typedef struct request {
    session *session;
    VkrType type;
    uint32_t count;
    VkBuffer source;
    VkBuffer target;
} request;

typedef struct operation {
    const char *name;
    VkrResult (*collect)(const request *, const struct operation *);
    uint32_t algorithm; /* of the operation */
    VkrSegmentKind segments;
    uint32_t detail; /* flag format, or predicate */
    VkrDeterminism determinism;
    bool more; /* with optional inputs and outputs */
} operation;

static VkrView view_at(const request *r, VkBuffer buffer, uint32_t slot, VkrType type)
{
    return (VkrView){.buffer = buffer,
                     .offset = (VkDeviceSize)slot * SLOT,
                     .size = (VkDeviceSize)r->count * vkrTypeSize(type),
                     .type = type};
}

static VkrGpuCount count_of(const operation *o)
{
    return (VkrGpuCount){.buffer = o->more ? pair[OTHERS].buffer : VK_NULL_HANDLE,
                         .offset = COUNT_AT};
}

/* Few long segments, or many short ones. */
static VkrSegments segments_of(const request *r, const operation *o)
{
    const bool columns = o->segments == VKR_SEGMENTS_COLUMNS;
    const uint32_t eighth = r->count < 8 ? 1 : r->count / 8;
    const VkBuffer others = pair[OTHERS].buffer;
    return (VkrSegments){
        .kind = o->segments,
        .length = columns == (o->detail == 0) ? eighth : r->count / eighth,
        .offsets = {others, OFFSETS_AT, 4 * (r->count < 1000 ? 2 : 1000)},
        .flags = {.format = (VkrFlagFormat)o->detail,
                  .range = {others, FLAGS_AT,
                            o->detail == VKR_FLAGS_BITS ? (r->count + 31) / 32 * 4 : r->count}},
    };
}

static VkrResult collect_reduce(const request *r, const operation *o)
{
    const VkrReduceInfo info = {
        .label = o->name,
        .ops = VKR_OP_SUM | VKR_OP_MIN | VKR_OP_ARGMAX,
        .input = view_at(r, r->source, 0, r->type),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(o),
        .output = {r->target, 0, SLOTS * SLOT},
        .determinism = o->determinism,
        .algorithm = (VkrReduceAlgorithm)o->algorithm,
        .segments = segments_of(r, o),
    };
    return vkrCmdReduce(r->session->recorder, &info);
}

static VkrResult collect_scan(const request *r, const operation *o)
{
    VkrScanInfo info = {
        .label = o->name,
        .op = VKR_OP_SUM,
        .input = view_at(r, r->source, 0, r->type),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(o),
        .determinism = o->determinism,
        .algorithm = (VkrScanAlgorithm)o->algorithm,
        .segments = segments_of(r, o),
    };
    VkrType type;
    const VkrResult result = vkrGetScanType(r->session->context, &info, &type);
    if (result != VKR_SUCCESS)
        return result;
    info.output = view_at(r, r->target, 0, type);
    if (o->more) {
        info.total = (VkrBufferRange){r->target, SLOT, 8};
        info.gpuInitial = (VkrBufferRange){pair[OTHERS].buffer, INITIAL_AT, 8};
    }
    return vkrCmdScan(r->session->recorder, &info);
}

/* Requests a count of each kind, at least a granule apart. */
static uint32_t count_outputs(const request *r, VkrCountOutput outputs[VKR_COUNT_KIND_COUNT])
{
    for (uint32_t i = 0; i < VKR_COUNT_KIND_COUNT; i++)
        outputs[i] = (VkrCountOutput){.kind = (VkrCountKind)i,
                                      .buffer = r->target,
                                      .offset = 5 * SLOT + 256 * i,
                                      .scale = 64};
    return VKR_COUNT_KIND_COUNT;
}

static VkrResult collect_compact(const request *r, const operation *o)
{
    VkrCountOutput outputs[VKR_COUNT_KIND_COUNT];
    const VkrPredicateKind kind = (VkrPredicateKind)o->detail;
    const VkrPayload payload = {.size = 4,
                                .source = {pair[OTHERS].buffer, LABELS_AT, 4 * r->count},
                                .target = {r->target, 6 * SLOT, 4 * r->count}};
    VkrCompactInfo info = {
        .label = o->name,
        .input = view_at(r, r->source, 0, r->type),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(o),
        .predicate = {.kind = kind,
                      .flags = {.format = VKR_FLAGS_U8,
                                .range = {pair[OTHERS].buffer, FLAGS_AT, r->count}}},
        .algorithm = (VkrCompactAlgorithm)o->algorithm,
        .kept = view_at(r, r->target, 0, r->type),
    };
    if (o->more) {
        info.keptIndices = view_at(r, r->target, 1, VKR_TYPE_U32);
        info.rejected = view_at(r, r->target, 3, r->type);
        info.rejectedIndices = view_at(r, r->target, 4, VKR_TYPE_U32);
        info.countOutputs = outputs;
        info.countOutputCount = count_outputs(r, outputs);
    }
    if (o->more && o->algorithm != VKR_COMPACT_SINGLE_PASS) {
        info.payloadCount = 1;
        info.payloads = &payload;
    }
    if (kind == VKR_PREDICATE_UNIQUE)
        info.runLengths = view_at(r, r->target, 2, VKR_TYPE_U32);
    return vkrCmdCompact(r->session->recorder, &info);
}

static VkrResult collect_bounds(const request *r, const operation *o)
{
    VkrView values = view_at(r, pair[OTHERS].buffer, 0, r->type);
    values.offset = LABELS_AT;
    const VkrBoundsInfo info = {.label = o->name,
                                .sorted = view_at(r, r->source, 0, r->type),
                                .count = VKR_COUNT_ALL,
                                .gpuCount = count_of(o),
                                .values = values,
                                .valueCount = VKR_COUNT_ALL,
                                .lower = view_at(r, r->target, 0, VKR_TYPE_U32),
                                .upper = view_at(r, r->target, 1, VKR_TYPE_U32)};
    return vkrCmdBounds(r->session->recorder, &info);
}

static VkrResult collect_find(const request *r, const operation *o)
{
    const VkrFindInfo info = {.label = o->name,
                              .input = view_at(r, r->source, 0, r->type),
                              .count = VKR_COUNT_ALL,
                              .gpuCount = count_of(o),
                              .index = {r->target, 0, 8}};
    return vkrCmdFind(r->session->recorder, &info);
}

#define REDUCE(title, how, ...)                                                                    \
    {                                                                                              \
        .name = title, .collect = collect_reduce, .algorithm = VKR_REDUCE_##how, __VA_ARGS__       \
    }
#define SCAN(title, how, ...)                                                                      \
    {                                                                                              \
        .name = title, .collect = collect_scan, .algorithm = VKR_SCAN_##how, __VA_ARGS__           \
    }
#define COMPACT(title, how, predicate, ...)                                                        \
    {                                                                                              \
        .name = title, .collect = collect_compact, .algorithm = VKR_COMPACT_##how,                 \
        .detail = VKR_PREDICATE_##predicate, __VA_ARGS__                                           \
    }

static const operation operations[] = {
    REDUCE("reduction", AUTO, .more = true),
    REDUCE("reduction by single", SINGLE, .more = false),
    REDUCE("reduction by subgroup", SUBGROUP, .more = false),
    REDUCE("reduction by tree", TREE, .more = false),
    REDUCE("reduction by recursive", RECURSIVE, .more = false),
    REDUCE("reduction at level device", AUTO, .determinism = VKR_DETERMINISM_DEVICE),
    REDUCE("long rows", AUTO, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("short rows", AUTO, .segments = VKR_SEGMENTS_ROWS, .detail = 1),
    REDUCE("rows by groups", GROUPS, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("rows by split", SPLIT, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("long columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    REDUCE("short columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS),
    REDUCE("columns by split", SPLIT, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    REDUCE("windows", AUTO, .segments = VKR_SEGMENTS_WINDOWS, .detail = 1),
    REDUCE("offsets", AUTO, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by lanes", LANES, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by split", SPLIT, .segments = VKR_SEGMENTS_OFFSETS),
    SCAN("scan", AUTO, .more = true),
    SCAN("scan by reduce-then-scan", REDUCE_THEN_SCAN, .more = false),
    SCAN("scan by single-pass", SINGLE_PASS, .determinism = VKR_DETERMINISM_NONE),
    SCAN("scan by hillis-steele", HILLIS_STEELE, .more = false),
    SCAN("scan by blelloch", BLELLOCH, .more = false),
    SCAN("scan at level device", AUTO, .determinism = VKR_DETERMINISM_DEVICE),
    SCAN("scan of rows", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_ROWS),
    SCAN("scan of flagged segments", AUTO, .segments = VKR_SEGMENTS_FLAGS, .detail = VKR_FLAGS_U8),
    SCAN("scan of segments by bits", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_FLAGS,
         .detail = VKR_FLAGS_BITS),
    SCAN("scan of segments by offsets", SINGLE_PASS, .segments = VKR_SEGMENTS_OFFSETS,
         .determinism = VKR_DETERMINISM_NONE),
    COMPACT("compaction", AUTO, NONZERO, .more = false),
    COMPACT("compaction by scan-scatter", SCAN_SCATTER, NONZERO, .more = true),
    COMPACT("compaction by single-pass", SINGLE_PASS, NONZERO, .more = true),
    COMPACT("unique with run lengths", AUTO, UNIQUE, .more = true),
    COMPACT("compaction by flags", AUTO, FLAGS, .more = false),
    {.name = "search", .collect = collect_bounds, .more = true},
    {.name = "first element", .collect = collect_find, .more = true},
};

/* ---- Barriers ---- */

static VkBufferMemoryBarrier order(uint32_t index, VkAccessFlags from, VkAccessFlags to)
{
    return (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcAccessMask = from,
                                   .dstAccessMask = to,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .buffer = pair[index].buffer,
                                   .size = VK_WHOLE_SIZE};
}

static bool is_read(uint32_t index)
{
    return index == INPUT || index == OTHERS;
}

/* The caller writes everything again. Outputs are made available for writes only. */
static void refill(void)
{
    VkBufferMemoryBarrier before[PAIR_BUFFERS], after[PAIR_BUFFERS];
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++) {
        before[i] =
            order(i, is_read(i) ? 0 : VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        after[i] = order(i, VK_ACCESS_TRANSFER_WRITE_BIT,
                         is_read(i) ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_SHADER_WRITE_BIT);
    }
    vkCmdPipelineBarrier(device.cmd, COMPUTE, TRANSFER, 0, 0, NULL, PAIR_BUFFERS, before, 0, NULL);
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        vkCmdFillBuffer(device.cmd, pair[i].buffer, 0, VK_WHOLE_SIZE, 1);
    vkCmdPipelineBarrier(device.cmd, TRANSFER, COMPUTE, 0, 0, NULL, PAIR_BUFFERS, after, 0, NULL);
}

/* ---- Pairs ---- */

static void end_and_begin(const request *r, bool begins)
{
    assert_int_equal(vkrEnd(r->session->recorder, &(VkrEndInfo){.commandBuffer = device.cmd}),
                     VKR_SUCCESS);
    if (begins)
        assert_int_equal(vkrBegin(r->session->recorder), VKR_SUCCESS);
}

static void record_pair(request r, const operation *first, const operation *second, bool chained,
                        bool apart)
{
    const VkBufferMemoryBarrier results =
        order(FIRST, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
    refill();
    r.source = pair[INPUT].buffer;
    r.target = pair[FIRST].buffer;
    assert_int_equal(vkrBegin(r.session->recorder), VKR_SUCCESS);
    assert_int_equal(first->collect(&r, first), VKR_SUCCESS);
    if (apart)
        end_and_begin(&r, true);
    if (apart && chained)
        vkCmdPipelineBarrier(device.cmd, COMPUTE, COMPUTE, 0, 0, NULL, 1, &results, 0, NULL);
    r.source = pair[chained ? FIRST : INPUT].buffer;
    r.target = pair[SECOND].buffer;
    assert_int_equal(second->collect(&r, second), VKR_SUCCESS);
    end_and_begin(&r, false);
}

/* Records all pairs that start with one operation, in one command buffer. With CHAINED elements the
 * first operation's results also serve as the second one's input. */
static void record_pairs_of(session *s, const scenario *t, const operation *first, uint32_t count)
{
    const request r = {.session = s, .type = t->type, .count = count};
    assert_true(harness_begin(&device));
    for (size_t k = 0; k < LENGTH(operations); k++)
        for (uint32_t way = 0; way < (count == CHAINED ? 4 : 2); way++)
            record_pair(r, first, &operations[k], way & 2, way & 1);
    assert_true(harness_end(&device));
    assert_int_equal(vkrReset(s->recorder), VKR_SUCCESS);
}

void record_pairs(session *s, const scenario *t)
{
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        assert_true(harness_create_buffer(&device, is_read(i) ? SLOT : SLOTS * SLOT, &pair[i]));
    const bool planted = t->fault.report != NULL; /* the first pairs meet it */
    for (size_t i = 0; i < (planted ? 1 : LENGTH(sizes)); i++)
        for (size_t k = 0; k < (planted ? 1 : LENGTH(operations)); k++)
            record_pairs_of(s, t, &operations[k], sizes[i]);
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        harness_destroy_buffer(&device, &pair[i]);
}
