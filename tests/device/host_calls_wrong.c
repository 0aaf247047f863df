/* SPDX-License-Identifier: MIT */
/* Wrong arguments of calls for one array, each with its sentence. */
#include "host_calls.h"

#define COUNT 100u

static float elements[COUNT], others[COUNT];
static uint32_t words[COUNT];
static const uint32_t rank = 50;
static VkrMap map;
static struct VkrHook *const hook = (struct VkrHook *)&map; /* an address, which nothing reads */
static const VkrSortKey then = {.keys = {.type = VKR_TYPE_F32}};
static const VkrSortKey in_bits = {.keys = {.type = VKR_TYPE_U32}, .beginBit = 3, .endBit = 2};
#define BUFFER ((VkBuffer)(uintptr_t)16)

/* All infos of a valid call, of which a row changes one. */
typedef struct infos {
    VkrHostReduceInfo reduce;
    VkrHostScanInfo scan;
    VkrHostCompactInfo compact;
    VkrHostSortInfo sort;
    VkrHostTopKInfo topk;
    VkrHostBoundsInfo bounds;
    VkrHostHistogramInfo histogram;
    VkrHostSelectInfo select;
    VkrHostExpandInfo expand;
    VkrHostMergeInfo merge;
    VkrHostApplyInfo apply;
} infos;

#define CALLS 11u

static void make(infos *i)
{
    const VkrView view = {.type = VKR_TYPE_F32};
    *i = (infos){
        .reduce = {.reduce = {.ops = VKR_OP_SUM, .input = view, .count = COUNT},
                   .input = elements,
                   .results = others,
                   .resultsSize = sizeof others},
        .scan = {.scan = {.op = VKR_OP_SUM, .input = view, .count = COUNT},
                 .input = elements,
                 .output = others},
        .compact = {.compact = {.input = view, .count = COUNT}, .input = elements, .kept = others},
        .sort = {.sort = {.keys = view, .count = COUNT}, .keys = elements, .sorted = others},
        .topk = {.topK = {.input = view, .count = COUNT, .k = 3},
                 .input = elements,
                 .values = others},
        .bounds = {.bounds = {.sorted = view, .values = view, .count = COUNT, .valueCount = COUNT},
                   .sorted = elements,
                   .values = others,
                   .lower = words},
        .histogram = {.histogram = {.input = view,
                                    .count = COUNT,
                                    .bins = {.count = 10, .high = {1, 0}}},
                      .input = elements,
                      .counts = words},
        .select = {.select = {.input = view, .count = COUNT, .rankCount = 1, .ranks = &rank},
                   .input = elements,
                   .values = others},
        .expand = {.expand = {.count = COUNT, .capacity = COUNT},
                   .counts = words,
                   .sources = others},
        .merge = {.merge = {.a = {.keys = view, .count = COUNT / 2},
                            .b = {.keys = view, .count = COUNT / 4}},
                  .a = elements,
                  .b = elements,
                  .merged = others},
        .apply = {.apply = {.input = view, .count = COUNT}, .input = elements, .output = others},
    };
}

static VkrResult call(const infos *i, uint32_t which)
{
    switch (which) {
    case 0:
        return vkrHostReduce(host, &i->reduce);
    case 1:
        return vkrHostScan(host, &i->scan);
    case 2:
        return vkrHostCompact(host, &i->compact);
    case 3:
        return vkrHostSort(host, &i->sort);
    case 4:
        return vkrHostTopK(host, &i->topk);
    case 5:
        return vkrHostBounds(host, &i->bounds);
    case 6:
        return vkrHostHistogram(host, &i->histogram);
    case 7:
        return vkrHostSelect(host, &i->select);
    case 8:
        return vkrHostExpand(host, &i->expand);
    case 9:
        return vkrHostMerge(host, &i->merge);
    default:
        return vkrHostApply(host, &i->apply);
    }
}

