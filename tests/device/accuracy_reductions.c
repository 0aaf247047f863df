/* SPDX-License-Identifier: MIT */
/* The accuracy of sums in reductions. */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "accuracy.h"

#define OFFSETS 7u
#define CHECKED 4u /* number of segments of a form that are checked, besides the last one */

typedef enum manner {
    AS_THEY_ARE,
    MAPPED,
    MASKED,
    COUNTED, /* the GPU has the count */
} manner;

typedef struct form {
    const char *name;
    VkrOpFlags ops;
    VkrType type; /* UNDEFINED: f32 */
    VkrType accumulator;
    context_row context;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroup;
    VkrDeterminism determinism;
    uint32_t count;      /* 0: COUNT */
    uint32_t stride;     /* in elements; 0: 1 */
    uint32_t components; /* 0: 1 */
    VkrSegments segments;
    manner manner;
} form;

#define SUM VKR_OP_SUM
#define SUMS (VKR_OP_SUM | VKR_OP_MEAN)
#define SQUARES (VKR_OP_SUMSQ | VKR_OP_L2)
#define ALL (SUMS | SQUARES | VKR_OP_L1 | VKR_OP_DOT)
#define ROWS(n) .segments = {.kind = VKR_SEGMENTS_ROWS, .length = (n)}
#define COLUMNS(n) .segments = {.kind = VKR_SEGMENTS_COLUMNS, .length = (n)}
#define WINDOWS(n) .segments = {.kind = VKR_SEGMENTS_WINDOWS, .length = (n)}
#define TILES(w, h)                                                                                \
    .segments = {.kind = VKR_SEGMENTS_TILES, .length = 512, .tileWidth = (w), .tileHeight = (h)}
#define PARTS .segments = {.kind = VKR_SEGMENTS_OFFSETS}

