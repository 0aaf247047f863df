/* SPDX-License-Identifier: MIT */
/* How the rows of each kind are recorded. */
#include <string.h>

#include "operations_kinds.h"

/* ---- Operands ---- */

static VkrView view_at(const operation_run *r, VkBuffer buffer, uint32_t slot, VkrType type)
{
    return (VkrView){.buffer = buffer,
                     .offset = (VkDeviceSize)slot * r->slot,
                     .size = (VkDeviceSize)r->count * vkrTypeSize(type),
                     .type = type};
}

static VkrView other_at(const operation_run *r, VkDeviceSize offset, VkrType type)
{
    VkrView view = view_at(r, r->others, 0, type);
    view.offset = offset;
    return view;
}

static VkrGpuCount count_of(const operation_run *r, const operation_row *row)
{
    return (VkrGpuCount){.buffer = row->more ? r->others : VK_NULL_HANDLE,
                         .offset = OPERATION_COUNT_AT};
}

/* An array that moves with the elements, into slot 6. */
static VkrPayload payload_of(const operation_run *r, uint32_t entries)
{
    return (VkrPayload){.size = 4,
                        .source = {r->others, OPERATION_LABELS_AT, 4 * (VkDeviceSize)r->count},
                        .target = {r->target, 6 * r->slot, 4 * (VkDeviceSize)entries}};
}

/* Monoids read the elements as u32, whatever their type. */
static VkrView input_of(const operation_run *r, const operation_row *row)
{
    return view_at(r, r->source, 0, row->monoid ? VKR_TYPE_U32 : r->type);
}

static const VkrMonoid *monoid_of(const operation_run *r, const operation_row *row,
                                  VkrMonoid *monoid, VkrHook *hook)
{
    *hook = (VkrHook){.module = r->module, .name = "load_hash"};
    *monoid = (VkrMonoid){hook, "combine_hash", "identity_hash", "finish_hash", VK_FALSE};
    return row->monoid ? monoid : NULL;
}

VkrSegments operation_segments(const operation_run *r, const operation_row *row)
{
    const bool bits = row->detail == VKR_FLAGS_BITS;
    const uint32_t eighth = r->count < 8 ? 1 : r->count / 8;
    const VkrView none = {0};
    return (VkrSegments){
        .kind = row->segments,
        .length = row->detail == 0 ? eighth : r->count / eighth,
        .offsets = {r->others, OPERATION_OFFSETS_AT,
                    4 * (r->count < 1000    ? 2
                         : row->detail != 0 ? 101
                                            : 1000)},
        .flags = {.format = (VkrFlagFormat)row->detail,
                  .range = {r->others, OPERATION_FLAGS_AT,
                            bits ? (r->count + 31) / 32 * 4 : r->count}},
        .keys = row->segments == VKR_SEGMENTS_KEYS ? other_at(r, OPERATION_KEYS_AT, VKR_TYPE_U32)
                                                   : none,
    };
}

/* ---- Collecting ---- */

VkrReduceInfo operation_reduction(const operation_run *r, const operation_row *row,
                                  VkrMonoid *monoid, VkrHook *hook, VkrCountOutput *count)
{
    VkrReduceInfo info = {
        .label = row->name,
        .ops = row->monoid ? 0 : VKR_OP_SUM | VKR_OP_MIN | VKR_OP_ARGMAX,
        .input = input_of(r, row),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(r, row),
        .output = {r->target, 0, OPERATION_SLOTS * r->slot},
        .determinism = row->determinism,
        .algorithm = (VkrReduceAlgorithm)row->algorithm,
        .segments = operation_segments(r, row),
        .monoid = monoid_of(r, row, monoid, hook),
    };
    if (row->segments != VKR_SEGMENTS_KEYS)
        return info;
    *count = (VkrCountOutput){VKR_COUNT_KEPT, r->target, 2 * r->slot, 1};
    info.output = (VkrBufferRange){r->target, 3 * r->slot, (OPERATION_SLOTS - 3) * r->slot};
    info.segments.runs = (VkrRuns){.uniqueKeys = view_at(r, r->target, 0, VKR_TYPE_U32),
                                   .lengths = view_at(r, r->target, 1, VKR_TYPE_U32),
                                   .capacity = (r->count + 1) / 2,
                                   .countOutputCount = 1,
                                   .countOutputs = count};
    return info;
}

