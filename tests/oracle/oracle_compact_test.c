/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference of vkrCmdCompact, worked out by hand from compact.h. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "oracle_compact.h"

#define AT(array) ((VkBuffer)(uintptr_t)(array))
#define MOST 16u
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Which elements are kept ---- */

/* Bit i is set if element i is kept. */
static uint32_t mask_of(VkrType type, const void *data, size_t size, uint32_t count,
                        const VkrPredicate *predicate)
{
    uint32_t indices[MOST], mask = 0;
    const VkrCompactInfo info = {
        .input = {.buffer = AT(data), .size = size, .type = type},
        .count = count,
        .predicate = *predicate,
        .keptIndices = {.buffer = AT(indices), .size = sizeof(indices)},
    };
    const oracle_image images[] = {
        {AT(data), (void *)(uintptr_t)data},
        {AT(indices), indices},
        {predicate->gpuConstants.buffer, (void *)(uintptr_t)predicate->gpuConstants.buffer},
        {predicate->flags.range.buffer, (void *)(uintptr_t)predicate->flags.range.buffer}};
    const oracle_device device = {.images = images, .image_count = 4, .max_groups = 100};
    const oracle_counts counts = oracle_compact(&device, &info);
    assert_int_equal(counts.elements, count);
    assert_int_equal(counts.kept + counts.rejected, count);
    for (uint64_t i = 0; i < counts.kept; i++)
        mask |= 1u << indices[i];
    return mask;
}

#define MASK(type, array, ...)                                                                     \
    mask_of(type, array, sizeof(array), LENGTH(array), &(VkrPredicate){__VA_ARGS__})
#define COMPARE(relation, ...)                                                                     \
    .kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_##relation, .a = {__VA_ARGS__}

static const float specials[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 1, -1, INFINITY, -INFINITY, NAN};

TEST(test_floats)
{
    const VkrType f32 = VKR_TYPE_F32;
    assert_int_equal(MASK(f32, specials, .kind = VKR_PREDICATE_NONZERO), 0x1fc);
    assert_int_equal(MASK(f32, specials, .kind = VKR_PREDICATE_FINITE), 0x3f);
    assert_int_equal(MASK(f32, specials, .kind = VKR_PREDICATE_NAN), 0x100);
    assert_int_equal(MASK(f32, specials, .kind = VKR_PREDICATE_NAN, .negate = VK_TRUE), 0xff);
    assert_int_equal(MASK(f32, specials, COMPARE(EQUAL, .f = -0.0)), 0x3);
    assert_int_equal(MASK(f32, specials, COMPARE(NOT_EQUAL, .f = 0)), 0x1fc);
    assert_int_equal(MASK(f32, specials, COMPARE(LESS, .f = 0)), 0xa8);
    assert_int_equal(MASK(f32, specials, COMPARE(LESS_EQUAL, .f = -0.0)), 0xab);
    assert_int_equal(MASK(f32, specials, COMPARE(GREATER, .f = 0)), 0x54);
    assert_int_equal(MASK(f32, specials, COMPARE(GREATER_EQUAL, .f = (double)1e-45f)), 0x54);
    assert_int_equal(MASK(f32, specials, COMPARE(LESS, .f = 0), .negate = VK_TRUE), 0x157);
    assert_int_equal(MASK(f32, specials, COMPARE(EQUAL, .f = (double)NAN)), 0);
    assert_int_equal(MASK(f32, specials, COMPARE(LESS_EQUAL, .f = (double)NAN)), 0);
    assert_int_equal(MASK(f32, specials, COMPARE(NOT_EQUAL, .f = (double)NAN)), 0x1ff);
    assert_int_equal(
        MASK(f32, specials, COMPARE(GREATER, .f = -1), .compare2 = VKR_COMPARE_LESS, .b = {.f = 1}),
        0xf);
    assert_int_equal(MASK(f32, specials, .kind = VKR_PREDICATE_BITS, .mask = 0x80000000u,
                          .value = 0x80000000u, .compare = VKR_COMPARE_EQUAL),
                     0xaa);
}

