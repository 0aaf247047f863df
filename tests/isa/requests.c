/* SPDX-License-Identifier: MIT */
#include "requests.h"

#define COUNT (UINT64_C(1) << 24)
#define SIZE(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define TYPES ((uint32_t)VKR_TYPE_COUNT - 1)
#define NAME(...) (void)snprintf(text, size, __VA_ARGS__)

static VkrView view(uint64_t number, VkrType type, uint32_t components)
{
    return isa_view(number, type, components, COUNT);
}

static VkrType type_of(uint32_t digit)
{
    return (VkrType)(digit + 1);
}

/* ---- Reductions ---- */

#define ALL 0x7ffu /* all operators of numbers */
/* Single operators come first, then those that often go together. */
static const VkrOpFlags sets[] = {
    VKR_OP_MIN, VKR_OP_SUM, VKR_OP_MIN | VKR_OP_MAX, VKR_OP_ARGMIN,
    VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMIN, ALL,
    /* Segments and other variants have only those above. */
    VKR_OP_MAX, VKR_OP_PRODUCT, VKR_OP_MEAN, VKR_OP_SUMSQ, VKR_OP_L1, VKR_OP_L2, VKR_OP_ABSMAX,
    VKR_OP_ARGMAX, VKR_OP_ARGMIN | VKR_OP_ARGMAX, VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_SUMSQ,
    VKR_OP_AND, VKR_OP_OR, VKR_OP_XOR, VKR_OP_COUNT, VKR_OP_NAN,
    VKR_OP_MIN | VKR_OP_MAX | VKR_OP_NAN, VKR_OP_DOT, VKR_OP_VARIANCE, VKR_OP_STDDEV,
    ALL | VKR_OP_STDDEV};
#define SOME 6u

static VkrReduceInfo whole(VkrOpFlags ops, VkrType type, uint32_t components)
{
    return (VkrReduceInfo){.ops = ops,
                           .input = view(1, type, components),
                           .input2 = view(2, type, components),
                           .count = COUNT,
                           .output = isa_range(3)};
}

static void reduce(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    VkrReduceInfo info = whole(sets[at[1]], type_of(at[0]), at[2] + 1);
    info.determinism = at[3] ? VKR_DETERMINISM_DEVICE : VKR_DETERMINISM_RUN;
    NAME("%s x%u ops %x%s", vkrTypeName(info.input.type), at[2] + 1, info.ops,
         at[3] ? " device" : "");
    (void)vkrCmdReduce(recorder, &info);
}

static void reduce_by(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    VkrReduceInfo info = whole(sets[at[1]], type_of(at[0]), 1);
    info.algorithm = (VkrReduceAlgorithm)(VKR_REDUCE_SINGLE + at[2]);
    NAME("%s x1 ops %x %s", vkrTypeName(info.input.type), info.ops,
         vkrReduceAlgorithmName(info.algorithm));
    (void)vkrCmdReduce(recorder, &info);
}

/* NaN are propagated or skipped, or a mask leaves elements out, or elements are mapped. */
static void reduce_variants(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const char *const names[] = {"propagate", "skip", "flags", "bytes",  "bits",
                                        "log2",      "abs",  "sqrt",  "weights"};
    static const VkrMap maps[] = {{.function = VKR_MAP_LOG2},
                                  {.function = VKR_MAP_ABS},
                                  {.function = VKR_MAP_SQRT},
                                  {.weights = {1, 0, 0, 0}, .bias = 1}};
    VkrReduceInfo info = whole(sets[at[1]], type_of(at[0]), at[2] ? 4 : 1);
    const uint32_t variant = at[3];
    if (variant < 2)
        info.nan = variant ? VKR_NAN_SKIP : VKR_NAN_PROPAGATE;
    else if (variant < 5)
        info.mask.flags =
            (VkrFlagView){.format = (VkrFlagFormat)(variant - 2), .range = isa_range(4)};
    else
        info.input.map = &maps[variant - 5];
    NAME("%s x%u ops %x %s", vkrTypeName(info.input.type), info.input.components, info.ops,
         names[variant]);
    (void)vkrCmdReduce(recorder, &info);
}