static const form forms[] = {
    {"flat", .ops = ALL},
    {"flat, sum alone", SUM, .count = LARGE - 3},
    {"flat, none", VKR_OP_L1, .determinism = VKR_DETERMINISM_NONE, .workgroup = 64},
    {"flat, device", ALL, .determinism = VKR_DETERMINISM_DEVICE},
    {"flat, long shares", SQUARES, .context = CONTEXT_COALESCED},
    {"flat, long runs", VKR_OP_DOT, .context = CONTEXT_CONTIGUOUS},
    {"flat, loads of elements", SUMS, .context = CONTEXT_ELEMENTS},
    {"flat, shuffle", SUM | VKR_OP_DOT, .context = CONTEXT_SHUFFLE},
    {"flat, shared", SUM | VKR_OP_L1, .context = CONTEXT_SHARED},
    {"flat, windows", SUM, .context = CONTEXT_WINDOWS},
    {"flat, single", SUM, .algorithm = VKR_REDUCE_SINGLE, .context = CONTEXT_COALESCED},
    {"flat, subgroup", VKR_OP_DOT, .algorithm = VKR_REDUCE_SUBGROUP, .context = CONTEXT_COALESCED},
    {"flat, tree", SUMS, .algorithm = VKR_REDUCE_TREE},
    {"flat, recursive", SUM, .algorithm = VKR_REDUCE_RECURSIVE},
    {"flat, strided", ALL, .stride = 3, .context = CONTEXT_COALESCED},
    {"flat, vectors", SUM, .components = 3, .context = CONTEXT_ELEMENTS},
    {"flat, many partials", SUM, .algorithm = VKR_REDUCE_SUBGROUP, .count = LARGE,
     .context = CONTEXT_RUNS},
    {"flat, f16", SUMS, VKR_TYPE_F16, .context = CONTEXT_COALESCED},
    {"flat, bf16", SUMS, VKR_TYPE_BF16, .context = CONTEXT_COALESCED},
    {"flat, f64", ALL, VKR_TYPE_F64, .context = CONTEXT_CONTIGUOUS},
    {"flat, f64 of f32", SUM, .accumulator = VKR_TYPE_F64, .context = CONTEXT_COALESCED},
    {"mapped", SUM, .manner = MAPPED, .context = CONTEXT_COALESCED},
    {"masked", SUM, .manner = MASKED, .context = CONTEXT_COALESCED},
    {"counted", SUM, .manner = COUNTED, .context = CONTEXT_COALESCED},
    {"rows of 100", SUM, ROWS(100), .count = COUNT / 100 * 100},
    {"rows of 128", VKR_OP_L1, ROWS(128)},
    {"rows by lanes", SUM, ROWS(8192), .algorithm = VKR_REDUCE_LANES},
    {"rows by teams", SQUARES, ROWS(8192), .algorithm = VKR_REDUCE_MERGE},
    {"rows by workgroups", SUM, ROWS(8192), .algorithm = VKR_REDUCE_GROUPS},
    {"rows in parts", SUM, ROWS(COUNT / 2), .algorithm = VKR_REDUCE_SPLIT},
    {"a row in many parts", SUM, ROWS(LARGE), .count = LARGE, .algorithm = VKR_REDUCE_SPLIT,
     .workgroup = 1, .context = CONTEXT_RUNS},
    {"columns in many parts", SUM, COLUMNS(8), .count = LARGE, .context = CONTEXT_RUNS},
    {"rows, strided", SUM, ROWS(8192), .algorithm = VKR_REDUCE_LANES, .stride = 2},
    {"rows of f16", SUM, VKR_TYPE_F16, ROWS(8192)},
    {"rows, device", SUM, ROWS(8192), .determinism = VKR_DETERMINISM_DEVICE},
    {"columns", ALL, COLUMNS(64)},
    {"columns by lanes", ALL, COLUMNS(64), .algorithm = VKR_REDUCE_LANES,
     .context = CONTEXT_COALESCED},
    {"columns of vectors, none", SUM, COLUMNS(64), .components = 2,
     .determinism = VKR_DETERMINISM_NONE},
    {"windows of 5", SUM, WINDOWS(5)},
    {"windows of 100", SUM, WINDOWS(100)},
    {"windows of 3000", SUMS, WINDOWS(3000)},
    {"windows of 3000 by workgroups", SUM, WINDOWS(3000), .algorithm = VKR_REDUCE_GROUPS,
     .count = 4000},
    {"windows of 100, device", ALL, WINDOWS(100), .count = 40000,
     .determinism = VKR_DETERMINISM_DEVICE},
    {"windows of 3000, device", SUMS, WINDOWS(3000), .determinism = VKR_DETERMINISM_DEVICE},
    {"windows of 5000 f64, device", SUM, VKR_TYPE_F64, WINDOWS(5000),
     .determinism = VKR_DETERMINISM_DEVICE},
    {"offsets", SUM, PARTS},
    {"offsets by lanes", SUM, PARTS, .algorithm = VKR_REDUCE_LANES, .count = 40000},
    {"tiles", SUM, TILES(128, 128)},
    {"tiles, strided", SUM, TILES(128, 128), .stride = 2},
    {"a tile in many parts", SUM, TILES(512, 1024), .count = LARGE, .workgroup = 1,
     .context = CONTEXT_RUNS},
    {"small tiles", SQUARES, TILES(8, 16)},
};

/* Offsets of uneven segments, one of which is empty, as parts of the count. */
static const double offsets[OFFSETS] = {0, 1e-5, 1e-5, 0.01, 0.5, 0.999, 1};
#define MAP_WEIGHT 2.0f

static VkrType type_of(const form *f)
{
    return f->type == VKR_TYPE_UNDEFINED ? VKR_TYPE_F32 : f->type;
}

static uint32_t count_of(const form *f)
{
    return f->count == 0 ? COUNT : f->count;
}

static uint32_t components_of(const form *f)
{
    return f->components == 0 ? 1 : f->components;
}

static size_t stride_of(const form *f)
{
    return (f->stride == 0 ? 1 : f->stride) * components_of(f) * (size_t)vkrTypeSize(type_of(f));
}

static uint32_t offset_of(const form *f, uint32_t i)
{
    return (uint32_t)(offsets[i] * count_of(f));
}

/* Every third bit of a mask is 0. */
static bool is_kept(uint32_t i)
{
    return i % 3 != 0;
}

