/* SPDX-License-Identifier: MIT */
#include "edges.h"

static VkrView view_of(const edge_request *r, char letter, VkrType type)
{
    return (VkrView){.buffer = BUFFER(letter), .offset = r->offset, .size = FAR, .type = type};
}

static VkrView input_of(const edge_request *r)
{
    VkrView view = view_of(r, 'A', r->type);
    view.size = r->size;
    view.stride = r->stride;
    return view;
}

static VkrSegments rows_of(const edge_request *r)
{
    return r->length != 0 ? (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = r->length}
                          : (VkrSegments){0};
}

/* ---- Operations, with default algorithms ---- */

static VkrResult call_reduce(const edge_request *r)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = input_of(r),
                                .count = r->count,
                                .output = {BUFFER('O'), 0, FAR},
                                .segments = rows_of(r)};
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_tiles(const edge_request *r)
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

static VkrResult call_scan(const edge_request *r)
{
    VkrScanInfo info = {
        .op = VKR_OP_MAX, .input = input_of(r), .count = r->count, .segments = rows_of(r)};
    info.output = view_of(r, 'O', r->type);
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult call_compact(const edge_request *r)
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

static VkrResult call_compact_payload(const edge_request *r)
{
    const VkrPayload payload = payload_of_words();
    const VkrCompactInfo info = {
        .input = input_of(r), .count = r->count, .payloadCount = 1, .payloads = &payload};
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult call_histogram(const edge_request *r)
{
    const VkrHistogramInfo info = {.input = input_of(r),
                                   .count = r->count,
                                   .bins = {.count = 100, .high.value = 100},
                                   .counts = {BUFFER('O'), 0, FAR}};
    return vkrCmdHistogram(fixture.recorder, &info);
}

static VkrResult call_sort(const edge_request *r)
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

static VkrResult call_bin(const edge_request *r)
{
    const VkrBinInfo info = {
        .keys = input_of(r), .count = r->count, .binCount = 200, .counts = {BUFFER('O'), 0, FAR}};
    return vkrCmdBin(fixture.recorder, &info);
}

static VkrResult call_topk(const edge_request *r)
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

static VkrResult call_expand(const edge_request *r)
{
    const VkrExpandInfo info = {.counts = view_of(r, 'C', VKR_TYPE_U32),
                                .count = r->count,
                                .capacity = r->count + 1,
                                .sources = view_of(r, 'O', VKR_TYPE_U32),
                                .ranks = view_of(r, 'I', VKR_TYPE_U32)};
    return vkrCmdExpand(fixture.recorder, &info);
}

static VkrResult call_merge(const edge_request *r)
{
    const VkrMergeInfo info = {.a = {input_of(r), r->count - r->count / 2, {0}},
                               .b = {view_of(r, 'V', r->type), r->count / 2, {0}},
                               .merged = view_of(r, 'O', r->type)};
    return vkrCmdMerge(fixture.recorder, &info);
}

/* Elements of other types are mapped. */
static VkrResult call_apply(const edge_request *r)
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

static VkrResult call_select(const edge_request *r)
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

static VkrResult call_bounds(const edge_request *r)
{
    VkrBoundsInfo info = {.sorted = input_of(r),
                          .count = r->count,
                          .values = view_of(r, 'V', r->type),
                          .valueCount = 1000,
                          .lower = view_of(r, 'O', VKR_TYPE_U64)};
    return vkrCmdBounds(fixture.recorder, &info);
}

static VkrResult call_find(const edge_request *r)
{
    const VkrFindInfo info = {
        .input = input_of(r), .count = r->count, .index = {BUFFER('O'), 0, 8}};
    return vkrCmdFind(fixture.recorder, &info);
}

/* Eight bytes of a key take eight passes over the square of the number of windows. */
const edge_operation edge_operations[] = {
#define ROW(name, below, below_wide, divides)                                                      \
    {                                                                                              \
#name, call_##name, below, below_wide, divides                                             \
    }
    ROW(reduce, (uint64_t)1 << 37, (uint64_t)1 << 37, true),
    ROW(tiles, (uint64_t)1 << 32, (uint64_t)1 << 32, true),
    ROW(scan, (uint64_t)1 << 37, (uint64_t)1 << 37, false),
    ROW(compact, ((uint64_t)1 << 32) + 2, ((uint64_t)1 << 32) + 2, false),
    ROW(compact_payload, (uint64_t)1 << 33, (uint64_t)1 << 33, false),
    ROW(histogram, (uint64_t)1 << 37, (uint64_t)1 << 37, false),
    ROW(sort, (uint64_t)1 << 32, 2100000000u, false),
    ROW(bin, (uint64_t)1 << 32, 0, false),
    ROW(topk, (uint64_t)1 << 32, (uint64_t)1 << 32, false),
    ROW(expand, (uint64_t)1 << 31, (uint64_t)1 << 31, false),
    ROW(merge, (uint64_t)1 << 32, (uint64_t)1 << 32, false),
    ROW(apply, (uint64_t)1 << 32, (uint64_t)1 << 32, false),
    ROW(select, (uint64_t)1 << 32, (uint64_t)1 << 32, false),
    ROW(bounds, (uint64_t)1 << 37, (uint64_t)1 << 37, false),
    ROW(find, (uint64_t)1 << 37, (uint64_t)1 << 37, false),
};
const size_t edge_operation_count = ARRAY_SIZE(edge_operations);