static const struct {
    const char *name;
    VkrSegmentKind kind;
    uint32_t length; /* of tiles: the width and the height */
} segment_kinds[] = {
    {"rows", VKR_SEGMENTS_ROWS, 3},          {"rows", VKR_SEGMENTS_ROWS, 8},
    {"rows", VKR_SEGMENTS_ROWS, 64},         {"rows", VKR_SEGMENTS_ROWS, 1000},
    {"rows", VKR_SEGMENTS_ROWS, 65536},      {"columns", VKR_SEGMENTS_COLUMNS, 7},
    {"columns", VKR_SEGMENTS_COLUMNS, 1024}, {"windows", VKR_SEGMENTS_WINDOWS, 5},
    {"windows", VKR_SEGMENTS_WINDOWS, 64},   {"windows", VKR_SEGMENTS_WINDOWS, 1024},
    {"offsets", VKR_SEGMENTS_OFFSETS, 0},    {"tiles", VKR_SEGMENTS_TILES, 8},
    {"tiles", VKR_SEGMENTS_TILES, 16},       {"tiles", VKR_SEGMENTS_TILES, 64}};

static VkrSegments segments_of(uint32_t digit)
{
    const uint32_t length = segment_kinds[digit].length;
    VkrSegments made = {.kind = segment_kinds[digit].kind, .length = length};
    if (made.kind == VKR_SEGMENTS_OFFSETS)
        made.offsets = (VkrBufferRange){isa_buffer(4), 0, 4 * 65537};
    if (made.kind == VKR_SEGMENTS_TILES) {
        made.length = 4096;
        made.tileWidth = made.tileHeight = length;
    }
    return made;
}

static void reduce_segments(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const uint32_t components[] = {1, 3, 4};
    VkrReduceInfo info = whole(sets[at[2]], type_of(at[0]), components[at[3]]);
    info.segments = segments_of(at[1]);
    info.determinism = at[4] ? VKR_DETERMINISM_DEVICE : VKR_DETERMINISM_RUN;
    NAME("%s x%u %s:%u ops %x%s", vkrTypeName(info.input.type), info.input.components,
         segment_kinds[at[1]].name, segment_kinds[at[1]].length, info.ops, at[4] ? " device" : "");
    (void)vkrCmdReduce(recorder, &info);
}

/* ---- Scans ---- */

static const VkrOp scan_ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                                 VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};
static const char *const levels[] = {"", " none", " device"}; /* by VkrDeterminism */

static VkrScanInfo prefixes(VkrOp op, VkrType type, uint32_t components)
{
    return (VkrScanInfo){.op = op,
                         .input = view(1, type, components),
                         .count = COUNT,
                         .output = {.buffer = isa_buffer(2), .size = ISA_ROOM}};
}

static void scan(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    VkrScanInfo info = prefixes(scan_ops[at[1]], type_of(at[0]), 1);
    info.flags = at[2];
    info.algorithm = (VkrScanAlgorithm)at[3];
    info.determinism = (VkrDeterminism)at[4];
    NAME("%s x1 %s%s%s %s%s", vkrTypeName(info.input.type), vkrOpName(info.op),
         info.flags & VKR_SCAN_EXCLUSIVE_BIT ? " exclusive" : "",
         info.flags & VKR_SCAN_REVERSE_BIT ? " reverse" : "", vkrScanAlgorithmName(info.algorithm),
         levels[at[4]]);
    (void)vkrCmdScan(recorder, &info);
}

static void scan_segments(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const char *const names[] = {"whole", "flags", "bytes", "bits", "rows", "offsets"};
    static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_MAX};
    VkrScanInfo info = prefixes(ops[at[3]], type_of(at[0]), at[2] + 1);
    info.determinism = (VkrDeterminism)at[4];
    if (at[1] == 5)
        info.segments = segments_of(10);
    else if (at[1] == 4)
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 100};
    else if (at[1] > 0)
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_FLAGS,
                          .flags = {.format = (VkrFlagFormat)(at[1] - 1), .range = isa_range(4)}};
    NAME("%s x%u %s %s%s", vkrTypeName(info.input.type), at[2] + 1, names[at[1]],
         vkrOpName(info.op), levels[at[4]]);
    (void)vkrCmdScan(recorder, &info);
}

/* ---- Compactions and histograms ---- */

enum { KEPT = 1, INDICES = 2, REJECTED = 4, PAYLOAD = 8 };

