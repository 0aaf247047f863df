/* SPDX-License-Identifier: MIT */
/* What the arms of --ordered hand to the library. */
#include "array.h"
#include "ordered.h"

/* The first `count` elements of a set. */
static VkrView view_of(const bench *b, const arm *a, ordered_data data, VkrType type,
                       uint64_t count)
{
    const VkrHostMemory *buffer = &b->ordered->sets[data].buffer;
    const uint32_t size =
        count == NEEDLES && data == ordered_case_of(a)->needles ? MAX_SIZES : a->ordered.size;
    return (VkrView){.buffer = buffer->buffer,
                     .offset = ordered_start(b, data, size),
                     .size = count * vkrTypeSize(type),
                     .type = type,
                     .texels = buffer->texels};
}

static VkrBufferRange range_of(const bench *b, const arm *a, uint64_t n, ordered_part part)
{
    const VkDeviceSize size = ordered_part_size(a, n, part);
    if (size == 0)
        return (VkrBufferRange){0};
    return (VkrBufferRange){b->copy.buffer, ordered_part_start(a, n, part), size};
}

static VkrView output_of(const bench *b, const arm *a, uint64_t n, ordered_part part)
{
    const VkrBufferRange range = range_of(b, a, n, part);
    return (VkrView){.buffer = range.buffer, .offset = range.offset, .size = range.size};
}

static VkrSegments rows_of(const ordered_case *of)
{
    return (VkrSegments){.kind = of->row > 0 ? VKR_SEGMENTS_ROWS : VKR_SEGMENTS_NONE,
                         .length = of->row};
}

static VkrResult collect_sort(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrPayload payload = {
        .size = of->payload,
        .source = {b->ordered->sets[ORDERED_COUNTING].buffer.buffer, 0, of->payload * n},
        .target = range_of(b, a, n, PART_SECOND),
        .texels = b->ordered->sets[ORDERED_COUNTING].buffer.texels};
    VkrSortInfo info = {.label = a->name,
                        .flags = of->descending ? VKR_SORT_DESCENDING_BIT : 0,
                        .keys = view_of(b, a, of->data, of->type, n),
                        .count = VKR_COUNT_ALL,
                        .endBit = of->end_bit,
                        .algorithm = a->ordered.algorithm,
                        .segments = rows_of(of),
                        .sorted = output_of(b, a, n, PART_FIRST),
                        .payloadCount = of->payload > 0,
                        .payloads = of->payload > 0 ? &payload : NULL};
    if (of->indices)
        info.indices = output_of(b, a, n, PART_SECOND);
    if (of->in_place) {
        info.sorted.type = of->type;
        info.keys = info.sorted;
    }
    return vkrCmdSort(a->recorder, &info);
}

static VkrResult collect_top_k(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrTopKInfo info = {.label = a->name,
                              .input = view_of(b, a, of->data, of->type, n),
                              .count = VKR_COUNT_ALL,
                              .k = of->k,
                              .segments = rows_of(of),
                              .values = output_of(b, a, n, PART_FIRST),
                              .indices = output_of(b, a, n, PART_SECOND)};
    return vkrCmdTopK(a->recorder, &info);
}

static VkrResult collect_select(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    double shares[VKR_MAX_SELECT_RANKS];
    for (uint32_t i = 0; i < of->k; i++)
        shares[i] = ordered_share(of, i);
    const VkrSelectInfo info = {.label = a->name,
                                .input = view_of(b, a, of->data, of->type, n),
                                .count = VKR_COUNT_ALL,
                                .rankCount = of->k,
                                .shares = shares,
                                .segments = rows_of(of),
                                .values = output_of(b, a, n, PART_FIRST),
                                .indices = output_of(b, a, n, PART_SECOND)};
    return vkrCmdSelect(a->recorder, &info);
}

static VkrSegments keys_of(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    if (of->keys == ORDERED_NOTHING)
        return (VkrSegments){0};
    return (VkrSegments){.kind = VKR_SEGMENTS_KEYS,
                         .keys = view_of(b, a, of->keys, VKR_TYPE_U32, n)};
}

static VkrResult collect_scan(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrScanInfo info = {.label = a->name,
                              .op = VKR_OP_SUM,
                              .input = view_of(b, a, of->data, of->type, n),
                              .output = output_of(b, a, n, PART_FIRST),
                              .count = VKR_COUNT_ALL,
                              .segments = keys_of(b, a, n)};
    return vkrCmdScan(a->recorder, &info);
}