TEST(test_integers)
{
    const int8_t bytes[] = {-128, -1, 0, 1, 127};
    const uint8_t codes[] = {0, 1, 127, 128, 255};
    const int64_t longs[] = {INT64_MIN, -1, 0, INT64_MAX};
    const uint64_t words[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX};
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, COMPARE(LESS, .i = 0)), 0x3);
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, COMPARE(GREATER_EQUAL, .i = -1)), 0x1e);
    assert_int_equal(MASK(VKR_TYPE_U8, codes, COMPARE(GREATER, .u = 127)), 0x18);
    assert_int_equal(MASK(VKR_TYPE_I64, longs, COMPARE(LESS, .i = -1)), 0x1);
    assert_int_equal(MASK(VKR_TYPE_U64, words, COMPARE(LESS, .u = UINT64_MAX)), 0x7);
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, .kind = VKR_PREDICATE_FINITE), 0x1f);
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, .kind = VKR_PREDICATE_NAN), 0);
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, .kind = VKR_PREDICATE_BITS, .mask = 0x81,
                          .value = 0x81, .compare = VKR_COMPARE_EQUAL),
                     0x2);
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, .kind = VKR_PREDICATE_BITS, .mask = 0x81,
                          .value = 0x81, .compare = VKR_COMPARE_NOT_EQUAL),
                     0x1d);
    const int8_t range[] = {-1, 1};
    assert_int_equal(MASK(VKR_TYPE_I8, bytes, COMPARE(GREATER_EQUAL, .i = 100),
                          .compare2 = VKR_COMPARE_LESS_EQUAL, .b = {.i = 100},
                          .gpuConstants = {AT(range), 0, 2}),
                     0xe);
}

TEST(test_constants)
{
    const struct {
        VkrType type;
        double value;
        uint64_t bits;
    } rows[] = {
        {VKR_TYPE_F32, 0.1, 0x3dcccccd},
        {VKR_TYPE_F32, 16777217, 0x4b800000}, /* a tie, to even */
        {VKR_TYPE_F32, 1e300, 0x7f800000},
        {VKR_TYPE_F64, 0.1, 0x3fb999999999999a},
        {VKR_TYPE_F16, 1, 0x3c00},
        {VKR_TYPE_F16, -2.5, 0xc100},
        {VKR_TYPE_F16, 0.1, 0x2e66},
        {VKR_TYPE_F16, 2049, 0x6800}, /* ties, to even */
        {VKR_TYPE_F16, 2051, 0x6802},
        {VKR_TYPE_F16, 65519, 0x7bff},
        {VKR_TYPE_F16, 65520, 0x7c00},
        {VKR_TYPE_F16, -1e9, 0xfc00},
        {VKR_TYPE_F16, 0x1p-14, 0x0400},
        {VKR_TYPE_F16, 0x1p-24, 0x0001},
        {VKR_TYPE_F16, 0x1p-25, 0x0000},
        {VKR_TYPE_F16, 0x1.8p-24, 0x0002},
        {VKR_TYPE_F16, -0.0, 0x8000},
        {VKR_TYPE_F16, 0x1.ffcp-15, 0x0400}, /* rounds up to the smallest normal number */
        {VKR_TYPE_BF16, 1, 0x3f80},
        {VKR_TYPE_BF16, -2.5, 0xc020},
        {VKR_TYPE_BF16, 0.1, 0x3dcd},
        {VKR_TYPE_BF16, 257, 0x4380}, /* ties, to even */
        {VKR_TYPE_BF16, 259, 0x4382},
        {VKR_TYPE_BF16, 1 + 0x1p-8 + 0x1p-40, 0x3f81}, /* not a tie, although its f32 is one */
        {VKR_TYPE_BF16, 0x1.fefp127, 0x7f7f},
        {VKR_TYPE_BF16, 0x1.ffp127, 0x7f80},
        {VKR_TYPE_BF16, -1e300, 0xff80},
        {VKR_TYPE_BF16, 0x1p-126, 0x0080},
        {VKR_TYPE_BF16, 0x1p-133, 0x0001},
        {VKR_TYPE_BF16, 0x1p-134, 0x0000},
        {VKR_TYPE_BF16, 0x1.8p-133, 0x0002},
        {VKR_TYPE_BF16, -0.0, 0x8000},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_int_equal(oracle_constant(rows[i].type, (VkrConstant){.f = rows[i].value}),
                         rows[i].bits);
    assert_int_equal(oracle_constant(VKR_TYPE_I16, (VkrConstant){.i = -2}), -2);
    assert_int_equal(oracle_constant(VKR_TYPE_U64, (VkrConstant){.u = UINT64_MAX}), UINT64_MAX);
}

TEST(test_flags)
{
    const float any[5] = {0};
    const uint32_t words[] = {0, 1, 0x80000000u, 0, 256};
    const uint8_t bytes[] = {7, 0, 0, 128, 1};
    const uint32_t bits[] = {0xffffffe9u};
    assert_int_equal(MASK(VKR_TYPE_F32, any, .kind = VKR_PREDICATE_FLAGS,
                          .flags = {.format = VKR_FLAGS_U32, .range = {AT(words), 0, 20}}),
                     0x16);
    assert_int_equal(MASK(VKR_TYPE_F32, any, .kind = VKR_PREDICATE_FLAGS, .negate = VK_TRUE,
                          .flags = {.format = VKR_FLAGS_U8, .range = {AT(bytes), 0, 5}}),
                     0x6);
    assert_int_equal(MASK(VKR_TYPE_F32, any, .kind = VKR_PREDICATE_FLAGS,
                          .flags = {.format = VKR_FLAGS_BITS, .range = {AT(bits), 0, 4}}),
                     0x9);
}

/* ---- What is written ---- */

static oracle_counts compact(void *memory, uint32_t max_groups, bool wide, VkrCompactInfo *info)
{
    const oracle_image image = {AT(memory), memory};
    const oracle_device device = {&image, 1, max_groups, wide, max_groups + 1};
    return oracle_compact(&device, info);
}

/* Bytes 0 .. 63 of the memory are the input; all outputs lie after them. */
typedef struct memory {
    uint32_t input[16];
    uint32_t out[5][16];
    uint64_t counts[8];
} memory;

static VkrView words_of(memory *m, int output, uint32_t count)
{
    return (VkrView){.buffer = AT(m), .offset = 64u * (1u + (uint32_t)output), .size = 4 * count};
}

static void check_words(const uint32_t *actual, const uint32_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(actual[i], expected[i]);
}
#define CHECK(actual, ...)                                                                         \
    check_words(actual, (const uint32_t[]){__VA_ARGS__},                                           \
                sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define X 0xeeeeeeeeu

static memory filled(void)
{
    memory m;
    memset(&m, 0xee, sizeof(m));
    memcpy(m.input, (const uint32_t[]){5, 5, 7, 7, 7, 5, 9, 9}, 32);
    return m;
}

static VkrCompactInfo unique_of(memory *m, uint32_t first, uint32_t count)
{
    return (VkrCompactInfo){
        .input = {.buffer = AT(m), .offset = 4 * first, .size = 4 * count, .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_UNIQUE}};
}

TEST(test_unique)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 8);
    info.kept = words_of(&m, 0, 16);
    info.keptIndices = words_of(&m, 1, 16);
    info.runLengths = words_of(&m, 2, 16);
    info.rejectedIndices = words_of(&m, 3, 3);
    info.firstIndex = 100;
    const oracle_counts counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.kept, 4);
    assert_int_equal(counts.stored, 4);
    assert_int_equal(counts.rejected, 4);
    CHECK(m.out[0], 5, 7, 5, 9, X);
    CHECK(m.out[1], 100, 102, 105, 106, X);
    CHECK(m.out[2], 2, 3, 1, 2, X);
    CHECK(m.out[3], 101, 103, 104, X);
}

