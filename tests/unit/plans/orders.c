/* SPDX-License-Identifier: MIT */
/* Random valid sorts, selections and searches, and reductions by key, and the bytes that they may
 * touch. */
#include "ranges.h"

#define PAYLOADS 3u

enum { INPUT, VALUES, INDICES, FOUND, GPU_COUNT, OFFSETS, SOURCES, TARGETS = SOURCES + PAYLOADS };

/* Marks a request that may be refused since a descriptor must reach all of this. */
static void mark_large(operation *o, uint64_t bytes)
{
    o->may_fail |= bytes > plan.device.maxStorageBufferRange - 512;
}

static VkrView random_keys(uint64_t *seed, const operation *o, uint64_t windows, uint64_t *count)
{
    VkrView view = random_input(seed, o, windows, count);
    view.components = 1;
    *count = min_of(*count, view_capacity(&view));
    return view;
}

/* Draws columns, few enough that a sort needs few batches of them. */
static void random_columns(uint64_t *seed, VkrSegments *segments, uint64_t *count)
{
    const uint64_t length = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 20));
    *segments = (VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = length};
    *count -= *count % length;
}

/* Draws an output that holds all entries; or none, which one time in two a request may have. */
static VkrView random_result(uint64_t *seed, operation *o, uint32_t role, VkrType type,
                             uint64_t entries, bool optional)
{
    if (optional && random_below(seed, 2))
        return (VkrView){0};
    const VkrView view = view_of(seed, letter(o, role), type, 1, entries != 0 ? entries : 1);
    add_view(o, &view, entries, true);
    return view;
}

static uint32_t random_payloads(uint64_t *seed, operation *o, uint64_t count, uint64_t entries,
                                VkrPayload payloads[PAYLOADS])
{
    const uint32_t number = (uint32_t)(random_below(seed, 2) * random_below(seed, PAYLOADS + 1));
    const uint64_t most = 4 * plan.device.maxStorageBufferRange / (count + 1) + 1; /* few windows */
    for (uint32_t k = 0; k < number && entries != 0; k++) {
        const uint32_t size = 1 + (uint32_t)random_below(seed, min_of(most, 64));
        const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
        const uint64_t gap = random_below(seed, 2) * unit * random_below(seed, 4);
        payloads[k] = (VkrPayload){
            .size = size,
            .sourceStride = size + gap,
            .targetStride = size,
            .source = {letter(o, SOURCES + k), unit * random_below(seed, 100),
                       count * (size + gap)},
            .target = {letter(o, TARGETS + k), unit * random_below(seed, 100), entries * size}};
        const VkrPayload *p = &payloads[k];
        add_region(o, p->source.buffer, p->source.offset, p->source.size, false);
        add_region(o, p->target.buffer, p->target.offset, p->target.size, true);
        add_entries(o, p->source.buffer, p->source.offset, p->sourceStride, size, count);
        add_entries(o, p->target.buffer, p->target.offset, size, size, entries);
    }
    return entries != 0 ? number : 0;
}

static VkrBufferRange random_offsets(uint64_t *seed, operation *o, uint64_t unit, uint64_t count)
{
    const uint64_t entries = 1 + random_below(seed, 10000);
    const VkrBufferRange range = {letter(o, OFFSETS), unit * random_below(seed, 100),
                                  unit * entries};
    add_region(o, range.buffer, range.offset, range.size, false);
    add_entries(o, range.buffer, range.offset, unit, unit, count ? entries : 0);
    mark_large(o, range.size);
    return range;
}

