/* SPDX-License-Identifier: MIT */
/* The types of results, where they lie in an output, and the names of enumerators. */
#include "plans.h"

#include "random.h"
#include "types.h"

#define ALL_OPS ((1u << VKR_OP_BITS) - 1)

/* ---- Reductions ---- */

static VkrContextProperties device;

static void check_layout(size_t k, const VkrReduceInfo *info)
{
    const uint32_t components = info->input.components;
    const bool wide_index =
        (info->count != VKR_COUNT_ALL ? info->count : info->input.size) >> 32 != 0;
    VkrReduceLayout layout;
    VkDeviceSize end = 0;
    VkDeviceSize alignment = vkrTypeSize(info->input.type) < 4 ? vkrTypeSize(info->input.type) : 4;
    assert_int_equal(vkrGetReduceLayout(fixture.context, info, &layout), VKR_SUCCESS);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &layout.results[bit];
        if (!(info->ops >> bit & 1)) {
            assert_int_equal(result->type, VKR_TYPE_UNDEFINED);
            continue;
        }
        const VkrType type = result_type(&type_rows[k], (VkrOp)(1u << bit), wide_index);
        const uint32_t size = vkrTypeSize(type);
        assert_int_equal(result->type, type);
        assert_int_equal(result->offset, (end + size - 1) / size * size);
        end = result->offset + (VkDeviceSize)size * components;
        alignment = alignment > size ? alignment : size;
    }
    assert_int_equal(layout.components, components);
    assert_int_equal(layout.size, end);
    assert_int_equal(layout.alignment, alignment);
    /* Wherever an output starts, another one `spacing` bytes later starts after its last
     * granule. */
    for (VkDeviceSize start = 0; start < device.granule; start += alignment) {
        const VkDeviceSize next = start + layout.spacing;
        assert_true(next / device.granule * device.granule >= start + end);
    }
    assert_int_equal(layout.spacing % alignment, 0);
}

/* All rows of types, with every pair of operators, with all operators, and with random sets. */
EXTERN_TEST(test_layouts)
{
    uint64_t seed = 1;
    for (uint32_t granule = 4; granule <= 256; granule *= 4) {
        trace_open(&(trace_device){.granule = granule, .range = UINT32_MAX});
        vkrGetContextProperties(fixture.context, &device);
        assert_int_equal(device.granule, granule < 32 ? 32 : granule);
        assert_int_equal(device.maxStorageBufferRange, (UINT64_C(1) << 32) - device.granule);
        for (size_t k = 0; k < TYPE_ROWS; k++) {
            for (uint32_t i = 0; i < VKR_OP_BITS * VKR_OP_BITS + 100; i++) {
                VkrReduceInfo info = {.accumulator = type_rows[k].accumulator};
                info.ops = 1u << i % VKR_OP_BITS | 1u << i / VKR_OP_BITS % VKR_OP_BITS;
                if (i >= VKR_OP_BITS * VKR_OP_BITS)
                    info.ops = i % 10 ? (uint32_t)random_below(&seed, ALL_OPS) : ALL_OPS;
                info.ops &= ~other_ops(type_rows[k].element, info.accumulator);
                info.ops = info.ops ? info.ops : VKR_OP_MAX;
                info.count = random_below(&seed, 3) - 1 + ((uint64_t)1 << 32); /* about 2^32 */
                info.input = (VkrView){.size = (uint64_t)1 << 40,
                                       .type = type_rows[k].element,
                                       .components = 1 + (uint32_t)random_below(&seed, 4)};
                check_layout(k, &info);
            }
        }
        trace_close();
    }
}

EXTERN_TEST(test_results)
{
    trace_open(&(trace_device){0});
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        VkrReduceInfo info = plain_reduce();
        VkrReduceLayout layout;
        info.input.type = 1u << bit == VKR_OP_LOGSUMEXP ? VKR_TYPE_F32 : VKR_TYPE_U32;
        info.ops = (1u << bit) | VKR_OP_MAX | VKR_OP_NAN;
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        for (uint32_t other = 0; other < 32; other++)
            assert_ptr_equal(vkrGetReduceResult(&layout, (VkrOp)(1u << other)),
                             other < VKR_OP_BITS && (info.ops >> other & 1) != 0
                                 ? &layout.results[other]
                                 : NULL);
        assert_null(vkrGetReduceResult(&layout, (VkrOp)0));
        assert_null(vkrGetReduceResult(&layout, (VkrOp)(VKR_OP_MAX | VKR_OP_NAN)));
        assert_null(vkrGetReduceResult(NULL, VKR_OP_MAX));
    }
    trace_close();
}

/* ---- Segments ---- */