/* The index of element k of a segment. */
static uint32_t element_of(const form *f, uint32_t segment, uint32_t k)
{
    const VkrSegments *s = &f->segments;
    const uint32_t length = (uint32_t)s->length;
    if (s->kind == VKR_SEGMENTS_TILES) {
        const uint32_t across = length / s->tileWidth;
        const uint32_t y = segment / across * s->tileHeight + k / s->tileWidth;
        return y * length + segment % across * s->tileWidth + k % s->tileWidth;
    }
    return s->kind == VKR_SEGMENTS_ROWS      ? segment * length + k
           : s->kind == VKR_SEGMENTS_COLUMNS ? k * length + segment
           : s->kind == VKR_SEGMENTS_WINDOWS ? segment + k
           : s->kind == VKR_SEGMENTS_OFFSETS ? offset_of(f, segment) + k
                                             : k;
}

static uint32_t length_of(const form *f, uint32_t segment)
{
    const VkrSegments *s = &f->segments;
    switch (s->kind) {
    case VKR_SEGMENTS_COLUMNS:
        return count_of(f) / (uint32_t)s->length;
    case VKR_SEGMENTS_TILES:
        return s->tileWidth * s->tileHeight;
    case VKR_SEGMENTS_OFFSETS:
        return offset_of(f, segment + 1) - offset_of(f, segment);
    case VKR_SEGMENTS_NONE:
        return f->manner == COUNTED ? count_of(f) - 12345 : count_of(f);
    default:
        return (uint32_t)s->length;
    }
}

/* Copies the elements of one component that a segment sums. Returns their number. */
static uint32_t gather(const form *f, uint32_t segment, uint32_t component)
{
    const uint32_t size = vkrTypeSize(type_of(f)), length = length_of(f, segment);
    uint32_t count = 0;
    for (uint32_t k = 0; k < length; k++) {
        const size_t at = element_of(f, segment, k) * stride_of(f) + component * size;
        if (f->manner == MASKED && !is_kept(k))
            continue;
        memcpy(accurate.elements + (size_t)count * size, (char *)accurate.input.data + at, size);
        memcpy(accurate.elements2 + (size_t)count * size, (char *)accurate.input2.data + at, size);
        count++;
    }
    for (uint32_t k = 0; f->manner == MAPPED && k < count; k++)
        ((float *)(void *)accurate.elements)[k] =
            fabsf(MAP_WEIGHT * ((float *)(void *)accurate.elements)[k]);
    return count;
}

/* The sum of equal elements. */
static double sum_of_equal(const form *f, VkrOp op, uint32_t count)
{
    const long double x = number_of(type_of(f), accurate.elements),
                      y = number_of(type_of(f), accurate.elements2);
    switch (op) {
    case VKR_OP_MEAN:
        return (double)(count == 0 ? 0 : x);
    case VKR_OP_SUMSQ:
        return (double)(count * x * x);
    case VKR_OP_L2:
        return (double)sqrtl(count * x * x);
    case VKR_OP_DOT:
        return (double)(count * x * y);
    default:
        return (double)(count * x);
    }
}

static void expect(const form *f, VkrOp op, uint32_t count, expectation *e)
{
    const uint32_t size = vkrTypeSize(type_of(f));
    const oracle_reduce_info info = {.data = accurate.elements,
                                     .stride = size,
                                     .data2 = accurate.elements2,
                                     .stride2 = size,
                                     .count = count,
                                     .type = type_of(f),
                                     .components = 1,
                                     .accumulator = f->accumulator};
    oracle_reduce(&info, op, 0, e->type, &e->value);
    e->stated = e->factor = oracle_roundings(count);
    e->levels = 1;
    if (f->determinism == VKR_DETERMINISM_DEVICE) {
        e->levels = count > VKR_TREE_BLOCK ? 2 : 1;
        e->factor = 70 * e->levels;
    }
    if (f->determinism == VKR_DETERMINISM_DEVICE && f->segments.kind == VKR_SEGMENTS_WINDOWS) {
        e->levels = 0.3;
        e->factor = log2(count) + 4;
    }
    e->equal = sum_of_equal(f, op, count);
}