static VkrResult collect_sort(uint64_t *seed, const char *label, operation *o)
{
    VkrPayload payloads[PAYLOADS];
    VkrSortInfo info = {.label = label, .payloads = payloads};
    VkrSortKey then = {.flags = (uint32_t)random_below(seed, 8)};
    info.keys = random_keys(seed, o, 1, &info.count);
    const VkrType type = info.keys.type;
    info.flags = (uint32_t)random_below(seed, 8);
    if (!is_float(type) && random_below(seed, 2)) {
        info.beginBit = (uint32_t)random_below(seed, 8 * (uint64_t)vkrTypeSize(type));
        info.endBit = info.beginBit + 1 +
                      (uint32_t)random_below(seed, 8 * (uint64_t)vkrTypeSize(type) - info.beginBit);
    }
    info.algorithm =
        (VkrSortAlgorithm)(random_below(seed, 2) * random_below(seed, VKR_SORT_ALGORITHM_COUNT));
    o->may_fail = info.algorithm != VKR_SORT_AUTO && info.algorithm != VKR_SORT_THREE_PASS;
    info.workgroupSize = random_workgroup(seed, o);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    if (random_below(seed, 3) == 0)
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_ROWS,
                          .length = 1 + info.count / 1000000 + /* few batches */
                                    random_below(seed, (uint64_t)1 << random_below(seed, 35))};
    if (info.segments.kind == VKR_SEGMENTS_ROWS)
        random_pitch(seed, &info.segments);
    else if (random_below(seed, 4) == 0)
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                                      .offsets = random_offsets(seed, o, 4, info.count)};
    else if (random_below(seed, 4) == 0)
        random_columns(seed, &info.segments, &info.count);
    const bool in_place = random_below(seed, 4) == 0;
    add_view(o, &info.keys, info.count, in_place);
    info.sorted = in_place ? info.keys : random_result(seed, o, VALUES, type, info.count, true);
    info.sorted.texels = (VkrTexels){0};
    info.payloadCount = random_payloads(seed, o, info.count, info.count, payloads);
    if (random_below(seed, 3) == 0) {
        then.keys = view_of(seed, letter(o, FOUND), type, 1, info.count);
        add_view(o, &then.keys, info.count, false);
        info.thenCount = 1;
        info.then = &then;
    }
    info.indices = random_result(seed, o, INDICES, VKR_TYPE_U32, info.count,
                                 info.sorted.buffer || info.payloadCount != 0);
    for (uint32_t i = 0; i < o->region_count; i++)
        mark_large(o, o->regions[i].size);
    mark_large(o, 8 * info.count);
    mark_apart(o, &info.segments, info.count);
    return vkrCmdSort(fixture.recorder, &info);
}

static VkrBufferRange random_words(uint64_t *seed, operation *o, uint32_t role, uint64_t words)
{
    const VkrBufferRange range = {letter(o, role), 4 * random_below(seed, 100), 4 * words};
    add_region(o, range.buffer, range.offset, range.size, true);
    add_entries(o, range.buffer, range.offset, 4, 4, words);
    return range;
}

static VkrResult collect_bin(uint64_t *seed, const char *label, operation *o)
{
    VkrPayload payloads[PAYLOADS];
    VkrBinInfo info = {.label = label, .payloads = payloads};
    (void)random_keys(seed, o, 1, &info.count);
    const VkrType type = (VkrType)ONE_OF(seed, VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_U32);
    info.keys = view_of(seed, letter(o, INPUT), type, 1, info.count != 0 ? info.count : 1);
    info.binCount = 1 + (uint32_t)random_below(seed, (uint64_t)1 << random_below(seed, 13));
    info.workgroupSize = random_workgroup(seed, o);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    add_view(o, &info.keys, info.count, false);
    if (random_below(seed, 2))
        info.counts = random_words(seed, o, VALUES, info.binCount);
    if (random_below(seed, 2))
        info.offsets = random_words(seed, o, FOUND, info.binCount + 1);
    info.payloadCount = random_payloads(seed, o, info.count, info.count, payloads);
    info.indices = random_result(seed, o, INDICES, VKR_TYPE_U32, info.count,
                                 info.counts.buffer || info.offsets.buffer || info.payloadCount);
    for (uint32_t i = 0; i < o->region_count; i++)
        mark_large(o, o->regions[i].size);
    mark_large(o, 8 * info.count);
    return vkrCmdBin(fixture.recorder, &info);
}

