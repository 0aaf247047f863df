/* SPDX-License-Identifier: MIT */
/* How each row is recorded. */
#include "operations.h"

#include <string.h>

const uint32_t operation_code[] = {
#include "operations.inc"
};
const size_t operation_code_size = sizeof operation_code;

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

static VkrResult collect_reduce(const operation_run *r, const operation_row *row)
{
    VkrMonoid monoid;
    VkrHook hook;
    VkrCountOutput count;
    const VkrReduceInfo info = operation_reduction(r, row, &monoid, &hook, &count);
    return vkrCmdReduce(r->recorder, &info);
}

static VkrResult collect_scan(const operation_run *r, const operation_row *row)
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

static VkrResult collect_compact(const operation_run *r, const operation_row *row)
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

static VkrResult collect_expand(const operation_run *r, const operation_row *row)
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

static VkrResult collect_histogram(const operation_run *r, const operation_row *row)
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
static VkrResult collect_quantile(const operation_run *r, const operation_row *row)
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
static VkrResult collect_sort(const operation_run *r, const operation_row *row)
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

static VkrResult collect_topk(const operation_run *r, const operation_row *row)
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

static VkrResult collect_select(const operation_run *r, const operation_row *row)
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
static VkrResult collect_bin(const operation_run *r, const operation_row *row)
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
static VkrResult collect_bounds(const operation_run *r, const operation_row *row)
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
static VkrResult collect_merge(const operation_run *r, const operation_row *row)
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
static VkrResult collect_apply(const operation_run *r, const operation_row *row)
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
static VkrResult collect_find(const operation_run *r, const operation_row *row)
{
    const VkrFindInfo info = {.label = row->name,
                              .input = input_of(r, row),
                              .count = VKR_COUNT_ALL,
                              .gpuCount = count_of(r, row),
                              .predicate = {.negate = VK_TRUE},
                              .index = {r->target, 0, 8}};
    return vkrCmdFind(r->recorder, &info);
}

/* ---- The table ---- */

static const operation_kind reduce = {"vkrCmdReduce", collect_reduce, operation_check_reduce};
static const operation_kind scan = {"vkrCmdScan", collect_scan, operation_check_scan};
static const operation_kind compact = {"vkrCmdCompact", collect_compact, operation_check_compact};
static const operation_kind expand = {"vkrCmdExpand", collect_expand, operation_check_expand};
static const operation_kind histogram = {"vkrCmdHistogram", collect_histogram,
                                         operation_check_histogram};
static const operation_kind quantile = {"vkrCmdQuantile", collect_quantile,
                                        operation_check_quantile};
static const operation_kind sort = {"vkrCmdSort", collect_sort, operation_check_sort};
static const operation_kind bin = {"vkrCmdBin", collect_bin, operation_check_bin};
static const operation_kind topk = {"vkrCmdTopK", collect_topk, operation_check_topk};
static const operation_kind select = {"vkrCmdSelect", collect_select, operation_check_select};
static const operation_kind bounds = {"vkrCmdBounds", collect_bounds, operation_check_bounds};
static const operation_kind merge = {"vkrCmdMerge", collect_merge, operation_check_merge};
static const operation_kind apply = {"vkrCmdApply", collect_apply, operation_check_apply};
static const operation_kind find = {"vkrCmdFind", collect_find, operation_check_find};

#define ROW(title, of, ...)                                                                        \
    {                                                                                              \
        .name = title, .kind = &of, __VA_ARGS__                                                    \
    }
#define REDUCE(title, how, ...) ROW(title, reduce, .algorithm = VKR_REDUCE_##how, __VA_ARGS__)
#define SCAN(title, how, ...) ROW(title, scan, .algorithm = VKR_SCAN_##how, __VA_ARGS__)
#define COMPACT(title, how, predicate, ...)                                                        \
    ROW(title, compact, .algorithm = VKR_COMPACT_##how, .detail = VKR_PREDICATE_##predicate,       \
        __VA_ARGS__)

