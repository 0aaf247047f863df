/* SPDX-License-Identifier: MIT */
/* The table of operations and guarantees: each cell asks a planner for an operation with one wish
 * added to it. */
#include <stdbool.h>
#include "../../src/core/base.h"
#include "matrix.h"

#define COUNT (1u << 20)
#define LENGTH 1024u
#define SIDE 1024u
#define PAST_RANGE ((VkDeviceSize)1 << 33) /* bytes; descriptors reach less than 2^32 */

typedef enum kind { REDUCE, SCAN, COMPACT, HISTOGRAM, BOUNDS, FIND, MERGE } kind;

/* One of these, as `kind` says. */
typedef struct request {
    kind kind;
    VkrReduceInfo reduce;
    VkrScanInfo scan;
    VkrCompactInfo compact;
    VkrHistogramInfo histogram;
    VkrBoundsInfo bounds;
    VkrFindInfo find;
    VkrMergeInfo merge;
} request;

static VkBuffer buffer_of(uintptr_t number)
{
    return (VkBuffer)number;
}

static VkrView view_of(uintptr_t number, VkrType type)
{
    return (VkrView){.buffer = buffer_of(number), .size = COUNT * vkrTypeSize(type), .type = type};
}

/* ---- Rows: operations ---- */

static const VkrImage image = {
    .image = (VkImage)(uintptr_t)5,
    .view = (VkImageView)(uintptr_t)6,
    .viewType = VK_IMAGE_VIEW_TYPE_2D,
    .format = VK_FORMAT_R32_SFLOAT,
    .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    .extent = {SIDE, SIDE, 1},
};

/* A reduction of all elements, or of segments of this kind. */
static request reduction(VkrSegmentKind segments)
{
    request r = {.kind = REDUCE};
    r.reduce = (VkrReduceInfo){.ops = VKR_OP_SUM,
                               .input = view_of(1, VKR_TYPE_F32),
                               .count = VKR_COUNT_ALL,
                               .output = {buffer_of(2), 0, PAST_RANGE}};
    r.reduce.segments.kind = segments;
    if (segments == VKR_SEGMENTS_OFFSETS)
        r.reduce.segments.offsets = (VkrBufferRange){buffer_of(3), 0, 4096};
    else if (segments == VKR_SEGMENTS_KEYS)
        r.reduce.segments.keys = view_of(3, VKR_TYPE_U32);
    else if (segments)
        r.reduce.segments.length = LENGTH;
    if (segments == VKR_SEGMENTS_TILES)
        r.reduce.segments.tileWidth = r.reduce.segments.tileHeight = 16;
    return r;
}

static request whole(void)
{
    return reduction(VKR_SEGMENTS_NONE);
}

static request of_image(void)
{
    request r = whole();
    r.reduce.input = (VkrView){.image = &image};
    return r;
}

static request of_rows(void)
{
    return reduction(VKR_SEGMENTS_ROWS);
}

static request of_columns(void)
{
    return reduction(VKR_SEGMENTS_COLUMNS);
}

static request of_windows(void)
{
    return reduction(VKR_SEGMENTS_WINDOWS);
}

static request of_offsets(void)
{
    return reduction(VKR_SEGMENTS_OFFSETS);
}

static request of_keys(void)
{
    return reduction(VKR_SEGMENTS_KEYS);
}

static request of_tiles(void)
{
    return reduction(VKR_SEGMENTS_TILES);
}

static request scan(void)
{
    request r = {.kind = SCAN};
    r.scan = (VkrScanInfo){.op = VKR_OP_SUM,
                           .input = view_of(1, VKR_TYPE_F32),
                           .output = view_of(2, VKR_TYPE_F32),
                           .count = VKR_COUNT_ALL};
    return r;
}

static request segmented_scan(void)
{
    request r = scan();
    r.scan.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = LENGTH};
    return r;
}

static request scan_of_columns(void)
{
    request r = scan();
    r.scan.segments = (VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = LENGTH};
    return r;
}

static request scan_by_key(void)
{
    request r = scan();
    r.scan.segments = (VkrSegments){.kind = VKR_SEGMENTS_KEYS, .keys = view_of(3, VKR_TYPE_U32)};
    return r;
}