static VkrResult collect_topk(uint64_t *seed, const char *label, operation *o)
{
    VkrPayload payloads[PAYLOADS];
    VkrTopKInfo info = {.label = label, .payloads = payloads};
    info.input = random_keys(seed, o, 3, &info.count);
    info.count = min_of(info.count, UINT32_MAX);
    info.flags = (uint32_t)random_below(seed, 8);
    info.k = 1 + (uint32_t)random_below(seed, (uint64_t)1 << random_below(seed, 17));
    info.workgroupSize = random_workgroup(seed, o);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    uint64_t rows = 1;
    if (random_below(seed, 2)) {
        const uint64_t length = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 32));
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
        rows = divide_up(info.count, length);
        info.k = (uint32_t)min_of(info.k, length);
    } else if (random_below(seed, 3) == 0) {
        random_columns(seed, &info.segments, &info.count);
        rows = info.segments.length;
        info.k = (uint32_t)min_of(info.k, info.count / rows + (info.count == 0));
    } else if (random_below(seed, 3) == 0) {
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = random_offsets(seed, o, 4, 1)};
        rows = info.segments.offsets.size / 4 - 1;
        o->may_fail =
            info.count * view_stride(&info.input) > plan.device.maxStorageBufferRange / 2 ||
            12 * rows > plan.device.maxStorageBufferRange / 2; /* the spans */
    }
    if (info.count != 0)
        info.k = (uint32_t)min_of(info.k, info.count);
    if (rows * info.k > plan.device.maxStorageBufferRange / 8) /* few windows */
        info.k = 1;
    const uint64_t entries = rows * info.k;
    add_view(o, &info.input, info.count, false);
    info.values = random_result(seed, o, VALUES, info.input.type, entries, true);
    info.payloadCount = random_payloads(seed, o, info.count, entries, payloads);
    info.indices = random_result(seed, o, INDICES, VKR_TYPE_U32, entries,
                                 info.values.buffer || info.payloadCount != 0);
    const bool counted = info.segments.kind == VKR_SEGMENTS_COLUMNS &&
                         info.gpuCount.buffer != VK_NULL_HANDLE; /* which does not go with found */
    if (random_below(seed, 2) && !counted) {
        info.found = (VkrBufferRange){letter(o, FOUND), 4 * random_below(seed, 100), 4 * rows};
        add_region(o, info.found.buffer, info.found.offset, info.found.size, true);
        add_entries(o, info.found.buffer, info.found.offset, 4, 4, info.count != 0 ? rows : 0);
    }
    mark_wide(o, &info.input);
    mark_wide(o, &info.values);
    mark_large(o, 64 * 2 * (uint64_t)info.k);
    if (info.count == 0)
        o->walk_count = 0;
    return vkrCmdTopK(fixture.recorder, &info);
}

static VkrResult collect_select(uint64_t *seed, const char *label, operation *o)
{
    uint32_t ranks[40];
    VkrSelectInfo info = {.label = label, .ranks = ranks};
    info.input = random_keys(seed, o, 3, &info.count);
    info.count = min_of(info.count, UINT32_MAX);
    info.flags = (uint32_t)random_below(seed, 4);
    info.rankCount = 1 + (uint32_t)random_below(seed, ARRAY_SIZE(ranks));
    info.workgroupSize = random_workgroup(seed, o);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    uint64_t rows = 1;
    if (random_below(seed, 2)) {
        const uint64_t length = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 32));
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
        random_pitch(seed, &info.segments);
        rows = divide_up(info.count, info.segments.pitch != 0 ? info.segments.pitch : length);
    } else if (random_below(seed, 3) == 0) {
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = random_offsets(seed, o, 4, 1)};
        rows = info.segments.offsets.size / 4 - 1;
        o->may_fail = true; /* where a descriptor does not reach the input or an output */
    }
    if (rows * info.rankCount > plan.device.maxStorageBufferRange / 8) /* few windows */
        info.rankCount = 1;
    for (uint32_t i = 0; i < info.rankCount; i++)
        ranks[i] = (uint32_t)random_below(seed, info.count + 1);
    const uint64_t entries = rows * info.rankCount;
    add_view(o, &info.input, info.count, false);
    mark_apart(o, &info.segments, info.count);
    info.values = random_result(seed, o, VALUES, info.input.type, entries, true);
    info.indices = random_result(seed, o, INDICES, VKR_TYPE_U32, entries, info.values.buffer);
    mark_wide(o, &info.input);
    mark_wide(o, &info.values);
    mark_large(o, 64 * 2 * (uint64_t)info.rankCount);
    if (info.count == 0)
        o->walk_count = 0;
    return vkrCmdSelect(fixture.recorder, &info);
}

