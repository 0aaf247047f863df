/* SPDX-License-Identifier: MIT */
/*
 * Mean and l2 of integers whose sums exceed 64 bits, or cancel, or lie between two floats: every
 * form of a reduction, with 32-bit and 64-bit counts, against the oracle. More than 2^32 elements
 * are tested too: since a piece's partial represents its elements, copies of two partials represent
 * any number of elements.
 *
 * VKR_TEST_STEP and VKR_TEST_FIRST choose every n-th form, and VKR_TEST_SEED varies the
 * data.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reduce_case.h"

#include "oracle_parts.h"

#define OPS (VKR_OP_MEAN | VKR_OP_L2 | VKR_OP_VARIANCE | VKR_OP_STDDEV)
#define COUNT 1200u
#define SLOT 65536u /* size of the results of a form in bytes */
#define BLOCK VKR_TREE_BLOCK
#define BLOCKS 786433u /* an odd number of blocks, with about 1.5 * 2^32 elements */
#define SHOWN 5

static harness h;
static uint64_t random_state, cases, mismatches;

/* ---- Forms ---- */

typedef struct form {
    const char *name;
    VkrReduceAlgorithm algorithm;
    VkrSegments segments;
    bool masked;
} form;

#define ROWS(length_) .segments = {.kind = VKR_SEGMENTS_ROWS, .length = length_}

static const form forms[] = {
    {.name = "auto", .algorithm = VKR_REDUCE_AUTO},
    {.name = "single", .algorithm = VKR_REDUCE_SINGLE},
    {.name = "subgroup", .algorithm = VKR_REDUCE_SUBGROUP},
    {.name = "tree", .algorithm = VKR_REDUCE_TREE},
    {.name = "recursive", .algorithm = VKR_REDUCE_RECURSIVE},
    {"mask", VKR_REDUCE_AUTO, .masked = true},
    {"short rows", VKR_REDUCE_AUTO, ROWS(4)},
    {"rows by lanes", VKR_REDUCE_LANES, ROWS(24)},
    {"rows by merging", VKR_REDUCE_MERGE, ROWS(100)},
    {"rows by groups", VKR_REDUCE_GROUPS, ROWS(300)},
    {"split rows", VKR_REDUCE_SPLIT, ROWS(600)},
    {"columns", .segments = {.kind = VKR_SEGMENTS_COLUMNS, .length = 40}},
    {"windows", .segments = {.kind = VKR_SEGMENTS_WINDOWS, .length = 9}},
    {"offsets", .segments = {.kind = VKR_SEGMENTS_OFFSETS}},
    {"tiles",
     .segments = {.kind = VKR_SEGMENTS_TILES, .length = 40, .tileWidth = 16, .tileHeight = 7}},
    {"tiles and mask",
     .segments = {.kind = VKR_SEGMENTS_TILES, .length = 40, .tileWidth = 7, .tileHeight = 3},
     .masked = true},
};

static const uint32_t offsets[] = {0, 1, 8, 8, 13, 500, COUNT};

/* Whether element i is in a segment. */
static bool is_in(const form *f, uint64_t segment, uint64_t i)
{
    const VkrSegments *s = &f->segments;
    const uint64_t tiles = s->tileWidth == 0 ? 0 : (s->length - 1) / s->tileWidth + 1;
    switch (s->kind) {
    case VKR_SEGMENTS_ROWS:
        return i / s->length == segment;
    case VKR_SEGMENTS_COLUMNS:
        return i % s->length == segment;
    case VKR_SEGMENTS_WINDOWS:
        return i >= segment && i < segment + s->length;
    case VKR_SEGMENTS_OFFSETS:
        return i >= offsets[segment] && i < offsets[segment + 1];
    case VKR_SEGMENTS_TILES:
        return i / s->length / s->tileHeight * tiles + i % s->length / s->tileWidth == segment;
    default:
        return true;
    }
}

