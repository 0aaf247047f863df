/* SPDX-License-Identifier: MIT */
#include "cases.h"

static const uint32_t code[] = {
#include "functions.inc"
};
static VkrRecorder recorder;
static uint64_t count;
static VkrModule module;

void isa_start_cases(VkrRecorder into, uint64_t elements)
{
    const VkrModuleInfo info = {.label = "functions", .code = code, .codeSize = sizeof code};
    recorder = into;
    count = elements;
    ISA_CALL(vkrCreateModule(into->context, &info, &module));
}

void isa_end_cases(void)
{
    vkrDestroyModule(module);
}

#define view(number, type, components) isa_view(number, type, components, count)

/* ---- Reductions ---- */

static VkrReduceInfo whole(VkrOpFlags ops, VkrType type, uint32_t components)
{
    return (VkrReduceInfo){
        .ops = ops, .input = view(1, type, components), .count = count, .output = isa_range(2)};
}

static void reduce(VkrOpFlags ops, VkrType type, uint32_t components, VkrDeterminism determinism)
{
    VkrReduceInfo info = whole(ops, type, components);
    info.determinism = determinism;
    (void)vkrCmdReduce(recorder, &info);
}

static void reduce_by(VkrReduceAlgorithm algorithm, VkrOpFlags ops, VkrType type)
{
    VkrReduceInfo info = whole(ops, type, 1);
    info.algorithm = algorithm;
    (void)vkrCmdReduce(recorder, &info);
}

static void segments(VkrOpFlags ops, VkrType type, uint32_t components, VkrSegments each)
{
    VkrReduceInfo info = whole(ops, type, components);
    info.count /= components;
    info.segments = each;
    (void)vkrCmdReduce(recorder, &info);
}

/* Runs of equal keys, of which everything that they can have is written. */
static void runs(VkrOp op, VkrType type)
{
    const VkrCountOutput number = {.buffer = isa_buffer(6)};
    segments(op, type, 1,
             (VkrSegments){.kind = VKR_SEGMENTS_KEYS,
                           .keys = view(3, VKR_TYPE_U32, 1),
                           .runs = {.uniqueKeys = view(4, VKR_TYPE_U32, 1),
                                    .lengths = view(5, VKR_TYPE_U32, 1),
                                    .countOutputCount = 1,
                                    .countOutputs = &number}});
}