/* WRONG(number of the call, what is wrong, part of the sentence) */
#define WRONG(which, change, text)                                                                 \
    do {                                                                                           \
        infos i;                                                                                   \
        make(&i);                                                                                  \
        change;                                                                                    \
        sentence[0] = '\0';                                                                        \
        const VkrResult result = call(&i, which);                                                  \
        if (result != VKR_ERROR_INVALID_ARGUMENT || strstr(sentence, text) == NULL)                \
            fail_msg("%s, '%s', not '%s'", vkrResultName(result), sentence, text);                 \
    } while (0)

static void wrong_reductions(void)
{
    WRONG(0, i.reduce.input = NULL, "vkrHostReduce: input is NULL, but must be given, since there");
    WRONG(0, i.reduce.results = NULL, "results is NULL");
    WRONG(0, i.reduce.resultsSize = 3, "resultsSize is 3, but must be at least 4");
    WRONG(0, i.reduce.reduce.count = VKR_COUNT_ALL, "reduce.count is VKR_COUNT_ALL");
    WRONG(0, i.reduce.reduce.count = UINT64_MAX / 2, "input would have 9223372036854775807 elem");
    WRONG(0, i.reduce.reduce.gpuCount.buffer = BUFFER, "the GPU count for reduce.count is given");
    WRONG(0, i.reduce.reduce.input.buffer = BUFFER, "reduce.input.buffer is given, but must be 0");
    WRONG(0, i.reduce.reduce.input.size = 8, "reduce.input.size is given");
    WRONG(0, i.reduce.reduce.input.type = VKR_TYPE_COUNT, "reduce.input.type is 13");
    WRONG(0, i.reduce.reduce.input.components = 5, "reduce.input.components is 5");
    WRONG(0, i.reduce.reduce.input.stride = 6, "reduce.input.stride is 6");
    WRONG(0, i.reduce.reduce.input.image = (const struct VkrImage *)&map, "input.image is given");
    WRONG(0, map.hook = hook; i.reduce.reduce.input.map = &map, "reduce.input.map->hook is given");
    map.hook = NULL;
    WRONG(0, i.reduce.reduce.output.buffer = BUFFER, "reduce.output is given");
    WRONG(0, i.reduce.reduce.flags = VKR_REDUCE_CONSUME_INPUT_BIT, "VKR_REDUCE_CONSUME_INPUT_BIT");
    WRONG(0, i.reduce.reduce.pieces.count = 1, "reduce.pieces is given");
    WRONG(0, i.reduce.reduce.mask.flags.range.buffer = BUFFER, "reduce.mask.flags.range is given");
    WRONG(0, i.reduce.reduce.segments.kind = VKR_SEGMENTS_KEYS, "reduce.segments.kind is keys");
    WRONG(0, i.reduce.reduce.segments.offsets.buffer = BUFFER, "segments.offsets is given");
    WRONG(0, i.reduce.reduce.ops = VKR_OP_DOT, "input2 is NULL");
    WRONG(0, i.reduce.results = elements + 99, "results overlaps input");
    WRONG(0, i.reduce.reduce.ops = 0, "vkrGetReduceLayout");
}