/* ---- Buffers ---- */

enum { INPUT, FLAGS, OFFSETS, OUTPUT, PARTIALS, BUFFERS };
static harness_buffer buffers[BUFFERS];

static bool keeps(const form *f, uint64_t i)
{
    const uint32_t *flags = buffers[FLAGS].data;
    return !f->masked || (flags[i / 32] >> i % 32 & 1) != 0;
}

static VkrReduceInfo info_of(const form *f, VkrType type, VkDeviceSize output)
{
    VkrReduceInfo info = {
        .label = f->name,
        .ops = OPS,
        .input = {.buffer = buffers[INPUT].buffer,
                  .size = (VkDeviceSize)COUNT * vkrTypeSize(type),
                  .type = type},
        .count = COUNT,
        .output = {buffers[OUTPUT].buffer, output, SLOT},
        .algorithm = f->algorithm,
        .segments = f->segments,
    };
    if (f->segments.kind == VKR_SEGMENTS_OFFSETS)
        info.segments.offsets = (VkrBufferRange){buffers[OFFSETS].buffer, 0, sizeof(offsets)};
    if (f->masked)
        info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                        .range = {buffers[FLAGS].buffer, 0, (COUNT + 31) / 32 * 4}};
    return info;
}

static void submit(VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages =
                                VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h) && harness_submit(&h));
    assert_true(harness_check(&h, vkrReset(recorder), "vkrReset"));
}

/* ---- Verification ---- */

static void compare(const char *what, VkrType type, VkrOp op, uint64_t segment,
                    const oracle_value *value, VkrType result, const void *actual)
{
    char texts[2][64];
    cases++;
    if (oracle_accepts(value, result, actual) || mismatches++ >= SHOWN)
        return;
    oracle_format(texts[0], sizeof(texts[0]), result, actual);
    oracle_format(texts[1], sizeof(texts[1]), result, value->bytes);
    printf("# %s, %s of %s, segment %" PRIu64 ": %s, but should be %s\n", what, vkrOpName(op),
           vkrTypeName(type), segment, texts[0], texts[1]);
}

static void verify(const form *f, VkrType type, const VkrReduceLayout *layout,
                   const unsigned char *output)
{
    static uint64_t elements[COUNT];
    const uint32_t size = vkrTypeSize(type);
    const VkrOp ops[] = {VKR_OP_MEAN, VKR_OP_L2, VKR_OP_VARIANCE, VKR_OP_STDDEV};
    for (uint64_t segment = 0; segment < layout->segments; segment++) {
        oracle_reduce_info info = {.data = elements, .stride = size, .type = type, .components = 1};
        for (uint64_t i = 0; i < COUNT; i++)
            if (is_in(f, segment, i) && keeps(f, i))
                memcpy((unsigned char *)elements + size * info.count++,
                       (unsigned char *)buffers[INPUT].data + size * i, size);
        for (size_t k = 0; k < ARRAY_SIZE(ops); k++) {
            const VkrReduceResult *result = vkrGetReduceResult(layout, ops[k]);
            oracle_value value;
            oracle_reduce(&info, ops[k], 0, result->type, &value);
            compare(f->name, type, ops[k], segment, &value, result->type,
                    output + segment * layout->stride + result->offset);
        }
    }
}

/* ---- Every form ---- */

/* A type, and whether counts have 64 bits. The drivers share the pairs of a form and one of
 * these. */
static const struct {
    VkrType type;
    bool wide;
} columns[] = {
    {VKR_TYPE_I32, false}, {VKR_TYPE_U64, false}, {VKR_TYPE_I64, true}, {VKR_TYPE_U32, true}};