static request compaction(void)
{
    request r = {.kind = COMPACT};
    r.compact = (VkrCompactInfo){.input = view_of(1, VKR_TYPE_F32),
                                 .count = VKR_COUNT_ALL,
                                 .kept = view_of(2, VKR_TYPE_F32)};
    return r;
}

static request partition(void)
{
    request r = compaction();
    r.compact.rejected = view_of(3, VKR_TYPE_F32);
    return r;
}

static request run_lengths(void)
{
    request r = compaction();
    r.compact.predicate.kind = VKR_PREDICATE_UNIQUE;
    r.compact.runLengths = view_of(3, VKR_TYPE_U32);
    return r;
}

static request histogram(void)
{
    request r = {.kind = HISTOGRAM};
    r.histogram = (VkrHistogramInfo){.input = view_of(1, VKR_TYPE_F32),
                                     .count = VKR_COUNT_ALL,
                                     .bins = {.count = 256, .high.value = 1},
                                     .counts = {buffer_of(2), 0, 1024}};
    return r;
}

static request search(void)
{
    request r = {.kind = BOUNDS};
    r.bounds = (VkrBoundsInfo){.sorted = view_of(1, VKR_TYPE_F32),
                               .count = VKR_COUNT_ALL,
                               .values = view_of(2, VKR_TYPE_F32),
                               .valueCount = VKR_COUNT_ALL,
                               .lower = view_of(3, VKR_TYPE_U32)};
    return r;
}

static request first_element(void)
{
    request r = {.kind = FIND};
    r.find = (VkrFindInfo){
        .input = view_of(1, VKR_TYPE_F32), .count = VKR_COUNT_ALL, .index = {buffer_of(2), 0, 8}};
    return r;
}

static request merge(void)
{
    request r = {.kind = MERGE};
    r.merge = (VkrMergeInfo){.a = {view_of(1, VKR_TYPE_F32), VKR_COUNT_ALL, {0}},
                             .b = {view_of(2, VKR_TYPE_F32), VKR_COUNT_ALL, {0}},
                             .merged = view_of(3, VKR_TYPE_F32)};
    r.merge.merged.size *= 2;
    return r;
}

static const struct {
    const char *name;
    request (*make)(void);
} operations[] = {
    {"reduction", whole},
    {"reduction of an image", of_image},
    {"reduction of rows", of_rows},
    {"of columns", of_columns},
    {"of windows", of_windows},
    {"of segments by offsets", of_offsets},
    {"of runs of equal keys", of_keys},
    {"of tiles", of_tiles},
    {"scan", scan},
    {"segmented scan", segmented_scan},
    {"scan of columns", scan_of_columns},
    {"scan by key", scan_by_key},
    {"compaction", compaction},
    {"partition", partition},
    {"unique, run lengths", run_lengths},
    {"histogram", histogram},
    {"search in sorted data", search},
    {"first element that passes", first_element},
    {"merge of sorted data", merge},
};

/* ---- Columns: wishes; false where the operation has no such member ---- */

static bool wish_gpu_count(request *r)
{
    const VkrGpuCount count = {.buffer = buffer_of(4)};
    r->reduce.gpuCount = r->scan.gpuCount = count;
    r->compact.gpuCount = r->histogram.gpuCount = count;
    r->merge.a.gpuCount = r->merge.b.gpuCount = count;
    r->bounds.gpuCount = r->bounds.gpuValueCount = r->find.gpuCount = count;
    return true;
}

static bool wish_mask(request *r)
{
    const VkrMask mask = {
        .flags = {.format = VKR_FLAGS_BITS, .range = {buffer_of(4), 0, COUNT / 8}}};
    r->reduce.mask = r->scan.mask = r->histogram.mask = mask;
    return r->kind == REDUCE || r->kind == SCAN || r->kind == HISTOGRAM;
}

static bool wish_in_place(request *r)
{
    r->reduce.flags = VKR_REDUCE_CONSUME_INPUT_BIT;
    r->reduce.algorithm = VKR_REDUCE_RECURSIVE;
    r->scan.output = r->scan.input;
    r->compact.kept = r->compact.input;
    return r->kind < HISTOGRAM;
}