static void wrong_others(void)
{
    WRONG(1, i.scan.output = NULL, "vkrHostScan: output is NULL");
    WRONG(1, i.scan.output = elements + 1, "output overlaps input");
    WRONG(1, i.scan.total = others + 1, "overlaps");
    WRONG(1, i.scan.mask = others + 1, "output overlaps mask");
    WRONG(1, i.scan.scan.mask.flags.range.buffer = BUFFER, "scan.mask.flags.range is given");
    WRONG(1, i.scan.scan.total.buffer = BUFFER, "scan.total is given");
    WRONG(1, i.scan.scan.gpuInitial.buffer = BUFFER, "scan.gpuInitial is given");
    WRONG(1, i.scan.scan.output.buffer = BUFFER, "scan.output.buffer is given");
    WRONG(2, i.compact.input = NULL, "vkrHostCompact: input is NULL");
    WRONG(2, i.compact.compact.predicate.kind = VKR_PREDICATE_FLAGS, "flags is NULL");
    WRONG(2, i.compact.kept = elements, "kept overlaps input");
    WRONG(2, i.compact.compact.append.buffer = BUFFER, "compact.append is given");
    WRONG(2, i.compact.compact.countOutputCount = 1, "compact.countOutputCount is given");
    WRONG(2, i.compact.compact.payloadCount = 1, "compact.payloadCount is given");
    WRONG(2, i.compact.compact.kept.stride = 2, "compact.kept.stride is 2");
    WRONG(3, i.sort.keys = NULL, "vkrHostSort: keys is NULL");
    WRONG(3, i.sort.sorted = NULL, "vkrCmdSort");
    WRONG(3, i.sort.payload = words, "payloadSize is 0, but must be 1 to 64");
    WRONG(3, i.sort.payload = words; i.sort.payloadSize = 4, "payloadSorted is NULL");
    WRONG(3, i.sort.sort.payloadCount = 1, "sort.payloadCount is given");
    WRONG(3, i.sort.sort.thenCount = 1, "sort.then is NULL, but must point to the 1 of");
    WRONG(3, i.sort.sort.then = &then; i.sort.sort.thenCount = 4, "sort.thenCount is 4, but must");
    WRONG(3, i.sort.sort.then = &then; i.sort.sort.thenCount = 1, "then[0] is NULL, but must be");
    WRONG(3, i.sort.sort.then = &then; i.sort.sort.thenCount = 1;
          i.sort.then[0] = others + 1, "sorted overlaps then[0]");
    WRONG(3, i.sort.sort.then = &in_bits; i.sort.sort.thenCount = 1;
          i.sort.then[0] = words, "vkrCmdSort: then[0].beginBit is 3");
    WRONG(3, i.sort.sort.keys.map = &map, "sort.keys.map is given");
    WRONG(5, i.bounds.sorted = NULL, "vkrHostBounds: sorted is NULL");
    WRONG(5, i.bounds.bounds.valueCount = VKR_COUNT_ALL, "bounds.valueCount is VKR_COUNT_ALL");
    WRONG(5, i.bounds.lower = others, "lower overlaps values");
    WRONG(6, i.histogram.counts = NULL, "vkrHostHistogram: counts is NULL");
    WRONG(6, i.histogram.histogram.counts.buffer = BUFFER, "histogram.counts is given");
    WRONG(6, i.histogram.histogram.bins.kind = VKR_BINS_EDGES, "edges is NULL");
    WRONG(6, i.histogram.histogram.bins.count = 70000, "histogram.bins.count is 70000");
    WRONG(6, i.histogram.counts = elements, "counts overlaps input");
}