const operation_row operation_rows[] = {
    REDUCE("reduction", AUTO, .more = true, .first = true),
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
    REDUCE("windows", AUTO, .segments = VKR_SEGMENTS_WINDOWS),
    REDUCE("offsets", AUTO, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by lanes", LANES, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by split", SPLIT, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("reduction by key", AUTO, .segments = VKR_SEGMENTS_KEYS, .more = true, .first = true),
    REDUCE("reduction by a monoid", AUTO, .monoid = true, .more = true, .first = true),
    REDUCE("rows by a monoid", AUTO, .monoid = true, .segments = VKR_SEGMENTS_ROWS, .detail = 1),
    SCAN("scan", AUTO, .more = true, .first = true),
    SCAN("scan by reduce-then-scan", REDUCE_THEN_SCAN, .more = false),
    SCAN("scan by single-pass", SINGLE_PASS, .determinism = VKR_DETERMINISM_NONE),
    SCAN("scan by hillis-steele", HILLIS_STEELE, .more = false),
    SCAN("scan by blelloch", BLELLOCH, .more = false),
    SCAN("scan at level device", AUTO, .determinism = VKR_DETERMINISM_DEVICE),
    SCAN("scan of rows", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_ROWS),
    SCAN("scan of columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    SCAN("scan of flagged segments", AUTO, .segments = VKR_SEGMENTS_FLAGS, .detail = VKR_FLAGS_U8,
         .bytes = true),
    SCAN("scan of segments by bits", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_FLAGS,
         .detail = VKR_FLAGS_BITS),
    SCAN("scan of segments by offsets", SINGLE_PASS, .segments = VKR_SEGMENTS_OFFSETS,
         .determinism = VKR_DETERMINISM_NONE),
    SCAN("scan by key", AUTO, .segments = VKR_SEGMENTS_KEYS, .more = true, .first = true),
    SCAN("scan by a monoid", AUTO, .monoid = true, .more = true, .first = true),
    COMPACT("compaction", AUTO, NONZERO, .more = false),
    COMPACT("compaction by scan-scatter", SCAN_SCATTER, NONZERO, .more = true, .first = true),
    COMPACT("compaction by single-pass", SINGLE_PASS, NONZERO, .more = true),
    COMPACT("unique with run lengths", AUTO, UNIQUE, .more = true),
    COMPACT("compaction by flags", AUTO, FLAGS, .bytes = true),
    ROW("histogram", histogram, .more = true, .first = true),
    ROW("quantiles", quantile, .first = true),
    ROW("sort", sort, .more = true, .first = true),
    ROW("sort by three passes", sort, .algorithm = VKR_SORT_THREE_PASS),
    ROW("sort by a sweep", sort, .algorithm = VKR_SORT_ONESWEEP),
    ROW("sort by bitonic", sort, .algorithm = VKR_SORT_BITONIC),
    ROW("sort of rows", sort, .segments = VKR_SEGMENTS_ROWS),
    ROW("sort of segments by offsets", sort, .segments = VKR_SEGMENTS_OFFSETS),
    ROW("bins", bin, .more = true, .first = true),
    ROW("numbers of elements in bins", bin, .more = false),
    ROW("selection", topk, .more = true, .first = true),
    ROW("selection of rows", topk, .segments = VKR_SEGMENTS_ROWS),
    ROW("selection of segments by offsets", topk, .segments = VKR_SEGMENTS_OFFSETS, .detail = 1),
    ROW("expansion", expand, .more = true, .first = true),
    ROW("elements by rank", select, .more = true, .first = true),
    ROW("elements of rows by rank", select, .segments = VKR_SEGMENTS_ROWS),
    ROW("search", bounds, .more = true, .first = true),
    ROW("merge", merge, .more = true, .first = true),
    ROW("rescaled elements", apply, .first = true),
    ROW("first element", find, .more = true, .first = true),
};
const uint32_t operation_row_count = sizeof operation_rows / sizeof operation_rows[0];

bool operation_serves(const operation_run *run, const operation_row *row)
{
    VkrContextProperties properties;
    vkrGetContextProperties(run->context, &properties);
    return (!row->monoid || run->module != NULL) &&
           (!row->bytes || (properties.features & VKR_FEATURE_STORAGE_8BIT) != 0);
}