static VkrResult collect_apply(uint64_t *seed, const char *label, operation *o)
{
    VkrApplyInfo info = {
        .label = label, .function = (VkrApplyFunction)random_below(seed, VKR_APPLY_FUNCTION_COUNT)};
    info.count = random_below(seed, 1 + plan.device.maxStorageBufferRange / 2);
    info.input = view_of(seed, letter(o, SOURCES), VKR_TYPE_F32, 1, info.count);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.workgroupSize = random_workgroup(seed, o);
    if (random_below(seed, 2) == 0) {
        const uint64_t length = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 32));
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
    }
    info.output = random_result(seed, o, VALUES, VKR_TYPE_F32, info.count, false);
    add_view(o, &info.input, info.count, false);
    mark_wide(o, &info.input);
    mark_wide(o, &info.output);
    mark_large(o, VKR_APPLY_TILE * info.input.stride);
    mark_large(o, VKR_APPLY_TILE * info.output.stride);
    return vkrCmdApply(fixture.recorder, &info);
}

static VkrResult collect_bounds(uint64_t *seed, const char *label, operation *o)
{
    VkrBoundsInfo info = {.label = label, .flags = (uint32_t)random_below(seed, 8)};
    info.sorted = random_keys(seed, o, 3, &info.count);
    info.valueCount = random_below(seed, 1 + plan.device.maxStorageBufferRange / 8);
    info.values = view_of(seed, letter(o, SOURCES), info.sorted.type, 1, info.valueCount);
    info.workgroupSize = random_workgroup(seed, o);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.gpuValueCount = random_gpu_count(seed, o, letter(o, OFFSETS));
    const bool wide = info.count >> 32 != 0 || random_below(seed, 4) == 0;
    const VkrType index = wide ? VKR_TYPE_U64 : VKR_TYPE_U32;
    info.lower = random_result(seed, o, INDICES, index, info.valueCount, true);
    info.upper = random_result(seed, o, FOUND, index, info.valueCount, info.lower.buffer != NULL);
    add_view(o, &info.sorted, info.valueCount != 0 ? info.count : 0, false);
    add_view(o, &info.values, info.count != 0 ? info.valueCount : 0, false);
    mark_wide(o, &info.sorted);
    mark_wide(o, &info.values);
    return vkrCmdBounds(fixture.recorder, &info);
}

/* A merge whose sequences have windows, or none. Their second payload's sources have roles behind
 * those of payloads. */
static VkrResult collect_merge(uint64_t *seed, const char *label, operation *o)
{
    enum { SECOND = GPU_COUNT, OTHER_COUNT = FOUND, PAYLOADS_OF_B = TARGETS + PAYLOADS };
    VkrPayload first[PAYLOADS];
    VkrMergePayload payloads[PAYLOADS];
    VkrMergeInfo info = {.label = label, .payloads = payloads};
    info.flags = (uint32_t)random_below(seed, 4);
    info.a.keys = random_keys(seed, o, 2, &info.a.count);
    info.a.count = min_of(info.a.count, UINT32_MAX / 2);
    info.b.count = random_below(seed, 1 + plan.device.maxStorageBufferRange / 8);
    info.b.keys =
        view_of(seed, letter(o, SECOND), info.a.keys.type, 1, info.b.count != 0 ? info.b.count : 1);
    info.workgroupSize = random_workgroup(seed, o);
    info.a.gpuCount = random_gpu_count(seed, o, letter(o, OTHER_COUNT));
    info.b.gpuCount = random_gpu_count(seed, o, letter(o, OFFSETS));
    const uint64_t all = info.a.count + info.b.count;
    add_view(o, &info.a.keys, all != 0 ? info.a.count : 0, false);
    add_view(o, &info.b.keys, all != 0 ? info.b.count : 0, false);
    info.payloadCount = random_payloads(seed, o, info.a.count, all, first);
    for (uint32_t k = 0; k < info.payloadCount; k++) {
        const VkrPayload *p = &first[k];
        payloads[k] = (VkrMergePayload){
            .size = p->size,
            .a = p->source,
            .aStride = p->sourceStride,
            .b = {letter(o, PAYLOADS_OF_B + k), p->source.offset, info.b.count * p->size},
            .target = p->target,
            .targetStride = p->targetStride};
        add_region(o, payloads[k].b.buffer, payloads[k].b.offset, payloads[k].b.size, false);
        add_entries(o, payloads[k].b.buffer, payloads[k].b.offset, p->size, p->size, info.b.count);
    }
    info.merged = random_result(seed, o, VALUES, info.a.keys.type, all, true);
    info.indices = random_result(seed, o, INDICES, VKR_TYPE_U32, all,
                                 info.merged.buffer || info.payloadCount != 0);
    for (uint32_t i = 0; i < o->region_count; i++)
        mark_large(o, o->regions[i].size);
    mark_large(o, 8 * all);
    mark_wide(o, &info.a.keys);
    mark_wide(o, &info.b.keys);
    return vkrCmdMerge(fixture.recorder, &info);
}

