/* SPDX-License-Identifier: MIT */
/* Reductions and scans of arrays. */
#include "host_calls.h"

#include "oracle_scan.h"

#define GAP 4u /* values from one element to the next, where there are gaps */

/* ---- Reductions ---- */

typedef struct shape {
    VkrSegmentKind kind;
    uint64_t length;
    VkrDeterminism determinism;
    uint32_t components, gap; /* values of an element, and from one to the next */
    VkrOpFlags ops;
    bool whole; /* there are no chunks */
    const VkrMap *map;
} shape;

#define FEW (VKR_OP_SUM | VKR_OP_MAX | VKR_OP_ARGMIN)
#define MANY (FEW | VKR_OP_MEAN | VKR_OP_DOT | VKR_OP_COUNT)

/* Of the first component, and of two. */
static const VkrMap one_map = {.weights = {-0.5f}, .bias = 3, .function = VKR_MAP_ABS};
static const VkrMap two_map = {.weights = {0.25f, -2}, .bias = 3};

static const shape shapes[] = {
    {VKR_SEGMENTS_NONE, 0, VKR_DETERMINISM_DEVICE, 1, 1, MANY, false, NULL},
    {VKR_SEGMENTS_NONE, 0, VKR_DETERMINISM_RUN, 2, GAP, FEW, false, NULL},
    {VKR_SEGMENTS_NONE, 0, VKR_DETERMINISM_DEVICE, 2, GAP, FEW, false, &two_map},
    {VKR_SEGMENTS_ROWS, 7, VKR_DETERMINISM_DEVICE, 1, 1, FEW, false, NULL},
    {VKR_SEGMENTS_ROWS, 7, VKR_DETERMINISM_DEVICE, 1, 1, FEW, false, &one_map},
    {VKR_SEGMENTS_WINDOWS, 100, VKR_DETERMINISM_DEVICE, 1, 1, FEW, false, NULL},
    {VKR_SEGMENTS_COLUMNS, 7, VKR_DETERMINISM_DEVICE, 1, 1, FEW, true, NULL},
    {VKR_SEGMENTS_OFFSETS, 0, VKR_DETERMINISM_DEVICE, 1, 1, FEW, true, NULL},
};

static const uint32_t offsets[] = {0, 0, 1, 1}; /* of as many elements as there are at least */

/* The elements of segment i: where the first one is, and the items from one to the next. */
static void find_segment(const shape *s, uint64_t count, uint64_t i, uint64_t *first,
                         uint64_t *step, uint64_t *elements)
{
    *first = 0;
    *step = 1;
    *elements = count;
    if (s->kind == VKR_SEGMENTS_ROWS) {
        *first = i * s->length;
        *elements = s->length;
    } else if (s->kind == VKR_SEGMENTS_WINDOWS) {
        *first = i;
        *elements = s->length;
    } else if (s->kind == VKR_SEGMENTS_COLUMNS) {
        *first = i;
        *step = s->length;
        *elements = count / s->length;
    } else if (s->kind == VKR_SEGMENTS_OFFSETS) {
        *first = offsets[i];
        *elements = offsets[i + 1] - offsets[i];
    }
}

static void check_results(const call_case *c, const shape *s, const VkrHostReduceInfo *info)
{
    const VkrReduceLayout *layout = info->layout;
    const uint32_t size = vkrTypeSize(c->type);
    const size_t stride = (size_t)s->gap * size;
    /* Of many segments some, among them those at the starts of chunks. */
    const uint64_t step_of_many = layout->segments > 10000 ? 32 : 1;
    for (uint64_t i = 0; i < layout->segments; i += step_of_many)
        for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
            const VkrReduceResult *where = &layout->results[op];
            uint64_t first, step, elements;
            oracle_value expected;
            if ((s->ops >> op & 1) == 0)
                continue;
            find_segment(s, info->reduce.count, i, &first, &step, &elements);
            const oracle_reduce_info from = {.data = (const char *)info->input + first * stride,
                                             .stride = (size_t)step * stride,
                                             .data2 =
                                                 (s->ops & VKR_OP_DOT) != 0 ? info->input2 : NULL,
                                             .stride2 = size,
                                             .count = elements,
                                             .type = c->type,
                                             .components = s->components,
                                             .determinism = s->determinism,
                                             .window = s->kind == VKR_SEGMENTS_WINDOWS,
                                             .first = first};
            for (uint32_t k = 0; k < s->components; k++) {
                const char *actual = (const char *)info->results + i * layout->stride +
                                     where->offset + k * vkrTypeSize(where->type);
                oracle_reduce(&from, (VkrOp)(1u << op), k, where->type, &expected);
                if (!oracle_accepts(&expected, where->type, actual))
                    fail_msg("%s of segment %llu by segments %d of %llu %s, %s, chunks of %llu",
                             vkrOpName((VkrOp)(1u << op)), (unsigned long long)i, (int)s->kind,
                             (unsigned long long)info->reduce.count, vkrTypeName(c->type), c->name,
                             (unsigned long long)c->chunk);
            }
        }
}