static void run_forms(VkrContext context, VkrRecorder recorder, uint32_t column, distribution data)
{
    static VkrReduceLayout layouts[ARRAY_SIZE(forms)];
    const VkrType type = columns[column].type;
    fill_data(&random_state, data, type, 1, buffers[INPUT].data, vkrTypeSize(type), COUNT);
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < ARRAY_SIZE(forms); i++) {
        const VkrReduceInfo info = info_of(&forms[i], type, (VkDeviceSize)i * SLOT);
        assert_true(harness_check(&h, vkrGetReduceLayout(context, &info, &layouts[i]),
                                  "vkrGetReduceLayout"));
        if (harness_has_case(i + column))
            assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    }
    submit(recorder);
    for (uint32_t i = 0; i < ARRAY_SIZE(forms); i++)
        if (harness_has_case(i + column))
            verify(&forms[i], type, &layouts[i], (unsigned char *)buffers[OUTPUT].data + i * SLOT);
}

static void open_context(bool wide, VkrContext *context, VkrRecorder *recorder)
{
    const VkrRecorderInfo info = {.label = "long sums"};
    h.hooks.wideIndices = wide;
    assert_true(harness_context(&h, NULL, context));
    assert_true(
        harness_check(&h, vkrCreateRecorder(*context, &info, recorder), "vkrCreateRecorder"));
}

static void test_forms(void **state)
{
    static const distribution kinds[] = {DATA_EXTREME, DATA_OPPOSITE, DATA_TIE,  DATA_TIE,
                                         DATA_TIE,     DATA_TIE,      DATA_BITS, DATA_EXTREMES};
    const uint64_t before = mismatches;
    (void)state;
    for (uint32_t t = 0; t < ARRAY_SIZE(columns); t++) {
        VkrContext context;
        VkrRecorder recorder;
        open_context(columns[t].wide, &context, &recorder);
        for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
            if (vkrIsTypeSupported(context, columns[t].type))
                run_forms(context, recorder, t, kinds[k]);
        vkrDestroyRecorder(recorder);
        vkrDestroyContext(context);
    }
    assert_int_equal(mismatches, before);
}

/* ---- More than 2^32 elements ---- */

typedef struct blocks {
    VkrType type;
    VkrContext context;
    VkrRecorder recorder;
    VkrReduceLayout layout;
} blocks;