static VkrCountOutput count_of(const bench *b, const arm *a, uint64_t n)
{
    return (VkrCountOutput){.kind = VKR_COUNT_KEPT,
                            .buffer = b->copy.buffer,
                            .offset = ordered_part_start(a, n, PART_COUNT)};
}

static VkrResult collect_reduction(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrCountOutput count = count_of(b, a, n);
    VkrReduceInfo info = {.label = a->name,
                          .ops = of->ops,
                          .input = view_of(b, a, of->data, of->type, n),
                          .count = VKR_COUNT_ALL,
                          .output = range_of(b, a, n, PART_SECOND),
                          .segments = keys_of(b, a, n)};
    info.segments.runs = (VkrRuns){.uniqueKeys = output_of(b, a, n, PART_FIRST),
                                   .countOutputCount = 1,
                                   .countOutputs = &count};
    return vkrCmdReduce(a->recorder, &info);
}

static VkrResult collect_run_lengths(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrCountOutput count = count_of(b, a, n);
    const VkrCompactInfo info = {.label = a->name,
                                 .input = view_of(b, a, of->data, of->type, n),
                                 .count = VKR_COUNT_ALL,
                                 .predicate.kind = VKR_PREDICATE_UNIQUE,
                                 .kept = output_of(b, a, n, PART_FIRST),
                                 .runLengths = output_of(b, a, n, PART_SECOND),
                                 .countOutputCount = 1,
                                 .countOutputs = &count};
    return vkrCmdCompact(a->recorder, &info);
}

static VkrResult collect_expansion(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrCountOutput count = count_of(b, a, n);
    const VkrExpandInfo info = {.label = a->name,
                                .counts = view_of(b, a, of->data, of->type, n),
                                .count = VKR_COUNT_ALL,
                                .sources = output_of(b, a, n, PART_FIRST),
                                .ranks = output_of(b, a, n, PART_SECOND),
                                .countOutputCount = 1,
                                .countOutputs = &count};
    return vkrCmdExpand(a->recorder, &info);
}

static VkrResult collect_bounds(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrBoundsInfo info = {.label = a->name,
                                .sorted = view_of(b, a, of->data, of->type, n),
                                .count = VKR_COUNT_ALL,
                                .values = view_of(b, a, of->needles, of->type, NEEDLES),
                                .valueCount = VKR_COUNT_ALL,
                                .lower = output_of(b, a, n, PART_FIRST)};
    return vkrCmdBounds(a->recorder, &info);
}

static VkrResult collect_find(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrFindInfo info = {.label = a->name,
                              .input = view_of(b, a, of->data, of->type, n),
                              .count = VKR_COUNT_ALL,
                              .predicate = {.kind = VKR_PREDICATE_COMPARE,
                                            .compare = VKR_COMPARE_GREATER_EQUAL,
                                            .a.u = ORDERED_WANTED},
                              .index = range_of(b, a, n, PART_FIRST)};
    return vkrCmdFind(a->recorder, &info);
}

static VkrResult collect_merge(const bench *b, const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const VkrMergeInfo info = {
        .label = a->name,
        .a = {view_of(b, a, of->data, of->type, n - n / 5), VKR_COUNT_ALL, {0}},
        .b = {view_of(b, a, of->needles, of->type, n / 5), VKR_COUNT_ALL, {0}},
        .merged = output_of(b, a, n, PART_FIRST)};
    return vkrCmdMerge(a->recorder, &info);
}

VkrResult ordered_collect(const bench *b, const arm *a, uint64_t n)
{
    static VkrResult (*const collectors[])(const bench *b, const arm *a, uint64_t n) = {
        [ORDERED_SORT] = collect_sort,        [ORDERED_TOP_K] = collect_top_k,
        [ORDERED_SCAN] = collect_scan,        [ORDERED_RUN_LENGTHS] = collect_run_lengths,
        [ORDERED_REDUCE] = collect_reduction, [ORDERED_BOUNDS] = collect_bounds,
        [ORDERED_FIND] = collect_find,        [ORDERED_SELECT] = collect_select,
        [ORDERED_EXPAND] = collect_expansion, [ORDERED_MERGE] = collect_merge,
    };
    return collectors[ordered_case_of(a)->work](b, a, n);
}