static void reduce_case(const call_case *c, const shape *s)
{
    const uint32_t size = vkrTypeSize(c->type);
    const uint64_t rest =
        s->kind == VKR_SEGMENTS_ROWS || s->kind == VKR_SEGMENTS_COLUMNS ? c->count % s->length : 0;
    const uint64_t count = c->count - rest, values = count * s->gap + 1;
    VkrReduceLayout layout;
    unsigned char *data = take(values * size), *more = take(count * size + 1);
    unsigned char *results = take(64 * (count + 4));
    VkrHostReduceInfo info = {.reduce = {.ops = s->ops,
                                         .input = {.type = c->type,
                                                   .components = s->components,
                                                   .stride = (VkDeviceSize)s->gap * size,
                                                   .offset = size},
                                         .input2 = {.stride = size},
                                         .count = count,
                                         .determinism = s->determinism,
                                         .segments = {.kind = s->kind, .length = s->length}},
                              .input = data,
                              .input2 = more,
                              .segments = {.offsets = offsets, .offsetCount = ARRAY_SIZE(offsets)},
                              .results = results,
                              .resultsSize = 64 * (count + 4),
                              .layout = &layout,
                              .chunkSize = c->chunk};
    fill(c->type, data, values);
    fill(c->type, more, count);
    if (s->map != NULL)
        info.reduce.input.map = s->map;
    if (s->components > 1)
        info.reduce.input2.stride = 0;
    const bool refuses = s->whole && c->chunk != 0 && c->chunk < count * size;
    const VkrResult result = vkrHostReduce(c->host, &info);
    if (result != (refuses ? VKR_ERROR_INVALID_ARGUMENT : VKR_SUCCESS))
        fail_msg("%s: %s", vkrResultName(result), sentence);
    if (!refuses) {
        info.input = data + size; /* the view's offset */
        if (s->map != NULL) {     /* what is reduced then */
            const call_case floats = {c->host, c->name, c->count, c->chunk, VKR_TYPE_F32};
            shape mapped = *s;
            mapped.components = mapped.gap = 1;
            info.input = take_mapped(s->map, c->type, s->components, info.input,
                                     (size_t)info.reduce.input.stride, count);
            check_results(&floats, &mapped, &info);
            drop((void *)info.input);
        } else {
            check_results(c, s, &info);
        }
        for (size_t i = (size_t)layout.size; i < info.resultsSize; i++)
            assert_int_equal(results[i], 0xa5);
    }
    drop(data);
    drop(more);
    drop(results);
}

static void reduce_all(const call_case *c)
{
    for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
        if ((shapes[i].kind != VKR_SEGMENTS_OFFSETS || c->count != 0) &&
            (shapes[i].map == NULL || vkrTypeSize(c->type) < 8)) /* which have no maps */
            reduce_case(c, &shapes[i]);
}

EXTERN_TEST(test_reduce)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U8, VKR_TYPE_I64, VKR_TYPE_UNDEFINED};
    each_case(types, reduce_all);
}

/* The sum and the first index of the maximum of the elements that a mask of bits keeps. The
 * elements lie where none of this type may, so that they cannot be imported. */
