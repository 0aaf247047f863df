/* SPDX-License-Identifier: MIT */
/* The tables of element types and operators, and names of enumerators. */
#include "../../shaders/numbers.h"
#include "types.h"

/* The list of operators, which shaders share, and the parts of the state that each needs. */
#define SAME_BIT(with, name, bit, floats, integers)                                                \
    _Static_assert((uint32_t)VKR_OP_##name == (uint32_t)VKR_BIT_##name, "VKR_BIT_" #name);
#define ONE(with, name, bit, floats, integers) +1
#define NEEDS(with, name, bit, floats, integers) [bit] = {integers, floats},
#define PART(name, number, keys, indices, sums, squares)                                           \
    [number] = {VKR_PART_##name, keys, indices, sums, squares},
VKR_OPERATORS(SAME_BIT, 0)
_Static_assert(VKR_OPERATORS(ONE, 0) == VKR_OP_BITS, "VKR_OP_BITS");

const uint32_t vkr_op_parts[VKR_OP_BITS][2] = {VKR_OPERATORS(NEEDS, 0)};
const vkr_part_info vkr_parts[] = {VKR_PARTS(PART)};
const uint32_t vkr_part_count = VKR_ARRAY_SIZE(vkr_parts);

/* Columns: name, size, bits of the fraction (0: an integer), which type of its class it is (true: a
 * signed integer or a bfloat), features, accumulator, wide accumulator, unsigned type. */
#define TYPE(name, size, fraction, sg, features, acc, wide, un)                                    \
    {                                                                                              \
        name, size, (fraction) != 0, fraction, sg, features, VKR_TYPE_##acc, VKR_TYPE_##wide,      \
            VKR_TYPE_##un                                                                          \
    }
#define S8 VKR_FEATURE_STORAGE_8BIT
#define S16 VKR_FEATURE_STORAGE_16BIT
#define W64 VKR_FEATURE_INT64
#define D64 (VKR_FEATURE_INT64 | VKR_FEATURE_FLOAT64)

#define OP(name, result, elements, ordered, in_place)                                              \
    {                                                                                              \
        name, VKR_RESULT_##result, VKR_OP_OF_##elements, ordered, in_place                         \
    }

/* clang-format off */
const vkr_type_info vkr_types[VKR_TYPE_COUNT] = {
    [VKR_TYPE_UNDEFINED] = TYPE("?", 0, 0,  false, 0, UNDEFINED, UNDEFINED, UNDEFINED),
    [VKR_TYPE_I8]  = TYPE("i8",  1, 0,  true,  S8,  I32, I64, U8),
    [VKR_TYPE_U8]  = TYPE("u8",  1, 0,  false, S8,  U32, U64, U8),
    [VKR_TYPE_I16] = TYPE("i16", 2, 0,  true,  S16, I32, I64, U16),
    [VKR_TYPE_U16] = TYPE("u16", 2, 0,  false, S16, U32, U64, U16),
    [VKR_TYPE_I32] = TYPE("i32", 4, 0,  true,  0,   I32, I64, U32),
    [VKR_TYPE_U32] = TYPE("u32", 4, 0,  false, 0,   U32, U64, U32),
    [VKR_TYPE_I64] = TYPE("i64", 8, 0,  true,  W64, I64, UNDEFINED, U64),
    [VKR_TYPE_U64] = TYPE("u64", 8, 0,  false, W64, U64, UNDEFINED, U64),
    [VKR_TYPE_F16] = TYPE("f16", 2, 10, false, S16, F32, F64, F16),
    [VKR_TYPE_F32] = TYPE("f32", 4, 23, false, 0,   F32, F64, F32),
    [VKR_TYPE_F64] = TYPE("f64", 8, 52, false, D64, F64, UNDEFINED, F64),
    [VKR_TYPE_BF16] = TYPE("bf16", 2, 7, true, S16, F32, F64, BF16),
};

/* Columns: name, result, the elements that it is for, whether their order matters, and whether it
 * can work in place. Row i is the operator of bit i. */
const vkr_op_info vkr_ops[VKR_OP_BITS] = {
    OP("min",       ELEMENT,              ALL,      false, true),
    OP("max",       ELEMENT,              ALL,      false, true),
    OP("sum",       ACCUMULATOR,          ALL,      true,  true),
    OP("product",   ACCUMULATOR,          ALL,      true,  true),
    OP("mean",      REAL,                 ALL,      true,  true),
    OP("sumsq",     ACCUMULATOR,          ALL,      true,  false),
    OP("l1",        ACCUMULATOR_UNSIGNED, ALL,      true,  false),
    OP("l2",        REAL,                 ALL,      true,  false),
    OP("absmax",    ELEMENT_UNSIGNED,     ALL,      false, false),
    OP("argmin",    INDEX,                ALL,      false, false),
    OP("argmax",    INDEX,                ALL,      false, false),
    OP("and",       ELEMENT,              INTEGERS, false, true),
    OP("or",        ELEMENT,              INTEGERS, false, true),
    OP("xor",       ELEMENT,              INTEGERS, false, true),
    OP("count",     COUNT,                ALL,      false, false),
    OP("nan",       COUNT,                ALL,      false, false),
    OP("dot",       ACCUMULATOR,          ALL,      true,  false),
    OP("variance",  REAL,                 ALL,      true,  false),
    OP("stddev",    REAL,                 ALL,      true,  false),
    OP("logsumexp", REAL,                 F32,      true,  false),
};
/* clang-format on */

static const char *const algorithm_names[VKR_REDUCE_ALGORITHM_COUNT] = {
    [VKR_REDUCE_AUTO] = "auto",
    [VKR_REDUCE_SINGLE] = "single",
    [VKR_REDUCE_SUBGROUP] = "subgroup",
    [VKR_REDUCE_TREE] = "tree",
    [VKR_REDUCE_RECURSIVE] = "recursive",
    [VKR_REDUCE_LANES] = "lanes",
    [VKR_REDUCE_MERGE] = "merge",
    [VKR_REDUCE_GROUPS] = "groups",
    [VKR_REDUCE_SPLIT] = "split",
    [VKR_REDUCE_PINGPONG] = "pingpong",
    [VKR_REDUCE_RECURSIVE_2D] = "recursive-2d",
};

static const char *const group_path_names[VKR_GROUP_PATH_COUNT] = {
    [VKR_GROUP_PATH_AUTO] = "auto",
    [VKR_GROUP_PATH_ARITHMETIC] = "arithmetic",
    [VKR_GROUP_PATH_SHUFFLE] = "shuffle",
    [VKR_GROUP_PATH_SHARED] = "shared",
};

static const char *const order_names[VKR_LOAD_ORDER_COUNT] = {
    [VKR_LOAD_COALESCED] = "coalesced",
    [VKR_LOAD_CONTIGUOUS] = "contiguous",
};

static const char *const path_names[VKR_LOAD_PATH_COUNT] = {
    [VKR_LOAD_ELEMENT] = "element",
    [VKR_LOAD_VEC4] = "vec4",
    [VKR_LOAD_U64] = "u64",
    [VKR_LOAD_TEXEL] = "texel",
};

static const char *const operation_names[VKR_OPERATION_COUNT] = {
    [VKR_OPERATION_REDUCE] = "reduce",
    [VKR_OPERATION_SCAN] = "scan",
    [VKR_OPERATION_COMPACT] = "compact",
};

static const char *const scan_algorithm_names[VKR_SCAN_ALGORITHM_COUNT] = {
    [VKR_SCAN_AUTO] = "auto",
    [VKR_SCAN_REDUCE_THEN_SCAN] = "reduce-then-scan",
    [VKR_SCAN_SINGLE_PASS] = "single-pass",
    [VKR_SCAN_HILLIS_STEELE] = "hillis-steele",
    [VKR_SCAN_BLELLOCH] = "blelloch",
};

static const char *const compact_algorithm_names[VKR_COMPACT_ALGORITHM_COUNT] = {
    [VKR_COMPACT_AUTO] = "auto",
    [VKR_COMPACT_SCAN_SCATTER] = "scan-scatter",
    [VKR_COMPACT_SINGLE_PASS] = "single-pass",
    [VKR_COMPACT_HORN] = "horn",
    [VKR_COMPACT_BLELLOCH_GATHER] = "blelloch-gather",
    [VKR_COMPACT_ROGER] = "roger",
    [VKR_COMPACT_ROGER_SEQUENTIAL] = "roger-sequential",
};

static const char *const sort_algorithm_names[VKR_SORT_ALGORITHM_COUNT] = {
    [VKR_SORT_AUTO] = "auto",
    [VKR_SORT_THREE_PASS] = "three-pass",
    [VKR_SORT_ONE_WORKGROUP] = "one-workgroup",
    [VKR_SORT_BITONIC] = "bitonic",
    [VKR_SORT_ONESWEEP] = "onesweep",
};

static const char *const pyramid_algorithm_names[VKR_PYRAMID_ALGORITHM_COUNT] = {
    [VKR_PYRAMID_AUTO] = "auto",
    [VKR_PYRAMID_PINGPONG] = "pingpong",
    [VKR_PYRAMID_RECURSIVE_2D] = "recursive-2d",
    [VKR_PYRAMID_SINGLE] = "single",
    [VKR_PYRAMID_HYBRID] = "hybrid",
};

static const char *const histogram_algorithm_names[VKR_HISTOGRAM_ALGORITHM_COUNT] = {
    [VKR_HISTOGRAM_AUTO] = "auto",
    [VKR_HISTOGRAM_SHARED] = "shared",
    [VKR_HISTOGRAM_GLOBAL] = "global",
    [VKR_HISTOGRAM_LOCAL_ATOMICS] = "local-atomics",
};

static const char *const bin_kind_names[VKR_BIN_KIND_COUNT] = {
    [VKR_BINS_EVEN] = "even",
    [VKR_BINS_LOG2] = "log2",
    [VKR_BINS_EDGES] = "edges",
    [VKR_BINS_INTEGERS] = "integers",
};

static const char *const predicate_names[VKR_PREDICATE_KIND_COUNT] = {
    [VKR_PREDICATE_NONZERO] = "nonzero", [VKR_PREDICATE_COMPARE] = "compare",
    [VKR_PREDICATE_FINITE] = "finite",   [VKR_PREDICATE_NAN] = "nan",
    [VKR_PREDICATE_BITS] = "bits",       [VKR_PREDICATE_FLAGS] = "flags",
    [VKR_PREDICATE_UNIQUE] = "unique",
};

static const char *pick(const char *const *names, size_t count, int64_t index)
{
    return index >= 0 && (uint64_t)index < count ? names[index] : "?";
}

const char *vkrOpName(VkrOp op)
{
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        if ((uint32_t)op == 1u << bit)
            return vkr_ops[bit].name;
    }
    return "?";
}

const char *vkrTypeName(VkrType type)
{
    return (uint32_t)type < VKR_TYPE_COUNT ? vkr_types[type].name : "?";
}

const char *vkrReduceAlgorithmName(VkrReduceAlgorithm algorithm)
{
    return pick(algorithm_names, VKR_ARRAY_SIZE(algorithm_names), algorithm);
}

const char *vkrScanAlgorithmName(VkrScanAlgorithm algorithm)
{
    return pick(scan_algorithm_names, VKR_ARRAY_SIZE(scan_algorithm_names), algorithm);
}

const char *vkrCompactAlgorithmName(VkrCompactAlgorithm algorithm)
{
    return pick(compact_algorithm_names, VKR_ARRAY_SIZE(compact_algorithm_names), algorithm);
}

const char *vkrSortAlgorithmName(VkrSortAlgorithm algorithm)
{
    return pick(sort_algorithm_names, VKR_ARRAY_SIZE(sort_algorithm_names), algorithm);
}

const char *vkrPyramidAlgorithmName(VkrPyramidAlgorithm algorithm)
{
    return pick(pyramid_algorithm_names, VKR_ARRAY_SIZE(pyramid_algorithm_names), algorithm);
}

const char *vkrHistogramAlgorithmName(VkrHistogramAlgorithm algorithm)
{
    return pick(histogram_algorithm_names, VKR_ARRAY_SIZE(histogram_algorithm_names), algorithm);
}

const char *vkrBinKindName(VkrBinKind kind)
{
    return pick(bin_kind_names, VKR_ARRAY_SIZE(bin_kind_names), kind);
}

const char *vkr_segment_kind_name(VkrSegmentKind kind)
{
    static const char *const names[VKR_SEGMENT_KIND_COUNT] = {
        [VKR_SEGMENTS_NONE] = "none",       [VKR_SEGMENTS_FLAGS] = "flags",
        [VKR_SEGMENTS_ROWS] = "rows",       [VKR_SEGMENTS_OFFSETS] = "offsets",
        [VKR_SEGMENTS_COLUMNS] = "columns", [VKR_SEGMENTS_WINDOWS] = "windows",
        [VKR_SEGMENTS_TILES] = "tiles",     [VKR_SEGMENTS_KEYS] = "keys"};
    return names[kind];
}

const char *vkrPredicateName(VkrPredicateKind kind)
{
    return pick(predicate_names, VKR_ARRAY_SIZE(predicate_names), kind);
}

const char *vkrBlockScanName(VkrBlockScan scan)
{
    static const char *const names[VKR_BLOCK_SCAN_COUNT] = {"hillis-steele", "blelloch", "hybrid"};
    return pick(names, VKR_ARRAY_SIZE(names), scan);
}

const char *vkrStreamSearchName(VkrStreamSearch search)
{
    static const char *const names[VKR_STREAM_SEARCH_COUNT] = {"default", "for", "while"};
    return pick(names, VKR_ARRAY_SIZE(names), search);
}

const char *vkrConcatenationName(VkrConcatenation concatenation)
{
    static const char *const names[VKR_CONCATENATION_COUNT] = {"segments", "elements"};
    return pick(names, VKR_ARRAY_SIZE(names), concatenation);
}

const char *vkrMapFunctionName(VkrMapFunction function)
{
    static const char *const names[VKR_MAP_FUNCTION_COUNT] = {"none", "log2", "abs", "sqrt"};
    return pick(names, VKR_ARRAY_SIZE(names), function);
}

const char *vkrGroupPathName(VkrGroupPath group_path)
{
    return pick(group_path_names, VKR_ARRAY_SIZE(group_path_names), group_path);
}

const char *vkrLoadOrderName(VkrLoadOrder order)
{
    return pick(order_names, VKR_ARRAY_SIZE(order_names), order);
}

const char *vkrLoadPathName(VkrLoadPath path)
{
    return pick(path_names, VKR_ARRAY_SIZE(path_names), path);
}

const char *vkrOperationName(VkrOperation operation)
{
    return pick(operation_names, VKR_ARRAY_SIZE(operation_names), operation);
}

uint32_t vkrTypeSize(VkrType type)
{
    return (uint32_t)type < VKR_TYPE_COUNT ? vkr_types[type].size : 0;
}