TEST(test_continued)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 1, 7);
    info.flags = VKR_COMPACT_CONTINUED_BIT;
    info.kept = words_of(&m, 0, 2);
    info.runLengths = words_of(&m, 2, 16);
    oracle_counts counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.kept, 3);
    assert_int_equal(counts.stored, 2);
    CHECK(m.out[0], 7, 5, X);
    CHECK(m.out[2], 3, 1, X);
    /* The last length that fits ends with its run, whether or not the run's start is kept. */
    info.kept = (VkrView){0};
    info.runLengths = words_of(&m, 3, 3);
    counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.stored, 3);
    CHECK(m.out[3], 3, 1, 2, X);
}

TEST(test_components)
{
    memory m = filled();
    memcpy(m.input, (const uint32_t[]){1, 2, X, 1, 2, X, 1, 3, X, 1, 3}, 44);
    VkrCompactInfo info = unique_of(&m, 0, 11);
    info.input.components = 2;
    info.input.stride = 12;
    info.kept = words_of(&m, 0, 16);
    info.kept.stride = 16;
    assert_int_equal(compact(&m, 100, false, &info).elements, 4);
    CHECK(m.out[0], 1, 2, X, X, 1, 3, X, X);
    info.predicate = (VkrPredicate){
        .kind = VKR_PREDICATE_COMPARE, .component = 1, .compare = VKR_COMPARE_EQUAL, .a = {.u = 2}};
    assert_int_equal(compact(&m, 100, false, &info).kept, 2);
}

TEST(test_partition_and_append)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 8);
    info.predicate = (VkrPredicate){
        .kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_GREATER, .a = {.u = 5}};
    m.counts[0] = 2;
    m.counts[1] = 6; /* of the elements: 5 5 7 7 7 5 */
    info.append = (VkrGpuCount){AT(&m), offsetof(memory, counts), VKR_TYPE_U64};
    info.gpuCount = (VkrGpuCount){AT(&m), offsetof(memory, counts) + 8, 0};
    info.kept = words_of(&m, 0, 16);
    info.rejected = words_of(&m, 1, 2);
    info.rejectedIndices = words_of(&m, 2, 16);
    info.capacity = 4;
    VkrCountOutput outputs[6];
    for (uint32_t i = 0; i < 6; i++)
        outputs[i] = (VkrCountOutput){.kind = (VkrCountKind)i,
                                      .buffer = AT(&m),
                                      .offset = offsetof(memory, counts) + 8 * i,
                                      .scale = i};
    info.countOutputs = outputs;
    info.countOutputCount = 6;
    const oracle_counts counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.elements, 6);
    CHECK(m.out[0], X, X, 7, 7, X);
    CHECK(m.out[1], 5, 5, X);
    CHECK(m.out[2], 0, 1, 5, X);
    /* kept 5, stored 4, rejected 3, times 1, 1, 2 and then 3, 4, 5 */
    CHECK((const uint32_t *)m.counts, 5, 0, 4, 0, 6, X, 15, 0, 16, 0, 15, 0);
}