static VkrResult collect_find(uint64_t *seed, const char *label, operation *o)
{
    VkrFindInfo info = {.label = label};
    info.input = random_input(seed, o, WINDOWS, &info.count);
    info.predicate = random_predicate(seed, o, &info.input, info.count);
    info.gpuCount = random_gpu_count(seed, o, letter(o, 20));
    info.index = (VkrBufferRange){letter(o, 21), 4 * random_below(seed, 100), 8};
    add_region(o, info.index.buffer, info.index.offset, 8, true);
    add_view(o, &info.input, info.predicate.kind != VKR_PREDICATE_FLAGS ? info.count : 0, false);
    mark_wide(o, &info.input);
    return vkrCmdFind(fixture.recorder, &info);
}

/* A reduction by key; all that it writes about runs has room for all of them, or for fewer. */
static VkrResult collect_keyed(uint64_t *seed, const char *label, operation *o)
{
    VkrReduceInfo info = {.label = label, .ops = VKR_OP_SUM | VKR_OP_MAX};
    VkrReduceLayout layout;
    info.input = random_input(seed, o, 1, &info.count);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.determinism = (VkrDeterminism)random_below(seed, 3);
    info.segments.kind = VKR_SEGMENTS_KEYS;
    VkrSegments *segments = &info.segments;
    segments->keys =
        view_of(seed, letter(o, SOURCES), (VkrType)(1 + random_below(seed, VKR_TYPE_COUNT - 1)),
                1 + (uint32_t)random_below(seed, 4), info.count);
    segments->runs.capacity = random_below(seed, 2) ? 0 : 1 + random_below(seed, info.count + 1);
    uint64_t runs = segments->runs.capacity != 0 ? segments->runs.capacity : info.count;
    runs = min_of(runs, info.count);
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        return VKR_ERROR_UNSUPPORTED;
    info.output = (VkrBufferRange){letter(o, VALUES), 8 * random_below(seed, 100), layout.size};
    add_region(o, info.output.buffer, info.output.offset, layout.size, true);
    segments->runs.lengths = random_result(seed, o, INDICES, VKR_TYPE_U32, runs, true);
    add_view(o, &info.input, info.count, false);
    add_view(o, &segments->keys, info.count, false);
    for (uint32_t i = 0; i < o->region_count; i++)
        mark_large(o, 4 * o->regions[i].size);
    mark_large(o, 1000 * (info.count / 1000 + 2));
    mark_wide(o, &info.input);
    mark_wide(o, &segments->keys);
    o->may_fail |= info.determinism == VKR_DETERMINISM_DEVICE;
    o->unit = vkrTypeSize(info.input.type);
    o->record = layout.size - (layout.segments - (layout.segments != 0)) * layout.stride;
    return vkrCmdReduce(fixture.recorder, &info);
}

VkrResult collect_order(uint64_t *seed, const char *label, operation *o)
{
    static VkrResult (*const rows[])(uint64_t * seed, const char *label, operation *o) = {
        collect_sort,   collect_bin,  collect_topk,  collect_select, collect_merge,
        collect_bounds, collect_find, collect_keyed, collect_apply};
    return rows[random_below(seed, ARRAY_SIZE(rows))](seed, label, o);
}