static void wrong_selections(void)
{
    WRONG(4, i.topk.topK.segments.kind = VKR_SEGMENTS_ROWS, "topK.segments.length is 0");
    WRONG(4, i.topk.topK.segments.kind = VKR_SEGMENTS_FLAGS, "topK.segments.kind is 1");
    WRONG(4, i.topk.topK.segments.kind = VKR_SEGMENTS_OFFSETS, "segments.offsetCount is 0");
    WRONG(4, i.topk.topK.segments.kind = VKR_SEGMENTS_OFFSETS;
          i.topk.segments.offsetCount = 2, "segments.offsets is NULL");
    WRONG(4, i.topk.wanted = words, "wanted is given, but must be NULL");
    WRONG(4, i.topk.topK.found.buffer = BUFFER, "topK.found is given");
    WRONG(4, i.topk.values = elements, "values overlaps input");
    WRONG(7, i.select.input = NULL, "vkrHostSelect: input is NULL");
    WRONG(7, i.select.values = NULL, "vkrCmdSelect");
    WRONG(7, i.select.indices = elements + 7, "indices overlaps input");
    WRONG(7, i.select.select.rankCount = 257, "select.rankCount is 257, but must be 1 to 256");
    WRONG(7, i.select.select.count = VKR_COUNT_ALL, "select.count is VKR_COUNT_ALL");
    WRONG(7, i.select.select.segments.kind = VKR_SEGMENTS_COLUMNS, "select.segments.kind is 4");
    WRONG(7, i.select.select.segments.kind = VKR_SEGMENTS_OFFSETS, "segments.offsetCount is 0");
    WRONG(7, i.select.select.gpuRanks.buffer = (VkBuffer)(uintptr_t)64, "select.gpuRanks");
    WRONG(7, i.select.select.segments.kind = VKR_SEGMENTS_ROWS, "select.segments.length is 0");
    WRONG(7,
          i.select.select.segments =
              ((VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 3, .pitch = 2}),
          "select.segments.pitch is 2");
    WRONG(7, i.select.select.input.map = &map, "select.input.map is given");
}

static void wrong_expansions(void)
{
    WRONG(8, i.expand.counts = NULL, "vkrHostExpand: counts is NULL");
    WRONG(8, i.expand.expand.capacity = 0, "expand.capacity is 0, but must be the number of outp");
    WRONG(8, i.expand.expand.count = VKR_COUNT_ALL, "expand.count is VKR_COUNT_ALL");
    WRONG(8, i.expand.expand.payloadCount = 1, "expand.payloadCount is given");
    WRONG(8, i.expand.expand.countOutputCount = 1, "expand.countOutputCount is given");
    WRONG(8, i.expand.payload = elements, "payloadSize is 0, but must be 1 to 64");
    WRONG(8, i.expand.payload = elements; i.expand.payloadSize = 4, "payloadExpanded is NULL");
    WRONG(8, i.expand.sources = words + 9, "sources overlaps counts");
    WRONG(8, i.expand.expand.counts.type = VKR_TYPE_F32, "counts.type is f32");
}

static void wrong_merges(void)
{
    WRONG(9, i.merge.a = NULL, "vkrHostMerge: a is NULL, but must be given");
    WRONG(9, i.merge.b = NULL, "vkrHostMerge: b is NULL, but must be given");
    WRONG(9, i.merge.merged = NULL, "vkrCmdMerge: merged, indices and payloads are empty");
    WRONG(9, i.merge.merge.a.count = VKR_COUNT_ALL, "merge.a.count is VKR_COUNT_ALL");
    WRONG(9, i.merge.merge.b.gpuCount.buffer = BUFFER, "the GPU count for merge.b.count is given");
    WRONG(9, i.merge.merge.b.count = (uint64_t)1 << 32, "but their sum must be below 2^32");
    WRONG(9, i.merge.merge.payloadCount = 1, "merge.payloadCount is given");
    WRONG(9, i.merge.merge.b.keys.type = VKR_TYPE_U32, "b.keys.type is u32, but must be f32");
    WRONG(9, i.merge.payloadA = words, "payloadSize is 0, but must be 1 to 64");
    WRONG(9, i.merge.payloadA = words; i.merge.payloadSize = 4, "payloadMerged is NULL");
    WRONG(9, i.merge.payloadA = words; i.merge.payloadMerged = words + 50;
          i.merge.payloadSize = 2, "payloadB is NULL");
    WRONG(9, i.merge.merged = elements + 49, "merged overlaps a");
    WRONG(9, i.merge.b = others + 74, "merged overlaps b");
    WRONG(9, i.merge.indices = others, "merged overlaps indices");
}