static void compact(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const uint32_t outputs[] = {KEPT,
                                       INDICES,
                                       KEPT | INDICES,
                                       REJECTED,
                                       KEPT | REJECTED,
                                       PAYLOAD,
                                       KEPT | INDICES | REJECTED | PAYLOAD};
    const VkrType type = type_of(at[0]);
    const uint32_t components = at[4] ? 4 : 1, wanted = outputs[at[3]];
    const VkrCountOutput count = {.buffer = isa_buffer(7)};
    const VkrPayload payload = {.size = 16,
                                .source = {isa_buffer(5), 0, 16 * COUNT},
                                .target = {isa_buffer(6), 0, 16 * COUNT}};
    VkrCompactInfo info = {
        .input = view(1, type, components),
        .count = COUNT,
        .predicate = {.kind = (VkrPredicateKind)at[1], .flags = {.range = isa_range(8)}, .mask = 3},
        .algorithm = (VkrCompactAlgorithm)at[2],
        .payloadCount = wanted & PAYLOAD ? 1 : 0,
        .payloads = &payload,
        .countOutputCount = 1,
        .countOutputs = &count};
    if (info.predicate.kind == VKR_PREDICATE_COMPARE) {
        info.predicate.compare = VKR_COMPARE_GREATER;
        info.predicate.compare2 = VKR_COMPARE_LESS;
    } else if (info.predicate.kind == VKR_PREDICATE_BITS) {
        info.predicate.compare = VKR_COMPARE_EQUAL;
    }
    if (wanted & KEPT)
        info.kept = view(2, type, components);
    if (wanted & INDICES)
        info.keptIndices = view(3, VKR_TYPE_U32, 1);
    if (wanted & REJECTED)
        info.rejected = view(4, type, components);
    NAME("%s x%u %s %s outputs %u", vkrTypeName(type), components,
         vkrPredicateName(info.predicate.kind), vkrCompactAlgorithmName(info.algorithm), wanted);
    (void)vkrCmdCompact(recorder, &info);
}

static void histogram(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const char *const variants[] = {"", " weights", " u64"};
    const VkrBinKind kind = (VkrBinKind)at[1];
    const uint32_t bins = 16u << 4 * at[2], components = at[4] == 3 ? 4 : 1;
    VkrHistogramInfo info = {.input = view(1, type_of(at[0]), components),
                             .count = COUNT,
                             .bins = {.kind = kind, .count = bins},
                             .counts = isa_range(2),
                             .algorithm = (VkrHistogramAlgorithm)at[3]};
    info.bins.low.value = kind == VKR_BINS_LOG2;
    info.bins.high.value = kind == VKR_BINS_INTEGERS ? 0 : 100;
    if (kind == VKR_BINS_EDGES)
        info.bins.edges = (VkrBufferRange){isa_buffer(3), 0, UINT64_C(8) * (bins + 1)};
    if (at[4] == 1)
        info.weights = view(4, VKR_TYPE_F32, 1);
    if (at[4] == 2)
        info.countType = VKR_TYPE_U64;
    NAME("%s x%u %s %u %s%s", vkrTypeName(info.input.type), components, vkrBinKindName(kind), bins,
         vkrHistogramAlgorithmName(info.algorithm), at[4] < 3 ? variants[at[4]] : "");
    (void)vkrCmdHistogram(recorder, &info);
}

static void quantile(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const double shares[] = {0.01, 0.5, 0.99};
    NAME("%s x%u %s", at[2] ? "f64" : "f32", at[0] + 1, at[1] ? "u64" : "u32");
    (void)vkrCmdQuantile(recorder,
                         &(VkrQuantileInfo){.binCount = 256,
                                            .components = at[0] + 1,
                                            .countType = at[1] ? VKR_TYPE_U64 : VKR_TYPE_U32,
                                            .counts = isa_range(1),
                                            .edgeType = at[2] ? VKR_TYPE_F64 : VKR_TYPE_F32,
                                            .edges = isa_range(2),
                                            .shareCount = 3,
                                            .shares = shares,
                                            .quantiles = isa_range(3),
                                            .trim = {0.1, 0.9},
                                            .trimmedMean = isa_range(4),
                                            .cumulative = isa_range(5)});
}

/* ---- Images ---- */