VkrResult operation_collect_reduce(const operation_run *r, const operation_row *row)
{
    VkrMonoid monoid;
    VkrHook hook;
    VkrCountOutput count;
    const VkrReduceInfo info = operation_reduction(r, row, &monoid, &hook, &count);
    return vkrCmdReduce(r->recorder, &info);
}

VkrResult operation_collect_scan(const operation_run *r, const operation_row *row)
{
    VkrMonoid monoid;
    VkrHook hook;
    VkrScanInfo info = {
        .label = row->name,
        .op = row->monoid ? (VkrOp)0 : VKR_OP_SUM,
        .input = input_of(r, row),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(r, row),
        .determinism = row->determinism,
        .algorithm = (VkrScanAlgorithm)row->algorithm,
        .segments = operation_segments(r, row),
        .monoid = monoid_of(r, row, &monoid, &hook),
    };
    info.output = view_at(r, r->target, 0, vkrTypeSize(r->type) == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32);
    info.output.type = VKR_TYPE_UNDEFINED;
    if (row->more) {
        info.total = (VkrBufferRange){r->target, r->slot, 8};
        info.gpuInitial = (VkrBufferRange){r->others, OPERATION_INITIAL_AT, 8};
    }
    return vkrCmdScan(r->recorder, &info);
}

/* Requests a count of each kind, at least a granule apart. */
static uint32_t count_outputs(const operation_run *r, VkrCountOutput outputs[VKR_COUNT_KIND_COUNT])
{
    for (uint32_t i = 0; i < VKR_COUNT_KIND_COUNT; i++)
        outputs[i] = (VkrCountOutput){.kind = (VkrCountKind)i,
                                      .buffer = r->target,
                                      .offset = 5 * r->slot + 256 * i,
                                      .scale = 64};
    return VKR_COUNT_KIND_COUNT;
}

static VkrPredicate predicate_of(const operation_run *r, const operation_row *row)
{
    return (VkrPredicate){
        .kind = (VkrPredicateKind)row->detail,
        .flags = {.format = VKR_FLAGS_U8, .range = {r->others, OPERATION_FLAGS_AT, r->count}}};
}

VkrResult operation_collect_compact(const operation_run *r, const operation_row *row)
{
    VkrCountOutput outputs[VKR_COUNT_KIND_COUNT];
    const VkrPayload payload = payload_of(r, r->count);
    VkrCompactInfo info = {
        .label = row->name,
        .input = input_of(r, row),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(r, row),
        .predicate = predicate_of(r, row),
        .algorithm = (VkrCompactAlgorithm)row->algorithm,
        .kept = view_at(r, r->target, 0, r->type),
    };
    if (row->more) {
        info.keptIndices = view_at(r, r->target, 1, VKR_TYPE_U32);
        info.rejected = view_at(r, r->target, 3, r->type);
        info.rejectedIndices = view_at(r, r->target, 4, VKR_TYPE_U32);
        info.countOutputs = outputs;
        info.countOutputCount = count_outputs(r, outputs);
    }
    if (row->more && row->algorithm != VKR_COMPACT_SINGLE_PASS) {
        info.payloadCount = 1;
        info.payloads = &payload;
    }
    if (row->detail == VKR_PREDICATE_UNIQUE)
        info.runLengths = view_at(r, r->target, 2, VKR_TYPE_U32);
    return vkrCmdCompact(r->recorder, &info);
}

VkrResult operation_collect_expand(const operation_run *r, const operation_row *row)
{
    const VkrExpandInfo info = {.label = row->name,
                                .counts = view_at(r, r->source, 0, VKR_TYPE_U32),
                                .count = VKR_COUNT_ALL,
                                .gpuCount = count_of(r, row),
                                .capacity = r->count,
                                .sources = view_at(r, r->target, 0, VKR_TYPE_U32),
                                .ranks = view_at(r, r->target, 1, VKR_TYPE_U32)};
    return vkrCmdExpand(r->recorder, &info);
}