static void wrong_applications(void)
{
    const VkrSegments rows = {.kind = VKR_SEGMENTS_ROWS, .length = 3, .pitch = 2};
    WRONG(10, i.apply.input = NULL, "vkrHostApply: input is NULL, but must be given, since there");
    WRONG(10, i.apply.output = NULL, "vkrHostApply: output is NULL");
    WRONG(10, i.apply.apply.count = VKR_COUNT_ALL, "apply.count is VKR_COUNT_ALL");
    WRONG(10, i.apply.apply.gpuCount.buffer = BUFFER, "the GPU count for apply.count is given");
    WRONG(10, i.apply.apply.function = VKR_APPLY_FUNCTION_COUNT, "vkrCmdApply: function is 5");
    WRONG(10, i.apply.apply.count = COUNT / 2;
          i.apply.apply.input.components = 2, "vkrCmdApply: input.components is 2");
    WRONG(10, i.apply.apply.output.buffer = BUFFER, "apply.output.buffer is given");
    WRONG(10, i.apply.apply.output.map = &map, "apply.output.map is given");
    WRONG(10, i.apply.apply.segments.kind = VKR_SEGMENTS_KEYS, "apply.segments.kind is 7");
    WRONG(10, i.apply.apply.segments.kind = VKR_SEGMENTS_ROWS, "apply.segments.length is 0");
    WRONG(10, i.apply.apply.segments = rows,
          "apply.segments.pitch is 2, but must be 0 or at least");
    WRONG(10, i.apply.apply.segments.kind = VKR_SEGMENTS_OFFSETS, "segments.offsetCount is 0");
    WRONG(10, i.apply.apply.segments.kind = VKR_SEGMENTS_OFFSETS;
          i.apply.segments.offsetCount = 2, "segments.offsets is NULL");
    WRONG(10, i.apply.apply.segments.gpuCount.buffer = BUFFER, "segments.gpuCount is given");
    WRONG(10, i.apply.output = elements + 1, "output overlaps input");
    WRONG(10, i.apply.output = elements;
          i.apply.apply.output.type = VKR_TYPE_F16, "output overlaps input");
    WRONG(10, i.apply.chunkSize = 4,
          "chunkSize is 4, but must be 0 or let all arrays be one chunk");
}

/* A call that fails leaves the host ready for the next one. */
EXTERN_TEST(test_wrong)
{
    infos i;
    wrong_reductions();
    wrong_others();
    wrong_selections();
    wrong_expansions();
    wrong_merges();
    wrong_applications();
    assert_int_equal(vkrHostReduce(host, NULL), VKR_ERROR_INVALID_ARGUMENT);
    make(&i);
    for (uint32_t which = 0; which < CALLS; which++)
        if (call(&i, which) != VKR_SUCCESS)
            fail_msg("%s", sentence);
    assert_int_equal(vkrHostBegin(host), VKR_SUCCESS);
    assert_int_equal(call(&i, 0), VKR_ERROR_INVALID_STATE);
    assert_non_null(strstr(sentence, "vkrHostReduce: a recording was begun"));
    vkrHostCancel(host);
    assert_int_equal(call(&i, 0), VKR_SUCCESS);
}

/* What needs more than the device has is refused before any element is read. */
EXTERN_TEST(test_too_large)
{
    VkrHostDevice device;
    infos i;
    make(&i);
    vkrGetHostDevice(host, &device);
    i.sort.sort.keys.stride = device.maxBufferSize / (COUNT - 1) / 4 * 4 + 8;
    i.sort.sorted = NULL;
    i.sort.indices = words;
    assert_int_equal(call(&i, 3), VKR_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_non_null(strstr(sentence, "vkrHostSort: keys needs "));
    assert_non_null(strstr(sentence, "the size of a buffer; there are no chunks"));
    i.bounds.bounds.sorted.stride = i.sort.sort.keys.stride;
    i.bounds.lower = NULL;
    i.bounds.upper = words;
    assert_int_equal(call(&i, 5), VKR_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_non_null(strstr(sentence, "vkrHostBounds: sorted needs "));
}