static const struct {
    VkrSegments segments;
    uint64_t count;
    uint64_t expected;
} kinds[] = {
    {{.kind = VKR_SEGMENTS_NONE}, 1000, 1},
    {{.kind = VKR_SEGMENTS_NONE}, 0, 1},
    {{.kind = VKR_SEGMENTS_ROWS, .length = 10}, 1000, 100},
    {{.kind = VKR_SEGMENTS_ROWS, .length = 10}, 0, 0},
    {{.kind = VKR_SEGMENTS_ROWS, .length = (uint64_t)1 << 33}, (uint64_t)1 << 34, 2},
    {{.kind = VKR_SEGMENTS_COLUMNS, .length = 10}, 1000, 10},
    {{.kind = VKR_SEGMENTS_COLUMNS, .length = 10}, 0, 10},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 10}, 1000, 991},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 1000}, 1000, 1},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 1001}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 4}}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 43}}, 1000, 9},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 8}, .offsetType = VKR_TYPE_U64}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 47}, .offsetType = VKR_TYPE_U64}, 1000, 4},
    {{.kind = VKR_SEGMENTS_KEYS}, 1000, 1000},
    {{.kind = VKR_SEGMENTS_KEYS, .runs = {.capacity = 10}}, 1000, 10},
    {{.kind = VKR_SEGMENTS_KEYS, .runs = {.capacity = 1001}}, 1000, 1000},
    {{.kind = VKR_SEGMENTS_KEYS, .runs = {.capacity = 10}}, 0, 0},
};
/* Bytes of a segment's results, and bytes from one segment's results to the next. */
static const struct {
    VkrOpFlags ops;
    VkrType type;
    uint32_t components;
    uint64_t size, stride;
} records[] = {
    {VKR_OP_SUM, VKR_TYPE_F32, 1, 4, 4},
    {VKR_OP_MIN, VKR_TYPE_U8, 1, 1, 1},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_U8, 3, 6, 6},
    {VKR_OP_MIN | VKR_OP_SUM, VKR_TYPE_U8, 1, 8, 8},
    {VKR_OP_SUM | VKR_OP_AND, VKR_TYPE_U8, 1, 5, 8},
    {VKR_OP_SUM | VKR_OP_AND, VKR_TYPE_U16, 3, 18, 20},
    {VKR_OP_COUNT | VKR_OP_MIN, VKR_TYPE_U16, 3, 32, 32},
    {VKR_OP_COUNT | VKR_OP_DOT, VKR_TYPE_F32, 1, 12, 16},
    {VKR_OP_MAX | VKR_OP_NAN, VKR_TYPE_F16, 1, 16, 16},
};

static void check_segment_layout(size_t k, size_t n, uint64_t granule)
{
    const VkrReduceInfo info = {.ops = records[n].ops,
                                .input = {.type = records[n].type,
                                          .components = records[n].components,
                                          .size = (uint64_t)1 << 40},
                                .count = kinds[k].count,
                                .segments = kinds[k].segments};
    VkrReduceLayout layout;
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        fail_msg("kind %u: %s", (unsigned)k, fixture.sentence);
    const uint64_t segments = kinds[k].expected;
    const uint64_t size = segments == 0 ? 0 : (segments - 1) * records[n].stride + records[n].size;
    assert_int_equal(layout.segments, segments);
    assert_int_equal(layout.stride, records[n].stride);
    assert_int_equal(layout.size, size);
    assert_int_equal(layout.stride % layout.alignment, 0);
    assert_int_equal(layout.spacing % granule, 0);
    for (uint64_t start = 0; start < granule; start += layout.alignment)
        assert_true((start + layout.spacing) / granule * granule >= start + size);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        assert_int_equal(layout.results[bit].type != VKR_TYPE_UNDEFINED, info.ops >> bit & 1);
}

EXTERN_TEST(test_segment_layouts)
{
    trace_open(&(trace_device){0});
    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
        for (size_t n = 0; n < ARRAY_SIZE(records); n++)
            check_segment_layout(k, n, 64);
    trace_close();
}

/* Indices have 32 bits if segments have fewer than 2^32 elements, however many there are in all. */
EXTERN_TEST(test_segment_indices)
{
    const uint64_t many = (uint64_t)1 << 34;
    VkrReduceInfo info = {.ops = VKR_OP_ARGMIN,
                          .input = {.type = VKR_TYPE_U8, .size = many},
                          .count = many,
                          .segments = {.kind = VKR_SEGMENTS_ROWS, .length = many / 4 - 1}};
    VkrReduceLayout layout;
    trace_open(&(trace_device){0});
    info.count = 4 * info.segments.length;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_ARGMIN)->type, VKR_TYPE_U32);
    info.count = many;
    info.segments.length = many / 4;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_ARGMIN)->type, VKR_TYPE_U64);
    trace_close();
}