VkrResult operation_collect_histogram(const operation_run *r, const operation_row *row)
{
    const VkrHistogramInfo info = {
        .label = row->name,
        .input = input_of(r, row),
        .count = VKR_COUNT_ALL,
        .gpuCount = count_of(r, row),
        .bins = {.count = OPERATION_BINS, .high = {.value = OPERATION_BINS}},
        .algorithm = (VkrHistogramAlgorithm)row->algorithm,
        .counts = {r->target, 0, 4 * OPERATION_BINS},
        .outside = {r->target, r->slot, 12},
        .edges = {r->target, 2 * r->slot, 8 * (OPERATION_BINS + 1)},
    };
    return vkrCmdHistogram(r->recorder, &info);
}

/* The elements are counts. */
VkrResult operation_collect_quantile(const operation_run *r, const operation_row *row)
{
    static const double shares[] = {0.25, 0.5};
    const VkrQuantileInfo info = {.label = row->name,
                                  .binCount = r->count < OPERATION_BINS ? 1 : OPERATION_BINS,
                                  .counts = {r->source, 0, 4 * OPERATION_BINS},
                                  .edges = {r->others, OPERATION_LABELS_AT, 512},
                                  .shareCount = 2,
                                  .shares = shares,
                                  .quantiles = {r->target, 0, 8},
                                  .cumulative = {r->target, r->slot, 8 * OPERATION_BINS}};
    return vkrCmdQuantile(r->recorder, &info);
}

/* The counts of a sweep's tiles must fit the range of a descriptor: these are not the smallest. */
VkrResult operation_collect_sort(const operation_run *r, const operation_row *row)
{
    const bool sweeps = row->algorithm == VKR_SORT_ONESWEEP;
    const VkrPayload payload = payload_of(r, r->count);
    const VkrSortInfo info = {.label = row->name,
                              .keys = input_of(r, row),
                              .count = VKR_COUNT_ALL,
                              .gpuCount = count_of(r, row),
                              .algorithm = (VkrSortAlgorithm)row->algorithm,
                              .workgroupSize = sweeps ? 64 : 0,
                              .segments = operation_segments(r, row),
                              .sorted = view_at(r, r->target, 0, r->type),
                              .indices = view_at(r, r->target, 1, VKR_TYPE_U32),
                              .payloadCount = row->more,
                              .payloads = &payload};
    return vkrCmdSort(r->recorder, &info);
}

VkrResult operation_collect_topk(const operation_run *r, const operation_row *row)
{
    const VkrSegments segments = operation_segments(r, row);
    const bool rows = row->segments == VKR_SEGMENTS_ROWS;
    operation_run entries = *r;
    entries.count = OPERATION_TOP;
    if (rows)
        entries.count *= r->count / (uint32_t)segments.length;
    if (row->segments == VKR_SEGMENTS_OFFSETS)
        entries.count *= (uint32_t)segments.offsets.size / 4 - 1;
    const VkrPayload payload = payload_of(r, entries.count);
    const VkrTopKInfo info = {.label = row->name,
                              .input = input_of(r, row),
                              .count = VKR_COUNT_ALL,
                              .gpuCount = count_of(r, row),
                              .k = OPERATION_TOP,
                              .segments = segments,
                              .values = view_at(&entries, r->target, 0, r->type),
                              .indices = view_at(&entries, r->target, 1, VKR_TYPE_U32),
                              .payloadCount = row->more,
                              .payloads = &payload,
                              .found = {r->target, 2 * r->slot, 4 * (VkDeviceSize)entries.count}};
    return vkrCmdTopK(r->recorder, &info);
}