/* Reduces block `number`, whose elements are those of the input's first or second block. */
static void run_block(const blocks *b, uint64_t number)
{
    const VkDeviceSize bytes = (VkDeviceSize)BLOCK * vkrTypeSize(b->type);
    const VkrReduceInfo info = {
        .ops = OPS,
        .input = {.buffer = buffers[INPUT].buffer,
                  .offset = number % 2 * bytes,
                  .size = bytes,
                  .type = b->type},
        .count = BLOCK,
        .output = {buffers[OUTPUT].buffer, 0, SLOT},
        .pieces = {{buffers[PARTIALS].buffer, 0, b->layout.partialsSize},
                   number * BLOCK,
                   (uint64_t)BLOCKS * BLOCK},
    };
    assert_true(harness_check(&h, vkrBegin(b->recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(b->recorder, &info), "vkrCmdReduce"));
    submit(b->recorder);
}

static void repeat_partials(const blocks *b)
{
    unsigned char *partials = buffers[PARTIALS].data;
    const size_t size = (size_t)(b->layout.partialsSize / BLOCKS);
    for (size_t i = 2; i + 1 < BLOCKS; i++)
        memcpy(partials + i * size, partials + i % 2 * size, size);
}

static void add_words(uint32_t *to, const uint32_t *words)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < VARIANCE_WORDS; i++) {
        carry += (uint64_t)to[i] + words[i];
        to[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Adds the sums of another fold. */
static void add_fold(oracle_fold *to, const oracle_fold *fold)
{
    to->count += fold->count;
    if (fold->op == VKR_OP_VARIANCE || fold->op == VKR_OP_STDDEV) {
        add_words(to->state.variance.sum, fold->state.variance.sum);
        add_words(to->state.variance.squares, fold->state.variance.squares);
        return;
    }
    const sum192 sum = fold->state.sum192;
    to->state.sum192.low += sum.low;
    to->state.sum192.high += sum.high + (to->state.sum192.low < sum.low);
}

/* The oracle's result for each of the two blocks, as often as the block occurs. */
static void expect(const blocks *b, VkrOp op)
{
    const uint32_t size = vkrTypeSize(b->type);
    const VkrReduceResult *result = vkrGetReduceResult(&b->layout, op);
    const oracle_reduce_info info = {.stride = size, .type = b->type, .components = 1};
    oracle_fold *all = oracle_begin(&info, op, 0, result->type);
    oracle_value value;
    assert_non_null(all);
    for (uint32_t k = 0; k < 2; k++) {
        oracle_fold *one = oracle_begin(&info, op, 0, result->type);
        assert_non_null(one);
        oracle_add(one, (unsigned char *)buffers[INPUT].data + (size_t)k * BLOCK * size, NULL,
                   BLOCK);
        for (uint32_t i = k; i < BLOCKS; i += 2)
            add_fold(all, one);
        oracle_end(one, NULL);
    }
    oracle_end(all, &value);
    compare("pieces", b->type, op, 0, &value, result->type,
            (unsigned char *)buffers[OUTPUT].data + result->offset);
}

static void run_blocks(blocks *b, distribution data)
{
    const VkrReduceInfo info = {
        .ops = OPS, .input = {.type = b->type}, .pieces = {.count = (uint64_t)BLOCKS * BLOCK}};
    assert_true(
        harness_check(&h, vkrGetReduceLayout(b->context, &info, &b->layout), "vkrGetReduceLayout"));
    fill_data(&random_state, data, b->type, 1, buffers[INPUT].data, vkrTypeSize(b->type),
              2 * BLOCK);
    run_block(b, 0);
    run_block(b, 1);
    repeat_partials(b);
    run_block(b, BLOCKS - 1);
    expect(b, VKR_OP_MEAN);
    expect(b, VKR_OP_L2);
    expect(b, VKR_OP_VARIANCE);
    expect(b, VKR_OP_STDDEV);
}

static void test_counts(void **state)
{
    static const VkrType types[] = {VKR_TYPE_U16, VKR_TYPE_I32, VKR_TYPE_U32, VKR_TYPE_U64};
    static const distribution kinds[] = {DATA_EXTREME, DATA_TIE, DATA_RANDOM};
    const uint64_t before = mismatches;
    blocks b;
    (void)state;
    open_context(false, &b.context, &b.recorder);
    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
            b.type = types[i];
            if (vkrIsTypeSupported(b.context, b.type))
                run_blocks(&b, kinds[k]);
        }
    vkrDestroyRecorder(b.recorder);
    vkrDestroyContext(b.context);
    assert_int_equal(mismatches, before);
}

/* ---- Group ---- */

static int open_all(void **state)
{
    static const VkDeviceSize sizes[BUFFERS] = {2 * BLOCK * 8, COUNT / 8 + 4, sizeof(offsets),
                                                ARRAY_SIZE(forms) * SLOT,
                                                (VkDeviceSize)BLOCKS * 4 * 10};
    uint32_t *flags;
    (void)state;
    random_state = environment("VKR_TEST_SEED", 1);
    for (int i = 0; i < BUFFERS; i++)
        if (!harness_create_buffer(&h, sizes[i], &buffers[i]))
            return -1;
    memcpy(buffers[OFFSETS].data, offsets, sizeof(offsets));
    flags = buffers[FLAGS].data;
    for (uint32_t i = 0; i < (COUNT + 31) / 32; i++)
        flags[i] = (uint32_t)next_random(&random_state);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", cases, mismatches);
    for (int i = 0; i < BUFFERS; i++)
        harness_destroy_buffer(&h, &buffers[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_counts)};
    return harness_run(&h, "long", tests, sizeof(tests) / sizeof(tests[0]), open_all, close_all);
}