static void image(VkrOpFlags ops, VkFormat format, const VkrMap *map, VkrSegments each)
{
    const VkrImage source = isa_image(format, 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    (void)vkrCmdReduce(recorder, &(VkrReduceInfo){.ops = ops,
                                                  .input = {.image = &source, .map = map},
                                                  .count = VKR_COUNT_ALL,
                                                  .output = isa_range(2),
                                                  .segments = each});
}

static void pyramid(VkrOpFlags ops, VkFormat from, VkFormat to)
{
    enum { LEVELS = 12 };
    VkrImage levels[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++)
        levels[i] = isa_image(to, i + 1, VK_IMAGE_LAYOUT_GENERAL);
    (void)vkrCmdPyramid(
        recorder,
        &(VkrPyramidInfo){.ops = ops,
                          .source = isa_image(from, 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
                          .levels = levels,
                          .levelCount = LEVELS});
}

/* ---- Scans, compactions and histograms ---- */

static VkrScanInfo sums(VkrType type)
{
    return (VkrScanInfo){.op = VKR_OP_SUM,
                         .input = view(1, type, 1),
                         .count = count,
                         .output = {.buffer = isa_buffer(2), .size = ISA_ROOM}};
}

static void scan(VkrType type, uint32_t flags, VkrDeterminism determinism)
{
    VkrScanInfo info = sums(type);
    info.flags = flags;
    info.determinism = determinism;
    (void)vkrCmdScan(recorder, &info);
}

static void scan_by(VkrScanAlgorithm algorithm, VkrType type)
{
    VkrScanInfo info = sums(type);
    info.algorithm = algorithm;
    (void)vkrCmdScan(recorder, &info);
}

static void scan_masked(VkrType type)
{
    VkrScanInfo info = sums(type);
    info.nan = VKR_NAN_SKIP;
    info.mask.flags =
        (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {isa_buffer(3), 0, ISA_ROOM}};
    (void)vkrCmdScan(recorder, &info);
}

static void scan_segments(VkrOp op, VkrType type, VkrSegments each)
{
    VkrScanInfo info = sums(type);
    info.op = op;
    info.segments = each;
    (void)vkrCmdScan(recorder, &info);
}

/* The outputs of a compaction of f32, besides its count. */
enum { KEPT = 1, INDICES = 2, REJECTED = 4, PAYLOAD = 8, LENGTHS = 16 };

static void compact_by(VkrCompactAlgorithm algorithm, VkrPredicateKind kind, uint32_t outputs)
{
    const VkrCountOutput kept = {.buffer = isa_buffer(7)};
    const VkrPayload payload = {.size = 16,
                                .source = {isa_buffer(5), 0, 16 * count},
                                .target = {isa_buffer(6), 0, 16 * count}};
    VkrCompactInfo info = {
        .input = view(1, VKR_TYPE_F32, 1),
        .count = count,
        .algorithm = algorithm,
        .predicate = {.kind = kind},
        .payloadCount = outputs & PAYLOAD ? 1 : 0,
        .payloads = &payload,
        .countOutputCount = 1,
        .countOutputs = &kept,
    };
    if (kind == VKR_PREDICATE_COMPARE) {
        info.predicate.compare = VKR_COMPARE_GREATER;
        info.predicate.a.f = 0.5;
    }
    if (outputs & KEPT)
        info.kept = view(2, VKR_TYPE_F32, 1);
    if (outputs & INDICES)
        info.keptIndices = view(3, VKR_TYPE_U32, 1);
    if (outputs & REJECTED)
        info.rejected = view(4, VKR_TYPE_F32, 1);
    if (outputs & LENGTHS)
        info.runLengths = view(3, VKR_TYPE_U32, 1);
    (void)vkrCmdCompact(recorder, &info);
}

static void compact(VkrPredicateKind kind, uint32_t outputs)
{
    compact_by(VKR_COMPACT_AUTO, kind, outputs);
}

static void histogram(VkrType type, VkrBinKind kind, uint32_t bins)
{
    VkrHistogramInfo info = {.input = view(1, type, 1),
                             .count = count,
                             .bins = {.kind = kind, .count = bins},
                             .counts = isa_range(2)};
    if (kind != VKR_BINS_INTEGERS) {
        info.bins.low.value = 1;
        info.bins.high.value = 2;
    }
    (void)vkrCmdHistogram(recorder, &info);
}

static void quantile(uint32_t bins)
{
    static const double shares[] = {0.01, 0.5, 0.99};
    (void)vkrCmdQuantile(recorder, &(VkrQuantileInfo){.binCount = bins,
                                                      .counts = isa_range(1),
                                                      .edges = isa_range(2),
                                                      .shareCount = 3,
                                                      .shares = shares,
                                                      .quantiles = isa_range(3),
                                                      .trim = {0.1, 0.9},
                                                      .trimmedMean = isa_range(4)});
}

/* ---- Sorts, selections and searches ---- */

enum { WITHOUT, INDEXED, CARRYING }; /* what a sort moves with its keys */

static void sort(VkrSortAlgorithm algorithm, VkrType type, uint32_t with, VkrSegments each)
{
    const VkrPayload payload = {.size = 4,
                                .source = {isa_buffer(4), 0, 4 * count},
                                .target = {isa_buffer(5), 0, 4 * count}};
    VkrSortInfo info = {.keys = view(1, type, 1),
                        .count = count,
                        .algorithm = algorithm,
                        .segments = each,
                        .sorted = view(2, type, 1),
                        .payloadCount = with == CARRYING,
                        .payloads = &payload};
    if (with == INDEXED) {
        info.sorted = (VkrView){0};
        info.indices = view(3, VKR_TYPE_U32, 1);
    }
    (void)vkrCmdSort(recorder, &info);
}

static void top(uint32_t k, VkrSegments each)
{
    (void)vkrCmdTopK(recorder, &(VkrTopKInfo){.input = view(1, VKR_TYPE_F32, 1),
                                              .count = count,
                                              .k = k,
                                              .segments = each,
                                              .values = view(2, VKR_TYPE_F32, 1),
                                              .indices = view(3, VKR_TYPE_U32, 1)});
}

/* Segments of which most are short. */
static void top_offsets(uint32_t k)
{
    top(k, (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                         .offsets = {isa_buffer(4), 0, 4 * (count / 1024 + 1)}});
}

static void expand(void)
{
    (void)vkrCmdExpand(recorder, &(VkrExpandInfo){.counts = view(1, VKR_TYPE_U32, 1),
                                                  .count = count,
                                                  .sources = view(2, VKR_TYPE_U32, 1),
                                                  .ranks = view(3, VKR_TYPE_U32, 1)});
}

/* The first ranks of a list, of which few share long digits and many share short ones. */
static void select_ranks(VkrType type, uint32_t ranks, VkrSegments each)
{
    static const uint32_t list[16] = {100, 3, 50, 7, 20, 21, 22, 0};
    (void)vkrCmdSelect(recorder, &(VkrSelectInfo){.input = view(1, type, 1),
                                                  .count = count,
                                                  .rankCount = ranks,
                                                  .ranks = list,
                                                  .segments = each,
                                                  .values = view(2, type, 1),
                                                  .indices = view(3, VKR_TYPE_U32, 1)});
}

/* Segments of which most are short. */
static void select_offsets(uint32_t ranks)
{
    select_ranks(VKR_TYPE_F32, ranks,
                 (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                               .offsets = {isa_buffer(4), 0, 4 * (count / 1024 + 1)}});
}

static void bounds(VkrType type)
{
    (void)vkrCmdBounds(recorder, &(VkrBoundsInfo){.sorted = view(1, type, 1),
                                                  .count = count,
                                                  .values = view(2, type, 1),
                                                  .valueCount = count,
                                                  .lower = view(3, VKR_TYPE_U32, 1)});
}

static void merge(VkrType type, bool carries)
{
    const VkrMergePayload payload = {.size = 4,
                                     .a = {isa_buffer(4), 0, 4 * count},
                                     .b = {isa_buffer(5), 0, 4 * count},
                                     .target = {isa_buffer(6), 0, 8 * count}};
    (void)vkrCmdMerge(recorder, &(VkrMergeInfo){.a = {view(1, type, 1), count / 2, {0}},
                                                .b = {view(2, type, 1), count / 2, {0}},
                                                .merged = view(3, type, 1),
                                                .payloadCount = carries,
                                                .payloads = &payload});
}

/* Segments between offsets are of half of the elements, since there are too many of them. */
static void apply(VkrApplyFunction function, VkrType type, VkrSegments each)
{
    const uint64_t parts = each.kind == VKR_SEGMENTS_OFFSETS ? 2 : 1;
    (void)vkrCmdApply(recorder, &(VkrApplyInfo){.function = function,
                                                .input = view(1, type, 1),
                                                .count = count / parts,
                                                .segments = each,
                                                .output = view(2, type, 1)});
}

static void apply_offsets(VkrApplyFunction function)
{
    apply(function, VKR_TYPE_F32,
          (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {isa_buffer(3), 0, 4 * 1000}});
}

/* ---- Functions of the application ---- */

static void map(const char *name)
{
    const VkrHook hook = {.module = module, .name = name};
    const VkrMap hooked = {.hook = &hook};
    VkrReduceInfo info = whole(VKR_OP_SUM, VKR_TYPE_F32, 1);
    info.input.map = &hooked;
    (void)vkrCmdReduce(recorder, &info);
}

static void predicate(const char *name)
{
    const VkrHook hook = {.module = module, .name = name};
    (void)vkrCmdCompact(
        recorder,
        &(VkrCompactInfo){.input = view(1, VKR_TYPE_F32, 1),
                          .count = count,
                          .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = {.hook = &hook}},
                          .keptIndices = {.buffer = isa_buffer(3), .size = ISA_ROOM}});
}

/* Values beside which flags lie in memory. */
static void compact_beside(VkrFlagFormat format)
{
    const VkrFlagView flags = {format, isa_range(3), NULL};
    (void)vkrCmdCompact(
        recorder, &(VkrCompactInfo){.input = view(1, VKR_TYPE_F32, 1),
                                    .count = count,
                                    .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = flags},
                                    .kept = view(2, VKR_TYPE_F32, 1)});
}