/* ---- Maps and masks ---- */

/* A map determines the types of results, and a mask adds to the size of partials. */
EXTERN_TEST(test_mapped_layouts)
{
    VkrReduceLayout layout;
    VkrType type = VKR_TYPE_UNDEFINED;
    VkrScanInfo scan = plain_scan();
    const VkrMap map = {.weights = {0.5f}, .bias = 1.0f, .function = VKR_MAP_SQRT};
    VkrReduceInfo info = plain_reduce();
    trace_open(&(trace_device){0});
    info.input.map = &map;
    info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('F'), 4, 128}};
    info.input.type = VKR_TYPE_U8;
    info.input.components = 3;
    info.ops = VKR_OP_MAX | VKR_OP_SUM;
    info.pieces.count = 1;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_MAX)->type, VKR_TYPE_F32);
    assert_int_equal(layout.components, 1);
    assert_int_equal(layout.partialsSize, 3 * 4);
    info.mask = (VkrMask){0};
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(layout.partialsSize, 2 * 4);
    scan.input.type = VKR_TYPE_I8;
    scan.input.map = &map;
    assert_int_equal(vkrGetScanType(fixture.context, &scan, &type), VKR_SUCCESS);
    assert_int_equal(type, VKR_TYPE_F32);
    assert_string_equal(vkrMapFunctionName(VKR_MAP_LOG2), "log2");
    assert_string_equal(vkrMapFunctionName(VKR_MAP_FUNCTION_COUNT), "?");
    trace_close();
}

/* ---- Scans ---- */

static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                            VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};

static void check_type(size_t t, VkrOp op, uint32_t components)
{
    const bool sums = op == VKR_OP_SUM || op == VKR_OP_PRODUCT;
    const bool valid = type_rows[t].element < VKR_TYPE_F16 || op < VKR_OP_AND;
    const VkrScanInfo info = {.op = op,
                              .accumulator = type_rows[t].accumulator,
                              .input = {.type = type_rows[t].element, .components = components}};
    VkrType type = VKR_TYPE_MAX_ENUM;
    const VkrResult result = vkrGetScanType(fixture.context, &info, &type);
    assert_int_equal(result, valid ? VKR_SUCCESS : VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(type, !valid ? VKR_TYPE_MAX_ENUM
                           : sums ? type_rows[t].summed
                                  : type_rows[t].element);
    /* A reduction with this operator has the same type. */
    const VkrReduceInfo reduce = {
        .ops = (VkrOpFlags)op, .accumulator = type_rows[t].accumulator, .input = info.input};
    VkrReduceLayout layout;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &reduce, &layout), result);
    for (uint32_t bit = 0; valid && bit < VKR_OP_BITS; bit++)
        if ((uint32_t)op >> bit & 1)
            assert_int_equal(layout.results[bit].type, type);
}

EXTERN_TEST(test_scan_types)
{
    trace_open(&(trace_device){0});
    for (size_t t = 0; t < TYPE_ROWS; t++)
        for (size_t k = 0; k < ARRAY_SIZE(ops); k++)
            for (uint32_t components = 0; components <= 4; components++)
                check_type(t, ops[k], components);
    trace_close();
}

EXTERN_TEST(test_names)
{
    assert_string_equal(vkrBinKindName(VKR_BINS_EVEN), "even");
    assert_string_equal(vkrBinKindName(VKR_BINS_LOG2), "log2");
    assert_string_equal(vkrBinKindName(VKR_BINS_EDGES), "edges");
    assert_string_equal(vkrBinKindName(VKR_BINS_INTEGERS), "integers");
    assert_string_equal(vkrBinKindName(VKR_BIN_KIND_COUNT), "?");
    assert_string_equal(vkrHistogramAlgorithmName(VKR_HISTOGRAM_AUTO), "auto");
    assert_string_equal(vkrHistogramAlgorithmName(VKR_HISTOGRAM_SHARED), "shared");
    assert_string_equal(vkrHistogramAlgorithmName(VKR_HISTOGRAM_GLOBAL), "global");
    assert_string_equal(vkrHistogramAlgorithmName(VKR_HISTOGRAM_LOCAL_ATOMICS), "local-atomics");
    assert_string_equal(vkrHistogramAlgorithmName(VKR_HISTOGRAM_ALGORITHM_COUNT), "?");
    assert_string_equal(vkrHistogramAlgorithmName((VkrHistogramAlgorithm)-1), "?");
}