static const struct {
    const char *name;
    VkFormat format;
} formats[] = {{"r8", VK_FORMAT_R8_UNORM},
               {"rg8", VK_FORMAT_R8G8_UNORM},
               {"rgba8", VK_FORMAT_R8G8B8A8_UNORM},
               {"rgba8s", VK_FORMAT_R8G8B8A8_SNORM},
               {"rgba8u", VK_FORMAT_R8G8B8A8_UINT},
               {"rgba16", VK_FORMAT_R16G16B16A16_UNORM},
               {"r16f", VK_FORMAT_R16_SFLOAT},
               {"rg16f", VK_FORMAT_R16G16_SFLOAT},
               {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT},
               {"r32f", VK_FORMAT_R32_SFLOAT},
               {"rg32f", VK_FORMAT_R32G32_SFLOAT},
               {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT},
               {"r32u", VK_FORMAT_R32_UINT},
               {"r32i", VK_FORMAT_R32_SINT},
               {"rgba32i", VK_FORMAT_R32G32B32A32_SINT}};

static void image(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const VkrMap maps[] = {{.weights = VKR_LUMINANCE_WEIGHTS, .function = VKR_MAP_LOG2},
                                  {.function = VKR_MAP_SQRT},
                                  {.function = VKR_MAP_ABS},
                                  {.weights = {1, 1, 1, 1}, .bias = 1}};
    static const VkrReduceAlgorithm algorithms[] = {VKR_REDUCE_PINGPONG, VKR_REDUCE_RECURSIVE_2D};
    const VkrImage source =
        isa_image(formats[at[0]].format, 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    const VkrMap *map = at[2] ? &maps[at[2] - 1] : NULL;
    VkrReduceInfo info = {.ops = sets[at[1]],
                          .input = {.image = &source, .map = map},
                          .count = VKR_COUNT_ALL,
                          .output = isa_range(1)};
    const uint32_t tile = at[3] < 4 && at[3] > 0 ? 4u << at[3] : 0;
    if (tile)
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_TILES, .tileWidth = tile, .tileHeight = tile};
    if (at[3] >= 4)
        info.algorithm = algorithms[at[3] - 4];
    NAME("%s ops %x map %u tile %u %s", formats[at[0]].name, info.ops, at[2], tile,
         vkrReduceAlgorithmName(info.algorithm));
    (void)vkrCmdReduce(recorder, &info);
}

static void pyramid(VkrRecorder recorder, const uint32_t *at, char *text, size_t size)
{
    static const VkrOpFlags ops[] = {VKR_OP_MIN, VKR_OP_MAX, VKR_OP_MIN | VKR_OP_MAX, VKR_OP_MEAN};
    enum { LEVELS = 12 };
    VkrImage made[LEVELS];
    const VkrPyramidAlgorithm algorithm = (VkrPyramidAlgorithm)at[3];
    for (uint32_t i = 0; i < LEVELS; i++)
        made[i] = isa_image(formats[at[1]].format, i + 1, VK_IMAGE_LAYOUT_GENERAL);
    const VkrPyramidInfo info = {
        .ops = ops[at[2]],
        .source = isa_image(formats[at[0]].format, 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
        .levels = made,
        .levelCount = LEVELS,
        .algorithm = algorithm};
    NAME("%s to %s ops %x %s", formats[at[0]].name, formats[at[1]].name, info.ops,
         vkrPyramidAlgorithmName(algorithm));
    (void)vkrCmdPyramid(recorder, &info);
}

/* ---- The table ---- */

const isa_family isa_families[] = {
    {"reduce", {TYPES, SIZE(sets), VKR_MAX_COMPONENTS, 2}, reduce},
    {"algorithms", {TYPES, 16, 4}, reduce_by},
    {"variants", {TYPES, SOME, 2, 9}, reduce_variants},
    {"segments", {TYPES, SIZE(segment_kinds), SOME, 3, 2}, reduce_segments},
    {"scan", {TYPES, SIZE(scan_ops), 4, VKR_SCAN_ALGORITHM_COUNT, 3}, scan},
    {"scan segments", {TYPES, 6, VKR_MAX_COMPONENTS, 2, 3}, scan_segments},
    {"compact", {TYPES, VKR_PREDICATE_KIND_COUNT, VKR_COMPACT_ALGORITHM_COUNT, 7, 2}, compact},
    {"histogram", {TYPES, VKR_BIN_KIND_COUNT, 4, VKR_HISTOGRAM_ALGORITHM_COUNT, 4}, histogram},
    {"quantile", {VKR_MAX_COMPONENTS, 2, 2}, quantile},
    {"image", {SIZE(formats), 16, 5, 6}, image},
    {"pyramid", {SIZE(formats), SIZE(formats), 4, VKR_PYRAMID_ALGORITHM_COUNT}, pyramid},
};
const size_t isa_family_count = SIZE(isa_families);