VkrResult operation_collect_select(const operation_run *r, const operation_row *row)
{
    const VkrSegments segments = operation_segments(r, row);
    const bool rows = row->segments == VKR_SEGMENTS_ROWS;
    operation_run entries = *r;
    entries.count = OPERATION_RANKS * (rows ? r->count / (uint32_t)segments.length : 1);
    const VkrSelectInfo info = {.label = row->name,
                                .input = input_of(r, row),
                                .count = VKR_COUNT_ALL,
                                .gpuCount = count_of(r, row),
                                .rankCount = OPERATION_RANKS,
                                .ranks = operation_ranks,
                                .segments = segments,
                                .values = view_at(&entries, r->target, 0, r->type),
                                .indices = view_at(&entries, r->target, 1, VKR_TYPE_U32)};
    return vkrCmdSelect(r->recorder, &info);
}

/* The elements are keys, which are u32, whatever their type. */
VkrResult operation_collect_bin(const operation_run *r, const operation_row *row)
{
    const VkrPayload payload = payload_of(r, r->count);
    VkrBinInfo info = {.label = row->name,
                       .keys = view_at(r, r->source, 0, VKR_TYPE_U32),
                       .count = VKR_COUNT_ALL,
                       .gpuCount = count_of(r, row),
                       .binCount = OPERATION_KEY_BINS,
                       .counts = {r->target, 0, 4 * OPERATION_KEY_BINS},
                       .offsets = {r->target, r->slot, 4 * (OPERATION_KEY_BINS + 1)}};
    if (row->more) {
        info.indices = view_at(r, r->target, 2, VKR_TYPE_U32);
        info.payloadCount = 1;
        info.payloads = &payload;
    }
    return vkrCmdBin(r->recorder, &info);
}

/* The keys are sorted, and the elements are what is searched for. */
VkrResult operation_collect_bounds(const operation_run *r, const operation_row *row)
{
    const VkrBoundsInfo info = {.label = row->name,
                                .sorted = other_at(r, OPERATION_KEYS_AT, r->type),
                                .count = VKR_COUNT_ALL,
                                .gpuCount = count_of(r, row),
                                .values = input_of(r, row),
                                .valueCount = VKR_COUNT_ALL,
                                .lower = view_at(r, r->target, 0, VKR_TYPE_U32),
                                .upper = view_at(r, r->target, 1, VKR_TYPE_U32)};
    return vkrCmdBounds(r->recorder, &info);
}

/* The sorted keys at even positions, and those at odd ones. */
VkrResult operation_collect_merge(const operation_run *r, const operation_row *row)
{
    VkrView even = other_at(r, OPERATION_KEYS_AT, r->type), odd = even;
    even.stride = odd.stride = 2 * (VkDeviceSize)vkrTypeSize(r->type);
    odd.offset += vkrTypeSize(r->type);
    odd.size -= vkrTypeSize(r->type);
    const VkrMergeInfo info = {.label = row->name,
                               .a = {even, (r->count + 1) / 2, count_of(r, row)},
                               .b = {odd, r->count / 2, {0}},
                               .merged = view_at(r, r->target, 0, r->type),
                               .indices = view_at(r, r->target, 1, VKR_TYPE_U32)};
    return vkrCmdMerge(r->recorder, &info);
}

/* Elements become floats by a map. */
VkrResult operation_collect_apply(const operation_run *r, const operation_row *row)
{
    static const VkrMap map = {.weights = {1}};
    VkrApplyInfo info = {.label = row->name,
                         .function = VKR_APPLY_RESCALED,
                         .input = input_of(r, row),
                         .count = VKR_COUNT_ALL,
                         .gpuCount = count_of(r, row),
                         .output = view_at(r, r->target, 0, VKR_TYPE_F32)};
    info.input.map = &map;
    return vkrCmdApply(r->recorder, &info);
}

/* The first element that is 0. */
VkrResult operation_collect_find(const operation_run *r, const operation_row *row)
{
    const VkrFindInfo info = {.label = row->name,
                              .input = input_of(r, row),
                              .count = VKR_COUNT_ALL,
                              .gpuCount = count_of(r, row),
                              .predicate = {.negate = VK_TRUE},
                              .index = {r->target, 0, 8}};
    return vkrCmdFind(r->recorder, &info);
}