static void judge_segment(const form *f, const data_row *row, const VkrReduceLayout *layout,
                          uint32_t segment, uint32_t component, errors *worst)
{
    const uint32_t count = gather(f, segment, component);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &layout->results[bit];
        expectation e = {.row = row, .type = result->type};
        if (result->type == VKR_TYPE_UNDEFINED)
            continue;
        expect(f, (VkrOp)(1u << bit), count, &e);
        judge(&e, open_context(f->context),
              (char *)accurate.output.data + segment * layout->stride + result->offset +
                  component * vkrTypeSize(result->type),
              worst);
    }
}

static void judge_segments(const form *f, const data_row *row, const VkrReduceLayout *layout,
                           errors *worst)
{
    const uint32_t last = (uint32_t)layout->segments - 1;
    const uint32_t step = layout->segments <= OFFSETS ? 1 : last / CHECKED;
    for (uint32_t c = 0; c < components_of(f); c++) {
        for (uint32_t s = 0; s < last; s += step)
            judge_segment(f, row, layout, s, c, worst);
        judge_segment(f, row, layout, last, c, worst);
    }
}

static VkrReduceInfo info_of(const form *f)
{
    static const VkrMap map = {.weights = {MAP_WEIGHT}, .function = VKR_MAP_ABS};
    const harness_buffer *extra = &accurate.extra;
    VkrReduceInfo info = {.ops = f->ops,
                          .count = count_of(f),
                          .accumulator = f->accumulator,
                          .determinism = f->determinism,
                          .algorithm = f->algorithm,
                          .workgroupSize = f->workgroup,
                          .segments = f->segments};
    info.input = (VkrView){.buffer = accurate.input.buffer,
                           .size = count_of(f) * stride_of(f),
                           .type = type_of(f),
                           .components = components_of(f),
                           .stride = stride_of(f)};
    info.input2 = info.input;
    info.input2.buffer = accurate.input2.buffer;
    if (f->manner == MAPPED)
        info.input.map = &map;
    if (f->manner == MASKED)
        info.mask.flags =
            (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {extra->buffer, 0, extra->size}};
    if (f->manner == COUNTED)
        info.gpuCount = (VkrGpuCount){extra->buffer, 0, VKR_TYPE_U32};
    if (f->segments.kind == VKR_SEGMENTS_OFFSETS)
        info.segments.offsets = (VkrBufferRange){extra->buffer, 0, OFFSETS * sizeof(uint32_t)};
    return info;
}

/* Writes the offsets, the mask or the count. */
static void fill_extra(const form *f)
{
    uint32_t *words = accurate.extra.data;
    if (f->manner == COUNTED)
        words[0] = length_of(f, 0);
    for (uint32_t i = 0; i < OFFSETS && f->segments.kind == VKR_SEGMENTS_OFFSETS; i++)
        words[i] = offset_of(f, i);
    if (f->manner == MASKED)
        memset(words, 0, accurate.extra.size);
    for (uint32_t i = 0; i < count_of(f) && f->manner == MASKED; i++)
        words[i / 32] |= (uint32_t)is_kept(i) << i % 32;
}

static void test_form(void **state)
{
    const form *f = *state;
    VkrContext context = open_context(f->context);
    VkrReduceInfo info = info_of(f);
    VkrReduceLayout layout;
    errors worst = {0};
    if (!has_types(context, type_of(f), f->accumulator)) {
        printf("# left out: %s\n", f->name);
        return;
    }
    VkrRecorder recorder = begin_form(f->context);
    assert_true(harness_check(&accurate.h, vkrGetReduceLayout(context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){accurate.output.buffer, 0, layout.size};
    fill_extra(f);
    assert_true(harness_check(&accurate.h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    end_form(recorder);
    for (uint32_t i = 0; i < DATA_ROWS; i++) {
        fill_inputs(&data_rows[i], type_of(f), stride_of(f) / components_of(f),
                    count_of(f) * components_of(f));
        assert_true(harness_submit(&accurate.h));
        judge_segments(f, &data_rows[i], &layout, &worst);
    }
    assert_true(harness_check(&accurate.h, vkrReset(recorder), "vkrReset"));
    report_errors(f->name, &worst);
}

uint32_t add_reductions(struct CMUnitTest *tests, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ARRAY_SIZE(forms); i++)
        if (harness_has_case(first + i))
            tests[count++] = (struct CMUnitTest){forms[i].name, test_form, NULL, NULL,
                                                 (void *)(uintptr_t)&forms[i]};
    return count;
}