static const VkrMonoid additions = {.combine = "add", .identity = "zero", .commutative = VK_TRUE};
static const VkrMonoid chains = {.combine = "add", .identity = "zero"};
static const VkrMonoid boxes = {.combine = "unite", .identity = "nothing", .commutative = VK_TRUE};

static void fold(VkrMonoid monoid, const char *load, uint32_t components, VkrSegments each)
{
    const VkrHook hook = {.module = module, .name = load};
    VkrReduceInfo info = whole(0, VKR_TYPE_F32, components);
    monoid.hook = &hook;
    info.count = count / components / 1024 * 1024;
    info.segments = each;
    info.monoid = &monoid;
    (void)vkrCmdReduce(recorder, &info);
}

static void sweep(VkrMonoid monoid, const char *load)
{
    const VkrHook hook = {.module = module, .name = load};
    monoid.hook = &hook;
    (void)vkrCmdScan(recorder, &(VkrScanInfo){.input = view(1, VKR_TYPE_F32, 1),
                                              .count = count,
                                              .output = {.buffer = isa_buffer(2), .size = ISA_ROOM},
                                              .monoid = &monoid});
}

/* ---- The table ---- */

#include "table.h"

#define DEFINE(name, call)                                                                         \
    static void record_##name(void)                                                                \
    {                                                                                              \
        call;                                                                                      \
    }
CASES(DEFINE)
#define ROW(name, call) {#name, record_##name},
const isa_case isa_cases[] = {CASES(ROW)};
const size_t isa_case_count = sizeof isa_cases / sizeof isa_cases[0];