static void reduce_masked(const call_case *c)
{
    const uint64_t words = (c->count + 31) / 32;
    uint32_t *data = take(4 * c->count), *mask = take(4 * words);
    unsigned char *odd = take(4 * c->count + 1);
    VkrReduceLayout layout;
    uint32_t results[2] = {0}, sum = 0, best = UINT32_MAX;
    fill(VKR_TYPE_U32, data, c->count);
    fill(VKR_TYPE_U32, mask, words);
    memcpy(odd + 1, data, 4 * c->count);
    for (uint32_t i = 0; i < c->count; i++)
        if ((mask[i / 32] >> i % 32 & 1) != 0) {
            sum += data[i];
            if (best == UINT32_MAX || data[i] > data[best])
                best = i;
        }
    const VkrHostReduceInfo info = {.reduce = {.ops = VKR_OP_SUM | VKR_OP_ARGMAX,
                                               .input = {.type = VKR_TYPE_U32},
                                               .count = c->count,
                                               .mask = {.flags = {.format = VKR_FLAGS_BITS}}},
                                    .input = odd + 1,
                                    .mask = mask,
                                    .results = results,
                                    .resultsSize = sizeof results,
                                    .layout = &layout,
                                    .chunkSize = c->chunk};
    if (vkrHostReduce(c->host, &info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    assert_int_equal(results[0], sum);
    assert_int_equal(results[1], best);
    drop(data);
    drop(odd);
    drop(mask);
}

EXTERN_TEST(test_reduce_masked)
{
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_UNDEFINED};
    each_case(types, reduce_masked);
}

/* ---- Scans ---- */

typedef struct scan_shape {
    VkrOp op;
    uint32_t flags;
    uint64_t row, pitch;              /* of rows that lie apart; else 0 */
    VkrSegmentKind kind;              /* but ROWS where there is a row */
    bool in_place, has_initial, wide; /* offsets of 64 bits */
    const VkrMap *map;
} scan_shape;

static const scan_shape scan_shapes[] = {
    {.op = VKR_OP_SUM},
    {.op = VKR_OP_SUM, .flags = VKR_SCAN_REVERSE_BIT, .in_place = true, .has_initial = true},
    {.op = VKR_OP_MAX, .flags = VKR_SCAN_EXCLUSIVE_BIT, .has_initial = true},
    {.op = VKR_OP_SUM, .row = 10, .has_initial = true},
    {.op = VKR_OP_SUM, .row = 2048, .has_initial = true},
    {.op = VKR_OP_SUM, .row = 777, .flags = VKR_SCAN_REVERSE_BIT},
    {.op = VKR_OP_SUM, .row = 10, .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT},
    {.op = VKR_OP_SUM, .row = 10, .pitch = 13, .has_initial = true},
    {.op = VKR_OP_SUM, .row = 2048, .pitch = 2049, .flags = VKR_SCAN_REVERSE_BIT},
    {.op = VKR_OP_MAX, .row = 777, .pitch = 900, .in_place = true},
    {.op = VKR_OP_SUM, .kind = VKR_SEGMENTS_FLAGS},
    {.op = VKR_OP_SUM, .kind = VKR_SEGMENTS_OFFSETS, .in_place = true},
    {.op = VKR_OP_SUM, .kind = VKR_SEGMENTS_OFFSETS, .flags = VKR_SCAN_REVERSE_BIT, .wide = true},
    {.op = VKR_OP_SUM, .map = &one_map, .has_initial = true},
    {.op = VKR_OP_MAX, .map = &one_map, .row = 10},
};

/* Where segments start, of these counts of elements. */
static const uint32_t heads_at[] = {3, 3, 40, 700, 777, 5000, 65536, 99999, 200000};
static const uint64_t wide_heads_at[] = {0, 1, 256, 770, 70000};

static VkrSegments segments_of(const scan_shape *s)
{
    return (VkrSegments){.kind = s->row != 0 ? VKR_SEGMENTS_ROWS : s->kind,
                         .length = s->row,
                         .pitch = s->pitch,
                         .offsetType = s->wide ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED,
                         .flags = {.format = VKR_FLAGS_U32}};
}

/* The index of the result at a position in rows, and the number of these positions. */
static uint64_t index_of(const scan_shape *s, uint64_t position)
{
    return s->pitch == 0 ? position : position / s->row * s->pitch + position % s->row;
}

static uint64_t positions_of(const scan_shape *s, uint64_t count)
{
    if (s->pitch == 0)
        return count;
    const uint64_t rest = count % s->pitch;
    return count / s->pitch * s->row + (rest < s->row ? rest : s->row);
}

/* Of rows that lie apart what lies between results is as before. */
static void check_between(const call_case *c, const scan_shape *s, const void *before,
                          const void *after, uint32_t size)
{
    for (uint64_t i = 0; i < c->count && s->pitch != 0; i++)
        if (i % s->pitch >= s->row)
            assert_memory_equal((const char *)after + i * size, (const char *)before + i * size,
                                size);
}

static void check_scan(const call_case *c, const scan_shape *s, const void *data,
                       const VkrHostScanInfo *info, VkrType type)
{
    const uint32_t size = vkrTypeSize(c->type), wide = vkrTypeSize(type);
    const uint64_t count = positions_of(s, c->count);
    oracle_value *expected = malloc((c->count + 1) * sizeof *expected);
    unsigned char *beside = malloc(count * size + 1);
    assert_non_null(expected);
    assert_non_null(beside);
    for (uint64_t i = 0; i < count; i++)
        memcpy(beside + i * size, (const char *)data + index_of(s, i) * size, size);
    const oracle_scan_info from = {.data = beside,
                                   .stride = size,
                                   .count = count,
                                   .type = c->type,
                                   .components = 1,
                                   .op = s->op,
                                   .flags = s->flags,
                                   .determinism = VKR_DETERMINISM_DEVICE,
                                   .initial = info->scan.initial,
                                   .segments = info->scan.segments.kind,
                                   .heads = info->segments.flags,
                                   .row_length = s->row,
                                   .offsets = info->segments.offsets,
                                   .offset_type = info->scan.segments.offsetType,
                                   .offset_count = info->segments.offsetCount};
    assert_true(oracle_scan(&from, 0, type, expected));
    for (uint64_t i = 0; i <= count; i++) {
        const char *at =
            i < count ? (const char *)info->output + index_of(s, i) * wide : info->total;
        if (memcmp(at, expected[i].bytes, wide) != 0)
            fail_msg("scan %zu, prefix %llu of %llu %s, %s, chunks of %llu",
                     (size_t)(s - scan_shapes), (unsigned long long)i, (unsigned long long)c->count,
                     vkrTypeName(c->type), c->name, (unsigned long long)c->chunk);
    }
    free(beside);
    free(expected);
}

/* The size of the larger one of two types. */
static uint64_t wide_of(VkrType a, VkrType b)
{
    return vkrTypeSize(a) > vkrTypeSize(b) ? vkrTypeSize(a) : vkrTypeSize(b);
}

static void scan_case(const call_case *c, const scan_shape *s)
{
    const uint32_t size = vkrTypeSize(c->type);
    unsigned char *data = take(c->count * size), *copy = take(c->count * size);
    unsigned char *output = take(c->count * 8), *before = take(c->count * 8);
    unsigned char initial[8] = {0}, total[8];
    uint32_t *heads = take(4 * c->count);
    VkrType type;
    fill(c->type, data, c->count);
    memcpy(copy, data, c->count * size);
    for (uint64_t i = 0; i < c->count; i++)
        heads[i] = i % 13 == 5;
    VkrHostScanInfo info = {
        .scan = {.op = s->op,
                 .flags = s->flags,
                 .input = {.type = c->type, .map = s->map},
                 .count = c->count,
                 .determinism = VKR_DETERMINISM_DEVICE,
                 .initial = s->has_initial ? initial : NULL,
                 .segments = segments_of(s)},
        .input = data,
        .output = output,
        .total = total,
        .segments = {.offsets = s->wide ? (const void *)wide_heads_at : heads_at,
                     .offsetCount = s->wide ? ARRAY_SIZE(wide_heads_at) : ARRAY_SIZE(heads_at),
                     .flags = heads},
        .chunkSize = c->chunk};
    assert_int_equal(vkrGetScanType(vkrHostContext(c->host), &info.scan, &type), VKR_SUCCESS);
    fill(type, initial, 1);
    if (s->in_place && type == c->type)
        info.output = data;
    /* Blocks of a reversed scan start where the last row ends. */
    const uint64_t rest = s->row == 0 ? 0 : c->count % (s->pitch != 0 ? s->pitch : s->row);
    const bool blocks = c->type == VKR_TYPE_F32 && (s->flags & VKR_SCAN_REVERSE_BIT) != 0 &&
                        rest != 0 && rest < s->row;
    const uint64_t largest = s->kind == VKR_SEGMENTS_FLAGS && size < 4 ? 4 : wide_of(type, c->type);
    const bool refuses =
        (s->kind != VKR_SEGMENTS_NONE || blocks) && c->chunk != 0 && c->chunk < c->count * largest;
    const VkrResult result = vkrHostScan(c->host, &info);
    if (result != (refuses ? VKR_ERROR_INVALID_ARGUMENT : VKR_SUCCESS))
        fail_msg("scan %zu, chunks of %llu: %s: %s", (size_t)(s - scan_shapes),
                 (unsigned long long)c->chunk, vkrResultName(result), sentence);
    if (!refuses && s->map != NULL) {
        const call_case floats = {c->host, c->name, c->count, c->chunk, VKR_TYPE_F32};
        void *mapped = take_mapped(s->map, c->type, 1, copy, size, c->count);
        check_scan(&floats, s, mapped, &info, type);
        drop(mapped);
    } else if (!refuses) {
        check_scan(c, s, copy, &info, type);
        check_between(c, s, info.output == data ? copy : before, info.output, vkrTypeSize(type));
    }
    if (info.output != data)
        assert_same(c, "input of a scan", data, copy, c->count * size);
    drop(data);
    drop(copy);
    drop(output);
    drop(before);
    drop(heads);
}

static void scan_all(const call_case *c)
{
    for (size_t i = 0; i < ARRAY_SIZE(scan_shapes); i++)
        if (scan_shapes[i].map == NULL || vkrTypeSize(c->type) < 8)
            scan_case(c, &scan_shapes[i]);
}

EXTERN_TEST(test_scan)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_I16, VKR_TYPE_U64, VKR_TYPE_UNDEFINED};
    each_case(types, scan_all);
}