static bool wish_past_range(request *r)
{
    VkrView *const inputs[] = {&r->reduce.input,    &r->scan.input,    &r->compact.input,
                               &r->histogram.input, &r->bounds.sorted, &r->find.input,
                               &r->merge.a.keys};
    if (inputs[r->kind]->image)
        return false;
    inputs[r->kind]->size = PAST_RANGE;
    r->scan.output.size = r->compact.kept.size = PAST_RANGE;
    r->merge.merged.size += PAST_RANGE;
    r->bounds.values.size = r->bounds.lower.size = PAST_RANGE;
    r->scan.segments.keys.size = r->reduce.segments.keys.size = PAST_RANGE;
    if (r->compact.rejected.buffer)
        r->compact.rejected.size = PAST_RANGE;
    if (r->compact.runLengths.buffer)
        r->compact.runLengths.size = PAST_RANGE;
    return true;
}

/* A reduction gets the first of two pieces; other operations continue what an earlier piece has
 * left. */
static bool wish_pieces(request *r)
{
    const VkrBufferRange partials = {buffer_of(4), 0, 65536};
    r->reduce.pieces = (VkrPieces){.partials = partials, .count = 2 * (uint64_t)COUNT};
    r->scan.gpuInitial = (VkrBufferRange){buffer_of(4), 0, 4 * LENGTH};
    r->scan.total = (VkrBufferRange){buffer_of(4), 4 * LENGTH, 4 * LENGTH};
    r->compact.append = (VkrGpuCount){.buffer = buffer_of(4)};
    r->histogram.flags = VKR_HISTOGRAM_ACCUMULATE_BIT;
    return r->kind <= HISTOGRAM;
}

static bool wish_device(request *r)
{
    r->reduce.determinism = r->scan.determinism = VKR_DETERMINISM_DEVICE;
    return r->kind == REDUCE || r->kind == SCAN;
}

static bool wish_propagate(request *r)
{
    r->reduce.nan = r->scan.nan = VKR_NAN_PROPAGATE;
    return r->kind == REDUCE || r->kind == SCAN;
}

static bool wish_skip(request *r)
{
    r->reduce.nan = r->scan.nan = VKR_NAN_SKIP;
    return r->kind == REDUCE || r->kind == SCAN;
}

static const struct {
    const char *name;
    bool (*make)(request *r);
} wishes[] = {
    {"count on the GPU", wish_gpu_count}, {"mask", wish_mask},
    {"in place", wish_in_place},          {"beyond a descriptor", wish_past_range},
    {"piece by piece", wish_pieces},      {"float sums at level `device`", wish_device},
    {"NaN propagates", wish_propagate},   {"NaN left out", wish_skip},
};

static bool serves(VkrContext context, size_t operation, size_t wish)
{
    request r = operations[operation].make();
    VkrRecorder recorder = NULL;
    VkrResult result = VKR_ERROR_UNSUPPORTED;
    if (!wishes[wish].make(&r))
        return false;
    if (vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder) == VKR_SUCCESS &&
        vkrBegin(recorder) == VKR_SUCCESS)
        result = r.kind == REDUCE    ? vkrCmdReduce(recorder, &r.reduce)
                 : r.kind == SCAN    ? vkrCmdScan(recorder, &r.scan)
                 : r.kind == COMPACT ? vkrCmdCompact(recorder, &r.compact)
                 : r.kind == BOUNDS  ? vkrCmdBounds(recorder, &r.bounds)
                 : r.kind == FIND    ? vkrCmdFind(recorder, &r.find)
                 : r.kind == MERGE   ? vkrCmdMerge(recorder, &r.merge)
                                     : vkrCmdHistogram(recorder, &r.histogram);
    vkrDestroyRecorder(recorder);
    return result == VKR_SUCCESS;
}

void print_guarantees(VkrContext context)
{
    put("| operation |");
    for (size_t w = 0; w < VKR_ARRAY_SIZE(wishes); w++) {
        put(" ");
        put(wishes[w].name);
        put(" |");
    }
    put("\n|---|");
    for (size_t w = 0; w < VKR_ARRAY_SIZE(wishes); w++)
        put("---|");
    put("\n");
    for (size_t o = 0; o < VKR_ARRAY_SIZE(operations); o++) {
        put("| ");
        put(operations[o].name);
        put(" |");
        for (size_t w = 0; w < VKR_ARRAY_SIZE(wishes); w++)
            put(serves(context, o, w) ? " yes |" : " - |");
        put("\n");
    }
}