TEST(test_past_the_end)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 8);
    const VkrCountOutput stored = {VKR_COUNT_STORED, AT(&m), offsetof(memory, counts), 0};
    m.counts[0] = 9;
    info.append = (VkrGpuCount){AT(&m), offsetof(memory, counts), VKR_TYPE_U32};
    info.kept = words_of(&m, 0, 5);
    info.countOutputs = &stored;
    info.countOutputCount = 1;
    const oracle_counts counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.kept, 13);
    assert_int_equal(m.counts[0], 5);
    CHECK(m.out[0], X, X, X, X, X);
}

TEST(test_payloads)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 6); /* keeps elements 0, 2, 5 */
    for (uint32_t i = 0; i < 16; i++)
        m.out[0][i] = i;
    const VkrPayload payloads[] = {
        {.size = 3, .source = {AT(&m), 64, 64}, .sourceStride = 8, .target = {AT(&m), 128, 7}},
        {.size = 4,
         .rejected = VK_TRUE,
         .source = {AT(&m), 68, 60},
         .target = {AT(&m), 192, 64},
         .targetStride = 8},
    };
    info.payloads = payloads;
    info.payloadCount = 2;
    const oracle_counts counts = compact(&m, 100, false, &info);
    assert_int_equal(counts.stored, 2);
    CHECK(m.out[1], 0x04000000, 0xeeee0000, X);
    CHECK(m.out[2], 2, X, 4, X, 5, X, X);
}

TEST(test_dispatch)
{
    const uint32_t cases[][5] = {/* stored, scale, then x, y, z for at most 3 groups in x */
                                 {0, 4, 0, 1, 1},  {1, 4, 1, 1, 1},   {8, 4, 2, 1, 1},
                                 {9, 4, 3, 1, 1},  {12, 4, 3, 1, 1},  {13, 4, 3, 2, 1},
                                 {16, 2, 3, 3, 1}, {16, 100, 1, 1, 1}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        memory m = filled();
        for (uint32_t k = 0; k < 16; k++)
            m.input[k] = k < cases[i][0];
        VkrCompactInfo info = unique_of(&m, 0, 16);
        const VkrCountOutput output = {VKR_COUNT_DISPATCH, AT(&m), offsetof(memory, counts),
                                       cases[i][1]};
        info.predicate.kind = VKR_PREDICATE_NONZERO;
        info.countOutputs = &output;
        info.countOutputCount = 1;
        compact(&m, 3, false, &info);
        CHECK((const uint32_t *)m.counts, cases[i][2], cases[i][3], cases[i][4], X);
    }
}

TEST(test_mesh_tasks)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 16);
    const VkrCountOutput output = {VKR_COUNT_MESH_TASKS, AT(&m), offsetof(memory, counts), 2};
    for (uint32_t k = 0; k < 16; k++)
        m.input[k] = k < 13;
    info.predicate.kind = VKR_PREDICATE_NONZERO;
    info.countOutputs = &output;
    info.countOutputCount = 1;
    compact(&m, 3, false, &info);
    CHECK((const uint32_t *)m.counts, 4, 2, 1, X); /* 7 groups, at most 4 in x */
}

TEST(test_wide_indices)
{
    memory m = filled();
    VkrCompactInfo info = unique_of(&m, 0, 3);
    info.rejectedIndices = words_of(&m, 0, 16);
    compact(&m, 100, true, &info);
    CHECK(m.out[0], 1, 0, X);
    info.firstIndex = UINT64_C(7) << 32;
    compact(&m, 100, false, &info);
    CHECK(m.out[0], 1, 7, X);
}

TEST_MAIN("oracle_compact_test", CASE(test_floats), CASE(test_integers), CASE(test_constants),
          CASE(test_flags), CASE(test_unique), CASE(test_continued), CASE(test_components),
          CASE(test_partition_and_append), CASE(test_past_the_end), CASE(test_payloads),
          CASE(test_dispatch), CASE(test_mesh_tasks), CASE(test_wide_indices))
